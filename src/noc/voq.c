#include "noc/voq.h"

static void upcoming_add(const struct voqs *v, struct upcoming *u, uint32_t i, uint64_t cycle, uint64_t at) {
  uint64_t slot = (at - cycle < UPCOMING ? at : cycle + UPCOMING - 1) % UPCOMING;
  u->set[slot * v->words + i / 64] |= UINT64_C(1) << i % 64;
  u->cycles |= UINT64_C(1) << slot;
}

/* Cycles after `last` up to this one that have somebody, as bits by slot. */
static uint64_t upcoming_until(const struct upcoming *u, uint64_t last, uint64_t cycle) {
  if (cycle - last >= UPCOMING)
    return u->cycles;
  uint64_t n = cycle - last, from = (last + 1) % UPCOMING, m = n ? UINT64_MAX >> (UPCOMING - n) : 0;
  return u->cycles & (m << from | (from ? m >> (UPCOMING - from) : 0));
}

static struct voqs *use(struct xbar *x, const struct voq_rule *rule, uint32_t slots) {
  struct voqs *v = xcalloc(1, sizeof *v);
  size_t ni = x->inputs, no = x->outputs;
  v->rule = rule;
  v->slots = slots;
  v->words = (x->inputs + 63) / 64;
  v->out_words = (x->outputs + 63) / 64;
  v->message = xcalloc(ni * slots, sizeof *v->message);
  v->slot = xcalloc(ni * slots, sizeof *v->slot);
  v->queue = xcalloc(ni * no, sizeof *v->queue);
  v->free = xcalloc(ni, sizeof *v->free);
  v->want = xcalloc(no * v->words, sizeof *v->want);
  v->nwant = xcalloc(no, sizeof *v->nwant);
  v->asked = xcalloc(v->out_words, sizeof *v->asked);
  v->accept = xcalloc(ni, sizeof *v->accept);
  v->granted = xcalloc(ni, sizeof *v->granted);
  v->grants = xcalloc(v->words, sizeof *v->grants);
  v->matched = xcalloc(v->out_words, sizeof *v->matched);
  v->open = xcalloc(v->words, sizeof *v->open);
  v->noted = xcalloc(v->words, sizeof *v->noted);
  v->arriving.set = xcalloc((size_t)UPCOMING * v->words, sizeof *v->arriving.set);
  v->opening.set = xcalloc((size_t)UPCOMING * v->words, sizeof *v->opening.set);
  for (size_t i = 0; i < ni; i++) {
    for (uint32_t s = 0; s < slots; s++)
      v->slot[i * slots + s].next = s + 1 < slots ? s + 1 : VOQ_NONE;
    v->granted[i] = VOQ_NONE;
    v->open[i / 64] |= UINT64_C(1) << i % 64;
  }
  for (size_t i = 0; i < ni * no; i++)
    v->queue[i].head = VOQ_NONE;
  return x->voqs = v;
}

void xbar_use_islip(struct xbar *x, uint32_t iterations, uint32_t slots) {
  use(x, &islip_rule, slots)->iterations = iterations;
  x->allocator = NOC_ISLIP;
}

void xbar_use_technique(struct xbar *x, struct tech_set *tech, uint32_t unit, uint32_t slots) {
  struct voqs *v = use(x, &technique_rule, slots);
  const struct sluice_crossbar shape = {
      .size = sizeof shape, .inputs = x->inputs, .outputs = x->outputs, .response = x->response};
  v->can = xcalloc(v->out_words, sizeof *v->can);
  v->pair = xcalloc(x->outputs, sizeof *v->pair);
  v->tech = tech_allocator(tech, unit, &shape);
  v->fifo = v->tech.fifo;
  guard_init(&v->guard, tech);
  x->allocator = NOC_TECHNIQUE;
}

const struct tech_guard *xbar_guard(const struct xbar *x) {
  return x->voqs ? &x->voqs->guard : NULL;
}

void voqs_free(struct voqs *v) {
  if (!v)
    return;
  free(v->message), free(v->slot), free(v->queue);
  free(v->free), free(v->want), free(v->nwant), free(v->asked), free(v->accept), free(v->granted);
  free(v->grants), free(v->matched), free(v->open), free(v->noted), free(v->arriving.set),
      free(v->opening.set);
  free(v->can), free(v->pair);
  guard_destroy(&v->guard);
  free(v);
}

/* Input i has something for output o, or has no longer. */
static inline void wants(struct voqs *v, uint32_t i, uint32_t o) {
  v->want[(size_t)o * v->words + i / 64] |= UINT64_C(1) << i % 64;
  v->asked[o / 64] |= UINT64_C(1) << o % 64;
  v->nwant[o]++;
}
static inline void wants_no_more(struct voqs *v, uint32_t i, uint32_t o) {
  v->want[(size_t)o * v->words + i / 64] &= ~(UINT64_C(1) << i % 64);
  if (!--v->nwant[o])
    v->asked[o / 64] &= ~(UINT64_C(1) << o % 64);
}

static inline struct voq *queue_of(const struct xbar *x, uint32_t i, uint32_t o) {
  return &x->voqs->queue[(size_t)i * x->outputs + (x->voqs->fifo ? 0 : o)];
}

/* The message of input i that has this number, into a slot. */
static struct voq_slot fetch(struct xbar *x, uint32_t i, uint16_t number, uint32_t s, uint64_t cycle) {
  struct voqs *v = x->voqs;
  if (x->post) {
    const struct xbar_note *n = &x->post->ring[(size_t)i * (x->post->mask + 1) + (number & x->post->mask)];
    return (struct voq_slot){cycle, VOQ_NONE, n->output, n->place, n->flits};
  }
  struct mem_request *r = &v->message[(size_t)i * v->slots + s];
  *r = *(const struct mem_request *)port_message(&x->in[i], number);
  x->in[i].popped++;
  return (struct voq_slot){cycle, VOQ_NONE, (uint16_t)xbar_output(x, r), 0, (uint8_t)xbar_flits(x, r)};
}

static void put(struct xbar *x, uint32_t i, uint16_t number, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint32_t s = v->free[i];
  struct voq_slot *slot = &v->slot[(size_t)i * v->slots];
  v->free[i] = slot[s].next;
  slot[s] = fetch(x, i, number, s, cycle);
  uint32_t o = slot[s].output;
  struct voq *q = queue_of(x, i, o);
  if (q->head == VOQ_NONE) {
    q->head = s;
    wants(v, i, o);
  } else {
    slot[q->tail].next = s;
  }
  q->tail = s;
}

void voq_take(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle) {
  struct voqs *v = x->voqs;
  struct voq *q = queue_of(x, i, o);
  uint32_t s = q->head;
  struct voq_slot *slot = &v->slot[(size_t)i * v->slots + s];
  uint64_t since = slot->arrived > q->left ? slot->arrived : q->left;
  if (x->post)
    xbar_pass(x, i, o, slot->place, xbar_passes(x, i, o, slot->flits, cycle - since, cycle));
  else
    xbar_send(x, i, o, &v->message[(size_t)i * v->slots + s], slot->flits, cycle - since, cycle);
  q->left = x->output[o].busy;
  q->head = slot->next;
  slot->next = v->free[i];
  v->free[i] = s;
  v->open[i / 64] &= ~(UINT64_C(1) << i % 64);
  upcoming_add(v, &v->opening, i, cycle, x->busy[i]);
  if (q->head != VOQ_NONE && !v->fifo)
    return;
  wants_no_more(v, i, o);
  if (q->head != VOQ_NONE)
    wants(v, i, v->slot[(size_t)i * v->slots + q->head].output);
}

/* The tick at which the message of input i that has this number is here. */
static inline uint64_t sent_at(const struct xbar *x, uint32_t i, uint16_t number) {
  return x->post ? x->post->ring[(size_t)i * (x->post->mask + 1) + (number & x->post->mask)].at
                 : x->in[i].when[number & x->in[i].mask];
}

/* Input i: what has arrived is put into its queue, what has not is noted. */
static void arrive(struct xbar *x, uint32_t i, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint64_t now = x->engine->now, bit = UINT64_C(1) << i % 64;
  uint16_t taken = x->taken[i],
           sent = __atomic_load_n(&x->sent[i], __ATOMIC_ACQUIRE); /* a sender may be at it */
  for (; taken != sent && sent_at(x, i, taken) <= now; taken++)
    put(x, i, taken, cycle);
  x->taken[i] = taken;
  v->noted[i / 64] &= ~bit;
  if (taken == sent)
    return;
  v->noted[i / 64] |= bit;
  upcoming_add(v, &v->arriving, i, cycle, engine_cycle_at(x->engine, x->domain, sent_at(x, i, taken)));
}

/* Inputs of which a message is to arrive now, or has been sent since they were last looked at. */
static void arrivals(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  for (uint64_t c = upcoming_until(&v->arriving, v->last, cycle); c; c &= c - 1) {
    uint64_t slot = (uint64_t)__builtin_ctzll(c), *set = &v->arriving.set[slot * v->words];
    v->arriving.cycles &= ~(UINT64_C(1) << slot);
    for (uint32_t w = 0; w < v->words; w++) {
      uint64_t m = set[w];
      for (set[w] = 0; m; m &= m - 1)
        arrive(x, w * 64 + (uint32_t)__builtin_ctzll(m), cycle);
    }
  }
  if (x->post && !x->post->fresh)
    return;
  if (x->post)
    x->post->fresh = false;
  for (uint32_t i = 0; i < x->inputs; i++)
    if (x->taken[i] != __atomic_load_n(&x->sent[i], __ATOMIC_ACQUIRE) && !(v->noted[i / 64] >> i % 64 & 1))
      arrive(x, i, cycle);
}

/* Links of inputs that are free again. */
static void reopen(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  for (uint64_t c = upcoming_until(&v->opening, v->last, cycle); c; c &= c - 1) {
    uint64_t slot = (uint64_t)__builtin_ctzll(c), *set = &v->opening.set[slot * v->words];
    v->opening.cycles &= ~(UINT64_C(1) << slot);
    for (uint32_t w = 0; w < v->words; w++) {
      uint64_t m = set[w];
      for (set[w] = 0; m; m &= m - 1) {
        uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
        if (x->busy[i] > cycle)
          upcoming_add(v, &v->opening, i, cycle, x->busy[i]);
        else
          v->open[w] |= UINT64_C(1) << i % 64;
      }
    }
  }
}

/* The first cycle after this one in which an output could take something that is here, its input's link being free; or in which
 * something arrives. */
static uint64_t next_chance(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint64_t next = NEVER;
  if (v->arriving.cycles) {
    unsigned at = (unsigned)((cycle + 1) % UPCOMING);
    uint64_t m = v->arriving.cycles >> at | (at ? v->arriving.cycles << (UPCOMING - at) : 0);
    next = cycle + 1 + (uint64_t)__builtin_ctzll(m);
  }
  for (uint32_t w = 0; w < v->out_words; w++)
    for (uint64_t m = v->asked[w]; m; m &= m - 1) {
      if (next == cycle + 1)
        return next;
      uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(m);
      uint64_t at = x->output[o].busy > cycle ? x->output[o].busy : cycle + 1;
      if (!xbar_room(x, o)) { /* NEVER: not known yet, the receiver wakes us */
        uint64_t room = xbar_next_room(x, o);
        at = room > at ? room : at;
      }
      sooner(&next, at);
    }
  return next;
}

uint64_t voq_cycle(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  arrivals(x, cycle);
  reopen(x, cycle);
  v->last = cycle;
  v->rule->match(x, cycle);
  return next_chance(x, cycle);
}
