/* Who a request at a memory controller is of, to schedulers made for threads of a processor: an SM or one of its warps. */
#ifndef SLUICE_TECH_REQUESTER_H
#define SLUICE_TECH_REQUESTER_H

#include "tech/declare.h"

enum requester_kind { REQUESTER_SM, REQUESTER_WARP };
#define REQUESTER_PARAM(P)                                                                                   \
  P(thread, TECH_ENUM("sm", requester_kinds), "", "Who counts as a thread: an SM or a warp.",                \
    "the paper has the threads of a multi-core processor; an SM is the core here")
static const char *const requester_kinds[] = {"sm", "warp", NULL};

struct requesters {
  uint32_t warps; /* of an SM, where each counts; else 0 */
  uint32_t n;     /* the number n is of requests that nobody waits for: write-backs */
};

static inline struct requesters requesters(const struct sluice_env *env, uint64_t kind) {
  uint32_t warps = kind == REQUESTER_WARP ? env->warps : 0;
  return (struct requesters){warps, warps ? env->sms * warps : env->sms};
}

static inline uint32_t requester(const struct requesters *k, const struct sluice_dram_entry *r) {
  return r->sm == SLUICE_NONE ? k->n : k->warps ? r->sm * k->warps + r->warp : r->sm;
}

#endif
