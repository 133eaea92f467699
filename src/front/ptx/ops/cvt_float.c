/* Functions of the f32 and f64 conversion rows. */
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/cvt.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/cvt_float.def"
