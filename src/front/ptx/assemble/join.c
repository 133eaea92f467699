/* Loads of neighbouring words of shared memory become one of two or four, where the address is known to be aligned:
 * ptxas places shared variables at multiples of 16 bytes and follows what addresses are multiples of. It leaves
 * loads of global memory alone, for it does not know where buffers begin. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

enum { TOP = 31, VARIABLE_ALIGN = 16, STORES_BACK = 64 };

struct align {
  struct asm_fn *a;
  uint8_t *of; /* by register: its values are multiples of 2^of */
  unsigned value;
  bool changed;
};

static unsigned zeros(uint64_t v) {
  unsigned n = v ? (unsigned)__builtin_ctzll(v) : TOP;
  return n > TOP ? TOP : n;
}

static struct ptx_var *shared_variable(const struct asm_fn *a, uint32_t symbol) {
  const struct ptx_symbol *s = &a->f->syms[symbol];
  struct ptx_var *v = s->kind == PTX_SYM_VAR        ? &a->m->vars[s->index]
                      : s->kind == PTX_SYM_LOCALVAR ? &a->f->vars[s->index]
                                                    : NULL;
  return v && v->space == PTX_SHARED && !v->unsized ? v : NULL;
}

static unsigned of_symbol(const struct asm_fn *a, uint32_t symbol, uint64_t offset) {
  const struct ptx_var *v = shared_variable(a, symbol);
  unsigned n = !v ? 0 : v->size >= VARIABLE_ALIGN ? zeros(VARIABLE_ALIGN) : v->align ? zeros(v->align) : 0;
  return zeros(offset) < n ? zeros(offset) : n;
}

static unsigned of_operand(const struct align *s, const struct ptx_operand *o) {
  switch (o->kind) {
  case PTX_OP_REG:
    return o->comp || o->neg || o->change ? 0 : s->of[o->id];
  case PTX_OP_INT:
    return o->comp ? 0 : zeros(o->u);
  case PTX_OP_SYM:
    return of_symbol(s->a, o->id, o->u);
  default:
    return 0;
  }
}

static unsigned least(unsigned x, unsigned y) {
  return x < y ? x : y;
}

/* What the result of an instruction is a multiple of. */
static unsigned of_result(const struct align *s, const struct ptx_inst *in) {
  const struct mnem *m = &s->a->mnems->mnems[in->mnemonic];
  const struct ptx_operand *o = &s->a->ops[in->first_op];
  unsigned x = in->nops > 1 ? of_operand(s, &o[1]) : 0, y = in->nops > 2 ? of_operand(s, &o[2]) : 0,
           z = in->nops > 3 ? of_operand(s, &o[3]) : 0;
  enum ptx_type t = mnem_type(m, 0);
  if (ptx_type_kind(t) == 'f' || ptx_type_bits(t) < 32 || (m->op.op && m->op.op->flags & PTX_OPF_CC_IN))
    return 0;
  if (tok_is(m, 0, "mov") || tok_is(m, 0, "cvta"))
    return x;
  if (tok_is(m, 0, "cvt"))
    return m->ntok == 3 && ptx_type_bits(mnem_type(m, 1)) >= 32 && ptx_type_kind(mnem_type(m, 1)) != 'f' ? x
                                                                                                         : 0;
  if (tok_is(m, 0, "add") || tok_is(m, 0, "sub") || tok_is(m, 0, "or") || tok_is(m, 0, "xor"))
    return mnem_has(m, "sat") ? 0 : least(x, y);
  if (tok_is(m, 0, "and"))
    return x > y ? x : y;
  if (tok_is(m, 0, "shl"))
    return o[2].kind == PTX_OP_INT && o[2].u < 64 ? least(TOP, x + (unsigned)o[2].u) : x;
  bool low = tok_is(m, 1, "lo") || tok_is(m, 1, "wide");
  if (tok_is(m, 0, "mul") && low)
    return least(TOP, x + y);
  if (tok_is(m, 0, "mad") && low && !mnem_has(m, "sat"))
    return least(least(TOP, x + y), z);
  return tok_is(m, 0, "selp") ? least(x, y) : 0;
}

static void lower_align(void *ctx, uint32_t r, enum asm_role role) {
  struct align *s = ctx;
  if (role == ASM_USE || s->of[r] <= s->value)
    return;
  s->of[r] = (uint8_t)s->value;
  s->changed = true;
}

/* All are taken to be multiples of anything at first; what writes them says otherwise. */
static void find_aligns(struct align *s) {
  struct asm_fn *a = s->a;
  memset(s->of, TOP, a->nregs + 1);
  do {
    s->changed = false;
    for (size_t b = 0; b < a->nblocks; b++)
      for (size_t i = 0; i < a->blocks[b].n; i++) {
        const struct ptx_inst *in = &a->blocks[b].v[i];
        bool simple = asm_kind(a, in) == ASM_PURE && in->nops && a->ops[in->first_op].kind == PTX_OP_REG;
        s->value = simple ? of_result(s, in) : 0;
        asm_visit(a, in, lower_align, s);
      }
  } while (s->changed);
}

/* A load that may be joined. */
struct word {
  size_t at, back; /* where it stands; where it could stand at the earliest */
  uint32_t base, version, result;
  bool is_symbol, gone;
  int64_t offset;
};

struct join {
  struct asm_fn *a;
  struct align aligns;
  struct word *words;
  size_t nwords, capwords;
  uint32_t *version;
  size_t *touched; /* by register: behind the last instruction of the block that reads or writes it */
  uint32_t *stamp, block;
  size_t at;
  bool any;
};

static void touch(void *ctx, uint32_t r, enum asm_role role) {
  struct join *j = ctx;
  j->touched[r] = j->at + 1;
  j->stamp[r] = j->block;
  j->version[r] += role != ASM_USE;
}

/* Behind the last store that a load of p must not pass. */
static size_t stopped(const struct join *j, const struct asm_place *p, const size_t *stores, size_t nstores,
                      const struct asm_place *places) {
  for (size_t i = nstores; i-- > 0;)
    if (nstores - i > STORES_BACK || asm_may_overlap(j->a, &places[i], p))
      return stores[i] + 1;
  return 0;
}

static void find_words(struct join *j, const struct asm_block *k) {
  struct asm_fn *a = j->a;
  size_t *stores = xmalloc((k->n + 1) * sizeof *stores), nstores = 0, wall = 0;
  struct asm_place *places = xmalloc((k->n + 1) * sizeof *places);
  j->nwords = 0;
  j->block++;
  for (size_t i = 0; i < k->n; i++) {
    const struct ptx_inst *in = &k->v[i];
    const struct asm_traits *t = asm_traits(a, in);
    enum asm_kind kind = asm_kind(a, in);
    const struct ptx_operand *o = &a->ops[in->first_op];
    j->at = i;
    if (kind == ASM_PIN || kind == ASM_FIXED || kind == ASM_ATOM)
      wall = i + 1;
    if (kind == ASM_STORE)
      stores[nstores] = i, places[nstores++] = asm_place(a, in, j->version);
    if (kind == ASM_LOAD && t->space == PTX_SHARED && t->bytes == 4 && in->guard == PTX_NONE &&
        in->nops == 2 && o->kind == PTX_OP_REG && !o->comp && ptx_type_bits(a->regs[o->id].type) == 32) {
      struct asm_place p = asm_place(a, in, j->version);
      size_t back = stopped(j, &p, stores, nstores, places);
      if (back < wall)
        back = wall;
      if (j->stamp[o->id] == j->block && j->touched[o->id] > back)
        back = j->touched[o->id];
      if (p.known)
        VEC_PUSH(j->words, j->nwords, j->capwords) = (struct word){.at = i,
                                                                   .back = back,
                                                                   .base = p.base,
                                                                   .version = p.version,
                                                                   .result = o->id,
                                                                   .is_symbol = p.is_symbol,
                                                                   .offset = p.at};
    }
    asm_visit(a, in, touch, j);
  }
  free(stores), free(places);
}

static bool same_base(const struct word *x, const struct word *y) {
  return x->is_symbol == y->is_symbol && x->base == y->base && (x->is_symbol || x->version == y->version);
}

/* The word at `offset` that can be loaded where w is. */
static struct word *find(struct join *j, size_t w, int64_t offset) {
  enum { AHEAD = 256 };
  for (size_t i = w; i < j->nwords && i < w + AHEAD; i++) {
    struct word *x = &j->words[i];
    if (!x->gone && x->offset == offset && same_base(x, &j->words[w]) && x->back <= j->words[w].at)
      return x;
  }
  return NULL;
}

static void put_vector(struct join *j, struct asm_block *k, struct word **w, unsigned n) {
  struct asm_fn *a = j->a;
  size_t first = w[0]->at;
  uint32_t regs[4];
  for (unsigned i = 0; i < n; i++) {
    regs[i] = w[i]->result;
    if (w[i]->at < first)
      first = w[i]->at;
  }
  char name[96];
  const struct mnem *m = &a->mnems->mnems[k->v[w[0]->at].mnemonic];
  int head = (int)(m->tok[m->ntok - 1u].s - m->text);
  snprintf(name, sizeof name, "%.*sv%u.%s", head, m->text, n, m->tok[m->ntok - 1u].s);
  struct ptx_inst lowest = asm_clone(a, &k->v[w[0]->at]);
  struct ptx_operand ops[2] = {asm_op_vector(a, regs, n), a->ops[lowest.first_op + 1]};
  struct ptx_inst in = asm_inst(a, &k->v[first], name, ops, 2);
  for (unsigned i = 0; i < n; i++) {
    k->v[w[i]->at].nops = 0; /* to be left out */
    w[i]->gone = true;
  }
  k->v[first] = in;
  j->any = true;
}

static bool join_at(struct join *j, struct asm_block *k, size_t w, unsigned n) {
  const struct word *x = &j->words[w];
  unsigned align = x->is_symbol ? of_symbol(j->a, x->base, 0) : j->aligns.of[x->base];
  unsigned bytes = 4 * n;
  if (align < zeros(bytes))
    return false;
  int64_t low = x->offset & ~(int64_t)(bytes - 1);
  struct word *found[4] = {NULL};
  for (unsigned i = 0; i < n; i++) {
    if (!(found[i] = find(j, w, low + 4 * (int64_t)i)))
      return false;
    for (unsigned b = 0; b < i; b++)
      if (found[b]->result == found[i]->result)
        return false;
    if (!x->is_symbol && found[i]->result == x->base)
      return false;
  }
  put_vector(j, k, found, n);
  return true;
}

static void join_block(struct join *j, struct asm_block *k) {
  find_words(j, k);
  for (size_t w = 0; w < j->nwords; w++)
    if (!j->words[w].gone && !join_at(j, k, w, 4) && !j->words[w].gone)
      join_at(j, k, w, 2);
  size_t to = 0;
  for (size_t i = 0; i < k->n; i++) {
    const struct asm_traits *t = asm_traits(j->a, &k->v[i]);
    if (!(t->kind == ASM_LOAD && !k->v[i].nops))
      k->v[to++] = k->v[i];
  }
  size_t left = k->n - to;
  k->n = to;
  asm_account(k, left);
}

/* Shared variables where the joined loads take them to be. */
static void align_variables(struct asm_fn *a) {
  for (uint32_t i = 0; i < a->f->nsyms; i++) {
    struct ptx_var *v = shared_variable(a, i);
    if (v && v->size >= VARIABLE_ALIGN && v->align < VARIABLE_ALIGN)
      v->align = VARIABLE_ALIGN;
  }
}

void asm_join(struct asm_fn *a) {
  size_t n = a->nregs + 1;
  struct join j = {.a = a, .aligns = {.a = a, .of = xmalloc(n)}};
  j.version = xcalloc(n, sizeof *j.version), j.touched = xcalloc(n, sizeof *j.touched),
  j.stamp = xcalloc(n, sizeof *j.stamp);
  find_aligns(&j.aligns);
  for (size_t b = 0; b < a->nblocks; b++)
    join_block(&j, &a->blocks[b]);
  if (j.any)
    align_variables(a);
  free(j.aligns.of), free(j.words), free(j.version), free(j.touched), free(j.stamp);
}
