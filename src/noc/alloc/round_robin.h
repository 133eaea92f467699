/* round-robin: an output takes the inputs that ask for it in rotation. In a header: the parts of a crossbar compile it into their fast path. */
#ifndef SLUICE_NOC_ALLOC_ROUND_ROBIN_H
#define SLUICE_NOC_ALLOC_ROUND_ROBIN_H

#include "noc/xbar.h"

/* Of those that ask the first from the output's turn on asks no more. */
static inline uint32_t round_robin_choose(struct xbar *x, struct xbar_output *out) {
  uint32_t w = out->turn / 64;
  uint64_t m = out->want[w] & (UINT64_MAX << out->turn % 64);
  while (!m) {
    w = w + 1 < x->words ? w + 1 : 0;
    m = out->want[w];
  }
  uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
  out->want[w] ^= m & -m;
  out->nwant--;
  out->turn = i + 1 == x->inputs ? 0 : i + 1;
  x->waits[i] = 0;
  return i;
}

#endif
