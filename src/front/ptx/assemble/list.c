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

enum {
  REGION_MAX = 1024,
  MEMORY_INTERVAL = 2, /* cycles from one access to the next */
  SHORT = 5, /* a result that comes so soon is not waited for with other work: other warps fill in */
  SHORT_WAIT = 1,
  PREDICATE = 12, /* cycles from a comparison to the branch that reads it */
  MORE_REGISTERS = 8,
};

struct node {
  uint32_t height;       /* cycles from here to the end of the region */
  uint32_t npred, ready; /* instructions to wait for; cycle in which sources are there */
  uint32_t first_edge, first_use, first_def;
  uint16_t latency;
  bool memory;
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
  bool writes, pin, read_only;
  bool barrier; /* of a CTA's threads: nobody writes what is read only, whichever side of it */
  bool lanes;   /* assembler9: shuffles and votes, which say nothing of memory */
};

struct list {
  struct asm_fn *a;
  const struct asm_live *live;
  uint8_t *weights;
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
  uint32_t memory_free; /* cycle of the next access */
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

static bool must_wait(const struct list *s, const struct access *x, const struct access *y) {
  if ((x->read_only && y->barrier) || (y->read_only && x->barrier))
    return false;
  if ((x->lanes && !y->pin) || (y->lanes && !x->pin))
    return false;
  if (x->pin || y->pin)
    return true;
  if (x->read_only || y->read_only || (!x->writes && !y->writes))
    return false;
  return (x->writes && y->writes) || asm_may_overlap(s->a, &x->place, &y->place);
}

/* Writes keep their order. A read waits for the last write that may overlap it, a write for all such reads. */
static void note_access(struct list *s, const struct ptx_inst *in, enum asm_kind kind) {
  struct access x = {.node = s->at,
                     .place = asm_place(s->a, in, s->version),
                     .writes = kind != ASM_LOAD,
                     .pin = kind == ASM_PIN,
                     .barrier = kind == ASM_PIN && s->a->mnems->mnems[in->mnemonic].fn == lower_op_bar,
                     .lanes = s->a->schedule == SCHEDULE_ASSEMBLER9 && asm_traits(s->a, in)->lanes,
                     .read_only = asm_traits(s->a, in)->read_only && kind == ASM_LOAD};
  if (kind != ASM_LOAD && kind != ASM_STORE)
    x.place = (struct asm_place){.space = PTX_GENERIC};
  bool ordered = false; /* with the writes before */
  for (size_t i = s->naccesses; i-- > 0;) {
    const struct access *y = &s->accesses[i];
    if (!(ordered && y->writes && !y->pin) && must_wait(s, &x, y)) {
      add_edge(s, y->node, s->at, y->writes ? 1 : 0);
      if (!x.writes)
        break;
      ordered |= y->writes && !y->lanes;
    }
    if (y->pin && !y->lanes && !(y->barrier && x.read_only)) /* which waited for all before */
      break;
  }
  VEC_PUSH(s->accesses, s->naccesses, s->cap_accesses) = x;
}

/* The branch behind the region waits for the last write of its guard. */
static void note_guard(struct list *s, uint32_t guard) {
  if (guard == PTX_NONE || s->stamp[guard] != s->region)
    return;
  const struct value *v = &s->values[s->value_of[guard]];
  if (v->def != PTX_NONE)
    s->nodes[v->def].height = PREDICATE;
}

static void build(struct list *s, const struct ptx_inst *v, size_t n, uint32_t guard) {
  s->region++;
  s->n = s->nedges = s->nvalues = s->nlinks = s->naccesses = 0;
  for (size_t i = 0; i < n; i++) {
    enum asm_kind kind = asm_kind(s->a, &v[i]);
    VEC_PUSH(s->nodes, s->n, s->cap_nodes) =
        (struct node){.first_edge = PTX_NONE,
                      .first_use = PTX_NONE,
                      .first_def = PTX_NONE,
                      .memory = kind == ASM_LOAD || kind == ASM_STORE || kind == ASM_ATOM,
                      .latency = asm_traits(s->a, &v[i])->latency};
    s->at = (uint32_t)i;
    if (kind != ASM_PURE && !asm_is_param(s->a, &v[i]))
      note_access(s, &v[i], kind);
    asm_visit(s->a, &v[i], note_operand, s);
  }
  note_guard(s, guard);
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
  uint8_t live = role != ASM_DEF;
  if (s->after[reg] != live && live)
    s->pressure += s->weights[reg];
  else if (s->after[reg] != live) /* results of a function are not counted at its end */
    s->pressure -= s->pressure < s->weights[reg] ? s->pressure : s->weights[reg];
  s->after[reg] = live;
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
      d += (int)s->weights[v->reg];
  }
  for (uint32_t i = n->first_use; i != PTX_NONE; i = s->links[i].next) {
    const struct value *v = &s->values[s->links[i].what];
    if (v->readers == 1 && !v->lives_out)
      d -= (int)s->weights[v->reg];
  }
  return d;
}

static uint32_t earliest(const struct list *s, const struct node *n, uint32_t now) {
  uint32_t at = n->ready > now ? n->ready : now;
  return n->memory && s->memory_free > at ? s->memory_free : at;
}

/* Is x the better choice in cycle `now`? Both are indices of the ready list's nodes. */
static bool better(const struct list *s, uint32_t x, int dx, uint32_t y, int dy, uint32_t now) {
  const struct node *a = &s->nodes[x], *b = &s->nodes[y];
  bool bad_a = dx > 0 && (int)s->pressure + dx > (int)s->a->budget,
       bad_b = dy > 0 && (int)s->pressure + dy > (int)s->a->budget;
  if (bad_a != bad_b)
    return bad_b;
  if (bad_a) /* the text makes do with fewer: on with it */
    return x < y;
  uint32_t wait_a = earliest(s, a, now), wait_b = earliest(s, b, now);
  if (wait_a != wait_b)
    return wait_a < wait_b;
  return a->height != b->height ? a->height > b->height : x < y;
}

static void issue(struct list *s, uint32_t x, uint32_t now) {
  struct node *n = &s->nodes[x];
  s->pressure = (unsigned)((int)s->pressure + delta(s, n));
  if (n->memory)
    s->memory_free = now + MEMORY_INTERVAL;
  for (uint32_t i = n->first_use; i != PTX_NONE; i = s->links[i].next)
    s->values[s->links[i].what].readers--;
  for (uint32_t e = n->first_edge; e != PTX_NONE; e = s->edges[e].next) {
    struct node *to = &s->nodes[s->edges[e].to];
    uint32_t wait = s->edges[e].latency > SHORT ? s->edges[e].latency : s->edges[e].latency ? SHORT_WAIT : 0;
    if (to->ready < now + wait)
      to->ready = now + wait;
    if (--to->npred == 0)
      VEC_PUSH(s->ready, s->nready, s->cap_ready) = s->edges[e].to;
  }
}

static void order_region(struct list *s, struct ptx_inst *v, size_t n, uint32_t guard) {
  build(s, v, n, guard);
  for (size_t i = 0; i < s->nvalues; i++) {
    struct value *x = &s->values[i];
    x->lives_out = s->after[x->reg] && s->value_of[x->reg] == i;
  }
  for (size_t i = n; i-- > 0;)
    step_back(s, &v[i]);
  const unsigned before = s->pressure;
  s->nready = s->nout = 0;
  s->memory_free = 0;
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
    now = earliest(s, &s->nodes[x], now);
    issue(s, x, now++);
    VEC_PUSH(s->out, s->nout, s->cap_out) = v[x];
  }
  if (s->nout != n)
    panic("a cycle among %zu instructions of '%s'", n, s->a->f->name);
  memcpy(v, s->out, n * sizeof *v);
  s->pressure = before;
}

static bool movable(const struct asm_fn *a, const struct ptx_inst *in) {
  enum asm_kind k = asm_kind(a, in);
  return k != ASM_FIXED && k != ASM_END;
}

/* Registers that are live at the end of a block. */
static unsigned weight_at_end(const struct list *s, size_t b) {
  const struct asm_live *v = s->live;
  unsigned n = 0;
  for (uint32_t w = 0; w < v->words; w++)
    for (uint64_t bits = v->out[b * v->words + w]; bits; bits &= bits - 1)
      n += s->weights[v->of_number[w * 64 + (uint32_t)__builtin_ctzll(bits)]];
  return n;
}

static void order_block(struct list *s, size_t b) {
  struct asm_block *k = &s->a->blocks[b];
  asm_live_at_end(s->a, s->live, b, s->after);
  s->pressure = weight_at_end(s, b);
  uint32_t guard = PTX_NONE; /* of the branch behind the region */
  for (size_t end = k->n; end;) {
    if (!movable(s->a, &k->v[end - 1])) {
      guard = k->v[end - 1].guard;
      step_back(s, &k->v[--end]);
      continue;
    }
    size_t first = end - 1;
    while (first && end - first < REGION_MAX && movable(s->a, &k->v[first - 1]))
      first--;
    order_region(s, k->v + first, end - first, guard);
    end = first, guard = PTX_NONE;
  }
}

/* The most registers that the text needs in the order it has. */
static unsigned most_live(struct list *s) {
  unsigned most = 0;
  for (size_t b = 0; b < s->a->nblocks; b++) {
    const struct asm_block *k = &s->a->blocks[b];
    asm_live_at_end(s->a, s->live, b, s->after);
    s->pressure = weight_at_end(s, b);
    for (size_t i = k->n; i-- > 0;) {
      step_back(s, &k->v[i]);
      most = s->pressure > most ? s->pressure : most;
    }
  }
  return most;
}

static void begin(struct list *s, struct asm_fn *a, struct asm_live *live) {
  size_t n = a->nregs + 1;
  asm_liveness(a, live);
  *s = (struct list){.a = a, .live = live, .weights = asm_weights(a)};
  s->after = xcalloc(n, 1);
  s->version = xcalloc(n, sizeof *s->version), s->value_of = xcalloc(n, sizeof *s->value_of),
  s->stamp = xcalloc(n, sizeof *s->stamp);
}

static void end(struct list *s, struct asm_live *live) {
  free(s->after), free(s->weights), free(s->version), free(s->value_of), free(s->stamp), free(s->nodes),
      free(s->edges), free(s->values), free(s->links), free(s->accesses), free(s->ready), free(s->out);
  asm_live_free(live);
}

void asm_raise_budget(struct asm_fn *a) {
  struct asm_live live;
  struct list s;
  begin(&s, a, &live);
  unsigned most = most_live(&s);
  if (most > a->budget)
    a->budget = most + MORE_REGISTERS;
  end(&s, &live);
}

void asm_schedule(struct asm_fn *a) {
  struct asm_live live;
  struct list s;
  begin(&s, a, &live);
  for (size_t b = 0; b < a->nblocks; b++)
    order_block(&s, b);
  end(&s, &live);
}
