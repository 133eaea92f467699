#include "dram/driver.h"

enum { PROGRESS_EVERY = 1 << 16, POP_EVERY = 64 };

static void pop(struct dram *d, const struct dram_driver *o) {
  struct dram_completion c;
  while (dram_pop(d, &c))
    if (o->answered)
      o->answered(o->ctx, &c);
}

/* The cycle to advance to before the head can be handed over. */
static uint64_t until(const struct dram *d, const struct dram_request *head, uint64_t arrival) {
  uint64_t cycle = dram_cycle(d);
  if (dram_accepts(d, head))
    return (arrival > cycle ? arrival : cycle) + 1;
  return dram_next_event(d) + 1; /* nothing leaves a queue before */
}

uint64_t dram_drive(struct dram *d, const struct dram_trace_request *r, size_t n,
                    const struct dram_driver *o) {
  uint64_t steps = 0;
  uint32_t per_cycle = dram_channels(d);
  for (size_t i = 0; i < n;) {
    struct dram_request head = {.address = r[i].address, .tag = i, .mask = r[i].mask, .write = r[i].write};
    uint64_t arrival = o->as_fast_as_accepted ? 0 : r[i].cycle;
    if (!dram_advance_to_room(d, head.write))
      dram_advance(d, until(d, &head, arrival));
    uint64_t now = dram_cycle(d) - 1;
    for (uint32_t k = 0; k < per_cycle && i < n; k++) {
      head = (struct dram_request){.address = r[i].address, .tag = i, .mask = r[i].mask, .write = r[i].write};
      if ((!o->as_fast_as_accepted && r[i].cycle > now) || !dram_push(d, &head))
        break;
      i++;
    }
    if (++steps % POP_EVERY == 0)
      pop(d, o);
    if (o->progress && steps % PROGRESS_EVERY == 0)
      o->progress(o->ctx, i, n, now);
  }
  dram_flush(d);
  while (dram_waiting(d)) {
    dram_advance(d, dram_next_event(d) + 1);
    pop(d, o);
  }
  uint64_t finished = dram_finished(d);
  /* The data of the last writes is still on its way. */
  for (uint64_t last; (last = dram_last_answer(d)) != DRAM_NEVER;) {
    dram_advance(d, last + 1);
    pop(d, o);
  }
  return finished;
}
