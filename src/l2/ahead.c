#include "l2/ahead.h"
#include "base/least.h"

/* Notes for how many cycles from this one on every slice can send an answer and some request is not answered, or up to which cycle. */
static void see_left(const struct partition *c, struct ahead *a, uint64_t cycle) {
  uint64_t inside = 0, room = NEVER, at = 0;
  for (const struct l2_slice *s = c->slice, *end = s + c->nslices; s < end; s++) {
    inside += s->stats.requests - s->stats.answers;
    sooner(&room, port_slots(s->out, c->tick));
    if (s->delay_count)
      later(&at, s->delay[(s->delay_head + s->delay_count - 1) & s->delay_mask].at);
  }
  uint64_t outlasted = c->nslices == 2 ? (inside + 1) / 2 : (inside + c->nslices - 1) / c->nslices;
  uint64_t known = c->known ? *c->known : 0;
  bool delayed = at > cycle + outlasted; /* the youngest request is answered after its delay */
  a->left = delayed ? NEVER : outlasted;
  a->stop = delayed ? min64(a->end, at) : a->end;
  if (room >= a->left)
    return;
  if (known > cycle + room) /* all slots up to there are known */
    sooner(&a->stop, known);
  else
    a->left = room;
}

static void end(struct partition *c, uint64_t next) {
  c->fresh = c->now + 1;
  c->want = next;
  partition_dram_clock(c);
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
  } else { /* a slice may have slots that are not known yet */
    for (uint32_t i = 0; i < c->nslices; i++)
      if (c->slice[i].response_blocked)
        sooner(next, max64(c->now + 1, c->known ? *c->known : 0));
  }
  if ((!a->left || *next >= a->stop) && *next < a->end)
    see_left(c, a, *next);
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

/* The cycle in which the next request of a slice is received, as far as cycles are simulated; NEVER: in none of them. */
static uint64_t received_at(const struct partition *c, const struct l2_slice *s) {
  const struct engine *e = c->engine;
  uint64_t message = port_next_message(s->in), at;
  if (message > e->now)
    return NEVER;
  at = max64(engine_cycle(e, DOMAIN_L2) - engine_cycles(e, DOMAIN_L2, e->now - message), s->received + 1);
  while (at < c->fresh && s->shut >> (at - c->base) & 1)
    at++;
  return at < c->fresh ? at : NEVER;
}

void ahead_catch_up(struct partition *c, uint64_t cycle) {
  for (struct l2_slice *s = c->slice, *end = s + c->nslices; s < end; s++)
    for (uint64_t at; (at = received_at(c, s)) < cycle;) {
      c->now = c->core_now = at;
      c->tick = at * c->engine->period[DOMAIN_L2];
      slice_receive(c, s);
    }
}

uint64_t ahead_receive(struct partition *c, uint64_t cycle) {
  uint64_t next = NEVER;
  if (c->known)
    ahead_catch_up(c, cycle);
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
