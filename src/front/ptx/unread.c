/* Exchanges and comparisons (exch, cas) of global memory whose results nobody reads.
 *
 * Machine code of sm_90 has no form of them without a result (ATOMG to RZ, where a sum without result is a RED), so that each waits for the
 * result of the one before. Where a loop is of several blocks, it waits for that before its first block ends:
 *
 *   loop:  head block ─── last instruction: waits ──▶ inner loop, or a branch ──▶ atom.exch ──▶ back to `loop`
 *
 * The result has a register of its own, which that instruction reads. So ptxas 13.0 does with 9 small kernels. */
#include "front/ptx/lower.h"
#include "base/mem.h"
#include <stdlib.h>

static void note_read(void *ctx, slot_t *s, enum uop_role role) {
  bool *read = ctx;
  if (role == UOP_USE && SLOT_AREA(*s) == SLOT_REG)
    read[SLOT_OFFSET(*s)] = true;
}

static bool waits(const struct uop *op, const bool *read) {
  if (op->kind != U_ATOM || (op->x->op != ATOM_EXCH && op->x->op != ATOM_CAS) ||
      (op->x->space != PTX_GLOBAL && op->x->space != PTX_GENERIC))
    return false;
  slot_t result = op->x->regs[ATOM_RESULT];
  return SLOT_AREA(result) == SLOT_REG && !read[SLOT_OFFSET(result)];
}

static void add_register(struct func *f, uint16_t *list, uint8_t *n, uint16_t reg) {
  if (*n == SLUICE_MAX_REGS)
    return;
  list[(*n)++] = reg;
  f->named[reg % PTX_NAMES / 64] |= UINT64_C(1) << reg % 64;
}

void unread_mark(struct lower *l, const struct liveness *v) {
  enum { FIRST = SLUICE_UNBANKED + 1, MOST = PTX_NAMES - FIRST }; /* the one before is the carry flag's */
  if (!l->p->ast->for_sm_90)
    return;
  bool *read = xcalloc(l->nv + 1, sizeof *read);
  struct around *loop = loops_around(l, v);
  uint32_t found = 0;
  for (uint32_t i = l->blocks[v->first].first; i < l->nuops; i++)
    uop_visit(&l->uops[i], note_read, read);
  for (uint32_t b = v->first; b < l->nblocks; b++)
    for (uint32_t i = l->blocks[b].first; i < l->blocks[b].end; i++) {
      if (!waits(&l->uops[i], read))
        continue;
      struct sluice_inst *in = &l->f->insts[l->uops[i].inst];
      uint16_t reg = (uint16_t)(FIRST + found++ % MOST);
      in->ndst = 0;
      add_register(l->f, in->dst, &in->ndst, reg);
      struct around k = loop[b - v->first];
      if (!k.to || k.from == b)
        continue;
      const struct block *head = &l->blocks[k.from];
      if (head->end > head->first) {
        struct sluice_inst *last = &l->f->insts[l->uops[head->end - 1].inst];
        add_register(l->f, last->src, &last->nsrc, reg);
      }
    }
  free(read), free(loop);
}
