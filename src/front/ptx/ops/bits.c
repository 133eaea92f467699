/* Functions of the bit rows. */
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/bits.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/bits.def"
