/* lrr: the next warp in rotation that can issue (loose round robin). */
#include "core/sched/sched.h"

const struct sched_rule sched_lrr = {.choose = sched_next};
