#include "noc/xbar.h"
#include "base/bits.h"

#define NOBODY UINT32_MAX
enum { AT_ONCE = sizeof(uint64_t) / sizeof(uint16_t) }; /* inputs that are looked at together */

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes) {
  *x = (struct xbar){.engine = e,
                     .inputs = inputs,
                     .outputs = outputs,
                     .response = response,
                     .flit_bytes = flit_bytes,
                     .sms_per_link = 1,
                     .domain = domain};
  x->in = memset(xaligned(inputs * sizeof *x->in), 0, inputs * sizeof *x->in);
  x->out = memset(xaligned(outputs * sizeof *x->out), 0, outputs * sizeof *x->out);
  x->input = xcalloc(inputs, sizeof *x->input);
  x->output = xcalloc(outputs, sizeof *x->output);
  size_t words = inputs / AT_ONCE + 1;
  x->sent = xcalloc(words, sizeof(uint64_t));
  x->taken = xcalloc(words, sizeof(uint64_t));
  x->asked = xcalloc(outputs, sizeof *x->asked);
  for (uint32_t i = 0; i < inputs; i++)
    x->input[i].at = NEVER;
  for (uint32_t o = 0; o < outputs; o++)
    x->output[o].best = NOBODY;
  for (uint32_t m = 0; m < 1 << MEM_SECTORS; m++)
    x->flits_of[m] = (8 + count_bits(m) * MEM_SECTOR + flit_bytes - 1) / flit_bytes;
}

void xbar_input(struct xbar *x, uint32_t i, uint32_t slots, uint64_t data, uint64_t credit) {
  port_init(&x->in[i], slots, sizeof(struct mem_request), data, credit);
  x->in[i].sent = &x->sent[i];
}

void xbar_destroy(struct xbar *x) {
  for (uint32_t i = 0; i < x->inputs; i++)
    port_destroy(&x->in[i]);
  for (uint32_t i = 0; i < x->outputs; i++)
    port_destroy(&x->out[i]);
  free(x->in), free(x->out), free(x->input), free(x->output), free(x->sent), free(x->taken), free(x->asked);
  voqs_free(x->voqs);
}

static uint64_t to_cycle(const struct xbar *x, uint64_t tick) {
  return engine_cycle_at(x->engine, x->domain, tick);
}

/* When the head of an input that has one arrives. Heads that wait are not looked at again. */
static inline uint64_t head(struct xbar *x, uint32_t i) {
  struct xbar_input *in = &x->input[i];
  if (in->at == NEVER) {
    in->to = xbar_output(x, port_front(&x->in[i], NEVER));
    in->at = port_next_message(&x->in[i]);
  }
  return in->at;
}

static inline bool has_head(const struct xbar *x, uint32_t i) {
  return __atomic_load_n(&x->sent[i], __ATOMIC_ACQUIRE) != x->taken[i];
}

/* The head of input i goes. It has waited since it arrived, or since the one before it had passed. */
static inline __attribute__((always_inline)) void move(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle) {
  struct xbar_input *in = &x->input[i];
  struct port *p = &x->in[i];
  uint64_t period = x->engine->period[x->domain], since_arrival = x->engine->now - in->at,
           waited = cycle - in->busy;
  if (since_arrival < waited * period)
    waited = since_arrival < period ? 0 : since_arrival / period;
  const struct mem_request *r = port_message(p, p->popped);
  port_take(p);
  x->taken[i] = (uint16_t)p->popped;
  in->at = NEVER;
  const uint8_t *then = port_message(p, p->popped);
  __builtin_prefetch(then), __builtin_prefetch(then + 64); /* if there is one, it is the next head */
  xbar_send(x, i, o, r, waited, cycle);
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
  return more || has_head(x, i) ? out->busy : NEVER; /* the input's link is free then as well */
}

/* Every head for which there is room passes; who comes first when there is little rotates. */
static uint64_t ideal_cycle(struct xbar *x, uint64_t cycle) {
  uint64_t now = x->engine->now, next = NEVER;
  uint32_t start = (uint32_t)(cycle % x->inputs);
  for (uint32_t k = 0; k < x->inputs; k++) {
    uint32_t i = start + k < x->inputs ? start + k : start + k - x->inputs;
    if (has_head(x, i) && head(x, i) <= now) {
      uint32_t o = x->input[i].to;
      if (port_room(&x->out[o], now)) {
        move(x, i, o, cycle);
      } else { /* not known yet: the receiver wakes us */
        sooner(&next, to_cycle(x, port_next_room(&x->out[o])));
        continue;
      }
    }
    if (has_head(x, i))
      sooner(&next, head(x, i) <= now ? cycle + 1 : to_cycle(x, head(x, i)));
  }
  return next;
}

/* Do some of AT_ONCE inputs have messages? */
static inline bool some(const struct xbar *x, uint32_t i) {
  typedef uint64_t __attribute__((may_alias)) together;
  const together *sent = (const together *)(const void *)&x->sent[i],
                 *taken = (const together *)(const void *)&x->taken[i];
  return __atomic_load_n(sent, __ATOMIC_ACQUIRE) != *taken;
}

/* Input i has a head: it asks for its output, unless it cannot yet; returns when it can. Of those that ask, which do so
 * in ascending order, the first from the output's turn on is best. */
static inline uint64_t ask(struct xbar *x, uint32_t i, uint64_t now, uint64_t cycle, uint32_t *nasked) {
  uint64_t at = head(x, i);
  const struct xbar_input *in = &x->input[i];
  if (at > now)
    return to_cycle(x, at);
  if (in->busy > cycle)
    return in->busy;
  struct xbar_output *out = &x->output[in->to];
  if (out->best == NOBODY) {
    x->asked[(*nasked)++] = in->to;
    out->best = i;
  } else {
    out->more = true;
    if (out->best < out->turn && i >= out->turn)
      out->best = i;
  }
  return NEVER;
}

static uint64_t round_robin_cycle(struct xbar *x, uint64_t cycle) {
  uint64_t now = x->engine->now, next = NEVER;
  uint32_t nasked = 0;
  for (uint32_t first = 0; first < x->inputs; first += AT_ONCE) {
    if (!some(x, first))
      continue;
    for (uint32_t i = first; i < first + AT_ONCE; i++)
      if (has_head(x, i))
        sooner(&next, ask(x, i, now, cycle, &nasked));
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
