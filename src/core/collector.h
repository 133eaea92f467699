/* Operand collectors, register banks and result buses, after GPGPU-Sim's register file unit. All times of an instruction are
 * computed when it issues, from the times of the instructions before it:
 *
 *   issue ─▶ W registers ─▶ N collectors ─▶ W registers ─▶ units ─ latency ─▶ result bus ─▶ register file
 *            taken: W per    read: one per    left: W per   begun: in order,                  written: before
 *            cycle           bank and cycle   cycle         one per unit                      reads of the bank
 *
 * W is the number of units of the pipeline. An instruction that lacks a slot of a result bus waits before the units, and so do all
 * instructions behind it. The pipeline takes no instruction while the W registers before the collectors are full. */
#ifndef SLUICE_CORE_COLLECTOR_H
#define SLUICE_CORE_COLLECTOR_H

#include "core/config.h"
#include "core/supply.h"
#include "core/slots.h"
#include "base/bits.h"
#include "base/specialized.h"

enum {
  COLLECT_AGO = 64, /* at most; a pipeline uses as many as can be under way (collect_init()) */
  COLLECT_AHEAD = 64,
  COLLECT_RESULTS = 256,
  COLLECT_BEFORE = 32,
  COLLECT_FRONT = 4 /* cycles from issue to the unit, at best */
};

/* An instruction of a pipeline: the cycles in which it entered and left its collector. */
struct collect_inst {
  uint64_t taken, left;
};

/* The n instructions that wait before the units in a cycle: they left their collectors in this cycle or earlier, and no unit has begun
 * them. `begun`: cycles from this one to the latest at which units begin one of these instructions. */
struct collect_before {
  uint64_t cycle : 48, n : 8, begun : 8;
};

struct collect_pipe {
  uint32_t n;       /* number of the next instruction */
  uint32_t mask;    /* of the numbers in `ago` and `begun` */
  uint64_t most[2]; /* the two latest cycles at which units begin instructions */
  uint64_t clear; /* an instruction that reads operands from this cycle on meets no other before the units */
  uint64_t far;   /* the latest cycle at which a unit begins an instruction that is not in `before` */
  uint64_t unit[16];                            /* cycle at which each unit can begin its next */
  struct collect_inst ago[COLLECT_AGO];         /* the last instructions, by number */
  uint64_t begun[COLLECT_AGO];                  /* the cycle at which a unit begins each of `ago` */
  struct collect_before before[COLLECT_BEFORE]; /* by cycle, modulo: none waits in other cycles */
};

/* The set of banks that are read or written in a cycle: 64 bits, in which the banks repeat (collect_set()). */
struct collect_cycle {
  uint64_t cycle, banks;
};

/* Results that come in a cycle. */
struct collect_results {
  uint32_t turn;  /* cycle / COLLECT_RESULTS */
  uint32_t units; /* set of the units with results; the second pipeline's from bit 16 on */
};

struct collect {
  _Alignas(64) struct collect_cycle
      ahead[COLLECT_AHEAD]; /* by cycle, modulo: any other cycle has no busy bank yet */
  struct collect_results results[COLLECT_RESULTS]; /* also by cycle, modulo */
  struct collect_pipe pipe[2];
};

/* Instructions that leave their collectors in or before a cycle after the n-th was taken, and begin later, are among the last two times the
 * collectors and the units: an instruction is taken when the one `collectors` before has left, and units begin in order. */
static inline void collect_init(struct collect *c, const struct core_config *k) {
  const uint32_t collectors[2] = {k->collectors, k->collectors_sfu}, units[2] = {k->sp_units, k->sfu_units};
  for (unsigned p = 0; p < 2; p++) {
    uint32_t most = 2 * collectors[p] + units[p], n = 1;
    while (n < most && n < COLLECT_AGO)
      n *= 2;
    c->pipe[p].mask = n - 1;
  }
}

static inline uint64_t collect_later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The busy banks of a cycle that is less than COLLECT_AHEAD away. Here and below, code has no branches that the host would predict badly. */
static inline uint64_t *collect_banks(struct collect *c, uint64_t cycle) {
  struct collect_cycle *a = &c->ahead[cycle % COLLECT_AHEAD];
  a->banks &= 0 - (uint64_t)(a->cycle == cycle);
  a->cycle = cycle;
  return &a->banks;
}

/* The set of the bank of a register of warp 0, repeated over 64 bits: rotated by w, it is the set for warp w, whatever the number of banks. */
static inline uint64_t collect_set(uint32_t banks, uint32_t reg) {
  uint64_t set = 0;
  for (uint32_t b = reg % (banks ? banks : 64); banks && b < 64; b += banks)
    set |= UINT64_C(1) << b;
  return set;
}

static inline uint64_t collect_turn(uint64_t set, uint32_t w) {
  return set << w % 64 | set >> (0 - w) % 64;
}

/* collect_read() where several operands are in one bank, or a bank is busy. Collectors know registers by number: %rd5 and %f5 are the same
 * register. */
static __attribute__((noinline, unused, hot)) uint64_t
collect_read_apart(struct collect *c, const struct core_config *k, uint32_t w, const struct warp_inst *in,
                   uint64_t from, uint64_t now) {
  uint64_t last = from, every = collect_set(k->register_banks, 0);
  for (unsigned i = 0; i < in->nbanks; i++) {
    uint64_t at = from, bank = collect_turn(every << in->bank[i], w), *banks = collect_banks(c, at);
    while (*banks & bank && at - now < COLLECT_AHEAD - 1)
      banks = collect_banks(c, ++at);
    *banks |= bank;
    last = collect_later(last, at);
  }
  return last;
}

/* Reads the operands of an instruction from cycle `from` on; returns the cycle of the last read, or `from` - 1 if there is no operand. */
static inline uint64_t collect_read(struct collect *c, const struct core_config *k, uint32_t w,
                                    const struct warp_inst *in, uint64_t from, uint64_t now) {
  if (!in->operands)
    return from - 1;
  if (from - now >= COLLECT_AHEAD - 1)
    return from;
  uint64_t *banks = collect_banks(c, from), reads = collect_turn(in->reads, w);
  if (in->operands == 1 || *banks & reads)
    return collect_read_apart(c, k, w, in, from, now);
  *banks |= reads;
  return from;
}

/* Takes the first unit that can begin an instruction in cycle `begun`: the unit is free and has no other result in the cycle of the
 * instruction's result, for which a result bus is left. Returns `width`: no unit can. */
SPECIALIZED uint32_t collect_unit(struct collect *c, const struct core_config *k, unsigned p, uint32_t width,
                                  uint64_t begun, uint32_t latency, uint64_t now) {
  uint64_t done = begun + latency, *until = c->pipe[p].unit;
  struct collect_results *r = &c->results[done % COLLECT_RESULTS];
  if (done - now >= COLLECT_RESULTS) { /* too far ahead to tell */
    uint32_t u = 0;
    while (u < width && until[u] > begun)
      u++;
    return u;
  }
  uint32_t turn = (uint32_t)(done / COLLECT_RESULTS), all = r->units & (0 - (uint32_t)(r->turn == turn));
  uint32_t units = all >> 16 * p;
  if (k->result_buses && count_bits(all) >= k->result_buses)
    return width;
  for (uint32_t u = 0; u < width; u++) {
    if ((until[u] > begun) | (units >> u & 1))
      continue;
    r->turn = turn;
    r->units = all | UINT32_C(1) << (u + 16 * p);
    return u;
  }
  return width;
}

/* The cycle in which an instruction that has its operands leaves its collector, *left or later: when fewer than `width` instructions
 * wait before the units, which begin instructions in order. Returns the cycle from which on a unit may begin the instruction. */
SPECIALIZED uint64_t collect_leave(const struct collect_pipe *q, uint32_t width, uint64_t now,
                                   uint64_t *left) {
  for (;; ++*left) {
    uint64_t begun = *left + 1;
    uint32_t before = 0; /* instructions before the units, with those that leave in this cycle */
    if (q->far > *left || *left - now >= COLLECT_BEFORE) {
      for (uint32_t i = 0; i <= q->mask; i++) {
        if (q->begun[i] <= *left || q->ago[i].left > *left)
          continue;
        before++;
        begun = collect_later(begun, q->begun[i]);
      }
    } else if (q->before[*left % COLLECT_BEFORE].cycle == *left) {
      before = q->before[*left % COLLECT_BEFORE].n;
      begun = collect_later(begun, *left + q->before[*left % COLLECT_BEFORE].begun);
    }
    if (before < width)
      return begun;
  }
}

/* Notes that an instruction waits before the units from cycle `left` until a unit begins it. */
static inline void collect_left(struct collect_pipe *q, uint64_t left, uint64_t begun, uint64_t now) {
  if (begun - now > COLLECT_BEFORE) {
    q->far = collect_later(q->far, begun);
    return;
  }
  do {
    struct collect_before *at = &q->before[left % COLLECT_BEFORE], b = *at;
    bool first = b.cycle != left;
    uint64_t wait = begun - left;
    wait = first || wait > b.begun ? wait : b.begun;
    at->cycle = left & ((UINT64_C(1) << 48) - 1);
    at->n = (first ? 1 : b.n + 1u) & 0xff;
    at->begun = wait & 0xff;
  } while (++left < begun);
}

/* An instruction issues to pipeline `p` of `width` units. Returns the cycle after the instruction's last in its unit; *open is the
 * cycle from which on the pipeline takes another instruction. */
SPECIALIZED uint64_t collect_issue(struct collect *c, const struct core_config *k, unsigned p, uint32_t width,
                                   uint32_t w, const struct warp_inst *in, uint64_t now, uint64_t *open) {
  struct collect_pipe *q = &c->pipe[p];
  uint32_t n = q->n++, units = p ? k->collectors_sfu : k->collectors;
  uint32_t latency = k->unit[in->unit].latency, interval = k->unit[in->unit].interval, u = 0;
  uint64_t taken = now + 1;
  bool free = q->clear <= taken + 1 && units >= 2 * width && in->operands;
  if (!free)
    taken = collect_later(collect_later(now, q->ago[(n - width) & q->mask].taken) + 1,
                          q->ago[(n - units) & q->mask].left);
  uint64_t left = collect_read(c, k, w, in, taken + 1, now) + 1, begun = left + 1;
  if (!free && q->most[0] > left) /* other instructions may be before the units then */
    begun = collect_leave(q, width, now, &left);
  while ((u = collect_unit(c, k, p, width, begun, latency, now)) == width)
    begun++;
  q->unit[u] = begun + interval;
  if (begun > q->most[1]) {
    q->most[1] = begun > q->most[0] ? q->most[0] : begun;
    q->most[0] = collect_later(q->most[0], begun);
    q->clear = (width > 1 ? collect_later(q->most[1] + 1, q->most[0]) : q->most[0] + 1) - 2;
  }
  collect_left(q, left, begun, now);
  q->ago[n & q->mask] = (struct collect_inst){.taken = taken, .left = left};
  q->begun[n & q->mask] = begun;
  *open = q->ago[(n - width + 1) & q->mask].taken;
  return begun + latency;
}

/* The result of an instruction is written in `cycle`, before operands are read from its bank. */
static inline void collect_write(struct collect *c, uint32_t w, const struct warp_inst *in, uint64_t cycle,
                                 uint64_t now) {
  if (in->ndst && cycle - now < COLLECT_AHEAD)
    *collect_banks(c, cycle) |= collect_turn(in->writes, w);
}

#endif
