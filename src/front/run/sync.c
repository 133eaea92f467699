/* Warp-synchronous instructions (bar.warp.sync, shfl.sync, vote.sync ...) wait until every live
 * lane they name has arrived, even when lanes come on different paths. */
#include "front/run/run.h"
#include <stdio.h>
#include <string.h>

static const struct uop *sync_uop(const struct exec *x, const struct block *b) {
  for (uint32_t i = b->first; i < b->end; i++)
    if (x->p->uops[i].kind >= U_SHFL && x->p->uops[i].kind <= U_WARPSYNC)
      return &x->p->uops[i];
  panic("a block marked as synchronous has no such instruction");
}

static uint64_t lanes_of(const struct site *s, const struct uop *u, uint64_t mask) {
  if (!(u->flags & UF_GUARD))
    return mask;
  uint64_t g = site_pred(s, u->guard);
  return mask & (u->flags & UF_GUARD_NEG ? ~g : g);
}

/* Live lanes of the member mask that are not on this path. */
static uint64_t missing(const struct site *s, const struct uop *u, uint64_t lanes) {
  uint64_t named = 0;
  for (unsigned h = 0; h < s->x->halves; h++) {
    uint32_t part = (uint32_t)(lanes >> 32 * h);
    if (SLOT_AREA(u->x->regs[0]) != SLOT_REG)
      part &= 0u - part; /* the same for all */
    for (; part; part &= part - 1)
      named |= (uint64_t)((const uint32_t *)site_at(s, u->x->regs[0], h))[__builtin_ctz(part)] << 32 * h;
  }
  return named & s->w->live & ~lanes;
}

static bool same_meeting(const struct node *n, const struct uop *u, uint32_t pc) {
  return n->state == NODE_AT_SYNC && (u->kind == U_WARPSYNC ? n->wait->kind == U_WARPSYNC : n->pc == pc);
}

/* Everybody waiting for this instruction has it behind them; they run on below the current path. */
static void wake(struct warp *w, const struct uop *u, uint32_t pc) {
  uint32_t self = w->ready[w->nready - 1];
  for (size_t i = 0; i < w->nnodes; i++) {
    if (!same_meeting(&w->nodes[i], u, pc))
      continue;
    w->nodes[i].skip = 1;
    w->nready--;
    paths_ready(w, (uint32_t)i);
    paths_ready(w, self);
  }
}

bool sync_arrive(struct exec *x, struct cta *c, struct warp *w, const struct block *b) {
  struct node *n = paths_current(w);
  struct site s;
  site_set(&s, x, c, w, n->frame);
  const struct uop *u = sync_uop(x, b);
  uint64_t lanes = lanes_of(&s, u, n->mask);
  if (!lanes)
    return true;
  uint64_t wanted = missing(&s, u, lanes) & ~n->mask;
  if (!wanted)
    return true;
  uint64_t here = 0;
  for (size_t i = 0; i < w->nnodes; i++)
    if (same_meeting(&w->nodes[i], u, n->pc))
      here |= lanes_of(&s, u, w->nodes[i].mask);
  if (wanted & ~here) {
    paths_block(w, NODE_AT_SYNC, u);
    return false;
  }
  if (u->kind != U_WARPSYNC)
    run_warpwide(&s, u, lanes | here);
  n->skip = 1;
  wake(w, u, n->pc);
  return true;
}

bool sync_force(struct exec *x, struct cta *c, struct warp *w) {
  for (size_t i = 0; i < w->nnodes; i++) {
    struct node *n = &w->nodes[i];
    if (n->state != NODE_AT_SYNC)
      continue;
    const struct uop *u = n->wait;
    struct site s;
    site_set(&s, x, c, w, n->frame);
    uint64_t lanes = 0;
    for (size_t k = 0; k < w->nnodes; k++)
      if (same_meeting(&w->nodes[k], u, n->pc))
        lanes |= lanes_of(&s, u, w->nodes[k].mask);
    if (u->kind != U_WARPSYNC)
      run_warpwide(&s, u, lanes);
    uint32_t pc = n->pc;
    for (size_t k = 0; k < w->nnodes; k++)
      if (same_meeting(&w->nodes[k], u, pc)) {
        w->nodes[k].skip = 1;
        paths_ready(w, (uint32_t)k);
      }
    if (!x->warned++ && x->o.warn) {
      char at[512], text[768];
      where(x, s.func, u->inst, at, sizeof at);
      snprintf(text, sizeof text,
               "%s: its member mask names lanes that never arrive; it went on without them", at);
      x->o.warn(x->o.warn_ctx, text);
    }
    return true;
  }
  return false;
}
