#include "l2/ahead.h"
#include "base/least.h"

static void end(struct partition *c, uint64_t next) {
  c->fresh = c->now + 1;
  c->want = next;
  for (struct l2_slice *s = c->slice, *last = s + c->nslices; s < last; s++)
    if (port_next_message(s->in) <= c->tick) /* found the buffer full until now, as do those behind it */
      s->received = c->now;
}

void ahead_note_shut(struct partition *c, struct ahead *a, uint64_t next) {
  a->open = NEVER;
  for (struct l2_slice *s = c->slice, *end = s + c->nslices; s < end; s++) {
    if (s->open_until <= next)
      s->open_until = slice_note_shut(c, s, next);
    sooner(&a->open, s->open_until);
  }
}

static void begin(struct partition *c) {
  c->base = c->now;
  c->dram_edge = c->engine->edge[DOMAIN_DRAM];
  c->core_edge = c->engine->edge[DOMAIN_CORE];
  for (struct l2_slice *s = c->slice, *last = s + c->nslices; s < last; s++)
    s->shut = s->open_until = 0;
}

bool ahead_look(struct partition *c, struct ahead *a, uint64_t *next) {
  const struct engine *e = c->engine;
  uint64_t period = e->period[DOMAIN_L2];
  bool begins = !a->end;
  if (begins) {
    if (!c->reach || !e->horizon)
      return false;
    a->end = min64(c->now + c->reach, (e->horizon - 1) / period + 1);
  } else if (!a->left) { /* a slice may have slots that are not known yet */
    for (uint32_t i = 0; i < c->nslices; i++)
      *next = c->slice[i].response_blocked ? c->now + 1 : *next;
  }
  /* left: cycles in which every slice can send an answer and that some request outlasts */
  if (!a->left && *next < a->end) {
    uint64_t inside = 0, room = NEVER;
    for (const struct l2_slice *s = c->slice, *last = s + c->nslices; s < last; s++) {
      inside += s->stats.requests - s->stats.answers;
      sooner(&room, port_slots(s->out, *next * period));
    }
    a->left = min64(c->nslices == 2 ? (inside + 1) / 2 : (inside + c->nslices - 1) / c->nslices, room);
  }
  uint64_t least = begins ? min64(AHEAD_LEAST, c->slice->out->capacity / 2) : 1;
  bool goes_on = *next < a->end && a->left && a->left >= least;
  if (begins && goes_on)
    begin(c);
  else if (begins)
    c->look_at = c->now + AHEAD_LEAST;
  else if (!goes_on)
    end(c, *next);
  return goes_on;
}

uint64_t ahead_receive(struct partition *c, uint64_t cycle) {
  uint64_t next = NEVER;
  c->now = cycle;
  c->tick = c->engine->now;
  c->core_now = engine_cycle(c->engine, DOMAIN_CORE);
  for (struct l2_slice *s = c->slice, *end = s + c->nslices; s < end; s++) {
    sooner(&next, slice_receive(c, s));
    sooner(&c->want, s->due);
  }
  sooner(&next, c->want);
  return next;
}
