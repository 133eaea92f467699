/* Which file lowers which opcode, and the lane-wise ones themselves. */
#include "front/ptx/lower.h"
#include <stdio.h>
#include <string.h>

/* base opcode, who lowers it, modifiers it may carry besides types ("*": checked there), block role */
enum { ROLE_PLAIN, ROLE_LEADER, ROLE_END };
#define SCOPES "cta cluster gpu sys "
#define CACHE                                                                                                \
  "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::evict_normal "    \
  "L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B L2::256B "
#define SPACES "global local shared shared::cta shared::cluster const param param::entry param::func "
static const struct base_row {
  const char *base;
  lower_fn *fn;
  const char *mods;
  int role;
} bases[] = {
    {"mov", lower_op_mov, "", ROLE_PLAIN},
    {"lop3", lower_op_lop3, "and or", ROLE_PLAIN},
    {"ld", lower_op_ld,
     "weak volatile relaxed acquire mmio unified ca cg cs lu cv nc v2 v4 v8 " SCOPES SPACES CACHE,
     ROLE_PLAIN},
    {"ldu", lower_op_ld, "v2 v4 global", ROLE_PLAIN},
    {"st", lower_op_st, "weak volatile relaxed release mmio wb cg cs wt v2 v4 v8 " SCOPES SPACES CACHE,
     ROLE_PLAIN},
    {"atom", lower_op_atom,
     "relaxed acquire release acq_rel add min max and or xor exch cas inc dec noftz v2 v4 v8 L2::cache_hint "
     "global shared shared::cta shared::cluster " SCOPES,
     ROLE_PLAIN},
    {"red", lower_op_atom,
     "relaxed release add min max and or xor inc dec noftz v2 v4 v8 L2::cache_hint global shared shared::cta "
     "shared::cluster " SCOPES,
     ROLE_PLAIN},
    {"cp", lower_op_cpasync,
     "async ca cg shared shared::cta global L2::cache_hint L2::64B L2::128B L2::256B commit_group wait_group "
     "wait_all "
     "mbarrier arrive noinc",
     ROLE_PLAIN},
    {"mbarrier", lower_op_mbarrier,
     "init inval expect_tx complete_tx arrive arrive_drop noComplete test_wait try_wait parity pending_count "
     "release acquire relaxed shared shared::cta shared::cluster " SCOPES,
     ROLE_PLAIN},
    {"mapa", lower_op_mapa, "shared::cluster", ROLE_PLAIN},
    {"getctarank", lower_op_mapa, "shared::cluster", ROLE_PLAIN},
    {"prefetch", lower_op_prefetch, "global local L1 L2 L2::evict_last L2::evict_normal const param",
     ROLE_PLAIN},
    {"prefetchu", lower_op_prefetch, "L1", ROLE_PLAIN},
    {"tex", lower_op_texture, "base level grad 1d 2d 3d a1d a2d v4", ROLE_PLAIN},
    {"tld4", lower_op_texture, "r g b a 2d a2d v4", ROLE_PLAIN},
    {"suld", lower_op_surface, "b ca cg cs cv 1d 2d 3d a1d a2d v2 v4 trap clamp zero", ROLE_PLAIN},
    {"sust", lower_op_surface, "b p wb cg cs wt 1d 2d 3d a1d a2d v2 v4 trap clamp zero", ROLE_PLAIN},
    {"txq", lower_op_query,
     "width height depth channel_data_type channel_order normalized_coords array_size num_mipmap_levels "
     "num_samples "
     "filter_mode addr_mode_0 addr_mode_1 addr_mode_2",
     ROLE_PLAIN},
    {"suq", lower_op_query, "width height depth channel_data_type channel_order array_size memory_layout",
     ROLE_PLAIN},
    {"discard", lower_op_nop, "global L2", ROLE_PLAIN},
    {"applypriority", lower_op_nop, "global L2::evict_normal", ROLE_PLAIN},
    {"nanosleep", lower_op_nop, "", ROLE_PLAIN},
    {"pmevent", lower_op_nop, "mask", ROLE_PLAIN},
    {"griddepcontrol", lower_op_nop, "launch_dependents wait", ROLE_PLAIN},
    {"membar", lower_op_fence, "cta gl sys", ROLE_PLAIN},
    {"fence", lower_op_fence,
     "sc acq_rel acquire release proxy alias async mbarrier_init global shared::cta shared::cluster " SCOPES,
     ROLE_PLAIN},
    {"cvta", lower_op_cvta, "to global local shared shared::cta shared::cluster const param param::entry",
     ROLE_PLAIN},
    {"isspacep", lower_op_isspacep,
     "global local shared shared::cta shared::cluster const param param::entry", ROLE_PLAIN},
    {"bra", lower_op_bra, "uni", ROLE_END},
    {"brx", lower_op_brx, "idx uni", ROLE_END},
    {"call", lower_op_call, "uni", ROLE_END},
    {"ret", lower_op_ret, "uni", ROLE_END},
    {"exit", lower_op_exit, "", ROLE_END},
    {"trap", lower_op_trap, "", ROLE_END},
    {"brkpt", lower_op_trap, "", ROLE_END},
    {"bar", lower_op_bar, "sync arrive red popc and or cta aligned warp", ROLE_END},
    {"barrier", lower_op_bar, "sync arrive red popc and or cta aligned cluster wait release acquire relaxed",
     ROLE_END},
    {"shfl", lower_op_shfl, "sync up down bfly idx", ROLE_LEADER},
    {"vote", lower_op_vote, "sync all any uni ballot", ROLE_LEADER},
    {"match", lower_op_match, "any all sync", ROLE_LEADER},
    {"redux", lower_op_redux, "sync add min max and or xor", ROLE_LEADER},
    {"elect", lower_op_elect, "sync", ROLE_LEADER},
    {"mma", lower_op_mma,
     "sync aligned row col satfinite xor and popc tf32 s4 u4 b1 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 "
     "m16n8k128 "
     "m16n8k256 m8n8k4 m8n8k16 m8n8k32 m8n8k128",
     ROLE_LEADER},
    {"ldmatrix", lower_op_ldmatrix, "sync aligned m8n8 x1 x2 x4 trans shared shared::cta", ROLE_LEADER},
    {"activemask", lower_op_activemask, "", ROLE_PLAIN},
};

size_t ptx_bases(void) {
  return sizeof bases / sizeof *bases;
}

const char *ptx_base(size_t i, const char **mods) {
  *mods = bases[i].mods;
  return bases[i].base;
}

static bool in_list(const char *list, const char *s, size_t n) {
  for (const char *p = list; *p;) {
    const char *e = strchr(p, ' ');
    size_t k = e ? (size_t)(e - p) : strlen(p);
    if (k == n && !memcmp(p, s, n))
      return true;
    p += k + (e != NULL);
  }
  return false;
}

/* Assemblers take modifiers in any order (`lg2.approx.f32.ftz`); the rows have them in the ISA's. */
static bool resolve_any_order(struct mnem *m) {
  static const char order[] =
      "lo hi wide rn rz rm rp rni rzi rmi rpi approx full l r clamp wrap shiftamt eq ne lt le gt ge lo ls hi "
      "hs equ neu "
      "ltu leu gtu geu num nan and or xor ftz cc sat relu satfinite noftz NaN xorsign abs";
  char text[128];
  size_t at = (size_t)snprintf(text, sizeof text, "%.*s", m->tok[0].n, m->tok[0].s);
  bool used[MNEM_TOKENS] = {true};
  for (const char *w = order; *w; w += strspn(w, " ")) {
    size_t n = strcspn(w, " ");
    for (unsigned k = 1; k < m->ntok && at < sizeof text; k++)
      if (!used[k] && m->tok[k].n == n && !memcmp(m->tok[k].s, w, n)) {
        at += (size_t)snprintf(text + at, sizeof text - at, ".%.*s", (int)n, w);
        used[k] = true;
      }
    w += n;
  }
  for (int types = 0; types < 2; types++)
    for (unsigned k = 1; k < m->ntok && at < sizeof text; k++)
      if (!used[k] && (ptx_type_parse(m->tok[k].s, m->tok[k].n) != PTX_NOTYPE) == types)
        at += (size_t)snprintf(text + at, sizeof text - at, ".%.*s", m->tok[k].n, m->tok[k].s);
  return at < sizeof text && ptx_op_resolve(text, &m->op);
}

void lower_mnem(struct lower *l, struct mnem *m) {
  (void)l;
  if (tok_is(m, 0, "setlop3")) { /* no PTX: of the assembler */
    m->fn = lower_op_lop3;
    return;
  }
  for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
    if (!tok_is(m, 0, bases[i].base))
      continue;
    for (unsigned k = 1; k < m->ntok; k++)
      if (ptx_type_parse(m->tok[k].s, m->tok[k].n) == PTX_NOTYPE &&
          !in_list(bases[i].mods, m->tok[k].s, m->tok[k].n))
        return;
    bool warpsync = tok_is(m, 0, "bar") && mnem_has(m, "warp");
    bool cluster = tok_is(m, 0, "barrier") && mnem_has(m, "cluster");
    m->fn = warpsync ? lower_op_warpsync : cluster ? lower_op_cluster : bases[i].fn;
    m->leader = bases[i].role == ROLE_LEADER || warpsync;
    m->terminator = bases[i].role == ROLE_END && !warpsync && !(cluster && mnem_has(m, "arrive"));
    m->terminator = bases[i].role == ROLE_END && !warpsync;
    ptx_op_resolve(m->text, &m->op); /* lop3 without a predicate */
    return;
  }
  if (ptx_op_resolve(m->text, &m->op) || resolve_any_order(m))
    m->fn = lower_op_alu;
}

/* lop3.or.b32 d|p, a, b, c, immLut, q: the plain operation, then p = (d != 0) or q.
 * setlop3.eq.b32 d|p, a, b, c, immLut: the same, then p = (d == 0); and setlop3.eq.or.b32 with q. */
bool lower_op_lop3(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  if (m->op.op)
    return lower_op_alu(l, in, m);
  const bool set = tok_is(m, 0, "setlop3"), joins = m->ntok == 3u + set;
  l->f->insts[l->in_index] =
      (struct sluice_inst){.klass = SLUICE_ALU, .unit = set ? PTX_UNIT_SETP : PTX_UNIT_LOGIC};
  const struct ptx_operand *dst = lower_op(l, 0);
  if ((!joins && !set) || m->ntok < 3 || mnem_type(m, 0) != PTX_B32)
    return lower_fail(l, "not a form of lop3");
  if (in->nops != 5u + joins || dst->kind != PTX_OP_PAIR)
    return lower_fail(l, "takes d|p, a, b, c, immLut, q");
  unsigned dwidth = 4, pwidth;
  slot_t src[4], q = SLOT_NONE;
  for (unsigned i = 0; i < 4; i++)
    if ((src[i] = lower_src(l, lower_op(l, i + 1), PTX_B32)) == SLOT_NONE)
      return false;
  if (joins && (q = lower_src(l, lower_op(l, 5), PTX_PRED)) == SLOT_NONE)
    return false;
  const struct ptx_operand *word = &l->ast->ops[dst->first];
  slot_t d = set && word->kind == PTX_OP_SINK ? lower_temp(l, 4) : lower_dst(l, word, 4, &dwidth),
         p = lower_dst(l, &l->ast->ops[dst->first + 1], 0, &pwidth);
  if (d == SLOT_NONE || p == SLOT_NONE)
    return false;
  if (dwidth != 4 || pwidth != 0)
    return lower_fail(l, "the destinations are a 32-bit register and a predicate");
  struct ptx_op_match op;
  if (!ptx_op_resolve("lop3.b32", &op))
    panic("no row 'lop3.b32' in the operation table");
  struct uop *u = lower_emit(l, U_ALU);
  u->fn = op.op->fn;
  u->d = d, u->a = src[0], u->b = src[1], u->c = src[2], u->e = src[3];
  char row[32];
  snprintf(row, sizeof row, "setp.%s%s.u32", set && tok_is(m, 1, "eq") ? "eq" : "ne",
           !joins                      ? ""
           : tok_is(m, 1u + set, "or") ? ".or"
                                       : ".and");
  lower_alu(l, row, p, d, lower_const(l, 0, 4), q);
  l->uops[l->nuops - 1].aux2 = 1; /* setp writes q of p|q too */
  slot_t sink = lower_temp(l, 0);
  l->uops[l->nuops - 1].e = sink;
  return true;
}

/* Finishes an operation whose register is wider than its type: the temporary `from` goes to d. */
static bool widen(struct lower *l, slot_t d, unsigned dwidth, slot_t from, unsigned width, bool is_signed) {
  const char *row = width == 2  ? dwidth == 4 ? is_signed ? "sext.b32.b16" : "zext.b32.b16"
                                  : is_signed ? "sext.b64.b16"
                                              : "zext.b64.b16"
                    : is_signed ? "sext.b64.b32"
                                : "zext.b64.b32";
  return lower_alu(l, row, d, from, SLOT_NONE, SLOT_NONE);
}

static bool lower_long(enum ptx_type t) {
  return t != PTX_NOTYPE && ptx_type_kind(t) != 'f' && ptx_type_bits(t) == 64;
}

bool lower_op_alu(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  const struct ptx_op *op = m->op.op;
  l->f->insts[l->in_index] = (struct sluice_inst){
      .klass = SLUICE_ALU, .unit = op->unit, .flags = lower_long(mnem_type(m, 0)) ? SLUICE_IF_LONG : 0};
  if (in->nops != op->nsrc + 1u)
    return lower_fail(l, "takes %u operands, not %u", op->nsrc + 1u, in->nops);
  const struct ptx_operand *dst = lower_op(l, 0), *second = NULL;
  if (dst->kind == PTX_OP_PAIR) {
    if (!(op->flags & PTX_OPF_Q))
      return lower_fail(l, "has one destination only");
    second = &l->ast->ops[dst->first + 1];
    dst = &l->ast->ops[dst->first];
  }
  slot_t src[4] = {SLOT_NONE, SLOT_NONE, SLOT_NONE, SLOT_NONE};
  for (unsigned i = 0; i < op->nsrc; i++) {
    const struct ptx_operand *o = lower_op(l, i + 1);
    /* video instructions: the mnemonic's last two types say how a part of a register is extended */
    bool part = o->kind == PTX_OP_REG && o->comp && i < 2 && mnem_type(m, 1 - i) != PTX_NOTYPE;
    src[i] = lower_src(l, o, part ? mnem_type(m, 1 - i) : (enum ptx_type)op->stype[i]);
    if (src[i] == SLOT_NONE)
      return false;
  }
  unsigned want = lane_bytes(op->dtype), width;
  slot_t d = lower_dst(l, dst, want, &width);
  if (d == SLOT_NONE)
    return false;
  slot_t to = d;
  if (width != want) {
    if (width == 0 || want == 0)
      return lower_fail(l, "a predicate and a number are mixed up");
    if (width < want || width > 8)
      return lower_fail(l, "the destination is %u bits wide, the result %u", width * 8,
                        ptx_type_bits(op->dtype));
    to = lower_temp(l, want);
  }
  slot_t e = src[3];
  uint8_t e_role = 0;
  if (op->flags & (PTX_OPF_CC_IN | PTX_OPF_CC_OUT)) {
    if (l->cc == PTX_NONE)
      l->cc = SLOT_OFFSET(lower_temp(l, 0));
    e = SLOT_MAKE(SLOT_REG, l->cc);
    e_role = (uint8_t)((op->flags & PTX_OPF_CC_OUT ? 1 : 0) | (op->flags & PTX_OPF_CC_IN ? 2 : 0));
  } else if (op->flags & PTX_OPF_Q || tok_is(m, 0, "setp")) { /* every setp writes a complement somewhere */
    unsigned w;
    e = second ? lower_dst(l, second, 0, &w) : lower_temp(l, 0);
    if (e == SLOT_NONE || (second && w != 0))
      return lower_fail(l, "the second destination must be a predicate");
    e_role = 1;
  }
  struct uop *u = lower_emit(l, m->op.rounding == PTX_RN ? U_ALU : U_ALU_ROUND);
  u->fn = op->fn;
  u->aux = m->op.rounding;
  u->aux2 = e_role;
  u->d = to, u->a = src[0], u->b = src[1], u->c = src[2], u->e = e;
  if (to != d)
    return widen(l, d, width, to, want, ptx_type_kind(op->dtype) == 's');
  return true;
}

static bool mov_vector(struct lower *l, const struct ptx_operand *dst, const struct ptx_operand *src,
                       unsigned total) {
  bool unpack = dst->kind == PTX_OP_VEC;
  const struct ptx_operand *vec = unpack ? dst : src;
  if (vec->n < 2 || vec->n > 4 || total % vec->n)
    return lower_fail(l, "a vector of %u elements does not fit", vec->n);
  unsigned each = total / vec->n, lane = each < 2 ? 2 : each, width; /* 8-bit registers have 2-byte lanes */
  slot_t whole = unpack ? lower_src_any(l, src, total, &width) : lower_dst(l, dst, total, &width);
  if (whole == SLOT_NONE)
    return false;
  if (width != total)
    return lower_fail(l, "the register is %u bits wide, the vector %u", width * 8, total * 8);
  slot_t regs[4] = {0};
  for (unsigned i = 0; i < vec->n; i++) {
    const struct ptx_operand *o = &l->ast->ops[vec->first + i];
    if (unpack && o->kind == PTX_OP_SINK) {
      regs[i] = SLOT_NONE;
      continue;
    }
    regs[i] = unpack ? lower_dst(l, o, lane, &width) : lower_src_any(l, o, lane, &width);
    if (regs[i] == SLOT_NONE)
      return false;
    if (width == lane && o->kind == PTX_OP_REG && lane == 2)
      width = ptx_type_bits(l->ast->regs[o->id].type) / 8;
    else if (width == lane)
      width = each;
    if (width != each)
      return lower_fail(l, "element %u is %u bits wide, not %u", i, width * 8, each * 8);
  }
  struct uop *u = lower_emit(l, unpack ? U_UNPACK : U_PACK);
  struct uop_ext *x = lower_ext(l, u);
  x->nregs = (uint8_t)vec->n;
  x->size = (uint8_t)each;
  x->vec = (uint8_t)vec->n;
  for (unsigned i = 0; i < vec->n; i++)
    x->regs[i] = regs[i], x->width[i] = (uint8_t)lane;
  if (unpack) {
    u->a = whole;
  } else {
    u->d = whole;
  }
  return true;
}

bool lower_op_mov(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  enum ptx_type t = mnem_type(m, 0);
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_ALU, .unit = PTX_UNIT_LOGIC};
  if (t == PTX_NOTYPE || m->ntok != 2 || in->nops != 2)
    return lower_fail(l, "malformed mov");
  const struct ptx_operand *dst = lower_op(l, 0), *src = lower_op(l, 1);
  unsigned want = lane_bytes(t), width;
  if (dst->kind == PTX_OP_VEC || src->kind == PTX_OP_VEC)
    return mov_vector(l, dst, src, want);
  slot_t a = lower_src(l, src, t);
  slot_t d = a == SLOT_NONE ? a : lower_dst(l, dst, want, &width);
  if (d == SLOT_NONE)
    return false;
  if (width != want)
    return lower_fail(l, "the destination is %u bits wide, the type %u", width * 8, want * 8);
  struct uop *last = l->first ? NULL : &l->uops[l->nuops - 1];
  if (last && last->d == a && (last->kind == U_SREG || last->kind == U_LEA_LOCAL)) {
    last->d = d; /* straight into the register */
    return true;
  }
  return lower_alu(l,
                   want == 0   ? "mov.pred"
                   : want == 2 ? "mov.b16"
                   : want == 4 ? "mov.b32"
                   : want == 8 ? "mov.b64"
                               : "mov.b128",
                   d, a, SLOT_NONE, SLOT_NONE);
}

enum ptx_space mnem_space(const struct mnem *m) {
  for (unsigned i = 1; i < m->ntok; i++) {
    const char *s = m->tok[i].s;
    if (!strncmp(s, "global", 6))
      return PTX_GLOBAL;
    if (!strncmp(s, "shared", 6))
      return PTX_SHARED;
    if (!strncmp(s, "local", 5))
      return PTX_LOCAL;
    if (!strncmp(s, "const", 5))
      return PTX_CONST;
    if (!strncmp(s, "param", 5))
      return PTX_PARAM;
  }
  return PTX_GENERIC;
}

bool lower_op_cvta(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_ALU, .unit = PTX_UNIT_LOGIC};
  enum ptx_space space = mnem_space(m);
  if (in->nops != 2 || space == PTX_GENERIC || mnem_type(m, 0) != PTX_U64)
    return lower_fail(l, "only 64-bit addresses are supported");
  slot_t a = lower_src(l, lower_op(l, 1), PTX_U64);
  unsigned width;
  slot_t d = a == SLOT_NONE ? a : lower_dst(l, lower_op(l, 0), 8, &width);
  if (d == SLOT_NONE)
    return false;
  if (width != 8)
    return lower_fail(l, "the destination must be 64 bits wide");
  if (space == PTX_GLOBAL || space == PTX_CONST)
    return lower_alu(l, "mov.b64", d, a, SLOT_NONE, SLOT_NONE);
  if (space == PTX_PARAM && !l->ast->is_entry)
    space = PTX_LOCAL;
  struct uop *u = lower_emit(l, U_CVTA);
  u->aux = (uint8_t)space;
  u->aux2 = mnem_has(m, "to") ? 0 : 1;
  u->d = d, u->a = a;
  return true;
}

bool lower_op_isspacep(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_ALU, .unit = PTX_UNIT_LOGIC};
  if (in->nops != 2)
    return lower_fail(l, "takes two operands");
  slot_t a = lower_src(l, lower_op(l, 1), PTX_U64);
  unsigned width;
  slot_t d = a == SLOT_NONE ? a : lower_dst(l, lower_op(l, 0), 0, &width);
  if (d == SLOT_NONE)
    return false;
  if (width != 0)
    return lower_fail(l, "the destination must be a predicate");
  struct uop *u = lower_emit(l, U_ISSPACEP);
  u->aux = (uint8_t)mnem_space(m);
  u->d = d, u->a = a;
  return true;
}
