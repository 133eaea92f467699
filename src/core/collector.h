/* Operand collectors, register banks and result buses, after GPGPU-Sim's register file unit. An instruction's whole way is
 * computed when it issues, from the times of those before it:
 *
 *   issue ─▶ W registers ─▶ N collectors ─▶ W registers ─▶ units ─ latency ─▶ result bus ─▶ register file
 *            taken: W per    read: one per    left: W per   begun: in order,                  written: before
 *            cycle           bank and cycle   cycle         one per unit                      reads of the bank
 *
 * W is the number of units of the pipeline. An instruction that lacks a slot of a result bus waits before the units, and all
 * behind it do. The pipeline takes no instruction while its W first registers are full. */
#ifndef SLUICE_CORE_COLLECTOR_H
#define SLUICE_CORE_COLLECTOR_H

#include "core/config.h"
#include "core/supply.h"
#include "core/slots.h"
#include "base/specialized.h"

enum {
  COLLECT_AGO = 64,
  COLLECT_AHEAD = 64,
  COLLECT_RESULTS = 256,
  COLLECT_BEFORE = 32,
  COLLECT_FRONT = 4 /* cycles from issue to the unit, at best */
};

/* An instruction of a pipeline: when a collector took it and when it left that. */
struct collect_inst {
  uint64_t taken, left;
};

/* Instructions that are before the units in a cycle: which units have not begun and collectors have let go, in this cycle or
 * earlier; and the latest cycle at which units begin any of them. */
struct collect_before {
  uint64_t cycle, begun;
  uint32_t n;
};

struct collect_pipe {
  uint32_t n;       /* of the next */
  uint64_t most[2]; /* the latest cycles at which units begin any of them */
  uint64_t clear; /* an instruction that reads its operands from then on is in nobody's way up to the units */
  uint64_t far;   /* the latest at which they begin one that `before` lacks */
  uint64_t unit[16];                            /* cycle at which each unit can begin another */
  struct collect_inst ago[COLLECT_AGO];         /* the last ones, by number */
  uint64_t begun[COLLECT_AGO];                  /* the cycle at which a unit begins each of them */
  struct collect_before before[COLLECT_BEFORE]; /* by cycle, modulo: any other cycle has none */
};

/* Banks that are read or written in a cycle: a set of 64, in which those of warp 0 repeat (collect_set()). */
struct collect_cycle {
  uint64_t cycle, banks;
};

/* Results that come in a cycle. */
struct collect_results {
  uint64_t cycle;
  uint32_t units; /* from which: of the second pipeline from bit 16 on */
  uint32_t n;
};

struct collect {
  struct collect_cycle ahead[COLLECT_AHEAD]; /* by cycle, modulo: any other cycle has no busy bank yet */
  struct collect_results results[COLLECT_RESULTS]; /* the same */
  struct collect_pipe pipe[2];
};

static inline uint64_t collect_later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The busy banks of a cycle that is less than COLLECT_AHEAD away. No branches here and below where the host could not foresee them. */
static inline uint64_t *collect_banks(struct collect *c, uint64_t cycle) {
  struct collect_cycle *a = &c->ahead[cycle % COLLECT_AHEAD];
  a->banks &= 0 - (uint64_t)(a->cycle == cycle);
  a->cycle = cycle;
  return &a->banks;
}

/* The bank of a register of warp 0, again and again: turned by w, it is that of warp w, whatever the number of banks. */
static inline uint64_t collect_set(uint32_t banks, uint32_t reg) {
  uint64_t set = 0;
  for (uint32_t b = reg % (banks ? banks : 64); banks && b < 64; b += banks)
    set |= UINT64_C(1) << b;
  return set;
}

static inline uint64_t collect_turn(uint64_t set, uint32_t w) {
  return set << w % 64 | set >> (0 - w) % 64;
}

/* Where operands are in one bank, or a bank is busy. Collectors know registers by number: %rd5 and %f5 are one. */
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

/* Its operands are read from cycle `from` on; returns the cycle of the last of them, or before `from` if it has none. */
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

/* The first unit that can begin an instruction in this cycle, and takes it: it is free, has no other result in the cycle of this
 * one's, and a bus is left then. `width`: none can. */
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
  uint32_t known = 0 - (uint32_t)(r->cycle == done), all = r->units & known, units = all >> 16 * p,
           n = r->n & known;
  if (n >= k->result_buses && k->result_buses)
    return width;
  for (uint32_t u = 0; u < width; u++) {
    if ((until[u] > begun) | (units >> u & 1))
      continue;
    r->cycle = done;
    r->units = all | UINT32_C(1) << (u + 16 * p);
    r->n = n + 1;
    return u;
  }
  return width;
}

/* Whoever has its operands leaves, so many per cycle, when there is room before the units; those there begin in order. Returns
 * the cycle from which on its unit may begin. */
SPECIALIZED uint64_t collect_leave(const struct collect_pipe *q, uint32_t width, uint64_t now,
                                   uint64_t *left) {
  for (;; ++*left) {
    uint64_t begun = *left + 1;
    uint32_t before = 0; /* those that leave in this cycle are among them */
    if (q->far > *left || *left - now >= COLLECT_BEFORE) {
      for (uint32_t i = 0; i < COLLECT_AGO; i++) {
        if (q->begun[i] <= *left || q->ago[i].left > *left)
          continue;
        before++;
        begun = collect_later(begun, q->begun[i]);
      }
    } else if (q->before[*left % COLLECT_BEFORE].cycle == *left) {
      before = q->before[*left % COLLECT_BEFORE].n;
      begun = collect_later(begun, q->before[*left % COLLECT_BEFORE].begun);
    }
    if (before < width)
      return begun;
  }
}

/* It is before the units from `left` until they begin it. */
static inline void collect_left(struct collect_pipe *q, uint64_t left, uint64_t begun, uint64_t now) {
  if (begun - now > COLLECT_BEFORE) {
    q->far = collect_later(q->far, begun);
    return;
  }
  do {
    struct collect_before *b = &q->before[left % COLLECT_BEFORE];
    bool first = b->cycle != left;
    b->cycle = left;
    b->n = first ? 1 : b->n + 1;
    b->begun = first || begun > b->begun ? begun : b->begun;
  } while (++left < begun);
}

/* An instruction issues to pipeline `p` of `width` units. Returns the cycle after its last in a unit; `open` is the cycle from
 * which the pipeline takes another. */
SPECIALIZED uint64_t collect_issue(struct collect *c, const struct core_config *k, unsigned p, uint32_t width,
                                   uint32_t w, const struct warp_inst *in, uint64_t now, uint64_t *open) {
  struct collect_pipe *q = &c->pipe[p];
  uint32_t n = q->n++, units = p ? k->collectors_sfu : k->collectors;
  uint32_t latency = k->unit[in->unit].latency, interval = k->unit[in->unit].interval, u = 0;
  uint64_t taken = now + 1;
  bool free = q->clear <= taken + 1 && units >= 2 * width && in->operands;
  if (!free)
    taken = collect_later(collect_later(now, q->ago[(n - width) % COLLECT_AGO].taken) + 1,
                          q->ago[(n - units) % COLLECT_AGO].left);
  uint64_t left = collect_read(c, k, w, in, taken + 1, now) + 1, begun = left + 1;
  if (!free && q->most[0] > left) /* others may be before the units then */
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
  q->ago[n % COLLECT_AGO] = (struct collect_inst){.taken = taken, .left = left};
  q->begun[n % COLLECT_AGO] = begun;
  *open = q->ago[(n - width + 1) % COLLECT_AGO].taken;
  return begun + latency;
}

/* Its result is written in `cycle`, before what is read from its bank. */
static inline void collect_write(struct collect *c, uint32_t w, const struct warp_inst *in, uint64_t cycle,
                                 uint64_t now) {
  if (in->ndst && cycle - now < COLLECT_AHEAD)
    *collect_banks(c, cycle) |= collect_turn(in->writes, w);
}

#endif
