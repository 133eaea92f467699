/* A function goes from the syntax tree into blocks, through the passes, and back. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

enum {
  REGISTERS_MAX = 255,
  REGISTER_FILE = 65536,
  REGISTERS_USUAL = 32, /* of 2048 threads: all that an SM has room for */
  REGISTERS_KEPT = 2,   /* stack pointer and the like */
};

/* Registers that loads may be hoisted into. Without a promise about threads ptxas keeps to what lets all of them be
 * resident; .maxntid and .reqntid alone change nothing. */
static unsigned budget(const struct ptx_func *f) {
  const uint32_t *n = f->reqntid[0] ? f->reqntid : f->maxntid;
  uint64_t threads = f->minnctapersm, most = REGISTERS_USUAL;
  for (int d = 0; d < 3; d++)
    threads *= n[d] ? n[d] : 1;
  if (n[0] && threads)
    most = REGISTER_FILE / threads / 8 * 8;
  if (f->maxnreg)
    most = f->maxnreg;
  most = most > REGISTERS_MAX ? REGISTERS_MAX : most < 16 ? 16 : most;
  return (unsigned)most - REGISTERS_KEPT;
}

static void begin_block(struct asm_fn *a) {
  VEC_PUSH(a->blocks, a->nblocks, a->capblocks) = (struct asm_block){0};
}

static void take_apart(struct asm_fn *a) {
  const struct ptx_func *f = a->f;
  uint8_t *leader = xcalloc(f->ninsts + 1, 1);
  for (uint32_t i = 0; i < f->nlabels; i++)
    if (f->labels[i].pos <= f->ninsts)
      leader[f->labels[i].pos] = 1;
  uint32_t *block_of = xmalloc((f->ninsts + 1) * sizeof *block_of);
  for (uint32_t i = 0; i < f->ninsts; i++) {
    if (i == 0 || leader[i])
      begin_block(a);
    struct asm_block *k = &a->blocks[a->nblocks - 1];
    block_of[i] = (uint32_t)a->nblocks - 1;
    VEC_PUSH(k->v, k->n, k->cap) = f->insts[i];
    if (asm_kind(a, &f->insts[i]) == ASM_END)
      leader[i + 1] = 1;
  }
  if (leader[f->ninsts] || !f->ninsts)
    begin_block(a);
  block_of[f->ninsts] = (uint32_t)a->nblocks - 1;
  a->label_block = xmalloc((f->nlabels + 1) * sizeof *a->label_block);
  a->caplabel_block = f->nlabels + 1;
  for (uint32_t i = 0; i < f->nlabels; i++)
    a->label_block[i] = f->labels[i].pos <= f->ninsts ? block_of[f->labels[i].pos] : PTX_NONE;
  free(leader), free(block_of);
}

static void *copy(const void *from, size_t n, size_t size) {
  void *to = xmalloc((n + 1) * size);
  if (n)
    memcpy(to, from, n * size);
  return to;
}

static void *keep(struct ptx_module *m, const void *from, size_t n, size_t size) {
  void *to = arena_alloc(&m->arena, (n + 1) * size);
  if (n)
    memcpy(to, from, n * size);
  return to;
}

static void put_together(struct asm_fn *a) {
  struct ptx_func *f = a->f;
  size_t n = 0;
  for (size_t b = 0; b < a->nblocks; b++)
    n += a->blocks[b].n;
  f->insts = arena_alloc(&a->m->arena, (n + 1) * sizeof *f->insts);
  uint32_t *start = xmalloc((a->nblocks + 1) * sizeof *start), at = 0;
  for (size_t b = 0; b < a->nblocks; b++) {
    const struct asm_block *k = &a->blocks[b];
    start[b] = at;
    if (k->n)
      memcpy(f->insts + at, k->v, k->n * sizeof *k->v);
    at += (uint32_t)k->n;
  }
  f->ninsts = at;
  for (size_t i = 0; i < a->nlabels; i++)
    if (a->label_block[i] != PTX_NONE)
      a->labels[i].pos = start[a->label_block[i]];
    else
      a->labels[i].pos = PTX_NONE; /* nobody branches there */
  f->labels = keep(a->m, a->labels, a->nlabels, sizeof *a->labels);
  f->ops = keep(a->m, a->ops, a->nops, sizeof *a->ops);
  f->regs = keep(a->m, a->regs, a->nregs, sizeof *a->regs);
  f->nlabels = (uint32_t)a->nlabels, f->nops = (uint32_t)a->nops, f->nregs = (uint32_t)a->nregs;
  free(start);
}

static void count_read(void *ctx, uint32_t r, enum asm_role role) {
  bool *read = ctx;
  read[r] |= role == ASM_USE;
}

/* Does it matter which thread's atomic comes first? Sums of floats are rounded on the way; a result tells. */
static bool order_shows(const struct asm_fn *a) {
  bool *read = xcalloc(a->nregs + 1, sizeof *read), shows = false;
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count_read, read);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      const struct ptx_inst *in = &a->blocks[b].v[i];
      const struct mnem *m = &a->mnems->mnems[in->mnemonic];
      if (m->fn != lower_op_atom || !in->nops)
        continue;
      const struct ptx_operand *o = &a->ops[in->first_op];
      shows |= ptx_type_kind(mnem_type(m, 0)) == 'f' || mnem_has(m, "exch") || mnem_has(m, "cas") ||
               (asm_traits(a, in)->has_result && (o->kind != PTX_OP_REG || read[o->id]));
    }
  free(read);
  return shows;
}

static void assemble_function(struct ptx_module *m, struct ptx_func *f, struct lower *mnems,
                              struct asm_traits **traits, enum front_schedule schedule) {
  struct asm_fn a = {
      .m = m, .f = f, .mnems = mnems, .traits = traits, .schedule = schedule, .budget = budget(f)};
  a.ops = copy(f->ops, f->nops, sizeof *f->ops), a.nops = f->nops, a.capops = f->nops + 1u;
  a.regs = copy(f->regs, f->nregs, sizeof *f->regs), a.nregs = f->nregs, a.capregs = f->nregs + 1u;
  a.labels = copy(f->labels, f->nlabels, sizeof *f->labels), a.nlabels = f->nlabels,
  a.caplabels = f->nlabels + 1u;
  a.carry = (uint32_t)a.nregs;
  VEC_PUSH(a.regs, a.nregs, a.capregs) =
      (struct ptx_reg){.name = "(carry)", .num = -1, .type = PTX_PRED, .vec = 1};
  take_apart(&a);
  a.order_shows = order_shows(&a);
  if (schedule == SCHEDULE_ASSEMBLER9)
    asm_widen(&a);
  asm_fold(&a);
  if (!a.order_shows && schedule == SCHEDULE_ASSEMBLER9) {
    asm_straighten(&a), asm_predicate(&a); /* loops whose bodies have no branches then are unrolled, too */
    asm_unroll(&a);                        /* whose stages stay branches */
  } else if (!a.order_shows) {
    asm_unroll(&a);
    asm_predicate(&a);
  }
  if (schedule == SCHEDULE_ASSEMBLER9)
    asm_narrow_addresses(&a), asm_combine(&a), asm_join_products(&a);
  asm_fold_unrolled(&a);
  asm_raise_budget(&a);
  asm_leave_reloads(&a);
  asm_join(&a);
  if (schedule == SCHEDULE_ASSEMBLER9)
    asm_take_names(&a), asm_unite_copies(&a);
  asm_schedule(&a);
  put_together(&a);
  for (size_t b = 0; b < a.nblocks; b++)
    free(a.blocks[b].v);
  free(a.blocks), free(a.ops), free(a.regs), free(a.labels), free(a.label_block);
}

void ptx_assemble(struct ptx_module *m, enum front_schedule schedule) {
  struct program p = {.ast = m};
  struct lower mnems = {.p = &p};
  lower_prepare_mnems(&mnems);
  struct asm_traits *traits = xcalloc(m->nmnemonics + 1, sizeof *traits);
  for (uint32_t i = 0; i < m->nmnemonics; i++)
    asm_traits_of(&mnems.mnems[i], &traits[i]);
  for (uint32_t i = 0; i < m->nfuncs; i++)
    if (!m->funcs[i].is_extern)
      assemble_function(m, &m->funcs[i], &mnems, &traits, schedule);
  m->for_sm_90 = schedule == SCHEDULE_ASSEMBLER9;
  free(mnems.mnems), free(traits);
}
