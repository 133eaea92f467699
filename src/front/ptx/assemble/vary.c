/* Registers that may differ among the lanes of a warp: what follows from the thread's number, from loads at addresses that differ, from
 * atomics and shuffles. Which way lanes went is not asked. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>

struct vary {
  const struct asm_fn *a;
  bool *varies; /* by register */
  bool any, changed;
};

static void ask(void *ctx, uint32_t r, enum asm_role role) {
  struct vary *v = ctx;
  v->any |= role == ASM_USE && v->varies[r];
}

static void mark(void *ctx, uint32_t r, enum asm_role role) {
  struct vary *v = ctx;
  if (role == ASM_USE || v->varies[r])
    return;
  v->varies[r] = v->changed = true;
}

static bool of_lane(const struct asm_fn *a, const struct ptx_inst *in) {
  for (unsigned i = 0; i < in->nops; i++) {
    const struct ptx_operand *o = &a->ops[in->first_op + i];
    if (o->kind == PTX_OP_SREG && o->id != PTX_SREG_NTID && o->id != PTX_SREG_CTAID &&
        o->id != PTX_SREG_NCTAID && o->id != PTX_SREG_NWARPID && o->id != PTX_SREG_GRIDID &&
        o->id != PTX_SREG_ENVREG)
      return true;
  }
  return false;
}

/* Do its results differ, whatever it reads? Do they not, whatever it reads? */
static bool always(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct mnem *m = &a->mnems->mnems[in->mnemonic];
  const struct asm_traits *t = asm_traits(a, in);
  return t->keeps || m->fn == lower_op_atom || m->fn == lower_op_match ||
         (m->fn == lower_op_ld && t->space == PTX_LOCAL) || of_lane(a, in);
}

static bool never(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct mnem *m = &a->mnems->mnems[in->mnemonic];
  return m->fn == lower_op_vote || m->fn == lower_op_redux || m->fn == lower_op_activemask ||
         m->fn == lower_op_bar;
}

bool *asm_varying(const struct asm_fn *a) {
  struct vary v = {.a = a, .varies = xcalloc(a->nregs + 1, sizeof *v.varies)};
  do {
    v.changed = false;
    for (size_t b = 0; b < a->nblocks; b++)
      for (size_t i = 0; i < a->blocks[b].n; i++) {
        const struct ptx_inst *in = &a->blocks[b].v[i];
        v.any = always(a, in);
        asm_visit(a, in, ask, &v);
        if (v.any && !never(a, in))
          asm_visit(a, in, mark, &v);
      }
  } while (v.changed);
  return v.varies;
}
