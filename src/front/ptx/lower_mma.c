/* mma.sync and ldmatrix. Both belong to the whole warp: the member mask is all 32 lanes. */
#include "front/ptx/lower.h"
#include "front/ptx/mma.h"
#include <stdlib.h>
#include <string.h>

static const struct shape {
  const char *type, *other; /* of a, and of b where both may differ */
  enum mma_kind kind;
  uint16_t m, k;
  uint8_t na, nb, nc; /* registers; nc with sums of 32 or 64 bits */
} shapes[] = {
    {"f16", NULL, MMA_F16, 16, 8, 2, 1, 4},   {"f16", NULL, MMA_F16, 16, 16, 4, 2, 4},
    {"bf16", NULL, MMA_BF16, 16, 8, 2, 1, 4}, {"bf16", NULL, MMA_BF16, 16, 16, 4, 2, 4},
    {"tf32", NULL, MMA_TF32, 16, 4, 2, 1, 4}, {"tf32", NULL, MMA_TF32, 16, 8, 4, 2, 4},
    {"f64", NULL, MMA_F64, 8, 4, 1, 1, 2},    {"f64", NULL, MMA_F64, 16, 4, 2, 1, 4},
    {"s8", "u8", MMA_INT8, 8, 16, 1, 1, 2},   {"s8", "u8", MMA_INT8, 16, 16, 2, 1, 4},
    {"s8", "u8", MMA_INT8, 16, 32, 4, 2, 4},  {"s4", "u4", MMA_INT4, 8, 32, 1, 1, 2},
    {"s4", "u4", MMA_INT4, 16, 32, 2, 1, 4},  {"s4", "u4", MMA_INT4, 16, 64, 4, 2, 4},
    {"b1", NULL, MMA_BIT, 8, 128, 1, 1, 2},   {"b1", NULL, MMA_BIT, 16, 128, 2, 1, 4},
    {"b1", NULL, MMA_BIT, 16, 256, 4, 2, 4},
};

/* Four types follow the layouts: of d, a, b, c. */
static unsigned first_type(const struct mnem *m) {
  unsigned at = mnem_find(m, "col") + 1;
  return tok_is(m, at, "satfinite") ? at + 1 : at;
}

static const struct shape *find_shape(const struct mnem *m) {
  unsigned t = first_type(m), at = 0;
  for (unsigned i = 1; i < m->ntok; i++)
    if (m->tok[i].n > 4 && m->tok[i].s[0] == 'm' && m->tok[i].s[1] >= '0' && m->tok[i].s[1] <= '9')
      at = i;
  for (size_t i = 0; at && i < sizeof shapes / sizeof *shapes; i++) {
    const struct shape *s = &shapes[i];
    char *end;
    unsigned long rows = strtoul(m->tok[at].s + 1, &end, 10);
    if (rows != s->m || strncmp(end, "n8k", 3) != 0 || strtoul(end + 3, NULL, 10) != s->k)
      continue;
    if (tok_is(m, t + 1, s->type) || (s->other && tok_is(m, t + 1, s->other)))
      return s;
  }
  return NULL;
}

static const struct ptx_operand *registers(struct lower *l, unsigned i, unsigned n) {
  const struct ptx_operand *o = lower_op(l, i);
  if (o && o->kind == PTX_OP_VEC && o->n == n)
    return &l->ast->ops[o->first];
  if (o && n == 1 && o->kind != PTX_OP_VEC)
    return o;
  lower_fail(l, "operand %u has %u registers", i + 1, n);
  return NULL;
}

static bool sources(struct lower *l, struct uop_ext *x, unsigned i, unsigned n, unsigned bytes) {
  const struct ptx_operand *o = registers(l, i, n);
  for (unsigned k = 0; o && k < n; k++) {
    unsigned width;
    slot_t s = lower_src_any(l, &o[k], bytes, &width);
    if (s == SLOT_NONE)
      return false;
    if (width != bytes)
      return lower_fail(l, "operand %u is of registers of %u bits", i + 1, 8 * bytes);
    x->width[x->nregs] = (uint8_t)bytes;
    x->regs[x->nregs++] = s;
  }
  return o != NULL;
}
static bool results(struct lower *l, struct uop_ext *x, unsigned n, unsigned bytes) {
  const struct ptx_operand *o = registers(l, 0, n);
  for (unsigned k = 0; o && k < n; k++) {
    unsigned width;
    slot_t s = lower_dst(l, &o[k], bytes, &width);
    if (s == SLOT_NONE)
      return false;
    if (width != bytes)
      return lower_fail(l, "the result is of registers of %u bits", 8 * bytes);
    x->width[x->nregs] = (uint8_t)bytes;
    x->regs[x->nregs++] = s;
  }
  x->vec = (uint8_t)n;
  return o != NULL;
}

/* Which of the costs of a matrix unit: those with all of a (four registers) take the longest, but f64. */
static uint8_t unit_of(const struct shape *s) {
  return s->kind == MMA_F64 ? PTX_UNIT_TENSOR_F64 : s->na < 4 ? PTX_UNIT_TENSOR_HALF : PTX_UNIT_TENSOR;
}

bool lower_op_mma(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  const struct shape *s = find_shape(m);
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_ALU, .unit = PTX_UNIT_TENSOR};
  if (s)
    l->f->insts[l->in_index].unit = unit_of(s);
  unsigned t = first_type(m);
  if (!s || in->nops != 4 || !mnem_has(m, "row"))
    return lower_fail(l, "no such matrix multiplication here");
  bool half = tok_is(m, t, "f16");
  unsigned flags = half ? MMA_HALF_SUM : 0;
  if (half != tok_is(m, t + 3, "f16"))
    return lower_fail(l, "sums of two types");
  flags |= m->tok[t + 1].s[0] == 'u' ? MMA_A_UNSIGNED : 0;
  flags |= m->tok[t + 2].s[0] == 'u' ? MMA_B_UNSIGNED : 0;
  flags |= mnem_has(m, "satfinite") ? MMA_SATURATE : 0;
  flags |= mnem_has(m, "xor") ? MMA_XOR : 0;
  unsigned bytes = s->kind == MMA_F64 ? 8 : 4, nc = half ? s->nc / 2u : s->nc;
  struct uop_ext x = {.nregs = 1, .imm = MMA_PACK(s->kind, s->m, s->k, flags)};
  x.regs[0] = lower_const(l, UINT32_MAX, 4);
  x.width[0] = 4;
  if (!sources(l, &x, 1, s->na, bytes) || !sources(l, &x, 2, s->nb, bytes) || !sources(l, &x, 3, nc, bytes) ||
      !results(l, &x, nc, bytes))
    return false;
  struct uop *u = lower_emit(l, U_MMA);
  *lower_ext(l, u) = x;
  return true;
}

/* Eight rows of 16 bytes for each matrix: lane 8 i + r has the address of row r of matrix i, loads it, and the warp
 * deals the elements out. Addresses of further lanes are not used: they load what lanes before them load. */
bool lower_op_ldmatrix(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  unsigned n = mnem_has(m, "x4") ? 4 : mnem_has(m, "x2") ? 2 : 1;
  struct address a;
  if (in->nops != 2 || !mnem_has(m, "m8n8") || mnem_type(m, 0) != PTX_B16)
    return lower_fail(l, "loads matrices of 8 rows and 8 columns of .b16");
  if (!lower_address(l, lower_op(l, 1), mnem_space(m), &a))
    return false;
  slot_t members = lower_const(l, UINT32_MAX, 4), lane = lower_temp(l, 4);
  struct uop *u;
  if (n < 4 && a.base != SLOT_NONE) {
    u = lower_emit(l, U_SREG);
    u->aux = PTX_SREG_LANEID;
    u->d = lane;
    slot_t from = lower_temp(l, 4), moved = lower_temp(l, a.wide ? 8 : 4);
    lower_alu(l, "and.b32", from, lane, lower_const(l, 8 * n - 1, 4), SLOT_NONE);
    u = lower_emit(l, U_LDMATRIX); /* the address of another lane */
    struct uop_ext *x = lower_ext(l, u);
    *x = (struct uop_ext){.nregs = 4, .vec = 1, .imm = 0};
    x->regs[0] = members, x->regs[1] = from, x->regs[2] = a.base, x->regs[3] = moved;
    x->width[0] = x->width[1] = 4, x->width[2] = x->width[3] = a.wide ? 8 : 4;
    a.base = moved;
  }
  slot_t row[4];
  for (unsigned i = 0; i < 4; i++)
    row[i] = lower_temp(l, 4);
  lower_describe_mem(l, SLUICE_LOAD, m, a.space, 16, true);
  u = lower_emit(l, U_LD);
  lower_set_address(l, u, &a, m, PTX_B32, 4);
  u->x->nregs = 4;
  for (unsigned i = 0; i < 4; i++)
    u->x->regs[i] = row[i], u->x->width[i] = 4;
  struct uop_ext x = {.nregs = 5, .imm = mnem_has(m, "trans") ? 2 : 1};
  x.regs[0] = members;
  x.width[0] = 4;
  for (unsigned i = 0; i < 4; i++)
    x.regs[1 + i] = row[i], x.width[1 + i] = 4;
  if (!results(l, &x, n, 4))
    return false;
  u = lower_emit(l, U_LDMATRIX);
  *lower_ext(l, u) = x;
  return true;
}
