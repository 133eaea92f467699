/* An allocator that is a technique's (struct sluice_allocator): asked in every cycle in which a message could pass. */
#include "noc/voq.h"

/* Outputs that can take a message for which an input's link is free. */
static bool find_can(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint64_t some = 0;
  for (uint32_t w = 0; w < v->out_words; w++) {
    v->can[w] = 0;
    for (uint64_t m = v->asked[w]; m; m &= m - 1) {
      uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(m);
      const uint64_t *want = v->want + (size_t)o * v->words;
      uint64_t any = 0;
      for (uint32_t k = 0; k < v->words; k++)
        any |= want[k] & v->open[k];
      if (any && x->output[o].busy <= cycle && xbar_room(x, o, x->post != NULL))
        v->can[w] |= m & -m;
    }
    some |= v->can[w];
  }
  return some;
}

static bool asks(const struct voqs *v, uint32_t i, uint32_t o) {
  return (v->want[(size_t)o * v->words + i / 64] & v->open[i / 64]) >> i % 64 & 1;
}

static void match(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  if (!find_can(x, cycle))
    return;
  const struct sluice_asking a = {.size = sizeof a,
                                  .input_words = v->words,
                                  .output_words = v->out_words,
                                  .outputs = v->can,
                                  .inputs = v->open,
                                  .want = v->want};
  for (uint32_t o = 0; o < x->outputs; o++)
    v->pair[o] = VOQ_NONE;
  v->tech.ops->match(v->tech.self, &a, v->pair, cycle);
  for (uint32_t o = 0; o < x->outputs; o++) {
    uint32_t i = v->pair[o];
    if (i == VOQ_NONE)
      continue;
    if (v->can[o / 64] >> o % 64 & 1 && i < x->inputs && asks(v, i, o))
      voq_take(x, i, o, cycle, x->post); /* closes the input: none passes two */
    else
      guard_wrong(&v->guard, "match() named an input that cannot pass a message to the output", o, cycle);
  }
  x->engine->asked |= v->guard.what != NULL;
}

const struct voq_rule technique_rule = {.match = match};
