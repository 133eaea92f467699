/* Functions of the integer conversion rows. */
#define LANES_DIRECT
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/int.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/cvt_int.def"
