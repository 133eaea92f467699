/* Short branches become predicates:
 *
 *      @%p bra L                     add %r1 = ...        nobody reads it behind L: no predicate needed
 *      add %r1 = ...          ─▶     @!%p ld %f1 = [..]
 *      ld %f1 = [..]           L:    ...
 *   L: ...
 *
 * ptxas does so with up to eight instructions, or twenty where loads of memory are among them (docs/scheduling.md). */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>

enum {
  SHORT_MOST = 8,          /* machine instructions of a side */
  UNIFORM_MOST = 6,        /* where all lanes go one way */
  LOADING_MOST = 20,       /* where a side loads from memory */
  FIRST_LOADING_MOST = 11, /* of a side in front of a branch over the other one, where both load */
  LOADS_MOST = 8,          /* of `assembler`, besides eight other instructions */
  ROUNDS = 2,
};

struct check {
  const struct asm_fn *a;
  const uint8_t *live; /* behind the branch */
  uint32_t predicate;
  bool writes_predicate, wanted;
  unsigned cost; /* in machine instructions */
  bool loads;    /* from memory */
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

static bool long_work(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct mnem *m = &a->mnems->mnems[in->mnemonic];
  if (a->schedule == SCHEDULE_ASSEMBLER9 && m->op.op && m->op.op->unit == PTX_UNIT_SFU)
    return !mnem_has(m, "approx");
  return m->op.op && (m->op.op->unit == PTX_UNIT_IDIV || m->op.op->unit == PTX_UNIT_IDIV64 ||
                      m->op.op->unit == PTX_UNIT_FDIV || m->op.op->unit == PTX_UNIT_DDIV ||
                      m->op.op->unit == PTX_UNIT_SFU || m->op.op->unit == PTX_UNIT_SFU_FULL ||
                      m->op.op->unit == PTX_UNIT_TRIG);
}

/* Can all of block t stand behind a predicate, if it is short enough? */
static bool fits(const struct asm_fn *a, const struct asm_block *t, struct check *c) {
  unsigned loads = 0, others = 0;
  bool recent = a->schedule == SCHEDULE_ASSEMBLER9;
  c->cost = 0, c->loads = false;
  for (size_t i = 0; i < t->n; i++) {
    const struct ptx_inst *in = &t->v[i];
    enum asm_kind k = asm_kind(a, in);
    const struct asm_traits *traits = asm_traits(a, in);
    if (in->guard != PTX_NONE ||
        (k != ASM_PURE && k != ASM_LOAD && k != ASM_STORE && (k != ASM_ATOM || recent)) || traits->cc_out ||
        traits->cc_in || long_work(a, in))
      return false;
    asm_visit(a, in, look, c);
    loads += k == ASM_LOAD, others += k != ASM_LOAD;
    c->cost += asm_cost(a, t, i);
    c->loads |= k == ASM_LOAD &&
                (traits->space == PTX_GLOBAL || traits->space == PTX_LOCAL || traits->space == PTX_GENERIC);
  }
  return !c->writes_predicate && (recent || (loads <= LOADS_MOST && others <= SHORT_MOST));
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
    branch->guard_neg = !branch->guard_neg, branch->turned = true;
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
  const bool *varies; /* by register; NULL: not asked */
  uint8_t *live, *live_too;
};

/* Are one or two sides short enough? The first of two ends with a jump, which counts. */
static bool short_enough(const struct place *p, const struct check *x, const struct check *second) {
  if (p->a->schedule != SCHEDULE_ASSEMBLER9)
    return true;
  unsigned most = SHORT_MOST;
  if (x->loads || (second && second->loads))
    most = LOADING_MOST;
  else if (!p->varies[x->predicate])
    most = UNIFORM_MOST;
  return second ? x->cost < most && second->cost <= most : x->cost <= most;
}

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
  if (!fits(a, &then, &c) || !short_enough(p, &c, NULL))
    return false;
  put_behind(a, &then, branch, !branch->guard_neg, &c);
  t->n = then.n;
  k->n--;
  asm_account(t, 1);
  return true;
}

static bool loads_memory(const struct asm_fn *a, const struct asm_block *t) {
  for (size_t i = 0; i < t->n; i++)
    if (asm_kind(a, &t->v[i]) == ASM_LOAD && asm_traits(a, &t->v[i])->space == PTX_GLOBAL)
      return true;
  return false;
}

/* Only the side that machine code comes to first is short, that with a jump at its end:
 *
 *      @%p bra E; short; bra M; E: long; M:        @!%p short; @!%p bra M; long; M:
 *      the same, turned:  long; bra M; E: short    @%p short; @%p bra M; long; M: */
static bool convert_first(struct place *p, size_t b, const struct asm_block *first, struct asm_block *other) {
  struct asm_fn *a = p->a;
  struct asm_block *k = &a->blocks[b], *t = &a->blocks[b + 1], *e = &a->blocks[b + 2];
  struct ptx_inst branch = k->v[k->n - 1];
  asm_live_at_head(p->v, branch.turned ? b + 1 : b + 2, p->live_too);
  for (size_t r = 0; r < a->nregs; r++)
    p->live_too[r] |= p->live[r];
  struct check c = {.a = a, .live = p->live_too, .predicate = branch.guard};
  if (!fits(a, first, &c) || (c.loads && !loads_memory(a, other)))
    return false;
  unsigned most = c.loads ? FIRST_LOADING_MOST : p->varies[branch.guard] ? SHORT_MOST : UNIFORM_MOST;
  if (c.cost + 1 > most) /* with its jump */
    return false;
  bool negated = branch.turned ? branch.guard_neg : !branch.guard_neg;
  struct asm_block side = *first;
  put_behind(a, &side, &branch, negated, &c);
  k->n--;
  for (size_t i = 0; i < side.n; i++)
    VEC_PUSH(k->v, k->n, k->cap) = side.v[i];
  branch.guard_neg = negated;
  branch.first_op = t->v[t->n - 1].first_op; /* of the jump to M */
  VEC_PUSH(k->v, k->n, k->cap) = branch;
  t->n--;
  *(branch.turned ? &e->n : &t->n) = 0;
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
  struct check c = {.a = a, .live = p->live, .predicate = branch->guard}, d = c;
  bool recent = a->schedule == SCHEDULE_ASSEMBLER9;
  struct asm_block *first = recent && branch->turned ? &other : &then;
  struct asm_block *second = first == &then ? &other : &then;
  if (!recent && then.n + other.n > SHORT_MOST)
    return false;
  if (!fits(a, first, &c) || !fits(a, second, &d) || !short_enough(p, &c, &d))
    return recent && convert_first(p, b, first, second);
  if (reads_other(a, &then, &other))
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
  bool *varies = a->schedule == SCHEDULE_ASSEMBLER9 ? asm_varying(a) : NULL;
  struct place p = {a, entries, &v, varies, xcalloc(a->nregs + 1, 1), xcalloc(a->nregs + 1, 1)};
  bool any = false;
  asm_targets(a, entries);
  for (size_t b = 0; b + 2 < a->nblocks; b++) {
    size_t passed = convert(&p, b) ? 1 : convert_both(&p, b) ? 2 : 0;
    any |= passed != 0;
    b += passed;
  }
  free(entries), free(p.live), free(p.live_too), free(varies);
  asm_live_free(&v);
  if (any)
    asm_merge_blocks(a);
  return any;
}

void asm_predicate(struct asm_fn *a) {
  for (int i = 0; i < ROUNDS && round_(a); i++)
    ;
}
