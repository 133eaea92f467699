/* Rewrites logic, shifts, predicates and atomics without readers as an assembler for compute capability 9 does.
 *
 *   t = a & b; d = t ^ c                  d = lop3(a, b, c)     any logic of three inputs, also where other instructions read t
 *   t = a << 7; u = b >> 25; d = t | u    d = shf(b, a, 7)
 *   p = a < b; r = p & q                  r = a < b && q        where nothing else reads p
 *   t = a & b; p = t == 0                 t|p = setlop3(a, b)   the comparison is a part of the logic
 *   atom.add r, [p], v                    red.add [p], v        where nothing reads r
 *
 * The instructions are in one block, and no instruction between them writes a register that they read. */
#include "base/mem.h"
#include "front/ptx/assemble/asm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct logic {
  struct asm_fn *a;
  uint32_t *reads, *writes; /* by register, in the function */
  uint32_t *stamp, block;   /* by register: the block for which `at` holds */
  size_t *at;               /* by register: place after its last write in the block */
  size_t now;
  bool left; /* an instruction of the block is to be left out */
};

static void count(void *ctx, uint32_t r, enum asm_role role) {
  struct logic *g = ctx;
  g->reads[r] += role == ASM_USE;
  g->writes[r] += role != ASM_USE;
}

static void note_write(void *ctx, uint32_t r, enum asm_role role) {
  struct logic *g = ctx;
  if (role == ASM_USE)
    return;
  g->stamp[r] = g->block;
  g->at[r] = g->now + 1;
}

static const struct mnem *mnem_of(const struct logic *g, const struct ptx_inst *in) {
  return &g->a->mnems->mnems[in->mnemonic];
}

static bool plain(const struct logic *g, const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp && g->a->regs[o->id].vec <= 1 &&
         ptx_type_bits(g->a->regs[o->id].type) == 32;
}

/* Has a source the same value at g->now as at `then`? */
static bool lasts(const struct logic *g, const struct ptx_operand *o, size_t then) {
  if (o->kind == PTX_OP_INT)
    return !o->comp;
  return plain(g, o) && (g->stamp[o->id] != g->block || g->at[o->id] <= then);
}

/* The instruction of the block that wrote the operand, if it is not guarded and the operand was not written since; *then: its place. */
static const struct ptx_inst *written_by(const struct logic *g, const struct asm_block *k,
                                         const struct ptx_operand *o, size_t *then) {
  if (o->kind != PTX_OP_REG || o->neg || o->comp || g->writes[o->id] != 1 || g->stamp[o->id] != g->block)
    return NULL;
  *then = g->at[o->id] - 1;
  return k->v[*then].guard == PTX_NONE ? &k->v[*then] : NULL;
}

/* A logic function of up to three inputs, as a truth table: bit 4 a + 2 b + c for values a, b, c of the inputs. */
enum { INPUTS = 3 };
struct form {
  struct ptx_operand in[INPUTS];
  unsigned n, table;
};

static unsigned row(unsigned table, unsigned a, unsigned b, unsigned c) {
  return table >> (4 * a + 2 * b + c) & 1;
}

static bool form_of(const struct logic *g, const struct ptx_inst *in, struct form *f) {
  enum { A = 0xf0, B = 0xcc };
  const struct mnem *m = mnem_of(g, in);
  const struct ptx_operand *o = &g->a->ops[in->first_op];
  if (in->guard != PTX_NONE || m->ntok != 2 || !tok_is(m, 1, "b32") || !plain(g, &o[0]))
    return false;
  if (tok_is(m, 0, "lop3") && in->nops == 5 && o[4].kind == PTX_OP_INT)
    *f = (struct form){{o[1], o[2], o[3]}, 3, (unsigned)o[4].u & 0xff};
  else if (tok_is(m, 0, "not") && in->nops == 2)
    *f = (struct form){{o[1]}, 1, ~A & 0xff};
  else if (in->nops == 3 && (tok_is(m, 0, "and") || tok_is(m, 0, "or") || tok_is(m, 0, "xor")))
    *f = (struct form){{o[1], o[2]}, 2, tok_is(m, 0, "and") ? A & B : tok_is(m, 0, "or") ? A | B : A ^ B};
  else
    return false;
  for (unsigned i = 0; i < f->n; i++)
    if (f->in[i].kind == PTX_OP_INT ? f->in[i].comp : !plain(g, &f->in[i]))
      return false;
  return true;
}

/* The place of an input in the form, which gets the input if it does not have it and has room; INPUTS: there is no room. */
static unsigned place_input(struct form *f, const struct ptx_operand *o) {
  for (unsigned i = 0; i < f->n; i++)
    if (f->in[i].kind == o->kind && (o->kind == PTX_OP_REG ? f->in[i].id == o->id : f->in[i].u == o->u))
      return i;
  for (unsigned i = 0; o->kind == PTX_OP_INT && i < f->n; i++)
    if (f->in[i].kind == PTX_OP_INT) /* machine code has room for one immediate */
      return INPUTS;
  if (f->n < INPUTS)
    f->in[f->n++] = *o;
  else
    return INPUTS;
  return f->n - 1;
}

/* The function `outer` with the function `inner` in the place of its input `which`; false: the result has more than three inputs. */
static bool substitute(const struct form *outer, unsigned which, const struct form *inner, struct form *to) {
  unsigned of_outer[INPUTS] = {0}, of_inner[INPUTS] = {0};
  *to = (struct form){.n = 0};
  for (unsigned i = 0; i < inner->n; i++)
    if ((of_inner[i] = place_input(to, &inner->in[i])) == INPUTS)
      return false;
  for (unsigned i = 0; i < outer->n; i++)
    if (i != which && (of_outer[i] = place_input(to, &outer->in[i])) == INPUTS)
      return false;
  for (unsigned v = 0; v < 8; v++) {
    const unsigned bit[INPUTS] = {v >> 2 & 1, v >> 1 & 1, v & 1};
    unsigned x[INPUTS] = {0}, y[INPUTS] = {0};
    for (unsigned i = 0; i < inner->n; i++)
      y[i] = bit[of_inner[i]];
    for (unsigned i = 0; i < outer->n; i++)
      x[i] = i == which ? row(inner->table, y[0], y[1], y[2]) : bit[of_outer[i]];
    to->table |= row(outer->table, x[0], x[1], x[2]) << v;
  }
  return true;
}

static bool inputs_last(const struct logic *g, const struct form *f, size_t then) {
  for (unsigned i = 0; i < f->n; i++)
    if (!lasts(g, &f->in[i], then))
      return false;
  return true;
}

static bool join_logic(struct logic *g, const struct asm_block *k, struct ptx_inst *in) {
  struct form f, inner, joined;
  bool any = false;
  if (!form_of(g, in, &f))
    return false;
  for (unsigned i = 0; i < f.n;) {
    size_t then = 0;
    const struct ptx_inst *first = written_by(g, k, &f.in[i], &then);
    bool fits = first && form_of(g, first, &inner) && inner.n + f.n > 2 && inputs_last(g, &inner, then) &&
                substitute(&f, i, &inner, &joined);
    i = fits ? 0 : i + 1;
    any |= fits;
    if (fits)
      f = joined;
  }
  if (!any)
    return false;
  const struct ptx_operand none = asm_op_int(0);
  struct ptx_operand ops[5] = {g->a->ops[in->first_op], f.in[0], f.n > 1 ? f.in[1] : none,
                               f.n > 2 ? f.in[2] : none, asm_op_int(f.table)};
  uint16_t more = in->more;
  *in = asm_inst(g->a, in, "lop3.b32", ops, 5);
  in->more = more;
  return true;
}

/* Is the instruction a shift by an immediate? */
static bool is_shift(const struct logic *g, const struct ptx_inst *in, const char *way, const char *type) {
  const struct mnem *m = mnem_of(g, in);
  const struct ptx_operand *o = &g->a->ops[in->first_op];
  return in->nops == 3 && m->ntok == 2 && tok_is(m, 0, way) && tok_is(m, 1, type) && plain(g, &o[1]) &&
         o[2].kind == PTX_OP_INT && !o[2].comp;
}

/* Joins a left and a right shift, which make the two halves of a value, into a funnel shift. */
static bool join_shifts(struct logic *g, const struct asm_block *k, struct ptx_inst *in) {
  const struct mnem *m = mnem_of(g, in);
  const struct ptx_operand *o = &g->a->ops[in->first_op];
  bool sums = m->ntok == 2 && (tok_is(m, 0, "or") || tok_is(m, 0, "xor") || tok_is(m, 0, "add")) &&
              (tok_is(m, 1, "b32") || tok_is(m, 1, "u32") || tok_is(m, 1, "s32"));
  if (in->guard != PTX_NONE || in->nops != 3 || !sums || !plain(g, &o[0]))
    return false;
  for (unsigned i = 1; i < 3; i++) {
    size_t left_at = 0, right_at = 0;
    const struct ptx_inst *left = written_by(g, k, &o[i], &left_at),
                          *right = written_by(g, k, &o[3 - i], &right_at);
    if (!left || !right || !is_shift(g, left, "shl", "b32") || !is_shift(g, right, "shr", "u32"))
      continue;
    const struct ptx_operand *l = &g->a->ops[left->first_op], *r = &g->a->ops[right->first_op];
    if (!l[2].u || l[2].u >= 32 || l[2].u + r[2].u != 32 || !lasts(g, &l[1], left_at) ||
        !lasts(g, &r[1], right_at))
      continue;
    struct ptx_operand ops[4] = {o[0], r[1], l[1], l[2]};
    uint16_t more = in->more;
    *in = asm_inst(g->a, in, "shf.l.wrap.b32", ops, 4);
    in->more = more;
    return true;
  }
  return false;
}

struct asking {
  uint32_t reg;
  bool found;
};

static void ask(void *ctx, uint32_t r, enum asm_role role) {
  struct asking *q = ctx;
  (void)role;
  q->found |= r == q->reg;
}

static bool predicate(const struct logic *g, const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp && g->a->regs[o->id].type == PTX_PRED;
}

/* Joins a comparison and the logic of its result with another predicate into one comparison. */
static bool join_predicates(struct logic *g, const struct asm_block *k, struct ptx_inst *in) {
  const struct mnem *m = mnem_of(g, in);
  const struct ptx_operand *o = &g->a->ops[in->first_op];
  bool joins = m->ntok == 2 && tok_is(m, 1, "pred") &&
               (tok_is(m, 0, "and") || tok_is(m, 0, "or") || tok_is(m, 0, "xor"));
  if (in->guard != PTX_NONE || in->nops != 3 || !joins || !predicate(g, &o[0]))
    return false;
  for (unsigned i = 1; i < 3; i++) {
    size_t then = 0;
    const struct ptx_inst *first = written_by(g, k, &o[i], &then);
    const struct mnem *c = first ? mnem_of(g, first) : NULL;
    if (!first || !predicate(g, &o[3 - i]) || g->reads[o[i].id] != 1 || first->nops != 3 || c->ntok != 3 ||
        !tok_is(c, 0, "setp"))
      continue;
    const struct ptx_operand *s = &g->a->ops[first->first_op];
    bool last = predicate(g, &s[0]);
    for (unsigned j = 1; j < 3; j++)
      last &= s[j].kind == PTX_OP_REG
                  ? !s[j].neg && !s[j].comp && (g->stamp[s[j].id] != g->block || g->at[s[j].id] <= then)
                  : s[j].kind == PTX_OP_INT;
    char name[96];
    int n = snprintf(name, sizeof name, "setp.%.*s.%.*s.%.*s", (int)c->tok[1].n, c->tok[1].s,
                     (int)m->tok[0].n, m->tok[0].s, (int)c->tok[2].n, c->tok[2].s);
    if (!last || n >= (int)sizeof name)
      continue;
    struct ptx_operand ops[4] = {o[0], s[1], s[2], o[3 - i]};
    uint16_t more = in->more;
    *in = asm_inst(g->a, in, name, ops, 4);
    in->more = more;
    return true;
  }
  return false;
}

static bool reads_predicate(const struct logic *g, const struct ptx_inst *in, uint32_t p) {
  struct asking q = {p, false};
  asm_visit(g->a, in, ask, &q);
  return q.found;
}

/* Joins a comparison with 0 and the logic whose result it compares. The logic's register is written where it was if other instructions read it;
 * the comparison is to be left out then. */
static bool join_zero(struct logic *g, struct asm_block *k, struct ptx_inst *in) {
  const struct mnem *m = mnem_of(g, in);
  const struct ptx_operand *o = &g->a->ops[in->first_op];
  const bool joins = m->ntok == 4 && (tok_is(m, 2, "and") || tok_is(m, 2, "or"));
  const unsigned type = m->ntok - 1u;
  if (in->guard != PTX_NONE || !tok_is(m, 0, "setp") || (m->ntok != 3 && !joins) || in->nops != 3u + joins ||
      !(tok_is(m, 1, "eq") || tok_is(m, 1, "ne")) ||
      !(tok_is(m, type, "b32") || tok_is(m, type, "s32") || tok_is(m, type, "u32")) || !predicate(g, &o[0]) ||
      !plain(g, &o[1]) || o[2].kind != PTX_OP_INT || o[2].comp || o[2].u || (joins && !predicate(g, &o[3])))
    return false;
  size_t then = 0;
  struct form f;
  const struct ptx_inst *logic = written_by(g, k, &o[1], &then);
  if (!logic || !form_of(g, logic, &f) || !inputs_last(g, &f, then))
    return false;
  bool here = g->reads[o[1].id] == 1;
  if (!here && (joins || g->writes[o[0].id] != 1))
    return false;
  for (size_t i = then + 1; !here && i < g->now; i++)
    if (reads_predicate(g, &k->v[i], o[0].id))
      return false;
  const struct ptx_operand none = asm_op_int(0), p = o[0], q = joins ? o[3] : none;
  const struct ptx_operand both[2] = {here ? (struct ptx_operand){.kind = PTX_OP_SINK} : o[1], p};
  struct ptx_operand ops[6] = {asm_op_pair(g->a, both),  f.in[0],
                               f.n > 1 ? f.in[1] : none, f.n > 2 ? f.in[2] : none,
                               asm_op_int(f.table),      q};
  char name[32];
  snprintf(name, sizeof name, "setlop3.%.2s%s.b32", m->tok[1].s,
           !joins               ? ""
           : tok_is(m, 2, "or") ? ".or"
                                : ".and");
  struct ptx_inst *to = here ? in : &k->v[then];
  uint16_t more = to->more;
  *to = asm_inst(g->a, to, name, ops, 5u + joins);
  to->more = more;
  if (!here)
    in->nops = 0, g->left = true;
  return true;
}

/* Comparisons that are a part of other instructions now. */
static void leave_out(const struct logic *g, struct asm_block *k) {
  size_t to = 0, left = 0;
  for (size_t i = 0; i < k->n; i++)
    if (k->v[i].nops || !tok_is(mnem_of(g, &k->v[i]), 0, "setp"))
      k->v[to++] = k->v[i];
    else
      left += 1u + k->v[i].more;
  k->n = to;
  asm_account(k, left);
}

/* Turns an atom whose result no instruction reads into a red. Machine code has none for generic addresses, which may be shared memory's. */
static void drop_result(struct logic *g, struct ptx_inst *in) {
  const struct mnem *m = mnem_of(g, in);
  const struct ptx_operand *o = &g->a->ops[in->first_op];
  if (m->fn != lower_op_atom || !tok_is(m, 0, "atom") || mnem_has(m, "exch") || mnem_has(m, "cas") ||
      !(mnem_has(m, "global") || mnem_has(m, "shared")) || in->nops != 3 || o[0].kind != PTX_OP_REG ||
      o[0].comp || g->reads[o[0].id])
    return;
  char name[96];
  struct ptx_operand ops[2] = {o[1], o[2]};
  if (snprintf(name, sizeof name, "red%s", m->text + m->tok[0].n) >= (int)sizeof name)
    return;
  struct ptx_inst red = asm_inst(g->a, in, name, ops, 2);
  red.guard = in->guard, red.guard_neg = in->guard_neg, red.more = in->more;
  *in = red;
}

/* A field that is not whole bytes takes a shift and logic in machine code; one at the lowest bit, or whole bytes, one instruction. */
static unsigned split_field(struct asm_fn *a, const struct ptx_inst *in, struct ptx_inst to[2]) {
  const struct mnem *m = &a->mnems->mnems[in->mnemonic];
  const struct ptx_operand *o = &a->ops[in->first_op];
  bool insert = tok_is(m, 0, "bfi");
  unsigned last = insert ? 4 : 3;
  if (in->guard != PTX_NONE || m->ntok != 2 || in->nops != last + 1 ||
      !(insert ? tok_is(m, 1, "b32") : tok_is(m, 0, "bfe") && tok_is(m, 1, "u32")) ||
      o[0].kind != PTX_OP_REG || o[0].comp || o[last - 1].kind != PTX_OP_INT || o[last].kind != PTX_OP_INT ||
      o[1].kind != PTX_OP_REG || o[1].comp || (insert && (o[2].kind != PTX_OP_REG || o[2].comp)))
    return 0;
  uint64_t at = o[last - 1].u, n = o[last].u;
  if (at > 31 || !at || !n || n > 31 || at + n > 32 || (at % 8 == 0 && n % 8 == 0))
    return 0;
  uint32_t t = asm_new_reg(a, o[0].id), ones = (1u << n) - 1;
  const struct ptx_operand shift[3] = {asm_op_reg(t), o[1], asm_op_int((int64_t)at)};
  if (insert) {
    enum { FROM_MASK = 0xca }; /* mask ? first : second */
    const struct ptx_operand merge[5] = {o[0], asm_op_int((int32_t)(ones << at)), asm_op_reg(t), o[2],
                                         asm_op_int(FROM_MASK)};
    to[0] = asm_inst(a, in, "shl.b32", shift, 3);
    to[1] = asm_inst(a, in, "lop3.b32", merge, 5);
  } else {
    const struct ptx_operand mask[3] = {o[0], asm_op_reg(t), asm_op_int((int64_t)ones)};
    to[0] = asm_inst(a, in, "shr.u32", shift, 3);
    to[1] = asm_inst(a, in, "and.b32", mask, 3);
  }
  to[1].more = in->more;
  return at + n == 32 && !insert ? 1 : 2;
}

static void split_fields(struct asm_fn *a) {
  for (size_t b = 0; b < a->nblocks; b++) {
    struct asm_block *k = &a->blocks[b], now = {0};
    bool any = false;
    for (size_t i = 0; i < k->n; i++) {
      struct ptx_inst to[2];
      unsigned n = split_field(a, &k->v[i], to);
      if (n < 2 && !any)
        continue;
      for (size_t j = 0; j < i && !any; j++)
        VEC_PUSH(now.v, now.n, now.cap) = k->v[j];
      any = true;
      if (n < 2)
        VEC_PUSH(now.v, now.n, now.cap) = k->v[i];
      for (unsigned j = 0; j < n && n == 2; j++)
        VEC_PUSH(now.v, now.n, now.cap) = to[j];
    }
    if (any)
      free(k->v), *k = now;
  }
}

static void count_all(struct logic *g) {
  size_t n = g->a->nregs + 1;
  memset(g->reads, 0, n * sizeof *g->reads), memset(g->writes, 0, n * sizeof *g->writes);
  for (size_t b = 0; b < g->a->nblocks; b++)
    for (size_t i = 0; i < g->a->blocks[b].n; i++)
      asm_visit(g->a, &g->a->blocks[b].v[i], count, g);
}

static void join_block(struct logic *g, struct asm_block *k) {
  g->block++;
  for (size_t i = 0; i < k->n; i++) {
    g->now = i;
    struct ptx_inst *in = &k->v[i];
    if (!join_shifts(g, k, in) && !join_logic(g, k, in) && !join_predicates(g, k, in))
      drop_result(g, in);
    asm_visit(g->a, in, note_write, g);
  }
}

/* Afterwards, when it is known what logic there is. */
static void join_zeros(struct logic *g, struct asm_block *k) {
  g->block++;
  g->left = false;
  for (size_t i = 0; i < k->n; i++) {
    g->now = i;
    if (!join_zero(g, k, &k->v[i]) || k->v[i].nops)
      asm_visit(g->a, &k->v[i], note_write, g);
  }
  if (g->left)
    leave_out(g, k);
}

void asm_combine(struct asm_fn *a) {
  if (!a->order_shows) /* turns are counted in instructions of the text */
    split_fields(a);
  size_t n = a->nregs + 1;
  struct logic g = {.a = a};
  g.reads = xmalloc(n * sizeof *g.reads), g.writes = xmalloc(n * sizeof *g.writes),
  g.stamp = xcalloc(n, sizeof *g.stamp), g.at = xcalloc(n, sizeof *g.at);
  count_all(&g);
  for (size_t b = 0; b < a->nblocks; b++)
    join_block(&g, &a->blocks[b]);
  count_all(&g);
  for (size_t b = 0; b < a->nblocks; b++)
    join_zeros(&g, &a->blocks[b]);
  free(g.reads), free(g.writes), free(g.stamp), free(g.at);
}
