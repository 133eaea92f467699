/* Puts values of 8 and 16 bits into registers of 32 bits, as machine code of compute capability 9 does.
 *
 *   ld.u8 s, [p]; and.b16 t, s, 15; cvt.u32.u16 r, t        ld.u8 s, [p]; and.b32 t, s, 15; mov.b32 r, t
 *   cvt.u16.u32 s, r; st.u8 [p], s                          st.u8 [p], r
 *
 * A register of 16 bits becomes a register of 32 bits if a single instruction writes it, with a value that is known not to be negative, and
 * if the instructions that read it have a form for 32 bits. */
#include "base/mem.h"
#include "front/ptx/assemble/asm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct narrow {
  struct asm_fn *a;
  uint32_t *writes; /* by register */
  uint32_t *most;   /* by register: the largest value it can have */
  bool *wide;       /* by register: may become a register of 32 bits */
  bool changed;
};

enum { UNKNOWN = 0xffff };

static bool is_half(const struct narrow *n, uint32_t r) {
  return n->a->regs[r].vec <= 1 && n->a->regs[r].type != PTX_PRED && ptx_type_bits(n->a->regs[r].type) == 16;
}

static bool is_reg(const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && !o->neg && !o->comp;
}

/* The largest value of a source, a register of 16 bits or an immediate; false: the value is not known to be unsigned. */
static bool largest(const struct narrow *n, const struct ptx_operand *o, uint32_t *most) {
  if (o->kind == PTX_OP_INT) {
    *most = (uint32_t)o->u;
    return !o->comp && o->u < UNKNOWN;
  }
  if (!is_reg(o) || !is_half(n, o->id) || !n->wide[o->id])
    return false;
  *most = n->most[o->id];
  return true;
}

static uint32_t all_bits(uint32_t v) {
  for (unsigned i = 1; i < 16; i *= 2)
    v |= v >> i;
  return v;
}

enum narrow_kind {
  NARROW_NOT,
  NARROW_LOAD,
  NARROW_LOGIC,
  NARROW_ADD,
  NARROW_SHIFT,
  NARROW_COMPARE,
  NARROW_WIDEN,
  NARROW_FLOAT,
  NARROW_STORE
};

static bool is_type(const struct mnem *m, unsigned i, const char *a, const char *b, const char *c) {
  return tok_is(m, i, a) || tok_is(m, i, b) || tok_is(m, i, c);
}

static enum narrow_kind kind_of(const struct narrow *n, const struct ptx_inst *in) {
  const struct mnem *m = &n->a->mnems->mnems[in->mnemonic];
  unsigned last = m->ntok - 1u;
  if (m->ntok < 2 || in->nops < 2)
    return NARROW_NOT;
  if (m->fn == lower_op_ld && in->nops == 2 &&
      (is_type(m, last, "u8", "u16", "b8") || tok_is(m, last, "b16")))
    return mnem_has(m, "v2") || mnem_has(m, "v4") ? NARROW_NOT : NARROW_LOAD;
  if (m->fn == lower_op_st && in->nops == 2 &&
      (is_type(m, last, "u8", "u16", "b8") || is_type(m, last, "b16", "s8", "s16")))
    return mnem_has(m, "v2") || mnem_has(m, "v4") ? NARROW_NOT : NARROW_STORE;
  if (m->ntok == 2 && in->nops == 3 && (tok_is(m, 0, "and") || tok_is(m, 0, "or") || tok_is(m, 0, "xor")) &&
      tok_is(m, 1, "b16"))
    return NARROW_LOGIC;
  if (m->ntok == 2 && in->nops == 3 && tok_is(m, 0, "add") && (tok_is(m, 1, "s16") || tok_is(m, 1, "u16")))
    return NARROW_ADD;
  if (m->ntok == 2 && in->nops == 3 && tok_is(m, 0, "shr") && is_type(m, 1, "u16", "b16", "s16"))
    return NARROW_SHIFT;
  if (m->ntok == 3 && in->nops == 3 && tok_is(m, 0, "setp") && is_type(m, 2, "u16", "b16", "s16"))
    return NARROW_COMPARE;
  if (m->ntok == 3 && in->nops == 2 && tok_is(m, 0, "cvt") && tok_is(m, 2, "u16") &&
      (tok_is(m, 1, "u32") || tok_is(m, 1, "s32")))
    return NARROW_WIDEN;
  if (m->ntok == 4 && in->nops == 2 && tok_is(m, 0, "cvt") && tok_is(m, 1, "rn") && tok_is(m, 2, "f32") &&
      tok_is(m, 3, "u16"))
    return NARROW_FLOAT;
  return NARROW_NOT;
}

/* The largest value that an instruction can write; false: the value may be negative, or may not fit. */
static bool value_of(const struct narrow *n, const struct ptx_inst *in, enum narrow_kind kind,
                     uint32_t *most) {
  const struct mnem *m = &n->a->mnems->mnems[in->mnemonic];
  const struct ptx_operand *o = &n->a->ops[in->first_op];
  uint32_t x = UNKNOWN, y = UNKNOWN;
  switch (kind) {
  case NARROW_LOAD:
    *most = tok_is(m, m->ntok - 1u, "u8") || tok_is(m, m->ntok - 1u, "b8") ? 0xff : 0xffff;
    return true;
  case NARROW_LOGIC:
    if (!largest(n, &o[1], &x) || !largest(n, &o[2], &y))
      return false;
    *most = tok_is(m, 0, "and") ? (x < y ? x : y) : all_bits(x | y);
    return true;
  case NARROW_ADD:
    *most = largest(n, &o[1], &x) && largest(n, &o[2], &y) ? x + y : UNKNOWN + 1;
    return *most <= UNKNOWN;
  case NARROW_SHIFT:
    if (!largest(n, &o[1], &x) || o[2].kind != PTX_OP_INT || o[2].u > 15 ||
        (tok_is(m, 1, "s16") && x > 0x7fff))
      return false;
    *most = x >> o[2].u;
    return true;
  default:
    return false;
  }
}

/* Can an instruction that reads registers of 16 bits read registers of 32 bits instead? */
static bool reads_wide(const struct narrow *n, const struct ptx_inst *in, enum narrow_kind kind) {
  const struct mnem *m = &n->a->mnems->mnems[in->mnemonic];
  const struct ptx_operand *o = &n->a->ops[in->first_op];
  uint32_t x = 0, y = 0;
  switch (kind) {
  case NARROW_LOGIC:
  case NARROW_ADD:
  case NARROW_SHIFT:
    return is_reg(&o[0]) && n->wide[o[0].id];
  case NARROW_COMPARE:
    return largest(n, &o[1], &x) && largest(n, &o[2], &y) &&
           (!tok_is(m, 2, "s16") || (x <= 0x7fff && y <= 0x7fff));
  case NARROW_WIDEN:
  case NARROW_FLOAT:
  case NARROW_STORE:
    return true;
  default:
    return false;
  }
}

struct use {
  struct narrow *n;
  const struct ptx_inst *in;
  enum narrow_kind kind;
};

static void count(void *ctx, uint32_t r, enum asm_role role) {
  struct narrow *n = ctx;
  n->writes[r] += role != ASM_USE;
}

/* Excludes a register from becoming 32 bits wide if an instruction writes an unknown value to it or cannot read it in 32 bits. */
static void check(void *ctx, uint32_t r, enum asm_role role) {
  struct use *u = ctx;
  struct narrow *n = u->n;
  uint32_t most;
  if (!n->wide[r] || !is_half(n, r))
    return;
  bool fits = role == ASM_USE   ? reads_wide(n, u->in, u->kind)
              : role == ASM_DEF ? u->in->guard == PTX_NONE && value_of(n, u->in, u->kind, &most)
                                : false;
  if (fits && role == ASM_DEF && most < n->most[r]) {
    n->most[r] = most;
    n->changed = true;
  }
  n->changed |= !fits;
  n->wide[r] = fits;
}

static void find(struct narrow *n) {
  struct asm_fn *a = n->a;
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count, n);
  for (size_t r = 0; r < a->nregs; r++)
    n->wide[r] = is_half(n, (uint32_t)r) && n->writes[r] == 1, n->most[r] = UNKNOWN;
  /* values follow the text, and what reads them goes against it: in turn, so that chains take few passes */
  n->changed = true;
  for (bool back = false; n->changed; back = !back) {
    n->changed = false;
    for (size_t b = 0; b < a->nblocks; b++) {
      const struct asm_block *k = &a->blocks[back ? a->nblocks - 1 - b : b];
      for (size_t i = 0; i < k->n; i++) {
        const struct ptx_inst *in = &k->v[back ? k->n - 1 - i : i];
        struct use u = {n, in, kind_of(n, in)};
        asm_visit(a, in, check, &u);
      }
    }
  }
}

static bool touches(const struct narrow *n, const struct ptx_inst *in) {
  for (unsigned i = 0; i < in->nops; i++) {
    const struct ptx_operand *o = &n->a->ops[in->first_op + i];
    if (o->kind == PTX_OP_REG && n->wide[o->id])
      return true;
  }
  return false;
}

static void rename_as(struct narrow *n, struct ptx_inst *in, const char *name) {
  in->mnemonic = asm_mnemonic(n->a, name);
}

static void rewrite(struct narrow *n, struct ptx_inst *in) {
  char name[64];
  const struct mnem *m = &n->a->mnems->mnems[in->mnemonic];
  enum narrow_kind kind = kind_of(n, in);
  if (!touches(n, in))
    return;
  if (kind == NARROW_LOGIC)
    rename_as(n, in, tok_is(m, 0, "and") ? "and.b32" : tok_is(m, 0, "or") ? "or.b32" : "xor.b32");
  else if (kind == NARROW_ADD)
    rename_as(n, in, "add.s32");
  else if (kind == NARROW_SHIFT)
    rename_as(n, in, "shr.u32");
  else if (kind == NARROW_WIDEN)
    rename_as(n, in, "mov.b32");
  else if (kind == NARROW_FLOAT)
    rename_as(n, in, "cvt.rn.f32.u32");
  else if (kind == NARROW_COMPARE &&
           snprintf(name, sizeof name, "setp.%.*s.%s", (int)m->tok[1].n, m->tok[1].s,
                    tok_is(m, 2, "b16") ? "b32" : "u32") < (int)sizeof name)
    rename_as(n, in, name);
}

/* A store of a register that a conversion narrowed stores the low bits of the wide register instead. */
static void store_wide(struct narrow *n, struct asm_block *k, size_t at) {
  struct ptx_inst *in = &k->v[at];
  struct ptx_operand *o = &n->a->ops[in->first_op];
  if (kind_of(n, in) != NARROW_STORE || !is_reg(&o[1]) || n->wide[o[1].id] || n->writes[o[1].id] != 1)
    return;
  for (size_t i = at; i--;) {
    const struct ptx_inst *d = &k->v[i];
    const struct ptx_operand *s = &n->a->ops[d->first_op];
    const struct mnem *m = &n->a->mnems->mnems[d->mnemonic];
    if (d->nops != 2 || s[0].kind != PTX_OP_REG || s[0].id != o[1].id)
      continue;
    if (d->guard == PTX_NONE && m->ntok == 3 && tok_is(m, 0, "cvt") && tok_is(m, 1, "u16") &&
        tok_is(m, 2, "u32") && is_reg(&s[1]) && n->writes[s[1].id] == 1)
      o[1].id = s[1].id;
    return;
  }
}

void asm_widen(struct asm_fn *a) {
  struct narrow n = {.a = a};
  size_t regs = a->nregs + 1;
  n.writes = xcalloc(regs, sizeof *n.writes), n.most = xcalloc(regs, sizeof *n.most),
  n.wide = xcalloc(regs, 1);
  find(&n);
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      rewrite(&n, &a->blocks[b].v[i]);
      store_wide(&n, &a->blocks[b], i);
    }
  for (size_t r = 0; r < a->nregs; r++)
    if (n.wide[r])
      a->regs[r].type = PTX_B32;
  free(n.writes), free(n.most), free(n.wide);
}
