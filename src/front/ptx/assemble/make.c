/* New instructions, registers, labels and mnemonics. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

static uint32_t reserve(struct asm_fn *a, size_t n) {
  if (a->nops + n > a->capops) {
    a->capops = (a->nops + n) * 2;
    a->ops = xrealloc(a->ops, a->capops * sizeof *a->ops);
  }
  a->nops += n;
  return (uint32_t)(a->nops - n);
}

static uint32_t clone_operands(struct asm_fn *a, uint32_t first, unsigned n, int depth) {
  uint32_t to = reserve(a, n);
  memcpy(&a->ops[to], &a->ops[first], n * sizeof *a->ops);
  for (unsigned i = 0; i < n && depth < 4; i++) {
    struct ptx_operand o = a->ops[to + i];
    unsigned inner = o.kind == PTX_OP_PAIR                                                    ? 2
                     : o.kind == PTX_OP_ADDR || o.kind == PTX_OP_VEC || o.kind == PTX_OP_LIST ? o.n
                                                                                              : 0;
    if (!inner)
      continue;
    uint32_t at = clone_operands(a, o.first, inner, depth + 1);
    a->ops[to + i].first = at;
  }
  return to;
}

struct ptx_inst asm_clone(struct asm_fn *a, const struct ptx_inst *in) {
  struct ptx_inst copy = *in;
  copy.first_op = clone_operands(a, in->first_op, in->nops, 0);
  return copy;
}

uint32_t asm_new_reg(struct asm_fn *a, uint32_t like) {
  struct ptx_reg r = a->regs[like];
  r.num = (int32_t)a->nregs;
  VEC_PUSH(a->regs, a->nregs, a->capregs) = r;
  return (uint32_t)a->nregs - 1;
}

uint32_t asm_new_label(struct asm_fn *a) {
  size_t n = a->nlabels;
  a->label_block = vec_grow(a->label_block, n, &a->caplabel_block, sizeof *a->label_block);
  a->label_block[n] = PTX_NONE;
  VEC_PUSH(a->labels, a->nlabels, a->caplabels) = (struct ptx_label){.name = "(unrolled)"};
  return (uint32_t)n;
}

uint32_t asm_mnemonic(struct asm_fn *a, const char *text) {
  struct ptx_module *m = a->m;
  for (uint32_t i = 0; i < m->nmnemonics; i++)
    if (strcmp(m->mnemonics[i], text) == 0)
      return i;
  uint32_t n = m->nmnemonics;
  const char **names = arena_alloc(&m->arena, (n + 1) * sizeof *names);
  memcpy(names, m->mnemonics, n * sizeof *names);
  names[n] = arena_strndup(&m->arena, text, strlen(text));
  m->mnemonics = names;
  m->nmnemonics = n + 1;
  a->mnems->mnems = xrealloc(a->mnems->mnems, (n + 2) * sizeof *a->mnems->mnems);
  lower_take_apart(a->mnems, &a->mnems->mnems[n], names[n]);
  *a->traits = xrealloc(*a->traits, (n + 2) * sizeof **a->traits);
  asm_traits_of(&a->mnems->mnems[n], &(*a->traits)[n]);
  return n;
}

struct ptx_inst asm_inst(struct asm_fn *a, const struct ptx_inst *from, const char *mnemonic,
                         const struct ptx_operand *ops, unsigned n) {
  struct ptx_inst in = {.mnemonic = asm_mnemonic(a, mnemonic),
                        .line = from->line,
                        .loc = from->loc,
                        .guard = PTX_NONE,
                        .first_op = reserve(a, n),
                        .nops = (uint8_t)n};
  memcpy(&a->ops[in.first_op], ops, n * sizeof *ops);
  return in;
}

struct ptx_operand asm_op_reg(uint32_t reg) {
  return (struct ptx_operand){.kind = PTX_OP_REG, .id = reg};
}

struct ptx_operand asm_op_int(int64_t value) {
  return (struct ptx_operand){.kind = PTX_OP_INT, .u = (uint64_t)value};
}

struct ptx_operand asm_op_label(uint32_t label) {
  return (struct ptx_operand){.kind = PTX_OP_LABEL, .id = label};
}

struct ptx_operand asm_op_vector(struct asm_fn *a, const uint32_t *regs, unsigned n) {
  uint32_t first = reserve(a, n);
  for (unsigned i = 0; i < n; i++)
    a->ops[first + i] = asm_op_reg(regs[i]);
  return (struct ptx_operand){.kind = PTX_OP_VEC, .n = (uint16_t)n, .first = first};
}

struct ptx_operand asm_op_pair(struct asm_fn *a, const struct ptx_operand both[2]) {
  uint32_t first = reserve(a, 2);
  memcpy(&a->ops[first], both, 2 * sizeof *both);
  return (struct ptx_operand){.kind = PTX_OP_PAIR, .n = 2, .first = first};
}

void asm_account(struct asm_block *k, size_t n) {
  if (!k->n)
    return;
  size_t more = k->v[k->n - 1].more + n;
  k->v[k->n - 1].more = (uint16_t)(more > UINT16_MAX ? UINT16_MAX : more);
}
