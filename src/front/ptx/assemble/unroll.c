/* Unrolling of loops with a counter, as ptxas does it (docs/scheduling.md): a loop whose number of iterations is not
 * known becomes
 *
 *        b4 = n - 3 s                       s: step, n: limit; b4 must not wrap
 *        @!(i < b4) bra M
 *   U:   four iterations; @(i < b4) bra U   the next four are certain
 *        @!(i < n) bra E
 *   M:   b2 = n - s
 *        @!(i < b2) bra L
 *        two iterations
 *        @!(i < n) bra E
 *   L:   one iteration; @(i < n) bra L      the loop as it was
 *   E:
 *
 * For recent GPUs (assembler9) those that are done do not leave, and threads meet behind each stage:
 *
 *        once = !(i < n)
 *        @!(i < b4) bra M
 *   U:   four iterations; @(i < b4) bra U
 *   M:   @!(i < b2) bra L
 *        two iterations
 *   L:   @!(i < n or once) bra E
 *   O:   one iteration; @(i < n) bra O
 *   E:
 *
 * where < is the loop's own comparison (for "not equal": less or greater as the step goes, which holds for no
 * value that the loop would stop at). A loop of known length is laid out in full, or a divisor of its
 * iterations at a time. Registers of an iteration get names of their own in each copy, so that
 * scheduling can mix iterations; the last copy writes those that live on. */
#include "front/ptx/assemble/unroll.h"
#include <stdlib.h>
#include <string.h>

#define PLACED 0x80000000u /* a label's block is numbered as it will be */

static void put(struct unroll *u, struct ptx_inst in) {
  const struct asm_block *now = u->nout ? &u->out[u->nout - 1] : NULL;
  if (!now || (now->n && asm_kind(u->a, &now->v[now->n - 1]) == ASM_END))
    VEC_PUSH(u->out, u->nout, u->capout) = (struct asm_block){0};
  struct asm_block *k = &u->out[u->nout - 1];
  VEC_PUSH(k->v, k->n, k->cap) = in;
}

/* A block begins here; its number. */
static uint32_t begin(struct unroll *u) {
  VEC_PUSH(u->out, u->nout, u->capout) = (struct asm_block){0};
  return (uint32_t)u->nout - 1;
}

static void rename_reg(void *ctx, uint32_t *reg, enum asm_role role) {
  struct unroll *u = ctx;
  uint32_t r = *reg;
  if (r >= u->nregs || !loop_writes(u, r) || u->partial[r])
    return;
  if (role == ASM_DEF)
    u->now[r] = --u->left[r] || !u->lives[r] ? asm_new_reg(u->a, r) : r;
  *reg = u->now[r];
}

static void forget_name(void *ctx, uint32_t r, enum asm_role role) {
  struct unroll *u = ctx;
  if (role != ASM_USE && r < u->nregs)
    u->now[r] = r, u->left[r] = u->defs[r] * u->copies;
}

/* So many iterations in a row, without what ends them. */
static void put_copies(struct unroll *u, const struct loop *l, unsigned n) {
  struct asm_fn *a = u->a;
  u->copies = n;
  for (size_t b = l->first; b <= l->last; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], forget_name, u);
  for (unsigned k = 0; k < n; k++) {
    for (size_t b = l->first; b <= l->last; b++)
      for (size_t i = 0; i < a->blocks[b].n; i++) {
        const struct ptx_inst *in = &a->blocks[b].v[i];
        if (in == l->branch || in == l->tail || in == l->compare)
          continue;
        struct ptx_inst copy = asm_clone(a, in);
        asm_visit_places(a, &copy, rename_reg, u);
        put(u, copy);
      }
    asm_account(&u->out[u->nout - 1], 2); /* comparison and branch */
  }
}

/* predicate = counter relation limit [and/or also] */
static uint32_t put_joined(struct unroll *u, const struct loop *l, const char *relation, struct ptx_operand x,
                           struct ptx_operand y, const char *join, uint32_t also) {
  char name[32];
  uint32_t p = asm_new_reg(u->a, l->branch->guard);
  snprintf(name, sizeof name, "setp.%s%s.%s", relation, also == PTX_NONE ? "" : join, l->type);
  struct ptx_operand ops[4] = {asm_op_reg(p), x, y, asm_op_reg(also)};
  put(u, asm_inst(u->a, l->compare, name, ops, also == PTX_NONE ? 3 : 4));
  return p;
}

static uint32_t put_compare(struct unroll *u, const struct loop *l, const char *relation,
                            struct ptx_operand x, struct ptx_operand y, uint32_t also) {
  return put_joined(u, l, relation, x, y, ".and", also);
}

static void put_branch(struct unroll *u, const struct loop *l, uint32_t predicate, bool negated,
                       uint32_t label) {
  struct ptx_operand to = asm_op_label(label);
  struct ptx_inst in = asm_inst(u->a, l->branch, "bra", &to, 1);
  in.guard = predicate;
  in.guard_neg = negated;
  put(u, in);
}

/* To where the loop leads when it is over, unless that comes next anyway. */
static void put_jump(struct unroll *u, const struct loop *l, uint32_t label) {
  if (l->out != l->last + 1)
    put_branch(u, l, PTX_NONE, false, label);
}

/* limit - distance, and the predicate that the counter is below it; PTX_NONE for the limit: it wraps. */
static uint32_t put_bound(struct unroll *u, const struct loop *l, int64_t distance,
                          struct ptx_operand *bound) {
  const char *strict = l->step > 0 ? "lt" : "gt";
  if (l->limit.kind == PTX_OP_INT) {
    int64_t limit = loop_narrow(l, l->limit.u), b = loop_narrow(l, (uint64_t)limit - (uint64_t)distance);
    if (!loop_holds(l, strict, b, limit))
      return PTX_NONE;
    *bound = asm_op_int(b);
    return put_compare(u, l, l->relation, asm_op_reg(l->counter), *bound, PTX_NONE);
  }
  char name[32];
  *bound = asm_op_reg(asm_new_reg(u->a, l->counter));
  snprintf(name, sizeof name, "add.%s", l->type);
  struct ptx_operand ops[3] = {*bound, l->limit, asm_op_int(-distance)};
  put(u, asm_inst(u->a, l->compare, name, ops, 3));
  uint32_t fits = put_compare(u, l, strict, *bound, l->limit, PTX_NONE);
  return put_compare(u, l, l->relation, asm_op_reg(l->counter), *bound, fits);
}

static uint32_t label_at(struct unroll *u, uint32_t block) {
  uint32_t label = asm_new_label(u->a);
  u->a->labels[label].nounroll = true;
  u->a->label_block[label] = block | PLACED;
  return label;
}

/* Four and two iterations at a time. Where threads meet behind each stage, there is nothing between stages; else those that are done leave. */
static void put_stages(struct unroll *u, const struct loop *l, bool meet, uint32_t out, uint32_t one) {
  struct asm_fn *a = u->a;
  struct ptx_operand bound;
  uint32_t two = asm_new_label(a);
  uint32_t p = put_bound(u, l, 3 * l->step, &bound);
  if (p != PTX_NONE) {
    put_branch(u, l, p, true, two);
    uint32_t four = label_at(u, begin(u));
    put_copies(u, l, 4);
    p = put_compare(u, l, l->relation, asm_op_reg(l->counter), bound, PTX_NONE);
    put_branch(u, l, p, false, four);
    if (!meet) {
      p = put_compare(u, l, l->exact, asm_op_reg(l->counter), l->limit, PTX_NONE);
      put_branch(u, l, p, true, out);
    }
  }
  a->label_block[two] = begin(u) | PLACED;
  p = put_bound(u, l, l->step, &bound);
  if (p != PTX_NONE) {
    put_branch(u, l, p, true, one);
    put_copies(u, l, 2);
    if (!meet) {
      p = put_compare(u, l, l->exact, asm_op_reg(l->counter), l->limit, PTX_NONE);
      put_branch(u, l, p, true, out);
    }
  }
}

static void put_unknown(struct unroll *u, const struct loop *l) {
  struct asm_fn *a = u->a;
  bool meet = a->schedule == SCHEDULE_ASSEMBLER9;
  uint32_t out = asm_new_label(a), rest = asm_new_label(a), one = rest, once = PTX_NONE;
  a->label_block[out] = l->out; /* where it will be */
  if (meet)                     /* the counter is beyond the limit already: one iteration, and no stage */
    once = put_compare(u, l, loop_inverse(l->exact), asm_op_reg(l->counter), l->limit, PTX_NONE);
  put_stages(u, l, meet, out, rest);
  a->label_block[rest] = begin(u) | PLACED;
  if (meet) {
    uint32_t p = put_joined(u, l, l->exact, asm_op_reg(l->counter), l->limit, ".or", once);
    put_branch(u, l, p, true, out);
    one = asm_new_label(a);
    a->label_block[one] = begin(u) | PLACED;
  }
  a->labels[one].nounroll = true;
  for (size_t b = l->first; b <= l->last; b++) {
    u->place[b] = b > l->first ? begin(u) : u->place[b];
    for (size_t i = 0; i < a->blocks[b].n; i++)
      if (&a->blocks[b].v[i] != l->branch && &a->blocks[b].v[i] != l->tail)
        put(u, a->blocks[b].v[i]);
  }
  put_branch(u, l, l->branch->guard, l->branch->guard_neg != (l->tail != NULL), one);
  put_jump(u, l, out);
}

static void put_known(struct unroll *u, const struct loop *l, unsigned copies) {
  uint32_t again = label_at(u, begin(u));
  put_copies(u, l, copies);
  for (size_t b = l->first + 1; b <= l->last; b++)
    u->place[b] = (uint32_t)u->nout - 1;
  if (copies != l->trips) {
    uint32_t p = put_compare(u, l, l->exact, asm_op_reg(l->counter), l->limit, PTX_NONE);
    put_branch(u, l, p, false, again);
  }
  uint32_t out = asm_new_label(u->a);
  u->a->label_block[out] = l->out;
  put_jump(u, l, out);
}

static void settle_labels(struct unroll *u) {
  struct asm_fn *a = u->a;
  for (size_t i = 0; i < a->nlabels; i++)
    if (a->label_block[i] != PTX_NONE)
      a->label_block[i] =
          a->label_block[i] & PLACED ? a->label_block[i] & ~PLACED : u->place[a->label_block[i]];
}

static bool has_loop(const struct asm_fn *a) {
  for (size_t b = 0; b < a->nblocks; b++) {
    const struct ptx_inst *last = a->blocks[b].n ? &a->blocks[b].v[a->blocks[b].n - 1] : NULL;
    const struct ptx_operand *o = last && last->nops ? &a->ops[last->first_op] : NULL;
    if (o && o->kind == PTX_OP_LABEL && !o->is_table && o->id < a->nlabels && a->label_block[o->id] <= b)
      return true;
  }
  return false;
}

static bool unroll_once(struct asm_fn *a) {
  struct unroll u = {.a = a, .nregs = (uint32_t)a->nregs};
  size_t n = a->nregs + 1, nblocks = a->nblocks;
  bool any = false;
  asm_liveness(a, &u.live);
  u.place = xcalloc(nblocks + 1, sizeof *u.place), u.entries = xcalloc(nblocks + 1, sizeof *u.entries);
  u.defs = xcalloc(n, sizeof *u.defs), u.stamp = xcalloc(n, sizeof *u.stamp),
  u.partial = xcalloc(n, sizeof *u.partial), u.now = xcalloc(n, sizeof *u.now),
  u.left = xcalloc(n, sizeof *u.left), u.lives = xcalloc(n, sizeof *u.lives);
  asm_targets(a, u.entries);
  if (a->schedule == SCHEDULE_ASSEMBLER9 && has_loop(a))
    u.varies = asm_varying(a); /* blocks leave `a` below */
  for (size_t b = 0; b < nblocks; b++) {
    struct loop l;
    unsigned copies = loop_find(&u, b, &l) ? loop_choose(&u, &l) : 0;
    u.place[b] = begin(&u);
    if (!copies) {
      u.out[u.nout - 1] = a->blocks[b];
      a->blocks[b] = (struct asm_block){0};
      continue;
    }
    any = true;
    if (l.trips)
      put_known(&u, &l, copies);
    else
      put_unknown(&u, &l);
    for (; b < l.last; b++)
      free(a->blocks[b].v);
    free(a->blocks[b].v);
  }
  settle_labels(&u);
  free(a->blocks);
  a->blocks = u.out, a->nblocks = u.nout, a->capblocks = u.capout;
  asm_live_free(&u.live);
  free(u.place), free(u.entries), free(u.defs), free(u.stamp), free(u.partial), free(u.now), free(u.left),
      free(u.lives), free(u.varies);
  return any;
}

void asm_unroll(struct asm_fn *a) {
  enum { ROUNDS = 3 }; /* a loop laid out in full may leave another that can be */
  for (int i = 0; i < ROUNDS && unroll_once(a); i++)
    asm_merge_blocks(a);
}
