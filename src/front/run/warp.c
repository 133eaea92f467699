/* The interpreter: path after path of a warp, and the instructions that are rare. */
#include "front/run/run.h"
#include <stdlib.h>
#include <string.h>

static void run_cvta(const struct site *s, const struct uop *u, uint64_t mask) {
  uint64_t window = u->aux == PTX_SHARED  ? WINDOW_SHARED | s->cta->linear << SHARED_CTA_SHIFT
                    : u->aux == PTX_LOCAL ? WINDOW_LOCAL
                                          : WINDOW_PARAM;
  uint64_t keep =
      u->aux == PTX_SHARED ? (UINT64_C(1) << SHARED_CTA_SHIFT) - 1 : (UINT64_C(1) << WINDOW_SHIFT) - 1;
  for (uint64_t m = mask; m; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(m);
    uint64_t a = site_u64(s, u->a, lane);
    ((uint64_t *)site_at(s, u->d, lane >> 5))[lane & 31] = u->aux2 ? a | window : a & keep;
  }
}

static void run_isspacep(const struct site *s, const struct uop *u, uint64_t mask) {
  uint64_t r = 0;
  for (uint64_t m = mask; m; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(m);
    uint64_t window = site_u64(s, u->a, lane) >> WINDOW_SHIFT;
    bool yes = u->aux == PTX_SHARED  ? window == 1
               : u->aux == PTX_LOCAL ? window == 2
               : u->aux == PTX_PARAM ? window == 3
                                     : window == 0;
    r |= (uint64_t)yes << lane;
  }
  site_set_pred(s, u->d, r, mask);
}

static void run_pack(const struct site *s, const struct uop *u, uint64_t mask, bool unpack) {
  const struct uop_ext *m = u->x;
  unsigned whole = (unsigned)m->size * m->vec;
  for (uint64_t k = mask; k; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k), i = lane & 31, h = lane >> 5;
    uint8_t *all = (uint8_t *)site_at(s, unpack ? u->a : u->d, h) + i * whole;
    for (unsigned e = 0; e < m->vec; e++) {
      if (m->regs[e] == SLOT_NONE)
        continue;
      uint8_t *one = (uint8_t *)site_at(s, m->regs[e], h) + i * m->width[e];
      if (unpack && m->width[e] > m->size)
        memset(one, 0, m->width[e]);
      memcpy(unpack ? one : all + e * m->size, unpack ? all + e * m->size : one, m->size);
    }
  }
}

static void run_lea(const struct site *s, const struct uop *u, uint64_t mask) {
  uint64_t v = (uint64_t)u->x->imm + s->frame->local_at;
  for (unsigned h = 0; h < s->x->halves; h++)
    s->x->lanes->blend64(site_at(s, u->d, h), v, (uint32_t)(mask >> 32 * h));
}

static void run_activemask(const struct site *s, const struct uop *u, uint64_t mask) {
  for (unsigned h = 0; h < s->x->halves; h++) {
    uint32_t m = (uint32_t)(mask >> 32 * h);
    s->x->lanes->blend32(site_at(s, u->d, h), m, m);
  }
}

/* What is neither arithmetic, nor a load, nor the end of a block, nor a special register. */
void run_other(struct site *s, const struct uop *u, uint64_t mask) {
  switch (u->kind) {
  case U_ST:
    run_store(s, u, mask);
    break;
  case U_ATOM:
    run_atomic(s, u, mask);
    break;
  case U_CPASYNC:
    run_copy_async(s, u, mask);
    break;
  case U_PREFETCH:
    run_prefetch(s, u, mask);
    break;
  case U_TEXTURE:
    run_texture(s, u, mask);
    break;
  case U_PACK:
    run_pack(s, u, mask, false);
    break;
  case U_UNPACK:
    run_pack(s, u, mask, true);
    break;
  case U_LEA_LOCAL:
    run_lea(s, u, mask);
    break;
  case U_CVTA:
    run_cvta(s, u, mask);
    break;
  case U_ISSPACEP:
    run_isspacep(s, u, mask);
    break;
  case U_ACTIVEMASK:
    run_activemask(s, u, mask);
    break;
  case U_NOP:
    break;
  default:
    run_warpwide(s, u, mask);
    break;
  }
}

static void count_exits(struct exec *x, struct cta *c, struct warp *w, uint64_t mask) {
  c->live_threads -= count_bits(mask & w->live);
  paths_exit(w, mask);
  x->progress++;
  if (!w->live && !w->done) {
    w->done = true;
    c->live_warps--;
  }
  barrier_lanes_gone(x, c);
}

static void branch_table(struct site *s, struct node *n, const struct block *b, const struct uop *u,
                         uint64_t mask, uint64_t going) {
  uint32_t pc[65];
  uint64_t lanes[65];
  unsigned count = 0;
  for (uint64_t m = going; m; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(m);
    uint32_t index = site_u32(s, u->a, lane);
    if (index >= u->x->ntargets) {
      fault(s, u, lane, FAULT_BRX, index, 0, NULL);
      s->x->failed = true;
      return;
    }
    unsigned k = 0;
    while (k < count && pc[k] != u->x->targets[index])
      k++;
    if (k == count)
      pc[count] = u->x->targets[index], lanes[count++] = 0;
    lanes[k] |= UINT64_C(1) << lane;
  }
  if (mask & ~going)
    pc[count] = b->next, lanes[count++] = mask & ~going;
  if (b->flags & BF_LEAVES && paths_leave(s->x, s->w, b, pc, lanes, count))
    return;
  if (count == 1) {
    n->pc = pc[0];
  } else {
    paths_diverge(s->w, b->rpc, pc, lanes, count);
  }
}

/* Ends that are not U_BRA. */
void path_terminate(struct site *s, struct node *n, const struct block *b, const struct uop *u,
                    uint64_t mask) {
  struct exec *x = s->x;
  struct warp *w = s->w;
  uint64_t m = site_guarded(s, u, mask, x->halves);
  if ((u->flags & (UF_GUARD | UF_FIRST)) == (UF_GUARD | UF_FIRST) && u->kind != U_BRX)
    emit_guard(x, m);
  if (u->kind == U_BRX) {
    branch_table(s, n, b, u, mask, m);
    return;
  }
  if (!m) {
    n->pc = b->next;
    return;
  }
  switch (u->kind) {
  case U_CALL:
    paths_call(x, s, u, m, b->next);
    break;
  case U_RET:
    n->pc = b->next;
    paths_return(w, m);
    break;
  case U_EXIT:
    n->pc = b->next;
    count_exits(x, s->cta, w, m);
    break;
  case U_BAR:
    run_barrier(s, u, m);
    break;
  default: /* U_TRAP */
    fault(s, u, (unsigned)__builtin_ctzll(m), FAULT_TRAP, 0, 0, u->aux ? "brkpt" : "trap");
    x->failed = true;
    break;
  }
}

/* Attempts of warps do not keep an order: one comes sooner after the last, another later. A warp misses a fifth of its turns, with which
 * threads try as often as on a card where 2 to 33 of them contend for a word (validation/h200/micro8.cu, tries). */
static bool misses_turn(const struct cta *c, const struct warp *w) {
  uint64_t of = c->linear << 32 | (uint64_t)w->index << 24 | c->turn;
  of = (of ^ of >> 29) * UINT64_C(0x9e3779b97f4a7c15);
  of = (of ^ of >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return (of >> 32) % 5 == 0;
}

/* Lets other warps have their turn between what a warp has read and the atomic that follows, as on a GPU, where all resident warps read
 * before one of them changes the word: with a CAS the others have to look again. Nobody misses a turn after a round in which nothing moved, so that a
 * launch which repeats itself is noticed. True: the warp's turn ends here. */
static bool contends(struct exec *x, const struct cta *c, struct warp *w, struct node *n,
                     const struct block *b) {
  enum { MOST = 2048 }; /* attempts of a path by CAS; who has failed so often goes on alone */
  if ((b->flags & BF_ATTEMPTS && n->iterations >= MOST) ||
      (n->looked && (x->watch_stores || !misses_turn(c, w)))) {
    n->looked = 0;
    return false;
  }
  n->looked = 1;
  w->looked = c->turn;
  x->yield_warp = true;
  return true;
}

bool path_backward(struct exec *x, struct warp *w, uint32_t from, uint64_t until) {
  struct node *n = paths_current(w);
  if (!n || n->pc > from || n->pc == n->rpc)
    return false;
  n->iterations++;
  const struct block *head = &x->p->blocks[n->pc];
  if (head->flags & BF_SPIN && n->iterations >= SPIN_FIRST && spin_detected(x, w, n, head) &&
      !paths_give_way(x, w)) {
    x->yield_warp = true;
    return true;
  }
  return w->executed >= until;
}

/* Lanes that have met at the head of a loop (ptx/loops.c) begin an iteration: true if the warp's turn ends with that. */
static bool begins_again(struct exec *x, struct warp *w, uint64_t until) {
  struct node *n = paths_current(w);
  if (!n || !n->mask || n->pc == n->rpc || !(x->p->blocks[n->pc].flags & BF_HEAD))
    return false;
  const struct block *head = &x->p->blocks[n->pc];
  n->iterations++;
  if (head->flags & BF_SPIN && n->iterations >= SPIN_FIRST && spin_detected(x, w, n, head) &&
      !paths_give_way(x, w)) {
    x->yield_warp = true;
    return true;
  }
  return w->executed >= until;
}

void warp_run(struct exec *x, struct cta *c, struct warp *w, uint64_t budget) {
  uint64_t until = w->executed + budget;
  path_fn *run = x->lanes->path[x->halves - 1];
  struct site s;
  s.frame = NULL; /* not set yet */
  x->cta = c;
  x->warp = w;
  while (!x->failed) {
    struct node *n = paths_current(w);
    if (!n) {
      if (w->live && paths_unblock(x, w))
        continue;
      return;
    }
    if (!n->mask || n->pc == n->rpc) {
      paths_finish(x, w);
      if (SELDOM(x->p->loops != NULL) && begins_again(x, w, until))
        return;
      continue;
    }
    const struct block *b = &x->p->blocks[n->pc];
    if (b->flags & BF_SYNC && !n->skip && !sync_arrive(x, c, w, b))
      continue;
    if (SELDOM(b->flags & BF_CONTENDED && x->contended && contends(x, c, w, n, b)))
      return;
    n = paths_current(w);
    /* the frame seldom changes from path to path */
    if (s.frame != &w->frames[n->frame] || s.base[SLOT_REG] != w->regs + s.frame->reg_at ||
        s.func != &x->p->funcs[s.frame->func])
      site_set(&s, x, c, w, n->frame);
    if (run(&s, n, until))
      return;
  }
}
