/* Instructions that an assembler does without.
 *
 *   mov, cvta.global    readers take what was copied
 *   and 255             likewise, of a byte that was loaded (compute capability 9)
 *   mul.wide + add      mad.wide; the same for a shift of an extended number, and shl + add (LEA)
 *   [r + 4], r = s + 8  [s + 12]
 *
 * Followed are registers with one write in the text, which every way to a reader passes: there, the sources of that
 * write still are what they were. What nobody reads any more goes. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

struct fold {
  struct asm_fn *a;
  uint32_t *writes;               /* by register */
  const struct ptx_inst **origin; /* by register: what writes it, if once */
  bool *unclear;                  /* by register: written partly, or read where it was not written */
  const struct ptx_inst *at;      /* being visited */
  uint32_t *copy_of;              /* by register: what it is a copy of, or itself */
};

static const struct mnem *mnem_of(const struct fold *f, const struct ptx_inst *in) {
  return &f->a->mnems->mnems[in->mnemonic];
}

static void note_write(void *ctx, uint32_t r, enum asm_role role) {
  struct fold *f = ctx;
  if (role == ASM_USE)
    return;
  f->writes[r]++;
  f->origin[r] = f->at;
  f->unclear[r] |= role == ASM_DEF_PART;
}

static void keep_formals(struct fold *f, const struct ptx_var *v, uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t r = 0; v[k].space == PTX_REG && r < f->a->nregs; r++)
      if (f->a->regs[r].num < 0 && strcmp(f->a->regs[r].name, v[k].name) == 0)
        f->unclear[r] = true;
}

static void begin(struct fold *f, struct asm_fn *a) {
  size_t n = a->nregs + 1;
  *f = (struct fold){.a = a};
  f->writes = xcalloc(n, sizeof *f->writes), f->origin = xcalloc(n, sizeof *f->origin),
  f->unclear = xcalloc(n, sizeof *f->unclear), f->copy_of = xcalloc(n, sizeof *f->copy_of);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      f->at = &a->blocks[b].v[i];
      asm_visit(a, f->at, note_write, f);
    }
  struct asm_live live;
  asm_liveness(a, &live);
  for (uint32_t w = 0; w < live.words; w++)
    for (uint64_t bits = live.in[w]; bits; bits &= bits - 1)
      f->unclear[live.of_number[w * 64 + (uint32_t)__builtin_ctzll(bits)]] = true;
  asm_live_free(&live);
  keep_formals(f, a->f->params, a->f->nparams);
  keep_formals(f, a->f->rets, a->f->nrets);
}

static void end(struct fold *f) {
  free(f->writes), free(f->origin), free(f->unclear), free(f->copy_of);
}

/* The one write of a register, unless it is guarded. */
static const struct ptx_inst *origin(const struct fold *f, uint32_t r) {
  return r < f->a->nregs && f->writes[r] == 1 && !f->unclear[r] ? f->origin[r] : NULL;
}

static bool plain_reg(const struct asm_fn *a, const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp && a->regs[o->id].vec <= 1;
}

/* A register that holds the same from its one write on, or a number. */
static bool steady(const struct fold *f, const struct ptx_operand *o) {
  return (plain_reg(f->a, o) && origin(f, o->id)) || (o->kind == PTX_OP_INT && !o->comp);
}

/* A register of 32 bits with a byte that was loaded. */
static bool is_byte(const struct fold *f, uint32_t r) {
  const struct ptx_inst *in = origin(f, r);
  const struct mnem *m = in ? mnem_of(f, in) : NULL;
  if (!m || in->guard != PTX_NONE || in->nops != 2 || m->ntok != 3 || !tok_is(m, 0, "cvt") ||
      !tok_is(m, 1, "u32") || !tok_is(m, 2, "u16") || !plain_reg(f->a, &f->a->ops[in->first_op + 1]))
    return false;
  const struct ptx_inst *load = origin(f, f->a->ops[in->first_op + 1].id);
  return load && load->guard == PTX_NONE && asm_traits(f->a, load)->kind == ASM_LOAD &&
         mnem_type(mnem_of(f, load), 0) == PTX_U8;
}

/* and d = s, 255 of a byte, which PRMT takes out of a word by itself */
static bool keeps_byte(const struct fold *f, const struct ptx_inst *in) {
  const struct mnem *m = mnem_of(f, in);
  const struct ptx_operand *o = &f->a->ops[in->first_op];
  return in->guard == PTX_NONE && in->nops == 3 && m->ntok == 2 && tok_is(m, 0, "and") &&
         tok_is(m, 1, "b32") && plain_reg(f->a, &o[0]) && origin(f, o[0].id) && plain_reg(f->a, &o[1]) &&
         o[2].kind == PTX_OP_INT && !o[2].comp && (o[2].u & 255) == 255 && is_byte(f, o[1].id);
}

/* add d = s, 0 */
static bool adds_nothing(const struct fold *f, const struct ptx_inst *in) {
  const struct mnem *m = mnem_of(f, in);
  const struct ptx_operand *o = &f->a->ops[in->first_op];
  unsigned bits = m->ntok == 2 && ptx_type_kind(mnem_type(m, 0)) != 'f' ? ptx_type_bits(mnem_type(m, 0)) : 0;
  return in->guard == PTX_NONE && in->nops == 3 && bits && tok_is(m, 0, "add") && o[2].kind == PTX_OP_INT &&
         !o[2].comp && !o[2].u && plain_reg(f->a, &o[0]) && plain_reg(f->a, &o[1]) && origin(f, o[0].id) &&
         origin(f, o[1].id) && ptx_type_bits(f->a->regs[o[0].id].type) == bits &&
         ptx_type_bits(f->a->regs[o[1].id].type) == bits;
}

static bool is_copy(const struct fold *f, const struct ptx_inst *in) {
  const struct mnem *m = mnem_of(f, in);
  const struct ptx_operand *o = &f->a->ops[in->first_op];
  if (f->a->schedule == SCHEDULE_ASSEMBLER9 && (keeps_byte(f, in) || adds_nothing(f, in)))
    return true;
  if (in->guard != PTX_NONE || in->nops != 2 || !plain_reg(f->a, &o[0]) || !plain_reg(f->a, &o[1]) ||
      !origin(f, o[0].id) || !origin(f, o[1].id) || f->a->regs[o[0].id].type == PTX_NOTYPE ||
      ptx_type_bits(f->a->regs[o[0].id].type) != ptx_type_bits(f->a->regs[o[1].id].type))
    return false;
  if (m->fn == lower_op_cvta) {
    enum ptx_space s = mnem_space(m);
    return (s == PTX_GLOBAL || s == PTX_CONST) && ptx_type_bits(f->a->regs[o[0].id].type) == 64;
  }
  return m->fn == lower_op_mov && m->ntok == 2 &&
         ptx_type_bits(mnem_type(m, 0)) == ptx_type_bits(f->a->regs[o[0].id].type);
}

static void see_through(void *ctx, uint32_t *r, enum asm_role role) {
  struct fold *f = ctx;
  if (role == ASM_USE && *r < f->a->nregs)
    *r = f->copy_of[*r];
}

/* Sources from which on machine code has room for a number of 32 bits; 0: none. */
static unsigned numbers_from(const struct mnem *m, bool *shuffle) {
  static const char *const names[] = {"add",  "sub",  "and", "or",  "xor", "shl", "shr", "shf",  "lop3",
                                      "setp", "selp", "min", "max", "mul", "mad", "fma", "prmt", "mov"};
  *shuffle = m->fn == lower_op_shfl;
  if (*shuffle)
    return 2;
  if (m->fn != lower_op_alu && m->fn != lower_op_lop3 && m->fn != lower_op_mov)
    return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (tok_is(m, 0, names[i]))
      return tok_is(m, 0, "setp") ? 2 : 1;
  return 0;
}

/* The bits of a f16 that is converted from a number, as CUDA sets constants of f16. */
static bool known_half(const struct fold *f, const struct ptx_operand *o, uint32_t *bits) {
  const struct ptx_inst *in = plain_reg(f->a, o) ? origin(f, o->id) : NULL;
  if (!in || in->guard != PTX_NONE || in->nops != 2 || strcmp(mnem_of(f, in)->text, "cvt.rn.f16.f32") != 0)
    return false;
  const struct ptx_operand *s = &f->a->ops[in->first_op + 1];
  in = plain_reg(f->a, s) ? origin(f, s->id) : NULL;
  if (in && in->guard == PTX_NONE && in->nops == 2 && strcmp(mnem_of(f, in)->text, "mov.f32") == 0)
    s = &f->a->ops[in->first_op + 1];
  struct ptx_op_match convert;
  if (s->kind != PTX_OP_F32 || !ptx_op_resolve("cvt.rn.f16.f32", &convert))
    return false;
  _Alignas(64) uint32_t from[32] = {(uint32_t)s->u};
  _Alignas(64) uint16_t to[32] = {0};
  convert.op->fn(to, from, NULL, NULL, NULL, 1);
  *bits = to[0];
  return true;
}

/* Two of them in one register. */
static bool known_pair(const struct fold *f, const struct ptx_inst *in, struct ptx_operand *number) {
  const struct ptx_operand *s = &f->a->ops[in->first_op + 1];
  uint32_t low, high;
  if (s->kind != PTX_OP_VEC || s->n != 2 || !known_half(f, &f->a->ops[s->first], &low) ||
      !known_half(f, &f->a->ops[s->first + 1], &high))
    return false;
  *number = asm_op_int((int32_t)(high << 16 | low));
  return true;
}

/* The operand as a number of 32 bits, if a `mov` is all that writes it. */
static bool known_number(const struct fold *f, const struct ptx_operand *o, struct ptx_operand *number) {
  const struct ptx_inst *in =
      plain_reg(f->a, o) && ptx_type_bits(f->a->regs[o->id].type) == 32 ? origin(f, o->id) : NULL;
  const struct mnem *m = in ? mnem_of(f, in) : NULL;
  if (!m || in->guard != PTX_NONE || m->fn != lower_op_mov || m->ntok != 2 || in->nops != 2 ||
      ptx_type_bits(mnem_type(m, 0)) != 32)
    return false;
  if (known_pair(f, in, number))
    return true;
  *number = f->a->ops[in->first_op + 1];
  if (number->kind == PTX_OP_INT && !number->comp)
    number->u = (uint64_t)(int64_t)(int32_t)number->u;
  return (number->kind == PTX_OP_INT && !number->comp && ptx_type_kind(mnem_type(m, 0)) != 'f') ||
         number->kind == PTX_OP_F32;
}

/* Instructions take numbers themselves, one each; shuffles all. */
static void fold_numbers(struct fold *f) {
  struct asm_fn *a = f->a;
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      const struct ptx_inst *in = &a->blocks[b].v[i];
      bool shuffle, full = false;
      unsigned from = numbers_from(mnem_of(f, in), &shuffle);
      struct ptx_operand *o = &a->ops[in->first_op], number;
      unsigned n = tok_is(mnem_of(f, in), 0, "lop3") ? 4 : in->nops;
      for (unsigned k = 1; from && k < n; k++)
        full |= o[k].kind != PTX_OP_REG;
      for (unsigned k = from; from && k < n; k++)
        if ((!full || shuffle) && known_number(f, &o[k], &number))
          o[k] = number, full = true;
    }
}

static void fold_copies(struct asm_fn *a) {
  struct fold f;
  begin(&f, a);
  for (uint32_t r = 0; r < a->nregs; r++)
    f.copy_of[r] = r;
  for (uint32_t r = 0; r < a->nregs; r++) {
    const struct ptx_inst *in = origin(&f, r);
    if (in && is_copy(&f, in))
      f.copy_of[r] = a->ops[in->first_op + 1].id;
  }
  for (uint32_t r = 0; r < a->nregs; r++) /* copies of copies; each is written after what it copies */
    for (unsigned i = 0; i < 64 && f.copy_of[f.copy_of[r]] != f.copy_of[r]; i++)
      f.copy_of[r] = f.copy_of[f.copy_of[r]];
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      if (!asm_traits(a, &a->blocks[b].v[i])->keeps)
        asm_visit_places(a, &a->blocks[b].v[i], see_through, &f);
  if (a->schedule == SCHEDULE_ASSEMBLER9)
    fold_numbers(&f);
  end(&f);
}

/* value = number * factor, with the number extended from 32 bits */
struct product {
  struct ptx_operand x;
  struct ptx_operand factor;
  char type[4];
};

static bool is_op(const struct fold *f, const struct ptx_inst *in, const char *base, const char *type) {
  const struct mnem *m = in ? mnem_of(f, in) : NULL;
  return m && in->guard == PTX_NONE && tok_is(m, 0, base) && tok_is(m, m->ntok - 1u, type);
}

/* A 64-bit register as a product. */
static bool wide_product(const struct fold *f, const struct ptx_operand *o, struct product *p) {
  const struct ptx_inst *in = plain_reg(f->a, o) ? origin(f, o->id) : NULL;
  const struct ptx_operand *s = in ? &f->a->ops[in->first_op] : NULL;
  for (unsigned k = 0; in && k < 2; k++) {
    const char *type = k ? "u32" : "s32";
    if (is_op(f, in, "mul", type) && tok_is(mnem_of(f, in), 1, "wide") && mnem_of(f, in)->ntok == 3 &&
        in->nops == 3 && steady(f, &s[1]) && steady(f, &s[2]) && s[1].kind == PTX_OP_REG) {
      *p = (struct product){.x = s[1], .factor = s[2]};
      snprintf(p->type, sizeof p->type, "%s", type);
      return true;
    }
  }
  if (!(is_op(f, in, "shl", "b64") && in->nops == 3 && s[2].kind == PTX_OP_INT && s[2].u < 31))
    return false;
  uint64_t shift = s[2].u;
  in = plain_reg(f->a, &s[1]) ? origin(f, s[1].id) : NULL;
  s = in ? &f->a->ops[in->first_op] : NULL;
  for (unsigned k = 0; in && k < 2; k++) {
    const struct mnem *m = mnem_of(f, in);
    bool cvt = m->ntok == 3 && tok_is(m, 0, "cvt") && in->guard == PTX_NONE &&
               (k ? tok_is(m, 1, "u64") && tok_is(m, 2, "u32") : tok_is(m, 1, "s64") && tok_is(m, 2, "s32"));
    if (cvt && in->nops == 2 && steady(f, &s[1]) && s[1].kind == PTX_OP_REG &&
        ptx_type_bits(f->a->regs[s[1].id].type) == 32) {
      *p = (struct product){.x = s[1], .factor = asm_op_int(INT64_C(1) << shift)};
      snprintf(p->type, sizeof p->type, k ? "u32" : "s32");
      return true;
    }
  }
  return false;
}

static bool is_add(const struct fold *f, const struct ptx_inst *in, unsigned bits) {
  return in->nops == 3 && mnem_of(f, in)->ntok == 2 &&
         (is_op(f, in, "add", bits == 64 ? "s64" : "s32") || is_op(f, in, "add", bits == 64 ? "u64" : "u32"));
}

/* add d = c + product */
static bool join_wide(struct fold *f, struct ptx_inst *in) {
  if (!is_add(f, in, 64))
    return false;
  for (unsigned k = 1; k < 3; k++) {
    struct product p;
    const struct ptx_operand *o = &f->a->ops[in->first_op];
    if (!wide_product(f, &o[k], &p) || o[3 - k].kind != PTX_OP_REG)
      continue;
    struct ptx_operand ops[4] = {o[0], p.x, p.factor, o[3 - k]};
    char name[16];
    snprintf(name, sizeof name, "mad.wide.%s", p.type);
    uint16_t more = in->more;
    *in = asm_inst(f->a, in, name, ops, 4);
    in->more = more;
    return true;
  }
  return false;
}

static void count_use(void *ctx, uint32_t r, enum asm_role role) {
  uint32_t *uses = ctx;
  uses[r] += role != ASM_DEF;
}

/* add d = c + (x << k), when nobody else wants the shifted number */
static bool join_shift(struct fold *f, struct ptx_inst *in, const uint32_t *uses) {
  if (!is_add(f, in, 32))
    return false;
  for (unsigned k = 1; k < 3; k++) {
    const struct ptx_operand *o = &f->a->ops[in->first_op];
    const struct ptx_inst *s = plain_reg(f->a, &o[k]) && uses[o[k].id] == 1 ? origin(f, o[k].id) : NULL;
    if (!s || !is_op(f, s, "shl", "b32") || s->nops != 3 || o[3 - k].kind != PTX_OP_REG)
      continue;
    const struct ptx_operand *t = &f->a->ops[s->first_op];
    if (t[2].kind != PTX_OP_INT || t[2].u > 30 || !plain_reg(f->a, &t[1]) || !steady(f, &t[1]))
      continue;
    struct ptx_operand ops[4] = {o[0], t[1], asm_op_int(INT64_C(1) << t[2].u), o[3 - k]};
    uint16_t more = in->more;
    *in = asm_inst(f->a, in, "mad.lo.s32", ops, 4);
    in->more = more;
    return true;
  }
  return false;
}

static void join_sums(struct asm_fn *a) {
  struct fold f;
  begin(&f, a);
  uint32_t *uses = xcalloc(a->nregs + 1, sizeof *uses);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count_use, uses);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      if (!join_wide(&f, &a->blocks[b].v[i]))
        join_shift(&f, &a->blocks[b].v[i], uses);
  free(uses);
  end(&f);
}

/* Within a block: registers that are another one plus a number. */
struct distance {
  uint32_t block, base, version;
  int64_t by;
};
struct addresses {
  struct asm_fn *a;
  struct distance *from;
  uint32_t *version, block;
};

enum { OFFSET_MOST = 1 << 23 }; /* of an address: 24 bits with sign */

static const struct distance *distance(const struct addresses *s, const struct ptx_operand *o) {
  const struct distance *d = plain_reg(s->a, o) ? &s->from[o->id] : NULL;
  return d && d->block == s->block && s->version[d->base] == d->version ? d : NULL;
}

static bool within(int64_t v) {
  return v > -OFFSET_MOST && v < OFFSET_MOST;
}

static void fold_address(struct addresses *s, const struct ptx_inst *in) {
  const struct asm_traits *t = asm_traits(s->a, in);
  if ((t->kind != ASM_LOAD && t->kind != ASM_STORE) || in->nops <= t->has_result)
    return;
  struct ptx_operand *o = &s->a->ops[in->first_op + t->has_result];
  if (o->kind != PTX_OP_ADDR || o->n != 1)
    return;
  struct ptx_operand *base = &s->a->ops[o->first];
  const struct distance *d = distance(s, base);
  if (!d || !within((int64_t)o->u + d->by))
    return;
  o->u += (uint64_t)d->by;
  base->id = d->base;
}

static void note_new(void *ctx, uint32_t r, enum asm_role role) {
  struct addresses *s = ctx;
  if (role == ASM_USE)
    return;
  s->version[r]++;
  s->from[r].block = PTX_NONE;
}

/* d = r + number: from the oldest register that this can be said of */
static void note_sum(struct addresses *s, struct ptx_inst *in) {
  struct asm_fn *a = s->a;
  const struct mnem *m = &a->mnems->mnems[in->mnemonic];
  struct ptx_operand *o = &a->ops[in->first_op];
  bool add = tok_is(m, 0, "add") && m->ntok == 2 && in->nops == 3 && in->guard == PTX_NONE;
  unsigned bits = add ? ptx_type_bits(mnem_type(m, 0)) : 0;
  if (!add || (bits != 32 && bits != 64) || ptx_type_kind(mnem_type(m, 0)) == 'f' || !plain_reg(a, &o[0]) ||
      !plain_reg(a, &o[1]) || o[2].kind != PTX_OP_INT || o[2].comp || !within((int64_t)o[2].u) ||
      ptx_type_bits(a->regs[o[0].id].type) != bits || ptx_type_bits(a->regs[o[1].id].type) != bits) {
    asm_visit(a, in, note_new, s);
    return;
  }
  const struct distance *d = distance(s, &o[1]);
  struct distance to = {s->block, o[1].id, s->version[o[1].id], (int64_t)o[2].u};
  if (d && within(to.by + d->by)) {
    to = (struct distance){s->block, d->base, d->version, to.by + d->by};
    o[1].id = d->base;
    o[2].u = (uint64_t)to.by;
  }
  asm_visit(a, in, note_new, s);
  s->from[o[0].id] = to;
}

static void fold_addresses(struct asm_fn *a) {
  struct addresses s = {.a = a};
  s.from = xcalloc(a->nregs + 1, sizeof *s.from), s.version = xcalloc(a->nregs + 1, sizeof *s.version);
  for (size_t b = 0; b < a->nblocks; b++) {
    s.block = (uint32_t)b + 1;
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      fold_address(&s, &a->blocks[b].v[i]);
      note_sum(&s, &a->blocks[b].v[i]);
    }
  }
  free(s.from), free(s.version);
}

/* What nobody reads. */
struct dead {
  const struct asm_fn *a;
  uint8_t *live;
  bool wanted;
};

static void ask(void *ctx, uint32_t r, enum asm_role role) {
  struct dead *d = ctx;
  d->wanted |= role != ASM_USE && d->live[r];
}

static void kill_written(void *ctx, uint32_t r, enum asm_role role) {
  if (role == ASM_DEF)
    ((struct dead *)ctx)->live[r] = 0;
}

static void revive_read(void *ctx, uint32_t r, enum asm_role role) {
  if (role != ASM_DEF)
    ((struct dead *)ctx)->live[r] = 1;
}

void asm_leave_dead(struct asm_fn *a) {
  struct asm_live v;
  asm_liveness(a, &v);
  struct dead d = {.a = a, .live = xcalloc(a->nregs + 1, 1)};
  for (size_t b = 0; b < a->nblocks; b++) {
    struct asm_block *k = &a->blocks[b];
    asm_live_at_end(a, &v, b, d.live);
    size_t to = k->n, left = 0;
    for (size_t i = k->n; i-- > 0;) {
      struct ptx_inst in = k->v[i];
      d.wanted = asm_kind(a, &in) != ASM_PURE && !asm_is_param(a, &in);
      asm_visit(a, &in, ask, &d);
      if (!d.wanted && !(a->order_shows && i == 0 && to == k->n)) { /* an empty block stands for nothing */
        left += 1u + in.more;
        continue;
      }
      asm_visit(a, &in, kill_written, &d);
      asm_visit(a, &in, revive_read, &d);
      k->v[--to] = in;
    }
    if (to)
      memmove(k->v, k->v + to, (k->n - to) * sizeof *k->v);
    k->n -= to;
    asm_account(k, left);
  }
  free(d.live);
  asm_live_free(&v);
}

void asm_fold(struct asm_fn *a) {
  fold_copies(a);
  join_sums(a);
  asm_leave_dead(a);
}

void asm_fold_unrolled(struct asm_fn *a) {
  fold_addresses(a);
  if (a->schedule == SCHEDULE_ASSEMBLER9)
    asm_join_sums(a), asm_select_by_predicates(a), asm_take_operands(a);
  asm_leave_dead(a);
}
