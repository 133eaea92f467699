/* The paths of a warp, block by block, with the arithmetic of quick.h in place. Compiled once per instruction
 * set, as lanes.c is. */
#define LANES_DIRECT
#include "base/bits.h"
#include "front/ptx/ops/compare.h"
#include "front/ptx/ops/bits.h"
#include "front/ptx/ops/int.h"
#include "front/run/word.h"
#include <fenv.h>

/* Every row of these families as a function of this file; what is not called costs nothing. */
#define QUICK_FN(id) static inline __attribute__((always_inline, unused)) void quick_##id(PTX_ARGS)
#define R1(id, name, unit, flags, D, A, expr)                                                                \
  QUICK_FN(id) {                                                                                             \
    LANES_BODY(D, LOAD_X(A), expr)                                                                           \
  }
#define R2(id, name, unit, flags, D, A, B, expr)                                                             \
  QUICK_FN(id) {                                                                                             \
    LANES_BODY(D, LOAD_X(A) LOAD_Y(B), expr)                                                                 \
  }
#define R3(id, name, unit, flags, D, A, B, C, expr)                                                          \
  QUICK_FN(id) {                                                                                             \
    LANES_BODY(D, LOAD_X(A) LOAD_Y(B) LOAD_Z(C), expr)                                                       \
  }
#define R4(id, name, unit, flags, D, A, B, C, E, expr)                                                       \
  QUICK_FN(id) {                                                                                             \
    LANES_BODY(D, LOAD_X(A) LOAD_Y(B) LOAD_Z(C) LOAD_W(E), expr)                                             \
  }
#define RX(id, name, unit, flags, nsrc, D, A, B, C, E, ...)                                                  \
  QUICK_FN(id) {                                                                                             \
    PTX_ARGS_UNUSED;                                                                                         \
    __VA_ARGS__                                                                                              \
  }
#define RA(id, name, unit, flags, nsrc, D, A, B, C, E)
#include "front/ptx/ops/int.def"
#include "front/ptx/ops/bits.def"
#include "front/ptx/ops/select.def"
#include "front/ptx/ops/setp.def"
#include "front/ptx/ops/cvt_int.def"
#include "base/specialized.h"

/* The most words one instruction can put into the stream: guard, and an access in several parts. */
enum { WORDS_PER_INST = 4 * 8 + 2 * 64 * 2 };

static __attribute__((noinline)) void grow(struct exec *x, size_t need) {
  size_t cap = x->capout;
  while (cap < need)
    cap = cap ? cap * 2 : 65536;
  x->out = xrealloc(x->out, cap * sizeof *x->out); /* may not come back: the capacity stays true */
  x->capout = cap;
}

static inline void reserve(struct exec *x, uint32_t insts) {
  size_t need = x->nout + 8 + (size_t)insts * WORDS_PER_INST;
  if (SELDOM(need > x->capout))
    grow(x, need);
}

static const int fenv_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* One number for all lanes. */
QUICK_FN(all_u32) {
  const uint32_t x = *(const lane_u32 *)a;
  LANES_BODY(U32, , x)
}

/* SPECIALIZED functions are made once for warps of up to 32 lanes and once for wider ones. */
/* Runs the straight part of a block; returns the terminator, or NULL when it just ends or x->failed. *set is the
 * result of the setp before the terminator, if they are a pair. skipped: an instruction that is done already. */
SPECIALIZED const struct uop *run_straight(struct site *s, const struct block *b, uint64_t mask,
                                           unsigned lanes, uint32_t skipped, unsigned halves, uint32_t *set) {
  struct exec *x = s->x;
  uint8_t *const *base = s->base, *const regs = base[SLOT_REG];
#define AT(slot)    (base[(slot) >> 30] + ((slot)&0x3fffffffu))
#define AT1(slot)   (AT(slot) + ((slot) >> 30 == SLOT_REG ? s->half : 0))
#define AT_E(slot)  ((slot) == SLOT_NONE ? NULL : AT(slot)) /* a second result that nobody wants */
#define AT1_E(slot) ((slot) == SLOT_NONE ? NULL : AT1(slot))
  for (const struct uop *u = b->code, *end = b->code_end; u < end; u++) {
    switch (halves == 1 || u->quick == QUICK_END ? u->quick : QUICK_NONE) {
    case QUICK_NONE:
      break;
    case QUICK_END:
      return u;
    case QUICK_LOAD:
      if (run_word(s, u, (uint32_t)mask, lanes, false))
        continue;
      break;
    case QUICK_STORE:
      if (run_word(s, u, (uint32_t)mask, lanes, true))
        continue;
      break;
    case QUICK_TID:
      quick_mov_b32(regs + u->d, x->tid[u->aux2] + 32 * (size_t)s->w->index, NULL, NULL, NULL,
                    (uint32_t)mask);
      continue;
    case QUICK_CTAID:
      quick_all_u32(regs + u->d, &s->cta->id[u->aux2], NULL, NULL, NULL, (uint32_t)mask);
      continue;
    case QUICK_PLAIN:
      u->fn(AT(u->d), AT(u->a), AT(u->b), NULL, NULL, (uint32_t)mask);
      continue;
#define QUICK_CASE(id, name, sources)                                                                        \
  case QUICK_##id:                                                                                           \
    if (QUICK_##id < QUICK_FIRST_SETP) {                                                                     \
      quick_##id(regs + u->d, regs + u->a, sources > 1 ? AT(u->b) : NULL, sources > 2 ? AT(u->c) : NULL,     \
                 NULL, (uint32_t)mask);                                                                      \
    } else {                                                                                                 \
      *set = 0;                                                                                              \
      quick_##id(set, regs + u->a, AT(u->b), NULL, NULL, (uint32_t)mask);                                    \
      if ((u->flags & (UF_PAIR | UF_ONCE)) != (UF_PAIR | UF_ONCE)) /* somebody else asks for it */           \
        pred_write(regs + u->d, *set, (uint32_t)mask);                                                       \
      if (u->flags & UF_PAIR)                                                                                \
        return u + 1;                                                                                        \
    }                                                                                                        \
    continue;
      QUICK_ROWS(QUICK_CASE)
#undef QUICK_CASE
    default:
      __builtin_unreachable();
    }
    uint64_t m = mask;
    unsigned active = lanes;
    if (SELDOM(u->flags & UF_GUARD)) {
      m = site_guarded(s, u, mask, halves);
      if (u->flags & UF_FIRST)
        emit_guard(x, m);
      if (!m)
        continue;
      active = count_bits(m);
    }
    if (u->flags & UF_WORD && run_word(s, u, (uint32_t)m, active, u->kind == U_ST))
      continue;
    if (u->flags & UF_NEAR && halves == 1 && run_near(s, u, (uint32_t)m, active))
      continue;
    if (u->kind == U_ALU) {
      u->fn(AT(u->d), AT(u->a), AT(u->b), AT(u->c), AT_E(u->e), (uint32_t)m);
      if (halves > 1)
        u->fn(AT1(u->d), AT1(u->a), AT1(u->b), AT1(u->c), AT1_E(u->e), (uint32_t)(m >> 32));
      continue;
    }
    if (u->kind == U_ALU_ROUND) {
      fesetround(fenv_modes[u->aux]);
      u->fn(AT(u->d), AT(u->a), AT(u->b), AT(u->c), AT_E(u->e), (uint32_t)m);
      if (halves > 1)
        u->fn(AT1(u->d), AT1(u->a), AT1(u->b), AT1(u->c), AT1_E(u->e), (uint32_t)(m >> 32));
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
#undef AT_E
#undef AT1_E
  return NULL;
}

/* The record of a block in the stream. */
SPECIALIZED void begin_block(struct site *s, const struct block *b, uint32_t pc, uint64_t mask,
                             unsigned lanes, unsigned halves) {
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
  s->block = b;
  w->executed += b->weight;
}

/* The lanes that a branch takes. Most ask for what was compared just before, whose way through memory would
 * only delay the branch. */
SPECIALIZED uint64_t lanes_taking(const struct site *s, const struct uop *u, uint64_t mask, uint32_t set,
                                  unsigned halves) {
  if (halves == 1 && u->flags & UF_PAIR)
    return u->flags & UF_GUARD_NEG ? mask & ~set : set;
  return site_guarded(s, u, mask, halves);
}

/* All its lanes exit together, as most warps end: no path is left. */
SPECIALIZED void end_warp(struct exec *x, struct cta *c, struct warp *w, unsigned lanes) {
  w->live = 0;
  w->done = true;
  w->nnodes = w->nready = 0;
  c->live_threads -= lanes;
  c->live_warps--;
  x->progress++;
  if (c->barriers_used)
    barrier_lanes_gone(x, c);
}

/* A block that ends otherwise than by a branch, or by failing. */
SPECIALIZED bool end_path(struct site *s, struct node *n, const struct block *b, const struct uop *end,
                          uint64_t mask, unsigned lanes, uint64_t until) {
  struct exec *x = s->x;
  struct warp *w = s->w;
  if (end->kind == U_EXIT && !(end->flags & UF_GUARD) && mask == w->live) {
    end_warp(x, s->cta, w, lanes);
    return false;
  }
  uint32_t pc = n->pc;
  path_terminate(s, n, b, end, mask);
  return end->kind == U_BRX && !x->failed && path_backward(x, w, pc, until);
}

/* See run.h. */
SPECIALIZED bool run_path(struct site *s, struct node *n, uint64_t until, unsigned halves) {
  struct exec *x = s->x;
  struct warp *w = s->w;
  const struct block *blocks = x->p->blocks,
                     *around = NULL; /* the branch around the block that runs, if any */
  uint64_t mask = n->mask;
  unsigned lanes = count_bits(mask);
  uint32_t skipped = SELDOM(n->skip) ? blocks[n->pc].code->inst : UINT32_MAX;
  n->skip = 0;
  for (uint32_t pc = n->pc;; skipped = UINT32_MAX) {
    const struct block *b = &blocks[pc];
    uint32_t set = 0;
    begin_block(s, b, pc, mask, lanes, halves);
    const struct uop *end = run_straight(s, b, mask, lanes, skipped, halves, &set);
    if (SELDOM(!end && x->failed))
      return true;
    if (around) { /* lanes meet again */
      n->iterations = 0;
      pc = n->pc = around->rpc;
      around = NULL;
      mask = n->mask;
      lanes = count_bits(mask);
      if (pc == n->rpc || blocks[pc].flags & (BF_SYNC | BF_CONTENDED))
        return false;
      continue;
    }
    if (end && end->kind != U_BRA)
      return end_path(s, n, b, end, mask, lanes, until);
    uint64_t taken = end ? lanes_taking(s, end, mask, set, halves) : 0;
    if (SELDOM(b->flags & BF_LEAVES && (b->flags & BF_LEAVES_TAKEN ? taken : mask & ~taken)) &&
        paths_leave(x, w, b, (const uint32_t[]){end->target, b->next},
                    (const uint64_t[]){taken, mask & ~taken}, 2))
      return path_backward(x, w, pc, until);
    if (taken && taken != mask) {
      if (b->then == PC_NONE) {
        paths_diverge(w, b->rpc, (const uint32_t[]){end->target, b->next},
                      (const uint64_t[]){taken, mask & ~taken}, 2);
        return path_backward(x, w, pc, until);
      }
      around = b;
      pc = b->then;
      mask = pc == b->next ? mask & ~taken : taken;
      lanes = count_bits(mask);
      continue;
    }
    n->pc = taken ? end->target : b->next;
    if (n->pc <= pc && n->pc != n->rpc) {
      if (SELDOM(blocks[n->pc].flags & BF_SPIN && n->iterations + 1 >= SPIN_FIRST)) {
        bool stop = path_backward(x, w, pc, until);
        if (stop || paths_current(w) != n)
          return stop;
      } else {
        n->iterations++;
        if (w->executed >= until)
          return true;
      }
    }
    pc = n->pc;
    if (pc == n->rpc || blocks[pc].flags & (BF_SYNC | BF_CONTENDED))
      return false;
  }
}

#define CAT_(a, b) a##b
#define CAT(a, b)  CAT_(a, b)
#define PATH_32    CAT(path_32_, LANES_ISA)
#define PATH_64    CAT(path_64_, LANES_ISA)

static path_fn PATH_32, PATH_64;
static bool PATH_32(struct site *s, struct node *n, uint64_t until) {
  return run_path(s, n, until, 1);
}
static bool PATH_64(struct site *s, struct node *n, uint64_t until) {
  return run_path(s, n, until, 2);
}
extern path_fn *const CAT(path_fns_, LANES_ISA)[];
path_fn *const CAT(path_fns_, LANES_ISA)[] = {PATH_32, PATH_64};
