/* Loads, stores, atomics, asynchronous copies and what has no functional effect. */
#include "front/ptx/lower.h"
#include <string.h>

bool lower_address(struct lower *l, const struct ptx_operand *o, enum ptx_space space, struct address *a) {
  *a = (struct address){.base = SLOT_NONE, .space = space, .wide = true};
  /* a register and a name: of the assembler (assemble/address.c) */
  bool named = o && o->kind == PTX_OP_ADDR && o->n == 2 && l->ast->ops[o->first + 1].kind == PTX_OP_SYM;
  if (!o || o->kind != PTX_OP_ADDR || (o->n > 1 && !named))
    return lower_fail(l, "an address in [ ] is wanted");
  a->imm = (int64_t)o->u;
  if (o->n == 0)
    return true;
  const struct ptx_operand *b = &l->ast->ops[o->first];
  uint64_t v = 0;
  enum ptx_space of;
  enum symbol_base rel;
  if (named && !lower_symbol(l, b + 1, &v, &of, &rel))
    return false;
  a->imm += (int64_t)v;
  if (b->kind == PTX_OP_REG) {
    unsigned width;
    a->base = lower_src_any(l, b, 8, &width);
    if (a->base == SLOT_NONE)
      return false;
    if (width != 4 && width != 8)
      return lower_fail(l, "the address register must be 32 or 64 bits wide");
    if (width == 4 && named && space != PTX_SHARED) { /* their sum has 64 bits */
      slot_t wide = lower_temp(l, 8);
      lower_alu(l, "zext.b64.b32", wide, a->base, SLOT_NONE, SLOT_NONE);
      a->base = wide;
      return true;
    }
    if (width == 4 && (space == PTX_GENERIC || space == PTX_GLOBAL))
      return lower_fail(l, "32-bit addresses are not supported in this space");
    a->wide = width == 8;
    if (space == PTX_PARAM && !l->ast->is_entry)
      a->space = PTX_LOCAL; /* address of a device function's parameter */
    return true;
  }
  if (b->kind != PTX_OP_SYM)
    return lower_fail(l, "an address is a register, a name or a number");
  if (!lower_symbol(l, b, &v, &of, &rel))
    return false;
  if (space != PTX_GENERIC && space != of)
    return lower_fail(l, "the name lies in .%s, the instruction says .%s", ptx_space_name(of),
                      ptx_space_name(space));
  a->space = of;
  a->imm += (int64_t)v;
  a->frame = rel == SYMBOL_FRAME;
  if (rel == SYMBOL_DYNAMIC)
    a->base = LAUNCH_DYNAMIC_SHARED;
  a->entry_param = of == PTX_PARAM && rel == SYMBOL_ABSOLUTE;
  return true;
}

static unsigned mnem_vec(const struct mnem *m) {
  return mnem_has(m, "v2") ? 2 : mnem_has(m, "v4") ? 4 : mnem_has(m, "v8") ? 8 : 1;
}

static enum sluice_cache_op mnem_cache(const struct mnem *m) {
  static const struct {
    const char *s;
    enum sluice_cache_op op;
  } ops[] = {{"cg", SLUICE_CG}, {"cs", SLUICE_CS}, {"lu", SLUICE_LU}, {"cv", SLUICE_CV},
             {"wb", SLUICE_WB}, {"wt", SLUICE_WT}, {"nc", SLUICE_NC}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (mnem_has(m, ops[i].s))
      return ops[i].op;
  return SLUICE_CA;
}

static bool mnem_volatile(const struct mnem *m) {
  return mnem_has(m, "volatile") || mnem_has(m, "relaxed") || mnem_has(m, "acquire") ||
         mnem_has(m, "release") || mnem_has(m, "acq_rel") || mnem_has(m, "mmio");
}

static enum sluice_space stream_space(enum ptx_space s) {
  return s == PTX_GLOBAL   ? SLUICE_SP_GLOBAL
         : s == PTX_SHARED ? SLUICE_SP_SHARED
         : s == PTX_LOCAL  ? SLUICE_SP_LOCAL
         : s == PTX_CONST  ? SLUICE_SP_CONST
         : s == PTX_PARAM  ? SLUICE_SP_PARAM
                           : SLUICE_SP_GENERIC;
}

void lower_describe_mem(struct lower *l, enum sluice_class klass, const struct mnem *m, enum ptx_space space,
                        unsigned bytes, bool item) {
  l->f->insts[l->in_index] = (struct sluice_inst){
      .klass = (uint8_t)klass,
      .unit = PTX_UNIT_MEM,
      .space = (uint8_t)stream_space(space),
      .bytes = (uint8_t)bytes,
      .cache_op = (uint8_t)mnem_cache(m),
      .flags = (uint8_t)((item ? SLUICE_IF_ADDRESS : 0) | (mnem_volatile(m) ? SLUICE_IF_VOLATILE : 0))};
}

void lower_set_address(struct lower *l, struct uop *u, const struct address *a, const struct mnem *m,
                       enum ptx_type t, unsigned vec) {
  struct uop_ext *x = lower_ext(l, u);
  u->a = a->base;
  x->imm = a->imm;
  x->space = (uint8_t)a->space;
  x->type = (uint8_t)t;
  x->size = (uint8_t)(ptx_type_bits(t) / 8);
  x->vec = (uint8_t)vec;
  x->addr64 = a->wide;
  x->frame = a->frame;
  x->cache_op = (uint8_t)mnem_cache(m);
  x->is_volatile = mnem_volatile(m);
}

/* The vector operand (or the single register) at index i as n operands. */
static const struct ptx_operand *elements(struct lower *l, unsigned i, unsigned n) {
  const struct ptx_operand *o = lower_op(l, i);
  if (!o) {
    lower_fail(l, "an operand is missing");
    return NULL;
  }
  if (o->kind == PTX_OP_VEC) {
    if (o->n == n)
      return &l->ast->ops[o->first];
    lower_fail(l, "the vector has %u elements, not %u", o->n, n);
    return NULL;
  }
  if (n == 1)
    return o;
  lower_fail(l, "a vector of %u elements is wanted", n);
  return NULL;
}

static bool mem_type(struct lower *l, const struct mnem *m, enum ptx_type *t, unsigned *vec) {
  *t = mnem_type(m, 0);
  *vec = mnem_vec(m);
  if (*t == PTX_NOTYPE || *t == PTX_PRED)
    return lower_fail(l, "no type");
  if (ptx_type_bits(*t) / 8 * *vec > 32)
    return lower_fail(l, "more than 32 bytes per thread");
  return true;
}

static void set_elements(struct uop *u, const struct address *a, const slot_t *regs, const unsigned *widths,
                         unsigned vec) {
  struct uop_ext *x = u->x;
  x->nregs = (uint8_t)vec;
  for (unsigned i = 0; i < vec; i++)
    x->regs[i] = regs[i], x->width[i] = (uint8_t)widths[i];
  x->word = (a->space == PTX_GLOBAL || a->space == PTX_CONST || a->space == PTX_GENERIC) && !a->frame &&
            a->wide && a->base != SLOT_NONE && vec == 1 && x->size == 4 && widths[0] == 4;
}

bool lower_op_ld(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  enum ptx_type t;
  unsigned vec, bytes;
  struct address a;
  if (!mem_type(l, m, &t, &vec) || in->nops < 2)
    return lower_fail(l, "malformed load");
  if (!lower_address(l, lower_op(l, 1), mnem_space(m), &a))
    return false;
  bytes = ptx_type_bits(t) / 8;
  const struct ptx_operand *dst = elements(l, 0, vec);
  if (!dst)
    return false;
  slot_t regs[8];
  unsigned widths[8];
  for (unsigned i = 0; i < vec; i++) {
    regs[i] = lower_dst(l, &dst[i], lane_bytes(t), &widths[i]);
    if (regs[i] == SLOT_NONE)
      return false;
    if (widths[i] == 0 || widths[i] < bytes)
      return lower_fail(l, "a %u-bit register cannot hold %s", widths[i] * 8, ptx_type_name(t));
  }
  bool is_signed = ptx_type_kind(t) == 's';
  if (a.entry_param && a.base == SLOT_NONE) {
    lower_describe_mem(l, SLUICE_OTHER, m, PTX_PARAM, bytes * vec, false);
    if (a.imm < 0 || (uint64_t)a.imm + bytes * vec > l->f->info.param_bytes)
      return lower_fail(l, "reads beyond the parameters");
    for (unsigned i = 0; i < vec; i++) {
      slot_t k = lower_launch_const(l, (uint32_t)a.imm + i * bytes, bytes, widths[i], is_signed);
      lower_alu(l,
                widths[i] == 2   ? "mov.b16"
                : widths[i] == 4 ? "mov.b32"
                : widths[i] == 8 ? "mov.b64"
                                 : "mov.b128",
                regs[i], k, SLOT_NONE, SLOT_NONE);
    }
    return true;
  }
  bool item = a.space != PTX_PARAM;
  lower_describe_mem(l, item ? SLUICE_LOAD : SLUICE_OTHER, m, a.space, bytes * vec, item);
  struct uop *u = lower_emit(l, U_LD);
  lower_set_address(l, u, &a, m, t, vec);
  set_elements(u, &a, regs, widths, vec);
  return true;
}

bool lower_op_st(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  enum ptx_type t;
  unsigned vec;
  struct address a;
  if (!mem_type(l, m, &t, &vec) || in->nops < 2)
    return lower_fail(l, "malformed store");
  if (!lower_address(l, lower_op(l, 0), mnem_space(m), &a))
    return false;
  if (a.space == PTX_CONST || a.entry_param)
    return lower_fail(l, "constant memory and kernel parameters cannot be written");
  unsigned bytes = ptx_type_bits(t) / 8;
  const struct ptx_operand *src = elements(l, 1, vec);
  if (!src)
    return false;
  slot_t regs[8];
  unsigned widths[8];
  for (unsigned i = 0; i < vec; i++) {
    if (src[i].kind == PTX_OP_REG) {
      regs[i] = lower_src_any(l, &src[i], lane_bytes(t), &widths[i]);
    } else {
      regs[i] = lower_src(l, &src[i], t);
      widths[i] = lane_bytes(t);
    }
    if (regs[i] == SLOT_NONE)
      return false;
    if (widths[i] == 0 || widths[i] < bytes)
      return lower_fail(l, "a %u-bit register is too narrow for %s", widths[i] * 8, ptx_type_name(t));
  }
  bool item = a.space != PTX_PARAM;
  lower_describe_mem(l, item ? SLUICE_STORE : SLUICE_OTHER, m, a.space, bytes * vec, item);
  struct uop *u = lower_emit(l, U_ST);
  lower_set_address(l, u, &a, m, t, vec);
  set_elements(u, &a, regs, widths, vec);
  return true;
}

static bool atom_legal(enum atom_op op, enum ptx_type t, unsigned vec) {
  char k = ptx_type_kind(t);
  unsigned bits = ptx_type_bits(t);
  if (vec > 1 && (k != 'f' || (op != ATOM_ADD && op != ATOM_MIN && op != ATOM_MAX)))
    return false;
  switch (op) {
  case ATOM_ADD:
    return (k == 'f' && t != PTX_TF32) ||
           ((k == 'u' || k == 's') && (bits == 32 || bits == 64) && t != PTX_U16X2 && t != PTX_S16X2);
  case ATOM_MIN:
  case ATOM_MAX:
    return t == PTX_U32 || t == PTX_S32 || t == PTX_U64 || t == PTX_S64 || t == PTX_F16 || t == PTX_BF16 ||
           t == PTX_F16X2 || t == PTX_BF16X2;
  case ATOM_AND:
  case ATOM_OR:
  case ATOM_XOR:
    return t == PTX_B32 || t == PTX_B64 || t == PTX_U32 || t == PTX_U64 || t == PTX_S32 || t == PTX_S64;
  case ATOM_EXCH:
    return bits >= 32 && t != PTX_F16X2 && t != PTX_BF16X2;
  case ATOM_CAS:
    return t == PTX_B16 || t == PTX_B32 || t == PTX_B64 || t == PTX_B128 || t == PTX_U32 || t == PTX_U64 ||
           t == PTX_S32 || t == PTX_S64;
  case ATOM_INC:
  case ATOM_DEC:
    return t == PTX_U32;
  case ATOM_MBARRIER:
    break;
  }
  return false;
}

bool lower_op_atom(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  static const char *const names[] = {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"};
  bool red = tok_is(m, 0, "red");
  enum ptx_type t;
  unsigned vec, op = 0;
  struct address a;
  if (!mem_type(l, m, &t, &vec))
    return false;
  while (op < 10 && !mnem_has(m, names[op]))
    op++;
  if (op == 10 || !atom_legal(op, t, vec))
    return lower_fail(l, "no such atomic operation on this type");
  unsigned want = red ? 2 : op == ATOM_CAS ? 4 : 3, at = red ? 0 : 1;
  if (in->nops < want || in->nops > want + 1u)
    return lower_fail(l, "takes %u operands", want);
  enum ptx_space space = mnem_space(m);
  if (!lower_address(l, lower_op(l, at), space, &a))
    return false;
  const struct ptx_operand *b = elements(l, at + 1, vec), *d = red ? NULL : elements(l, 0, vec);
  if (!b || (!red && !d))
    return false;
  unsigned lanes = lane_bytes(t);
  slot_t src[8], res[8], c = SLOT_NONE;
  for (unsigned i = 0; i < vec; i++) {
    unsigned width;
    src[i] = lower_src(l, &b[i], t);
    if (src[i] == SLOT_NONE)
      return false;
    res[i] = SLOT_NONE;
    if (red || d[i].kind == PTX_OP_SINK)
      continue;
    res[i] = lower_dst(l, &d[i], lanes, &width);
    if (res[i] == SLOT_NONE)
      return false;
    if (width != lanes)
      return lower_fail(l, "the destination is %u bits wide, the type %u", width * 8, lanes * 8);
  }
  if (op == ATOM_CAS && (c = lower_src(l, lower_op(l, 3), t)) == SLOT_NONE)
    return false;
  lower_describe_mem(l, red ? SLUICE_RED : SLUICE_ATOMIC, m, a.space, ptx_type_bits(t) / 8 * vec, true);
  if (ptx_type_kind(t) == 'f')
    l->f->insts[l->in_index].flags |= SLUICE_IF_FLOAT;
  struct uop *u = lower_emit(l, U_ATOM);
  lower_set_address(l, u, &a, m, t, vec);
  u->c = c;
  u->x->op = (uint8_t)op;
  u->x->nregs = ATOM_RESULT + 8;
  for (unsigned i = 0; i < vec; i++) {
    u->x->regs[i] = src[i], u->x->regs[ATOM_RESULT + i] = res[i];
    u->x->width[i] = u->x->width[ATOM_RESULT + i] = (uint8_t)lanes;
  }
  return true;
}

bool lower_op_cpasync(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  if (!mnem_has(m, "async"))
    return lower_fail(l, "not supported");
  if (mnem_has(m, "mbarrier"))
    return lower_cpasync_mbarrier(l, in, m);
  if (mnem_has(m, "commit_group") || mnem_has(m, "wait_group") || mnem_has(m, "wait_all")) {
    l->f->insts[l->in_index] = (struct sluice_inst){
        .klass = mnem_has(m, "commit_group") ? SLUICE_OTHER : SLUICE_FENCE, .unit = PTX_UNIT_MEM};
    lower_emit(l, U_NOP);
    return true;
  }
  struct address to, from;
  if (in->nops < 3 || !lower_address(l, lower_op(l, 0), PTX_SHARED, &to) ||
      !lower_address(l, lower_op(l, 1), PTX_GLOBAL, &from))
    return lower_fail(l, "takes [shared], [global], size");
  const struct ptx_operand *size = lower_op(l, 2), *more = lower_op(l, 3);
  if (size->kind != PTX_OP_INT || (size->u != 4 && size->u != 8 && size->u != 16))
    return lower_fail(l, "the size must be 4, 8 or 16");
  slot_t c = SLOT_NONE;
  bool pred = false;
  if (more && !(mnem_has(m, "L2::cache_hint") && in->nops == 4)) {
    pred = more->kind == PTX_OP_REG && l->vwidth[more->id] == 0;
    c = lower_src(l, more, pred ? PTX_PRED : PTX_U32);
    if (c == SLOT_NONE)
      return false;
  }
  lower_describe_mem(l, SLUICE_COPY, m, PTX_GLOBAL, (unsigned)size->u, true);
  struct uop *u = lower_emit(l, U_CPASYNC);
  lower_set_address(l, u, &from, m, PTX_B8, 1);
  u->x->size = (uint8_t)size->u;
  u->x->addr64 = (uint8_t)(from.wide | to.wide << 1);
  u->x->imm2 = to.imm;
  u->b = to.base;
  u->c = c;
  u->aux = pred;
  return true;
}

bool lower_op_prefetch(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  struct address a;
  if (in->nops != 1 || !lower_address(l, lower_op(l, 0), mnem_space(m), &a))
    return lower_fail(l, "takes one address");
  bool item = a.space == PTX_GLOBAL || a.space == PTX_GENERIC;
  lower_describe_mem(l, SLUICE_PREFETCH, m, a.space, 4, item);
  struct uop *u = lower_emit(l, item ? U_PREFETCH : U_NOP);
  if (item)
    lower_set_address(l, u, &a, m, PTX_B32, 1);
  return true;
}

bool lower_op_nop(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_OTHER, .unit = PTX_UNIT_CTRL};
  struct uop *u = lower_emit(l, U_NOP);
  u->aux = tok_is(m, 0, "nanosleep");
  return true;
}

bool lower_op_fence(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  uint8_t space =
      mnem_has(m, "gl") || mnem_has(m, "gpu") || mnem_has(m, "sys") ? SLUICE_SP_GLOBAL : SLUICE_SP_SHARED;
  l->f->insts[l->in_index] =
      (struct sluice_inst){.klass = SLUICE_FENCE, .unit = PTX_UNIT_MEM, .space = space};
  lower_emit(l, U_NOP)->aux = 1;
  return true;
}
