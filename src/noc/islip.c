/* Virtual output queues and their matching by iSLIP.
 *
 *   input i ─ port ─▶ slots, in a list for each output ──┐ request
 *                        ▲                                ▼
 *                        └─ accept (rotates) ◀── grant (rotates) of each free output
 *
 * A message that has arrived is put in its queue at once; its slot of the port is given back when it leaves. */
#include "noc/xbar.h"

#define NONE UINT32_MAX

struct voqs {
  uint32_t iterations, slots, words; /* words: of a set of inputs */
  struct mem_request *message;       /* [input][slot] */
  uint64_t *arrived;                 /* [input][slot]: cycle */
  uint32_t *next;                    /* [input][slot]: behind it in its queue, or the next free one */
  uint32_t *head, *tail;             /* [input][output] */
  uint64_t *left;                    /* [input][output]: cycle at which the last one was gone */
  uint32_t *free;                    /* [input] */
  uint64_t *want;                    /* [output][word]: inputs with something for it */
  uint32_t *accept;                  /* [input]: output that is asked first */
  uint32_t *granted;                 /* [input]: the best grant of this round */
  uint8_t *matched;                  /* [output], in this cycle */
  uint64_t *open;                    /* [word]: inputs that are free, in this cycle */
};

void xbar_use_islip(struct xbar *x, uint32_t iterations, uint32_t slots) {
  struct voqs *v = xcalloc(1, sizeof *v);
  size_t ni = x->inputs, no = x->outputs;
  v->iterations = iterations;
  v->slots = slots;
  v->words = (x->inputs + 63) / 64;
  v->message = xcalloc(ni * slots, sizeof *v->message);
  v->arrived = xcalloc(ni * slots, sizeof *v->arrived);
  v->next = xcalloc(ni * slots, sizeof *v->next);
  v->head = xcalloc(ni * no, sizeof *v->head);
  v->tail = xcalloc(ni * no, sizeof *v->tail);
  v->left = xcalloc(ni * no, sizeof *v->left);
  v->free = xcalloc(ni, sizeof *v->free);
  v->want = xcalloc(no * v->words, sizeof *v->want);
  v->accept = xcalloc(ni, sizeof *v->accept);
  v->granted = xcalloc(ni, sizeof *v->granted);
  v->matched = xcalloc(no, sizeof *v->matched);
  v->open = xcalloc(v->words, sizeof *v->open);
  for (size_t i = 0; i < ni; i++) {
    for (uint32_t s = 0; s < slots; s++)
      v->next[i * slots + s] = s + 1 < slots ? s + 1 : NONE;
    v->granted[i] = NONE;
  }
  for (size_t i = 0; i < ni * no; i++)
    v->head[i] = NONE;
  x->voqs = v;
  x->allocator = NOC_ISLIP;
}

void voqs_free(struct voqs *v) {
  if (!v)
    return;
  free(v->message), free(v->arrived), free(v->next), free(v->head), free(v->tail), free(v->left);
  free(v->free), free(v->want), free(v->accept), free(v->granted), free(v->matched), free(v->open);
  free(v);
}

static void put(struct xbar *x, uint32_t i, const struct mem_request *r, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint32_t o = xbar_output(x, r), s = v->free[i];
  size_t q = (size_t)i * x->outputs + o, base = (size_t)i * v->slots;
  v->free[i] = v->next[base + s];
  v->message[base + s] = *r;
  v->arrived[base + s] = cycle;
  v->next[base + s] = NONE;
  if (v->head[q] == NONE)
    v->head[q] = s;
  else
    v->next[base + v->tail[q]] = s;
  v->tail[q] = s;
  v->want[(size_t)o * v->words + i / 64] |= UINT64_C(1) << i % 64;
}

static void take(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle) {
  struct voqs *v = x->voqs;
  size_t q = (size_t)i * x->outputs + o, base = (size_t)i * v->slots;
  uint32_t s = v->head[q];
  uint64_t since = v->arrived[base + s] > v->left[q] ? v->arrived[base + s] : v->left[q];
  xbar_send(x, i, o, &v->message[base + s], cycle - since, cycle);
  v->left[q] = x->output[o].busy;
  v->head[q] = v->next[base + s];
  v->next[base + s] = v->free[i];
  v->free[i] = s;
  if (v->head[q] == NONE)
    v->want[(size_t)o * v->words + i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* The first input from `from` on that asks and is free. */
static uint32_t first_from(const struct voqs *v, const uint64_t *want, uint32_t from) {
  for (uint32_t k = 0; k <= v->words; k++) {
    uint32_t w = from / 64 + k;
    bool wrapped = w >= v->words;
    w -= wrapped ? v->words : 0;
    uint64_t set = want[w] & v->open[w];
    if (k == 0)
      set &= UINT64_MAX << from % 64;
    if (k == v->words)
      set &= ~(UINT64_MAX << from % 64);
    if (set)
      return w * 64 + (uint32_t)__builtin_ctzll(set);
  }
  return NONE;
}

/* How far output o is from the one input i asks first. */
static uint32_t distance(const struct xbar *x, uint32_t i, uint32_t o) {
  uint32_t a = x->voqs->accept[i];
  return o >= a ? o - a : o + x->outputs - a;
}

/* Grants and accepts once. False: no output found an input. */
static bool match_once(struct xbar *x, uint64_t cycle, bool first) {
  struct voqs *v = x->voqs;
  bool any = false;
  for (uint32_t o = 0; o < x->outputs; o++) {
    if (v->matched[o])
      continue;
    uint32_t i = first_from(v, v->want + (size_t)o * v->words, x->output[o].turn);
    if (i == NONE)
      continue;
    any = true;
    if (v->granted[i] == NONE || distance(x, i, o) < distance(x, i, v->granted[i]))
      v->granted[i] = o;
  }
  for (uint32_t i = 0; any && i < x->inputs; i++) {
    uint32_t o = v->granted[i];
    if (o == NONE)
      continue;
    v->granted[i] = NONE;
    if (first) {
      x->output[o].turn = i + 1 == x->inputs ? 0 : i + 1;
      v->accept[i] = o + 1 == x->outputs ? 0 : o + 1;
    }
    take(x, i, o, cycle);
    v->matched[o] = 1;
    v->open[i / 64] &= ~(UINT64_C(1) << i % 64);
  }
  return any;
}

static void sooner(uint64_t *next, uint64_t t) {
  if (t < *next)
    *next = t;
}

/* Puts what has arrived into its queue; returns when more does. */
static uint64_t arrivals(struct xbar *x, uint64_t cycle) {
  uint64_t now = x->engine->now, next = NEVER;
  for (uint32_t i = 0; i < x->inputs; i++) {
    const struct mem_request *r;
    while ((r = port_front(&x->in[i], now))) {
      put(x, i, r, cycle);
      port_take(&x->in[i]);
    }
    sooner(&next, engine_cycle_at(x->engine, x->domain, port_next_message(&x->in[i])));
  }
  return next;
}

/* The first cycle after this one in which an output could take something that is here. */
static uint64_t next_chance(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint64_t next = NEVER;
  for (uint32_t o = 0; o < x->outputs; o++) {
    const uint64_t *want = v->want + (size_t)o * v->words;
    uint64_t at = NEVER;
    for (uint32_t w = 0; w < v->words; w++)
      for (uint64_t m = want[w]; m; m &= m - 1)
        sooner(&at, x->busy[w * 64 + (uint32_t)__builtin_ctzll(m)]);
    if (at == NEVER)
      continue;
    if (!port_room(&x->out[o], x->engine->now)) { /* NEVER: not known yet, the receiver wakes us */
      uint64_t room = engine_cycle_at(x->engine, x->domain, port_next_room(&x->out[o]));
      at = room > at ? room : at;
    }
    if (x->output[o].busy > at)
      at = x->output[o].busy;
    sooner(&next, at > cycle ? at : cycle + 1);
  }
  return next;
}

uint64_t islip_cycle(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint64_t next = arrivals(x, cycle);
  for (uint32_t w = 0; w < v->words; w++)
    v->open[w] = 0;
  for (uint32_t i = 0; i < x->inputs; i++)
    if (x->busy[i] <= cycle)
      v->open[i / 64] |= UINT64_C(1) << i % 64;
  for (uint32_t o = 0; o < x->outputs; o++)
    v->matched[o] = x->output[o].busy > cycle || !port_room(&x->out[o], x->engine->now);
  for (uint32_t k = 0; k < v->iterations && match_once(x, cycle, k == 0); k++) {
  }
  sooner(&next, next_chance(x, cycle));
  return next;
}
