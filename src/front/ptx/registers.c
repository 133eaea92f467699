#include "front/ptx/registers.h"
#include "front/ptx/registers_order.h"
#include <stdlib.h>
#include <string.h>

/* RESERVED: R1, the stack pointer, and two that ptxas counts on every GPU since Volta: an empty kernel has 4.
 * GOAL: registers with which an SM is still full of threads (65,536 / 2,048): up to there ptxas spends them on speed.
 * BEYOND: what it spends beyond the least that a larger kernel needs. SLACK: what pairs and quads of registers leave
 * unused. ABI, SAVED: with a call that is no code of the module, and what the callee may overwrite.
 * MOST: what an instruction can name. BEYOND and SLACK are calibrated (docs/registers.md). */
enum { RESERVED = 3, GOAL = 32, BEYOND = 16, SLACK = 2, ABI = 24, SAVED = 16, MOST = 255, FILE_SIZE = 65536 };

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}
static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

struct calls {
  struct pressure_call *at;
  size_t n, cap;
};
static void note_call(void *ctx, uint32_t callee, uint32_t live) {
  struct calls *c = ctx;
  VEC_PUSH(c->at, c->n, c->cap) = (struct pressure_call){callee, live};
}

static struct pressure measure(const struct regvalues *e, struct calls *calls) {
  struct pressure p = {0};
  uint32_t *value = xmalloc((e->l->nv + 1) * sizeof *value),
           *as_is = xmalloc((e->nblocks + 1) * sizeof *as_is);
  uint8_t *alive = xcalloc(e->l->nv + 1, 1);
  memset(value, 0xff, (e->l->nv + 1) * sizeof *value);
  for (uint32_t b = 0; b < e->nblocks; b++) {
    as_is[b] = order_as_is(e, b, alive, note_call, calls);
    uint32_t n = as_is[b] <= GOAL - RESERVED ? as_is[b] : order_scheduled(e, b, 1, 0, value);
    p.least = larger(p.least, smaller(n, as_is[b]));
  }
  uint32_t limit = p.least <= GOAL - RESERVED ? GOAL - RESERVED : p.least + BEYOND;
  for (uint32_t b = 0; b < e->nblocks; b++) {
    uint32_t n = order_scheduled(e, b, order_unrolled(e, b), limit, value);
    if (n > limit)
      n = smaller(order_scheduled(e, b, 1, limit, value), larger(limit, as_is[b]));
    p.most = larger(p.most, n);
  }
  free(value), free(as_is), free(alive);
  return p;
}

struct pressure registers_pressure(struct lower *l, uint32_t first_block) {
  struct pressure p = {.least = UINT32_MAX, .most = UINT32_MAX};
  for (int cheap = 0; cheap < 2 && p.least > GOAL - RESERVED; cheap++) {
    struct regvalues e;
    struct calls calls = {0};
    regvalues_find(&e, l, first_block, cheap);
    struct pressure q = measure(&e, &calls);
    if (cheap) /* no more of it than it takes */
      q.most = larger(q.most, GOAL - RESERVED);
    if (q.most < p.most) {
      p = q;
      p.ncalls = (uint32_t)calls.n;
      p.calls = arena_alloc(&l->p->arena, (calls.n + 1) * sizeof *p.calls);
      if (calls.n)
        memcpy(p.calls, calls.at, calls.n * sizeof *p.calls);
    }
    free(calls.at);
    regvalues_free(&e);
  }
  return p;
}

struct callees {
  const struct ptx_module *m;
  const struct pressure *of;
  uint32_t *need; /* by function: with its callees; 0: not known yet */
  bool *open;     /* by function: being looked at */
  bool abi;       /* a call that cannot become part of its caller */
};

/* ptxas makes functions of the module part of their callers, unless they call themselves. */
static uint32_t with_callees(struct callees *c, uint32_t f, uint32_t depth) {
  if (c->m->funcs[f].is_extern || c->open[f] || depth > 64) {
    c->abi = true;
    return SAVED;
  }
  if (c->need[f])
    return c->need[f] - 1;
  c->open[f] = true;
  uint32_t n = c->of[f].most;
  for (uint32_t i = 0; i < c->of[f].ncalls; i++)
    if (c->of[f].calls[i].callee < c->m->nfuncs)
      n = larger(n, c->of[f].calls[i].live + with_callees(c, c->of[f].calls[i].callee, depth + 1));
  c->open[f] = false;
  c->need[f] = n + 1;
  return n;
}

static uint32_t threads_of(const uint32_t n[3]) {
  uint32_t t = 1;
  for (int i = 0; i < 3; i++)
    t *= n[i] ? smaller(n[i], 1024) : 1;
  return smaller(t, 1024);
}

/* What .maxnreg says, or what CTAs of the stated size leave for a thread. */
static uint32_t most_of(const struct ptx_func *f) {
  uint32_t most = MOST, threads = f->reqntid[0]   ? threads_of(f->reqntid)
                                  : f->maxntid[0] ? threads_of(f->maxntid)
                                                  : 0;
  if (threads) {
    uint32_t warps = (threads + 31) / 32, ctas = f->minnctapersm ? smaller(f->minnctapersm, 32) : 1;
    most = smaller(most, larger(FILE_SIZE / (warps * 32 * ctas) / 8 * 8, 16));
  }
  return f->maxnreg ? smaller(most, f->maxnreg) : most;
}

uint32_t registers_estimate(const struct ptx_module *m, const struct pressure *of, uint32_t f) {
  struct callees c = {.m = m, .of = of};
  c.need = xcalloc(m->nfuncs + 1, sizeof *c.need), c.open = xcalloc(m->nfuncs + 1, sizeof *c.open);
  uint32_t n = with_callees(&c, f, 0) + RESERVED;
  free(c.need), free(c.open);
  if (n > RESERVED + 1 && n < GOAL)
    n = smaller((n + SLACK + 1) / 2 * 2, GOAL);
  n = larger(n, c.abi ? ABI : RESERVED + 1);
  return smaller(n, most_of(&m->funcs[f]));
}
