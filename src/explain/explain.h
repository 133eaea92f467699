/* Why a run takes as long as it does.
 *
 * Time is that of schedulers: SMs x schedulers x cycles. Every such cycle has one use: an instruction was issued, or it was not,
 * for a reason. The reasons are the stall causes of the warps that were there (docs/timing.md, "Where the time goes"), in
 * stretches of a launch. A cause is a place where warps wait, not yet what makes them wait: a queue is full because of
 * what comes behind it. So the time that is waited in queues goes to the resource furthest behind them that is saturated in the
 * same stretch: the use of each resource is counted against what it can do at most (docs/seeing.md has the table). */
#ifndef SLUICE_EXPLAIN_EXPLAIN_H
#define SLUICE_EXPLAIN_EXPLAIN_H

#include "base/error.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(id, name, words) */
#define LIMITERS(X)                                                                                          \
  X(ISSUE, "issue", "issue: the schedulers have no free slot")                                               \
  X(ARITHMETIC, "arithmetic", "arithmetic pipelines: instructions are ready and their units are busy")       \
  X(SHARED, "shared-memory", "shared memory: its banks are busy")                                            \
  X(L1_PORTS, "l1-ports", "L1 ports: the load/store unit hands over a line at a time")                       \
  X(L1_CAPACITY, "l1-capacity", "L1 capacity: lines are fetched again that the L1 had and replaced")         \
  X(MISS_REGISTERS, "miss-registers", "miss registers: the L1 cannot have more misses under way")            \
  X(CROSSBAR, "crossbar", "crossbar: its ports carry all they can")                                          \
  X(L2_BANDWIDTH, "l2-bandwidth", "L2 bandwidth: slices look up a sector in every cycle")                    \
  X(L2_SLICE, "l2-slice-hot", "one hot L2 slice: others are idle")                                           \
  X(L2_MISSES, "l2-misses", "L2 misses under way: registers, ways or the queue to memory are full")          \
  X(DRAM_BANDWIDTH, "dram-bandwidth", "DRAM bandwidth: the data buses are busy")                             \
  X(DRAM_BANKS, "dram-banks", "DRAM bank conflicts: rows are opened and closed faster than banks can")       \
  X(DRAM_CHANNEL, "dram-channel-hot", "one hot DRAM channel: others are idle")                               \
  X(LATENCY, "latency", "latency: nothing is full, every warp waits for its own data")                       \
  X(FEW_WARPS, "too-few-warps",                                                                              \
    "too few warps: nothing is full, and there are too few warps to wait for something else")                \
  X(IMBALANCE, "imbalance", "imbalance: SMs or schedulers have run out of CTAs while others go on")          \
  X(BARRIERS, "barriers", "barriers: warps wait for others of their CTA")                                    \
  X(FETCH, "fetch", "instruction fetch")

enum limiter {
#define X(id, name, words) LIMIT_##id,
  LIMITERS(X)
#undef X
      NLIMITERS
};
extern const char *const limiter_names[NLIMITERS + 1]; /* NULL at the end */
extern const char *const limiter_words[NLIMITERS];

/* Use of resources, mean over time, of the most loaded unit of each kind where it says so. */
#define USES(X)                                                                                              \
  X(ISSUE, "issue slots of SMs with CTAs")                                                                   \
  X(ELIGIBLE, "eligible warps of a scheduler")                                                               \
  X(ALU, "schedulers whose ready warps find their pipeline busy")                                            \
  X(SHARED, "shared memory")                                                                                 \
  X(L1_PORT, "L1 ports")                                                                                     \
  X(L1_REFUSE, "cycles in which the L1 refuses for want of a way or miss register")                          \
  X(L1_QUEUE, "cycles in which the L1 refuses because its miss queue is full")                               \
  X(REFETCH, "L1 fills of lines that it had replaced")                                                       \
  X(XBAR, "the busiest port of the crossbars, of what their allocator lets through")                         \
  X(L2, "the busiest L2 slice")                                                                              \
  X(L2_MEAN, "L2 slices")                                                                                    \
  X(L2_FULL, "slice cycles in which the L2 refuses for want of a way, register or queue to memory")          \
  X(DRAM, "the busiest DRAM channel")                                                                        \
  X(DRAM_MEAN, "DRAM channels")                                                                              \
  X(BUS, "its data bus")                                                                                     \
  X(BANK, "its busiest bank, by tRC")                                                                        \
  X(ACT, "its activates, by tRRD and tFAW")                                                                  \
  X(WARPS, "resident warps, of what SMs hold")                                                               \
  X(ACTIVE, "SMs with a CTA")
enum use {
#define X(id, words) USE_##id,
  USES(X)
#undef X
      NUSES
};

/* Links of the chain from the schedulers to the DRAM and back: X(words, statistic, its base or NULL, is it a share). What a link does
 * depends on those before it. */
#define LINKS(X)                                                                                             \
  X("line accesses of a memory instruction", "ldst.accesses", "ldst.instructions", false)                    \
  X("L1 hit rate", "l1d.hits", "l1d.accesses", true)                                                         \
  X("loads past the L1", "l1d.bypasses", "l1d.accesses", true)                                               \
  X("cycles in which an L1 refuses, of an SM with CTAs", "l1.refused_cycles", "sm.active_cycles", true)      \
  X("requests to the L2 for a memory instruction", "l2.requests", "ldst.instructions", false)                \
  X("request network, cycles of a read", "latency.request", "latency.count", false)                          \
  X("L2 queue, cycles of a read", "latency.l2_queue", "latency.count", false)                                \
  X("L2 hit rate", "l2.hits", "l2.accesses", true)                                                           \
  X("L2 refusals for want of a way, cycles of an access", "l2.reservation_cycles.ways", "l2.accesses", true) \
  X("DRAM bytes for a memory instruction", "dram.bytes", "ldst.instructions", false)                         \
  X("DRAM column commands for an activate", "dram.reads", "dram.activates", false)                           \
  X("DRAM, cycles of a read", "latency.dram", "latency.count", false)                                        \
  X("response network, cycles of a read", "latency.response", "latency.count", false)                        \
  X("latency of a read beyond the L1", "latency.sum", "latency.count", false)                                \
  X("cycles for a thousand thread instructions", "gpu.cycles", "sm.thread_issued", false)
struct explain_link {
  const char *words, *top, *bottom;
  bool share;
};
extern const struct explain_link explain_links[];
extern const size_t explain_nlinks;
enum { EXPLAIN_LINKS = 15 };
/* Sums up to a moment of the run. */
struct explain_step {
  double work; /* thread instructions */
  double top[EXPLAIN_LINKS], bottom[EXPLAIN_LINKS];
};

struct explain_part { /* a launch, or the whole run */
  char *name;
  double cycles, slots; /* slots: SMs x schedulers x cycles */
  double work;          /* of them, in which an instruction was issued and the issue was not the limit */
  double limit[NLIMITERS];
  double use[NUSES]; /* times cycles */
  double stall[64];  /* warp cycles by cause */
  double warp_cycles;
};

struct explain {
  char *source, *workload;
  struct explain_part run, *launch;
  size_t nlaunches, cap_launches;
  char **cause; /* names of stall causes */
  size_t ncauses;
  double latency[8], reads;  /* of reads beyond the L1: by stage, and their number */
  char *occupancy_limit;     /* of the longest launch */
  double work_done;          /* thread instructions */
  char *report;              /* JSON */
  bool units;                /* there were counters of units */
  struct explain_step *step; /* one for each stretch */
  size_t nsteps, cap_steps;
};

bool explain_read(struct explain *e, const char *source, struct error *err);
void explain_free(struct explain *e);
/* The limiters by their share of time, largest first. */
void explain_order(const struct explain_part *p, enum limiter order[NLIMITERS]);

void explain_first(const struct explain *e, struct strbuf *to); /* in two lines */
void explain_words(const struct explain *e, struct strbuf *to);
void explain_json(const struct explain *const *e, size_t n, struct strbuf *to);
/* What changed from a to b, along the chain from the schedulers to the DRAM. */
void explain_compare(const struct explain *a, const struct explain *b, struct strbuf *to);

#endif
