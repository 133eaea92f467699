/* Sums as an assembler for compute capability 9 does them.
 *
 *   t = x * 4 (64 bits); d = t + p        d = mad.wide(x, 4, p)   whether or not others read t
 *   t = x << 4 (64 bits); d = t + p       d = shladd(x, 4, p)    where nothing else reads t (LEA, LEA.HI.X)
 *   t = a + b; d = t - c                  d = a + b - c           where nothing else reads t (IADD3)
 *   t = a + b; d = min(t, c)              one instruction (VIADDMNMX), likewise
 *   t = shf(a, b, 7); d = t + c           one instruction (LEA.HI), likewise
 *   t = a * b; d = t - c, of floats       one instruction (FFMA, HFMA2), the same result; -a of multiply-adds is an operand's sign
 *
 * The instructions are in one block, and no instruction between them writes a register that they read. */
#include "base/mem.h"
#include "front/ptx/assemble/asm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  return number(o) || o->kind == PTX_OP_F32 || o->kind == PTX_OP_F64 ||
         ((plain(s, o, 32) || plain(s, o, 64)) && (s->stamp[o->id] != s->block || s->at[o->id] <= then));
}

/* The instruction of the block that wrote the operand last, unless it is guarded; *then: its place. */
static const struct ptx_inst *written_by(const struct sums *s, const struct asm_block *k,
                                         const struct ptx_operand *o, size_t *then) {
  if (s->stamp[o->id] != s->block)
    return NULL;
  *then = s->at[o->id] - 1;
  const struct ptx_inst *in = &k->v[*then];
  const struct ptx_operand *d = &s->a->ops[in->first_op];
  return in->guard == PTX_NONE && in->nops >= 2 && d->kind == PTX_OP_REG && d->id == o->id ? in : NULL;
}

/* add or sub of so many bits, without carry or saturation */
static bool is_sum(const struct sums *s, const struct ptx_inst *in, unsigned bits) {
  const struct mnem *m = mnem_of(s, in);
  bool wide = tok_is(m, 1, "s64") || tok_is(m, 1, "u64"), narrow = tok_is(m, 1, "s32") || tok_is(m, 1, "u32");
  return in->guard == PTX_NONE && in->nops == 3 && m->ntok == 2 && (bits == 64 ? wide : narrow) &&
         (tok_is(m, 0, "add") || (tok_is(m, 0, "sub") && bits == 32)) &&
         plain(s, &s->a->ops[in->first_op], bits);
}

static void replace_by(struct sums *s, struct ptx_inst *in, const char *name, const struct ptx_operand *ops,
                       unsigned n) {
  uint16_t more = in->more;
  *in = asm_inst(s->a, in, name, ops, n);
  in->more = more;
}

static void replace(struct sums *s, struct ptx_inst *in, const char *name, const struct ptx_operand *ops) {
  replace_by(s, in, name, ops, 4);
}

/* add d = p + x * number */
static bool join_product(struct sums *s, const struct asm_block *k, struct ptx_inst *in) {
  if (!is_sum(s, in, 64))
    return false;
  for (unsigned i = 1; i < 3; i++) {
    size_t then;
    const struct ptx_operand *o = &s->a->ops[in->first_op];
    const struct ptx_inst *product =
        plain(s, &o[i], 64) && o[3 - i].kind == PTX_OP_REG ? written_by(s, k, &o[i], &then) : NULL;
    const struct mnem *m = product ? mnem_of(s, product) : NULL;
    const struct ptx_operand *f = product ? &s->a->ops[product->first_op] : NULL;
    if (!m || m->ntok != 3 || product->nops != 3 || !tok_is(m, 0, "mul") || !tok_is(m, 1, "wide") ||
        !(tok_is(m, 2, "s32") || tok_is(m, 2, "u32")) || !plain(s, &f[1], 32) || !lasts(s, &f[1], then) ||
        !number(&f[2]))
      continue;
    const struct ptx_operand ops[4] = {o[0], f[1], f[2], o[3 - i]};
    replace(s, in, tok_is(m, 2, "s32") ? "mad.wide.s32" : "mad.wide.u32", ops);
    return true;
  }
  return false;
}

/* add d = p + (x << number), where nothing else reads the shifted one */
static bool join_shifted(struct sums *s, const struct asm_block *k, struct ptx_inst *in) {
  if (!is_sum(s, in, 64))
    return false;
  for (unsigned i = 1; i < 3; i++) {
    size_t then;
    const struct ptx_operand *o = &s->a->ops[in->first_op];
    const struct ptx_inst *shift =
        plain(s, &o[i], 64) && o[3 - i].kind == PTX_OP_REG && s->reads[o[i].id] == 1
            ? written_by(s, k, &o[i], &then)
            : NULL;
    const struct mnem *m = shift ? mnem_of(s, shift) : NULL;
    const struct ptx_operand *f = shift ? &s->a->ops[shift->first_op] : NULL;
    if (!m || m->ntok != 2 || shift->nops != 3 || !tok_is(m, 0, "shl") || !tok_is(m, 1, "b64") ||
        !plain(s, &f[1], 64) || !lasts(s, &f[1], then) || !number(&f[2]) || f[2].u > 31)
      continue;
    const struct ptx_operand ops[4] = {o[0], f[1], o[3 - i], f[2]};
    replace(s, in, "shladd.b64", ops);
    return true;
  }
  return false;
}

/* and d = x, number of 32 bits: the upper half of the result is 0 */
static bool keep_lower(struct sums *s, struct ptx_inst *in) {
  const struct mnem *m = mnem_of(s, in);
  const struct ptx_operand *o = &s->a->ops[in->first_op];
  if (in->guard != PTX_NONE || in->nops != 3 || m->ntok != 2 || !tok_is(m, 0, "and") ||
      !tok_is(m, 1, "b64") || !number(&o[2]) || o[2].u > UINT32_MAX)
    return false;
  const struct ptx_operand ops[3] = {o[0], o[1], o[2]};
  replace_by(s, in, "andlow.u32", ops, 3);
  return true;
}

static bool is_float(const struct mnem *m, const char *op, const char *type) {
  return m->ntok == 2 && tok_is(m, 0, op) && tok_is(m, 1, type);
}

/* d = x * y + z, where the product was rounded by itself and nothing else reads it: machine code rounds once, here results are kept */
static bool join_float(struct sums *s, const struct asm_block *k, struct ptx_inst *in, const char *type) {
  const struct mnem *m = mnem_of(s, in);
  bool minus = is_float(m, "sub", type), f64 = type[1] == '6';
  unsigned bits = f64 ? 64 : 32;
  if (in->guard != PTX_NONE || in->nops != 3 || (!minus && !is_float(m, "add", type)))
    return false;
  for (unsigned i = 1; i < 3; i++) {
    size_t then;
    const struct ptx_operand *o = &s->a->ops[in->first_op];
    const struct ptx_inst *product = plain(s, &o[0], bits) && plain(s, &o[i], bits) && s->reads[o[i].id] == 1
                                         ? written_by(s, k, &o[i], &then)
                                         : NULL;
    const struct ptx_operand *f = product ? &s->a->ops[product->first_op] : NULL;
    if (!product || product->nops != 3 || !is_float(mnem_of(s, product), "mul", type) ||
        !lasts(s, &f[1], then) || !lasts(s, &f[2], then) ||
        (f[1].kind != PTX_OP_REG) + (f[2].kind != PTX_OP_REG) + (o[3 - i].kind != PTX_OP_REG) > 1)
      continue;
    const struct ptx_operand ops[4] = {o[0], f[1], f[2], o[3 - i]};
    char name[16];
    snprintf(name, sizeof name, "%s.%s",
             minus           ? i == 1 ? "mulsub" : "submul"
             : f64 && i == 2 ? "addmul"
                             : "muladd",
             type);
    replace(s, in, name, ops);
    return true;
  }
  return false;
}

/* The operand before a change of its sign in this block. */
static bool negated(const struct sums *s, const struct asm_block *k, const struct ptx_operand *o,
                    const char *type, struct ptx_operand *to) {
  size_t then;
  const struct ptx_inst *in = plain(s, o, type[1] == '6' ? 64 : 32) ? written_by(s, k, o, &then) : NULL;
  if (!in || in->nops != 2 || !is_float(mnem_of(s, in), "neg", type))
    return false;
  *to = s->a->ops[in->first_op + 1];
  return to->kind == PTX_OP_REG && lasts(s, to, then);
}

/* Multiply-adds take signs along. */
static bool take_signs(struct sums *s, const struct asm_block *k, struct ptx_inst *in, const char *type) {
  static const char *const names[] = {"fnma", "fms", "fnms"};
  const struct mnem *m = mnem_of(s, in);
  if (in->guard != PTX_NONE || in->nops != 4 || m->ntok != 3 || !tok_is(m, 0, "fma") || !tok_is(m, 1, "rn") ||
      !tok_is(m, 2, type))
    return false;
  struct ptx_operand ops[4], to;
  memcpy(ops, &s->a->ops[in->first_op], sizeof ops);
  bool product = false, sum = negated(s, k, &ops[3], type, &to);
  if (sum)
    ops[3] = to;
  for (unsigned i = 1; i < 3; i++)
    if (negated(s, k, &ops[i], type, &to))
      ops[i] = to, product = !product;
  if (!product && !sum) /* or twice, which is left */
    return false;
  char name[16];
  snprintf(name, sizeof name, "%s.%s", names[product + 2 * sum - 1], type);
  replace(s, in, name, ops);
  return true;
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

/* The block's instruction whose result only operand o reads, and its operands. */
static const struct ptx_operand *only_read(const struct sums *s, const struct asm_block *k,
                                           const struct ptx_operand *o, const struct ptx_inst **in,
                                           size_t *then) {
  *in = plain(s, o, 32) && s->reads[o->id] == 1 ? written_by(s, k, o, then) : NULL;
  return *in ? &s->a->ops[(*in)->first_op] : NULL;
}

/* min d = (a + b), c */
static bool join_limit(struct sums *s, const struct asm_block *k, struct ptx_inst *in) {
  const struct mnem *m = mnem_of(s, in);
  bool least = tok_is(m, 0, "min");
  if (in->guard != PTX_NONE || in->nops != 3 || m->ntok != 2 || (!least && !tok_is(m, 0, "max")) ||
      !(tok_is(m, 1, "s32") || tok_is(m, 1, "u32")))
    return false;
  for (unsigned i = 1; i < 3; i++) {
    size_t then;
    const struct ptx_inst *sum;
    const struct ptx_operand *o = &s->a->ops[in->first_op], *f = only_read(s, k, &o[i], &sum, &then);
    if (!f || !is_sum(s, sum, 32) || tok_is(mnem_of(s, sum), 0, "sub") || !lasts(s, &f[1], then) ||
        !lasts(s, &f[2], then) || number(&f[1]) + number(&f[2]) + number(&o[3 - i]) > 1)
      continue;
    const struct ptx_operand ops[4] = {o[0], f[1], f[2], o[3 - i]};
    char name[16];
    snprintf(name, sizeof name, "add%s.%.3s", least ? "min" : "max", m->tok[1].s);
    replace(s, in, name, ops);
    return true;
  }
  return false;
}

/* add d = (high : low << number) + c */
static bool join_rotation(struct sums *s, const struct asm_block *k, struct ptx_inst *in) {
  if (!is_sum(s, in, 32) || tok_is(mnem_of(s, in), 0, "sub"))
    return false;
  for (unsigned i = 1; i < 3; i++) {
    size_t then;
    const struct ptx_inst *shift;
    const struct ptx_operand *o = &s->a->ops[in->first_op], *f = only_read(s, k, &o[i], &shift, &then);
    const struct mnem *m = f ? mnem_of(s, shift) : NULL;
    if (!m || !tok_is(m, 0, "shf") || !tok_is(m, 2, "wrap") || shift->nops != 4 || !number(&f[3]) ||
        !(f[3].u & 31) || f[1].kind != PTX_OP_REG || f[2].kind != PTX_OP_REG || !plain(s, &o[3 - i], 32) ||
        !lasts(s, &f[1], then) || !lasts(s, &f[2], then))
      continue;
    unsigned by = f[3].u & 31;
    const struct ptx_operand ops[5] = {o[0], f[1], f[2], o[3 - i],
                                       asm_op_int(tok_is(m, 1, "l") ? by : 32 - by)};
    replace_by(s, in, "shfadd.b32", ops, 5);
    return true;
  }
  return false;
}

static void join_products(struct sums *s, const struct asm_block *k, struct ptx_inst *in) {
  if (ptx_type_kind(mnem_type(mnem_of(s, in), 0)) != 'f')
    (void)(join_product(s, k, in) || join_shifted(s, k, in) || keep_lower(s, in));
  else if (!take_signs(s, k, in, "f32") && !take_signs(s, k, in, "f64") && !join_float(s, k, in, "f32") &&
           !join_float(s, k, in, "f64"))
    join_float(s, k, in, "f16x2");
}

static void each(struct asm_fn *a, bool products) {
  size_t n = a->nregs + 1;
  struct sums s = {.a = a};
  s.reads = xcalloc(n, sizeof *s.reads), s.stamp = xcalloc(n, sizeof *s.stamp),
  s.at = xcalloc(n, sizeof *s.at);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count_read, &s);
  for (size_t b = 0; b < a->nblocks; b++) {
    struct asm_block *k = &a->blocks[b];
    s.block++;
    for (size_t i = 0; i < k->n; i++) {
      s.now = i;
      if (products)
        join_products(&s, k, &k->v[i]);
      else if (!join_rotation(&s, k, &k->v[i]) && !join_sum(&s, k, &k->v[i]))
        join_limit(&s, k, &k->v[i]);
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
