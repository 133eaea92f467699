/* Brings the stream of warp operations to the SMs: CTAs in the order they were executed, each warp's
 * records on their own, instructions decoded once per block.
 *
 *   exec_next ─▶ a segment, its records sorted by warp ─▶ queue ─▶ the list of its CTA ─▶ warps, at their pace
 *   └────────── produced: here or on a thread ──────────┘        └────────── pulled when a warp needs it
 *
 * When a segment is pulled depends on the demand of warps alone, so that all counters are the same whether
 * execution runs ahead on a thread of its own or happens on demand. The queue is bounded. */
#ifndef SLUICE_CORE_SUPPLY_H
#define SLUICE_CORE_SUPPLY_H

#include "front/exec.h"

/* A decoded instruction, as the SM issues it. */
struct warp_inst {
  uint8_t klass, unit, flags, space, bytes, cache_op;
  uint8_t ndst, nregs;
  uint8_t pipe;  /* enum sm_pipe, in the SIMT model */
  uint16_t work; /* the instruction's place in the SM's table of work (core/work.h) */
  bool orders;   /* a fence or a barrier: waits for more than registers */
  bool aside; /* a fence of the GPU (sm.fence_latency), or takes special functions beside (sm.joined_sfu) */
  uint8_t holds; /* cycles before the next instruction of the warp, beside those of branches */
  uint8_t slots; /* issue slots of the scheduler that the instruction takes, one cycle each */
  bool stays;    /* a store, and the next instruction of the block is a store too (sm.greedy_stores) */
  bool operand;  /* a load of a constant that is an operand of other instructions in machine code */
  /* for collectors (core/collector.h): 0: no operands; 1: two operands are in one bank; 2: each operand is in a bank of its own */
  uint8_t operands;
  uint8_t distance;   /* cycles to the next instruction of the warp, at least (sm.distances) */
  uint8_t loops;      /* how many times as long it takes shared memory (sm.shared_cas_unit) */
  uint8_t crosses;    /* cycles more until the result can be read (sm.latency.cross) */
  uint8_t param_line; /* GCN: the line of the launch's parameters (l1c.params) */
  /* places in the scoreboard: destinations, then sources; the rest is a register that is always ready (supply_registers()), so that a whole
   * group can be examined without a look at nregs */
  uint16_t reg[2 * SLUICE_MAX_REGS];
  uint8_t nbanks, bank[SLUICE_MAX_REGS]; /* bank of each operand that is read */
  uint64_t reads, writes;                /* sets of banks, for warp 0 (collect_set()) */
  uint32_t pc, line;                     /* instructions of the program before this; PTX line */
  uint32_t source_line;                  /* 0: not known */
};

enum { INST_REG_GROUP = 4 };

struct supply_block {
  uint32_t n, nitems;
  uint64_t pc; /* instructions of the program before the block */
  struct warp_inst *inst;
  uint32_t *items; /* which instructions have items in the stream */
};

struct supply_segment;
struct supply_warp {
  const uint32_t *words; /* records not yet consumed begin at `at` */
  size_t n, at;
  struct supply_segment *segment; /* that contains these records */
};

struct supply_cta {
  uint64_t linear;
  uint64_t begun, ended; /* core cycles: given to an SM, left it */
  bool complete;         /* no more segments will come; set after the last was added */
  uint32_t nwarps;
  struct supply_cta *prev, *next;        /* in order of appearance */
  struct supply_segment *first, *latest; /* not yet read by all warps */
  struct supply_segment *read;           /* read by all warps, to be used again */
  uint32_t nread;
  struct supply_warp *warp;
};

/* The threads that take part: those that simulate consume the stream. */
enum supply_mode {
  SUPPLY_ALONE,  /* one thread, which also executes */
  SUPPLY_SHARED, /* several threads, one of which executes when needed */
  SUPPLY_AHEAD,  /* several threads, and another that executes ahead */
};

struct supply;
struct core_config;
struct work_numbers;
struct functional_machine; /* notified of every segment; may be NULL */
struct team;
struct profiler; /* of the thread that executes on demand (engine/profiler.h); may be NULL */
struct supply_options {
  struct functional_machine *told;
  uint32_t nwarps; /* of a CTA */
  unsigned warp_width;
  bool params;                    /* loads of parameters are memory instructions */
  const struct core_config *core; /* how instructions use registers and pipelines */
  struct work_numbers *numbers;   /* of instructions' kinds (core/work.h) */
  enum supply_mode mode;
  struct team *
      team; /* helps to execute while supply_next_cta() waits for a CTA, when nothing else runs; may be NULL */
  struct profiler *profiler;
  /* Called when the launch that runs has been executed to its end, by the thread that executes ahead as its last act. NULL: not called. */
  void (*executed)(void *ctx);
  void *ctx;
};
struct supply *supply_open(struct exec *x, const struct supply_options *o);
/* The launch of supply f runs from now on; execution of the launch may have begun before. */
void supply_runs(struct supply *f);
/* For tests: threads delay at random before they take the lock. */
void supply_delay(struct supply *f, uint64_t seed);
void supply_close(struct supply *f);
/* The thread that hands out and releases CTAs, between windows, holds the supply meanwhile: the thread that executes ahead waits before it
 * adds segments to the queue. */
void supply_hold(struct supply *f);
void supply_let_go(struct supply *f);
/* The next CTA in order, NULL when the grid is exhausted or execution failed (supply_failed). The supply is held. */
struct supply_cta *supply_next_cta(struct supply *f, struct error *err);
/* Does the thread that executes ahead execute now? The thread rests where it is far ahead. */
bool supply_executes(struct supply *f);
/* More records for a warp of this CTA; false: there are none, the warp has ended. */
bool supply_more(struct supply *f, struct supply_cta *c, uint32_t warp, struct error *err);
/* Is a record there for every warp of a CTA whose records have not been read yet? */
bool supply_all_begin(const struct supply_cta *c);
/* Releases a CTA that is read completely. The supply is held. */
void supply_release(struct supply *f, struct supply_cta *c);
uint32_t supply_registers(const struct supply *f); /* instructions name registers below this */
const struct supply_block *supply_block(struct supply *f, uint32_t block);
/* Words of the access items of an instruction that `mask` executes. */
size_t supply_items(const uint32_t *words, const struct warp_inst *in, uint64_t mask, bool wide);
/* Not to be called while other threads use the supply. */
bool supply_failed(
    const struct supply *f); /* when all threads have left: raises the panic that ended execution, if any */
const bool *supply_failure(const struct supply *f); /* the flag that execution has failed */
bool supply_exhausted(const struct supply *f);      /* no CTA is left to hand out */

#endif
