#include "front/cta_order.h"

struct cta_order cta_order(const struct exec_options *o, uint64_t n) {
  struct cta_order c = {.order = o->cta_order, .n = n, .bits = 2};
  uint64_t state = o->cta_seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  for (int i = 0; i < 4; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    c.key[i] = state;
  }
  while (c.bits < 62 && UINT64_C(1) << c.bits < n)
    c.bits += 2;
  return c;
}

/* A permutation of 0..n-1 that needs no memory: a Feistel network, walked until it lands inside. */
static uint64_t permute(const struct cta_order *c, uint64_t i) {
  unsigned half = c->bits / 2;
  uint64_t low = (UINT64_C(1) << half) - 1;
  do {
    uint64_t l = i >> half, r = i & low;
    for (int k = 0; k < 4; k++) {
      uint64_t f = (r + c->key[k]) * UINT64_C(0x9e3779b97f4a7c15);
      uint64_t t = l ^ (f >> 40 & low);
      l = r, r = t;
    }
    i = l << half | r;
  } while (i >= c->n);
  return i;
}

uint64_t cta_order_at(const struct cta_order *c, uint64_t i) {
  return c->order == 1 ? c->n - 1 - i : c->order == 2 ? permute(c, i) : i;
}
