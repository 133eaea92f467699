#include "noc/xbar.h"
#include "base/bits.h"

#define NOBODY UINT32_MAX
enum { ERA = 1 << 15 };                                 /* cycles */
enum { AT_ONCE = sizeof(uint64_t) / sizeof(uint16_t) }; /* inputs that are looked at together */

/* What each part has for itself. */
static void own(struct xbar *x) {
  x->asked = xcalloc(x->n, sizeof *x->asked);
  x->head = xcalloc(x->inputs, sizeof *x->head);
  for (uint32_t i = 0; i < x->inputs; i++)
    x->head[i].number = UINT16_MAX;
  x->others = x->n == x->outputs ? NULL : xcalloc(x->inputs / AT_ONCE + 1, sizeof(uint64_t));
  x->era = UINT64_MAX;
}

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes) {
  *x = (struct xbar){.engine = e,
                     .inputs = inputs,
                     .outputs = outputs,
                     .n = outputs,
                     .response = response,
                     .flit_bytes = flit_bytes,
                     .sms_per_link = 1,
                     .domain = domain};
  x->in = memset(xaligned(inputs * sizeof *x->in), 0, inputs * sizeof *x->in);
  x->out = memset(xaligned(outputs * sizeof *x->out), 0, outputs * sizeof *x->out);
  x->busy = xcalloc(inputs, sizeof *x->busy);
  x->output = xcalloc(outputs, sizeof *x->output);
  size_t words = inputs / AT_ONCE + 1;
  x->sent = xcalloc(words, sizeof(uint64_t));
  x->taken = xcalloc(words, sizeof(uint64_t));
  x->unit_of = xcalloc(outputs, sizeof *x->unit_of);
  own(x);
  for (uint32_t o = 0; o < outputs; o++)
    x->output[o].best = NOBODY;
  for (uint32_t m = 0; m < 1 << MEM_SECTORS; m++)
    x->flits_of[m] = (8 + count_bits(m) * MEM_SECTOR + flit_bytes - 1) / flit_bytes;
}

void xbar_input(struct xbar *x, uint32_t i, uint32_t slots, uint64_t data, uint64_t credit) {
  port_init(&x->in[i], slots, sizeof(struct mem_request), data, credit);
  x->in[i].sent = &x->sent[i];
}

void xbar_split(struct xbar *x, uint32_t n, struct engine *const *engine) {
  uint32_t outputs = x->outputs;
  x->nmore = n - 1;
  x->more = xcalloc(n, sizeof *x->more);
  free(x->asked), free(x->head), free(x->others);
  for (uint32_t i = n; i-- > 0;) { /* the first is the last: the others are copies of it as it was */
    struct xbar *part = xbar_part(x, i);
    if (i)
      *part = *x, part->more = NULL, part->nmore = 0;
    part->engine = engine[i];
    part->first = (uint32_t)((uint64_t)outputs * i / n);
    part->n = (uint32_t)((uint64_t)outputs * (i + 1) / n) - part->first;
    own(part);
  }
}

struct xbar *xbar_part(struct xbar *x, uint32_t i) {
  return i ? &x->more[i - 1] : x;
}

void xbar_add(struct xbar *x, const char *name) {
  for (uint32_t i = 0; i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    part->unit = engine_add(part->engine, name, part->domain, part, xbar_cycle);
    for (uint32_t o = part->first; o < part->first + part->n; o++)
      x->unit_of[o] = part->unit;
  }
  x->all = x->unit;
}

void xbar_ends(struct xbar *x, const uint32_t *sender, const uint32_t *receiver) {
  for (uint32_t i = 0; i <= x->nmore; i++)
    xbar_part(x, i)->sender = sender, xbar_part(x, i)->receiver = receiver;
}

struct xbar_counts xbar_counts(const struct xbar *x) {
  struct xbar_counts n = {x->messages, x->flits, x->wait_cycles};
  for (uint32_t i = 0; i < x->nmore; i++) {
    n.messages += x->more[i].messages;
    n.flits += x->more[i].flits;
    n.wait_cycles += x->more[i].wait_cycles;
  }
  return n;
}

void xbar_destroy(struct xbar *x) {
  for (uint32_t i = 0; i < x->inputs; i++)
    port_destroy(&x->in[i]);
  for (uint32_t i = 0; i < x->outputs; i++)
    port_destroy(&x->out[i]);
  for (uint32_t i = 0; i < x->nmore; i++)
    free(x->more[i].asked), free(x->more[i].head), free(x->more[i].others);
  free(x->in), free(x->out), free(x->busy), free(x->output), free(x->sent), free(x->taken), free(x->unit_of);
  free(x->asked), free(x->head), free(x->others), free(x->more);
  voqs_free(x->voqs);
}

static uint64_t to_cycle(const struct xbar *x, uint64_t tick) {
  return engine_cycle_at(x->engine, x->domain, tick);
}

/* Has input i a message, and if so, how many were before it? Another part may take it meanwhile, but only if it is not for
 * this one. */
static inline bool has_head(const struct xbar *x, uint32_t i, uint16_t *number) {
  uint16_t sent = __atomic_load_n(&x->sent[i], __ATOMIC_ACQUIRE);
  *number = __atomic_load_n(&x->taken[i], __ATOMIC_ACQUIRE);
  return sent != *number;
}

/* The head of an input that has one. Heads that wait are not looked at again. */
static inline const struct xbar_head *head(struct xbar *x, uint32_t i, uint16_t number) {
  struct xbar_head *h = &x->head[i];
  if (h->number != number) {
    h->number = number;
    h->to = xbar_output(x, port_message(&x->in[i], number));
    h->mine = h->to - x->first < x->n;
    if (h->mine)
      h->at = *port_when(&x->in[i], number);
    else
      x->others[i] = number;
  }
  return h;
}

/* The head of input i goes. It has waited since it arrived, or since the one before it had passed. */
static inline __attribute__((always_inline)) void move(struct xbar *x, uint32_t i, uint32_t o,
                                                       uint64_t cycle) {
  struct port *p = &x->in[i];
  uint64_t period = x->engine->period[x->domain], since_arrival = x->engine->now - x->head[i].at,
           waited = cycle - x->busy[i];
  if (since_arrival < waited * period)
    waited = since_arrival < period ? 0 : since_arrival / period;
  const struct mem_request *r = port_message(p, p->popped);
  port_take(p);
  const uint8_t *then = port_message(p, p->popped);
  __builtin_prefetch(then), __builtin_prefetch(then + 64); /* if there is one, it is the next head */
  xbar_send(x, i, o, r, waited, cycle);
  __atomic_store_n(&x->taken[i], (uint16_t)p->popped, __ATOMIC_RELEASE); /* others see busy[i], too */
}

/* A message of input i has gone. If there is another that is for another part, that is told; if it came just now and is not
 * seen here, who sent it tells. Returns whether one is seen. */
static inline bool another(struct xbar *x, uint32_t i, uint64_t cycle) {
  uint16_t number;
  if (!has_head(x, i, &number))
    return false;
  if (x->n == x->outputs)
    return true;
  const struct engine *e = x->engine;
  uint32_t unit = x->unit_of[head(x, i, number)->to];
  if (unit != x->unit)
    engine_wake(x->engine, unit, e->now + (x->busy[i] - cycle) * e->period[x->domain]);
  return true;
}

static inline void sooner(uint64_t *next, uint64_t t) {
  if (t < *next)
    *next = t;
}

/* What an output does with the input it would choose. Returns when to look again. */
static inline uint64_t serve(struct xbar *x, uint32_t o, uint64_t cycle) {
  struct xbar_output *out = &x->output[o];
  uint32_t i = out->best;
  bool more = out->more;
  out->best = NOBODY;
  out->more = false;
  if (out->busy > cycle)
    return out->busy;
  if (!port_room(&x->out[o], x->engine->now))
    return to_cycle(x, port_next_room(&x->out[o])); /* not known yet: the receiver wakes us */
  move(x, i, o, cycle);
  out->turn = i + 1 == x->inputs ? 0 : i + 1;
  return another(x, i, cycle) || more ? out->busy : NEVER; /* the input's link is free then as well */
}

/* Every head for which there is room passes; who comes first when there is little rotates. */
static uint64_t ideal_cycle(struct xbar *x, uint64_t cycle) {
  uint64_t now = x->engine->now, next = NEVER;
  uint32_t start = (uint32_t)(cycle % x->inputs);
  for (uint32_t k = 0; k < x->inputs; k++) {
    uint32_t i = start + k < x->inputs ? start + k : start + k - x->inputs;
    uint16_t number;
    if (has_head(x, i, &number) && head(x, i, number)->at <= now) {
      uint32_t o = x->head[i].to;
      if (port_room(&x->out[o], now)) {
        move(x, i, o, cycle);
      } else { /* not known yet: the receiver wakes us */
        sooner(&next, to_cycle(x, port_next_room(&x->out[o])));
        continue;
      }
    }
    if (has_head(x, i, &number)) {
      uint64_t at = head(x, i, number)->at;
      sooner(&next, at <= now ? cycle + 1 : to_cycle(x, at));
    }
  }
  return next;
}

/* The counts of AT_ONCE inputs. */
static inline uint64_t together(const uint16_t *count) {
  typedef uint64_t __attribute__((may_alias)) counts;
  return __atomic_load_n((const counts *)(const void *)count, __ATOMIC_ACQUIRE);
}

/* The highest bit of each count that is not 0. */
static inline uint64_t not_zero(uint64_t counts) {
  const uint64_t high = UINT64_C(0x8000800080008000);
  return (((counts & ~high) + ~high) | counts) & high;
}

/* Of AT_ONCE inputs from i on: a bit for each that has a message which may be for this part. */
static inline uint64_t some(const struct xbar *x, uint32_t i) {
  uint64_t sent = together(&x->sent[i]), taken = together(&x->taken[i]);
  if (sent == taken)
    return 0;
  uint64_t waiting = not_zero(sent ^ taken);
  return x->others ? waiting & not_zero(taken ^ together(&x->others[i])) : waiting;
}

/* Counts of messages wrap, so that what is known of a head does not hold forever. An input passes one message in a cycle at
 * most: within an era no count comes twice. */
static void forget(struct xbar *x, uint64_t era) {
  x->era = era;
  for (uint32_t i = 0; i < x->inputs; i++)
    x->others[i] = x->head[i].number = (uint16_t)(__atomic_load_n(&x->taken[i], __ATOMIC_ACQUIRE) - 1);
}

/* An input asks for the output that its head is for, unless it cannot yet; returns when it can. Of those that ask, which do
 * so in ascending order, the first from the output's turn on is best. */
static inline uint64_t ask(struct xbar *x, uint32_t i, const struct xbar_head *h, uint64_t cycle,
                           uint32_t *nasked) {
  if (!h->mine)
    return NEVER;
  if (h->at > x->engine->now)
    return to_cycle(x, h->at);
  if (x->busy[i] > cycle)
    return x->busy[i];
  struct xbar_output *out = &x->output[h->to];
  if (out->best == NOBODY) {
    x->asked[(*nasked)++] = h->to;
    out->best = i;
  } else {
    out->more = true;
    if (out->best < out->turn && i >= out->turn)
      out->best = i;
  }
  return NEVER;
}

static uint64_t round_robin_cycle(struct xbar *x, uint64_t cycle) {
  uint64_t next = NEVER;
  uint32_t nasked = 0;
  uint16_t number;
  if (x->others && x->era != cycle / ERA)
    forget(x, cycle / ERA);
  for (uint32_t first = 0; first < x->inputs; first += AT_ONCE)
    for (uint64_t m = some(x, first); m; m &= m - 1) {
      uint32_t i = first + (uint32_t)__builtin_ctzll(m) / (8 * sizeof number);
      if (has_head(x, i, &number))
        sooner(&next, ask(x, i, head(x, i, number), cycle, &nasked));
    }
  for (uint32_t k = 0; k < nasked; k++)
    sooner(&next, serve(x, x->asked[k], cycle));
  return next == NEVER || next > cycle ? next : cycle + 1;
}

uint64_t xbar_cycle(void *self, uint64_t cycle) {
  struct xbar *x = self;
  if (x->allocator == NOC_ISLIP)
    return islip_cycle(x, cycle);
  if (x->allocator == NOC_IDEAL)
    return ideal_cycle(x, cycle);
  return round_robin_cycle(x, cycle);
}
