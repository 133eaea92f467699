/* Functions of the setp rows. */
#include "front/ptx/ops/compare.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/setp.def"
