/* Selections that machine code does by predicates.
 *
 *   t = x ^ c; d = p ? t : x           d = x; @p d = x ^ c      where x and t are not wanted any more: the copy is no instruction (copies.c)
 *   t = x + x; u = x + 1; d = p ? t : u   d = x + 1; @p d = x + x
 *   t = p ? 1 : 0; d = x + t           d = x; @p d = x + 1      likewise
 *
 * Selections with a number stay (SEL, FSEL). The instructions are in one block, and no instruction between them writes a register that they read. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

struct select {
  struct asm_fn *a;
  struct asm_live live;
  uint32_t *reads;        /* by register, in the function */
  uint32_t *stamp, block; /* by register: the block for which `at` holds */
  uint32_t *at;           /* by register: place after its last write in the block */
  size_t now, b;
};

static void count_read(void *ctx, uint32_t r, enum asm_role role) {
  ((struct select *)ctx)->reads[r] += role != ASM_DEF;
}

static void note_write(void *ctx, uint32_t r, enum asm_role role) {
  struct select *s = ctx;
  if (role == ASM_USE)
    return;
  s->stamp[r] = s->block;
  s->at[r] = (uint32_t)s->now + 1;
}

static const struct mnem *mnem_of(const struct select *s, const struct ptx_inst *in) {
  return &s->a->mnems->mnems[in->mnemonic];
}

static bool plain(const struct select *s, const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp && !o->change && s->a->regs[o->id].vec <= 1;
}

static unsigned bits_of(const struct select *s, uint32_t r) {
  return ptx_type_bits(s->a->regs[r].type);
}

struct asking {
  const struct select *s;
  uint32_t reg;
  size_t then;
  bool reads, writes, changed;
};

static void ask(void *ctx, uint32_t r, enum asm_role role) {
  struct asking *q = ctx;
  q->reads |= r == q->reg && role != ASM_DEF;
  q->writes |= r == q->reg && role == ASM_DEF;
  q->changed |= role == ASM_USE && q->s->stamp[r] == q->s->block && q->s->at[r] > q->then + 1;
}

static struct asking asked(const struct select *s, const struct ptx_inst *in, uint32_t reg, size_t then) {
  struct asking q = {.s = s, .reg = reg, .then = then};
  asm_visit(s->a, in, ask, &q);
  return q;
}

/* What computes an operand for the instruction at hand alone, and could do so here. */
static const struct ptx_inst *computed(const struct select *s, const struct asm_block *k,
                                       const struct ptx_operand *o) {
  if (!plain(s, o) || s->stamp[o->id] != s->block || s->reads[o->id] != 1)
    return NULL;
  size_t then = s->at[o->id] - 1;
  const struct ptx_inst *in = &k->v[then];
  const struct mnem *m = mnem_of(s, in);
  if (in->guard != PTX_NONE || m->fn != lower_op_alu || asm_kind(s->a, in) != ASM_PURE || !in->nops ||
      asm_traits(s->a, in)->cc_in || asm_traits(s->a, in)->cc_out || asm_traits(s->a, in)->latency > 20 ||
      tok_is(m, 0, "selp"))
    return NULL;
  const struct ptx_operand *d = &s->a->ops[in->first_op];
  return d->kind == PTX_OP_REG && d->id == o->id && !asked(s, in, o->id, then).changed ? in : NULL;
}

/* Is the value of a register not wanted behind the instruction at hand? */
static bool dies(const struct select *s, const struct asm_block *k, uint32_t r) {
  for (size_t i = s->now + 1; i < k->n; i++) {
    struct asking q = asked(s, &k->v[i], r, 0);
    if (q.reads)
      return false;
    if (q.writes && k->v[i].guard == PTX_NONE)
      return true;
  }
  uint32_t n = r < s->live.nregs ? s->live.number[r] : PTX_NONE;
  return n == PTX_NONE || !(s->live.out[s->b * s->live.words + n / 64] >> n % 64 & 1);
}

static struct ptx_inst copy_of(struct select *s, const struct ptx_inst *at, uint32_t d,
                               const struct ptx_operand *from) {
  const struct ptx_operand ops[2] = {asm_op_reg(d), *from};
  return asm_inst(s->a, at, bits_of(s, d) == 64 ? "mov.b64" : "mov.b32", ops, 2);
}

static struct ptx_inst computed_as(struct select *s, const struct ptx_inst *in, uint32_t d) {
  struct ptx_inst to = asm_clone(s->a, in);
  s->a->ops[to.first_op].id = d;
  to.more = 0;
  return to;
}

/* selp d = p ? x : y. True: `to` does the same. */
static bool split(struct select *s, const struct asm_block *k, const struct ptx_inst *in,
                  struct ptx_inst to[2]) {
  const struct ptx_operand *o = &s->a->ops[in->first_op];
  if (!tok_is(mnem_of(s, in), 0, "selp") || in->guard != PTX_NONE || in->nops != 4 || !plain(s, &o[0]) ||
      !plain(s, &o[1]) || !plain(s, &o[2]) || o[3].kind != PTX_OP_REG || o[3].comp || o[3].change ||
      bits_of(s, o[0].id) < 32 || bits_of(s, o[0].id) > 64 || bits_of(s, o[1].id) != bits_of(s, o[0].id) ||
      bits_of(s, o[2].id) != bits_of(s, o[0].id))
    return false;
  const struct ptx_inst *side[2] = {computed(s, k, &o[1]), computed(s, k, &o[2])};
  const uint32_t d = o[0].id, p = o[3].id;
  const bool negated = o[3].neg;
  for (unsigned i = 0; i < 2; i++) { /* the guarded side, which comes last */
    const struct ptx_operand other = o[2 - i];
    if (!side[i] || (asked(s, side[i], d, 0).reads && other.id != d))
      continue;
    if (!side[1 - i] && other.id != d && !dies(s, k, other.id))
      continue;
    const struct ptx_inst then = *side[i], first = side[1 - i] ? *side[1 - i] : *in;
    to[0] = side[1 - i] ? computed_as(s, &first, d) : copy_of(s, &first, d, &other);
    to[0].more = 0;
    to[1] = computed_as(s, &then, d);
    to[1].guard = p, to[1].guard_neg = negated != (i == 1);
    return true;
  }
  return false;
}

/* add d = x + (p ? number : 0) */
static bool split_sum(struct select *s, const struct asm_block *k, const struct ptx_inst *in,
                      struct ptx_inst to[2]) {
  const struct mnem *m = mnem_of(s, in);
  const struct ptx_operand *o = &s->a->ops[in->first_op];
  if (in->guard != PTX_NONE || in->nops != 3 || m->ntok != 2 || !tok_is(m, 0, "add") ||
      !(tok_is(m, 1, "s32") || tok_is(m, 1, "u32")) || !plain(s, &o[0]) || bits_of(s, o[0].id) != 32)
    return false;
  for (unsigned i = 1; i < 3; i++) {
    const struct ptx_operand x = o[3 - i];
    if (!plain(s, &o[i]) || !plain(s, &x) || s->stamp[o[i].id] != s->block || s->reads[o[i].id] != 1 ||
        bits_of(s, x.id) != 32)
      continue;
    size_t then = s->at[o[i].id] - 1;
    const struct ptx_inst *choice = &k->v[then];
    const struct ptx_operand *f = &s->a->ops[choice->first_op];
    if (choice->guard != PTX_NONE || choice->nops != 4 || !tok_is(mnem_of(s, choice), 0, "selp") ||
        f[1].kind != PTX_OP_INT || f[1].comp || f[2].kind != PTX_OP_INT || f[2].comp || f[2].u ||
        f[3].kind != PTX_OP_REG || f[3].comp || f[3].change || asked(s, choice, 0, then).changed ||
        (x.id != o[0].id && !dies(s, k, x.id)))
      continue;
    const uint32_t d = o[0].id, p = f[3].id;
    const bool negated = f[3].neg;
    const struct ptx_operand ops[3] = {o[0], asm_op_reg(d), asm_op_int((int64_t)(int32_t)f[1].u)};
    to[0] = copy_of(s, in, d, &x);
    to[1] = asm_inst(s->a, in, "add.s32", ops, 3);
    to[1].guard = p, to[1].guard_neg = negated;
    return true;
  }
  return false;
}

static void look_through(struct select *s, struct asm_block *k) {
  struct asm_block now = {0};
  bool any = false;
  s->block++;
  for (size_t i = 0; i < k->n; i++) {
    struct ptx_inst to[2];
    s->now = i;
    bool splits = split(s, k, &k->v[i], to) || split_sum(s, k, &k->v[i], to);
    asm_visit(s->a, &k->v[i], note_write, s);
    if (!splits && !any)
      continue;
    for (size_t j = 0; j < i && !any; j++)
      VEC_PUSH(now.v, now.n, now.cap) = k->v[j];
    any = true;
    if (!splits)
      VEC_PUSH(now.v, now.n, now.cap) = k->v[i];
    for (unsigned j = 0; j < 2 && splits; j++)
      VEC_PUSH(now.v, now.n, now.cap) = to[j];
  }
  if (any)
    free(k->v), *k = now;
}

void asm_select_by_predicates(struct asm_fn *a) {
  size_t n = a->nregs + 1;
  struct select s = {.a = a};
  bool any = false;
  for (size_t b = 0; b < a->nblocks && !any; b++)
    for (size_t i = 0; i < a->blocks[b].n && !any; i++)
      any = tok_is(mnem_of(&s, &a->blocks[b].v[i]), 0, "selp");
  if (!any || a->order_shows) /* turns are counted in instructions of the text */
    return;
  asm_liveness(a, &s.live);
  s.reads = xcalloc(n, sizeof *s.reads), s.stamp = xcalloc(n, sizeof *s.stamp),
  s.at = xcalloc(n, sizeof *s.at);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count_read, &s);
  for (s.b = 0; s.b < a->nblocks; s.b++)
    look_through(&s, &a->blocks[s.b]);
  free(s.reads), free(s.stamp), free(s.at);
  asm_live_free(&s.live);
}
