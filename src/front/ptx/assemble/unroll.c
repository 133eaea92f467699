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
 * where < is the loop's own comparison (for "not equal": less or greater as the step goes, which holds for no
 * value that the loop would stop at). A loop of known length is laid out in full, or a divisor of its
 * iterations at a time. Registers of an iteration get names of their own in each copy, so that
 * scheduling can mix iterations; the last copy writes those that live on. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

enum {
  BODY_MOST = 50,   /* cost of an iteration for four to be worth it */
  FULL_MOST = 1000, /* of all iterations, to be laid out in full */
  PART_MOST = 350,  /* of a part of them */
};

#define PLACED 0x80000000u /* a label's block is numbered as it will be */

struct loop {
  size_t first, last;                             /* blocks */
  const struct ptx_inst *branch, *compare, *tail; /* tail: the jump back, where the branch leads out */
  uint32_t out;                                   /* block that it leads to when it is over */
  uint32_t counter;
  struct ptx_operand limit; /* register that the loop does not write, or number */
  int64_t step;
  char relation[4], type[4]; /* "lt", "s32": goes on while counter relation limit; type of less and greater */
  const char *exact;         /* the relation as written: "ne" stays so */
  unsigned bits;
  uint64_t trips; /* 0: not known */
};

struct unroll {
  struct asm_fn *a;
  struct asm_live live;
  struct asm_block *out;
  size_t nout, capout;
  uint32_t *place;        /* by old block: its number now */
  uint32_t *entries;      /* by block: ways in, but for the one from the block before */
  uint32_t *defs, *stamp; /* by register: writes in the loop; which loop */
  bool *partial;          /* by register, valid with stamp: one of them is partial */
  uint32_t loop, nregs;   /* number of this loop; registers before anything was unrolled */
  uint32_t *now, *left;   /* by register: its name in the copy at work; writes still to come */
  uint8_t *lives;         /* by register: read behind the loop or in its next iteration */
  unsigned copies;
  uint32_t wanted, uses; /* of a register */
};

static void count_def(void *ctx, uint32_t r, enum asm_role role) {
  struct unroll *u = ctx;
  if (role == ASM_USE)
    return;
  if (u->stamp[r] != u->loop)
    u->stamp[r] = u->loop, u->defs[r] = 0, u->partial[r] = false;
  u->defs[r]++;
  u->partial[r] |= role == ASM_DEF_PART;
}

static bool written(const struct unroll *u, uint32_t r) {
  return u->stamp[r] == u->loop && u->defs[r];
}

static const struct mnem *mnem_of(const struct asm_fn *a, const struct ptx_inst *in) {
  return &a->mnems->mnems[in->mnemonic];
}

/* May an instruction be repeated without its branch? */
static bool repeatable(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct mnem *m = mnem_of(a, in);
  enum asm_kind k = asm_kind(a, in);
  if (k == ASM_PURE || k == ASM_LOAD || k == ASM_STORE || k == ASM_ATOM)
    return !m->op.op || (m->op.op->unit != PTX_UNIT_IDIV && m->op.op->unit != PTX_UNIT_FDIV &&
                         m->op.op->unit != PTX_UNIT_DDIV); /* these are calls */
  return k == ASM_PIN && (m->fn == lower_op_bar || m->fn == lower_op_shfl || m->fn == lower_op_vote);
}

static bool jumps_to(const struct asm_fn *a, const struct ptx_inst *in, size_t block) {
  const struct ptx_operand *o = &a->ops[in->first_op];
  return mnem_of(a, in)->fn == lower_op_bra && in->nops == 1 && o->kind == PTX_OP_LABEL && !o->is_table &&
         o->id < a->nlabels && a->label_block[o->id] == block;
}

/* Does a way lead from one block to another? */
static bool reaches(const struct asm_fn *a, uint32_t from, size_t to) {
  size_t cap = 2 + a->f->ntargets, n = 0;
  uint32_t *next = xmalloc(cap * sizeof *next), *stack = xmalloc((a->nblocks + 1) * sizeof *stack);
  bool *seen = xcalloc(a->nblocks + 1, sizeof *seen), found = false;
  stack[n++] = from;
  seen[from] = true;
  while (n && !found) {
    uint32_t b = stack[--n];
    found = b == to;
    size_t k = asm_successors(a, b, next, cap);
    for (size_t i = 0; i < k; i++)
      if (next[i] != PTX_NONE && !seen[next[i]])
        seen[next[i]] = true, stack[n++] = next[i];
  }
  free(next), free(stack), free(seen);
  return found;
}

/* `@%p bra out; bra.uni b` at the end of a loop: ptxas unrolls it within another loop only. */
static bool ends_twice(const struct unroll *u, size_t b, size_t k, struct loop *l) {
  const struct asm_fn *a = u->a;
  const struct ptx_inst *branch = &a->blocks[k].v[a->blocks[k].n - 1];
  const struct ptx_operand *o = &a->ops[branch->first_op];
  if (k + 2 >= a->nblocks || a->blocks[k + 1].n != 1 || u->entries[k + 1] || o->id >= a->nlabels)
    return false;
  const struct ptx_inst *tail = &a->blocks[k + 1].v[0];
  if (tail->guard != PTX_NONE || !jumps_to(a, tail, b) || a->label_block[o->id] == PTX_NONE ||
      !reaches(a, a->label_block[o->id], b))
    return false;
  l->last = k + 1, l->tail = tail, l->out = a->label_block[o->id];
  return true;
}

/* Blocks b.. that run one after the other and then branch back to b; gives the last. */
static bool find_body(const struct unroll *u, size_t b, struct loop *l) {
  const struct asm_fn *a = u->a;
  for (size_t k = b; k + 1 < a->nblocks; k++) {
    const struct asm_block *x = &a->blocks[k];
    if (!x->n || (k > b && u->entries[k]))
      return false;
    const struct ptx_inst *end = &x->v[x->n - 1];
    for (size_t i = 0; i + 1 < x->n; i++)
      if (!repeatable(a, &x->v[i]))
        return false;
    if (repeatable(a, end))
      continue;
    const struct ptx_operand *o = &a->ops[end->first_op];
    if (mnem_of(a, end)->fn != lower_op_bra || end->guard == PTX_NONE || end->nops != 1 ||
        o->kind != PTX_OP_LABEL || o->is_table)
      return false;
    l->first = b, l->last = k, l->branch = end, l->out = (uint32_t)k + 1;
    return jumps_to(a, end, b) || ends_twice(u, b, k, l);
  }
  return false;
}

static bool nounroll(const struct asm_fn *a, size_t b) {
  for (size_t i = 0; i < a->nlabels; i++)
    if (a->label_block[i] == b && a->labels[i].nounroll)
      return true;
  return false;
}

static const char *inverse(const char *r) {
  static const char *const pairs[] = {"lt", "ge", "le", "gt", "eq", "ne"};
  for (unsigned i = 0; i < 6; i++)
    if (strcmp(pairs[i], r) == 0)
      return pairs[i ^ 1];
  return "";
}

static const char *mirrored(const char *r) {
  static const char *const pairs[] = {"lt", "gt", "le", "ge"};
  for (unsigned i = 0; i < 4; i++)
    if (strcmp(pairs[i], r) == 0)
      return pairs[i ^ 1];
  return r;
}

/* The instruction of the loop that writes r, if it is one only. */
static const struct ptx_inst *writer(const struct unroll *u, const struct loop *l, uint32_t r, size_t *at) {
  const struct asm_fn *a = u->a;
  *at = 0;
  if (!written(u, r) || u->defs[r] != 1 || u->partial[r])
    return NULL;
  for (size_t b = l->first; b <= l->last; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++, ++*at) {
      const struct ptx_inst *in = &a->blocks[b].v[i];
      if (asm_traits(a, in)->has_result && in->nops && a->ops[in->first_op].kind == PTX_OP_REG &&
          a->ops[in->first_op].id == r)
        return in;
    }
  return NULL;
}

/* counter = counter + number */
static bool steps(const struct asm_fn *a, const struct ptx_inst *in, uint32_t r, struct loop *l) {
  const struct mnem *m = mnem_of(a, in);
  const struct ptx_operand *o = &a->ops[in->first_op];
  bool minus = tok_is(m, 0, "sub");
  if ((!tok_is(m, 0, "add") && !minus) || m->ntok != 2 || in->nops != 3 || in->guard != PTX_NONE ||
      o[1].kind != PTX_OP_REG || o[1].id != r || o[1].neg || o[1].comp || o[2].kind != PTX_OP_INT ||
      o[2].comp)
    return false;
  l->bits = ptx_type_bits(mnem_type(m, 0));
  char kind = ptx_type_kind(mnem_type(m, 0));
  l->step = minus ? -(int64_t)o[2].u : (int64_t)o[2].u;
  if (l->bits == 32)
    l->step = (int32_t)l->step;
  return (l->bits == 32 || l->bits == 64) && (kind == 's' || kind == 'u') &&
         ptx_type_bits(a->regs[r].type) == l->bits && l->step > -1000000 && l->step < 1000000 && l->step;
}

/* The branch's predicate: what is compared, and how the counter moves. */
static bool find_counter(const struct unroll *u, struct loop *l) {
  const struct asm_fn *a = u->a;
  size_t at_compare, at_step;
  const struct ptx_inst *c = writer(u, l, l->branch->guard, &at_compare);
  if (!c || c->guard != PTX_NONE || c->nops != 3)
    return false;
  const struct mnem *m = mnem_of(a, c);
  const struct ptx_operand *o = &a->ops[c->first_op];
  if (!tok_is(m, 0, "setp") || m->ntok != 3 || o[1].kind != PTX_OP_REG || o[1].neg || o[1].comp || o[2].neg ||
      (o[2].kind == PTX_OP_REG ? o[2].comp : o[2].kind != PTX_OP_INT || o[2].comp))
    return false;
  char relation[4];
  snprintf(relation, sizeof relation, "%.*s", m->tok[1].n < 3 ? m->tok[1].n : 3, m->tok[1].s);
  bool second = !written(u, o[1].id);
  if (second && (o[2].kind != PTX_OP_REG || !written(u, o[2].id)))
    return false;
  l->counter = second ? o[2].id : o[1].id;
  l->limit = second ? o[1] : o[2];
  if (l->limit.kind == PTX_OP_REG && written(u, l->limit.id))
    return false;
  const struct ptx_inst *step = writer(u, l, l->counter, &at_step);
  if (!step || at_step > at_compare || !steps(a, step, l->counter, l))
    return false;
  enum ptx_type t = mnem_type(m, 0);
  if (ptx_type_bits(t) != l->bits || ptx_type_kind(t) == 'f' ||
      (l->limit.kind == PTX_OP_REG && ptx_type_bits(a->regs[l->limit.id].type) != l->bits))
    return false;
  const char *r = second ? mirrored(relation) : relation;
  if (l->branch->guard_neg != (l->tail != NULL))
    r = inverse(r);
  l->compare = c;
  bool less = strcmp(r, "lt") == 0 || strcmp(r, "le") == 0,
       more = strcmp(r, "gt") == 0 || strcmp(r, "ge") == 0, differs = strcmp(r, "ne") == 0;
  if (!(differs || (less && l->step > 0) || (more && l->step < 0)))
    return false;
  snprintf(l->relation, sizeof l->relation, "%s", !differs ? r : l->step > 0 ? "lt" : "gt");
  snprintf(l->type, sizeof l->type, "%c%u", differs || ptx_type_kind(t) == 's' ? 's' : 'u', l->bits);
  l->exact = differs ? "ne" : l->relation;
  return true;
}

static unsigned cost(const struct asm_fn *a, const struct loop *l) {
  unsigned n = 0;
  for (size_t b = l->first; b <= l->last; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      n += asm_kind(a, &a->blocks[b].v[i]) == ASM_LOAD ? 2 : 1;
  return n;
}

static int64_t narrow(const struct loop *l, uint64_t v) {
  return l->bits == 32 ? (l->type[0] == 's' ? (int64_t)(int32_t)v : (int64_t)(uint32_t)v) : (int64_t)v;
}

static bool holds(const struct loop *l, const char *relation, int64_t x, int64_t y) {
  bool below = l->type[0] == 's' || l->bits == 32 ? x < y : (uint64_t)x < (uint64_t)y, same = x == y;
  return strcmp(relation, "ne") == 0   ? !same
         : strcmp(relation, "lt") == 0 ? below
         : strcmp(relation, "le") == 0 ? below || same
         : strcmp(relation, "gt") == 0 ? !below && !same
                                       : !below;
}

/* How often the loop runs, when the block before it sets the counter to a number and nobody else comes in. */
static void count_trips(const struct unroll *u, struct loop *l) {
  const struct asm_fn *a = u->a;
  if (l->limit.kind != PTX_OP_INT || !u->nout || u->entries[l->first] != 1)
    return;
  const struct asm_block *before = &u->out[u->nout - 1];
  for (size_t i = before->n; i-- > 0;) {
    const struct ptx_inst *in = &before->v[i];
    if (!asm_traits(a, in)->has_result || !in->nops)
      continue;
    const struct ptx_operand *o = &a->ops[in->first_op];
    if (o->kind != PTX_OP_REG || o->id != l->counter)
      continue;
    if (!tok_is(mnem_of(a, in), 0, "mov") || in->guard != PTX_NONE || o[1].kind != PTX_OP_INT || o[1].comp)
      return;
    int64_t v = narrow(l, o[1].u), limit = narrow(l, l->limit.u);
    for (uint64_t n = 1; n <= FULL_MOST * 64u; n++) {
      v = narrow(l, (uint64_t)v + (uint64_t)l->step);
      if (!holds(l, l->exact, v, limit)) {
        l->trips = n;
        return;
      }
    }
    return;
  }
}

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
  if (r >= u->nregs || !written(u, r) || u->partial[r])
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

/* predicate = counter relation limit [and also] */
static uint32_t put_compare(struct unroll *u, const struct loop *l, const char *relation,
                            struct ptx_operand x, struct ptx_operand y, uint32_t also) {
  char name[32];
  uint32_t p = asm_new_reg(u->a, l->branch->guard);
  snprintf(name, sizeof name, "setp.%s%s.%s", relation, also == PTX_NONE ? "" : ".and", l->type);
  struct ptx_operand ops[4] = {asm_op_reg(p), x, y, asm_op_reg(also)};
  put(u, asm_inst(u->a, l->compare, name, ops, also == PTX_NONE ? 3 : 4));
  return p;
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
    int64_t limit = narrow(l, l->limit.u), b = narrow(l, (uint64_t)limit - (uint64_t)distance);
    if (!holds(l, strict, b, limit))
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

static void put_unknown(struct unroll *u, const struct loop *l) {
  struct asm_fn *a = u->a;
  struct ptx_operand bound;
  uint32_t out = asm_new_label(a), two = asm_new_label(a), one = asm_new_label(a);
  a->label_block[out] = l->out; /* where it will be */
  uint32_t p = put_bound(u, l, 3 * l->step, &bound);
  if (p != PTX_NONE) {
    put_branch(u, l, p, true, two);
    uint32_t four = label_at(u, begin(u));
    put_copies(u, l, 4);
    p = put_compare(u, l, l->relation, asm_op_reg(l->counter), bound, PTX_NONE);
    put_branch(u, l, p, false, four);
    p = put_compare(u, l, l->exact, asm_op_reg(l->counter), l->limit, PTX_NONE);
    put_branch(u, l, p, true, out);
  }
  a->label_block[two] = begin(u) | PLACED;
  p = put_bound(u, l, l->step, &bound);
  if (p != PTX_NONE) {
    put_branch(u, l, p, true, one);
    put_copies(u, l, 2);
    p = put_compare(u, l, l->exact, asm_op_reg(l->counter), l->limit, PTX_NONE);
    put_branch(u, l, p, true, out);
  }
  a->label_block[one] = begin(u) | PLACED;
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

static void count_use(void *ctx, uint32_t r, enum asm_role role) {
  struct unroll *u = ctx;
  u->uses += role != ASM_DEF && r == u->wanted;
}

/* A loop at block b that is worth it: all about it. */
static bool find_loop(struct unroll *u, size_t b, struct loop *l) {
  struct asm_fn *a = u->a;
  *l = (struct loop){0};
  if (!find_body(u, b, l) || nounroll(a, b))
    return false;
  u->loop++;
  for (size_t k = l->first; k <= l->last; k++)
    for (size_t i = 0; i < a->blocks[k].n; i++)
      asm_visit(a, &a->blocks[k].v[i], count_def, u);
  if (!find_counter(u, l))
    return false;
  asm_live_at_end(a, &u->live, l->last, u->lives);
  u->wanted = l->branch->guard;
  u->uses = 0;
  for (size_t k = l->first; k <= l->last; k++)
    for (size_t i = 0; i < a->blocks[k].n; i++)
      asm_visit(a, &a->blocks[k].v[i], count_use, u);
  return u->uses == 1 && !u->lives[u->wanted];
}

/* Iterations to lay out at once: 0 if it is not worth it, 4 for the general form. */
static unsigned choose(struct unroll *u, struct loop *l) {
  unsigned each = cost(u->a, l);
  count_trips(u, l);
  if (l->trips) {
    if (l->trips * each <= FULL_MOST)
      return (unsigned)l->trips;
    for (unsigned n = PART_MOST / each; n > 1; n--)
      if (l->trips % n == 0)
        return n;
  }
  l->trips = 0;
  return each <= BODY_MOST ? 4 : 0;
}

static void settle_labels(struct unroll *u) {
  struct asm_fn *a = u->a;
  for (size_t i = 0; i < a->nlabels; i++)
    if (a->label_block[i] != PTX_NONE)
      a->label_block[i] =
          a->label_block[i] & PLACED ? a->label_block[i] & ~PLACED : u->place[a->label_block[i]];
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
  for (size_t b = 0; b < nblocks; b++) {
    struct loop l;
    unsigned copies = find_loop(&u, b, &l) ? choose(&u, &l) : 0;
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
      free(u.lives);
  return any;
}

void asm_unroll(struct asm_fn *a) {
  enum { ROUNDS = 3 }; /* a loop laid out in full may leave another that can be */
  for (int i = 0; i < ROUNDS && unroll_once(a); i++)
    asm_merge_blocks(a);
}
