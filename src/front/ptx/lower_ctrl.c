/* Branches, calls, barriers and warp-wide operations. Branch targets are AST instructions until
 * cfg.c turns them into blocks. */
#include "front/ptx/lower.h"
#include <string.h>

static void describe(struct lower *l, enum sluice_class klass, enum ptx_unit unit) {
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = (uint8_t)klass, .unit = (uint8_t)unit};
}

bool lower_op_bra(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)m;
  describe(l, SLUICE_BRANCH, PTX_UNIT_CTRL);
  const struct ptx_operand *o = lower_op(l, 0);
  if (in->nops != 1 || o->kind != PTX_OP_LABEL || o->is_table)
    return lower_fail(l, "takes one label");
  lower_emit(l, U_BRA)->target = lower_label_inst(l, o->id);
  return true;
}

bool lower_op_brx(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)m;
  describe(l, SLUICE_BRANCH, PTX_UNIT_CTRL);
  const struct ptx_operand *o = lower_op(l, 1);
  if (in->nops != 2 || o->kind != PTX_OP_LABEL || !o->is_table)
    return lower_fail(l, "takes an index and a table of labels");
  slot_t a = lower_src(l, lower_op(l, 0), PTX_U32);
  if (a == SLOT_NONE)
    return false;
  const struct ptx_label *table = &l->ast->labels[o->id];
  struct uop *u = lower_emit(l, U_BRX);
  struct uop_ext *x = lower_ext(l, u);
  u->a = a;
  x->ntargets = table->n;
  x->targets = arena_alloc(&l->p->arena, (table->n + 1) * sizeof *x->targets);
  for (uint32_t i = 0; i < table->n; i++) {
    x->targets[i] = lower_label_inst(l, l->ast->targets[table->first + i]);
    if (x->targets[i] == PTX_NONE)
      return lower_fail(l, "the table names something that is no label");
  }
  return true;
}

/* One actual argument or result of a call against its formal. */
static bool call_operand(struct lower *l, const struct ptx_operand *o, const struct ptx_var *formal,
                         uint32_t formal_at, bool is_ret, struct call_arg *arg) {
  *arg = (struct call_arg){.formal = formal_at, .bytes = (uint32_t)formal->size};
  if (formal->unsized)
    arg->bytes = VARARG_BYTES;
  if (formal->space == PTX_REG) {
    arg->to_reg = true; /* which one is known once the callee is lowered: func->param_reg, ret_reg */
    arg->bytes = lane_bytes(formal->type);
  }
  if (o->kind == PTX_OP_SYM) {
    uint64_t v;
    enum ptx_space space;
    enum symbol_base rel;
    if (!lower_symbol(l, o, &v, &space, &rel))
      return false;
    if (space != PTX_PARAM || rel != SYMBOL_FRAME)
      return lower_fail(l, "an argument must be a register, a number or a .param variable");
    const struct ptx_symbol *s = &l->ast->syms[o->id];
    if (s->kind == PTX_SYM_LOCALVAR && l->ast->vars[s->index].size < arg->bytes)
      arg->bytes = (uint32_t)l->ast->vars[s->index].size;
    arg->local = (uint32_t)v;
    return true;
  }
  if (formal->unsized)
    return lower_fail(l, "variadic arguments must be in a .param variable");
  arg->from_reg = true;
  unsigned width = 0;
  arg->reg = is_ret ? lower_dst(l, o, lane_bytes(formal->type), &width) : lower_src(l, o, formal->type);
  if (arg->reg == SLOT_NONE)
    return false;
  if (is_ret && width != lane_bytes(formal->type))
    return lower_fail(l, "the result's register does not fit %s", ptx_type_name(formal->type));
  return true;
}

bool lower_op_call(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in, (void)m;
  describe(l, SLUICE_CALL, PTX_UNIT_CTRL);
  unsigned i = 0;
  const struct ptx_operand *rets = NULL, *args = NULL, *callee = lower_op(l, i);
  if (callee && callee->kind == PTX_OP_LIST)
    rets = callee, callee = lower_op(l, ++i);
  if (!callee)
    return lower_fail(l, "nothing to call");
  if (callee->kind != PTX_OP_SYM || l->ast->syms[callee->id].kind != PTX_SYM_FUNC)
    return lower_fail(l, "indirect calls are not supported");
  const struct ptx_operand *o = lower_op(l, ++i);
  if (o && o->kind == PTX_OP_LIST)
    args = o;
  uint32_t index = l->ast->syms[callee->id].index;
  const struct ptx_func *to = &l->p->ast->funcs[index];
  struct func *f = &l->p->funcs[index];
  if (to->is_entry)
    return lower_fail(l, "'%s' is a kernel", to->name);
  for (uint32_t k = 0; to->is_extern && k < to->nparams + to->nrets; k++)
    if ((k < to->nparams ? &to->params[k] : &to->rets[k - to->nparams])->space == PTX_REG)
      return lower_fail(l, "'%s' is declared extern and takes registers", to->name);
  unsigned nargs = args ? args->n : 0, nrets = rets ? rets->n : 0;
  bool bare = nargs + 1 == to->nparams && to->params[nargs].unsized; /* printf("text"): nothing for "..." */
  if ((nargs != to->nparams && !bare) || nrets != to->nrets)
    return lower_fail(l, "'%s' takes %u arguments and %u results, not %u and %u", to->name, to->nparams,
                      to->nrets, nargs, nrets);
  struct call_arg *av = arena_alloc(&l->p->arena, (nargs + 1) * sizeof *av),
                  *rv = arena_alloc(&l->p->arena, (nrets + 1) * sizeof *rv);
  for (unsigned k = 0; k < nargs; k++)
    if (!call_operand(l, &l->ast->ops[args->first + k], &to->params[k], f->param_at[k], false, &av[k]))
      return false;
  for (unsigned k = 0; k < nrets; k++)
    if (!call_operand(l, &l->ast->ops[rets->first + k], &to->rets[k], f->ret_at[k], true, &rv[k]))
      return false;
  struct uop *u = lower_emit(l, U_CALL);
  struct uop_ext *x = lower_ext(l, u);
  u->target = index;
  x->nargs = nargs, x->args = av, x->nrets = nrets, x->rets = rv;
  return true;
}

bool lower_op_ret(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in, (void)m;
  describe(l, SLUICE_RETURN, PTX_UNIT_CTRL);
  lower_emit(l, l->ast->is_entry ? U_EXIT : U_RET);
  return true;
}

bool lower_op_exit(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in, (void)m;
  describe(l, SLUICE_RETURN, PTX_UNIT_CTRL);
  lower_emit(l, U_EXIT);
  return true;
}

bool lower_op_trap(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  describe(l, SLUICE_OTHER, PTX_UNIT_CTRL);
  lower_emit(l, U_TRAP)->aux = tok_is(m, 0, "brkpt");
  return true;
}

bool lower_op_bar(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  describe(l, SLUICE_BARRIER, PTX_UNIT_BAR);
  bool red = mnem_has(m, "red"), arrive = mnem_has(m, "arrive"), popc = mnem_has(m, "popc");
  if (!red && !arrive && !mnem_has(m, "sync"))
    return lower_fail(l, "not supported");
  if (in->guard != PTX_NONE) {
    /* lanes whose guard is false go around the barrier */
    l->first = false;
    struct uop *around = lower_emit(l, U_BRA);
    around->flags ^= UF_GUARD_NEG;
    around->target = l->in_index + 1;
    l->blocks[l->nblocks - 1].end = (uint32_t)l->nuops;
    lower_begin_block(l);
    l->guard = SLOT_NONE;
    l->guard_flags = 0;
    l->first = true;
  }
  unsigned i = red ? 1 : 0, n = in->nops;
  if (n < i + 1 || n > i + 2 + (red ? 1u : 0u) || (red && n < 3) || (arrive && n != 2))
    return lower_fail(l, "takes another number of operands");
  slot_t c = SLOT_NONE, d = SLOT_NONE, b = SLOT_NONE, a = lower_src(l, lower_op(l, i), PTX_U32);
  if (a == SLOT_NONE)
    return false;
  if (n > i + 1 && !(red && n == 3)) {
    b = lower_src(l, lower_op(l, i + 1), PTX_U32);
    if (b == SLOT_NONE)
      return false;
  }
  if (red) {
    unsigned width;
    c = lower_src(l, lower_op(l, n - 1), PTX_PRED);
    d = c == SLOT_NONE ? c : lower_dst(l, lower_op(l, 0), popc ? 4 : 0, &width);
    if (d == SLOT_NONE)
      return false;
    if (width != (popc ? 4u : 0u))
      return lower_fail(l, "the destination has the wrong type");
  }
  struct uop *u = lower_emit(l, U_BAR);
  u->aux = (uint8_t)(arrive ? 1 : !red ? 0 : popc ? 2 : mnem_has(m, "and") ? 3 : 4);
  u->a = a, u->b = b, u->c = c, u->d = d;
  return true;
}

/* Destination of a warp-wide operation, `d` or `d|p`. */
static bool warp_dst(struct lower *l, unsigned want, slot_t *d, slot_t *e) {
  const struct ptx_operand *o = lower_op(l, 0), *second = NULL;
  *e = SLOT_NONE;
  if (o && o->kind == PTX_OP_PAIR) {
    second = &l->ast->ops[o->first + 1];
    o = &l->ast->ops[o->first];
  }
  unsigned width;
  *d = lower_dst(l, o, want, &width);
  if (*d == SLOT_NONE)
    return false;
  if (width != want)
    return lower_fail(l, "the destination has the wrong width");
  if (!second || second->kind == PTX_OP_SINK)
    return true;
  *e = lower_dst(l, second, 0, &width);
  if (*e == SLOT_NONE)
    return false;
  return width == 0 || lower_fail(l, "the second destination must be a predicate");
}

/* Emits a warp-wide uop; operand `members` is the member mask, absent in the forms without .sync. */
static struct uop *warp_emit(struct lower *l, enum uop_kind kind, slot_t members) {
  struct uop *u = lower_emit(l, kind);
  struct uop_ext *x = lower_ext(l, u);
  x->nregs = 1;
  x->regs[0] = members;
  x->width[0] = 4;
  return u;
}

static bool members_of(struct lower *l, const struct mnem *m, unsigned i, slot_t *out) {
  *out = SLOT_NONE;
  if (!mnem_has(m, "sync"))
    return l->in->nops == i || lower_fail(l, "takes %u operands", i);
  if (l->in->nops != i + 1)
    return lower_fail(l, "takes %u operands", i + 1);
  *out = lower_src(l, lower_op(l, i), PTX_U32);
  return *out != SLOT_NONE;
}

bool lower_op_shfl(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  describe(l, SLUICE_ALU, PTX_UNIT_SHUFFLE);
  slot_t d, e, members;
  if (mnem_type(m, 0) != PTX_B32)
    return lower_fail(l, "moves .b32 only");
  if (!members_of(l, m, 4, &members) || !warp_dst(l, 4, &d, &e))
    return false;
  slot_t a = lower_src(l, lower_op(l, 1), PTX_B32), b = lower_src(l, lower_op(l, 2), PTX_U32),
         c = lower_src(l, lower_op(l, 3), PTX_U32);
  if (a == SLOT_NONE || b == SLOT_NONE || c == SLOT_NONE)
    return false;
  struct uop *u = warp_emit(l, U_SHFL, members);
  u->aux = mnem_has(m, "up") ? 0 : mnem_has(m, "down") ? 1 : mnem_has(m, "bfly") ? 2 : 3;
  u->d = d, u->e = e, u->a = a, u->b = b, u->c = c;
  return true;
}

bool lower_op_vote(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  describe(l, SLUICE_ALU, PTX_UNIT_VOTE);
  slot_t d, e, members;
  bool ballot = mnem_has(m, "ballot");
  if (!members_of(l, m, 2, &members) || !warp_dst(l, ballot ? 4 : 0, &d, &e))
    return false;
  slot_t a = lower_src(l, lower_op(l, 1), PTX_PRED);
  if (a == SLOT_NONE)
    return false;
  struct uop *u = warp_emit(l, U_VOTE, members);
  u->aux = ballot ? 3 : mnem_has(m, "all") ? 0 : mnem_has(m, "any") ? 1 : 2;
  u->d = d, u->a = a;
  return true;
}

bool lower_op_match(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  describe(l, SLUICE_ALU, PTX_UNIT_VOTE);
  slot_t d, e, members;
  enum ptx_type t = mnem_type(m, 0);
  if ((t != PTX_B32 && t != PTX_B64) || !members_of(l, m, 2, &members) || !warp_dst(l, 4, &d, &e))
    return lower_fail(l, "malformed match");
  slot_t a = lower_src(l, lower_op(l, 1), t);
  if (a == SLOT_NONE)
    return false;
  struct uop *u = warp_emit(l, U_MATCH, members);
  u->aux = mnem_has(m, "all");
  u->aux2 = t == PTX_B64;
  u->d = d, u->e = e, u->a = a;
  return true;
}

bool lower_op_redux(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  static const char *const names[] = {"add", "min", "max", "and", "or", "xor"};
  describe(l, SLUICE_ALU, PTX_UNIT_REDUX);
  slot_t d, e, members;
  enum ptx_type t = mnem_type(m, 0);
  unsigned op = 0;
  while (op < 6 && !mnem_has(m, names[op]))
    op++;
  bool logic = op >= 3;
  if (op == 6 || (logic ? t != PTX_B32 : t != PTX_U32 && t != PTX_S32))
    return lower_fail(l, "no such reduction on this type");
  if (!members_of(l, m, 2, &members) || !warp_dst(l, 4, &d, &e))
    return false;
  slot_t a = lower_src(l, lower_op(l, 1), t);
  if (a == SLOT_NONE)
    return false;
  struct uop *u = warp_emit(l, U_REDUX, members);
  u->aux = (uint8_t)op;
  u->aux2 = t == PTX_S32;
  u->d = d, u->a = a;
  return true;
}

bool lower_op_elect(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  describe(l, SLUICE_ALU, PTX_UNIT_VOTE);
  slot_t d, e, members;
  if (!members_of(l, m, 1, &members) || !warp_dst(l, 4, &d, &e))
    return false;
  struct uop *u = warp_emit(l, U_ELECT, members);
  u->d = d, u->e = e;
  return true;
}

bool lower_op_warpsync(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)in;
  describe(l, SLUICE_BARRIER, PTX_UNIT_BAR);
  slot_t members;
  if (!members_of(l, m, 0, &members))
    return false;
  warp_emit(l, U_WARPSYNC, members);
  return true;
}

bool lower_op_activemask(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  (void)m;
  describe(l, SLUICE_ALU, PTX_UNIT_INT);
  slot_t d, e;
  if (in->nops != 1 || !warp_dst(l, 4, &d, &e))
    return lower_fail(l, "takes one destination");
  lower_emit(l, U_ACTIVEMASK)->d = d;
  return true;
}
