/* Copies whose two registers become one: a value that goes round a loop, or comes to a place by several ways.
 *
 *   L:  mov i, next           L:
 *       next = i + 1              i = i + 1      if nothing reads i behind the sum
 *       @p bra L                  @p bra L
 *
 * Two registers can be one where neither is written while the other one's value is still wanted, but by the copy. Classes of registers
 * that have become one are kept with what all of their members are in the way of (Chaitin's allocator). */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES_MOST = 4096 };

struct copies {
  struct asm_fn *a;
  uint32_t *number;       /* by register: among those that copies name, or PTX_NONE */
  uint32_t *of_number;    /* the reverse */
  uint32_t n, words;      /* candidates; of a set of them */
  uint32_t *class;        /* by candidate: another one of its class, itself for the one that stands for all */
  uint64_t *conflicts;    /* by candidate: set of those that it must not be one with */
  uint64_t *live;         /* behind the instruction at hand */
  const uint32_t *copied; /* candidate that the instruction copies, or NULL */
};

static const struct mnem *mnem_of(const struct asm_fn *a, const struct ptx_inst *in) {
  return &a->mnems->mnems[in->mnemonic];
}

static unsigned bits_of(const struct asm_fn *a, uint32_t r) {
  return a->regs[r].type == PTX_NOTYPE || a->regs[r].vec > 1 ? 0 : ptx_type_bits(a->regs[r].type);
}

static bool plain(const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp;
}

/* mov of all bits of a register to another one */
static bool is_copy(const struct asm_fn *a, const struct ptx_inst *in) {
  const struct mnem *m = mnem_of(a, in);
  const struct ptx_operand *o = &a->ops[in->first_op];
  if (m->fn != lower_op_mov || m->ntok != 2 || in->nops != 2 || in->guard != PTX_NONE || !plain(&o[0]) ||
      !plain(&o[1]))
    return false;
  unsigned bits = ptx_type_bits(mnem_type(m, 0));
  return bits && bits_of(a, o[0].id) == bits && bits_of(a, o[1].id) == bits;
}

static void leave_out(void *ctx, uint32_t r, enum asm_role role) {
  (void)role;
  ((uint32_t *)ctx)[r] = PTX_NONE;
}

static bool is_formal(const struct asm_fn *a, uint32_t r) {
  const struct ptx_func *f = a->f;
  for (uint32_t i = 0; a->regs[r].num < 0 && i < f->nparams + f->nrets; i++) {
    const struct ptx_var *v = i < f->nparams ? &f->params[i] : &f->rets[i - f->nparams];
    if (v->space == PTX_REG && strcmp(v->name, a->regs[r].name) == 0)
      return true;
  }
  return false;
}

/* Registers that copies name, but for those whose places in some instruction are not known. */
static void find_candidates(struct copies *c) {
  struct asm_fn *a = c->a;
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      const struct ptx_inst *in = &a->blocks[b].v[i];
      for (unsigned k = 0; k < 2 && is_copy(a, in); k++)
        c->number[a->ops[in->first_op + k].id] = 0;
    }
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      if (asm_traits(a, &a->blocks[b].v[i])->keeps)
        asm_visit(a, &a->blocks[b].v[i], leave_out, c->number);
  for (uint32_t r = 0; r < a->nregs; r++)
    if (c->number[r] != PTX_NONE) {
      bool fits = c->n < CANDIDATES_MOST && !is_formal(a, r) && r != asm_cc(a);
      c->number[r] = fits ? c->n : PTX_NONE;
      if (fits)
        c->of_number[c->n++] = r;
    }
}

static void set(uint64_t *s, uint32_t i) {
  s[i / 64] |= UINT64_C(1) << i % 64;
}

/* A register is written: it is in the way of what lives then, but for what it copies. */
static void note_write(void *ctx, uint32_t r, enum asm_role role) {
  struct copies *c = ctx;
  uint32_t x = c->number[r];
  if (role == ASM_USE || x == PTX_NONE)
    return;
  uint64_t *row = c->conflicts + (size_t)x * c->words;
  for (uint32_t w = 0; w < c->words; w++) {
    uint64_t live = c->live[w];
    if (c->copied && *c->copied / 64 == w)
      live &= ~(UINT64_C(1) << *c->copied % 64);
    row[w] |= live;
  }
}

static void kill(void *ctx, uint32_t r, enum asm_role role) {
  struct copies *c = ctx;
  uint32_t x = c->number[r];
  if (role == ASM_DEF && x != PTX_NONE)
    c->live[x / 64] &= ~(UINT64_C(1) << x % 64);
}

static void revive(void *ctx, uint32_t r, enum asm_role role) {
  struct copies *c = ctx;
  if (role != ASM_DEF && c->number[r] != PTX_NONE)
    set(c->live, c->number[r]);
}

/* An instruction that writes two registers has them both at once. */
static void both_live(void *ctx, uint32_t r, enum asm_role role) {
  struct copies *c = ctx;
  if (role != ASM_USE && c->number[r] != PTX_NONE)
    set(c->live, c->number[r]);
}

static void find_conflicts(struct copies *c) {
  struct asm_fn *a = c->a;
  struct asm_live v;
  asm_liveness(a, &v);
  uint8_t *live = xmalloc(a->nregs + 1);
  for (size_t b = 0; b < a->nblocks; b++) {
    const struct asm_block *k = &a->blocks[b];
    asm_live_at_end(a, &v, b, live);
    memset(c->live, 0, c->words * sizeof *c->live);
    for (uint32_t x = 0; x < c->n; x++)
      if (live[c->of_number[x]])
        set(c->live, x);
    for (size_t i = k->n; i-- > 0;) {
      const struct ptx_inst *in = &k->v[i];
      const uint32_t *from = is_copy(a, in) ? &c->number[a->ops[in->first_op + 1].id] : NULL;
      c->copied = from && *from != PTX_NONE ? from : NULL;
      asm_visit(a, in, both_live, c);
      asm_visit(a, in, note_write, c);
      asm_visit(a, in, kill, c);
      asm_visit(a, in, revive, c);
    }
  }
  free(live);
  asm_live_free(&v);
  for (uint32_t x = 0; x < c->n; x++) /* of each other */
    for (uint32_t w = 0; w < c->words; w++)
      for (uint64_t s = c->conflicts[(size_t)x * c->words + w]; s; s &= s - 1)
        set(c->conflicts + (size_t)(w * 64 + (uint32_t)__builtin_ctzll(s)) * c->words, x);
}

static uint32_t class_of(const struct copies *c, uint32_t x) {
  while (c->class[x] != x)
    x = c->class[x];
  return x;
}

/* True: x and y are one from now on. */
static bool unite(struct copies *c, uint32_t x, uint32_t y) {
  x = class_of(c, x), y = class_of(c, y);
  if (x == y)
    return true;
  uint64_t *rx = c->conflicts + (size_t)x * c->words, *ry = c->conflicts + (size_t)y * c->words;
  for (uint32_t i = 0; i < c->n; i++) /* members of y's class */
    if (rx[i / 64] >> i % 64 & 1 && class_of(c, i) == y)
      return false;
  for (uint32_t w = 0; w < c->words; w++)
    rx[w] |= ry[w];
  c->class[y] = x;
  return true;
}

static void rename_reg(void *ctx, uint32_t *r, enum asm_role role) {
  struct copies *c = ctx;
  (void)role;
  if (*r < c->a->nregs && c->number[*r] != PTX_NONE)
    *r = c->of_number[class_of(c, c->number[*r])];
}

static bool copies_itself(const struct asm_fn *a, const struct ptx_inst *in) {
  return is_copy(a, in) && a->ops[in->first_op].id == a->ops[in->first_op + 1].id;
}

static void rewrite(struct copies *c) {
  struct asm_fn *a = c->a;
  for (size_t b = 0; b < a->nblocks; b++) {
    struct asm_block *k = &a->blocks[b];
    size_t to = 0, left = 0;
    for (size_t i = 0; i < k->n; i++) {
      struct ptx_inst in = k->v[i];
      asm_visit_places(a, &in, rename_reg, c);
      bool last = i + 1 == k->n && !to; /* an empty block stands for nothing */
      if (copies_itself(a, &in) && !(a->order_shows && last))
        left += 1u + in.more;
      else
        k->v[to++] = in;
    }
    k->n = to;
    asm_account(k, left);
  }
}

void asm_unite_copies(struct asm_fn *a) {
  size_t n = a->nregs + 1;
  struct copies c = {.a = a};
  c.number = xmalloc(n * sizeof *c.number), c.of_number = xmalloc(n * sizeof *c.of_number);
  memset(c.number, 0xff, n * sizeof *c.number);
  find_candidates(&c);
  if (c.n) {
    c.words = (c.n + 63) / 64;
    c.class = xmalloc(c.n * sizeof *c.class), c.live = xmalloc(c.words * sizeof *c.live);
    c.conflicts = xcalloc((size_t)c.n * c.words, sizeof *c.conflicts);
    for (uint32_t x = 0; x < c.n; x++)
      c.class[x] = x;
    find_conflicts(&c);
    for (size_t b = 0; b < a->nblocks; b++)
      for (size_t i = 0; i < a->blocks[b].n; i++) {
        const struct ptx_inst *in = &a->blocks[b].v[i];
        const struct ptx_operand *o = &a->ops[in->first_op];
        if (is_copy(a, in) && c.number[o[0].id] != PTX_NONE && c.number[o[1].id] != PTX_NONE)
          unite(&c, c.number[o[0].id], c.number[o[1].id]);
      }
    rewrite(&c);
    free(c.class), free(c.live), free(c.conflicts);
  }
  free(c.number), free(c.of_number);
}
