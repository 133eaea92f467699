/* Lowering: AST functions to uops. This file holds the walk over a function, operands and
 * constants; what each opcode becomes is in lower_alu.c, lower_mem.c and lower_ctrl.c. */
#include "front/ptx/lower.h"
#include "front/ptx/registers.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_FINDINGS = 64 };

bool lower_fail(struct lower *l, const char *fmt, ...) {
  if (l->failures++ >= MAX_FINDINGS)
    return false;
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return error_add(l->err, EXIT_USAGE, "%s:%u: %s: %s (in %s)", l->p->ast->path,
                   l->in ? l->in->line : l->ast->line,
                   l->in ? l->p->ast->mnemonics[l->in->mnemonic] : "function", text, l->ast->name);
}

unsigned mnem_find(const struct mnem *m, const char *s) {
  for (unsigned i = 1; i < m->ntok; i++)
    if (tok_is(m, i, s))
      return i;
  return 0;
}

enum ptx_type mnem_type(const struct mnem *m, unsigned from_end) {
  for (unsigned i = m->ntok; i-- > 1;) {
    enum ptx_type t = ptx_type_parse(m->tok[i].s, m->tok[i].n);
    if (t != PTX_NOTYPE && from_end-- == 0)
      return t;
  }
  return PTX_NOTYPE;
}

unsigned lane_bytes(enum ptx_type t) {
  unsigned bits = ptx_type_bits(t);
  return bits == 1 ? 0 : bits <= 16 ? 2 : bits / 8;
}

const struct ptx_operand *lower_op(const struct lower *l, unsigned i) {
  return i < l->in->nops ? &l->ast->ops[l->in->first_op + i] : NULL;
}

struct uop *lower_emit(struct lower *l, enum uop_kind kind) {
  struct uop *u = &VEC_PUSH(l->uops, l->nuops, l->capuops);
  *u = (struct uop){.kind = (uint8_t)kind,
                    .inst = l->in_index,
                    .guard = l->guard,
                    .target = PC_NONE,
                    .flags = (uint8_t)(l->guard_flags | (l->first ? UF_FIRST : 0)),
                    .d = SLOT_NONE,
                    .a = SLOT_NONE,
                    .b = SLOT_NONE,
                    .c = SLOT_NONE,
                    .e = SLOT_NONE};
  l->first = false;
  return u;
}

struct uop_ext *lower_ext(struct lower *l, struct uop *u) {
  struct uop_ext *x = arena_alloc(&l->p->arena, sizeof *x);
  x->id = l->p->nmemops++;
  for (int i = 0; i < UOP_MAX_REGS; i++)
    x->regs[i] = SLOT_NONE;
  return u->x = x;
}

slot_t lower_temp(struct lower *l, unsigned width) {
  VEC_PUSH(l->vwidth, l->nv, l->capv) = (uint8_t)width;
  return SLOT_MAKE(SLOT_REG, (uint32_t)l->nv - 1);
}

unsigned slot_width(const struct lower *l, slot_t s, unsigned otherwise) {
  return SLOT_AREA(s) == SLOT_REG ? l->vwidth[SLOT_OFFSET(s)] : otherwise;
}

static void fill_lanes(uint8_t *at, uint64_t v, unsigned width) {
  for (unsigned i = 0; i < 32; i++) {
    memset(at + i * width, 0, width);
    memcpy(at + i * width, &v, width < 8 ? width : 8);
  }
}

/* Constants live once per program, each a whole slot: value in every lane. */
slot_t lower_const(struct lower *l, uint64_t value, unsigned width) {
  struct program *p = l->p;
  if (width < 8 && width)
    value &= (UINT64_C(1) << width * 8) - 1;
  if (l->const_n * 2 >= l->const_cap) {
    size_t cap = l->const_cap ? l->const_cap * 2 : 256;
    uint32_t *index = xcalloc(cap, sizeof *index);
    for (size_t i = 0; i < l->const_cap; i++) {
      uint32_t at = l->const_index[i];
      if (!at)
        continue;
      const uint32_t *head = (const uint32_t *)(void *)(p->consts + at - 64);
      uint64_t v;
      memcpy(&v, head + 2, 8);
      size_t h = (v * UINT64_C(0x9e3779b97f4a7c15) ^ head[0]) >> 7 & (cap - 1);
      while (index[h])
        h = (h + 1) & (cap - 1);
      index[h] = at;
    }
    free(l->const_index);
    l->const_index = index;
    l->const_cap = cap;
  }
  size_t h = (value * UINT64_C(0x9e3779b97f4a7c15) ^ width) >> 7 & (l->const_cap - 1);
  for (; l->const_index[h]; h = (h + 1) & (l->const_cap - 1)) {
    const uint8_t *head = p->consts + l->const_index[h] - 64;
    uint32_t w;
    uint64_t v;
    memcpy(&w, head, 4);
    memcpy(&v, head + 8, 8);
    if (w == width && v == value)
      return SLOT_MAKE(SLOT_CONST, l->const_index[h]);
  }
  /* a 64-byte head (width, value) keeps the slot aligned */
  uint32_t bytes = 64 + (width ? 32 * width : 64);
  while (p->consts_bytes + bytes > l->consts_cap) {
    l->consts_cap = l->consts_cap ? l->consts_cap * 2 : 65536;
    uint8_t *grown = xaligned(l->consts_cap);
    if (p->consts)
      memcpy(grown, p->consts, p->consts_bytes);
    free(p->consts);
    p->consts = grown;
  }
  uint8_t *at = p->consts + p->consts_bytes;
  memset(at, 0, 64);
  memcpy(at, &(uint32_t){width}, 4);
  memcpy(at + 8, &value, 8);
  if (width) {
    fill_lanes(at + 64, value, width);
  } else {
    memset(at + 64, value & 1 ? 0xff : 0, 64);
  }
  l->const_index[h] = p->consts_bytes + 64;
  l->const_n++;
  p->consts_bytes += bytes;
  return SLOT_MAKE(SLOT_CONST, l->const_index[h]);
}

static slot_t launch_slot(struct lower *l, struct launch_const wanted) {
  struct func *f = l->f;
  uint32_t off = LAUNCH_FIRST;
  for (uint32_t i = 0; i < f->nlaunch_consts; i++) {
    const struct launch_const *k = &f->launch_consts[i];
    if (k->at == wanted.at && k->bytes == wanted.bytes && k->lane_bytes == wanted.lane_bytes &&
        k->is_signed == wanted.is_signed && k->size == wanted.size)
      return SLOT_MAKE(SLOT_LAUNCH, off);
    off += 32 * k->lane_bytes;
  }
  size_t n = f->nlaunch_consts;
  VEC_PUSH(f->launch_consts, n, l->launch_cap) = wanted;
  f->nlaunch_consts = (uint32_t)n;
  f->launch_bytes = off + 32 * wanted.lane_bytes;
  return SLOT_MAKE(SLOT_LAUNCH, off);
}

slot_t lower_launch_const(struct lower *l, uint32_t at, unsigned bytes, unsigned width, bool is_signed) {
  return launch_slot(
      l, (struct launch_const){.at = at, .bytes = bytes, .lane_bytes = width, .is_signed = is_signed});
}

slot_t lower_launch_size(struct lower *l, uint8_t size, uint32_t component) {
  return launch_slot(l, (struct launch_const){.at = component, .bytes = 4, .lane_bytes = 4, .size = size});
}

bool lower_alu(struct lower *l, const char *row, slot_t d, slot_t a, slot_t b, slot_t c) {
  struct ptx_op_match m;
  if (!ptx_op_resolve(row, &m))
    panic("no row '%s' in the operation table", row);
  struct uop *u = lower_emit(l, U_ALU);
  u->fn = m.op->fn;
  u->d = d, u->a = a, u->b = b, u->c = c;
  return true;
}

/* Brings a value of width `from` into a fresh slot of width `to`, by zero or sign extension or truncation. */
static slot_t change_width(struct lower *l, slot_t s, unsigned from, unsigned to, bool is_signed) {
  static const char *const rows[3][3][2] = {
      /* from 2 */ {{NULL, NULL}, {"zext.b32.b16", "sext.b32.b16"}, {"zext.b64.b16", "sext.b64.b16"}},
      /* from 4 */ {{"trunc.b16.b32", "trunc.b16.b32"}, {NULL, NULL}, {"zext.b64.b32", "sext.b64.b32"}},
      /* from 8 */ {{"trunc.b16.b64", "trunc.b16.b64"}, {"trunc.b32.b64", "trunc.b32.b64"}, {NULL, NULL}}};
  slot_t d = lower_temp(l, to);
  lower_alu(l,
            rows[from == 2   ? 0
                 : from == 4 ? 1
                             : 2][to == 2   ? 0
                                  : to == 4 ? 1
                                            : 2][is_signed],
            d, s, SLOT_NONE, SLOT_NONE);
  return d;
}

static unsigned sreg_width(enum ptx_sreg s) {
  return s == PTX_SREG_CLOCK64 || s == PTX_SREG_GLOBALTIMER || s == PTX_SREG_GRIDID || s == PTX_SREG_PM ||
                 s == PTX_SREG_CURRENT_GRAPH_EXEC
             ? 8
         : s == PTX_SREG_IS_EXPLICIT_CLUSTER ? 0
                                             : 4;
}

static slot_t lower_sreg(struct lower *l, const struct ptx_operand *o) {
  if (o->id == PTX_SREG_PM || o->id == PTX_SREG_CURRENT_GRAPH_EXEC) {
    lower_fail(l, "performance-monitor and graph registers are not supported");
    return SLOT_NONE;
  }
  unsigned width = sreg_width(o->id);
  struct uop *u = lower_emit(l, U_SREG);
  u->aux = (uint8_t)o->id;
  u->aux2 = o->comp;
  if (o->id == PTX_SREG_ENVREG && (o->comp == 1 || o->comp == 2))
    l->f->uses_workspace = true;
  if ((o->id >= PTX_SREG_RESERVED_SMEM_OFFSET_BEGIN && o->id <= PTX_SREG_RESERVED_SMEM_OFFSET_CAP) ||
      o->id == PTX_SREG_RESERVED_SMEM_OFFSET_0 || o->id == PTX_SREG_RESERVED_SMEM_OFFSET_1)
    l->f->uses_reserved_shared = true;
  if (o->id >= PTX_SREG_CLOCK && o->id <= PTX_SREG_GLOBALTIMER_HI)
    l->f->insts[l->in_index].flags |= SLUICE_IF_CLOCK;
  slot_t d = lower_temp(l, width);
  l->uops[l->nuops - 1].d = d;
  return d;
}

bool lower_symbol(struct lower *l, const struct ptx_operand *o, uint64_t *value, enum ptx_space *space,
                  enum symbol_base *rel) {
  const struct ptx_symbol *s = &l->ast->syms[o->id];
  *rel = SYMBOL_ABSOLUTE;
  switch (s->kind) {
  case PTX_SYM_VAR: {
    const struct ptx_var *v = &l->p->ast->vars[s->index];
    *space = v->space;
    if (v->space == PTX_SHARED && v->unsized) {
      *rel = SYMBOL_DYNAMIC;
      *value = o->u;
      return true;
    }
    if (v->is_extern)
      return lower_fail(l, "'%s' is declared extern and defined nowhere", v->name);
    *value = l->p->var_addr[s->index] + o->u;
    return true;
  }
  case PTX_SYM_LOCALVAR: {
    const struct ptx_var *v = &l->ast->vars[s->index];
    *space = v->space;
    *value = l->f->var_at[s->index] + o->u;
    if (v->space == PTX_LOCAL || v->space == PTX_PARAM)
      *rel = SYMBOL_FRAME;
    if (v->space == PTX_SHARED && v->unsized)
      *rel = SYMBOL_DYNAMIC, *value = o->u;
    return true;
  }
  case PTX_SYM_PARAM:
    *space = PTX_PARAM;
    *value = l->f->param_at[s->index] + o->u;
    if (!l->ast->is_entry)
      *rel = SYMBOL_FRAME;
    return true;
  case PTX_SYM_RET:
    *space = PTX_PARAM;
    *value = l->f->ret_at[s->index] + o->u;
    *rel = SYMBOL_FRAME;
    return true;
  default:
    return lower_fail(l, "the address of function '%s' is taken: indirect calls are not supported",
                      l->p->ast->funcs[s->index].name);
  }
}

slot_t lower_src_any(struct lower *l, const struct ptx_operand *o, unsigned want, unsigned *width) {
  *width = want;
  if (!o) {
    lower_fail(l, "an operand is missing");
    return SLOT_NONE;
  }
  switch (o->kind) {
  case PTX_OP_REG:
    if (l->ast->regs[o->id].vec > 1 || o->comp) {
      lower_fail(l, "vector registers and parts of registers are not supported here");
      return SLOT_NONE;
    }
    *width = l->vwidth[o->id];
    if (o->neg && *width == 0) {
      slot_t d = lower_temp(l, 0);
      lower_alu(l, "not.pred", d, SLOT_MAKE(SLOT_REG, o->id), SLOT_NONE, SLOT_NONE);
      return d;
    }
    if (o->neg) {
      lower_fail(l, "a minus sign before a register is not allowed");
      return SLOT_NONE;
    }
    return SLOT_MAKE(SLOT_REG, o->id);
  case PTX_OP_INT:
    if (o->comp) { /* WARP_SZ: the width is a property of the launch */
      struct uop *u = lower_emit(l, U_SREG);
      u->aux = PTX_NSREGS;
      slot_t d = lower_temp(l, 4);
      l->uops[l->nuops - 1].d = d;
      *width = 4;
      return d;
    }
    return lower_const(l, o->u, want);
  case PTX_OP_F32:
    return lower_const(l, o->u, want ? want : 4);
  case PTX_OP_F64:
    return lower_const(l, o->u, want ? want : 8);
  case PTX_OP_SREG: {
    slot_t s = lower_sreg(l, o);
    *width = sreg_width(o->id);
    return s;
  }
  case PTX_OP_SYM: {
    uint64_t v;
    enum ptx_space space;
    enum symbol_base rel;
    if (!lower_symbol(l, o, &v, &space, &rel))
      return SLOT_NONE;
    if (rel == SYMBOL_ABSOLUTE)
      return lower_const(l, v, want);
    if (rel == SYMBOL_DYNAMIC) {
      *width = 8;
      if (!v)
        return LAUNCH_DYNAMIC_SHARED;
      slot_t d = lower_temp(l, 8);
      lower_alu(l, "add.s64", d, LAUNCH_DYNAMIC_SHARED, lower_const(l, v, 8), SLOT_NONE);
      return d;
    }
    struct uop *u = lower_emit(l, U_LEA_LOCAL);
    lower_ext(l, u)->imm = (int64_t)v;
    slot_t d = lower_temp(l, 8);
    l->uops[l->nuops - 1].d = d;
    *width = 8;
    return d;
  }
  default:
    lower_fail(l, "this kind of operand is not allowed here");
    return SLOT_NONE;
  }
}

/* `%r.b2`, `%r.h1` of the video instructions: that part, extended as the operand's type says. */
static slot_t lower_part(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  unsigned bits = o->comp == 'b' ? 8 : 16, width;
  if ((o->comp != 'b' && o->comp != 'h') || o->n != 1 || o->u * bits >= 32 ||
      l->p->ast->mnemonics[l->in->mnemonic][0] != 'v') {
    lower_fail(l, "this selection of parts of a register is not supported");
    return SLOT_NONE;
  }
  struct ptx_operand whole = *o;
  whole.comp = 0;
  slot_t a = lower_src_any(l, &whole, 4, &width);
  if (a == SLOT_NONE)
    return a;
  if (width != 4) {
    lower_fail(l, "parts are taken of 32-bit registers");
    return SLOT_NONE;
  }
  slot_t d = lower_temp(l, 4);
  lower_alu(l, ptx_type_kind(t) == 's' ? "bfe.s32" : "bfe.u32", d, a, lower_const(l, o->u * bits, 4),
            lower_const(l, bits, 4));
  return d;
}

/* A register with a sign, as an amount, or extended with zeros. */
static slot_t lower_changed(struct lower *l, const struct ptx_operand *o) {
  static const char *const rows[PTX_NCHANGES] = {[PTX_NEG_F32] = "neg.f32",
                                                 [PTX_ABS_F32] = "abs.f32",
                                                 [PTX_NEG_F64] = "neg.f64",
                                                 [PTX_ABS_F64] = "abs.f64",
                                                 [PTX_NEG_F16X2] = "neg.f16x2",
                                                 [PTX_EXTENDED] = "zext.b64.b32",
                                                 [PTX_SIGN_EXTENDED] = "sext.b64.b32",
                                                 [PTX_LOWER_HALF] = "lower.b64",
                                                 [PTX_UPPER_HALF] = "upper.b64"};
  slot_t d = lower_temp(l, o->change >= PTX_EXTENDED ? 8 : l->vwidth[o->id]);
  lower_alu(l, rows[o->change], d, SLOT_MAKE(SLOT_REG, o->id), SLOT_NONE, SLOT_NONE);
  return d;
}

slot_t lower_src(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  unsigned want = lane_bytes(t), width;
  if (o && o->kind == PTX_OP_REG && o->change)
    return lower_changed(l, o);
  if (o && o->kind == PTX_OP_REG && o->comp)
    return lower_part(l, o, t);
  if (o && (o->kind == PTX_OP_F64 || o->kind == PTX_OP_F32)) {
    uint64_t bits = o->u;
    if (o->kind == PTX_OP_F64 && want == 4) { /* a decimal or 0d literal in an f32 place */
      double d;
      memcpy(&d, &bits, 8);
      float f = (float)d;
      uint32_t u;
      memcpy(&u, &f, 4);
      bits = u;
    } else if (o->kind == PTX_OP_F32 && want == 8) {
      float f;
      uint32_t u = (uint32_t)bits;
      memcpy(&f, &u, 4);
      double d = f;
      memcpy(&bits, &d, 8);
    } else if (want == 2) {
      lower_fail(l, "a floating-point literal cannot be a 16-bit operand");
      return SLOT_NONE;
    }
    return lower_const(l, bits, want);
  }
  slot_t s = lower_src_any(l, o, want, &width);
  if (s == SLOT_NONE || width == want)
    return s;
  if (want == 0 || width == 0) {
    lower_fail(l, "a predicate and a number are mixed up");
    return SLOT_NONE;
  }
  if (width > 8 || want > 8) {
    lower_fail(l, "a 128-bit register is not allowed here");
    return SLOT_NONE;
  }
  if (width < want && o->kind != PTX_OP_SREG) {
    lower_fail(l, "a %u-bit register where %s is wanted", width * 8, ptx_type_name(t));
    return SLOT_NONE;
  }
  return change_width(l, s, width, want, false);
}

slot_t lower_dst(struct lower *l, const struct ptx_operand *o, unsigned want, unsigned *width) {
  *width = want;
  if (!o) {
    lower_fail(l, "a destination is missing");
    return SLOT_NONE;
  }
  if (o->kind == PTX_OP_SINK)
    return lower_temp(l, want);
  if (o->kind != PTX_OP_REG || o->neg || o->comp || l->ast->regs[o->id].vec > 1) {
    lower_fail(l, "the destination must be a register");
    return SLOT_NONE;
  }
  *width = l->vwidth[o->id];
  return SLOT_MAKE(SLOT_REG, o->id);
}

uint32_t lower_label_inst(const struct lower *l, uint32_t label) {
  return l->ast->labels[label].pos;
}

void lower_take_apart(struct lower *l, struct mnem *m, const char *text) {
  *m = (struct mnem){.text = text};
  const char *s = text;
  while (*s && m->ntok < MNEM_TOKENS) {
    const char *e = s;
    while (*e && *e != '.')
      e++;
    m->tok[m->ntok].s = s;
    m->tok[m->ntok++].n = (uint8_t)(e - s > 255 ? 255 : e - s);
    s = *e ? e + 1 : e;
  }
  lower_mnem(l, m);
}

void lower_begin_block(struct lower *l) {
  struct block *b = &VEC_PUSH(l->blocks, l->nblocks, l->capblocks);
  *b = (struct block){.first = (uint32_t)l->nuops,
                      .end = (uint32_t)l->nuops,
                      .func = l->func_index,
                      .rpc = PC_NONE,
                      .next = PC_NONE,
                      .then = PC_NONE,
                      .first_inst = l->in_index};
}

static void end_block(struct lower *l, uint32_t first_block) {
  if (l->nblocks == first_block)
    return;
  struct block *b = &l->blocks[l->nblocks - 1];
  if (b->end != b->first)
    return;
  b->end = (uint32_t)l->nuops;
}

static bool ends_block(enum uop_kind k) {
  return k >= U_BRA;
}

/* Where the AST's blocks begin. */
static uint8_t *find_leaders(struct lower *l) {
  const struct ptx_func *a = l->ast;
  uint8_t *leader = xcalloc(a->ninsts + 1, 1);
  leader[0] = 1;
  for (uint32_t i = 0; i < a->nlabels; i++)
    if (a->labels[i].pos != PTX_NONE && a->labels[i].pos <= a->ninsts)
      leader[a->labels[i].pos] = 1;
  for (uint32_t i = 0; i < a->ninsts; i++) {
    const struct mnem *m = &l->mnems[a->insts[i].mnemonic];
    if (m->leader)
      leader[i] = 1;
    if (m->terminator)
      leader[i + 1] = 1;
  }
  return leader;
}

static bool lower_inst(struct lower *l, uint32_t i) {
  const struct ptx_inst *in = &l->ast->insts[i];
  const struct mnem *m = &l->mnems[in->mnemonic];
  l->in = in;
  l->in_index = i;
  l->first = true;
  l->guard = SLOT_NONE;
  l->guard_flags = 0;
  if (!m->fn) { /* reported once per opcode, by program.c */
    l->failures++;
    return false;
  }
  if (in->guard != PTX_NONE) {
    if (l->vwidth[in->guard] != 0)
      return lower_fail(l, "the guard is not a predicate");
    l->guard = SLOT_MAKE(SLOT_REG, in->guard);
    l->guard_flags = (uint8_t)(UF_GUARD | (in->guard_neg ? UF_GUARD_NEG : 0));
  }
  return m->fn(l, in, m);
}

static void describe_inst(struct lower *l, uint32_t i, size_t first_uop) {
  struct sluice_inst *s = &l->f->insts[i];
  const struct ptx_inst *in = &l->ast->insts[i];
  s->line = in->line;
  s->source_line = in->loc == PTX_NONE ? 0 : l->ast->locs[in->loc].line;
  for (size_t u = first_uop; u < l->nuops; u++)
    if (l->uops[u].kind == U_BAR)
      s->flags |= SLUICE_IF_BARRIER;
  /* a guarded barrier is a branch around an unguarded one */
  if (in->guard != PTX_NONE && !(s->flags & SLUICE_IF_BARRIER))
    s->flags |= SLUICE_IF_GUARD;
}

bool lower_function(struct lower *l) {
  const struct ptx_func *a = l->ast;
  struct func *f = l->f;
  uint32_t first_block = (uint32_t)l->nblocks;
  size_t first_uop = l->nuops;
  int failures = l->failures;
  l->nv = 0;
  l->cc = PTX_NONE;
  for (uint32_t i = 0; i < a->nregs; i++) {
    if (a->regs[i].type == PTX_B128)
      f->registers = 0;
    VEC_PUSH(l->vwidth, l->nv, l->capv) = (uint8_t)lane_bytes(a->regs[i].type);
  }
  f->insts = arena_alloc(&l->p->arena, (a->ninsts + 1) * sizeof *f->insts);
  uint8_t *leader = find_leaders(l);
  l->inst_block = xmalloc((a->ninsts + 1) * sizeof *l->inst_block);
  for (uint32_t i = 0; i < a->ninsts; i++) {
    if (leader[i] ||
        (l->nuops > first_uop && l->nblocks > first_block && ends_block(l->uops[l->nuops - 1].kind))) {
      end_block(l, first_block);
      l->in_index = i;
      lower_begin_block(l);
    }
    l->inst_block[i] = (uint32_t)l->nblocks - 1;
    size_t before = l->nuops;
    lower_inst(l, i);
    l->in = NULL;
    describe_inst(l, i, before);
    if (l->nuops == before && l->failures == failures)
      panic("instruction of line %u made no uop", a->insts[i].line);
  }
  /* falling off the end returns */
  l->in_index = a->ninsts;
  if (leader[a->ninsts] || l->nuops == first_uop || !ends_block(l->uops[l->nuops - 1].kind) ||
      (l->uops[l->nuops - 1].flags & UF_GUARD)) {
    end_block(l, first_block);
    lower_begin_block(l);
  }
  l->inst_block[a->ninsts] = (uint32_t)l->nblocks - 1;
  struct block *last = &l->blocks[l->nblocks - 1];
  if (last->first == l->nuops) {
    l->guard = SLOT_NONE;
    l->guard_flags = 0;
    l->first = false;
    lower_emit(l, U_RET);
    f->insts[a->ninsts] = (struct sluice_inst){.klass = SLUICE_RETURN, .unit = PTX_UNIT_CTRL};
  }
  end_block(l, first_block);
  free(leader);
  if (l->failures == failures) {
    f->entry = first_block;
    f->has_body = true;
    cfg_analyse(l, first_block);
    l->pressure[l->func_index] = registers_pressure(l, first_block);
    predicates_mark(l, first_block);
    slots_describe(l, first_block);
    slots_assign(l, first_block);
    quick_mark(l, first_block);
    cfg_find_then(l, first_block);
  }
  free(l->inst_block);
  l->inst_block = NULL;
  return l->failures == failures;
}

void lower_prepare_mnems(struct lower *l) {
  const struct ptx_module *m = l->p->ast;
  l->mnems = xcalloc(m->nmnemonics + 1, sizeof *l->mnems);
  for (uint32_t i = 0; i < m->nmnemonics; i++)
    lower_take_apart(l, &l->mnems[i], m->mnemonics[i]);
}
