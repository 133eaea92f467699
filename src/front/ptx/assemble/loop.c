/* Loops with a counter: one path of blocks, one step of a register by a number, one comparison of it with something
 * that the loop does not write, and a branch on the result. */
#include "front/ptx/assemble/unroll.h"
#include <stdlib.h>
#include <string.h>

enum {
  BODY_MOST = 50,   /* cost of an iteration for four to be worth it */
  PLAIN_MOST = 21,  /* the same without loads of global memory: nothing to wait for together */
  PLAIN_SHARED = 4, /* what a load of shared memory adds to it, its own place too */
  ATOMIC_COST = 9,  /* more than that of another instruction */
  FULL_MOST = 1000, /* of all iterations, to be laid out in full */
  PART_MOST = 350,  /* of a part of them */
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

static const struct mnem *mnem_of(const struct asm_fn *a, const struct ptx_inst *in) {
  return &a->mnems->mnems[in->mnemonic];
}

/* May an instruction be repeated without its branch? */
static bool repeatable(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct mnem *m = mnem_of(a, in);
  enum asm_kind k = asm_kind(a, in);
  if (k == ASM_PURE || k == ASM_LOAD || k == ASM_STORE || k == ASM_ATOM)
    return !m->op.op ||
           (m->op.op->unit != PTX_UNIT_IDIV && m->op.op->unit != PTX_UNIT_IDIV64 &&
            m->op.op->unit != PTX_UNIT_FDIV && m->op.op->unit != PTX_UNIT_DDIV); /* these are calls */
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

const char *loop_inverse(const char *r) {
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
  if (!loop_writes(u, r) || u->defs[r] != 1 || u->partial[r])
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
  bool second = !loop_writes(u, o[1].id);
  if (second && (o[2].kind != PTX_OP_REG || !loop_writes(u, o[2].id)))
    return false;
  l->counter = second ? o[2].id : o[1].id;
  l->limit = second ? o[1] : o[2];
  if (l->limit.kind == PTX_OP_REG && loop_writes(u, l->limit.id))
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
    r = loop_inverse(r);
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

/* Is a loop of unknown length short enough for four iterations at a time? */
static bool is_short(const struct asm_fn *a, const struct loop *l) {
  unsigned n = 0, shared = 0, far = 0, atomics = 0;
  if (a->schedule != SCHEDULE_ASSEMBLER9)
    return cost(a, l) <= BODY_MOST;
  for (size_t b = l->first; b <= l->last; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++, n++) {
      const struct ptx_inst *in = &a->blocks[b].v[i];
      enum ptx_space space = (enum ptx_space)asm_traits(a, in)->space;
      bool load = asm_kind(a, in) == ASM_LOAD && space != PTX_PARAM && space != PTX_CONST;
      shared += load && space == PTX_SHARED;
      far += load && space != PTX_SHARED;
      atomics += asm_kind(a, in) == ASM_ATOM;
    }
  n += atomics * ATOMIC_COST;
  return far ? n + far <= BODY_MOST : n <= PLAIN_MOST + (shared ? PLAIN_SHARED * shared + 1 : 0);
}

int64_t loop_narrow(const struct loop *l, uint64_t v) {
  return l->bits == 32 ? (l->type[0] == 's' ? (int64_t)(int32_t)v : (int64_t)(uint32_t)v) : (int64_t)v;
}

bool loop_holds(const struct loop *l, const char *relation, int64_t x, int64_t y) {
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
    int64_t v = loop_narrow(l, o[1].u), limit = loop_narrow(l, l->limit.u);
    for (uint64_t n = 1; n <= FULL_MOST * 64u; n++) {
      v = loop_narrow(l, (uint64_t)v + (uint64_t)l->step);
      if (!loop_holds(l, l->exact, v, limit)) {
        l->trips = n;
        return;
      }
    }
    return;
  }
}

static void count_use(void *ctx, uint32_t r, enum asm_role role) {
  struct unroll *u = ctx;
  u->uses += role != ASM_DEF && r == u->wanted;
}

/* A loop at block b that is worth it: all about it. */
bool loop_find(struct unroll *u, size_t b, struct loop *l) {
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

/* Does a store go to a pointer that the loop steps on by a number? */
static bool steps_on(const struct unroll *u, const struct loop *l, const struct ptx_inst *in) {
  const struct asm_fn *a = u->a;
  const struct ptx_operand *o = &a->ops[in->first_op];
  size_t at;
  if (o->kind != PTX_OP_ADDR || o->n != 1 || a->ops[o->first].kind != PTX_OP_REG)
    return false;
  const uint32_t base = a->ops[o->first].id;
  const struct ptx_inst *step = writer(u, l, base, &at);
  struct loop scratch;
  return step && steps(a, step, base, &scratch);
}

/* Lanes leave a loop one by one: ptxas leaves it as it is if it has atomics, or loads and stores global memory. */
static bool stays(const struct unroll *u, const struct loop *l) {
  const struct asm_fn *a = u->a;
  bool loads = false, stores = false, atomics = false, pointer = false;
  if (a->schedule != SCHEDULE_ASSEMBLER9)
    return false;
  for (size_t b = l->first; b <= l->last; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      const struct ptx_inst *in = &a->blocks[b].v[i];
      enum asm_kind k = asm_kind(a, in);
      bool global = asm_traits(a, in)->space == PTX_GLOBAL;
      loads |= k == ASM_LOAD && global;
      stores |= k == ASM_STORE && global;
      pointer |= k == ASM_STORE && global && steps_on(u, l, in);
      atomics |= k == ASM_ATOM;
    }
  if (!atomics && (!loads || !stores || pointer))
    return false;
  return u->varies[l->counter] || (l->limit.kind == PTX_OP_REG && u->varies[l->limit.id]);
}

/* Iterations to lay out at once: 0 if it is not worth it, 4 for the general form. */
unsigned loop_choose(struct unroll *u, struct loop *l) {
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
  return is_short(u->a, l) && !stays(u, l) ? 4 : 0;
}
