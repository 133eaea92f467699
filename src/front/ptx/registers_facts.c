/* What is known of each virtual register: is it needed, how much of it, is it an address, is it the same in all threads. */
#include "front/ptx/registers_values.h"
#include <stdlib.h>
#include <string.h>

/* Rounds of a search for what follows from what; real programs need few, and hostile ones shall not take long. */
enum { MOST_ROUNDS = 64 };

const struct mnem *regvalues_mnem(const struct regvalues *e, const struct uop *u) {
  return u->inst < e->l->ast->ninsts ? &e->l->mnems[e->l->ast->insts[u->inst].mnemonic] : NULL;
}

static bool one_of(const struct mnem *m, const char *const *names) {
  for (; *names; names++)
    if (tok_is(m, 0, *names))
      return true;
  return false;
}

static bool is_float(const struct mnem *m) {
  for (unsigned i = 1; i < m->ntok; i++)
    if (ptx_type_kind(ptx_type_parse(m->tok[i].s, m->tok[i].n)) == 'f')
      return true;
  return false;
}

static enum value_op classify(const struct regvalues *e, const struct uop *u) {
  static const char *const low[] = {"sub", "and", "or", "xor", "not", "neg", "selp", "lop3", NULL};
  const struct mnem *m = regvalues_mnem(e, u);
  if (u->kind == U_CVTA)
    return OP_COPY;
  if (u->kind != U_ALU || !m || u->aux2)
    return OP_OTHER;
  if (tok_is(m, 0, "mov") || tok_is(m, 0, "ld")) /* of a parameter */
    return OP_COPY;
  if (is_float(m))
    return OP_OTHER;
  unsigned bits = ptx_type_bits(mnem_type(m, 0));
  if (tok_is(m, 0, "cvt"))
    return bits >= 32 && ptx_type_bits(mnem_type(m, 1)) >= 32 ? OP_COPY : OP_OTHER;
  if (tok_is(m, 0, "shl"))
    return OP_SHIFT;
  if ((tok_is(m, 0, "mul") && mnem_has(m, "wide")) || (tok_is(m, 0, "shr") && bits == 64))
    return OP_WIDE;
  if (tok_is(m, 0, "add"))
    return OP_ADD;
  if ((tok_is(m, 0, "mul") || tok_is(m, 0, "mad")) && mnem_has(m, "lo"))
    return OP_LOW;
  return one_of(m, low) ? OP_LOW : OP_OTHER;
}

static void find_def(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  struct value_reg *r = regvalues_reg(e, *s);
  if (role == UOP_USE || !r)
    return;
  r->many |= r->def != PTX_NONE || regvalues_uop(e, e->at)->flags & UF_GUARD;
  r->def = e->at;
}

bool regvalues_effect(const struct uop *u) {
  switch (u->kind) {
  case U_ALU:
  case U_ALU_ROUND:
  case U_SREG:
  case U_PACK:
  case U_UNPACK:
  case U_LEA_LOCAL:
  case U_CVTA:
  case U_ISSPACEP:
  case U_ACTIVEMASK:
    return false;
  case U_LD:
    return u->x->is_volatile;
  default:
    return true;
  }
}

static void any_needed(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  const struct value_reg *r = regvalues_reg(e, *s);
  e->flag |= role != UOP_USE && r && r->needed;
}
static void need(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  struct value_reg *r = regvalues_reg(e, *s);
  if (role == UOP_USE && r && !r->needed)
    r->needed = e->changed = true;
}

/* What nothing with an effect reads is not there. */
static void remove_dead(struct regvalues *e) {
  e->changed = true;
  for (int round = 0; e->changed && round < MOST_ROUNDS; round++) {
    e->changed = false;
    for (uint32_t i = e->nuops; i-- > e->first_uop;) {
      struct uop *u = regvalues_uop(e, i);
      e->flag = regvalues_effect(u);
      if (!e->flag)
        uop_visit(u, any_needed, e);
      e->dead[i - e->first_uop] = !e->flag;
      if (e->flag)
        uop_visit(u, need, e);
    }
  }
}

static void note_use(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  struct value_reg *r = regvalues_reg(e, *s);
  if (role != UOP_USE || !r)
    return;
  uint32_t b = e->block_of[e->at - e->first_uop];
  r->block = r->block == PTX_NONE || r->block == b ? b : VALUE_FREE;
  r->last_use = e->at;
}

static void plain_use(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  struct value_reg *r = regvalues_reg(e, *s);
  if (role == UOP_USE && r && !r->plain)
    r->plain = e->changed = true;
}

/* Which values are addresses and nothing else: a constant added to one goes into the instruction. */
static void find_addresses(struct regvalues *e) {
  e->changed = true;
  for (int round = 0; e->changed && round < MOST_ROUNDS; round++) {
    e->changed = false;
    for (uint32_t i = e->nuops; i-- > e->first_uop;) {
      struct uop *u = regvalues_uop(e, i), read;
      const struct value_reg *d = regvalues_reg(e, u->d);
      uint8_t op = e->op[i - e->first_uop];
      bool passes = (op == OP_COPY || op == OP_ADD) && d && !d->plain && !d->many;
      if (e->dead[i - e->first_uop] || passes)
        continue;
      read = *u;
      if (regvalues_memory(u))
        read.a = SLOT_NONE;
      uop_visit(&read, plain_use, e);
    }
  }
}

static void widest(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  const struct value_reg *r = regvalues_reg(e, *s);
  if (role != UOP_USE && r && r->demand > e->give)
    e->give = r->demand;
}
static void ask(struct regvalues *e, slot_t s, uint8_t bytes) {
  struct value_reg *r = regvalues_reg(e, s);
  if (!r)
    return;
  if (bytes > e->l->vwidth[SLOT_OFFSET(s)])
    bytes = e->l->vwidth[SLOT_OFFSET(s)];
  if (r->demand < bytes)
    r->demand = bytes, e->changed = true;
}
static void ask_all(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  if (role == UOP_USE)
    ask(e, *s, e->give);
}

static void ask_sources(struct regvalues *e, struct uop *u, enum value_op op) {
  struct uop rest = *u;
  e->give = 16;
  if (regvalues_memory(u)) {
    ask(e, u->a, regvalues_address_bytes(u)), ask(e, u->b, regvalues_address_bytes(u));
    rest.a = rest.b = SLOT_NONE;
  } else if (op == OP_COPY || op == OP_LOW || op == OP_ADD || op == OP_SHIFT) {
    e->give = 0;
    uop_visit(u, widest, e);
  }
  if (op == OP_SHIFT) {
    ask(e, u->b, 4);
    rest.b = SLOT_NONE;
  }
  uop_visit(&rest, ask_all, e);
}

/* How many bytes of each value matter to what reads it. */
static void find_demand(struct regvalues *e) {
  e->changed = true;
  for (int round = 0; e->changed && round < MOST_ROUNDS; round++) {
    e->changed = false;
    for (uint32_t i = e->nuops; i-- > e->first_uop;)
      if (!e->dead[i - e->first_uop])
        ask_sources(e, regvalues_uop(e, i), (enum value_op)e->op[i - e->first_uop]);
  }
}

static bool uniform_sreg(unsigned id) {
  return id == PTX_SREG_NTID || id == PTX_SREG_CTAID || id == PTX_SREG_NCTAID || id == PTX_SREG_GRIDID ||
         id == PTX_SREG_ENVREG || id == PTX_SREG_NWARPID;
}

/* Could the uniform datapath do it, from uniform sources? Integers, and loads of constants. */
static bool able(const struct regvalues *e, uint32_t at) {
  static const char *const names[] = {"setp", "shr", "mul",  "mad", "min", "max", "and",
                                      "or",   "not", "popc", "xor", "shf", "cvt", NULL};
  const struct uop *u = regvalues_uop(e, at);
  const struct mnem *m = regvalues_mnem(e, u);
  switch (u->kind) {
  case U_SREG:
    return uniform_sreg(u->aux);
  case U_LEA_LOCAL:
  case U_CVTA:
  case U_PACK:
  case U_UNPACK:
    return true;
  case U_LD:
    return u->x->space == PTX_CONST || u->x->space == PTX_PARAM;
  case U_ALU:
    return m && (e->op[at - e->first_uop] != OP_OTHER || (!is_float(m) && one_of(m, names)));
  default:
    return false;
  }
}
static void any_vector(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  const struct value_reg *r = regvalues_reg(e, *s);
  e->flag |= role == UOP_USE && r && r->vector;
}
static void make_vector(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  struct value_reg *r = regvalues_reg(e, *s);
  if (role != UOP_USE && r && !r->vector)
    r->vector = e->changed = true;
}
static void make_many_vector(void *ctx, slot_t *s, enum uop_role role) {
  const struct value_reg *r = regvalues_reg(ctx, *s);
  if (r && r->many)
    make_vector(ctx, s, role);
}

/* Lanes part at the end of block b: what is written in several places before they meet again is not the same in all. */
static void part(struct regvalues *e, uint32_t b, uint32_t *stack, uint8_t *seen) {
  uint32_t n = 0, meet = e->l->post_dominator[e->first + b];
  memset(seen, 0, e->nblocks);
  stack[n++] = b;
  for (bool start = true; n; start = false) {
    const struct block *k = &e->l->blocks[e->first + stack[--n]];
    for (uint32_t i = k->first; !start && i < k->end; i++)
      uop_visit(regvalues_uop(e, i), make_many_vector, e);
    uint32_t successors = block_successors(e->l, k, e->to, e->cap_to);
    for (uint32_t i = 0; i < successors; i++)
      if (e->to[i] != PC_NONE && e->to[i] != meet && !seen[e->to[i] - e->first]) {
        seen[e->to[i] - e->first] = 1;
        stack[n++] = e->to[i] - e->first;
      }
  }
}

static void find_vectors_of(struct regvalues *e, const struct block *k) {
  for (uint32_t i = k->first; i < k->end; i++) {
    e->flag = !able(e, i);
    if (!e->flag)
      uop_visit(regvalues_uop(e, i), any_vector, e);
    if (e->flag)
      uop_visit(regvalues_uop(e, i), make_vector, e);
  }
}

/* Everything is uniform until something shows that it is not. */
static void find_vectors(struct regvalues *e) {
  uint32_t *stack = xmalloc((e->nblocks + 2) * sizeof *stack);
  uint8_t *seen = xcalloc(e->nblocks + 1, 1), *parted = xcalloc(e->nblocks + 1, 1);
  for (uint32_t i = 0; i < e->l->ast->nparams; i++)
    make_vector(e, &e->l->f->param_reg[i], UOP_DEF);
  e->changed = true;
  for (int round = 0; e->changed && round < MOST_ROUNDS; round++) {
    e->changed = false;
    for (uint32_t b = 0; b < e->nblocks; b++) {
      const struct block *k = &e->l->blocks[e->first + b];
      find_vectors_of(e, k);
      struct uop *u = k->end > k->first ? regvalues_uop(e, k->end - 1) : NULL;
      e->flag = false;
      if (u && (u->kind == U_BRA || u->kind == U_BRX || u->kind == U_RET || u->kind == U_EXIT))
        uop_visit(u, any_vector, e);
      if (e->flag && !parted[b]) {
        parted[b] = 1;
        part(e, b, stack, seen);
      }
    }
  }
  free(stack), free(seen), free(parted);
}

void regvalues_learn(struct regvalues *e) {
  const struct lower *l = e->l;
  for (e->at = e->first_uop; e->at < e->nuops; e->at++) {
    e->op[e->at - e->first_uop] = (uint8_t)classify(e, regvalues_uop(e, e->at));
    uop_visit(regvalues_uop(e, e->at), find_def, e);
  }
  for (uint32_t i = 0; i < l->ast->nparams; i++) {
    struct value_reg *r = regvalues_reg(e, l->f->param_reg[i]);
    if (r)
      r->many = true;
  }
  for (uint32_t i = 0; i < l->ast->nrets; i++) {
    struct value_reg *r = regvalues_reg(e, l->f->ret_reg[i]);
    if (r)
      r->many = r->needed = true;
  }
  remove_dead(e);
  for (e->at = e->first_uop; e->at < e->nuops; e->at++)
    if (!e->dead[e->at - e->first_uop])
      uop_visit(regvalues_uop(e, e->at), note_use, e);
  find_addresses(e);
  find_vectors(e);
  find_demand(e);
}
