#include "base/bits.h"
#include "noc/xbar.h"

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes) {
  *x = (struct xbar){.engine = e,
                     .inputs = inputs,
                     .outputs = outputs,
                     .response = response,
                     .flit_bytes = flit_bytes,
                     .domain = domain};
  x->in = xcalloc(inputs, sizeof *x->in);
  x->out = xcalloc(outputs, sizeof *x->out);
  x->in_busy = xcalloc(inputs, sizeof *x->in_busy);
  x->out_busy = xcalloc(outputs, sizeof *x->out_busy);
  x->turn = xcalloc(outputs, sizeof *x->turn);
  x->best = xcalloc(outputs, sizeof *x->best);
  for (uint32_t o = 0; o < outputs; o++)
    x->best[o] = UINT32_MAX;
}

void xbar_destroy(struct xbar *x) {
  for (uint32_t i = 0; i < x->inputs; i++)
    port_destroy(&x->in[i]);
  for (uint32_t i = 0; i < x->outputs; i++)
    port_destroy(&x->out[i]);
  free(x->in), free(x->out), free(x->in_busy), free(x->out_busy), free(x->turn), free(x->best);
}

static uint32_t flits_of(const struct xbar *x, const struct mem_request *r) {
  bool data = r->kind == MEM_ATOMIC || (r->kind == MEM_WRITE) != x->response;
  uint32_t bytes = 8 + (data ? count_bits(r->sectors) * MEM_SECTOR : 0);
  return (bytes + x->flit_bytes - 1) / x->flit_bytes;
}

static uint64_t to_cycle(const struct xbar *x, uint64_t tick) {
  return engine_cycle_at(x->engine, x->domain, tick);
}

static void move(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle) {
  uint64_t now = x->engine->now;
  struct mem_request *r = port_front(&x->in[i], now);
  uint32_t flits = flits_of(x, r);
  uint64_t period = x->engine->period[x->domain],
           arrived = cycle - (now - port_next_message(&x->in[i])) / period;
  uint64_t since = arrived > x->in_busy[i] ? arrived : x->in_busy[i];
  x->wait_cycles += cycle - since; /* at the head of its input */
  x->messages++;
  x->flits += flits;
  if (!x->ideal)
    x->in_busy[i] = x->out_busy[o] = cycle + flits;
  /* the message is whole when its last flit has passed */
  uint64_t tail = x->ideal ? now : now + (flits - 1) * x->engine->period[x->domain];
  port_push(&x->out[o], tail, r);
  engine_wake(x->engine, x->receiver[o], tail + x->out[o].data);
  port_pop(&x->in[i], now);
  engine_wake(x->engine, x->sender[i], now + x->in[i].credit);
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

uint64_t xbar_cycle(void *self, uint64_t cycle) {
  struct xbar *x = self;
  uint64_t now = x->engine->now, next = NEVER;
  bool any = false;
  for (uint32_t i = 0; i < x->inputs; i++) {
    uint64_t at = port_next_message(&x->in[i]);
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
    const struct mem_request *r = port_front(&x->in[i], now);
    uint32_t o = x->response ? r->sm : r->slice;
    if (x->ideal) {
      if (port_room(&x->out[o], now))
        move(x, i, o, cycle);
      sooner(&next, cycle + 1);
      continue;
    }
    /* of those that ask, the first from the output's turn on */
    uint32_t t = x->turn[o], mine = i >= t ? i - t : i + x->inputs - t, b = x->best[o];
    if (b == UINT32_MAX || mine < (b >= t ? b - t : b + x->inputs - t))
      x->best[o] = i;
  }
  for (uint32_t o = 0; any && o < x->outputs; o++)
    if (x->best[o] != UINT32_MAX)
      sooner(&next, serve(x, o, cycle));
  return next == NEVER || next > cycle ? next : cycle + 1;
}
