/* Makes a crossbar, sets its senders and receivers, reads its counters, destroys it. Its cycles: xbar.c. */
#include "noc/xbar.h"
#include "base/mem.h"
#include "noc/alloc/round_robin.h"
#include <stdlib.h>

/* Allocates the memory that each part has for itself. */
static void own(struct xbar *x) {
  x->asked = xcalloc(x->n, sizeof *x->asked);
  x->head = xcalloc(x->inputs, sizeof *x->head);
  for (uint32_t i = 0; i < x->inputs; i++)
    x->head[i].number = UINT16_MAX;
  x->waits = xcalloc(x->inputs / 64 + 1, sizeof *x->waits);
  x->others = x->n == x->outputs ? NULL : xcalloc(counts_room(x->inputs), sizeof(uint16_t));
  x->era = UINT64_MAX;
  x->later = xcalloc((size_t)XBAR_LATER * (x->inputs / 64 + 1), sizeof *x->later);
}

static void disown(struct xbar *x) {
  free(x->asked), free(x->head), free(x->waits), free(x->others), free(x->view), free(x->later);
}

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes) {
  *x = (struct xbar){.engine = e,
                     .inputs = inputs,
                     .outputs = outputs,
                     .n = outputs,
                     .response = response,
                     .large_kinds =
                         (uint8_t)(UINT8_MAX << MEM_ATOMIC | 1 << (response ? MEM_READ : MEM_WRITE)),
                     .flit_bytes = flit_bytes,
                     .sms_per_link = 1,
                     .speedup = 1,
                     .domain = domain,
                     .period = e->period[domain]};
  x->in = memset(xaligned(inputs * sizeof *x->in), 0, inputs * sizeof *x->in);
  x->out = memset(xaligned(outputs * sizeof *x->out), 0, outputs * sizeof *x->out);
  x->busy = xcalloc(inputs, sizeof *x->busy);
  x->link = xcalloc(inputs, sizeof *x->link);
  x->output = memset(xaligned(outputs * sizeof *x->output), 0, outputs * sizeof *x->output);
  x->sent = xcalloc(counts_room(inputs), sizeof *x->sent);
  x->taken = xcalloc(counts_room(inputs), sizeof *x->taken);
  x->unit_of = xcalloc(outputs, sizeof *x->unit_of);
  own(x);
  x->words = (inputs + 63) / 64;
  x->want = x->words == 1 ? NULL : xcalloc((size_t)outputs * x->words, sizeof *x->want);
  for (uint32_t o = 0; o < outputs; o++) {
    struct xbar_output *out = &x->output[o];
    out->want = x->want ? &x->want[o * x->words] : &out->set;
    out->from = NEVER;
  }
  for (uint32_t m = 0; m < 1 << MEM_SECTORS; m++) {
    x->flits_of[m] = (8 + count_bits(m) * MEM_SECTOR + flit_bytes - 1) / flit_bytes;
    x->packets_of[m] = 1;
  }
}

void xbar_input(struct xbar *x, uint32_t i, uint32_t slots, uint64_t data, uint64_t credit) {
  port_init(&x->in[i], slots, sizeof(struct mem_request), data, credit);
  x->in[i].sent = &x->sent[i];
}

void xbar_split(struct xbar *x, uint32_t n, struct engine *const *engine) {
  uint32_t outputs = x->outputs;
  x->nmore = n - 1;
  x->more = xcalloc(n, sizeof *x->more);
  disown(x);
  for (uint32_t i = n; i-- > 0;) { /* the first part comes last: the others are copies of it, unchanged */
    struct xbar *part = xbar_part(x, i);
    if (i)
      *part = *x, part->more = NULL, part->nmore = 0;
    part->engine = engine[i];
    part->first = (uint32_t)((uint64_t)outputs * i / n);
    part->n = (uint32_t)((uint64_t)outputs * (i + 1) / n) - part->first;
    own(part);
  }
}

void xbar_see_late(struct xbar *x) {
  x->moved = xcalloc(x->inputs, sizeof *x->moved);
  for (uint32_t i = 0; i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    part->moved = x->moved;
    part->view = xcalloc(counts_room(x->inputs), sizeof(uint16_t));
  }
}

struct xbar *xbar_part(struct xbar *x, uint32_t i) {
  return i ? &x->more[i - 1] : x;
}

void xbar_add(struct xbar *x, const char *name) {
  for (uint32_t i = 0; i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    part->unit = engine_add(part->engine, name, part->domain, part, xbar_cycle);
    if (x->nmore) /* a part acts on an input when a message was pushed and another part moved the message before it */
      engine_share(part->engine, part->unit);
    for (uint32_t o = part->first; o < part->first + part->n; o++)
      x->unit_of[o] = part->unit;
  }
  x->all = x->unit;
}

/* As struct form (xbar.c) says. */
static bool is_usual(const struct xbar *x) {
  bool here = x->even && x->allocator == NOC_ROUND_ROBIN && !x->engine->general;
  for (uint32_t i = 0; i < x->inputs; i++)
    here &= x->sender[i] >> UNIT_SHARD_SHIFT == x->engine->shard;
  return here && x->packets == x->packets_even && x->speedup == 2 && x->words == 1 && x->outputs <= 64 &&
         x->sms_per_link == 1 && !x->masked[1];
}

void xbar_ends(struct xbar *x, const uint32_t *sender, const uint32_t *receiver) {
  const struct engine *e = x->engine;
  bool even = x->out->data % x->period == 0;
  for (uint32_t o = 0; o < x->outputs; o++)
    even &= x->out[o].data == x->out->data && receiver[o] >> UNIT_SHARD_SHIFT == e->shard &&
            (receiver[o] >> UNIT_CLOCK_SHIFT & 3) == e->clock[x->domain];
  for (uint32_t i = 0; i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    part->sender = sender, part->receiver = receiver;
    part->packets_even = x->packets && x->flits_of[1] == 1 && x->words == 1;
    for (uint32_t m = 1; m < 1 << MEM_SECTORS; m++)
      part->packets_of[m] = (uint8_t)(x->packets ? count_bits(m) : 1);
    part->even = even && !x->nmore, part->arrive = x->out->data / x->period;
  }
  x->usual = is_usual(x);
}

void xbar_settle(struct xbar *x, uint64_t cycle) {
  for (uint32_t i = 0; x->packets_even && i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    for (uint32_t o = part->first; o < part->first + part->n; o++)
      packets_settle(part, &part->output[o], cycle + 1);
  }
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

void xbar_mask_bytes(struct xbar *x, uint32_t bytes) {
  for (uint32_t n = 0; bytes && n <= MEM_SECTORS; n++)
    x->masked[n] = (8 + n * MEM_SECTOR + bytes + x->flit_bytes - 1) / x->flit_bytes;
}

void xbar_destroy(struct xbar *x) {
  for (uint32_t i = 0; i < x->inputs; i++)
    port_destroy(&x->in[i]);
  for (uint32_t i = 0; i < x->outputs; i++)
    port_destroy(&x->out[i]);
  for (uint32_t i = 0; i < x->nmore; i++)
    disown(&x->more[i]);
  disown(x);
  free(x->in), free(x->out), free(x->busy), free(x->link), free(x->output), free(x->sent), free(x->taken),
      free(x->unit_of), free(x->from), free(x->until);
  free(x->want), free(x->more), free(x->moved);
  xbar_post_free(x);
  voqs_free(x->voqs);
}

void xbar_may_run_ahead(struct xbar *x, struct xbar_sender *from, uint32_t reach) {
  free(x->from);
  x->from = from, x->reach = reach;
}

void xbar_receivers_ahead(struct xbar *x, const uint64_t **until) {
  free(x->until);
  x->until = until;
}
