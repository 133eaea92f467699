/* Functions of the carry rows. */
#include "front/ptx/ops/mask.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/carry.def"
