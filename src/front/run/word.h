/* The short ways of loads and stores of 4 bytes per lane. */
#ifndef SLUICE_FRONT_RUN_WORD_H
#define SLUICE_FRONT_RUN_WORD_H

#include "front/run/run.h"

/* UF_WORD, from or to the buffer it accessed before; lanes: how many are in mask. False: nothing was done. */
static inline bool run_word(const struct site *s, const struct uop *u, uint32_t mask, unsigned lanes,
                            bool store) {
  struct exec *x = s->x;
  const struct hint *h = &x->hints[u->target];
  if (SELDOM(h->how != HINT_WORD)) {
    if (!(h->how & HINT_WORD))
      return false;
    if (!store && h->how & HINT_LEARNS)
      ahead_learn(s, u, mask);
  }
  if (SELDOM((store && x->watch_stores) || s->w->last))
    return false;
  uint32_t *out = x->out + x->nout;
  void *data = store ? site_at(s, h->data, 0) : s->base[SLOT_REG] + h->data;
  unsigned n = h->word(&h->buf, site_at(s, h->address, 0), h->start, data, mask, out);
  if (SELDOM(!n))
    return false;
  if (SELDOM(!store && h->how & HINT_FEEDS))
    ahead_of_load(s, u, mask, out);
  x->nout += n;
  if (SLUICE_ACCESS_LINES(out[0]) > 32) /* not with so many lanes */
    __builtin_unreachable();
  tally_lines(&x->tally, h->sum, out[0], lanes, h->global_load);
  return true;
}

/* UF_NEAR; lanes close together, so that there is no bank conflict. False: nothing was done. */
static inline bool run_near(const struct site *s, const struct uop *u, uint32_t mask, unsigned lanes) {
  struct exec *x = s->x;
  const struct uop_ext *m = u->x;
  if (SELDOM(s->w->last))
    return false;
  if (!x->lanes->load_near(site_at(s, m->regs[0], 0), s->cta->shared, x->shared_bytes, site_at(s, u->a, 0),
                           m->addr64, (uint64_t)m->imm, mask))
    return false;
  const uint32_t word = SLUICE_SHARED | SLUICE_SP_SHARED << 2 | 1u << 6;
  emit(x, word);
  tally_banks(&x->tally.of[TALLY_LOAD][SLUICE_SP_SHARED], word, lanes);
  return true;
}

#endif
