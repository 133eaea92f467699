/* Functions of the approximate rows. */
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/approx.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/approx.def"
