/* What instructions read, write and take. */
#include "front/ptx/assemble/asm.h"
#include <string.h>

/* Cycles until a result can be used, as an assembler assumes them: dependent issue of an H200 (docs/scheduling.md);
 * of loads, what it takes to reach the L1 or shared memory and come back. */
enum {
  LATENCY_ALU = 5,
  LATENCY_SFU = 17,
  LATENCY_FP64 = 8,
  LATENCY_CVT = 12,
  LATENCY_DIV = 58,
  LATENCY_SHARED = 23,
  LATENCY_CONST = 30,
  LATENCY_MEMORY = 200,
};

static uint16_t unit_latency(unsigned unit) {
  switch (unit) {
  case PTX_UNIT_SFU:
    return LATENCY_SFU;
  case PTX_UNIT_FP64:
    return LATENCY_FP64;
  case PTX_UNIT_CVT:
    return LATENCY_CVT;
  case PTX_UNIT_IDIV:
  case PTX_UNIT_FDIV:
  case PTX_UNIT_DDIV:
    return LATENCY_DIV;
  default:
    return LATENCY_ALU;
  }
}

static bool ordered(const struct mnem *m) {
  static const char *const words[] = {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (mnem_has(m, words[i]))
      return true;
  return false;
}

static void access_traits(const struct mnem *m, struct asm_traits *t) {
  unsigned vec = mnem_has(m, "v2") ? 2 : mnem_has(m, "v4") ? 4 : mnem_has(m, "v8") ? 8 : 1;
  t->space = (uint8_t)mnem_space(m);
  t->bytes = (uint8_t)(ptx_type_bits(mnem_type(m, 0)) / 8 * vec);
  t->latency = t->space == PTX_SHARED                           ? LATENCY_SHARED
               : t->space == PTX_PARAM || t->space == PTX_CONST ? LATENCY_CONST
                                                                : LATENCY_MEMORY;
}

void asm_traits_of(const struct mnem *m, struct asm_traits *t) {
  *t = (struct asm_traits){.kind = ASM_FIXED, .keeps = true, .latency = LATENCY_ALU};
  if (m->fn == lower_op_ld || m->fn == lower_op_st) {
    bool load = m->fn == lower_op_ld;
    access_traits(m, t);
    t->keeps = false;
    t->has_result = load;
    t->kind = ordered(m) ? ASM_FIXED : load ? ASM_LOAD : ASM_STORE;
    t->read_only = load && (mnem_has(m, "nc") || t->space == PTX_CONST);
  } else if (m->fn == lower_op_atom) {
    access_traits(m, t);
    t->keeps = false;
    t->has_result = tok_is(m, 0, "atom");
    t->kind =
        mnem_has(m, "acquire") || mnem_has(m, "release") || mnem_has(m, "acq_rel") ? ASM_FIXED : ASM_ATOM;
  } else if (m->fn == lower_op_alu || m->fn == lower_op_lop3 || m->fn == lower_op_mov ||
             m->fn == lower_op_cvta || m->fn == lower_op_isspacep) {
    t->kind = ASM_PURE;
    t->keeps = false;
    t->has_result = true;
    if (m->op.op) {
      t->latency = unit_latency(m->op.op->unit);
      t->cc_in = m->op.op->flags & PTX_OPF_CC_IN;
      t->cc_out = m->op.op->flags & PTX_OPF_CC_OUT;
    }
  } else if (m->fn == lower_op_shfl || m->fn == lower_op_vote || m->fn == lower_op_match ||
             m->fn == lower_op_redux || m->fn == lower_op_activemask) {
    t->keeps = false;
    t->has_result = true;
    t->latency = LATENCY_SHARED;
  } else if (m->fn == lower_op_bra || m->fn == lower_op_brx || m->fn == lower_op_ret ||
             m->fn == lower_op_exit || m->fn == lower_op_trap) {
    t->keeps = false;
  }
  if (m->terminator)
    t->kind = ASM_END;
}

struct walk {
  const struct asm_fn *a;
  asm_visit_fn *fn;
  void *ctx;
  enum asm_role role;
};

static void walk(const struct walk *w, const struct ptx_operand *o, enum asm_role role, int depth) {
  switch (o->kind) {
  case PTX_OP_REG:
    if (role == ASM_DEF && o->comp)
      role = ASM_DEF_PART;
    if (role == w->role || (role != ASM_USE && w->role != ASM_USE))
      w->fn(w->ctx, o->id, role);
    break;
  case PTX_OP_ADDR:
    role = ASM_USE;
    /* fall through */
  case PTX_OP_VEC:
  case PTX_OP_PAIR:
  case PTX_OP_LIST:
    for (unsigned i = 0; i < (o->kind == PTX_OP_PAIR ? 2 : o->n) && depth < 4; i++)
      walk(w, &w->a->ops[o->first + i], role, depth + 1);
    break;
  default:
    break;
  }
}

void asm_visit(const struct asm_fn *a, const struct ptx_inst *in, asm_visit_fn *fn, void *ctx) {
  const struct asm_traits *t = asm_traits(a, in);
  struct walk w = {a, fn, ctx, ASM_USE};
  const struct ptx_operand *o = &a->ops[in->first_op];
  enum asm_role result = in->guard != PTX_NONE || t->keeps ? ASM_DEF_PART : ASM_DEF;
  if (in->guard != PTX_NONE)
    fn(ctx, in->guard, ASM_USE);
  for (unsigned i = t->has_result; i < in->nops; i++)
    walk(&w, &o[i], ASM_USE, 0);
  if (t->cc_in)
    fn(ctx, asm_cc(a), ASM_USE);
  w.role = ASM_DEF;
  for (unsigned i = 0; i < (t->keeps ? in->nops : t->has_result && in->nops); i++)
    walk(&w, &o[i], result, 0);
  if (t->cc_out)
    fn(ctx, asm_cc(a), result);
}

static bool is_clock(const struct ptx_operand *o) {
  return o->kind == PTX_OP_SREG &&
         ((o->id >= PTX_SREG_CLOCK && o->id <= PTX_SREG_GLOBALTIMER_HI) || o->id == PTX_SREG_PM);
}

enum asm_kind asm_kind(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct asm_traits *t = asm_traits(a, in);
  if (t->kind == ASM_PURE)
    for (unsigned i = 1; i < in->nops; i++)
      if (is_clock(&a->ops[in->first_op + i]))
        return ASM_FIXED;
  return t->kind;
}

unsigned asm_weight(const struct asm_fn *a, uint32_t reg) {
  if (reg >= a->nregs)
    return 0;
  unsigned bits = ptx_type_bits(a->regs[reg].type);
  return bits == 1 ? 0 : (bits + 31) / 32 * (a->regs[reg].vec ? a->regs[reg].vec : 1);
}
