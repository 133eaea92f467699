/* What operands of machine code do to their registers, for which PTX has instructions.
 *
 *   neg.f32 %f2 = %f1; add.f32 %f3 = %f4 + %f2          FADD R3, R4, -R1      signs and amounts of f32 and f64, signs of pairs of f16
 *   cvt.u64.u32 %rd2 = %r1; add.s64 %rd3 = %rd1 + %rd2  IADD3 and IADD3.X with RZ: values of 64 bits are pairs of registers
 *   cvt.s64.s32 %rd2 = %r1; add.s64 %rd3 = %rd1 + %rd2  IADD3 and LEA.HI.X.SX32, if nothing else reads the extended number
 *   shr.u64 %rd2 = %rd1, 32; add.s64 %rd3 = %rd4 + %rd2 the same; likewise a mask of the lower half
 *   cvt.u32.u64 %r2 = %rd1; add.s32 %r3 = %r2 + 1       IADD3 of the lower one
 *   not.pred %p2 = %p1; @%p2 bra                        @!P1 BRA
 *
 * The instruction stays where one of its readers cannot do so. */
#include "front/ptx/assemble/origins.h"
#include <stdlib.h>
#include <string.h>

struct take {
  struct asm_fn *a;
  struct asm_origins from;
  uint32_t *stamp, block; /* by register: the block for which `at` holds */
  uint32_t *reads;        /* by register, in the function */
  size_t *at, now;        /* by register: place after its last write in the block */
  const struct asm_block *k;
};

static const struct mnem *mnem_of(const struct take *t, const struct ptx_inst *in) {
  return &t->a->mnems->mnems[in->mnemonic];
}

static bool starts(const struct mnem *m, const char *const *names) {
  for (; *names; names++)
    if (tok_is(m, 0, *names))
      return true;
  return false;
}

/* The half of 64 bits that an instruction leaves, as 64 bits. */
static enum ptx_change half_of(const struct mnem *m, const struct ptx_operand *by) {
  if (by->kind != PTX_OP_INT || by->comp)
    return PTX_AS_IS;
  if (by->u == 32 && (strcmp(m->text, "shr.u64") == 0 || strcmp(m->text, "shr.b64") == 0))
    return PTX_UPPER_HALF;
  bool mask = strcmp(m->text, "and.b64") == 0 || strcmp(m->text, "andlow.u32") == 0;
  return mask && by->u == UINT32_MAX ? PTX_LOWER_HALF : PTX_AS_IS;
}

/* The change that an instruction is, of its one source; PTX_AS_IS: none. *narrow: the source's lower half. */
static enum ptx_change change_of(const struct mnem *m, bool *narrow) {
  static const struct {
    const char *name;
    enum ptx_change change;
  } changes[] = {{"neg.f32", PTX_NEG_F32},      {"abs.f32", PTX_ABS_F32},
                 {"neg.f64", PTX_NEG_F64},      {"abs.f64", PTX_ABS_F64},
                 {"neg.f16x2", PTX_NEG_F16X2},  {"cvt.u64.u32", PTX_EXTENDED},
                 {"cvt.s64.u32", PTX_EXTENDED}, {"cvt.s64.s32", PTX_SIGN_EXTENDED}};
  static const char *const halves[] = {"cvt.u32.u64", "cvt.s32.s64", "cvt.u32.s64", "cvt.s32.u64"};
  *narrow = false;
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
    *narrow |= strcmp(m->text, halves[i]) == 0;
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
    if (strcmp(m->text, changes[i].name) == 0)
      return changes[i].change;
  return PTX_AS_IS;
}

/* Can machine code do so to an operand of this type? */
static bool takes(const struct mnem *m, enum ptx_type t, enum ptx_change c, bool narrow) {
  static const char *const both[] = {"add", "sub", "setp", NULL}, *const f32[] = {"mul",   "min",  "max",
                                                                                  "ex2",   "lg2",  "rcp",
                                                                                  "rsqrt", "sqrt", NULL},
                           *const signs[] = {"mul",    "fma",    "fnma",   "fms",    "fnms",
                                             "muladd", "addmul", "mulsub", "submul", NULL},
                           *const pairs[] = {"and", "or", "xor", "min", "max", "selp", NULL};
  switch (c) {
  case PTX_NEG_F32:
    return t == PTX_F32 && (starts(m, both) || starts(m, signs) || starts(m, f32));
  case PTX_ABS_F32:
    return t == PTX_F32 && (starts(m, both) || starts(m, f32));
  case PTX_NEG_F64:
    return t == PTX_F64 && (starts(m, both) || starts(m, signs));
  case PTX_ABS_F64:
    return t == PTX_F64 && starts(m, both);
  case PTX_NEG_F16X2:
    return t == PTX_F16X2 && (starts(m, both) || starts(m, signs) || starts(m, f32));
  case PTX_EXTENDED:
  case PTX_LOWER_HALF:
  case PTX_UPPER_HALF:
    return ptx_type_bits(t) == 64 && ptx_type_kind(t) != 'f' && (starts(m, both) || starts(m, pairs));
  case PTX_SIGN_EXTENDED: /* LEA.HI.X.SX32 */
    return ptx_type_bits(t) == 64 && ptx_type_kind(t) != 'f' && tok_is(m, 0, "add") && m->ntok == 2;
  default:
    return narrow && ptx_type_bits(t) == 32 && ptx_type_kind(t) != 'f';
  }
}

static bool plain(const struct take *t, const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp && !o->change && t->a->regs[o->id].vec <= 1;
}

/* One source, or one and a number that says which half of it is left? */
static bool changes_one(const struct take *t, const struct ptx_inst *in) {
  return in->nops == 2 || (in->nops == 3 && half_of(mnem_of(t, in), &t->a->ops[in->first_op + 2]));
}

/* What an operand comes from, by the block or by the one write of its register; its source `s` still is what it was. */
static const struct ptx_inst *source_of(const struct take *t, const struct ptx_operand *o,
                                        const struct ptx_operand **s) {
  const struct ptx_inst *in = plain(t, o) && t->stamp[o->id] == t->block ? &t->k->v[t->at[o->id] - 1] : NULL;
  const struct ptx_operand *d = in && changes_one(t, in) ? &t->a->ops[in->first_op] : NULL;
  if (d && in->guard == PTX_NONE && d->kind == PTX_OP_REG && d->id == o->id && plain(t, &d[1]) &&
      (t->stamp[d[1].id] != t->block || t->at[d[1].id] < t->at[o->id])) {
    *s = &d[1];
    return in;
  }
  in = asm_origin(&t->from, o);
  *s = in && changes_one(t, in) ? &t->a->ops[in->first_op + 1] : NULL;
  return *s && plain(t, *s) && asm_origin(&t->from, *s) ? in : NULL;
}

static void count_read(void *ctx, uint32_t r, enum asm_role role) {
  ((struct take *)ctx)->reads[r] += role != ASM_DEF;
}

static void note_write(void *ctx, uint32_t r, enum asm_role role) {
  struct take *t = ctx;
  if (role != ASM_USE)
    t->stamp[r] = t->block, t->at[r] = t->now + 1;
}

static void take_sources(struct take *t, const struct ptx_inst *in) {
  const struct mnem *m = mnem_of(t, in);
  const struct ptx_op *op = m->op.op;
  for (unsigned i = 0; op && i < op->nsrc && i + 1u < in->nops; i++) {
    struct ptx_operand *o = &t->a->ops[in->first_op + i + 1];
    const struct ptx_operand *s;
    const struct ptx_inst *from = source_of(t, o, &s);
    if (!from)
      continue;
    const struct mnem *c = mnem_of(t, from);
    bool narrow;
    enum ptx_change change = change_of(c, &narrow);
    if (from->nops == 3)
      change = half_of(c, &t->a->ops[from->first_op + 2]);
    if (change == PTX_SIGN_EXTENDED && (t->reads[o->id] != 1 || (i && o[-1].change == change)))
      continue; /* a sum takes one sign along, and several sums share it */
    unsigned bits = change == PTX_EXTENDED || change == PTX_SIGN_EXTENDED ? 32
                    : narrow || change >= PTX_LOWER_HALF                  ? 64
                                                         : ptx_type_bits(t->a->regs[o->id].type);
    if ((change != PTX_AS_IS || narrow) && ptx_type_bits(t->a->regs[s->id].type) == bits &&
        takes(m, (enum ptx_type)op->stype[i], change, narrow)) {
      o->id = s->id;
      o->change = (uint16_t)change;
    }
  }
}

/* The predicate that a register is the opposite of. */
static bool opposite(const struct take *t, const struct ptx_operand *o, uint32_t *of) {
  const struct ptx_inst *from = asm_origin(&t->from, o);
  if (!from || from->nops != 2 || strcmp(mnem_of(t, from)->text, "not.pred") != 0)
    return false;
  const struct ptx_operand *s = &t->a->ops[from->first_op + 1];
  *of = s->id;
  return plain(t, s) && asm_origin(&t->from, s);
}

static void take_predicates(struct take *t, struct ptx_inst *in) {
  const struct mnem *m = mnem_of(t, in);
  const struct ptx_operand guard = {.kind = PTX_OP_REG, .id = in->guard};
  uint32_t of;
  if (in->guard != PTX_NONE && opposite(t, &guard, &of))
    in->guard = of, in->guard_neg = !in->guard_neg;
  for (unsigned i = 0; m->op.op && m->fn == lower_op_alu && i < m->op.op->nsrc && i + 1u < in->nops; i++) {
    struct ptx_operand *o = &t->a->ops[in->first_op + i + 1];
    if (m->op.op->stype[i] == PTX_PRED && !tok_is(m, 0, "not") && opposite(t, o, &of))
      o->id = of, o->neg = 1;
  }
}

void asm_take_operands(struct asm_fn *a) {
  struct take t = {.a = a};
  asm_origins_find(&t.from, a);
  t.stamp = xcalloc(a->nregs + 1, sizeof *t.stamp), t.at = xcalloc(a->nregs + 1, sizeof *t.at);
  t.reads = xcalloc(a->nregs + 1, sizeof *t.reads);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count_read, &t);
  for (size_t b = 0; b < a->nblocks; b++) {
    t.k = &a->blocks[b];
    t.block++;
    for (t.now = 0; t.now < t.k->n; t.now++) {
      struct ptx_inst *in = &a->blocks[b].v[t.now];
      const struct mnem *m = mnem_of(&t, in);
      if (m->fn == lower_op_alu || (m->fn == lower_op_lop3 && m->op.op))
        take_sources(&t, in);
      take_predicates(&t, in);
      asm_visit(a, in, note_write, &t);
    }
  }
  free(t.stamp), free(t.at), free(t.reads);
  asm_origins_free(&t.from);
}
