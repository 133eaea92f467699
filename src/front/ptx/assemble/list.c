/* List scheduling: of the instructions whose sources are there, the one goes first that most cycles depend on,
 * unless registers run out; then one that frees some.
 *
 *   block    … region … | fixed | … region … | end      nothing leaves its region
 *
 *   node     ──edge, latency──▶ node                      source ready, register free, memory in order
 *   value    what one write of a register holds; its readers that are still to come say when it dies */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

enum { REGION_MAX = 1024 };

struct node {
  uint32_t height;       /* cycles from here to the end of the region */
  uint32_t npred, ready; /* instructions to wait for; cycle in which sources are there */
  uint32_t first_edge, first_use, first_def;
  uint16_t latency;
};
struct edge {
  uint32_t to, next;
  uint32_t latency;
};
struct value {
  uint32_t reg, def; /* def: node, or PTX_NONE: lives at the region's head */
  uint32_t readers, first_reader;
  bool lives_out;
};
struct link { /* of a list of values or nodes */
  uint32_t what, next;
};
struct access {
  uint32_t node;
  struct asm_place place;
  bool writes;
};

struct list {
  struct asm_fn *a;
  const struct asm_live *live;
  uint8_t *after; /* by register: live behind the region */
  uint32_t *version, *value_of, *stamp, region;
  struct node *nodes;
  size_t n, cap_nodes;
  struct edge *edges;
  size_t nedges, cap_edges;
  struct value *values;
  size_t nvalues, cap_values;
  struct link *links;
  size_t nlinks, cap_links;
  struct access *accesses;
  size_t naccesses, cap_accesses;
  uint32_t *ready;
  size_t nready, cap_ready;
  struct ptx_inst *out;
  size_t nout, cap_out;
  uint32_t at; /* node being built */
  unsigned pressure;
};

static void add_edge(struct list *s, uint32_t from, uint32_t to, uint32_t latency) {
  if (from == to)
    return;
  VEC_PUSH(s->edges, s->nedges, s->cap_edges) =
      (struct edge){.to = to, .next = s->nodes[from].first_edge, .latency = latency};
  s->nodes[from].first_edge = (uint32_t)s->nedges - 1;
  s->nodes[to].npred++;
}

static uint32_t add_link(struct list *s, uint32_t what, uint32_t next) {
  VEC_PUSH(s->links, s->nlinks, s->cap_links) = (struct link){what, next};
  return (uint32_t)s->nlinks - 1;
}

static uint32_t new_value(struct list *s, uint32_t reg, uint32_t def) {
  VEC_PUSH(s->values, s->nvalues, s->cap_values) =
      (struct value){.reg = reg, .def = def, .first_reader = PTX_NONE};
  s->stamp[reg] = s->region;
  return s->value_of[reg] = (uint32_t)s->nvalues - 1;
}

static void read_value(struct list *s, uint32_t v) {
  struct value *x = &s->values[v];
  struct node *n = &s->nodes[s->at];
  if (x->first_reader != PTX_NONE && s->links[x->first_reader].what == s->at)
    return; /* twice in one instruction */
  x->first_reader = add_link(s, s->at, x->first_reader);
  x->readers++;
  n->first_use = add_link(s, v, n->first_use);
  if (x->def != PTX_NONE)
    add_edge(s, x->def, s->at, s->nodes[x->def].latency);
}

static void note_operand(void *ctx, uint32_t reg, enum asm_role role) {
  struct list *s = ctx;
  bool here = s->stamp[reg] == s->region;
  if (role != ASM_DEF)
    read_value(s, here ? s->value_of[reg] : new_value(s, reg, PTX_NONE));
  if (role == ASM_USE)
    return;
  if (role == ASM_DEF_PART || here) {
    const struct value *old = &s->values[s->value_of[reg]];
    if (old->def != PTX_NONE)
      add_edge(s, old->def, s->at, 1);
    for (uint32_t i = old->first_reader; i != PTX_NONE; i = s->links[i].next)
      add_edge(s, s->links[i].what, s->at, 0);
  }
  s->version[reg]++;
  s->nodes[s->at].first_def = add_link(s, new_value(s, reg, s->at), s->nodes[s->at].first_def);
}

/* Writes keep their order. A read waits for the last write that may overlap it, a write for all such reads. */
static void note_access(struct list *s, const struct ptx_inst *in, enum asm_kind kind) {
  struct access x = {s->at, asm_place(s->a, in, s->version), kind != ASM_LOAD};
  if (kind == ASM_ATOM)
    x.place = (struct asm_place){.space = PTX_GENERIC};
  if (asm_traits(s->a, in)->read_only)
    return;
  bool ordered = false; /* with the writes before */
  for (size_t i = s->naccesses; i-- > 0;) {
    const struct access *y = &s->accesses[i];
    if (!x.writes && !y->writes)
      continue;
    if ((x.writes && y->writes) ? ordered : !asm_may_overlap(s->a, &x.place, &y->place))
      continue;
    add_edge(s, y->node, s->at, y->writes ? 1 : 0);
    if (!x.writes)
      break;
    ordered |= y->writes;
  }
  VEC_PUSH(s->accesses, s->naccesses, s->cap_accesses) = x;
}

static void build(struct list *s, const struct ptx_inst *v, size_t n) {
  s->region++;
  s->n = s->nedges = s->nvalues = s->nlinks = s->naccesses = 0;
  for (size_t i = 0; i < n; i++) {
    enum asm_kind kind = asm_kind(s->a, &v[i]);
    VEC_PUSH(s->nodes, s->n, s->cap_nodes) = (struct node){.first_edge = PTX_NONE,
                                                           .first_use = PTX_NONE,
                                                           .first_def = PTX_NONE,
                                                           .latency = asm_traits(s->a, &v[i])->latency};
    s->at = (uint32_t)i;
    if (kind != ASM_PURE)
      note_access(s, &v[i], kind);
    asm_visit(s->a, &v[i], note_operand, s);
  }
  for (size_t i = n; i-- > 0;) {
    struct node *x = &s->nodes[i];
    for (uint32_t e = x->first_edge; e != PTX_NONE; e = s->edges[e].next) {
      uint32_t h = s->nodes[s->edges[e].to].height + (s->edges[e].latency ? s->edges[e].latency : 1);
      if (h > x->height)
        x->height = h;
    }
  }
}

/* What is live before the region, from what is live behind it. */
static void live_back(void *ctx, uint32_t reg, enum asm_role role) {
  struct list *s = ctx;
  s->after[reg] = role != ASM_DEF;
}

static void kill_only(void *ctx, uint32_t reg, enum asm_role role) {
  if (role == ASM_DEF)
    live_back(ctx, reg, role);
}

static void use_only(void *ctx, uint32_t reg, enum asm_role role) {
  if (role != ASM_DEF)
    live_back(ctx, reg, role);
}

static void step_back(struct list *s, const struct ptx_inst *in) {
  asm_visit(s->a, in, kill_only, s);
  asm_visit(s->a, in, use_only, s);
}

static int delta(const struct list *s, const struct node *n) {
  int d = 0;
  for (uint32_t i = n->first_def; i != PTX_NONE; i = s->links[i].next) {
    const struct value *v = &s->values[s->links[i].what];
    if (v->readers || v->lives_out)
      d += (int)asm_weight(s->a, v->reg);
  }
  for (uint32_t i = n->first_use; i != PTX_NONE; i = s->links[i].next) {
    const struct value *v = &s->values[s->links[i].what];
    if (v->readers == 1 && !v->lives_out)
      d -= (int)asm_weight(s->a, v->reg);
  }
  return d;
}

/* Is x the better choice in cycle `now`? Both are indices of the ready list's nodes. */
static bool better(const struct list *s, uint32_t x, int dx, uint32_t y, int dy, uint32_t now) {
  const struct node *a = &s->nodes[x], *b = &s->nodes[y];
  bool bad_a = dx > 0 && (int)s->pressure + dx > (int)s->a->budget,
       bad_b = dy > 0 && (int)s->pressure + dy > (int)s->a->budget;
  if (bad_a != bad_b)
    return bad_b;
  if (bad_a && dx != dy)
    return dx < dy;
  uint32_t wait_a = a->ready > now ? a->ready : now, wait_b = b->ready > now ? b->ready : now;
  if (wait_a != wait_b)
    return wait_a < wait_b;
  return a->height != b->height ? a->height > b->height : x < y;
}

static void issue(struct list *s, uint32_t x, uint32_t now) {
  struct node *n = &s->nodes[x];
  s->pressure = (unsigned)((int)s->pressure + delta(s, n));
  for (uint32_t i = n->first_use; i != PTX_NONE; i = s->links[i].next)
    s->values[s->links[i].what].readers--;
  for (uint32_t e = n->first_edge; e != PTX_NONE; e = s->edges[e].next) {
    struct node *to = &s->nodes[s->edges[e].to];
    if (to->ready < now + s->edges[e].latency)
      to->ready = now + s->edges[e].latency;
    if (--to->npred == 0)
      VEC_PUSH(s->ready, s->nready, s->cap_ready) = s->edges[e].to;
  }
}

static void order_region(struct list *s, struct ptx_inst *v, size_t n) {
  build(s, v, n);
  for (size_t i = 0; i < s->nvalues; i++) {
    struct value *x = &s->values[i];
    x->lives_out = s->after[x->reg] && s->value_of[x->reg] == i;
  }
  for (size_t i = n; i-- > 0;)
    step_back(s, &v[i]);
  s->pressure = 0;
  for (uint32_t r = 0; r <= s->a->nregs; r++)
    if (s->after[r])
      s->pressure += asm_weight(s->a, r);
  s->nready = s->nout = 0;
  for (uint32_t i = 0; i < n; i++)
    if (!s->nodes[i].npred)
      VEC_PUSH(s->ready, s->nready, s->cap_ready) = i;
  for (uint32_t now = 0; s->nready;) {
    size_t best = 0;
    int best_delta = delta(s, &s->nodes[s->ready[0]]);
    for (size_t i = 1; i < s->nready; i++) {
      int d = delta(s, &s->nodes[s->ready[i]]);
      if (better(s, s->ready[i], d, s->ready[best], best_delta, now))
        best = i, best_delta = d;
    }
    uint32_t x = s->ready[best];
    s->ready[best] = s->ready[--s->nready];
    if (s->nodes[x].ready > now)
      now = s->nodes[x].ready;
    issue(s, x, now++);
    VEC_PUSH(s->out, s->nout, s->cap_out) = v[x];
  }
  if (s->nout != n)
    panic("a cycle among %zu instructions of '%s'", n, s->a->f->name);
  memcpy(v, s->out, n * sizeof *v);
}

static bool movable(const struct asm_fn *a, const struct ptx_inst *in) {
  enum asm_kind k = asm_kind(a, in);
  return k != ASM_FIXED && k != ASM_END;
}

static void order_block(struct list *s, size_t b) {
  struct asm_block *k = &s->a->blocks[b];
  memset(s->after, 0, s->a->nregs + 1);
  for (uint32_t w = 0; w < s->live->words; w++)
    for (uint64_t bits = s->live->out[b * s->live->words + w]; bits; bits &= bits - 1)
      s->after[s->live->of_number[w * 64 + (uint32_t)__builtin_ctzll(bits)]] = 1;
  for (size_t end = k->n; end;) {
    if (!movable(s->a, &k->v[end - 1])) {
      step_back(s, &k->v[--end]);
      continue;
    }
    size_t first = end - 1;
    while (first && end - first < REGION_MAX && movable(s->a, &k->v[first - 1]))
      first--;
    order_region(s, k->v + first, end - first);
    end = first;
  }
}

void asm_schedule(struct asm_fn *a) {
  struct asm_live live;
  asm_liveness(a, &live);
  size_t n = a->nregs + 1;
  struct list s = {.a = a, .live = &live};
  s.after = xcalloc(n, 1);
  s.version = xcalloc(n, sizeof *s.version), s.value_of = xcalloc(n, sizeof *s.value_of),
  s.stamp = xcalloc(n, sizeof *s.stamp);
  for (size_t b = 0; b < a->nblocks; b++)
    order_block(&s, b);
  free(s.after), free(s.version), free(s.value_of), free(s.stamp), free(s.nodes), free(s.edges),
      free(s.values), free(s.links), free(s.accesses), free(s.ready), free(s.out);
  asm_live_free(&live);
}
