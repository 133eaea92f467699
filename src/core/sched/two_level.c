/* two-level: rotation within an active set of few warps. A warp that begins to wait for something long (memory, a barrier, its
 * instructions) leaves the set; the one that has been able to go on for longest takes its place (Narasiman et al., MICRO 2011;
 * Gebhart et al., ISCA 2011). */
#include "core/sched/sched.h"

const struct sched_rule sched_two_level = {.choose = sched_next, .active_set = true};
