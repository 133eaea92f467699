/* Functions of the f16 and bf16 rows. */
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/half_ops.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/half.def"
