/* round-robin: an output takes the inputs that ask for it in rotation. In a header: the parts of a crossbar compile it into their fast path. */
#ifndef SLUICE_NOC_ALLOC_ROUND_ROBIN_H
#define SLUICE_NOC_ALLOC_ROUND_ROBIN_H

#include "noc/xbar.h"

/* Of those that ask the first from the output's turn on asks no more. */
SPECIALIZED uint32_t round_robin_choose(struct xbar *x, struct xbar_output *out, bool usual) {
  uint32_t i;
  if (usual || !RARELY(x->words != 1)) { /* without a branch that could be guessed wrong */
    i = ((uint32_t)__builtin_ctzll(rotate_right(out->set, out->turn)) + out->turn) % 64;
    out->set ^= UINT64_C(1) << i;
    x->waits[0] ^= UINT64_C(1) << i;
  } else {
    uint32_t w = out->turn / 64;
    uint64_t m = out->want[w] & (UINT64_MAX << out->turn % 64);
    while (!m) {
      w = w + 1 < x->words ? w + 1 : 0;
      m = out->want[w];
    }
    i = w * 64 + (uint32_t)__builtin_ctzll(m);
    out->want[w] ^= m & -m;
    x->waits[w] ^= m & -m;
  }
  out->nwant--;
  out->turn = i + 1 == x->inputs ? 0 : i + 1;
  return i;
}

/* Packets of one flit that take turns at an output, all at once instead of each in its cycle.
 *
 * Between two events nothing is left to decide: who asks and how many packets each has left is known, one packet passes in each
 * cycle in rotation, and only a last packet takes a slot of the receiver. The events are the last packet of a message, and another
 * input that asks.
 *
 *   cycle     c        c+1      c+2      c+3      c+4
 *   passes    A 1/3    B 1/2    A 2/3    B 2/2    …          A and B ask; B's message is the first to pass whole, in c+3
 *             from ────────────────────▶ busy
 *
 * Invariant: packets of the cycles from `from` up to and without `busy` have room and pass, and are not counted yet. Whoever looks (an
 * input that asks, the output at `busy`, a statistic) counts those before its cycle first. */

/* Packets that pass before the first that is its message's last. */
static inline uint64_t packets_before_last(const struct xbar *x, const struct xbar_output *out) {
  uint32_t least = UINT32_MAX, k = 0, n = out->nwant;
  if (n == 1)
    return x->head[__builtin_ctzll(out->set)].left - 1u;
  for (uint64_t m = rotate_right(out->set, out->turn); m && k < least; m &= m - 1, k++) { /* in turn */
    uint32_t i = ((uint32_t)__builtin_ctzll(m) + out->turn) % 64, before = k + (x->head[i].left - 1u) * n;
    least = before < least ? before : least;
  }
  return least;
}

/* Counts the packets that passed before a cycle. */
static __attribute__((noinline, unused)) void packets_settle(struct xbar *x, struct xbar_output *out,
                                                             uint64_t cycle) {
  uint64_t to = cycle < out->busy ? cycle : out->busy;
  if (out->from >= to)
    return;
  uint32_t n = out->nwant, passed = (uint32_t)(to - out->from), last = 0;
  /* packets of each input; inputs of which another has passed, the first in turn */
  uint32_t each = passed, more = 0;
  if (n > 1)
    each = passed / n, more = passed % n;
  uint32_t k = 0, at = more ? more - 1 : n - 1;
  for (uint64_t m = rotate_right(out->set, out->turn); m && k < passed; m &= m - 1, k++) { /* in turn */
    uint32_t i = ((uint32_t)__builtin_ctzll(m) + out->turn) % 64, mine = each + (k < more);
    struct xbar_head *h = &x->head[i];
    h->left -= (uint8_t)mine;
    h->ready += mine; /* cycles in which it did not wait */
    last = k == at ? i : last;
  }
  out->turn = last + 1 == x->inputs ? 0 : last + 1;
  x->flits += passed;
  out->from = to;
}

#endif
