/* Functions of the conversion rows of the small formats. */
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/cvt_half.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/cvt_half.def"
