/* Which instructions a GPU with a scalar unit executes once for all lanes (docs/gcn.md), and which atomics an assembler
 * lets one lane do for all (docs/scheduling.md).
 *
 * A register is scalar when everything that writes it is something the scalar unit can do, on scalar
 * registers and constants, and when lanes that went different ways do not bring different values of it:
 *
 *      @%p bra B ─── region: what a lane can pass before ─┬─▶ joins: its immediate post-dominator, and what
 *         (%p not scalar)     all lanes meet again        │   several ways out of the branch lead to
 *                                                         └─  written in the region, read from a join on:
 *                                                             not scalar
 *
 * The back edge of a loop is no join of the branch that leaves it: lanes that stay have gone round equally
 * often. All registers are taken to be scalar at first; what is found not to be makes others so.
 *
 * The second question asks for values that are the same in all lanes, whatever unit computes them: loads from one address,
 * floating point, votes and reductions give such values, too. Values that a loop changes which lanes leave one by one do not count:
 * ptxas takes them to differ. */
#include "base/mem.h"
#include "front/ptx/lower.h"
#include <stdlib.h>
#include <string.h>

struct uniform {
  struct lower *l;
  const struct liveness *live;
  bool *vector;              /* by virtual register */
  uint64_t *writes;          /* by block: registers live across blocks that it writes */
  bool *diverges;            /* by block: lanes part at its end */
  uint32_t *seen;            /* by block, for one branch: by which way out it was last reached */
  uint8_t *ways;             /* by block, for one branch: by which way out it was last reached; by how many */
  uint32_t *stack, *to, cap; /* scratch: blocks; successors of one */
  uint64_t *written;         /* of the block at hand */
  bool *read;                /* by virtual register: something reads it */
  bool values;               /* the second question: values that are the same in all lanes */
  bool all_scalar, changed;
};

static void source(void *ctx, slot_t *s, enum uop_role role) {
  struct uniform *u = ctx;
  if (role == UOP_USE && SLOT_AREA(*s) == SLOT_REG && u->vector[SLOT_OFFSET(*s)])
    u->all_scalar = false;
}

static void operand(void *ctx, slot_t *s, enum uop_role role) {
  struct uniform *u = ctx;
  (void)role;
  if (SLOT_AREA(*s) == SLOT_REG && u->vector[SLOT_OFFSET(*s)])
    u->all_scalar = false;
}

static void make_vector(void *ctx, slot_t *s, enum uop_role role) {
  struct uniform *u = ctx;
  if (role == UOP_USE || SLOT_AREA(*s) != SLOT_REG || u->vector[SLOT_OFFSET(*s)])
    return;
  u->vector[SLOT_OFFSET(*s)] = true;
  u->changed = true;
}

static void note_write(void *ctx, slot_t *s, enum uop_role role) {
  struct uniform *u = ctx;
  if (role == UOP_USE || SLOT_AREA(*s) != SLOT_REG)
    return;
  uint32_t g = u->live->global[SLOT_OFFSET(*s)];
  if (g != PTX_NONE)
    u->written[g / 64] |= UINT64_C(1) << g % 64;
}

static bool is_float(const struct mnem *m) {
  for (unsigned i = 1; i < m->ntok; i++)
    if (m->tok[i].n > 1 && (m->tok[i].s[0] == 'f' || !strncmp(m->tok[i].s, "bf", 2)) &&
        m->tok[i].s[m->tok[i].n - 1] >= '0' && m->tok[i].s[m->tok[i].n - 1] <= '9')
      return true;
  return false;
}

/* Arithmetic of the scalar unit: integers and predicates; of products the low 32 bits. */
static bool scalar_opcode(const struct mnem *m) {
  static const char *const names[] = {"add",  "addc", "sub",  "subc", "and",  "or",      "xor", "not",
                                      "cnot", "shl",  "shr",  "shf",  "min",  "max",     "abs", "neg",
                                      "mov",  "set",  "setp", "selp", "lop3", "bfe",     "bfi", "bfind",
                                      "clz",  "popc", "brev", "cvt",  "cvta", "isspacep"};
  if (is_float(m))
    return false;
  if (tok_is(m, 0, "mul") || tok_is(m, 0, "mad"))
    return mnem_has(m, "lo") && !mnem_has(m, "s64") && !mnem_has(m, "u64");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (tok_is(m, 0, names[i]))
      return true;
  return false;
}

/* The same in all threads of a CTA. */
static bool uniform_sreg(unsigned id) {
  switch (id) {
  case PTX_SREG_NTID:
  case PTX_SREG_CTAID:
  case PTX_SREG_NCTAID:
  case PTX_SREG_NWARPID:
  case PTX_SREG_GRIDID:
  case PTX_SREG_ENVREG:
    return true;
  default:
    return false;
  }
}

/* Could the scalar unit do it, if its sources are scalar? */
static bool able(const struct lower *l, const struct uop *u) {
  const struct mnem *m = u->inst < l->ast->ninsts ? &l->mnems[l->ast->insts[u->inst].mnemonic] : NULL;
  switch (u->kind) {
  case U_SREG:
    return uniform_sreg(u->aux);
  case U_LD: /* what nobody writes meanwhile */
    return (u->x->space == PTX_CONST || (u->x->space == PTX_GLOBAL && u->x->cache_op == SLUICE_NC)) &&
           !u->x->is_volatile;
  case U_ALU:
  case U_PACK:
  case U_UNPACK:
  case U_CVTA:
  case U_ISSPACEP:
    return m && (tok_is(m, 0, "ld") || scalar_opcode(m));
  default:
    return false;
  }
}

/* Are the results the same in all lanes, if the sources are? */
static bool same_results(const struct uop *u) {
  switch (u->kind) {
  case U_SREG:
    return uniform_sreg(u->aux);
  case U_LD:
    return u->x->space != PTX_LOCAL && !u->x->frame;
  case U_ALU:
  case U_ALU_ROUND:
  case U_PACK:
  case U_UNPACK:
  case U_LEA_LOCAL:
  case U_CVTA:
  case U_ISSPACEP:
    return true;
  default:
    return false;
  }
}

static bool is_vector(const struct uniform *u, slot_t s) {
  return SLOT_AREA(s) == SLOT_REG && u->vector[SLOT_OFFSET(s)];
}

/* Is the result the same in all lanes whatever they bring? */
static bool joins_lanes(const struct uniform *u, const struct uop *op) {
  bool from_one = op->kind == U_SHFL && op->aux == 3 && !is_vector(u, op->b) && !is_vector(u, op->c);
  return !(op->flags & UF_GUARD) && (op->kind == U_VOTE || op->kind == U_REDUX || from_one);
}

static bool scalar(struct uniform *u, struct uop *op) {
  if (u->values && joins_lanes(u, op))
    return true;
  u->all_scalar = u->values ? same_results(op) : able(u->l, op);
  if (u->all_scalar)
    uop_visit(op, source, u);
  return u->all_scalar;
}

/* Everything that blocks of a branch's way reach before `meet`, where all lanes are together again. */
static void follow(struct uniform *u, uint32_t from, uint32_t meet, uint32_t way) {
  const struct liveness *v = u->live;
  uint32_t n = 0;
  u->stack[n++] = from;
  while (n) {
    uint32_t b = u->stack[--n], i = b - v->first;
    if (u->seen[i] == way)
      continue;
    u->seen[i] = way;
    u->ways[i] = (uint8_t)(u->ways[i] ? 2 : 1);
    if (b == meet)
      continue;
    uint32_t k = block_successors(u->l, &u->l->blocks[b], u->to, u->cap);
    for (uint32_t j = 0; j < k; j++)
      if (u->to[j] != PC_NONE && u->seen[u->to[j] - v->first] != way)
        u->stack[n++] = u->to[j];
  }
}

/* Lanes part at the end of this block: what the region writes and a join reads is not scalar. */
static void part(struct uniform *u, uint32_t block) {
  const struct liveness *v = u->live;
  const struct block *k = &u->l->blocks[block];
  memset(u->seen, 0, v->nblocks * sizeof *u->seen), memset(u->ways, 0, v->nblocks);
  uint32_t n = block_successors(u->l, k, u->to, u->cap), *out = xmalloc((n + 1) * sizeof *out);
  uint32_t meet = u->l->post_dominator[block];
  memcpy(out, u->to, n * sizeof *out);
  for (uint32_t i = 0; i < n; i++)
    if (out[i] != PC_NONE)
      follow(u, out[i], meet, i + 1);
  free(out);
  if (meet != PC_NONE)
    u->ways[meet - v->first] = 2;
  bool loops = u->values && u->ways[block - v->first];
  for (uint32_t w = 0; w < v->words; w++) {
    uint64_t written = 0, read = 0;
    for (uint32_t b = 0; b < v->nblocks; b++) {
      if (u->ways[b] && b + v->first != meet)
        written |= u->writes[(size_t)b * v->words + w];
      if (u->ways[b] > 1 || (loops && u->ways[b]))
        read |= v->in[(size_t)b * v->words + w];
    }
    for (uint64_t m = written & read; m; m &= m - 1) {
      uint32_t r = v->of_global[w * 64 + (uint32_t)__builtin_ctzll(m)];
      u->changed |= !u->vector[r];
      u->vector[r] = true;
    }
  }
}

/* Whether lanes may part at a block's end. */
static bool parts(const struct uniform *u, const struct block *b) {
  const struct uop *op = &u->l->uops[b->end - 1];
  if (b->end == b->first || op->kind < U_BRA || op->kind > U_EXIT || op->kind == U_CALL)
    return false;
  bool guard = op->flags & UF_GUARD && SLOT_AREA(op->guard) == SLOT_REG && u->vector[SLOT_OFFSET(op->guard)];
  return guard || (op->kind == U_BRX && SLOT_AREA(op->a) == SLOT_REG && u->vector[SLOT_OFFSET(op->a)]);
}

static void find_writes(struct uniform *u) {
  const struct liveness *v = u->live;
  u->cap = 4;
  for (uint32_t b = 0; b < v->nblocks; b++) {
    const struct block *k = &u->l->blocks[v->first + b];
    u->written = u->writes + (size_t)b * v->words;
    for (uint32_t i = k->first; i < k->end; i++) {
      uop_visit(&u->l->uops[i], note_write, u);
      if (u->l->uops[i].kind == U_BRX && u->l->uops[i].x->ntargets + 2 > u->cap)
        u->cap = u->l->uops[i].x->ntargets + 2;
    }
  }
}

static void settle(struct uniform *u) {
  const struct liveness *v = u->live;
  for (u->changed = true; u->changed;) {
    u->changed = false;
    for (uint32_t b = 0; b < v->nblocks; b++) {
      const struct block *k = &u->l->blocks[v->first + b];
      for (uint32_t i = k->first; i < k->end; i++)
        if (!scalar(u, &u->l->uops[i]))
          uop_visit(&u->l->uops[i], make_vector, u);
      if (u->diverges[b] || !parts(u, k))
        continue;
      u->diverges[b] = true;
      part(u, v->first + b);
    }
  }
}

static void mark(struct uniform *u, const struct liveness *v) {
  struct lower *l = u->l;
  for (uint32_t i = l->blocks[v->first].first; i < l->nuops; i++) {
    struct sluice_inst *in = &l->f->insts[l->uops[i].inst];
    bool may = in->klass == SLUICE_ALU || in->klass == SLUICE_LOAD || in->klass == SLUICE_OTHER;
    if (l->uops[i].flags & UF_FIRST && may)
      in->flags |= SLUICE_IF_SCALAR;
    u->all_scalar = able(l, &l->uops[i]);
    uop_visit(&l->uops[i], operand, u);
    if (!u->all_scalar) /* of an instruction, all of it or nothing */
      in->flags &= (uint8_t)~SLUICE_IF_SCALAR;
  }
}

/* An atomic that one lane can do for all, if they name one word: sums also where results are asked for. What ptxas does, found
 * by assembling each case (validation/h200/micro3.cu, u_*). */
static bool can_join(const struct uniform *u, const struct uop *op) {
  const struct uop_ext *x = op->x;
  char kind = ptx_type_kind((enum ptx_type)x->type);
  slot_t result = x->regs[ATOM_RESULT];
  if (x->vec != 1 || kind == 'f' || x->op > ATOM_XOR)
    return false;
  if (x->op == ATOM_ADD)
    return x->size == 4 || !is_vector(u, x->regs[0]);
  return x->size == 4 && (SLOT_AREA(result) != SLOT_REG || !u->read[SLOT_OFFSET(result)]);
}

static void note_read(void *ctx, slot_t *s, enum uop_role role) {
  struct uniform *u = ctx;
  if (role == UOP_USE && SLOT_AREA(*s) == SLOT_REG)
    u->read[SLOT_OFFSET(*s)] = true;
}

/* Is block b in a loop that does not contain the block `meet`? A branch back makes a loop of the blocks between its target and itself. */
static bool leaves_loop(const struct uniform *u, const struct liveness *v, uint32_t b, uint32_t meet) {
  for (uint32_t t = b; t < v->nblocks; t++) {
    const struct block *k = &u->l->blocks[v->first + t];
    const struct uop *op = &u->l->uops[k->end - 1];
    if (k->end > k->first && op->kind == U_BRA && op->target <= v->first + b &&
        (meet < op->target || meet > v->first + t))
      return true;
  }
  return false;
}

/* Can block b be reached only through block a? */
static bool dominates(struct uniform *u, const struct liveness *v, uint32_t a, uint32_t b) {
  uint32_t top = 0;
  if (!a)
    return true;
  memset(u->seen, 0, v->nblocks * sizeof *u->seen);
  u->seen[0] = 1, u->stack[top++] = 0;
  while (top) {
    uint32_t n = block_successors(u->l, &u->l->blocks[v->first + u->stack[--top]], u->to, u->cap);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t s = u->to[i] - v->first;
      if (u->to[i] == PC_NONE || s == a || u->seen[s])
        continue;
      u->seen[s] = 1, u->stack[top++] = s;
    }
  }
  return !u->seen[b];
}

/* Does machine code set the reconvergence point of block b's branch (BSSY) at this branch? Branches with one reconvergence point share a
 * BSSY at the first of these branches; the BSSY of a branch out of a loop stands in front of the loop; lanes that end need none. */
static bool sets_reconvergence(struct uniform *u, const struct liveness *v, uint32_t b, uint32_t *first) {
  uint32_t meet = u->l->blocks[v->first + b].rpc;
  if (meet == PC_NONE || leaves_loop(u, v, b, meet))
    return false;
  const struct block *m = &u->l->blocks[meet];
  if (m->end > m->first && u->l->uops[m->first].kind == U_EXIT)
    return false;
  uint32_t *one = &first[meet - v->first];
  if (*one == UINT32_MAX)
    *one = b;
  return *one == b || !dominates(u, v, *one, b);
}

/* Marks forward branches at which lanes may diverge, and those at which machine code sets the reconvergence point. */
static void mark_branches(struct uniform *u, const struct liveness *v) {
  uint32_t *first =
      xmalloc((v->nblocks + 1u) * sizeof *first); /* by block: the first branch that reconverges there */
  memset(first, 0xff, (v->nblocks + 1u) * sizeof *first);
  for (uint32_t b = 0; b < v->nblocks; b++) {
    const struct block *k = &u->l->blocks[v->first + b];
    const struct uop *op = &u->l->uops[k->end - 1];
    struct sluice_inst *in = &u->l->f->insts[op->inst];
    if (!u->diverges[b] || op->kind != U_BRA || in->klass != SLUICE_BRANCH)
      continue;
    if (k->rpc != PC_NONE && (op->target == k->rpc || v->first + b + 1 == k->rpc))
      in->flags |= SLUICE_IF_SKIPS;
    if (op->target > v->first + b)
      in->flags |= sets_reconvergence(u, v, b, first) ? SLUICE_IF_PARTS | SLUICE_IF_MEETS : SLUICE_IF_PARTS;
  }
  free(first);
}

struct decision {
  bool *of; /* by virtual register: its value follows from the result */
  bool uses, marks;
};

static void note_use(void *ctx, slot_t *s, enum uop_role role) {
  struct decision *d = ctx;
  d->uses |= role == UOP_USE && SLOT_AREA(*s) == SLOT_REG && d->of[SLOT_OFFSET(*s)];
}

static void note_result(void *ctx, slot_t *s, enum uop_role role) {
  struct decision *d = ctx;
  if (role != UOP_USE && SLOT_AREA(*s) == SLOT_REG)
    d->of[SLOT_OFFSET(*s)] = d->marks;
}

/* Does the result of atomic `at` of block b decide the branch at the block's end, and with it whether a loop goes on? */
static bool tries_again(const struct uniform *u, const struct liveness *v, uint32_t b, uint32_t at) {
  const struct block *k = &u->l->blocks[v->first + b];
  const struct uop *branch = &u->l->uops[k->end - 1];
  bool loops = false;
  for (uint32_t t = b; t < v->nblocks && !loops; t++) {
    const struct block *last = &u->l->blocks[v->first + t];
    const struct uop *op = &u->l->uops[last->end - 1];
    loops = last->end > last->first && op->kind == U_BRA && op->target <= v->first + b;
  }
  if (!loops || branch->kind != U_BRA || !(branch->flags & UF_GUARD) || SLOT_AREA(branch->guard) != SLOT_REG)
    return false;
  struct decision d = {.of = xcalloc(u->l->nv + 1, 1), .marks = true};
  uop_visit(&u->l->uops[at], note_result, &d);
  for (uint32_t i = at + 1; i + 1 < k->end; i++) {
    d.uses = false;
    uop_visit(&u->l->uops[i], note_use, &d);
    d.marks = d.uses;
    uop_visit(&u->l->uops[i], note_result, &d);
  }
  bool decides = d.of[SLOT_OFFSET(branch->guard)];
  free(d.of);
  return decides;
}

static void mark_tries(const struct uniform *u, const struct liveness *v) {
  for (uint32_t b = 0; b < v->nblocks; b++)
    for (uint32_t i = u->l->blocks[v->first + b].first; i < u->l->blocks[v->first + b].end; i++) {
      const struct uop *op = &u->l->uops[i];
      if (op->kind == U_ATOM && op->x->op == ATOM_CAS && tries_again(u, v, b, i))
        u->l->f->insts[op->inst].flags |= SLUICE_IF_TRIES;
    }
}

/* Atomics and branches by the second question. */
static void mark_values(struct uniform *u, const struct liveness *v) {
  struct lower *l = u->l;
  bool any = false;
  for (uint32_t i = l->blocks[v->first].first; i < l->nuops; i++)
    any |= l->uops[i].kind == U_ATOM || (l->uops[i].kind == U_BRA && l->uops[i].flags & UF_GUARD);
  if (!any)
    return;
  u->values = true;
  memset(u->vector, 0, l->nv * sizeof *u->vector), memset(u->diverges, 0, v->nblocks * sizeof *u->diverges);
  for (uint32_t i = 0; i < l->ast->nparams; i++)
    make_vector(u, &l->f->param_reg[i], UOP_DEF);
  settle(u);
  mark_branches(u, v);
  mark_tries(u, v);
  u->read = xcalloc(l->nv + 1, sizeof *u->read);
  for (uint32_t i = l->blocks[v->first].first; i < l->nuops; i++)
    uop_visit(&l->uops[i], note_read, u);
  for (uint32_t i = l->blocks[v->first].first; i < l->nuops; i++) {
    struct uop *op = &l->uops[i];
    struct sluice_inst *in = &l->f->insts[op->inst];
    if (op->kind != U_ATOM || is_vector(u, op->a) || is_vector(u, op->b) || op->x->frame || !can_join(u, op))
      continue;
    in->flags |= SLUICE_IF_JOINED;
  }
  free(u->read);
}

void uniform_mark(struct lower *l, const struct liveness *v) {
  struct uniform u = {.l = l, .live = v};
  uint32_t edges = 0;
  u.vector = xcalloc(l->nv + 1, sizeof *u.vector);
  u.writes = xcalloc((size_t)v->nblocks * v->words + 1, sizeof *u.writes);
  u.diverges = xcalloc(v->nblocks + 1u, sizeof *u.diverges);
  u.seen = xcalloc(v->nblocks + 1u, sizeof *u.seen), u.ways = xcalloc(v->nblocks + 1u, 1);
  find_writes(&u);
  u.to = xmalloc((u.cap + 1) * sizeof *u.to);
  for (uint32_t b = 0; b < v->nblocks; b++)
    edges += block_successors(l, &l->blocks[v->first + b], u.to, u.cap);
  u.stack = xmalloc((edges + 2) * sizeof *u.stack);
  for (uint32_t i = 0; i < l->ast->nparams; i++)
    make_vector(&u, &l->f->param_reg[i], UOP_DEF);
  settle(&u);
  mark(&u, v);
  mark_values(&u, v);
  free(u.vector), free(u.writes), free(u.diverges), free(u.seen), free(u.ways), free(u.to), free(u.stack);
}
