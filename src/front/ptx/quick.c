/* What the executor wants to know about uops beforehand. See quick.h. */
#include "front/ptx/lower.h"
#include <string.h>

_Static_assert((int)QUICK_COUNT <= QUICK_SLOTS / 2, "the map has room");

/* Where fn is, or would be. */
static size_t find(const struct quick_map *m, ptx_op_fn *fn) {
  size_t i = ((uintptr_t)fn >> 4) % QUICK_SLOTS;
  while (m->fn[i] && m->fn[i] != fn)
    i = (i + 1) % QUICK_SLOTS;
  return i;
}

void quick_learn(struct quick_map *m) {
  static const char *const names[QUICK_COUNT] = {
#define QUICK_NAME(id, name, sources) [QUICK_##id] = name,
      QUICK_ROWS(QUICK_NAME)
#undef QUICK_NAME
  };
  memset(m, 0, sizeof *m);
  for (unsigned q = 0; q < QUICK_COUNT; q++) {
    struct ptx_op_match op;
    if (!names[q])
      continue;
    if (!ptx_op_resolve(names[q], &op))
      panic("no row '%s' in the operation table", names[q]);
    size_t i = find(m, op.op->fn);
    m->fn[i] = op.op->fn;
    m->quick[i] = (uint8_t)q;
  }
}

static enum uop_quick quick_of(const struct quick_map *m, ptx_op_fn *fn) {
  size_t i = find(m, fn);
  return m->fn[i] ? (enum uop_quick)m->quick[i] : QUICK_NONE;
}

/* A constant goes second where the order does not matter. */
static void constant_second(const struct lower *l, struct uop *u) {
  static const uint8_t either[] = {QUICK_add_u32,     QUICK_mul_lo_u32,   QUICK_mad_lo_u32,
                                   QUICK_and_b32,     QUICK_or_b32,       QUICK_xor_b32,
                                   QUICK_add_u64,     QUICK_mul_wide_u32, QUICK_mul_wide_s32,
                                   QUICK_setp_eq_u32, QUICK_setp_ne_u32};
  if (u->kind != U_ALU || SLOT_AREA(u->a) == SLOT_REG || SLOT_AREA(u->b) != SLOT_REG)
    return;
  enum uop_quick q = quick_of(&l->quick, u->fn);
  if (q != QUICK_NONE && memchr(either, (int)q, sizeof either)) {
    slot_t a = u->a;
    u->a = u->b;
    u->b = a;
  }
}

/* The shortest way to execute a uop in a warp of 32 lanes. */
static enum uop_quick shortest(const struct lower *l, const struct uop *u) {
  if (u->kind >= U_BRA)
    return QUICK_END;
  if (u->flags & UF_GUARD)
    return QUICK_NONE;
  if (u->flags & UF_WORD)
    return u->kind == U_LD ? QUICK_LOAD : QUICK_STORE;
  bool reg = SLOT_AREA(u->d) == SLOT_REG;
  if (u->kind == U_SREG && reg && u->aux2 < 3)
    return u->aux == PTX_SREG_TID ? QUICK_TID : u->aux == PTX_SREG_CTAID ? QUICK_CTAID : QUICK_NONE;
  if (u->kind != U_ALU || u->e != SLOT_NONE)
    return QUICK_NONE;
  enum uop_quick q = reg && SLOT_AREA(u->a) == SLOT_REG ? quick_of(&l->quick, u->fn) : QUICK_NONE;
  return q != QUICK_NONE || u->c != SLOT_NONE ? q : QUICK_PLAIN;
}

/* Marks the shortest way, and for a load the one before it in the
 * block, from which its address may come (run/ahead.c). */
void quick_mark(struct lower *l, uint32_t first_block) {
  for (uint32_t b = first_block; b < l->nblocks; b++) {
    const struct uop_ext *before = NULL;
    for (uint32_t i = l->blocks[b].first; i < l->blocks[b].end; i++) {
      struct uop *u = &l->uops[i];
      if (u->x)
        u->x->kind = (uint8_t)tally_kind(&l->f->insts[u->inst]);
      if ((u->kind == U_LD || u->kind == U_ST) && u->x->word)
        u->flags |= UF_WORD, u->target = u->x->id;
      if (u->kind == U_LD && u->x->space == PTX_SHARED && u->x->size == 4 && u->x->vec == 1 &&
          u->x->width[0] == 4 && u->a != SLOT_NONE)
        u->flags |= UF_NEAR;
      constant_second(l, u);
      u->quick = (uint8_t)shortest(l, u);
      if (u->kind == U_BRA && u->flags & UF_GUARD && i > l->blocks[b].first &&
          u[-1].quick >= QUICK_FIRST_SETP && u[-1].d == u->guard)
        u[-1].flags |= UF_PAIR, u->flags |= UF_PAIR;
      if (u->kind != U_LD || !u->x->word)
        continue;
      u->x->producer = before;
      before = u->x;
    }
  }
}
