/* Registers that a value takes on the GPU, which are not always those of its PTX type: shared memory has addresses
 * of 32 bits, and numbers and kernel parameters are read anew where they are wanted. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

struct weigh {
  struct asm_fn *a;
  const struct ptx_inst *at;
  bool *wide; /* by register: more than an address of shared memory */
  bool *kept; /* by register: cannot be had anew */
  bool passes, wanted, changed;
};

static bool is_anew(const struct asm_fn *a, const struct ptx_inst *in) {
  if (in->guard != PTX_NONE || in->nops != 2)
    return false;
  uint8_t kind = a->ops[in->first_op + 1].kind;
  return asm_is_param(a, in) ||
         (a->mnems->mnems[in->mnemonic].fn == lower_op_mov &&
          (kind == PTX_OP_INT || kind == PTX_OP_F32 || kind == PTX_OP_F64 || kind == PTX_OP_SYM));
}

static void note_kept(void *ctx, uint32_t r, enum asm_role role) {
  struct weigh *w = ctx;
  if (role != ASM_USE)
    w->kept[r] = true;
}

static void ask_wide(void *ctx, uint32_t r, enum asm_role role) {
  struct weigh *w = ctx;
  w->wanted |= role != ASM_USE && w->wide[r];
}

static void make_wide(void *ctx, uint32_t r, enum asm_role role) {
  struct weigh *w = ctx;
  if (role == ASM_DEF || w->wide[r])
    return;
  w->wide[r] = w->changed = true;
}

/* Sums, and copies between spaces, of an address are narrow where their result is. */
static bool passes(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct mnem *m = &a->mnems->mnems[in->mnemonic];
  return in->guard == PTX_NONE && (tok_is(m, 0, "add") || tok_is(m, 0, "sub") || tok_is(m, 0, "mov") ||
                                   tok_is(m, 0, "mad") || tok_is(m, 0, "shl") || tok_is(m, 0, "addwide"));
}

/* Registers that an access of shared memory reads as data. */
static void note_data(struct weigh *w, const struct ptx_inst *in) {
  const struct asm_fn *a = w->a;
  const struct ptx_operand *o = &a->ops[in->first_op];
  for (unsigned i = 0; i < in->nops; i++)
    for (unsigned k = 0; k < (o[i].kind == PTX_OP_VEC ? o[i].n : o[i].kind == PTX_OP_REG); k++) {
      const struct ptx_operand *x = o[i].kind == PTX_OP_VEC ? &a->ops[o[i].first + k] : &o[i];
      if (x->kind == PTX_OP_REG)
        make_wide(w, x->id, ASM_USE);
    }
}

static void each(struct weigh *w, void (*fn)(struct weigh *, const struct ptx_inst *)) {
  for (size_t b = 0; b < w->a->nblocks; b++)
    for (size_t i = 0; i < w->a->blocks[b].n; i++)
      fn(w, &w->a->blocks[b].v[i]);
}

static void first_look(struct weigh *w, const struct ptx_inst *in) {
  const struct asm_traits *t = asm_traits(w->a, in);
  if (!is_anew(w->a, in))
    asm_visit(w->a, in, note_kept, w);
  if (t->space == PTX_SHARED && (t->kind == ASM_LOAD || t->kind == ASM_STORE))
    note_data(w, in);
  else if (!passes(w->a, in))
    asm_visit(w->a, in, make_wide, w);
}

static void next_look(struct weigh *w, const struct ptx_inst *in) {
  if (!passes(w->a, in))
    return;
  w->wanted = false;
  asm_visit(w->a, in, ask_wide, w);
  if (w->wanted)
    asm_visit(w->a, in, make_wide, w);
}

uint8_t *asm_weights(struct asm_fn *a) {
  struct weigh w = {.a = a};
  w.wide = xcalloc(a->nregs + 1, sizeof *w.wide), w.kept = xcalloc(a->nregs + 1, sizeof *w.kept);
  each(&w, first_look);
  do {
    w.changed = false;
    each(&w, next_look);
  } while (w.changed);
  uint8_t *weights = xcalloc(a->nregs + 1, 1);
  for (uint32_t r = 0; r < a->nregs; r++) {
    unsigned bits = ptx_type_bits(a->regs[r].type);
    if (bits == 1 || !w.kept[r])
      continue;
    unsigned n = (bits + 31) / 32 * (a->regs[r].vec ? a->regs[r].vec : 1);
    weights[r] = (uint8_t)(bits == 64 && !w.wide[r] ? 1 : n);
  }
  free(w.wide), free(w.kept);
  return weights;
}
