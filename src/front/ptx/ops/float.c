/* Functions of the f32 and f64 rows. */
#define LANES_DIRECT
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/float.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/float.def"
