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
  LATENCY_CONST = 8,
  LATENCY_MEMORY = 200,
};

static uint16_t unit_latency(unsigned unit) {
  switch (unit) {
  case PTX_UNIT_SFU:
  case PTX_UNIT_SFU_FULL:
  case PTX_UNIT_TRIG:
    return LATENCY_SFU;
  case PTX_UNIT_FP64:
    return LATENCY_FP64;
  case PTX_UNIT_CVT:
  case PTX_UNIT_ICVT:
  case PTX_UNIT_I2F:
  case PTX_UNIT_HCVT:
    return LATENCY_CVT;
  case PTX_UNIT_IDIV:
  case PTX_UNIT_IDIV64:
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
    t->kind = ordered(m) ? ASM_PIN : load ? ASM_LOAD : ASM_STORE;
    t->read_only = load && (mnem_has(m, "nc") || t->space == PTX_CONST);
  } else if (m->fn == lower_op_atom) {
    access_traits(m, t);
    t->keeps = false;
    t->has_result = tok_is(m, 0, "atom");
    t->kind = mnem_has(m, "acquire") || mnem_has(m, "release") || mnem_has(m, "acq_rel") ? ASM_PIN : ASM_ATOM;
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
    t->kind = m->fn == lower_op_activemask ? ASM_FIXED : ASM_PIN;
    t->keeps = false;
    t->has_result = true;
    t->lanes = true;
    t->latency = LATENCY_SHARED;
  } else if (m->fn == lower_op_fence || m->fn == lower_op_warpsync) {
    t->kind = ASM_PIN;
    t->keeps = false;
  } else if (m->fn == lower_op_bra || m->fn == lower_op_brx || m->fn == lower_op_ret ||
             m->fn == lower_op_exit || m->fn == lower_op_trap) {
    t->keeps = false;
  }
  if (m->fn == lower_op_bar) {
    t->kind = ASM_PIN;
    t->keeps = false;
    t->has_result = mnem_has(m, "red");
  } else if (m->terminator) {
    t->kind = ASM_END;
  }
}

struct walk {
  struct ptx_operand *ops;
  asm_place_fn *fn;
  void *ctx;
  enum asm_role role;
};

static void walk(const struct walk *w, struct ptx_operand *o, enum asm_role role, int depth) {
  switch (o->kind) {
  case PTX_OP_REG:
    if (role == ASM_DEF && o->comp)
      role = ASM_DEF_PART;
    if (role == w->role || (role != ASM_USE && w->role != ASM_USE))
      w->fn(w->ctx, &o->id, role);
    break;
  case PTX_OP_ADDR:
    role = ASM_USE;
    /* fall through */
  case PTX_OP_VEC:
  case PTX_OP_PAIR:
  case PTX_OP_LIST:
    for (unsigned i = 0; i < (o->kind == PTX_OP_PAIR ? 2 : o->n) && depth < 4; i++)
      walk(w, &w->ops[o->first + i], role, depth + 1);
    break;
  default:
    break;
  }
}

void asm_visit_places(const struct asm_fn *a, struct ptx_inst *in, asm_place_fn *fn, void *ctx) {
  const struct asm_traits *t = asm_traits(a, in);
  struct walk w = {a->ops, fn, ctx, ASM_USE};
  struct ptx_operand *o = &a->ops[in->first_op];
  enum asm_role result = in->guard != PTX_NONE || t->keeps ? ASM_DEF_PART : ASM_DEF;
  uint32_t cc = asm_cc(a);
  if (in->guard != PTX_NONE)
    fn(ctx, &in->guard, ASM_USE);
  for (unsigned i = t->has_result; i < in->nops; i++)
    walk(&w, &o[i], ASM_USE, 0);
  if (t->cc_in)
    fn(ctx, &cc, ASM_USE);
  w.role = ASM_DEF;
  for (unsigned i = 0; i < (t->keeps ? in->nops : t->has_result && in->nops); i++)
    walk(&w, &o[i], result, 0);
  if (t->cc_out)
    fn(ctx, &cc, result);
}

struct reading {
  asm_visit_fn *fn;
  void *ctx;
};

static void read_place(void *ctx, uint32_t *reg, enum asm_role role) {
  const struct reading *r = ctx;
  r->fn(r->ctx, *reg, role);
}

void asm_visit(const struct asm_fn *a, const struct ptx_inst *in, asm_visit_fn *fn, void *ctx) {
  struct ptx_inst copy = *in;
  asm_visit_places(a, &copy, read_place, &(struct reading){fn, ctx});
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
  /* a guarded barrier is a branch around one */
  return in->guard != PTX_NONE && a->mnems->mnems[in->mnemonic].fn == lower_op_bar ? ASM_END : t->kind;
}

bool asm_is_param(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct asm_traits *t = asm_traits(a, in);
  const struct ptx_operand *o = in->nops == 2 ? &a->ops[in->first_op + 1] : NULL;
  return t->kind == ASM_LOAD && t->space == PTX_PARAM && o && o->kind == PTX_OP_ADDR && o->n == 1 &&
         a->ops[o->first].kind == PTX_OP_SYM && a->f->syms[a->ops[o->first].id].kind == PTX_SYM_PARAM;
}
