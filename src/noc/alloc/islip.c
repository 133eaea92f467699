/* islip: outputs grant in rotation, inputs accept in rotation, and both move on only from what was accepted in the first round
 * (McKeown, IEEE/ACM ToN 1999).
 *
 *   queues of input i ─ want ─▶ grant (rotates) of each free output ─▶ accept (rotates) of each input: the message passes */
#include "noc/voq.h"

/* The first input from `from` on, in a circle, that asks and is free. */
static inline uint32_t first_from(const struct voqs *v, const uint64_t *want, uint32_t from) {
  uint32_t w = from / 64;
  uint64_t here = want[w] & v->open[w], set = here >> from % 64;
  if (set)
    return from + (uint32_t)__builtin_ctzll(set);
  for (uint32_t k = 1; k < v->words; k++) {
    w = w + 1 < v->words ? w + 1 : 0;
    set = want[w] & v->open[w];
    if (set)
      return w * 64 + (uint32_t)__builtin_ctzll(set);
  }
  return here ? from / 64 * 64 + (uint32_t)__builtin_ctzll(here) : VOQ_NONE;
}

/* How far output o is from the one input i asks first. */
static uint32_t distance(const struct xbar *x, uint32_t i, uint32_t o) {
  uint32_t a = x->voqs->accept[i];
  return o >= a ? o - a : o + x->outputs - a;
}

/* Every output that is asked for and not matched grants an input; the first round finds out who is busy or has no room. */
SPECIALIZED bool grant(struct xbar *x, uint64_t cycle, bool first) {
  struct voqs *v = x->voqs;
  bool any = false;
  for (uint32_t w = 0; w < v->out_words; w++)
    for (uint64_t m = v->asked[w] & ~v->matched[w]; m; m &= m - 1) {
      uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(m);
      if (first && (x->output[o].busy > cycle || !xbar_room(x, o, x->post != NULL))) {
        v->matched[w] |= m & -m;
        continue;
      }
      uint32_t i = first_from(v, v->want + (size_t)o * v->words, x->output[o].turn);
      if (i == VOQ_NONE)
        continue;
      any = true;
      if (v->granted[i] == VOQ_NONE || distance(x, i, o) < distance(x, i, v->granted[i]))
        v->granted[i] = o;
      v->grants[i / 64] |= UINT64_C(1) << i % 64;
    }
  return any;
}

/* Grants and accepts once. False: no output found an input. */
SPECIALIZED bool match_once(struct xbar *x, uint64_t cycle, bool first, bool post) {
  struct voqs *v = x->voqs;
  if (!grant(x, cycle, first))
    return false;
  for (uint32_t w = 0; w < v->words; w++) {
    for (uint64_t m = v->grants[w]; m; m &= m - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m), o = v->granted[i];
      v->granted[i] = VOQ_NONE;
      if (first) {
        x->output[o].turn = i + 1 == x->inputs ? 0 : i + 1;
        v->accept[i] = o + 1 == x->outputs ? 0 : o + 1;
      }
      voq_take(x, i, o, cycle, post);
      v->matched[o / 64] |= UINT64_C(1) << o % 64;
    }
    v->grants[w] = 0;
  }
  return true;
}

SPECIALIZED void match_as(struct xbar *x, uint64_t cycle, bool post) {
  struct voqs *v = x->voqs;
  for (uint32_t w = 0; w < v->out_words; w++)
    v->matched[w] = 0;
  if (match_once(x, cycle, true, post))
    for (uint32_t k = 1; k < v->iterations && match_once(x, cycle, false, post); k++) {
    }
}

static void match(struct xbar *x, uint64_t cycle) {
  if (x->post)
    match_as(x, cycle, true);
  else
    match_as(x, cycle, false);
}

const struct voq_rule islip_rule = {.match = match};
