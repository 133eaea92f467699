/* Which comparisons decide whether instructions execute.
 *
 *   setp %p1 ...      guard: a branch, another guarded instruction or a vote reads %p1
 *   @%p1 bra L
 *   setp %p2 ...      value: selections and further comparisons read it, which need not know it as early
 *   selp %r1 ... %p2
 */
#include "front/ptx/lower.h"
#include <stdlib.h>

static void note(bool *guards, slot_t s) {
  if (SLOT_AREA(s) == SLOT_REG)
    guards[SLOT_OFFSET(s)] = true;
}

static bool among(const bool *guards, slot_t s) {
  return SLOT_AREA(s) == SLOT_REG && guards[SLOT_OFFSET(s)];
}

void predicates_mark(struct lower *l, uint32_t first) {
  bool *guards = xcalloc(l->nv + 1, sizeof *guards);
  const uint32_t begin = l->blocks[first].first;
  for (uint32_t i = begin; i < l->nuops; i++) {
    const struct uop *u = &l->uops[i];
    if (u->flags & UF_GUARD)
      note(guards, u->guard);
    if (u->kind == U_VOTE)
      note(guards, u->a);
  }
  for (uint32_t i = begin; i < l->nuops; i++) {
    struct sluice_inst *in = &l->f->insts[l->uops[i].inst];
    if (in->unit == PTX_UNIT_SETP && (among(guards, l->uops[i].d) || among(guards, l->uops[i].e)))
      in->unit = PTX_UNIT_GUARD;
  }
  free(guards);
}
