/* Functions of the bit rows. */
#define LANES_DIRECT
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/bits.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/bits.def"
