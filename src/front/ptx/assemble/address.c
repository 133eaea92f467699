/* Addresses of local memory, shared memory and constants, which machine code computes in 32 bits: a number that is extended for its sum with an
 * address takes no instruction.
 *
 *   cvt.u64.u32 %rd2 = %r1                     the same conversion, if others read it
 *   add.s64     %rd3 = %rd1 + %rd2             %rd3 = addwide.u32(%r1, %rd1)
 *   ld.local    [%rd3]
 *
 *   mov.u64     %rd1 = table                   a constant's name is a part of the instruction (LDC c[3][R + table])
 *   add.s64     %rd3 = %rd1 + %rd2
 *   ld.const    [%rd3]                         ld.const [%r1, table]
 *
 *   mov.u32     %r1 = table                    likewise a name of shared memory, if all that reads the sum are such addresses (LDS [R + UR])
 *   add.s32     %r3 = %r1 + %r2
 *   ld.shared   [%r3]                          ld.shared [%r2, table]
 *
 * Sums stay what they are, bit for bit. */
#include "front/ptx/assemble/origins.h"
#include <stdlib.h>
#include <string.h>

struct narrow_address {
  struct asm_fn *a;
  struct asm_origins from;
  bool *narrow; /* by register: an address of 32 bits */
};

static const struct mnem *mnem_of(const struct narrow_address *s, const struct ptx_inst *in) {
  return &s->a->mnems->mnems[in->mnemonic];
}

static const struct ptx_inst *origin(const struct narrow_address *s, const struct ptx_operand *o) {
  return asm_origin(&s->from, o);
}

static struct ptx_operand *operands(const struct narrow_address *s, const struct ptx_inst *in) {
  return &s->a->ops[in->first_op];
}

/* The address of a load or store that is not of global memory. */
static struct ptx_operand *access(const struct narrow_address *s, const struct ptx_inst *in) {
  const struct asm_traits *t = asm_traits(s->a, in);
  if ((t->kind != ASM_LOAD && t->kind != ASM_STORE) || in->nops <= t->has_result ||
      (t->space != PTX_LOCAL && t->space != PTX_SHARED && t->space != PTX_CONST))
    return NULL;
  struct ptx_operand *o = operands(s, in) + t->has_result;
  return o->kind == PTX_OP_ADDR && o->n == 1 && s->a->ops[o->first].kind == PTX_OP_REG ? o : NULL;
}

/* A number of 32 bits that was extended: x, or x & mask. */
struct extended {
  struct ptx_operand x;
  bool is_signed, masked;
  uint64_t mask;
};

static bool extended(const struct narrow_address *s, const struct ptx_operand *o, struct extended *e) {
  const struct ptx_inst *in = origin(s, o);
  const struct mnem *m = in ? mnem_of(s, in) : NULL;
  *e = (struct extended){.masked = false};
  if (m && m->ntok == 2 && in->nops == 3 && tok_is(m, 0, "and") && tok_is(m, 1, "b64")) {
    const struct ptx_operand *f = operands(s, in);
    e->masked = true;
    e->mask = f[2].u;
    if (s->a->order_shows) /* turns are counted in instructions of the text, and the mask is a new one */
      return false;
    if (f[2].kind != PTX_OP_INT || f[2].comp || e->mask > UINT32_MAX)
      return false;
    in = origin(s, &f[1]);
    m = in ? mnem_of(s, in) : NULL;
  }
  if (!m || m->ntok != 3 || in->nops != 2 || !tok_is(m, 0, "cvt"))
    return false;
  e->x = operands(s, in)[1];
  e->is_signed = tok_is(m, 1, "s64") && tok_is(m, 2, "s32");
  return (e->is_signed || ((tok_is(m, 1, "u64") || tok_is(m, 1, "s64")) && tok_is(m, 2, "u32"))) &&
         origin(s, &e->x) && ptx_type_bits(s->a->regs[e->x.id].type) == 32;
}

static bool is_sum(const struct narrow_address *s, const struct ptx_inst *in) {
  const struct mnem *m = mnem_of(s, in);
  return in->guard == PTX_NONE && in->nops == 3 && m->ntok == 2 && tok_is(m, 0, "add") &&
         (tok_is(m, 1, "s64") || tok_is(m, 1, "u64"));
}

/* The register x & mask in front of an instruction of the block. */
static struct ptx_operand put_mask(struct narrow_address *s, struct asm_block *k, size_t at,
                                   const struct extended *e) {
  if (!e->masked)
    return e->x;
  struct ptx_operand t = asm_op_reg(asm_new_reg(s->a, e->x.id));
  const struct ptx_operand ops[3] = {t, e->x, asm_op_int((int64_t)(int32_t)(uint32_t)e->mask)};
  struct ptx_inst in = asm_inst(s->a, &k->v[at], "and.b32", ops, 3);
  VEC_PUSH(k->v, k->n, k->cap) = in;
  memmove(&k->v[at + 1], &k->v[at], (k->n - 1 - at) * sizeof *k->v);
  k->v[at] = in;
  return t;
}

/* add address = x + extended number; gives how many instructions are in its place. */
static size_t join_sum(struct narrow_address *s, struct asm_block *k, size_t at) {
  const struct ptx_operand *o = operands(s, &k->v[at]);
  if (!is_sum(s, &k->v[at]) || o[0].kind != PTX_OP_REG || o[0].id >= s->from.nregs || !s->narrow[o[0].id])
    return 1;
  for (unsigned i = 2; i > 0; i--) {
    struct extended e;
    if (!extended(s, &o[i], &e) || o[3 - i].kind != PTX_OP_REG)
      continue;
    const struct ptx_operand d = o[0], base = o[3 - i];
    struct ptx_operand x = put_mask(s, k, at, &e); /* operands move */
    at += e.masked;
    const struct ptx_operand ops[3] = {d, x, base};
    uint16_t more = k->v[at].more;
    k->v[at] = asm_inst(s->a, &k->v[at], e.is_signed && !e.masked ? "addwide.s32" : "addwide.u32", ops, 3);
    k->v[at].more = more;
    return 1u + e.masked;
  }
  return 1;
}

/* Is the register the address of a name in the constants or in shared memory, or at a distance from it? */
static bool is_name(const struct narrow_address *s, const struct ptx_operand *o, struct ptx_operand *name) {
  const struct ptx_inst *in = origin(s, o);
  const struct mnem *m = in ? mnem_of(s, in) : NULL;
  const struct ptx_operand *f = in ? operands(s, in) : NULL;
  uint64_t more = 0;
  if (m && tok_is(m, 0, "add") && m->ntok == 2 && in->nops == 3 && f[2].kind == PTX_OP_INT && !f[2].comp) {
    more = f[2].u;
    in = origin(s, &f[1]);
    m = in ? mnem_of(s, in) : NULL;
  }
  if (!m || m->fn != lower_op_mov || in->nops != 2 || operands(s, in)[1].kind != PTX_OP_SYM)
    return false;
  *name = operands(s, in)[1];
  name->u += more;
  const struct ptx_symbol *symbol = &s->a->f->syms[name->id];
  const struct ptx_var *v = symbol->kind == PTX_SYM_VAR        ? &s->a->m->vars[symbol->index]
                            : symbol->kind == PTX_SYM_LOCALVAR ? &s->a->f->vars[symbol->index]
                                                               : NULL;
  return v && !v->unsized && !v->is_extern;
}

/* A constant at a name and a number of 32 bits. */
static size_t take_name(struct narrow_address *s, struct asm_block *k, size_t at) {
  struct ptx_operand *o = access(s, &k->v[at]), name;
  const struct ptx_inst *in =
      o && asm_traits(s->a, &k->v[at])->space == PTX_CONST ? origin(s, &s->a->ops[o->first]) : NULL;
  if (!in || !is_sum(s, in))
    return 1;
  for (unsigned i = 2; i > 0; i--) {
    struct extended e;
    const struct ptx_operand *f = operands(s, in);
    if (!extended(s, &f[i], &e) || (e.is_signed && !e.masked) || !is_name(s, &f[3 - i], &name))
      continue;
    const ptrdiff_t place = o - s->a->ops;
    const struct ptx_operand both[2] = {put_mask(s, k, at, &e), name};
    const struct ptx_operand list = asm_op_pair(s->a, both);
    s->a->ops[place].first = list.first, s->a->ops[place].n = 2;
    return 1u + e.masked;
  }
  return 1;
}

void asm_narrow_addresses(struct asm_fn *a) {
  bool any = false;
  for (size_t b = 0; b < a->nblocks && !any; b++)
    for (size_t i = 0; i < a->blocks[b].n && !any; i++)
      any = access(&(struct narrow_address){.a = a}, &a->blocks[b].v[i]) != NULL;
  if (!any)
    return;
  struct narrow_address s = {.a = a, .narrow = xcalloc(a->nregs + 1, sizeof *s.narrow)};
  asm_origins_find(&s.from, a);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      const struct ptx_operand *o = access(&s, &a->blocks[b].v[i]);
      if (o)
        s.narrow[a->ops[o->first].id] = true;
    }
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n;)
      i += take_name(&s, &a->blocks[b], i);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n;)
      i += join_sum(&s, &a->blocks[b], i);
  free(s.narrow);
  asm_origins_free(&s.from);
}

struct readers {
  uint32_t *all, *addresses; /* by register: reads, and those of them that are addresses of shared memory */
};

static void count_read(void *ctx, uint32_t r, enum asm_role role) {
  ((struct readers *)ctx)->all[r] += role == ASM_USE;
}

/* A sum of a name, a register of 32 bits and perhaps a number. */
static bool named_sum(const struct narrow_address *s, const struct ptx_operand *base,
                      struct ptx_operand both[2]) {
  const struct ptx_inst *in = origin(s, base);
  const struct mnem *m = in ? mnem_of(s, in) : NULL;
  if (!m || m->ntok != 2 ||
      !(tok_is(m, 0, "add3") || (tok_is(m, 0, "add") && (tok_is(m, 1, "s32") || tok_is(m, 1, "u32")))))
    return false;
  const struct ptx_operand *f = operands(s, in);
  uint64_t number = 0;
  unsigned registers = 0, names = 0;
  for (unsigned i = 1; i < in->nops; i++)
    if (f[i].kind == PTX_OP_INT && !f[i].comp)
      number += f[i].u;
    else if (!names && is_name(s, &f[i], &both[1]))
      names++;
    else if (origin(s, &f[i]) && ptx_type_bits(s->a->regs[f[i].id].type) == 32)
      both[0] = f[i], registers++;
    else
      return false;
  both[1].u += number;
  return names == 1 && registers == 1;
}

static struct ptx_operand *shared_access(const struct narrow_address *s, const struct ptx_inst *in) {
  struct ptx_operand *o = access(s, in);
  return o && asm_traits(s->a, in)->space == PTX_SHARED ? o : NULL;
}

void asm_take_names(struct asm_fn *a) {
  struct narrow_address s = {.a = a};
  struct readers n = {NULL, NULL};
  bool any = false;
  for (size_t b = 0; b < a->nblocks && !any; b++)
    for (size_t i = 0; i < a->blocks[b].n && !any; i++)
      any = shared_access(&s, &a->blocks[b].v[i]) != NULL;
  if (!any)
    return;
  asm_origins_find(&s.from, a);
  n.all = xcalloc(a->nregs + 1, sizeof *n.all), n.addresses = xcalloc(a->nregs + 1, sizeof *n.addresses);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      const struct ptx_operand *o = shared_access(&s, &a->blocks[b].v[i]);
      asm_visit(a, &a->blocks[b].v[i], count_read, &n);
      if (o)
        n.addresses[a->ops[o->first].id]++;
    }
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      struct ptx_operand *o = shared_access(&s, &a->blocks[b].v[i]), both[2];
      const uint32_t base = o ? a->ops[o->first].id : 0;
      if (!o || n.all[base] != n.addresses[base] || !named_sum(&s, &a->ops[o->first], both))
        continue;
      const ptrdiff_t place = o - a->ops;
      const struct ptx_operand list = asm_op_pair(a, both);
      a->ops[place].first = list.first, a->ops[place].n = 2;
    }
  free(n.all), free(n.addresses);
  asm_origins_free(&s.from);
  asm_leave_dead(a);
}
