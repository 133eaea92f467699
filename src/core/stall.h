/* Where resident warps spend their cycles.
 *
 * Every cycle of a resident warp has one cause. A wait is booked when it is over, not cycle by cycle: each warp
 * has the cycle from which on nothing was booked (`since`), and the event that lets the warp go on books the cycles
 * since then to their cause. The sum of all causes is exactly the sum of the resident warps over all cycles, which
 * the SM counts separately (sm_stats.warp_cycles).
 *
 * A warp that waits for data waits for the last request of a load. The request carries the times at which it passed
 * each border of the memory system (struct mem_stamps), and the wait is divided at these times. */
#ifndef SLUICE_CORE_STALL_H
#define SLUICE_CORE_STALL_H

#include <stddef.h>
#include <stdint.h>

/* X(id, name, definition): causes, all counted in warp cycles, in the order in which an access meets them from issue to answer. */
#define STALLS(X)                                                                                            \
  X(ISSUED, "issued", "It issued.")                                                                          \
  X(FETCH, "fetch", "Its next instruction was not fetched yet.")                                             \
  X(SCOREBOARD, "scoreboard", "A register was not ready that an arithmetic instruction writes.")             \
  X(PIPE, "pipe", "It was ready and the pipeline was busy.")                                                 \
  X(SELECT, "select",                                                                                        \
    "It was ready and so was its pipeline; another warp was chosen, or a rule held it back.")                \
  X(BARRIER, "barrier", "It waited at a barrier.")                                                           \
  X(FENCE, "fence", "A fence waited for its accesses.")                                                      \
  X(DRAIN, "drain", "It had issued everything and waited for its last accesses.")                            \
  X(SHARED, "shared", "Data came from shared memory.")                                                       \
  X(LDST, "ldst_queue",                                                                                      \
    "Its memory instruction waited for a place in the load/store unit, or there for its turn.")              \
  X(L1_WAYS, "l1_ways", "The L1 refused its access: every way of the set was reserved.")                     \
  X(L1_MSHR, "l1_mshr", "The L1 refused its access: no miss register.")                                      \
  X(L1_MERGE, "l1_merge", "The L1 refused its access: the miss register was full.")                          \
  X(L1_QUEUE, "l1_queue", "The L1 refused its access: the miss queue was full.")                             \
  X(REQUEST, "request", "Its request was on the way to the L2, the L1's miss queue included.")               \
  X(L2_QUEUE, "l2_queue", "Its request was at the L2 and others were served.")                               \
  X(L2_WAYS, "l2_ways", "The L2 refused its request: every way of the set was reserved.")                    \
  X(L2_MSHR, "l2_mshr", "The L2 refused its request: no miss register.")                                     \
  X(L2_MERGE, "l2_merge", "The L2 refused its request: the miss register was full.")                         \
  X(L2_MISSES, "l2_miss_queue", "The L2 refused its request: the queue to memory was full.")                 \
  X(L2_RESPONSE, "l2_response", "The L2 refused its request: the response queue was full.")                  \
  X(L2, "l2", "Fixed delays of the L2.")                                                                     \
  X(DRAM_QUEUE, "dram_queue", "Its fetch waited for the memory controller, or there for its turn.")          \
  X(DRAM, "dram", "The fixed delay in front of the memory controller.")                                      \
  X(DRAM_ROW, "dram_row", "The row it needs was precharged and activated.")                                  \
  X(DRAM_BUS, "dram_bus", "From the column command to the data in the L2.")                                  \
  X(RESPONSE, "response", "Its answer was on the way back, the response queue included.")                    \
  X(L1, "l1", "Fixed delays of the L1 and the way to the registers.")                                        \
  X(UNFINISHED, "unfinished",                                                                                \
    "Its accesses had left the load/store unit and their data had not come when --max-cycles cut the run "   \
    "off.")

enum stall {
#define X(id, name, help) STALL_##id,
  STALLS(X)
#undef X
      NSTALLS
};

/* Stages of a read, whose times add up to the latency of the read; X(id, name, definition). */
#define STAGES(X)                                                                                            \
  X(QUEUE, "l1_queue", "in the L1's miss queue")                                                             \
  X(REQUEST, "request", "in the request network")                                                            \
  X(DELAY, "l2_delay", "in the fixed delay in front of the L2")                                              \
  X(L2_QUEUE, "l2_queue", "from there to the L2's last look-up for it")                                      \
  X(DRAM, "dram", "from there to the data from memory, for those the L2 had to fetch")                       \
  X(L2, "l2", "from the look-up or the data to the response queue")                                          \
  X(RESPONSE, "response", "in the response queue and network")

enum stage {
#define X(id, name, help) STAGE_##id,
  STAGES(X)
#undef X
      NSTAGES
};

struct sm;
struct mem_request;

/* For timelines: the waits of warps, each with cause, begin and end, between two core cycles `from` and `to`. */
struct sm_wait {
  uint32_t warp;
  enum stall why;
  uint64_t begin, end;
};
struct sm_waits {
  uint64_t from, to;
  struct sm_wait *at;
  size_t n, cap;
};
/* Records for timelines the waits that stall_wait() is about to book. */
void stall_note(struct sm *s, uint32_t w, uint64_t end);

void stall_begin(struct sm *s, uint32_t w);   /* the warp becomes resident: from the next cycle on */
void stall_barrier(struct sm *s, uint32_t w); /* a barrier releases the warp */
void stall_drained(struct sm *s, uint32_t w); /* the last access of the ended warp is done */
/* The last register that warp w waited for is ready at `cycle`, by the last answer for the tracker. */
void stall_data(struct sm *s, uint32_t w, uint32_t tracker, uint64_t cycle);
/* The last register that warp w waited for is ready at `cycle`, by shared memory or the constant cache, which accept the access now. */
void stall_at_once(struct sm *s, uint32_t w, uint64_t cycle, enum stall why);

/* A pipeline is busy, or the queue of the load/store unit has become full or has room again: warps wait for them. */
void stall_pipe_taken(struct sm *s, unsigned pipe); /* until pipe_at */
void stall_queue_full(struct sm *s);
void stall_queue_room(struct sm *s);

/* Counts cycles with resident CTAs and warps, up to and including `cycle`; called before their number changes. */
void stall_residents(struct sm *s, uint64_t cycle);
/* Updates the schedulers' counters for the cycles before `cycle` that are not yet booked, in which no scheduler could issue
 * and nothing changed for any scheduler. */
void stall_schedulers(struct sm *s, uint64_t cycle);

/* The run is cut off after cycle `last`: books the waits of all warps up to and including this cycle. */
void stall_cut(struct sm *s, uint64_t last);

/* The answer to request r has come: books its stages. */
void stall_answer(struct sm *s, const struct mem_request *r);

#endif
