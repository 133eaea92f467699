/* What an assembler for compute capability 9 makes of logic and of atomics without readers.
 *
 *   t = a & b; d = t ^ c        d = lop3(a, b, c)     where nobody else reads t
 *   atom.add r, [p], v          red.add [p], v        where nobody reads r
 *
 * The two instructions stand in one block, and nothing between them writes a or b. */
#include "base/mem.h"
#include "front/ptx/assemble/asm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct logic {
  struct asm_fn *a;
  uint32_t *reads, *writes; /* by register, in the function */
  uint32_t *stamp, block;   /* by register: the block for which `at` holds */
  size_t *at;               /* by register: behind its last write in the block */
  size_t now;
};

static void count(void *ctx, uint32_t r, enum asm_role role) {
  struct logic *g = ctx;
  g->reads[r] += role == ASM_USE;
  g->writes[r] += role != ASM_USE;
}

static void note_write(void *ctx, uint32_t r, enum asm_role role) {
  struct logic *g = ctx;
  if (role == ASM_USE)
    return;
  g->stamp[r] = g->block;
  g->at[r] = g->now + 1;
}

static const struct mnem *mnem_of(const struct logic *g, const struct ptx_inst *in) {
  return &g->a->mnems->mnems[in->mnemonic];
}

/* Its truth table over the columns x and y, or -1. */
static int table(const struct logic *g, const struct ptx_inst *in, unsigned x, unsigned y) {
  const struct mnem *m = mnem_of(g, in);
  if (in->guard != PTX_NONE || in->nops != 3 || m->ntok != 2 || !tok_is(m, 1, "b32"))
    return -1;
  if (tok_is(m, 0, "and"))
    return (int)(x & y);
  if (tok_is(m, 0, "or"))
    return (int)(x | y);
  return tok_is(m, 0, "xor") ? (int)(x ^ y) : -1;
}

static bool plain(const struct logic *g, const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp && g->a->regs[o->id].vec <= 1 &&
         ptx_type_bits(g->a->regs[o->id].type) == 32;
}

/* A source that still is at `now` what it was at `then`. */
static bool lasts(const struct logic *g, const struct ptx_operand *o, size_t then) {
  if (o->kind == PTX_OP_INT)
    return !o->comp;
  return plain(g, o) && (g->stamp[o->id] != g->block || g->at[o->id] <= then);
}

static bool join_logic(struct logic *g, const struct asm_block *k, struct ptx_inst *in) {
  enum { A = 0xf0, B = 0xcc, C = 0xaa };
  for (unsigned i = 1; i < 3; i++) {
    const struct ptx_operand *o = &g->a->ops[in->first_op];
    if (table(g, in, 0, 0) < 0 || !plain(g, &o[0]) || !plain(g, &o[i]) || g->reads[o[i].id] != 1 ||
        g->writes[o[i].id] != 1 || g->stamp[o[i].id] != g->block)
      continue;
    size_t then = g->at[o[i].id] - 1;
    const struct ptx_inst *first = &k->v[then];
    int inner = table(g, first, A, B);
    const struct ptx_operand *s = inner < 0 ? NULL : &g->a->ops[first->first_op];
    if (inner < 0 || !plain(g, &s[1]) || !lasts(g, &s[1], then) || !lasts(g, &s[2], then) ||
        !lasts(g, &o[3 - i], g->now))
      continue;
    struct ptx_operand ops[5] = {o[0], s[1], s[2], o[3 - i],
                                 asm_op_int(table(g, in, (unsigned)inner, C) & 0xff)};
    uint16_t more = in->more;
    *in = asm_inst(g->a, in, "lop3.b32", ops, 5);
    in->more = more;
    return true;
  }
  return false;
}

/* atom with a result that nobody reads */
static void drop_result(struct logic *g, struct ptx_inst *in) {
  const struct mnem *m = mnem_of(g, in);
  const struct ptx_operand *o = &g->a->ops[in->first_op];
  if (m->fn != lower_op_atom || !tok_is(m, 0, "atom") || mnem_has(m, "exch") || mnem_has(m, "cas") ||
      in->nops != 3 || o[0].kind != PTX_OP_REG || o[0].comp || g->reads[o[0].id])
    return;
  char name[96];
  struct ptx_operand ops[2] = {o[1], o[2]};
  if (snprintf(name, sizeof name, "red%s", m->text + m->tok[0].n) >= (int)sizeof name)
    return;
  struct ptx_inst red = asm_inst(g->a, in, name, ops, 2);
  red.guard = in->guard, red.guard_neg = in->guard_neg, red.more = in->more;
  *in = red;
}

void asm_combine(struct asm_fn *a) {
  size_t n = a->nregs + 1;
  struct logic g = {.a = a};
  g.reads = xcalloc(n, sizeof *g.reads), g.writes = xcalloc(n, sizeof *g.writes),
  g.stamp = xcalloc(n, sizeof *g.stamp), g.at = xcalloc(n, sizeof *g.at);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count, &g);
  for (size_t b = 0; b < a->nblocks; b++) {
    struct asm_block *k = &a->blocks[b];
    g.block++;
    for (size_t i = 0; i < k->n; i++) {
      g.now = i;
      if (!join_logic(&g, k, &k->v[i]))
        drop_result(&g, &k->v[i]);
      asm_visit(a, &k->v[i], note_write, &g);
    }
  }
  free(g.reads), free(g.writes), free(g.stamp), free(g.at);
}
