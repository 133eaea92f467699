#include "noc/voq.h"

/* Cycles after `last` up to this one that have somebody: bit 0 is the one after `last`. */
static uint64_t upcoming_until(const struct upcoming *u, uint64_t last, uint64_t cycle) {
  uint64_t n = cycle - last, from = (last + 1) % UPCOMING;
  uint64_t m = u->cycles >> from | (from ? u->cycles << (UPCOMING - from) : 0);
  return n >= UPCOMING ? m : m & ((UINT64_C(1) << n) - 1);
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
  v->reopens = xcalloc(v->words, sizeof *v->reopens);
  v->noted = xcalloc(v->words, sizeof *v->noted);
  v->beyond_least = NEVER;
  v->arriving.set = xcalloc((size_t)UPCOMING * v->words, sizeof *v->arriving.set);
  v->opening.set = xcalloc((size_t)UPCOMING * v->words, sizeof *v->opening.set);
  for (size_t i = 0; i < ni; i++) {
    for (uint32_t s = 0; s < slots; s++)
      v->slot[i * slots + s].next = (uint16_t)(s + 1 < slots ? s + 1 : VOQ_END);
    v->granted[i] = VOQ_NONE;
    v->open[i / 64] |= UINT64_C(1) << i % 64;
  }
  for (size_t i = 0; i < ni * no; i++)
    v->queue[i].head = VOQ_END;
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
  free(v->grants), free(v->matched), free(v->open), free(v->reopens), free(v->noted);
  free(v->arriving.set), free(v->opening.set), free(v->beyond.message);
  for (uint32_t k = 0; k < UPCOMING; k++)
    free(v->due[k].message);
  free(v->can), free(v->pair);
  guard_destroy(&v->guard);
  free(v);
}

/* The message in slot s of input i has arrived: it is the last of its queue. */
static inline void enter(struct xbar *x, uint32_t i, uint16_t s) {
  struct voqs *v = x->voqs;
  struct voq_slot *slot = &v->slot[(size_t)i * v->slots];
  uint32_t o = slot[s].output;
  struct voq *q = queue_of(x, i, o);
  if (q->head == VOQ_END) {
    q->head = s;
    wants(v, i, o);
  } else {
    slot[q->tail].next = s;
  }
  q->tail = s;
}

static inline uint16_t take_slot(struct voqs *v, uint32_t i) {
  uint16_t s = v->free[i];
  v->free[i] = v->slot[(size_t)i * v->slots + s].next;
  return s;
}

/* The message of input i that has this number arrives from its port. */
static void put(struct xbar *x, uint32_t i, uint16_t number, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint16_t s = take_slot(v, i);
  struct mem_request *r = &v->message[(size_t)i * v->slots + s];
  *r = *(const struct mem_request *)port_message(&x->in[i], number);
  x->in[i].popped++;
  struct xbar_note n = xbar_note(x, r, 0, false);
  v->slot[(size_t)i * v->slots + s] =
      (struct voq_slot){.arrived = cycle, .next = VOQ_END, .output = n.output, .flits = n.flits};
  enter(x, i, s);
}

/* Of a message that arrives after cycle `now`. */
static void arrives(struct voqs *v, struct voq_arrival a, uint64_t cycle, uint64_t now) {
  bool near = cycle - now < UPCOMING;
  struct voq_arrivals *to = near ? &v->due[cycle % UPCOMING] : &v->beyond;
  VEC_PUSH(to->message, to->n, to->cap) = a;
  if (near)
    v->arriving.cycles |= UINT64_C(1) << cycle % UPCOMING;
  else if (cycle < v->beyond_least)
    v->beyond_least = cycle;
}

void voq_note(struct xbar *x, const struct xbar_note *n, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint16_t s = take_slot(v, n->input);
  v->slot[(size_t)n->input * v->slots + s] = (struct voq_slot){
      .arrived = cycle, .next = VOQ_END, .output = n->output, .place = n->place, .flits = n->flits};
  arrives(v, (struct voq_arrival){n->input, s}, cycle, v->last);
}

/* Input i: what has arrived is put into its queue, what has not is noted. */
static void arrive(struct xbar *x, uint32_t i, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint64_t now = x->engine->now, bit = UINT64_C(1) << i % 64;
  uint16_t taken = x->taken[i],
           sent = __atomic_load_n(&x->sent[i], __ATOMIC_ACQUIRE); /* a sender may be at it */
  for (; taken != sent && x->in[i].when[taken & x->in[i].mask] <= now; taken++)
    put(x, i, taken, cycle);
  x->taken[i] = taken;
  v->noted[i / 64] &= ~bit;
  if (taken == sent)
    return;
  v->noted[i / 64] |= bit;
  upcoming_add(v, &v->arriving, i, cycle,
               engine_cycle_at(x->engine, x->domain, x->in[i].when[taken & x->in[i].mask]));
}

/* From ports: inputs of which a message is to arrive now, or has been sent since they were last looked at. */
static void arrivals(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  for (uint64_t c = upcoming_until(&v->arriving, v->last, cycle); c; c &= c - 1) {
    uint64_t at = (v->last + 1 + (uint64_t)__builtin_ctzll(c)) % UPCOMING,
             *set = &v->arriving.set[at * v->words];
    v->arriving.cycles &= ~(UINT64_C(1) << at);
    for (uint32_t w = 0; w < v->words; w++) {
      uint64_t m = set[w];
      for (set[w] = 0; m; m &= m - 1)
        arrive(x, w * 64 + (uint32_t)__builtin_ctzll(m), cycle);
    }
  }
  for (uint32_t i = 0; i < x->inputs; i++)
    if (x->taken[i] != __atomic_load_n(&x->sent[i], __ATOMIC_ACQUIRE) && !(v->noted[i / 64] >> i % 64 & 1))
      arrive(x, i, cycle);
}

/* Messages of cycles that were far away arrive, or are no longer far away. They were noted after those that were near. */
static void look_beyond(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  size_t n = v->beyond.n;
  v->beyond.n = 0, v->beyond_least = NEVER;
  for (size_t k = 0; k < n; k++) {
    struct voq_arrival a = v->beyond.message[k];
    uint64_t at = v->slot[(size_t)a.input * v->slots + a.slot].arrived;
    if (at <= cycle)
      enter(x, a.input, a.slot);
    else
      arrives(v, a, at, cycle);
  }
}

/* Messages of which there were notes. */
static void noted_arrivals(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  for (uint64_t c = upcoming_until(&v->arriving, v->last, cycle); c; c &= c - 1) {
    uint64_t at = (v->last + 1 + (uint64_t)__builtin_ctzll(c)) % UPCOMING;
    struct voq_arrivals *due = &v->due[at];
    v->arriving.cycles &= ~(UINT64_C(1) << at);
    for (size_t k = 0; k < due->n; k++)
      enter(x, due->message[k].input, due->message[k].slot);
    due->n = 0;
  }
  if (v->beyond.n && v->beyond_least < cycle + UPCOMING)
    look_beyond(x, cycle);
}

/* Links of inputs that are free again. */
static void reopen(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  for (uint32_t w = 0; w < v->words; w++) {
    v->open[w] |= v->reopens[w];
    v->reopens[w] = 0;
  }
  for (uint64_t c = upcoming_until(&v->opening, v->last, cycle); c; c &= c - 1) {
    uint64_t at = (v->last + 1 + (uint64_t)__builtin_ctzll(c)) % UPCOMING,
             *set = &v->opening.set[at * v->words];
    v->opening.cycles &= ~(UINT64_C(1) << at);
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
  sooner(&next, v->beyond_least);
  for (uint32_t w = 0; w < v->out_words; w++)
    for (uint64_t m = v->asked[w]; m; m &= m - 1) {
      if (next == cycle + 1)
        return next;
      uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(m);
      uint64_t at = x->output[o].busy > cycle ? x->output[o].busy : cycle + 1;
      if (!xbar_room(x, o, x->post != NULL)) { /* NEVER: not known yet, the receiver wakes us */
        uint64_t room = xbar_next_room(x, o, x->post != NULL);
        at = room > at ? room : at;
      }
      sooner(&next, at);
    }
  return next;
}

uint64_t voq_cycle(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  if (x->post)
    noted_arrivals(x, cycle);
  else
    arrivals(x, cycle);
  reopen(x, cycle);
  v->last = cycle;
  v->rule->match(x, cycle);
  return next_chance(x, cycle);
}
