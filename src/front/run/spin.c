/* Noticing that nothing changes: a loop iteration that leaves every live register as it was can
 * only be waiting for somebody else; a window whose whole state repeats will never end. */
#include "front/run/run.h"
#include <string.h>

enum { FIRST_CHECK_PLAIN = 1024, PATIENCE = 4096 };

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

static uint64_t hash_bytes(uint64_t h, const uint8_t *p, size_t n) {
  uint64_t v;
  for (; n >= 8; p += 8, n -= 8) {
    memcpy(&v, p, 8);
    h = mix(h, v);
  }
  if (!n)
    return h;
  v = 0;
  memcpy(&v, p, n);
  return mix(h, v);
}

static uint64_t live_hash(struct exec *x, struct warp *w, const struct node *n, const struct block *head) {
  struct site s;
  site_set(&s, x, x->cta, w, n->frame);
  uint64_t h = n->mask ^ n->pc;
  for (uint32_t i = 0; i < head->live_n; i++) {
    const struct live_slot *l = &s.func->live[head->live_first + i];
    if (!l->width) {
      h = mix(h, site_pred(&s, l->slot) & n->mask);
      continue;
    }
    for (uint64_t m = n->mask; m; m &= m - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(m);
      h = hash_bytes(h, (uint8_t *)site_at(&s, l->slot, lane >> 5) + (size_t)(lane & 31) * l->width,
                     l->width);
    }
  }
  return h;
}

/* Called at every backward branch to such a loop. Looks at pairs of iterations, ever more rarely. */
bool spin_detected(struct exec *x, struct warp *w, struct node *n, const struct block *head) {
  uint32_t k = n->iterations;
  if (k < SPIN_FIRST || (k < FIRST_CHECK_PLAIN && !(head->flags & BF_SYNC_LOOP)))
    return false;
  if (!(k & (k - 1))) {
    n->spin_hash = live_hash(x, w, n, head);
    return false;
  }
  uint32_t before = k - 1;
  if (!(before & (before - 1)) && n->spin_hash == live_hash(x, w, n, head)) {
    n->iterations = (head->flags & BF_SYNC_LOOP ? SPIN_FIRST : FIRST_CHECK_PLAIN) - 1;
    return true;
  }
  /* registers change, as in a loop that counts its attempts: share fairly all the same */
  return head->flags & BF_SYNC_LOOP && k % PATIENCE == 0;
}

uint64_t window_hash(const struct exec *x) {
  uint64_t h = x->done_ctas;
  for (size_t i = 0; i < x->nwindow; i++) {
    const struct cta *c = x->window[i];
    h = mix(h, c->linear);
    for (uint32_t k = 0; k < x->nwarps; k++) {
      const struct warp *w = &c->warps[k];
      h = mix(h, w->live);
      if (w->done)
        continue;
      for (size_t n = 0; n < w->nnodes; n++)
        if (w->nodes[n].state != NODE_FREE)
          h = mix(mix(mix(h, w->nodes[n].mask), w->nodes[n].pc), w->nodes[n].state);
      for (size_t f = 0; f < w->nframes; f++)
        for (unsigned half = 0; w->frames[f].used && half < x->halves; half++)
          h = hash_bytes(h, w->regs + half * w->half_bytes + w->frames[f].reg_at,
                         x->p->funcs[w->frames[f].func].frame_bytes);
      h = hash_bytes(h, w->local, w->local_cap * x->nlanes);
    }
  }
  return h;
}
