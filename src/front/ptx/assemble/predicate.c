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
  return m->op.op && (m->op.op->unit == PTX_UNIT_IDIV || m->op.op->unit == PTX_UNIT_FDIV ||
                      m->op.op->unit == PTX_UNIT_DDIV || m->op.op->unit == PTX_UNIT_SFU);
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

static bool convert(struct asm_fn *a, size_t b, const bool *entered, uint8_t *live,
                    const struct asm_live *v) {
  struct asm_block *k = &a->blocks[b], *t = &a->blocks[b + 1];
  struct ptx_inst *branch = k->n ? &k->v[k->n - 1] : NULL;
  if (!branch || branch->guard == PTX_NONE || !jumps_to(a, branch, b + 2) || entered[b + 1])
    return false;
  bool jump = t->n && t->v[t->n - 1].guard == PTX_NONE && jumps_to(a, &t->v[t->n - 1], b + 2);
  struct asm_block body = {.v = t->v, .n = t->n - jump};
  asm_live_at_head(v, b + 2, live);
  struct check c = {.a = a, .live = live, .predicate = branch->guard};
  if (!fits(a, &body, &c))
    return false;
  for (size_t i = 0; i < body.n; i++) {
    struct ptx_inst *in = &t->v[i];
    c.wanted = asm_kind(a, in) != ASM_PURE && !asm_is_param(a, in);
    asm_visit(a, in, look, &c);
    if (c.wanted)
      in->guard = branch->guard, in->guard_neg = !branch->guard_neg;
  }
  t->n = body.n;
  k->n--;
  asm_account(t, 1);
  return true;
}

static bool round_(struct asm_fn *a) {
  struct asm_live v;
  asm_liveness(a, &v);
  bool *entered = xcalloc(a->nblocks + 1, sizeof *entered), any = false;
  uint8_t *live = xcalloc(a->nregs + 1, 1);
  asm_targets(a, entered);
  for (size_t b = 0; b + 2 < a->nblocks; b++)
    if (convert(a, b, entered, live, &v))
      any = true, b++;
  free(entered), free(live);
  asm_live_free(&v);
  if (any)
    asm_merge_blocks(a);
  return any;
}

void asm_predicate(struct asm_fn *a) {
  for (int i = 0; i < ROUNDS && round_(a); i++)
    ;
}
