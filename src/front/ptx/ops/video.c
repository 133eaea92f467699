/* Functions of the video rows. */
#include "front/ptx/ops/lanes.h"
#include "front/ptx/ops/video.h"
#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/video.def"
