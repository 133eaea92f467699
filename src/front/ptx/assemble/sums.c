/* Sums as an assembler for compute capability 9 does them.
 *
 *   t = x * 4 (64 bits); d = t + p        d = mad.wide(x, 4, p)   whether or not others read t
 *   t = a + b; d = t - c                  d = a + b - c           where nothing else reads t (IADD3)
 *
 * The instructions are in one block, and no instruction between them writes a register that they read. */
#include "base/mem.h"
#include "front/ptx/assemble/asm.h"
#include <stdio.h>
#include <stdlib.h>

struct sums {
  struct asm_fn *a;
  uint32_t *reads;        /* by register, in the function */
  uint32_t *stamp, block; /* by register: the block for which `at` holds */
  uint32_t *at;           /* by register: place after its last write in the block */
  size_t now;
};

static void count_read(void *ctx, uint32_t r, enum asm_role role) {
  ((struct sums *)ctx)->reads[r] += role != ASM_DEF;
}

static void note_write(void *ctx, uint32_t r, enum asm_role role) {
  struct sums *s = ctx;
  if (role == ASM_USE)
    return;
  s->stamp[r] = s->block;
  s->at[r] = (uint32_t)s->now + 1;
}

static const struct mnem *mnem_of(const struct sums *s, const struct ptx_inst *in) {
  return &s->a->mnems->mnems[in->mnemonic];
}

static bool plain(const struct sums *s, const struct ptx_operand *o, unsigned bits) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp && s->a->regs[o->id].vec <= 1 &&
         ptx_type_bits(s->a->regs[o->id].type) == bits;
}

static bool number(const struct ptx_operand *o) {
  return o->kind == PTX_OP_INT && !o->comp;
}

/* Has a source the same value now as at `then`? */
static bool lasts(const struct sums *s, const struct ptx_operand *o, size_t then) {
  return number(o) || (plain(s, o, 32) && (s->stamp[o->id] != s->block || s->at[o->id] <= then));
}

/* The instruction of the block that wrote the operand last, unless it is guarded; *then: its place. */
static const struct ptx_inst *written_by(const struct sums *s, const struct asm_block *k,
                                         const struct ptx_operand *o, size_t *then) {
  if (s->stamp[o->id] != s->block)
    return NULL;
  *then = s->at[o->id] - 1;
  const struct ptx_inst *in = &k->v[*then];
  const struct ptx_operand *d = &s->a->ops[in->first_op];
  return in->guard == PTX_NONE && in->nops == 3 && d->kind == PTX_OP_REG && d->id == o->id ? in : NULL;
}

/* add or sub of so many bits, without carry or saturation */
static bool is_sum(const struct sums *s, const struct ptx_inst *in, unsigned bits) {
  const struct mnem *m = mnem_of(s, in);
  bool wide = tok_is(m, 1, "s64") || tok_is(m, 1, "u64"), narrow = tok_is(m, 1, "s32") || tok_is(m, 1, "u32");
  return in->guard == PTX_NONE && in->nops == 3 && m->ntok == 2 && (bits == 64 ? wide : narrow) &&
         (tok_is(m, 0, "add") || (tok_is(m, 0, "sub") && bits == 32)) &&
         plain(s, &s->a->ops[in->first_op], bits);
}

static void replace(struct sums *s, struct ptx_inst *in, const char *name, const struct ptx_operand *ops) {
  uint16_t more = in->more;
  *in = asm_inst(s->a, in, name, ops, 4);
  in->more = more;
}

/* add d = p + x * number */
static void join_product(struct sums *s, const struct asm_block *k, struct ptx_inst *in) {
  if (!is_sum(s, in, 64))
    return;
  for (unsigned i = 1; i < 3; i++) {
    size_t then;
    const struct ptx_operand *o = &s->a->ops[in->first_op];
    const struct ptx_inst *product =
        plain(s, &o[i], 64) && o[3 - i].kind == PTX_OP_REG ? written_by(s, k, &o[i], &then) : NULL;
    const struct mnem *m = product ? mnem_of(s, product) : NULL;
    const struct ptx_operand *f = product ? &s->a->ops[product->first_op] : NULL;
    if (!m || m->ntok != 3 || !tok_is(m, 0, "mul") || !tok_is(m, 1, "wide") ||
        !(tok_is(m, 2, "s32") || tok_is(m, 2, "u32")) || !plain(s, &f[1], 32) || !lasts(s, &f[1], then) ||
        !number(&f[2]))
      continue;
    const struct ptx_operand ops[4] = {o[0], f[1], f[2], o[3 - i]};
    replace(s, in, tok_is(m, 2, "s32") ? "mad.wide.s32" : "mad.wide.u32", ops);
    return;
  }
}

/* A sum of three: its terms, those that are added first. */
struct three {
  struct ptx_operand plus[3], minus[3];
  unsigned nplus, nminus;
};

static void add_term(struct three *t, const struct ptx_operand *o, bool minus) {
  if (minus)
    t->minus[t->nminus++] = *o;
  else
    t->plus[t->nplus++] = *o;
}

/* add d = (a + b) + c, and the same with differences; machine code has room for one number */
static bool join_sum(struct sums *s, const struct asm_block *k, struct ptx_inst *in) {
  static const char *const names[] = {"sub3.b32", "addsub.b32", "add3.b32"}; /* by terms that are added */
  if (!is_sum(s, in, 32))
    return false;
  for (unsigned i = 1; i < 3; i++) {
    size_t then;
    const struct ptx_operand *o = &s->a->ops[in->first_op];
    const struct ptx_inst *first =
        plain(s, &o[i], 32) && s->reads[o[i].id] == 1 ? written_by(s, k, &o[i], &then) : NULL;
    if (!first || !is_sum(s, first, 32) || (o[3 - i].kind != PTX_OP_REG && !number(&o[3 - i])) ||
        (o[3 - i].kind == PTX_OP_REG && !plain(s, &o[3 - i], 32)))
      continue;
    const struct ptx_operand *f = &s->a->ops[first->first_op];
    bool outer = tok_is(mnem_of(s, in), 0, "sub"), inner = tok_is(mnem_of(s, first), 0, "sub");
    struct three t = {.nplus = 0};
    add_term(&t, &f[1], outer && i == 2);
    add_term(&t, &f[2], inner != (outer && i == 2));
    add_term(&t, &o[3 - i], outer && i == 1);
    if (!lasts(s, &f[1], then) || !lasts(s, &f[2], then) || !t.nplus ||
        number(&f[1]) + number(&f[2]) + number(&o[3 - i]) > 1)
      continue;
    struct ptx_operand ops[4] = {o[0]};
    for (unsigned n = 0; n < 3; n++)
      ops[n + 1] = n < t.nplus ? t.plus[n] : t.minus[n - t.nplus];
    replace(s, in, names[t.nplus - 1], ops);
    return true;
  }
  return false;
}

static void each(struct asm_fn *a, bool products) {
  size_t n = a->nregs + 1;
  struct sums s = {.a = a};
  s.reads = xcalloc(n, sizeof *s.reads), s.stamp = xcalloc(n, sizeof *s.stamp),
  s.at = xcalloc(n, sizeof *s.at);
  for (size_t b = 0; b < a->nblocks && !products; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count_read, &s);
  for (size_t b = 0; b < a->nblocks; b++) {
    struct asm_block *k = &a->blocks[b];
    s.block++;
    for (size_t i = 0; i < k->n; i++) {
      s.now = i;
      if (products)
        join_product(&s, k, &k->v[i]);
      else
        join_sum(&s, k, &k->v[i]);
      asm_visit(a, &k->v[i], note_write, &s);
    }
  }
  free(s.reads), free(s.stamp), free(s.at);
}

void asm_join_products(struct asm_fn *a) {
  each(a, true);
}

void asm_join_sums(struct asm_fn *a) {
  each(a, false);
}
