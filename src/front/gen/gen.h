/* Generated streams: warp operations made by a rule in place of a kernel, consumed like any other (exec.h). They
 * depend on their parameters and the warp's width alone, never on the timing model. */
#ifndef SLUICE_FRONT_GEN_GEN_H
#define SLUICE_FRONT_GEN_GEN_H

#include "base/error.h"
#include <stdint.h>

struct exec;
struct exec_options;
struct kernel_info;
struct launch;

/* Opens the stream of `what`: fills launch and kernel as if there were one. `buffers` are the addresses of the
 * buffers it said it needs. The names it puts into them must outlive the executor. NULL after filling err. */
typedef struct exec *gen_open_fn(const void *what, const uint64_t *buffers, const struct exec_options *o,
                                 struct launch *l, struct kernel_info *k, struct error *err);

#endif
