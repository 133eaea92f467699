#include "noc/xbar.h"
#include "base/bits.h"

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
  x->in_busy = xcalloc(inputs, sizeof *x->in_busy);
  x->out_busy = xcalloc(outputs, sizeof *x->out_busy);
  x->turn = xcalloc(outputs, sizeof *x->turn);
  x->head_at = xmalloc(inputs * sizeof *x->head_at);
  x->head_for = xcalloc(inputs, sizeof *x->head_for);
  for (uint32_t i = 0; i < inputs; i++)
    x->head_at[i] = NEVER;
  x->best = xcalloc(outputs, sizeof *x->best);
  x->asked = xcalloc(outputs / 64 + 1, sizeof *x->asked);
  for (uint32_t o = 0; o < outputs; o++)
    x->best[o] = UINT32_MAX;
  for (uint32_t n = 0; n <= MEM_SECTORS; n++)
    x->flits_of[n] = (8 + n * MEM_SECTOR + flit_bytes - 1) / flit_bytes;
}

void xbar_destroy(struct xbar *x) {
  for (uint32_t i = 0; i < x->inputs; i++)
    port_destroy(&x->in[i]);
  for (uint32_t i = 0; i < x->outputs; i++)
    port_destroy(&x->out[i]);
  free(x->in), free(x->out), free(x->in_busy), free(x->out_busy), free(x->turn), free(x->best),
      free(x->asked), free(x->head_at), free(x->head_for);
  voqs_free(x->voqs);
}

static uint32_t flits_of(const struct xbar *x, const struct mem_request *r) {
  bool data = r->kind >= MEM_ATOMIC || ((r->kind == MEM_WRITE) != x->response && !(r->flags & MEM_NACK));
  return x->flits_of[data ? count_bits(r->sectors) : 0];
}

static uint64_t to_cycle(const struct xbar *x, uint64_t tick) {
  return engine_cycle_at(x->engine, x->domain, tick);
}

void xbar_send(struct xbar *x, uint32_t i, uint32_t o, const struct mem_request *r, uint64_t since,
               uint64_t cycle) {
  bool ideal = x->allocator == NOC_IDEAL;
  uint64_t now = x->engine->now;
  uint32_t flits = flits_of(x, r);
  x->wait_cycles += cycle - since;
  x->messages++;
  x->flits += flits;
  if (!ideal)
    x->in_busy[i] = x->out_busy[o] = cycle + flits;
  /* the message is whole when its last flit has passed */
  uint64_t tail = ideal ? now : now + (flits - 1) * x->engine->period[x->domain];
  *(struct mem_request *)port_next(&x->out[o]) = *r;
  port_send(&x->out[o], tail);
  engine_wake(x->engine, x->receiver[o], tail + x->out[o].data);
  port_release(&x->in[i], now);
  engine_wake(x->engine, x->sender[i], now + x->in[i].credit);
}

/* When the head of input i arrives; NEVER: there is none. Heads that wait are not looked at again. */
static inline uint64_t head(struct xbar *x, uint32_t i) {
  if (x->head_at[i] != NEVER)
    return x->head_at[i];
  const struct mem_request *r = port_front(&x->in[i], NEVER);
  if (!r)
    return NEVER;
  x->head_for[i] = xbar_output(x, r);
  return x->head_at[i] = port_next_message(&x->in[i]);
}

/* The head of input i goes. */
static void move(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle) {
  uint64_t now = x->engine->now, period = x->engine->period[x->domain], waited = now - x->head_at[i],
           arrived = cycle - (waited < period ? 0 : waited / period);
  const struct mem_request *r = port_front(&x->in[i], now);
  port_take(&x->in[i]);
  x->head_at[i] = NEVER;
  const uint8_t *then = x->in[i].message + (size_t)(x->in[i].popped & x->in[i].mask) * x->in[i].size;
  __builtin_prefetch(then), __builtin_prefetch(then + 64); /* if there is one, it is the next head */
  xbar_send(x, i, o, r, arrived > x->in_busy[i] ? arrived : x->in_busy[i], cycle);
}

static void sooner(uint64_t *next, uint64_t t) {
  if (t < *next)
    *next = t;
}

/* What an output does with the input it would choose. Returns when to look again. */
static uint64_t serve(struct xbar *x, uint32_t o, uint64_t cycle) {
  uint32_t i = x->best[o];
  x->best[o] = UINT32_MAX;
  if (x->out_busy[o] > cycle)
    return x->out_busy[o];
  if (!port_room(&x->out[o], x->engine->now))
    return to_cycle(x, port_next_room(&x->out[o])); /* not known yet: the receiver wakes us */
  move(x, i, o, cycle);
  x->turn[o] = i + 1 == x->inputs ? 0 : i + 1;
  return cycle + 1;
}

/* Every head for which there is room passes; who comes first when there is little rotates. */
static uint64_t ideal_cycle(struct xbar *x, uint64_t cycle) {
  uint64_t now = x->engine->now, next = NEVER;
  uint32_t start = (uint32_t)(cycle % x->inputs);
  for (uint32_t k = 0; k < x->inputs; k++) {
    uint32_t i = start + k < x->inputs ? start + k : start + k - x->inputs;
    if (head(x, i) <= now) {
      uint32_t o = x->head_for[i];
      if (port_room(&x->out[o], now)) {
        move(x, i, o, cycle);
      } else { /* not known yet: the receiver wakes us */
        sooner(&next, to_cycle(x, port_next_room(&x->out[o])));
        continue;
      }
    }
    uint64_t at = head(x, i);
    if (at != NEVER)
      sooner(&next, at <= now ? cycle + 1 : to_cycle(x, at));
  }
  return next;
}

uint64_t xbar_cycle(void *self, uint64_t cycle) {
  struct xbar *x = self;
  if (x->allocator == NOC_ISLIP)
    return islip_cycle(x, cycle);
  if (x->allocator == NOC_IDEAL)
    return ideal_cycle(x, cycle);
  uint64_t now = x->engine->now, next = NEVER;
  bool any = false;
  for (uint32_t i = 0; i < x->inputs; i++) {
    uint64_t at = head(x, i);
    if (at == NEVER)
      continue;
    if (at > now) {
      sooner(&next, to_cycle(x, at));
      continue;
    }
    any = true;
    if (x->in_busy[i] > cycle) {
      sooner(&next, x->in_busy[i]);
      continue;
    }
    uint32_t o = x->head_for[i];
    /* of those that ask, the first from the output's turn on */
    uint32_t t = x->turn[o], mine = i >= t ? i - t : i + x->inputs - t, b = x->best[o];
    if (b == UINT32_MAX || mine < (b >= t ? b - t : b + x->inputs - t))
      x->best[o] = i;
    x->asked[o / 64] |= UINT64_C(1) << o % 64;
  }
  for (uint32_t w = 0; any && w <= (x->outputs - 1) / 64; w++) {
    for (uint64_t m = x->asked[w]; m; m &= m - 1)
      sooner(&next, serve(x, w * 64 + (uint32_t)__builtin_ctzll(m), cycle));
    x->asked[w] = 0;
  }
  return next == NEVER || next > cycle ? next : cycle + 1;
}
