/* Control flow and liveness, over registers of the text. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

static uint32_t target(const struct asm_fn *a, uint32_t label) {
  return label < a->nlabels ? a->label_block[label] : PTX_NONE;
}

size_t asm_successors(const struct asm_fn *a, size_t b, uint32_t *to, size_t cap) {
  const struct asm_block *k = &a->blocks[b];
  const struct ptx_inst *last = k->n ? &k->v[k->n - 1] : NULL;
  bool falls = true;
  size_t n = 0;
  if (last && asm_kind(a, last) == ASM_END) {
    const struct mnem *m = &a->mnems->mnems[last->mnemonic];
    const struct ptx_operand *o = &a->ops[last->first_op];
    if (m->fn == lower_op_bra || m->fn == lower_op_brx) {
      o += m->fn == lower_op_brx;
      falls = last->guard != PTX_NONE;
      if (last->nops <= (m->fn == lower_op_brx) || o->kind != PTX_OP_LABEL || o->id >= a->nlabels)
        return 0;
      const struct ptx_label *l = &a->labels[o->id];
      if (!o->is_table && n < cap)
        to[n++] = target(a, o->id);
      for (uint32_t i = 0; o->is_table && i < l->n && n < cap; i++)
        to[n++] = target(a, a->f->targets[l->first + i]);
    } else if (m->fn == lower_op_ret || m->fn == lower_op_exit || m->fn == lower_op_trap) {
      falls = last->guard != PTX_NONE;
    }
  }
  if (falls && b + 1 < a->nblocks && n < cap)
    to[n++] = (uint32_t)b + 1;
  return n;
}

void asm_targets(const struct asm_fn *a, uint32_t *entries) {
  size_t cap = 2 + a->f->ntargets;
  uint32_t *to = xmalloc(cap * sizeof *to);
  for (size_t b = 0; b < a->nblocks; b++) {
    const struct asm_block *k = &a->blocks[b];
    const struct mnem *m = k->n ? &a->mnems->mnems[k->v[k->n - 1].mnemonic] : NULL;
    if (!m || (m->fn != lower_op_bra && m->fn != lower_op_brx))
      continue;
    size_t n = asm_successors(a, b, to, cap);
    bool falls = k->v[k->n - 1].guard != PTX_NONE && b + 1 < a->nblocks && n; /* the last of them */
    for (size_t i = 0; i + falls < n; i++)
      if (to[i] != PTX_NONE)
        entries[to[i]]++;
  }
  free(to);
}

void asm_merge_blocks(struct asm_fn *a) {
  size_t kept = 0;
  uint32_t *place = xmalloc((a->nblocks + 1) * sizeof *place);
  uint32_t *entries = xcalloc(a->nblocks + 1, sizeof *entries);
  asm_targets(a, entries);
  for (size_t b = 0; b < a->nblocks; b++) {
    struct asm_block *k = &a->blocks[b], *before = kept ? &a->blocks[kept - 1] : NULL;
    bool ends = before && before->n && asm_kind(a, &before->v[before->n - 1]) == ASM_END;
    if (!before || entries[b] || ends) {
      a->blocks[kept] = *k;
      place[b] = (uint32_t)kept++;
      continue;
    }
    for (size_t i = 0; i < k->n; i++)
      VEC_PUSH(before->v, before->n, before->cap) = k->v[i];
    free(k->v);
    place[b] = PTX_NONE;
  }
  a->nblocks = kept;
  for (size_t i = 0; i < a->nlabels; i++)
    if (a->label_block[i] != PTX_NONE)
      a->label_block[i] = place[a->label_block[i]];
  free(place), free(entries);
}

struct scan {
  const struct asm_fn *a;
  struct asm_live *v;
  uint32_t *stamp, block, nglobal;
  uint64_t *gen, *kill;
};

static void find_exposed(void *ctx, uint32_t r, enum asm_role role) {
  struct scan *s = ctx;
  if (role != ASM_DEF && s->stamp[r] != s->block && s->v->number[r] == PTX_NONE)
    s->v->number[r] = s->nglobal++;
  if (role == ASM_DEF)
    s->stamp[r] = s->block;
}

static void fill_sets(void *ctx, uint32_t r, enum asm_role role) {
  struct scan *s = ctx;
  uint32_t g = s->v->number[r];
  if (g == PTX_NONE)
    return;
  uint64_t bit = UINT64_C(1) << (g & 63);
  if (role == ASM_DEF)
    s->kill[g >> 6] |= bit;
  else if (!(s->kill[g >> 6] & bit))
    s->gen[g >> 6] |= bit;
}

/* Registers that the caller reads after a function returns. */
static void visit_results(const struct asm_fn *a, asm_visit_fn *fn, void *ctx) {
  for (uint32_t k = 0; k < a->f->nrets; k++)
    for (uint32_t r = 0; a->f->rets[k].space == PTX_REG && r < a->nregs; r++)
      if (a->regs[r].num < 0 && !strcmp(a->regs[r].name, a->f->rets[k].name))
        fn(ctx, r, ASM_USE);
}

/* May the function end behind this block? */
static bool leaves(const struct asm_fn *a, const struct asm_block *k, size_t b) {
  return k->n == 0 || asm_kind(a, &k->v[k->n - 1]) == ASM_END || b + 1 == a->nblocks;
}

static void each(struct scan *s, asm_visit_fn *fn, uint64_t *gen, uint64_t *kill) {
  for (size_t b = 0; b < s->a->nblocks; b++) {
    const struct asm_block *k = &s->a->blocks[b];
    s->block = (uint32_t)b;
    s->gen = gen ? gen + b * s->v->words : NULL, s->kill = kill ? kill + b * s->v->words : NULL;
    for (size_t i = 0; i < k->n; i++)
      asm_visit(s->a, &k->v[i], fn, s);
    if (leaves(s->a, k, b))
      visit_results(s->a, fn, s);
  }
}

static void solve(const struct asm_fn *a, struct asm_live *v, const uint64_t *gen, const uint64_t *kill) {
  size_t cap = 2 + a->f->ntargets;
  uint32_t *to = xmalloc(cap * sizeof *to);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = v->nblocks; b-- > 0;) {
      uint64_t *in = v->in + b * v->words, *out = v->out + b * v->words;
      size_t n = asm_successors(a, b, to, cap);
      for (size_t i = 0; i < n; i++)
        for (uint32_t w = 0; to[i] != PTX_NONE && w < v->words; w++)
          out[w] |= v->in[(size_t)to[i] * v->words + w];
      for (uint32_t w = 0; w < v->words; w++) {
        uint64_t x = gen[b * v->words + w] | (out[w] & ~kill[b * v->words + w]);
        changed |= x != in[w];
        in[w] = x;
      }
    }
  }
  free(to);
}

void asm_liveness(const struct asm_fn *a, struct asm_live *v) {
  size_t nregs = a->nregs;
  *v = (struct asm_live){.nblocks = a->nblocks, .nregs = nregs};
  v->number = xmalloc(nregs * sizeof *v->number);
  memset(v->number, 0xff, nregs * sizeof *v->number);
  struct scan s = {.a = a, .v = v, .stamp = xmalloc(nregs * sizeof *s.stamp)};
  memset(s.stamp, 0xff, nregs * sizeof *s.stamp);
  each(&s, find_exposed, NULL, NULL);
  v->words = (s.nglobal + 63) / 64;
  v->of_number = xmalloc((s.nglobal + 1) * sizeof *v->of_number);
  for (uint32_t r = 0; r < nregs; r++)
    if (v->number[r] != PTX_NONE)
      v->of_number[v->number[r]] = r;
  size_t total = v->nblocks * v->words + 1;
  v->in = xcalloc(total, 8), v->out = xcalloc(total, 8);
  uint64_t *gen = xcalloc(total, 8), *kill = xcalloc(total, 8);
  each(&s, fill_sets, gen, kill);
  solve(a, v, gen, kill);
  free(gen), free(kill), free(s.stamp);
}

static void set_live(void *ctx, uint32_t r, enum asm_role role) {
  (void)role;
  ((uint8_t *)ctx)[r] = 1;
}

void asm_live_at_end(const struct asm_fn *a, const struct asm_live *v, size_t b, uint8_t *live) {
  const struct asm_block *k = &a->blocks[b];
  memset(live, 0, v->nregs);
  for (uint32_t w = 0; w < v->words; w++)
    for (uint64_t bits = v->out[b * v->words + w]; bits; bits &= bits - 1)
      live[v->of_number[w * 64 + (uint32_t)__builtin_ctzll(bits)]] = 1;
  if (leaves(a, k, b))
    visit_results(a, set_live, live);
}

void asm_live_at_head(const struct asm_live *v, size_t b, uint8_t *live) {
  memset(live, 0, v->nregs);
  for (uint32_t w = 0; w < v->words; w++)
    for (uint64_t bits = v->in [b * v->words + w]; bits; bits &= bits - 1)
      live[v->of_number[w * 64 + (uint32_t)__builtin_ctzll(bits)]] = 1;
}

void asm_live_free(struct asm_live *v) {
  free(v->in), free(v->out), free(v->number), free(v->of_number);
}
