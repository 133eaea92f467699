/* How many machine instructions a PTX instruction is, where that decides what becomes of a branch: what ptxas reads
 * through, puts into addresses or has as an operand is none. */
#include "front/ptx/assemble/asm.h"

struct reads {
  const struct asm_fn *a;
  uint32_t reg;
  bool found;
};

static void look(void *ctx, uint32_t r, enum asm_role role) {
  struct reads *x = ctx;
  x->found |= role == ASM_USE && r == x->reg;
}

/* Is the result of instruction i an operand of a later sum in the block? A shift and a sum are two instructions, LEA. */
static bool sum_reads(const struct asm_fn *a, const struct asm_block *k, size_t i) {
  struct reads x = {.a = a, .reg = a->ops[k->v[i].first_op].id};
  for (size_t j = i + 1; j < k->n && !x.found; j++)
    if (tok_is(&a->mnems->mnems[k->v[j].mnemonic], 0, "add"))
      asm_visit(a, &k->v[j], look, &x);
  return x.found;
}

static bool wide(const struct mnem *m) {
  return m->ntok > 1 &&
         (tok_is(m, m->ntok - 1u, "s64") || tok_is(m, m->ntok - 1u, "u64") || tok_is(m, m->ntok - 1u, "b64"));
}

unsigned asm_cost(const struct asm_fn *a, const struct asm_block *k, size_t i) {
  const struct ptx_inst *in = &k->v[i];
  const struct mnem *m = &a->mnems->mnems[in->mnemonic];
  const struct ptx_operand *o = &a->ops[in->first_op];
  if (asm_is_param(a, in))
    return 0;
  if (tok_is(m, 0, "cvta") || (tok_is(m, 0, "mov") && in->nops == 2 && o[1].kind == PTX_OP_REG))
    return 0;
  if ((tok_is(m, 0, "abs") || tok_is(m, 0, "neg")) && (mnem_has(m, "f32") || mnem_has(m, "f64")))
    return 0; /* a part of what reads it */
  if (tok_is(m, 0, "cvt") && mnem_has(m, "u64") && mnem_has(m, "u32"))
    return 0;
  if (asm_kind(a, in) == ASM_LOAD && asm_traits(a, in)->space == PTX_CONST)
    return 2;
  if (!wide(m) || asm_kind(a, in) != ASM_PURE || in->nops < 3)
    return 1;
  if (tok_is(m, 0, "add") || tok_is(m, 0, "sub"))
    return o[2].kind == PTX_OP_INT ? 0 : 2;
  if (tok_is(m, 0, "shl"))
    return o[0].kind == PTX_OP_REG && sum_reads(a, k, i) ? 0 : 2;
  return 2;
}
