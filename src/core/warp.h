/* A warp and its scoreboard: for each register the first cycle at which the register can be read, and what a warp that needs the register
 * waits for until then, in 32 bits:
 *
 *   31                                            5 4       0
 *   | cycle - reg_base: 0: past; REG_NEVER: not known | cause |
 *
 * The base is the cycle in which the warp began. Where a cycle is too far from the base, the base moves (warp_reg_far()). */
#ifndef SLUICE_CORE_WARP_H
#define SLUICE_CORE_WARP_H

#include "core/stall.h"
#include "core/supply.h"
#include "engine/port.h"

enum { REG_CAUSE_BITS = 5, REG_CYCLE_BITS = 32 - REG_CAUSE_BITS, REG_NEVER = (1 << REG_CYCLE_BITS) - 1 };
_Static_assert(NSTALLS <= 1 << REG_CAUSE_BITS, "a cause fits into the scoreboard");

/* 128 bytes: two lines of the host's cache. */
struct sm_warp {
  const struct warp_inst *next,
      *end; /* rest of the basic block; NULL: the next instructions are not known, or there are none */
  const uint32_t *item; /* next access item of the warp in the stream */
  uint64_t pc;          /* program counter of the next instruction */
  uint64_t mask;
  uint64_t fetch_ready; /* cycle at which fetched instructions can issue; NEVER: the L1I has missed */
  uint64_t since;       /* first cycle that no stall cause is booked for (stall.h) */
  uint32_t *reg; /* scoreboard, by register: cycle (after reg_base) at which it can be read, and cause */
  uint64_t reg_base;
  uint64_t closed_mark; /* `closed` of the warp's pipeline when the warp became ready */
  uint32_t fetched;     /* instructions left in the warp's instruction buffer */
  uint32_t loads;       /* loads whose data is outstanding */
  uint32_t stores;      /* requests not yet acknowledged */
  uint32_t queued;      /* line accesses in the order of a technique before the L1 */
  uint8_t pipe;         /* pipeline of the next instruction */
  bool live;            /* the warp has instructions or accesses left */
  bool ended;           /* the warp has issued its last instruction */
  bool at_barrier;
  uint8_t barrier; /* at_barrier: number of the barrier */
  uint8_t lanes;   /* active lanes */
  bool past_end;   /* sm.scalar_in_order: its last instruction has left the scalar unit */
  bool released;   /* a barrier has released the warp: fetch_ready is when the warp goes on */
  uint32_t number; /* number of the basic block */
  uint32_t cta;    /* slot */
  uint16_t in_cta; /* number of the warp in its CTA */
  bool accessed;   /* the warp has accessed memory behind the SM's shared memory since its last fence */
  uint32_t nregs;  /* in the scoreboard */
  struct supply_cta *stream;
};
_Static_assert(sizeof(struct sm_warp) == 128, "a warp is two lines of the host's cache");

/* The scoreboard of a warp that begins after cycle `now`: all of its registers can be read. */
void warp_reg_begin(struct sm_warp *k, uint32_t nregs, uint64_t now);
/* Moves the base of a warp's scoreboard for a result of `cycle`. Returns the cycle as the scoreboard has it. */
uint32_t warp_reg_far(struct sm_warp *k, uint64_t cycle);

/* A register can be read from `cycle` on; NEVER: that is not known. */
static inline void warp_reg_set(struct sm_warp *k, uint16_t reg, uint64_t cycle, enum stall cause) {
  uint64_t at = cycle - k->reg_base;
  if (__builtin_expect(at >= REG_NEVER, 0))
    at = warp_reg_far(k, cycle);
  k->reg[reg] = (uint32_t)at << REG_CAUSE_BITS | (uint32_t)cause;
}

/* It is not known when a register can be read; the cause is as before. */
static inline void warp_reg_wait(struct sm_warp *k, uint16_t reg) {
  k->reg[reg] |= (uint32_t)REG_NEVER << REG_CAUSE_BITS;
}

/* The cycle at which the last register of an instruction can be read; less than the current cycle: all can be. */
static inline uint64_t warp_regs_at(const struct sm_warp *k, const struct warp_inst *in) {
  uint32_t last = 0;
  unsigned from = 0;
  do
    for (unsigned i = from; i < from + INST_REG_GROUP; i++) {
      uint32_t at = k->reg[in->reg[i]];
      last = at > last ? at : last;
    }
  while ((from += INST_REG_GROUP) < in->nregs);
  last >>= REG_CAUSE_BITS;
  return last == REG_NEVER ? NEVER : k->reg_base + last;
}

/* The cause of the wait for the first register of an instruction that can be read in `cycle`; STALL_SCOREBOARD: there is none. */
static inline enum stall warp_regs_cause(const struct sm_warp *k, const struct warp_inst *in,
                                         uint64_t cycle) {
  uint64_t at = cycle - k->reg_base;
  for (unsigned i = 0; i < in->nregs; i++)
    if (k->reg[in->reg[i]] >> REG_CAUSE_BITS == at)
      return (enum stall)(k->reg[in->reg[i]] & ((1u << REG_CAUSE_BITS) - 1));
  return STALL_SCOREBOARD;
}

#endif
