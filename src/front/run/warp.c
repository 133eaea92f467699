/* The interpreter: one basic block of one path after the other. */
#include "base/bits.h"
#include "front/run/word.h"
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

/* The most words one instruction can put into the stream: guard, and an access in several parts. */
enum { WORDS_PER_INST = 4 * 8 + 2 * 64 * 2 };

static __attribute__((noinline)) void grow(struct exec *x, size_t need) {
  while (x->capout < need)
    x->capout = x->capout ? x->capout * 2 : 65536;
  x->out = xrealloc(x->out, x->capout * sizeof *x->out);
}

static inline void reserve(struct exec *x, uint32_t insts) {
  size_t need = x->nout + 8 + (size_t)insts * WORDS_PER_INST;
  if (SELDOM(need > x->capout))
    grow(x, need);
}

static const int fenv_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

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
static __attribute__((noinline)) void run_other(struct site *s, const struct uop *u, uint64_t mask) {
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

/* Made once for warps of up to 32 lanes and once for wider ones. */
#define EACH_WIDTH static inline __attribute__((always_inline))

/* Runs the straight part of a block; returns the terminator, or NULL when it just ends. */
EACH_WIDTH const struct uop *run_straight(struct site *s, const struct block *b, uint64_t mask,
                                          unsigned lanes, bool skip, unsigned halves) {
  struct exec *x = s->x;
  const struct uop *u = x->p->uops + b->first, *end = x->p->uops + b->end;
  uint32_t skipped = skip ? u->inst : UINT32_MAX;
  uint8_t *const *base = s->base;
#define AT(slot)  (base[(slot) >> 30] + ((slot)&0x3fffffffu))
#define AT1(slot) (AT(slot) + ((slot) >> 30 == SLOT_REG ? s->half : 0))
  for (; u < end; u++) {
    if (halves == 1 && (u->flags & (UF_PLAIN | UF_GUARD)) == UF_PLAIN) { /* what most are */
      u->fn(AT(u->d), AT(u->a), AT(u->b), NULL, NULL, (uint32_t)mask);
      continue;
    }
    if (u->kind >= U_BRA)
      return u;
    uint64_t m = mask;
    unsigned active = lanes;
    if (SELDOM(u->flags & UF_GUARD)) {
      uint64_t g = *(const uint32_t *)(const void *)AT(u->guard);
      if (halves > 1)
        g |= (uint64_t) * (const uint32_t *)(const void *)AT1(u->guard) << 32;
      m &= u->flags & UF_GUARD_NEG ? ~g : g;
      if (u->flags & UF_FIRST)
        emit_guard(x, m);
      if (!m)
        continue;
      active = count_bits(m);
    }
    if (u->flags & UF_WORD && run_word(s, u, (uint32_t)m, active))
      continue;
    if (u->flags & UF_NEAR && halves == 1 && run_near(s, u, (uint32_t)m, active))
      continue;
    if (u->kind == U_ALU) {
      u->fn(AT(u->d), AT(u->a), AT(u->b), AT(u->c), AT(u->e), (uint32_t)m);
      if (halves > 1)
        u->fn(AT1(u->d), AT1(u->a), AT1(u->b), AT1(u->c), AT1(u->e), (uint32_t)(m >> 32));
      continue;
    }
    if (u->kind == U_ALU_ROUND) {
      fesetround(fenv_modes[u->aux]);
      u->fn(AT(u->d), AT(u->a), AT(u->b), AT(u->c), AT(u->e), (uint32_t)m);
      if (halves > 1)
        u->fn(AT1(u->d), AT1(u->a), AT1(u->b), AT1(u->c), AT1(u->e), (uint32_t)(m >> 32));
      fesetround(FE_TONEAREST);
      continue;
    }
    if (u->inst == skipped)
      continue;
    if (u->kind == U_LD)
      run_load(s, u, m);
    else if (u->kind == U_SREG)
      run_sreg(s, u, m);
    else
      run_other(s, u, m);
    if (x->failed)
      return NULL;
  }
#undef AT
#undef AT1
  return NULL;
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
  if (count == 1) {
    n->pc = pc[0];
  } else {
    paths_diverge(s->w, b->rpc, pc, lanes, count);
  }
}

EACH_WIDTH uint64_t guarded(const struct site *s, const struct uop *u, uint64_t mask, unsigned halves) {
  if (!(u->flags & UF_GUARD))
    return mask;
  uint64_t g = *(const uint32_t *)site_at(s, u->guard, 0);
  if (halves > 1)
    g |= (uint64_t) * (const uint32_t *)site_at(s, u->guard, 1) << 32;
  return mask & (u->flags & UF_GUARD_NEG ? ~g : g);
}

/* Ends that are not U_BRA. */
static void terminate(struct site *s, struct node *n, const struct block *b, const struct uop *u,
                      uint64_t mask) {
  struct exec *x = s->x;
  struct warp *w = s->w;
  uint64_t m = guarded(s, u, mask, x->halves);
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

/* True when the warp should stop here: it spins, or its budget is used up. */
static bool backward(struct exec *x, struct warp *w, uint32_t from, uint64_t until) {
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

/* One block: its record in the stream, then its instructions. Returns the end, or NULL when there is none. */
EACH_WIDTH const struct uop *run_block(struct site *s, const struct block *b, uint32_t pc, uint64_t mask,
                                       unsigned lanes, bool skip, unsigned halves) {
  struct exec *x = s->x;
  struct warp *w = s->w;
  reserve(x, b->ninst);
  if (b->ninst) {
    uint32_t *record = x->out + x->nout;
    record[0] = pc;
    record[1] = w->index;
    record[2] = (uint32_t)mask;
    if (halves > 1)
      record[3] = (uint32_t)(mask >> 32);
    x->nout += 2 + halves;
    tally_record(&x->tally, pc, lanes);
  }
  s->clock = w->executed - b->first_inst;
  w->executed += b->ninst;
  return run_straight(s, b, mask, lanes, skip, halves);
}

/* Block after block of the running path n, as long as its lanes stay together and nothing but a branch ends
 * a block. True when the warp should stop here. */
EACH_WIDTH bool run_path(struct site *s, struct node *n, uint64_t until, unsigned halves) {
  struct exec *x = s->x;
  struct warp *w = s->w;
  const struct block *blocks = x->p->blocks,
                     *around = NULL; /* the branch around the block that runs, if any */
  uint64_t mask = n->mask;
  unsigned lanes = count_bits(mask);
  bool skip = n->skip;
  n->skip = 0;
  for (uint32_t pc = n->pc;; skip = false) {
    const struct block *b = &blocks[pc];
    const struct uop *end = run_block(s, b, pc, mask, lanes, skip, halves);
    if (SELDOM(x->failed))
      return true;
    if (around) { /* lanes meet again */
      n->iterations = 0;
      n->pc = around->rpc;
      around = NULL;
      mask = n->mask;
      lanes = count_bits(mask);
    } else if (end && end->kind != U_BRA) {
      terminate(s, n, b, end, mask);
      return end->kind == U_BRX && !x->failed && backward(x, w, pc, until);
    } else {
      uint64_t taken = end ? guarded(s, end, mask, halves) : 0;
      if (taken && taken != mask) {
        if (b->then == PC_NONE) {
          paths_diverge(w, b->rpc, (const uint32_t[]){end->target, b->next},
                        (const uint64_t[]){taken, mask & ~taken}, 2);
          return backward(x, w, pc, until);
        }
        around = b;
        pc = b->then;
        mask = pc == b->next ? mask & ~taken : taken;
        lanes = count_bits(mask);
        continue;
      }
      n->pc = taken ? end->target : b->next;
      if (n->pc <= pc) {
        bool stop = backward(x, w, pc, until);
        if (stop || paths_current(w) != n)
          return stop;
      }
    }
    pc = n->pc;
    if (pc == n->rpc || blocks[pc].flags & BF_SYNC)
      return false;
  }
}

static __attribute__((noinline)) bool run_path_32(struct site *s, struct node *n, uint64_t until) {
  return run_path(s, n, until, 1);
}
static __attribute__((noinline)) bool run_path_64(struct site *s, struct node *n, uint64_t until) {
  return run_path(s, n, until, 2);
}

void warp_run(struct exec *x, struct cta *c, struct warp *w, uint64_t budget) {
  uint64_t until = w->executed + budget;
  struct site s = {0};
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
      continue;
    }
    const struct block *b = &x->p->blocks[n->pc];
    if (b->flags & BF_SYNC && !n->skip && !sync_arrive(x, c, w, b))
      continue;
    n = paths_current(w);
    /* the frame seldom changes from path to path */
    if (s.frame != &w->frames[n->frame] || s.base[SLOT_REG] != w->regs + s.frame->reg_at ||
        s.func != &x->p->funcs[s.frame->func])
      site_set(&s, x, c, w, n->frame);
    if (x->halves > 1 ? run_path_64(&s, n, until) : run_path_32(&s, n, until))
      return;
  }
}
