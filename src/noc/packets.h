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
#ifndef SLUICE_NOC_PACKETS_H
#define SLUICE_NOC_PACKETS_H

#include "noc/xbar.h"

/* Do all packets pass inside in one cycle and on the link in one? Crossbars of more inputs than a word has bits pass packets one by one. */
static inline bool packets_even(const struct xbar *x) {
  return x->packets && x->flits_of[1] == 1 && x->words == 1;
}

/* The set of inputs that ask, as far as the output's turn is from each: bit k is input turn + k. */
static inline uint64_t packets_in_turn(const struct xbar_output *out) {
  return out->want[0] >> out->turn | out->want[0] << (-out->turn & 63);
}
static inline uint32_t packets_input(const struct xbar_output *out, uint64_t in_turn) {
  return ((uint32_t)__builtin_ctzll(in_turn) + out->turn) & 63;
}

/* Packets that pass before the first that is its message's last. */
static inline uint64_t packets_before_last(const struct xbar *x, const struct xbar_output *out) {
  uint32_t least = UINT32_MAX, k = 0, n = out->nwant;
  for (uint64_t m = packets_in_turn(out); m && k < least; m &= m - 1, k++) {
    uint32_t before = k + (x->head[packets_input(out, m)].left - 1u) * n;
    least = before < least ? before : least;
  }
  return least;
}

/* Counts the packets that passed before a cycle. */
static inline void packets_settle(struct xbar *x, struct xbar_output *out, uint64_t cycle) {
  uint64_t to = cycle < out->busy ? cycle : out->busy;
  if (out->from >= to)
    return;
  uint32_t n = out->nwant, passed = (uint32_t)(to - out->from), k = 0, last = 0;
  for (uint64_t m = packets_in_turn(out); m && k < passed; m &= m - 1, k++) {
    struct xbar_head *h = &x->head[packets_input(out, m)];
    uint32_t mine = n == 1 ? passed : (passed - k - 1) / n + 1;
    h->left -= (uint8_t)mine;
    h->ready += mine; /* cycles in which it did not wait */
    if (k + 1 + (mine - 1) * n == passed)
      last = packets_input(out, m);
  }
  out->turn = last + 1 == x->inputs ? 0 : last + 1;
  x->flits += passed;
  out->from = to;
}

#endif
