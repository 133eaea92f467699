#include "front/ptx/registers_values.h"
#include <stdlib.h>
#include <string.h>

/* Between a result and its last reader, in uops; of chains of copies. Beyond, a value keeps a register of its own. */
enum { MOST_DISTANCE = 64, MOST_DEPTH = 256 };

static uint32_t leaf_of(struct regvalues *e, slot_t s);

struct sources {
  struct regvalues *e;
  uint32_t n, leaf; /* different leaves; the last of them */
};
static void see_source(void *ctx, slot_t *s, enum uop_role role) {
  struct sources *c = ctx;
  uint32_t k = role == UOP_USE ? leaf_of(c->e, *s) : VALUE_FREE;
  if (k == VALUE_FREE)
    return;
  c->n += k != c->leaf;
  c->leaf = k;
}

/* Is the source still what it was wherever the result is read? */
static bool steady(const struct regvalues *e, uint32_t source, const struct value_reg *result) {
  if (!e->reg[source].many)
    return true;
  if (result->block != e->block_of[result->def - e->first_uop] || result->last_use < result->def ||
      result->last_use - result->def > MOST_DISTANCE)
    return false;
  for (uint32_t i = result->def + 1; i < result->last_use; i++) {
    const struct value_node *n = regvalues_node(e, i);
    for (uint32_t k = 0; k < n->ndef; k++)
      if (e->leaves[n->first_def + k] == source)
        return false;
  }
  return true;
}

static uint32_t find_leaf(struct regvalues *e, uint32_t v) {
  const struct value_reg *r = &e->reg[v];
  if (!r->vector && r->def != PTX_NONE)
    return VALUE_FREE; /* in a uniform register */
  if (r->many || r->def == PTX_NONE || e->l->vwidth[v] == 0)
    return v;
  struct uop *u = regvalues_uop(e, r->def);
  if (u->kind != U_ALU && u->kind != U_CVTA)
    return v;
  struct sources c = {.e = e, .leaf = PTX_NONE};
  uop_visit(u, see_source, &c);
  if (c.n != 1 || e->l->vwidth[c.leaf] == 0 || !steady(e, c.leaf, r))
    return v;
  bool widens = e->l->vwidth[v] > e->l->vwidth[c.leaf] || e->reg[c.leaf].demand <= r->demand;
  bool constant = SLOT_AREA(u->a) == SLOT_CONST || SLOT_AREA(u->b) == SLOT_CONST;
  switch ((enum value_op)e->op[r->def - e->first_uop]) {
  case OP_COPY:
    return c.leaf;
  case OP_WIDE:
  case OP_SHIFT:
    return widens || e->cheap ? c.leaf : v;
  case OP_ADD:
    return (constant && !r->plain) || e->cheap ? c.leaf : v;
  case OP_LOW:
    return e->cheap ? c.leaf : v;
  case OP_OTHER:
    break;
  }
  return v;
}

static uint32_t leaf_of(struct regvalues *e, slot_t s) {
  struct value_reg *r = regvalues_reg(e, s);
  if (!r)
    return VALUE_FREE;
  if (r->leaf == PTX_NONE) {
    r->leaf = SLOT_OFFSET(s); /* a cycle ends here */
    if (e->depth < MOST_DEPTH) {
      e->depth++;
      r->leaf = find_leaf(e, SLOT_OFFSET(s));
      e->depth--;
    }
  }
  return r->leaf;
}

static void add_leaf(struct regvalues *e, uint32_t *n, uint32_t first, uint32_t v) {
  for (uint32_t i = 0; i < *n; i++)
    if (e->leaves[first + i] == v)
      return;
  VEC_PUSH(e->leaves, e->nleaves, e->cap_leaves) = v;
  ++*n;
}
static void list_defs(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  struct value_node *n = &e->node[e->at - e->first_uop];
  const struct value_reg *r = regvalues_reg(e, *s);
  if (role != UOP_USE && r && r->needed)
    add_leaf(e, &n->ndef, n->first_def, SLOT_OFFSET(*s));
}
static void list_uses(void *ctx, slot_t *s, enum uop_role role) {
  struct regvalues *e = ctx;
  struct value_node *n = &e->node[e->at - e->first_uop];
  uint32_t k = role == UOP_USE ? leaf_of(e, *s) : VALUE_FREE;
  if (k != VALUE_FREE)
    add_leaf(e, &n->nuse, n->first_use, k);
}

/* Constants that memory instructions want in registers: what they write, and addresses of 64 bits. */
static uint32_t constants(struct regvalues *e, const struct uop *u) {
  uint32_t n = 0;
  if (!regvalues_memory(u))
    return 0;
  if (u->x->space != PTX_PARAM && u->x->space != PTX_CONST && regvalues_address_bytes(u) == 8 &&
      leaf_of(e, u->a) == VALUE_FREE && leaf_of(e, u->b) == VALUE_FREE)
    n += 2;
  for (unsigned i = 0; u->kind != U_LD && i < u->x->nregs && i < ATOM_RESULT; i++)
    if (SLOT_AREA(u->x->regs[i]) != SLOT_NOTHING && leaf_of(e, u->x->regs[i]) == VALUE_FREE)
      n += u->x->width[i] > 4 ? 2 : 1;
  return n;
}

static void read_node(struct regvalues *e, struct value_node *n) {
  struct uop *u = regvalues_uop(e, e->at);
  bool folded = n->ndef > 0 && !regvalues_effect(u);
  for (uint32_t i = 0; i < n->ndef; i++)
    folded &= leaf_of(e, SLOT_MAKE(SLOT_REG, e->leaves[n->first_def + i])) != e->leaves[n->first_def + i];
  if (folded) {
    n->ndef = 0; /* its readers compute it */
    return;
  }
  uop_visit(u, list_uses, e);
  n->constants = constants(e, u);
  for (uint32_t i = 0; u->flags & UF_GUARD && i < n->ndef; i++) /* keeps the old value in other lanes */
    if (e->reg[e->leaves[n->first_def + i]].def != e->at)
      add_leaf(e, &n->nuse, n->first_use, e->leaves[n->first_def + i]);
}

/* What each uop reads and writes, in leaves. */
static void make_nodes(struct regvalues *e) {
  for (e->at = e->first_uop; e->at < e->nuops; e->at++) {
    struct value_node *n = &e->node[e->at - e->first_uop];
    n->first_def = (uint32_t)e->nleaves;
    if (!e->dead[e->at - e->first_uop])
      uop_visit(regvalues_uop(e, e->at), list_defs, e);
  }
  for (uint32_t i = e->first_uop; i < e->nuops; i++) /* in the order of the text, where sources come first */
    for (uint32_t k = 0; k < regvalues_node(e, i)->ndef; k++)
      leaf_of(e, SLOT_MAKE(SLOT_REG, e->leaves[regvalues_node(e, i)->first_def + k]));
  for (e->at = e->first_uop; e->at < e->nuops; e->at++) {
    struct value_node *n = &e->node[e->at - e->first_uop];
    n->first_use = (uint32_t)e->nleaves;
    if (!e->dead[e->at - e->first_uop])
      read_node(e, n);
  }
}

/* Leaves that a block reads before it writes them. */
static void find_globals(struct regvalues *e) {
  uint32_t *written = xmalloc((e->l->nv + 1) * sizeof *written);
  memset(written, 0xff, (e->l->nv + 1) * sizeof *written);
  e->of_global = xmalloc((e->l->nv + 1) * sizeof *e->of_global);
  for (uint32_t i = e->first_uop; i < e->nuops; i++) {
    const struct value_node *n = regvalues_node(e, i);
    for (uint32_t j = 0; j < n->nuse; j++) {
      struct value_reg *r = &e->reg[e->leaves[n->first_use + j]];
      if (written[e->leaves[n->first_use + j]] != e->block_of[i - e->first_uop] && r->global == PTX_NONE) {
        e->of_global[e->nglobal] = e->leaves[n->first_use + j];
        r->global = e->nglobal++;
      }
    }
    for (uint32_t j = 0; j < n->ndef; j++)
      written[e->leaves[n->first_def + j]] = e->block_of[i - e->first_uop];
  }
  free(written);
  e->words = (e->nglobal + 63) / 64;
  e->in = xcalloc((size_t)e->nblocks * e->words + 1, sizeof *e->in);
  e->out = xcalloc((size_t)e->nblocks * e->words + 1, sizeof *e->out);
}

static void pass_back(const struct regvalues *e, const struct value_node *n, uint64_t *live) {
  for (uint32_t i = 0; i < n->ndef; i++) {
    uint32_t g = e->reg[e->leaves[n->first_def + i]].global;
    if (g != PTX_NONE)
      live[g / 64] &= ~(UINT64_C(1) << g % 64);
  }
  for (uint32_t i = 0; i < n->nuse; i++) {
    uint32_t g = e->reg[e->leaves[n->first_use + i]].global;
    if (g != PTX_NONE)
      live[g / 64] |= UINT64_C(1) << g % 64;
  }
}

static void find_live(struct regvalues *e) {
  uint64_t *live = xmalloc((e->words + 1) * sizeof *live);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = e->nblocks; b-- > 0;) {
      const struct block *k = &e->l->blocks[e->first + b];
      uint64_t *in = e->in + (size_t)b * e->words, *out = e->out + (size_t)b * e->words;
      uint32_t n = block_successors(e->l, k, e->to, e->cap_to);
      for (uint32_t i = 0; i < n; i++)
        for (uint32_t w = 0; e->to[i] != PC_NONE && w < e->words; w++)
          out[w] |= e->in[(size_t)(e->to[i] - e->first) * e->words + w];
      memcpy(live, out, e->words * sizeof *live);
      for (uint32_t i = k->end; i-- > k->first;)
        pass_back(e, regvalues_node(e, i), live);
      if (memcmp(live, in, e->words * sizeof *live) != 0) {
        memcpy(in, live, e->words * sizeof *live);
        changed = true;
      }
    }
  }
  free(live);
}

uint32_t regvalues_sum(const struct regvalues *e, const uint64_t *set) {
  uint32_t n = 0;
  for (uint32_t w = 0; w < e->words; w++)
    for (uint64_t bits = set[w]; bits; bits &= bits - 1)
      n += regvalues_weight(e, e->of_global[w * 64 + (uint32_t)__builtin_ctzll(bits)]);
  return n;
}

static void prepare(struct regvalues *e, struct lower *l, uint32_t first) {
  *e = (struct regvalues){.l = l,
                          .first = first,
                          .nblocks = (uint32_t)l->nblocks - first,
                          .first_uop = l->blocks[first].first,
                          .nuops = (uint32_t)l->nuops,
                          .cap_to = 4};
  size_t n = e->nuops - e->first_uop + 1u;
  e->reg = xcalloc(l->nv + 1, sizeof *e->reg);
  e->op = xcalloc(n, 1), e->dead = xcalloc(n, sizeof *e->dead);
  e->block_of = xcalloc(n, sizeof *e->block_of), e->node = xcalloc(n, sizeof *e->node);
  for (uint32_t r = 0; r < l->nv; r++)
    e->reg[r].def = e->reg[r].leaf = e->reg[r].block = e->reg[r].global = PTX_NONE;
  for (uint32_t b = 0; b < e->nblocks; b++)
    for (uint32_t i = l->blocks[first + b].first; i < l->blocks[first + b].end; i++) {
      e->block_of[i - e->first_uop] = b;
      if (regvalues_uop(e, i)->kind == U_BRX && regvalues_uop(e, i)->x->ntargets + 2 > e->cap_to)
        e->cap_to = regvalues_uop(e, i)->x->ntargets + 2;
    }
  e->to = xmalloc(e->cap_to * sizeof *e->to);
}

void regvalues_find(struct regvalues *e, struct lower *l, uint32_t first_block, bool cheap) {
  prepare(e, l, first_block);
  e->cheap = cheap;
  regvalues_learn(e);
  make_nodes(e);
  find_globals(e);
  find_live(e);
}

void regvalues_free(struct regvalues *e) {
  free(e->reg), free(e->op), free(e->dead), free(e->block_of), free(e->node), free(e->leaves);
  free(e->in), free(e->out), free(e->of_global), free(e->to);
}
