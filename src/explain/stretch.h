/* A stretch of a launch: what was counted in it, and what that says. */
#ifndef SLUICE_EXPLAIN_STRETCH_H
#define SLUICE_EXPLAIN_STRETCH_H

#include "explain/explain.h"
#include "explain/machine.h"
#include "timeline/timeline.h"

/* X(id, name): totals, and numbers of units. */
#define STRETCH_TOTALS(X)                                                                                    \
  X(CYCLES, "gpu.cycles")                                                                                    \
  X(ISSUED, "sm.issued")                                                                                     \
  X(MORE, "sm.more_issued")                                                                                  \
  X(WORK, "sm.thread_issued")                                                                                \
  X(ACTIVE, "sm.active_cycles")                                                                              \
  X(WARP_CYCLES, "sm.warp_cycles")                                                                           \
  X(SCOREBOARD, "sched.scoreboard")                                                                          \
  X(PIPE, "sched.pipe")                                                                                      \
  X(IDLE, "sched.idle") X(SHARED, "sm.shared_cycles") X(ACCESSES, "ldst.accesses") X(                        \
      DATA_READS, "l1d.data_reads") X(DATA_WRITES, "l1d.data_writes") X(WAYS, "l1.reservation_cycles.ways")  \
      X(MSHR, "l1.reservation_cycles.mshr") X(MERGE, "l1.reservation_cycles.merge")                          \
          X(QUEUE, "l1.reservation_cycles.queue") X(REQUEST_FLITS, "noc.request_flits")                      \
              X(RESPONSE_FLITS, "noc.response_flits") X(RESPONSE_MESSAGES, "noc.response_messages")          \
                  X(REQUESTS, "noc.requests") X(ANSWERS, "noc.answers") X(L2_ACCESSES, "l2.accesses")        \
                      X(L2_ATOMICS, "l2.atomics") X(L2_REQUESTS, "l2.requests") X(L2_ANSWERS, "l2.answers")  \
                          X(L2_WAYS, "l2.reservation_cycles.ways") X(L2_MSHR, "l2.reservation_cycles.mshr")  \
                              X(L2_MERGE, "l2.reservation_cycles.merge")                                     \
                                  X(L2_QUEUE, "l2.reservation_cycles.queue")                                 \
                                      X(L2_RESPONSE, "l2.reservation_cycles.response")                       \
                                          X(BUS, "dram.bus_cycles") X(ACTIVATES, "dram.activates")           \
                                              X(TURNS, "dram.turnarounds") X(REFRESHES, "dram.refreshes")    \
                                                  X(READS, "dram.reads") X(WRITES, "dram.writes")            \
                                                      X(LATENCY_REQUEST, "latency.request")                  \
                                                          X(LATENCY_RESPONSE, "latency.response")            \
                                                              X(LATENCY_COUNT, "latency.count")              \
                                                                  X(LATENCY_DRAM, "latency.dram")            \
                                                                      X(FETCHED, "latency.fetched")
enum stretch_total {
#define X(id, name) T_##id,
  STRETCH_TOTALS(X)
#undef X
      NTOTALS
};
#define STRETCH_UNITS(X)                                                                                     \
  X(SM_REQUESTS, "sm", "noc.requests")                                                                       \
  X(SM_ANSWERS, "sm", "noc.answers")                                                                         \
  X(FILLED, "sm", "l1d.filled")                                                                              \
  X(REFETCHED, "sm", "l1d.refetched")                                                                        \
  X(SLICE_ACCESSES, "l2", "l2.accesses")                                                                     \
  X(SLICE_REQUESTS, "l2", "l2.requests")                                                                     \
  X(SLICE_ANSWERS, "l2", "l2.answers")                                                                       \
  X(SLICE_ATOMICS, "l2", "l2.atomics")                                                                       \
  X(CHANNEL_BUS, "dram", "dram.bus_cycles") X(CHANNEL_ACTIVATES, "dram", "dram.activates")                   \
      X(CHANNEL_TURNS, "dram", "dram.turnarounds") X(BANK_ACTIVATES, "bank", "bank.activates")
enum stretch_unit {
#define X(id, kind, name) U_##id,
  STRETCH_UNITS(X)
#undef X
      NUNITS
};

struct stretch {
  double total[NTOTALS];
  double stall[64];
  double *unit[NUNITS]; /* NULL: not recorded */
  size_t nunits[NUNITS];
  size_t channels;
};

/* What a launch could have had on an SM, and whether it had CTAs for every SM. */
struct stretch_launch {
  double warps; /* of an SM, at most; 0: not known */
  bool covers;  /* as many CTAs as SMs */
};

/* Adds the stretch's time to `p`, by limiter. `stall_of`: index of a cause by its name, or -1. */
struct stall_index {
  int fetch, scoreboard, pipe, barrier, fence, drain, shared, ldst, l1_ways, l1_mshr, l1_merge, l1_queue,
      request, l2_queue, l2_ways, l2_mshr, l2_merge, l2_miss_queue, l2_response, l2, dram_queue, dram,
      dram_row, dram_bus, response, l1, select, issued, unfinished;
};
void stretch_explain(const struct stretch *s, const struct stall_index *i, const struct explain_machine *m,
                     const struct stretch_launch *l, struct explain_part *p);

#endif
