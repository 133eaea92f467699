/* CTA barriers: bar.sync, bar.arrive, bar.red on sixteen named barriers. */
#include "base/bits.h"
#include "front/run/attempt.h"
#include <stdio.h>
#include <string.h>

/* OpenCL 1.2, 6.12.8: if any work-item of a group meets a barrier, all must. Here, and on GPUs since Volta, lanes that are
 * elsewhere may meet another one, or end. */
static void tell_divergent(const struct site *s, const struct uop *u, uint64_t mask) {
  struct exec *x = s->x;
  char at[512], text[1024];
  if (x->attempt) { /* told when it is executed in its time */
    attempt_ends(x);
    return;
  }
  x->told_divergent = true;
  where(x, s->func, u->inst, at, sizeof at);
  snprintf(text, sizeof text,
           "%s: barrier in divergent code: lanes 0x%llx of warp %u, block (%u,%u,%u), kernel '%s', wait "
           "without the "
           "warp's others (0x%llx), which OpenCL leaves undefined",
           at, (unsigned long long)mask, s->w->index, s->cta->id[0], s->cta->id[1], s->cta->id[2],
           x->kernel->ast->name, (unsigned long long)(s->w->live & ~mask));
  if (x->o.warn)
    x->o.warn(x->o.warn_ctx, text);
}

static void release(struct exec *x, struct cta *c, unsigned id) {
  struct barrier *b = &c->barriers[id];
  x->progress++;
  for (uint32_t i = 0; i < x->nwarps; i++) {
    struct warp *w = &c->warps[i];
    for (size_t n = 0; n < w->nnodes; n++) {
      struct node *k = &w->nodes[n];
      if (k->state != NODE_AT_BARRIER || k->barrier != id)
        continue;
      const struct uop *u = k->wait;
      if (u->aux >= 2) {
        struct site s;
        site_set(&s, x, c, w, k->frame);
        bool r = u->aux == 3 ? b->popc == b->nred : b->popc != 0;
        for (unsigned h = 0; h < x->halves && u->aux == 2; h++)
          x->lanes->blend32(site_at(&s, u->d, h), b->popc, (uint32_t)(k->mask >> 32 * h));
        if (u->aux > 2)
          site_set_pred(&s, u->d, r ? UINT64_MAX : 0, k->mask);
      }
      k->pc = x->p->blocks[k->pc].next;
      paths_ready(w, (uint32_t)n);
    }
  }
  *b = (struct barrier){0};
}

bool barrier_check(struct exec *x, struct cta *c, unsigned id) {
  struct barrier *b = &c->barriers[id];
  if (!b->arrived)
    return false;
  if (b->expected ? b->arrived >= b->expected : b->waiting >= c->live_threads) {
    release(x, c, id);
    return true;
  }
  return false;
}

void barrier_lanes_gone(struct exec *x, struct cta *c) {
  if (!c->barriers_used)
    return;
  for (unsigned id = 0; id < 16; id++)
    barrier_check(x, c, id);
}

void run_barrier(struct site *s, const struct uop *u, uint64_t mask) {
  struct exec *x = s->x;
  struct warp *w = s->w;
  unsigned lane = (unsigned)__builtin_ctzll(mask);
  uint32_t id = site_u32(s, u->a, lane), count = u->b == SLOT_NONE ? 0 : site_u32(s, u->b, lane);
  for (uint64_t m = SLOT_AREA(u->a) == SLOT_REG ? mask : 0; m; m &= m - 1)
    if (site_u32(s, u->a, (unsigned)__builtin_ctzll(m)) != id) {
      fault(s, u, (unsigned)__builtin_ctzll(m), FAULT_BARRIER, id, 0,
            "lanes of one warp name different barriers");
      x->failed = true;
      return;
    }
  if (id > 15) {
    fault(s, u, lane, FAULT_BARRIER, id, 0, "barrier numbers end at 15");
    x->failed = true;
    return;
  }
  if (mask != w->live && x->opencl && !x->told_divergent)
    tell_divergent(s, u, mask);
  emit(x, id | (uint32_t)u->aux << 4 | (count < 1u << 24 ? count : 0) << 8);
  s->cta->barriers_used = true;
  struct barrier *b = &s->cta->barriers[id];
  if (b->arrived && b->expected != count && (b->expected == 0) != (count == 0)) {
    fault(s, u, lane, FAULT_BARRIER, id, 0, "used with and without a thread count at the same time");
    x->failed = true;
    return;
  }
  uint32_t threads = count_bits(mask);
  b->expected = count;
  /* counts are in whole warps: lanes that have exited or never existed count along */
  b->arrived += mask == w->live ? x->width : threads;
  if (u->aux == 1) {
    struct node *n = paths_current(w);
    n->pc = x->p->blocks[n->pc].next;
  } else {
    b->waiting += threads;
    if (u->aux >= 2) {
      b->popc += count_bits(site_pred(s, u->c) & mask);
      b->nred += threads;
    }
    paths_current(w)->barrier = (uint8_t)id;
    paths_block(w, NODE_AT_BARRIER, u);
  }
  barrier_check(x, s->cta, id);
}
