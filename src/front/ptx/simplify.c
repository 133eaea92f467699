/* Leaves out what the executor need not do. The stream names instructions, not uops, so it stays the same.
 *
 *   mov      %r2 = parameter              readers take the parameter itself
 *   mul.wide %rd3 = %r1 * 4
 *   add      %rd4 = base + %rd3           ld/st [base + 4 * %r1]; whoever else reads %rd4 keeps it alive
 *   ld       [%rd4]
 *
 * Only values are followed that have a single place of origin, which every way to a reader passes: there the
 * sources still are what they were. Such a register never changes within a loop that it is live at the head
 * of, so that spinning loops look the same too (run/spin.c). */
#include "front/ptx/lower.h"
#include <stdlib.h>
#include <string.h>

enum known { K_NONE, K_MOV, K_ADD64, K_MUL_WIDE, K_MAD_WIDE, K_SHL64, K_SAR64, K_SEXT, KNOWN };

struct simplify {
  struct lower *l;
  uint32_t first_uop;
  ptx_op_fn *fn[KNOWN][2];
  uint32_t *def;  /* by virtual register: the uop that writes it; PTX_NONE: none or several */
  uint32_t *uses; /* by virtual register */
  bool *many;     /* written by several, or partly, or read where it was not written */
  uint32_t at;
  int step; /* of count_uses: 1 or -1 */
};

static void learn_rows(struct simplify *s) {
  static const char *const rows[KNOWN][2] = {
      [K_MOV] = {"mov.b32", "mov.b64"},
      [K_ADD64] = {"add.s64", "add.u64"},
      [K_MUL_WIDE] = {"mul.wide.s32", NULL},
      [K_MAD_WIDE] = {"mad.wide.s32", NULL},
      [K_SHL64] = {"shl.b64", NULL},
      [K_SAR64] = {"shr.s64", NULL},
      [K_SEXT] = {"cvt.s64.s32", "sext.b64.b32"},
  };
  for (unsigned k = 0; k < KNOWN; k++)
    for (unsigned i = 0; i < 2; i++) {
      struct ptx_op_match m;
      if (rows[k][i] && ptx_op_resolve(rows[k][i], &m))
        s->fn[k][i] = m.op->fn;
    }
}

static bool is(const struct simplify *s, const struct uop *u, enum known k) {
  return u && u->kind == U_ALU && (u->fn == s->fn[k][0] || u->fn == s->fn[k][1]);
}

static void find_defs(void *ctx, slot_t *slot, enum uop_role role) {
  struct simplify *s = ctx;
  if (role == UOP_USE || SLOT_AREA(*slot) != SLOT_REG)
    return;
  uint32_t r = SLOT_OFFSET(*slot);
  if (s->def[r] != PTX_NONE || s->l->uops[s->at].flags & UF_GUARD)
    s->many[r] = true;
  s->def[r] = s->at;
}

static void count_uses(void *ctx, slot_t *slot, enum uop_role role) {
  struct simplify *s = ctx;
  if (role == UOP_USE && SLOT_AREA(*slot) == SLOT_REG)
    s->uses[SLOT_OFFSET(*slot)] += (uint32_t)s->step;
}

static void keep(struct simplify *s, const slot_t *regs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (SLOT_AREA(regs[i]) == SLOT_REG) {
      s->many[SLOT_OFFSET(regs[i])] = true;
      s->uses[SLOT_OFFSET(regs[i])]++;
    }
}

/* The uop a value comes from, if it comes from one only. */
static struct uop *origin(const struct simplify *s, slot_t slot) {
  if (SLOT_AREA(slot) != SLOT_REG)
    return NULL;
  uint32_t r = SLOT_OFFSET(slot);
  return s->many[r] || s->def[r] == PTX_NONE ? NULL : &s->l->uops[s->def[r]];
}

static bool steady(const struct simplify *s, slot_t slot) {
  return SLOT_AREA(slot) == SLOT_CONST || SLOT_AREA(slot) == SLOT_LAUNCH || origin(s, slot);
}

/* The same in all threads of a launch? */
static bool is_size(const struct simplify *s, const struct uop *u) {
  return u && u->kind == U_SREG && (u->aux == PTX_SREG_NTID || u->aux == PTX_SREG_NCTAID) && u->aux2 < 3 &&
         s->l->ast->is_entry && s->l->vwidth[SLOT_OFFSET(u->d)] == 4;
}

/* A reader of a copy reads the original. */
static void see_through(void *ctx, slot_t *slot, enum uop_role role) {
  struct simplify *s = ctx;
  if (role != UOP_USE)
    return;
  const struct uop *u = origin(s, *slot);
  for (; is(s, u, K_MOV) && steady(s, u->a); u = origin(s, *slot))
    *slot = u->a;
  if (is_size(s, u))
    *slot = lower_launch_size(s->l, u->aux == PTX_SREG_NTID ? SIZE_BLOCK : SIZE_GRID, u->aux2);
}

static bool constant(const struct simplify *s, slot_t slot, unsigned bytes, uint64_t *v) {
  *v = 0;
  if (SLOT_AREA(slot) != SLOT_CONST)
    return false;
  memcpy(v, s->l->p->consts + SLOT_OFFSET(slot), bytes);
  return true;
}

static bool is_constant(const struct simplify *s, slot_t slot, uint64_t wanted) {
  uint64_t v;
  return constant(s, slot, 4, &v) && v == wanted;
}

/* address = base + what is left */
static bool take_sum(const struct simplify *s, struct uop *u) {
  const struct uop *o = origin(s, u->a);
  if (!is(s, o, K_ADD64) || !steady(s, o->a) || !steady(s, o->b))
    return false;
  bool swap = SLOT_AREA(o->a) != SLOT_REG;
  slot_t reg = swap ? o->b : o->a, base = swap ? o->a : o->b;
  uint64_t v;
  if (SLOT_AREA(reg) != SLOT_REG || SLOT_AREA(base) == SLOT_REG)
    return false;
  if (constant(s, base, 8, &v))
    u->x->imm = (int64_t)((uint64_t)u->x->imm + v);
  else if (u->b == SLOT_NONE)
    u->b = base;
  else
    return false;
  u->a = reg;
  return true;
}

/* what is left = 4 * a 32-bit number with sign */
static void take_index(const struct simplify *s, struct uop *u) {
  const struct uop *o = origin(s, u->a), *inner;
  if (is(s, o, K_MUL_WIDE) && is_constant(s, o->b, 4) && origin(s, o->a)) {
    u->a = o->a;
    u->x->index = INDEX_32;
  } else if (is(s, o, K_SHL64) && is_constant(s, o->b, 2) && is(s, inner = origin(s, o->a), K_SEXT) &&
             origin(s, inner->a)) {
    u->a = inner->a;
    u->x->index = INDEX_32;
  } else if (is(s, o, K_SAR64) && is_constant(s, o->b, 30) && is(s, inner = origin(s, o->a), K_SHL64) &&
             is_constant(s, inner->b, 32) && origin(s, inner->a)) {
    u->a = inner->a;
    u->x->index = INDEX_LOW;
  }
}

/* address = base + 4 * a 32-bit number with sign */
static void take_both(const struct simplify *s, struct uop *u) {
  const struct uop *o = origin(s, u->a);
  if (u->x->index != INDEX_NONE || u->b != SLOT_NONE || !is(s, o, K_MAD_WIDE) || !is_constant(s, o->b, 4) ||
      !origin(s, o->a) || SLOT_AREA(o->c) == SLOT_REG)
    return;
  u->b = o->c;
  u->a = o->a;
  u->x->index = INDEX_32;
}

static void take_address(const struct simplify *s, struct uop *u) {
  if ((u->kind != U_LD && u->kind != U_ST) || !u->x->word)
    return;
  while (take_sum(s, u))
    ;
  take_index(s, u);
  take_both(s, u);
}

static bool useless(const struct simplify *s, const struct uop *u) {
  bool plain = u->kind == U_SREG || (u->kind == U_ALU && !(u->aux2 & 1)); /* a single result */
  return plain && !(u->flags & UF_GUARD) && SLOT_AREA(u->d) == SLOT_REG && !s->uses[SLOT_OFFSET(u->d)];
}

static void count_readers(const struct simplify *s, struct uop *u) {
  if (u->kind == U_ALU && SLOT_AREA(u->d) == SLOT_REG && s->uses[SLOT_OFFSET(u->d)] == 1)
    u->flags |= UF_ONCE;
}

/* setp's complement, which is seldom asked for. The carry is the only other second result. */
static void leave_complement(const struct simplify *s, struct uop *u) {
  if ((u->kind != U_ALU && u->kind != U_ALU_ROUND) || u->aux2 != 1 || SLOT_AREA(u->e) != SLOT_REG ||
      SLOT_OFFSET(u->e) == s->l->cc || s->uses[SLOT_OFFSET(u->e)])
    return;
  u->e = SLOT_NONE;
  u->aux2 = 0;
}

/* What nobody reads goes, and with it what only that read. */
static void remove_useless(struct simplify *s, uint32_t first_block) {
  struct lower *l = s->l;
  bool *gone = xcalloc(l->nuops - s->first_uop + 1, sizeof *gone);
  s->step = -1;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = l->nuops; i-- > s->first_uop;) {
      if (gone[i - s->first_uop] || !useless(s, &l->uops[i]))
        continue;
      uop_visit(&l->uops[i], count_uses, s);
      changed = gone[i - s->first_uop] = true;
    }
  }
  uint32_t to = s->first_uop;
  for (uint32_t b = first_block; b < l->nblocks; b++) {
    struct block *k = &l->blocks[b];
    uint32_t from = k->first, end = k->end;
    k->first = to;
    for (uint32_t i = from; i < end; i++)
      if (!gone[i - s->first_uop])
        l->uops[to++] = l->uops[i];
    k->end = to;
  }
  l->nuops = to;
  free(gone);
}

void simplify(struct lower *l, const struct liveness *v) {
  struct simplify s = {.l = l, .first_uop = l->blocks[v->first].first};
  size_t nv = l->nv + 1;
  s.def = xmalloc(nv * sizeof *s.def), s.uses = xcalloc(nv, sizeof *s.uses),
  s.many = xcalloc(nv, sizeof *s.many);
  memset(s.def, 0xff, nv * sizeof *s.def);
  learn_rows(&s);
  for (s.at = s.first_uop; s.at < l->nuops; s.at++)
    uop_visit(&l->uops[s.at], find_defs, &s);
  for (uint32_t r = 0; r < l->nv; r++) {
    uint32_t g = v->global[r];
    if (g != PTX_NONE && v->in[g >> 6] >> (g & 63) & 1)
      s.many[r] = true; /* live where the function begins */
  }
  keep(&s, l->f->param_reg, l->ast->nparams);
  keep(&s, l->f->ret_reg, l->ast->nrets);
  for (size_t i = s.first_uop; i < l->nuops; i++)
    uop_visit(&l->uops[i], see_through, &s);
  for (size_t i = s.first_uop; i < l->nuops; i++)
    take_address(&s, &l->uops[i]);
  s.step = 1;
  for (size_t i = s.first_uop; i < l->nuops; i++)
    uop_visit(&l->uops[i], count_uses, &s);
  for (size_t i = s.first_uop; i < l->nuops; i++)
    leave_complement(&s, &l->uops[i]);
  remove_useless(&s, v->first);
  for (size_t i = s.first_uop; i < l->nuops; i++)
    count_readers(&s, &l->uops[i]);
  free(s.def), free(s.uses), free(s.many);
}
