#include "front/ptx/registers_order.h"
#include <stdlib.h>
#include <string.h>

/* WINDOW: uops that the scheduler looks ahead. HOLD: uops for which registers that a memory instruction reads are not
 * written again while there are others, because they are read late. UNROLL: uops of an unrolled loop. HOLD, UNROLL and
 * COPIES are calibrated (docs/registers.md). */
enum { WINDOW = 32, HOLD = 20, UNROLL = 96, COPIES = 2, MOST_LOADS = 16 };

uint32_t order_as_is(const struct regvalues *e, uint32_t block, uint8_t *alive,
                     void (*call)(void *ctx, uint32_t callee, uint32_t live), void *ctx) {
  const struct block *k = &e->l->blocks[e->first + block];
  const uint64_t *out = e->out + (size_t)block * e->words;
  uint32_t live = regvalues_sum(e, out), most = live;
  for (uint32_t g = 0; g < e->nglobal; g++)
    if (out[g / 64] >> g % 64 & 1)
      alive[e->of_global[g]] = 1;
  for (uint32_t i = k->end; i-- > k->first;) {
    const struct value_node *n = regvalues_node(e, i);
    const struct uop *u = regvalues_uop(e, i);
    uint32_t unread = 0; /* results that nobody reads have a register all the same */
    for (uint32_t j = 0; j < n->ndef; j++) {
      uint32_t v = e->leaves[n->first_def + j], w = regvalues_weight(e, v);
      if (alive[v])
        live -= w;
      alive[v] = 0;
      unread += w;
    }
    if (live + unread > most)
      most = live + unread;
    if (u->kind == U_CALL && call)
      call(ctx, u->target, live);
    for (uint32_t j = 0; j < n->nuse; j++) {
      uint32_t v = e->leaves[n->first_use + j];
      if (!alive[v])
        live += regvalues_weight(e, v);
      alive[v] = 1;
    }
    if (live + n->constants > most)
      most = live + n->constants;
  }
  for (uint32_t i = k->first; i < k->end; i++)
    for (uint32_t j = 0; j < regvalues_node(e, i)->nuse; j++)
      alive[e->leaves[regvalues_node(e, i)->first_use + j]] = 0;
  for (uint32_t g = 0; g < e->nglobal; g++)
    alive[e->of_global[g]] = 0;
  return most;
}

/* The block as steps; a value is one write of a leaf, for an assembler renames. */
struct step {
  uint32_t uop;
  uint32_t first_use, nuse, first_def, ndef; /* into `ref` */
  uint32_t first_next, nnext;                /* steps that wait for it, in `next` */
  uint32_t waits;                            /* for so many others */
  uint32_t ready, height;                    /* cycles: when its sources are there; from it to the end */
  uint16_t latency;
  bool done;
};
struct val {
  uint32_t weight, uses, step; /* reads to come; the step that writes it, or PTX_NONE */
  bool pinned;                 /* lives beyond the end */
};
struct held {
  uint32_t until, weight;
};
struct plan {
  const struct regvalues *e;
  struct step *step;
  size_t nsteps, cap_steps;
  struct val *val;
  size_t nvals, cap_vals;
  uint32_t *ref, *next;
  size_t nrefs, cap_refs;
  struct edge {
    uint32_t from, to;
  } * edge;
  size_t nedges, cap_edges;
  struct held *held;
  size_t nheld, cap_held, first_held;
  uint32_t live, holding, most, limit;
  /* memory operations keep an order: by space (shared or not) the last store, and loads since then */
  uint32_t store[2], loads[2][MOST_LOADS], nloads[2], barrier;
};

/* Round numbers: it matters only that loads take longer than arithmetic. */
static uint16_t latency_of(const struct uop *u) {
  switch (u->kind) {
  case U_LD:
    return u->x->space == PTX_SHARED ? 30 : u->x->space == PTX_PARAM ? 5 : 200;
  case U_ATOM:
  case U_TEXTURE:
    return 200;
  case U_SREG:
  case U_SHFL:
    return 20;
  default:
    return 5;
  }
}

static void depends(struct plan *p, uint32_t to, uint32_t from) {
  if (from == PTX_NONE || from == to)
    return;
  for (size_t i = p->nedges; i-- > 0 && p->edge[i].to == to;)
    if (p->edge[i].from == from)
      return;
  VEC_PUSH(p->edge, p->nedges, p->cap_edges) = (struct edge){from, to};
  p->step[to].waits++;
  p->step[from].nnext++;
}

/* Nothing passes it. */
static bool fixed(const struct uop *u) {
  return (u->kind >= U_SHFL && u->kind <= U_NOP) || u->kind >= U_BRA;
}

static void after_loads(struct plan *p, uint32_t at, int k) {
  for (uint32_t i = 0; i < p->nloads[k]; i++)
    depends(p, at, p->loads[k][i]);
  p->nloads[k] = 0;
}

static void keep_order(struct plan *p, const struct uop *u, uint32_t at) {
  depends(p, at, p->barrier);
  if (fixed(u)) {
    for (int k = 0; k < 2; k++) {
      depends(p, at, p->store[k]);
      after_loads(p, at, k);
    }
    p->barrier = at;
    return;
  }
  if (!regvalues_memory(u) && u->kind != U_CPASYNC)
    return;
  int k = u->x->space == PTX_SHARED;
  if (u->kind == U_LD && u->x->cache_op == SLUICE_NC && !k)
    return;
  depends(p, at, p->store[k]);
  if (u->kind == U_LD) {
    if (p->nloads[k] < MOST_LOADS)
      p->loads[k][p->nloads[k]++] = at;
    return;
  }
  after_loads(p, at, k);
  p->store[k] = at;
}

static void add_step(struct plan *p, uint32_t uop, const uint64_t *in, uint32_t *value) {
  const struct regvalues *e = p->e;
  const struct value_node *n = regvalues_node(e, uop);
  uint32_t at = (uint32_t)p->nsteps;
  VEC_PUSH(p->step, p->nsteps, p->cap_steps) = (struct step){
      .uop = uop, .first_use = (uint32_t)p->nrefs, .latency = latency_of(regvalues_uop(e, uop))};
  for (uint32_t j = 0; j < n->nuse; j++) {
    uint32_t v = e->leaves[n->first_use + j];
    if (value[v] == PTX_NONE) {
      value[v] = (uint32_t)p->nvals;
      VEC_PUSH(p->val, p->nvals, p->cap_vals) =
          (struct val){.weight = regvalues_live(e, in, v) ? regvalues_weight(e, v) : 0, .step = PTX_NONE};
    }
    VEC_PUSH(p->ref, p->nrefs, p->cap_refs) = value[v];
    p->val[value[v]].uses++;
    depends(p, at, p->val[value[v]].step);
  }
  p->step[at].nuse = n->nuse;
  p->step[at].first_def = (uint32_t)p->nrefs;
  p->step[at].ndef = n->ndef;
  for (uint32_t j = 0; j < n->ndef; j++) {
    uint32_t v = e->leaves[n->first_def + j];
    value[v] = (uint32_t)p->nvals;
    VEC_PUSH(p->val, p->nvals, p->cap_vals) = (struct val){.weight = regvalues_weight(e, v), .step = at};
    VEC_PUSH(p->ref, p->nrefs, p->cap_refs) = value[v];
  }
  keep_order(p, regvalues_uop(e, uop), at);
}

static void pin(struct plan *p, const struct block *k, const uint64_t *out, uint32_t *value) {
  const struct regvalues *e = p->e;
  for (uint32_t i = k->first; i < k->end; i++) {
    const struct value_node *n = regvalues_node(e, i);
    for (uint32_t j = 0; j < n->nuse + n->ndef; j++) {
      uint32_t v = e->leaves[j < n->nuse ? n->first_use + j : n->first_def + j - n->nuse];
      if (value[v] != PTX_NONE && regvalues_live(e, out, v))
        p->val[value[v]].pinned = true;
      value[v] = PTX_NONE; /* as it was */
    }
  }
}

static void make_steps(struct plan *p, uint32_t block, uint32_t copies, uint32_t *value) {
  const struct regvalues *e = p->e;
  const struct block *k = &e->l->blocks[e->first + block];
  p->store[0] = p->store[1] = p->barrier = PTX_NONE;
  for (uint32_t c = 1; c <= copies; c++)
    for (uint32_t i = k->first; i < k->end; i++) {
      const struct value_node *n = regvalues_node(e, i);
      const struct uop *u = regvalues_uop(e, i);
      bool leaves =
          u->kind >= U_BRA && u->kind != U_BAR && u->kind != U_CALL; /* between copies: predicates alone */
      if (!e->dead[i - e->first_uop] && (n->ndef || n->nuse || n->constants || fixed(u)) &&
          !(leaves && c < copies))
        add_step(p, i, e->in + (size_t)block * e->words, value);
    }
  pin(p, k, e->out + (size_t)block * e->words, value);
}

static void link_steps(struct plan *p) {
  uint32_t at = 0;
  p->next = xmalloc((p->nedges + 1) * sizeof *p->next);
  for (size_t i = 0; i < p->nsteps; i++) {
    p->step[i].first_next = at;
    at += p->step[i].nnext;
    p->step[i].nnext = 0;
  }
  for (size_t i = 0; i < p->nedges; i++) {
    struct step *s = &p->step[p->edge[i].from];
    p->next[s->first_next + s->nnext++] = p->edge[i].to;
  }
  for (size_t i = p->nsteps; i-- > 0;) {
    struct step *s = &p->step[i];
    for (uint32_t j = 0; j < s->nnext; j++)
      if (p->step[p->next[s->first_next + j]].height > s->height)
        s->height = p->step[p->next[s->first_next + j]].height;
    s->height += s->latency;
  }
}

/* Registers that this step takes, less those it is the last to read. */
static int growth(const struct plan *p, const struct step *s) {
  int n = 0;
  for (uint32_t j = 0; j < s->ndef; j++)
    n += (int)p->val[p->ref[s->first_def + j]].weight;
  for (uint32_t j = 0; j < s->nuse; j++) {
    const struct val *v = &p->val[p->ref[s->first_use + j]];
    if (v->uses == 1 && !v->pinned)
      n -= (int)v->weight;
  }
  return n;
}

/* The step with the longest way to the end whose sources are there, if registers allow; else the one that grows least. */
static uint32_t choose(const struct plan *p, size_t first, uint32_t cycle) {
  uint32_t best = PTX_NONE, least = PTX_NONE;
  int least_growth = 0;
  for (size_t i = first, seen = 0; i < p->nsteps && seen < WINDOW; i++) {
    const struct step *s = &p->step[i];
    seen += !s->done;
    if (s->done || s->waits)
      continue;
    int g = growth(p, s);
    if (least == PTX_NONE || g < least_growth)
      least = (uint32_t)i, least_growth = g;
    if (g > 0 && (int)p->live + g > (int)p->limit)
      continue;
    const struct step *t = best == PTX_NONE ? NULL : &p->step[best];
    bool now = s->ready <= cycle, then = t && t->ready <= cycle;
    if (!t || (now != then ? now : now ? s->height > t->height : s->ready < t->ready))
      best = (uint32_t)i;
  }
  return best == PTX_NONE ? least : best;
}

static void grow(struct plan *p, uint32_t live) {
  if (live > p->most)
    p->most = live;
}

static void read_sources(struct plan *p, const struct step *s, uint32_t done) {
  bool late = regvalues_memory(regvalues_uop(p->e, s->uop));
  while (p->first_held < p->nheld && p->held[p->first_held].until <= done)
    p->holding -= p->held[p->first_held++].weight;
  grow(p, p->live + regvalues_node(p->e, s->uop)->constants);
  for (uint32_t j = 0; j < s->nuse; j++) {
    struct val *v = &p->val[p->ref[s->first_use + j]];
    if (--v->uses || v->pinned)
      continue;
    p->live -= v->weight;
    if (late) {
      p->holding += v->weight;
      VEC_PUSH(p->held, p->nheld, p->cap_held) = (struct held){done + HOLD, v->weight};
    }
  }
}

static void write_results(struct plan *p, const struct step *s) {
  uint32_t unread = 0;
  for (uint32_t j = 0; j < s->ndef; j++) {
    const struct val *v = &p->val[p->ref[s->first_def + j]];
    p->live += v->weight;
    if (!v->uses && !v->pinned)
      unread += v->weight;
  }
  grow(p, p->live);
  uint32_t with = p->live + p->holding;
  grow(p, with < p->limit ? with : p->limit); /* held registers are given up where there are no others */
  p->live -= unread;
}

uint32_t order_scheduled(const struct regvalues *e, uint32_t block, uint32_t copies, uint32_t limit,
                         uint32_t *value) {
  struct plan p = {.e = e, .limit = limit};
  make_steps(&p, block, copies, value);
  link_steps(&p);
  p.live = p.most = regvalues_sum(e, e->in + (size_t)block * e->words);
  uint32_t cycle = 0;
  for (size_t done = 0, first = 0; done < p.nsteps; done++, cycle++) {
    while (p.step[first].done)
      first++;
    struct step *s = &p.step[choose(&p, first, cycle)];
    s->done = true;
    if (s->ready > cycle)
      cycle = s->ready;
    read_sources(&p, s, (uint32_t)done);
    write_results(&p, s);
    for (uint32_t j = 0; j < s->nnext; j++) {
      struct step *t = &p.step[p.next[s->first_next + j]];
      t->waits--;
      if (t->ready < cycle + s->latency)
        t->ready = cycle + s->latency;
    }
  }
  free(p.step), free(p.val), free(p.ref), free(p.edge), free(p.next), free(p.held);
  return p.most;
}

/* The last uop of a block that writes it, or PTX_NONE. */
static uint32_t writer(const struct regvalues *e, const struct block *k, slot_t s) {
  for (uint32_t i = k->end; SLOT_AREA(s) == SLOT_REG && i-- > k->first;)
    if (regvalues_uop(e, i)->d == s)
      return i;
  return PTX_NONE;
}

/* A counter that a constant is added to in every iteration, as it is or by way of copies and sums. */
static bool counts(const struct regvalues *e, const struct block *k, slot_t s) {
  for (int depth = 0; depth < 4; depth++) {
    uint32_t at = writer(e, k, s);
    if (at == PTX_NONE)
      return false;
    const struct uop *u = regvalues_uop(e, at);
    const struct mnem *m = regvalues_mnem(e, u);
    if (u->kind != U_ALU || !m ||
        !(tok_is(m, 0, "add") || tok_is(m, 0, "sub") || tok_is(m, 0, "mov") || tok_is(m, 0, "cvt")))
      return false;
    if (u->a == s || u->b == s)
      return SLOT_AREA(u->a == s ? u->b : u->a) == SLOT_CONST;
    s = SLOT_AREA(u->a) == SLOT_REG ? u->a : u->b;
  }
  return false;
}

uint32_t order_unrolled(const struct regvalues *e, uint32_t block) {
  const struct block *k = &e->l->blocks[e->first + block];
  const struct uop *u = k->end > k->first ? regvalues_uop(e, k->end - 1) : NULL;
  if (!u || u->kind != U_BRA || !(u->flags & UF_GUARD) || u->target != e->first + block)
    return 1;
  uint32_t n = 0;
  for (uint32_t i = k->first; i + 1 < k->end && n <= UNROLL; i++) {
    if (fixed(regvalues_uop(e, i)))
      return 1;
    n += regvalues_node(e, i)->ndef || regvalues_node(e, i)->nuse;
  }
  uint32_t test = n <= UNROLL ? writer(e, k, u->guard) : PTX_NONE;
  if (test == PTX_NONE || !n ||
      !(counts(e, k, regvalues_uop(e, test)->a) || counts(e, k, regvalues_uop(e, test)->b)))
    return 1;
  uint32_t copies = UNROLL / n;
  return copies > COPIES ? COPIES : copies ? copies : 1;
}
