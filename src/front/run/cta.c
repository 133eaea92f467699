/* A CTA in the window: its warps, its shared memory, and its turns. */
#include "front/run/run.h"
#include <stdlib.h>
#include <string.h>

enum { SLICE = 2048 }; /* warp instructions before the next warp of the CTA may run */

struct cta *cta_new(struct exec *x) {
  struct cta *c = xcalloc(1, sizeof *c);
  c->warps = xcalloc(x->nwarps, sizeof *c->warps);
  c->shared = xcalloc(1, x->shared_bytes + 256); /* load_near may look past the end */
  size_t frame = x->kernel->frame_bytes ? x->kernel->frame_bytes : 64;
  for (uint32_t i = 0; i < x->nwarps; i++) {
    struct warp *w = &c->warps[i];
    w->index = i;
    w->half_bytes = frame;
    w->regs = xaligned(frame * x->halves);
    memset(w->regs, 0, frame * x->halves);
    local_reserve(x, w, x->kernel->local_bytes);
    if (x->o.shared || x->o.lanes)
      w->last = xcalloc(1, sizeof *w->last);
  }
  return c;
}

void cta_free(struct exec *x, struct cta *c) {
  for (uint32_t i = 0; i < x->nwarps; i++) {
    struct warp *w = &c->warps[i];
    free(w->last), free(w->regs), free(w->local), free(w->nodes), free(w->ready), free(w->frames);
  }
  free(c->warps);
  free(c->shared);
  free(c);
}

struct cta *cta_start(struct exec *x, uint64_t sequence) {
  struct cta *c = x->npool ? x->pool[--x->npool] : cta_new(x);
  cta_begin(x, c, sequence);
  return c;
}

void cta_begin(struct exec *x, struct cta *c, uint64_t sequence) {
  c->sequence = sequence;
  c->linear = cta_order_at(&x->order, sequence);
  c->id[0] = (uint32_t)(c->linear % x->grid[0]);
  c->id[1] = (uint32_t)(c->linear / x->grid[0] % x->grid[1]);
  c->id[2] = (uint32_t)(c->linear / x->grid[0] / x->grid[1]);
  c->turn = c->next_warp = 0;
  c->live_warps = x->nwarps;
  c->live_threads = x->threads;
  memset(c->barriers, 0, sizeof c->barriers);
  c->barriers_used = false;
  memset(c->shared, 0, x->shared_bytes);
  const struct func *f = x->kernel;
  for (uint32_t i = 0; i < x->nwarps; i++) {
    struct warp *w = &c->warps[i];
    w->live = x->warp_mask[i];
    w->done = false;
    w->executed = 0;
    w->looked = 0;
    if (w->last)
      *w->last = (struct lane_last){0};
    paths_start(x, w, w->live);
    for (unsigned h = 0; h < x->halves; h++)
      for (uint32_t z = 0; z < f->nzero; z++)
        memset(w->regs + h * w->half_bytes + SLOT_OFFSET(f->zero[z].slot), 0,
               f->zero[z].width ? 32u * f->zero[z].width : 4u);
    if (w->local_cap)
      memset(w->local, 0, w->local_cap * x->nlanes);
  }
}

#define COPY_VEC(to, from, items, n, cap)                                                                    \
  do {                                                                                                       \
    if ((to)->cap < (from)->n) {                                                                             \
      (to)->cap = (from)->n;                                                                                 \
      (to)->items = xrealloc((to)->items, (to)->cap * sizeof *(to)->items);                                  \
    }                                                                                                        \
    if ((from)->n)                                                                                           \
      memcpy((to)->items, (from)->items, (from)->n * sizeof *(to)->items);                                   \
    (to)->n = (from)->n;                                                                                     \
  } while (0)

static void warp_copy(struct exec *x, struct warp *to, const struct warp *from) {
  to->done = from->done, to->live = from->live, to->executed = from->executed, to->looked = from->looked;
  if (to->half_bytes != from->half_bytes) { /* calls made it grow */
    free(to->regs);
    to->regs = xaligned(from->half_bytes * x->halves);
    to->half_bytes = from->half_bytes;
  }
  memcpy(to->regs, from->regs, from->half_bytes * x->halves);
  local_reserve(x, to, from->local_cap);
  if (from->local_cap)
    memcpy(to->local, from->local, from->local_cap * x->nlanes);
  if (to->local_cap > from->local_cap)
    memset(to->local + from->local_cap * x->nlanes, 0, (to->local_cap - from->local_cap) * x->nlanes);
  COPY_VEC(to, from, nodes, nnodes, capnodes);
  COPY_VEC(to, from, ready, nready, capready);
  COPY_VEC(to, from, frames, nframes, capframes);
}

/* The state of a CTA into another context. */
void cta_copy(struct exec *x, struct cta *to, const struct cta *from) {
  struct warp *warps = to->warps;
  uint8_t *shared = to->shared;
  *to = *from;
  to->warps = warps, to->shared = shared;
  memcpy(shared, from->shared, x->shared_bytes);
  for (uint32_t i = 0; i < x->nwarps; i++)
    warp_copy(x, &to->warps[i], &from->warps[i]);
}

void cta_release(struct exec *x, struct cta *c) {
  if (x->npool == x->cappool) { /* attempts have some of their own */
    x->cappool *= 2;
    x->pool = xrealloc(x->pool, x->cappool * sizeof *x->pool);
  }
  x->pool[x->npool++] = c;
}

/* Everybody is blocked: only lanes a member mask waits for in vain can be helped. */
static bool unlock(struct exec *x, struct cta *c) {
  for (uint32_t i = 0; i < x->nwarps; i++)
    if (!c->warps[i].done && sync_force(x, c, &c->warps[i]))
      return true;
  return false;
}

bool cta_turn(struct exec *x, struct cta *c) {
  uint64_t used = 0;
  c->turn++;
  while (c->live_warps && !x->failed) {
    bool ran = false, all_spin = true, waits = false;
    uint32_t first = c->next_warp;
    for (uint32_t k = 0; k < x->nwarps && !x->failed; k++) {
      uint32_t i = first + k < x->nwarps ? first + k : first + k - x->nwarps;
      struct warp *w = &c->warps[i];
      if (w->done || w->looked == c->turn) {
        waits |= !w->done;
        continue;
      }
      uint64_t before = w->executed;
      x->yield_warp = false;
      warp_run(x, c, w, SLICE);
      uint64_t n = w->executed - before;
      waits |= w->looked == c->turn;
      if (n)
        ran = true;
      if (n && !x->yield_warp)
        all_spin = false;
      used += n;
      c->next_warp = i + 1 < x->nwarps ? i + 1 : 0;
      if (used >= x->o.turn)
        break;
    }
    if (used >= x->o.turn || (ran && all_spin) || (!ran && waits))
      break;
    if (!ran && !x->failed && c->live_warps && !unlock(x, c)) {
      describe_stall(x, x->err, "all warps of a block wait at barriers that cannot complete");
      x->failed = true;
    }
  }
  x->executed += used;
  return c->live_warps == 0;
}
