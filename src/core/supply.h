/* Brings the stream of warp operations to the SMs: CTAs in the order they were executed, each warp's
 * records on their own, instructions decoded once per block.
 *
 *   exec_next ─▶ a segment, its records sorted by warp ─▶ queue ─▶ the list of its CTA ─▶ warps, at their pace
 *   └────────── produced: here or on a thread ──────────┘        └────────── pulled when somebody needs it
 *
 * What is pulled, and when, depends on the demand alone, so that everything that is counted is the same
 * whether execution runs ahead on a thread of its own or is done on the spot. The queue is bounded. */
#ifndef SLUICE_CORE_SUPPLY_H
#define SLUICE_CORE_SUPPLY_H

#include "front/exec.h"

/* A decoded instruction, as the SM issues it. */
struct warp_inst {
  uint8_t klass, unit, flags, space, bytes, cache_op;
  uint8_t ndst, nregs;
  uint8_t pipe;  /* enum sm_pipe, in the SIMT model */
  uint16_t work; /* its place in the SM's table of work (core/work.h) */
  bool orders;   /* a fence or a barrier: waits for more than registers */
  uint8_t holds; /* cycles before the next instruction of the warp, beside those of branches */
  uint8_t slots; /* of its scheduler, one cycle each */
  bool stays;    /* a store, and the next instruction of the block is one (sm.greedy_stores) */
  bool operand;  /* a load of a constant that is an operand of others in machine code */
  /* for collectors (core/collector.h): 0: has no operands; 1: two of them are in one bank; 2: all in banks of their own */
  uint8_t operands;
  uint8_t param_line; /* gcn: of a launch's parameters (l1c.params) */
  /* places in the scoreboard: destinations, then sources; the rest is a register that is always ready (supply_registers()), so that all of a
   * group can be looked at without asking how many there are */
  uint16_t reg[2 * SLUICE_MAX_REGS];
  uint8_t nbanks, bank[SLUICE_MAX_REGS]; /* of those of operands that are read, one by one */
  uint64_t reads, writes;                /* banks of warp 0 (collect_set()) */
  uint32_t pc, line;                     /* instructions of the program before it; of the PTX */
  uint32_t source_line;                  /* 0: not known */
};

enum { INST_REG_GROUP = 4 };

struct supply_block {
  uint32_t n, nitems;
  uint64_t pc; /* instructions of the program before it */
  struct warp_inst *inst;
  uint32_t *items; /* which of them have items in the stream */
};

struct supply_segment;
struct supply_warp {
  const uint32_t *words; /* records not yet consumed begin at `at` */
  size_t n, at;
  struct supply_segment *segment; /* in which they lie */
};

struct supply_cta {
  uint64_t linear;
  uint64_t begun, ended; /* core cycles: given to an SM, left it */
  bool complete;         /* no more segments will come; whoever adds one says so behind it */
  uint32_t nwarps;
  struct supply_cta *prev, *next;        /* in order of appearance */
  struct supply_segment *first, *latest; /* not yet read by all warps */
  struct supply_segment *read;           /* by all of them, to be used again */
  uint32_t nread;
  struct supply_warp *warp;
};

/* The threads that consume. */
enum supply_mode {
  SUPPLY_ALONE,  /* one thread, which also executes */
  SUPPLY_SHARED, /* several threads, one of which executes when needed */
  SUPPLY_AHEAD,  /* several threads, and another that executes ahead */
};

struct supply;
struct core_config;
struct functional_machine; /* notified of every segment; may be NULL */
struct team;
struct profiler; /* of who executes on the spot (engine/profiler.h), may be NULL */
struct supply_options {
  struct functional_machine *told;
  uint32_t nwarps; /* of a CTA */
  unsigned warp_width;
  bool params;                    /* loads of parameters are memory instructions */
  const struct core_config *core; /* how instructions use registers and pipelines */
  enum supply_mode mode;
  struct team *
      team; /* helps to execute while CTAs are waited for (supply_next_cta()), when nothing else runs; may be NULL */
  struct profiler *profiler;
  /* The launch that runs has been executed to its end: told by the thread that executes ahead, the last thing it does. NULL: nobody wants
   * to know. */
  void (*executed)(void *ctx);
  void *ctx;
};
struct supply *supply_open(struct exec *x, const struct supply_options *o);
/* Its launch runs from here on; it may have been executed before. */
void supply_runs(struct supply *f);
/* For tests: threads dawdle before they take the lock, at random. */
void supply_delay(struct supply *f, uint64_t seed);
void supply_close(struct supply *f);
/* Whoever hands out and releases CTAs, between windows, holds the supply meanwhile: the thread that executes ahead waits with what it has
 * executed. */
void supply_hold(struct supply *f);
void supply_let_go(struct supply *f);
/* The next CTA in order, NULL when the grid is exhausted or execution failed (supply_failed). The supply is held. */
struct supply_cta *supply_next_cta(struct supply *f, struct error *err);
/* Does the thread that executes ahead execute now? It rests where it is far ahead. */
bool supply_executes(struct supply *f);
/* More records for a warp of this CTA; false: there are none, the warp has ended. */
bool supply_more(struct supply *f, struct supply_cta *c, uint32_t warp, struct error *err);
/* Has every warp of a CTA that nobody has read from something to do, as far as is known? */
bool supply_all_begin(const struct supply_cta *c);
/* Releases a CTA that is read completely. The supply is held. */
void supply_release(struct supply *f, struct supply_cta *c);
uint32_t supply_registers(const struct supply *f); /* instructions name registers below this */
const struct supply_block *supply_block(struct supply *f, uint32_t block);
/* Words of the access items of an instruction that `mask` executes. */
size_t supply_items(const uint32_t *words, const struct warp_inst *in, uint64_t mask, bool wide);
/* Not while other threads use the supply. */
bool supply_failed(
    const struct supply *f); /* when all threads have left: raises what execution could not go on for */
const bool *supply_failure(const struct supply *f); /* where that is noted */
bool supply_exhausted(const struct supply *f);      /* no CTA is left to hand out */

#endif
