/* Functions of the move, select and test rows. */
#define LANES_DIRECT
#include "front/ptx/ops/mask.h"
#include "front/ptx/ops/float.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/select.def"
