/* Short branches become predicates:
 *
 *      @%p bra L                     add %r1 = ...        nobody reads it behind L: no predicate needed
 *      add %r1 = ...          ─▶     @!%p ld %f1 = [..]
 *      ld %f1 = [..]           L:    ...
 *   L: ...
 *
 * ptxas does so with up to eight instructions besides loads (docs/scheduling.md). */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>

enum { SHORT_MOST = 8, LOADS_MOST = 8, ROUNDS = 2 };

struct check {
  const struct asm_fn *a;
  const uint8_t *live; /* behind the branch */
  uint32_t predicate;
  bool writes_predicate, wanted;
};

static void look(void *ctx, uint32_t r, enum asm_role role) {
  struct check *c = ctx;
  if (role == ASM_USE)
    return;
  c->writes_predicate |= r == c->predicate;
  c->wanted |= c->live[r] || role == ASM_DEF_PART;
}

static bool jumps_to(const struct asm_fn *a, const struct ptx_inst *in, size_t block) {
  const struct ptx_operand *o = &a->ops[in->first_op];
  return a->mnems->mnems[in->mnemonic].fn == lower_op_bra && in->nops == 1 && o->kind == PTX_OP_LABEL &&
         !o->is_table && o->id < a->nlabels && a->label_block[o->id] == block;
}

static bool long_work(const struct mnem *m) {
  return m->op.op && (m->op.op->unit == PTX_UNIT_IDIV || m->op.op->unit == PTX_UNIT_IDIV64 ||
                      m->op.op->unit == PTX_UNIT_FDIV || m->op.op->unit == PTX_UNIT_DDIV ||
                      m->op.op->unit == PTX_UNIT_SFU || m->op.op->unit == PTX_UNIT_SFU_FULL ||
                      m->op.op->unit == PTX_UNIT_TRIG);
}

/* Can all of block t stand behind a predicate? */
static bool fits(const struct asm_fn *a, const struct asm_block *t, struct check *c) {
  unsigned loads = 0, others = 0;
  for (size_t i = 0; i < t->n; i++) {
    const struct ptx_inst *in = &t->v[i];
    enum asm_kind k = asm_kind(a, in);
    if (in->guard != PTX_NONE || (k != ASM_PURE && k != ASM_LOAD && k != ASM_STORE && k != ASM_ATOM) ||
        asm_traits(a, in)->cc_out || asm_traits(a, in)->cc_in || long_work(&a->mnems->mnems[in->mnemonic]))
      return false;
    asm_visit(a, in, look, c);
    loads += k == ASM_LOAD, others += k != ASM_LOAD;
  }
  return !c->writes_predicate && loads <= LOADS_MOST && others <= SHORT_MOST;
}

struct overlap {
  bool *written, found;
};

static void note_written(void *ctx, uint32_t r, enum asm_role role) {
  struct overlap *o = ctx;
  if (role != ASM_USE)
    o->written[r] = true;
}

/* What the second block writes itself before it reads it does not count. */
static void note_read(void *ctx, uint32_t r, enum asm_role role) {
  struct overlap *o = ctx;
  o->found |= role == ASM_USE && o->written[r];
  if (role == ASM_DEF)
    o->written[r] = false;
}

/* Does the second block read what the first writes? Without a branch between them the first comes first. */
static bool reads_other(const struct asm_fn *a, const struct asm_block *x, const struct asm_block *y) {
  struct overlap o = {.written = xcalloc(a->nregs + 1, sizeof *o.written)};
  for (size_t i = 0; i < x->n; i++)
    asm_visit(a, &x->v[i], note_written, &o);
  for (size_t i = 0; i < y->n; i++)
    asm_visit(a, &y->v[i], note_read, &o);
  free(o.written);
  return o.found;
}

/* Instructions of a block stand behind a predicate from now on, where somebody can tell. */
static void put_behind(struct asm_fn *a, struct asm_block *t, const struct ptx_inst *branch, bool negated,
                       struct check *c) {
  for (size_t i = 0; i < t->n; i++) {
    struct ptx_inst *in = &t->v[i];
    c->wanted = asm_kind(a, in) != ASM_PURE && !asm_is_param(a, in);
    asm_visit(a, in, look, c);
    if (c->wanted)
      in->guard = branch->guard, in->guard_neg = negated;
  }
}

/* The block without the jump to `to` that may end it. */
static bool ends_in(const struct asm_fn *a, struct asm_block *t, size_t to) {
  bool jump = t->n && t->v[t->n - 1].guard == PTX_NONE && jumps_to(a, &t->v[t->n - 1], to);
  t->n -= jump;
  return jump;
}

/* `@%p bra L; bra M; L:` as nvcc writes it is `@!%p bra M; L:`. */
void asm_straighten(struct asm_fn *a) {
  uint32_t *entries = xcalloc(a->nblocks + 1, sizeof *entries);
  bool any = false;
  asm_targets(a, entries);
  for (size_t b = 0; b + 2 < a->nblocks; b++) {
    struct asm_block *k = &a->blocks[b], *t = &a->blocks[b + 1];
    struct ptx_inst *branch = k->n ? &k->v[k->n - 1] : NULL, *jump = t->n == 1 ? &t->v[0] : NULL;
    const struct ptx_operand *to = jump ? &a->ops[jump->first_op] : NULL;
    if (!branch || !jump || entries[b + 1] || branch->guard == PTX_NONE || !jumps_to(a, branch, b + 2) ||
        jump->guard != PTX_NONE || a->mnems->mnems[jump->mnemonic].fn != lower_op_bra || jump->nops != 1 ||
        to->kind != PTX_OP_LABEL || to->is_table || to->id >= a->nlabels ||
        a->label_block[to->id] == PTX_NONE)
      continue;
    branch->guard_neg = !branch->guard_neg;
    branch->first_op = jump->first_op;
    t->n = 0;
    any = true;
  }
  free(entries);
  if (any)
    asm_merge_blocks(a);
}

struct place {
  struct asm_fn *a;
  const uint32_t *entries;
  const struct asm_live *v;
  uint8_t *live;
};

/* A branch to the end is an exit of those threads, which a warp without others need not go beyond. */
static bool is_end(const struct asm_fn *a, size_t b) {
  const struct asm_block *k = &a->blocks[b];
  const struct mnem *m = k->n ? &a->mnems->mnems[k->v[0].mnemonic] : NULL;
  return a->f->is_entry && (!m || m->fn == lower_op_ret || m->fn == lower_op_exit);
}

static bool convert(struct place *p, size_t b) {
  struct asm_fn *a = p->a;
  struct asm_block *k = &a->blocks[b], *t = &a->blocks[b + 1];
  struct ptx_inst *branch = k->n ? &k->v[k->n - 1] : NULL;
  if (!branch || branch->guard == PTX_NONE || !jumps_to(a, branch, b + 2) || p->entries[b + 1] ||
      is_end(a, b + 2))
    return false;
  struct asm_block then = *t;
  ends_in(a, &then, b + 2);
  asm_live_at_head(p->v, b + 2, p->live);
  struct check c = {.a = a, .live = p->live, .predicate = branch->guard};
  if (!fits(a, &then, &c))
    return false;
  put_behind(a, &then, branch, !branch->guard_neg, &c);
  t->n = then.n;
  k->n--;
  asm_account(t, 1);
  return true;
}

/* The same with two sides: @%p bra E; ...; bra M; E: ...; M: */
static bool convert_both(struct place *p, size_t b) {
  struct asm_fn *a = p->a;
  if (b + 3 >= a->nblocks)
    return false;
  struct asm_block *k = &a->blocks[b], *t = &a->blocks[b + 1], *e = &a->blocks[b + 2];
  struct ptx_inst *branch = k->n ? &k->v[k->n - 1] : NULL;
  if (!branch || branch->guard == PTX_NONE || !jumps_to(a, branch, b + 2) || p->entries[b + 1] ||
      p->entries[b + 2] != 1)
    return false;
  struct asm_block then = *t, other = *e;
  if (!ends_in(a, &then, b + 3))
    return false;
  ends_in(a, &other, b + 3);
  asm_live_at_head(p->v, b + 3, p->live);
  struct check c = {.a = a, .live = p->live, .predicate = branch->guard};
  if (then.n + other.n > SHORT_MOST || !fits(a, &then, &c) || !fits(a, &other, &c) ||
      reads_other(a, &then, &other))
    return false;
  put_behind(a, &then, branch, !branch->guard_neg, &c);
  put_behind(a, &other, branch, branch->guard_neg, &c);
  t->n = then.n, e->n = other.n;
  k->n--;
  asm_account(t, 1);
  return true;
}

static bool round_(struct asm_fn *a) {
  struct asm_live v;
  asm_liveness(a, &v);
  uint32_t *entries = xcalloc(a->nblocks + 1, sizeof *entries);
  struct place p = {a, entries, &v, xcalloc(a->nregs + 1, 1)};
  bool any = false;
  asm_targets(a, entries);
  for (size_t b = 0; b + 2 < a->nblocks; b++) {
    size_t passed = convert(&p, b) ? 1 : convert_both(&p, b) ? 2 : 0;
    any |= passed != 0;
    b += passed;
  }
  free(entries), free(p.live);
  asm_live_free(&v);
  if (any)
    asm_merge_blocks(a);
  return any;
}

void asm_predicate(struct asm_fn *a) {
  for (int i = 0; i < ROUNDS && round_(a); i++)
    ;
}
