#include "noc/mail.h"
#include "noc/xbar.h"

static void *lines(size_t n, size_t size) {
  return memset(xaligned(n * size), 0, n * size);
}

/* An input passes a message in a cycle at most. Those of a window are read in the next one, after which their places are free. */
static uint32_t store_places(const struct xbar *x, uint64_t window) {
  return x->in[0].capacity + (uint32_t)(window / x->period) + 2;
}

/* Of what was there nothing is kept. */
static void make_room(struct xbar_sorted *to, size_t n) {
  if (n <= to->cap)
    return;
  to->cap = 2 * n;
  free(to->arrival), free(to->credit);
  to->arrival = xaligned(to->cap * sizeof *to->arrival);
  to->credit = xaligned(to->cap * sizeof *to->credit);
}

void xbar_by_window(struct xbar *x, uint32_t shards, uint64_t window) {
  const struct port *in = &x->in[0], *out = &x->out[0];
  struct xbar_post *p = x->post = xcalloc(1, sizeof *p);
  uint32_t places = store_places(x, window), ring = 1;
  while (ring < in->capacity)
    ring *= 2;
  if (places > UINT16_MAX || x->inputs > UINT16_MAX || x->outputs > UINT16_MAX)
    panic("a crossbar with %u inputs of %u messages is too large", x->inputs, in->capacity);
  p->shards = shards;
  p->sorted = lines(2, sizeof *p->sorted);
  for (unsigned k = 0; k < 2; k++) {
    p->sorted[k].begin = lines(shards + 1u, sizeof(uint32_t));
    p->sorted[k].credit_begin = lines(shards + 1u, sizeof(uint32_t));
    make_room(&p->sorted[k], x->inputs);
  }
  p->notes = lines(2 * (size_t)shards, sizeof *p->notes);
  p->to = xcalloc(x->outputs, sizeof *p->to);
  p->from = xcalloc(x->inputs, sizeof *p->from);
  p->gone = xcalloc(x->inputs, sizeof *p->gone);
  for (uint32_t o = 0; o < x->outputs; o++)
    p->to[o] = (uint8_t)(x->receiver[o] >> UNIT_SHARD_SHIFT);
  p->shard = lines(shards, sizeof *p->shard);
  p->store = lines(x->inputs, sizeof *p->store);
  p->mask = ring - 1;
  p->ring = x->voqs ? NULL : xmalloc((size_t)x->inputs * ring * sizeof *p->ring);
  p->mostpassed = (size_t)x->inputs * (size_t)(window / x->period + 1);
  p->passed = xmalloc(p->mostpassed * sizeof *p->passed);
  p->arrive = out->data, p->slots = out->capacity;
  p->credit = in->credit, p->near_full = in->capacity > in->margin ? in->capacity - in->margin : 0;
  for (uint32_t i = 0; i < x->inputs; i++) {
    struct xbar_store *s = &p->store[i];
    struct xbar_shard *k = &p->shard[x->sender[i] >> UNIT_SHARD_SHIFT];
    x->in[i].sent = NULL;
    p->gone[i] = x->taken[i];
    p->from[i] = (uint8_t)(x->sender[i] >> UNIT_SHARD_SHIFT);
    if (x->in[i].credit != in->credit || x->in[i].capacity != in->capacity)
      panic("inputs of a crossbar differ");
    VEC_PUSH(k->input, k->ninputs, k->capinputs) = (uint16_t)i;
    s->message = xaligned(places * sizeof *s->message);
    s->free = xcalloc(places, sizeof *s->free);
    while (s->nfree < places) { /* the first is the last: those that were used last are used next */
      s->free[s->nfree] = (uint16_t)(places - 1 - s->nfree);
      s->nfree++;
    }
  }
}

void xbar_post_free(struct xbar *x) {
  struct xbar_post *p = x->post;
  if (!p)
    return;
  for (uint32_t i = 0; i < 2 * p->shards; i++)
    free(p->notes[i].more);
  for (unsigned k = 0; k < 2; k++) {
    free(p->sorted[k].begin), free(p->sorted[k].credit_begin);
    free(p->sorted[k].arrival), free(p->sorted[k].credit);
  }
  for (uint32_t i = 0; i < p->shards; i++)
    free(p->shard[i].input), free(p->shard[i].read);
  for (uint32_t i = 0; i < x->inputs; i++)
    free(p->store[i].message), free(p->store[i].free);
  free(p->sorted), free(p->notes), free(p->shard), free(p->store), free(p->ring), free(p->passed);
  free(p->to), free(p->from), free(p->gone);
  free(p);
}

static struct xbar_note *add_note(struct xbar_notes *to) {
  if (to->n < XBAR_FIRST)
    return &to->first[to->n++];
  uint32_t k = to->n++ - XBAR_FIRST;
  if (k == to->cap) {
    to->cap = to->cap ? 2 * to->cap : 4 * XBAR_FIRST;
    to->more = xrealloc(to->more, to->cap * sizeof *to->more);
  }
  return &to->more[k];
}

/* What the shard's units have sent. */
static void write_notes(struct xbar *x, struct engine *e) {
  struct xbar_post *p = x->post;
  const struct xbar_shard *k = &p->shard[e->shard];
  struct xbar_notes *to = &p->notes[2 * e->shard + e->parity];
  to->n = 0, to->window = e->window;
  for (size_t n = 0; n < k->ninputs; n++) {
    uint32_t i = k->input[n];
    const struct port *in = &x->in[i];
    struct xbar_store *s = &p->store[i];
    for (; s->collected != in->pushed; s->collected++) {
      const struct mem_request *r = port_message(in, s->collected);
      uint64_t at = in->when[s->collected & in->mask];
      if (at < e->end || !s->nfree)
        panic(s->nfree ? "a message for a crossbar was sent between windows" : "a crossbar's store is full");
      uint16_t place = s->free[--s->nfree];
      s->message[place] = *r;
      struct xbar_note note = xbar_note(x, r, at);
      note.input = (uint16_t)i;
      note.place = place;
      *add_note(to) = note;
      if (at < e->called)
        e->called = at;
    }
  }
}

/* Counts become where each shard's begin. */
static void add_up(uint32_t *begin, uint32_t shards) {
  uint32_t sum = 0;
  for (uint32_t s = 0; s <= shards; s++) {
    uint32_t n = begin[s];
    begin[s] = sum;
    sum += n;
  }
}

/* What has passed, by shards: in the order in which it did. */
static void sort_passed(struct xbar *x, struct engine *e) {
  struct xbar_post *p = x->post;
  struct xbar_sorted *to = &p->sorted[e->parity];
  uint32_t at[ENGINE_SHARDS], credit_at[ENGINE_SHARDS], shards = p->shards;
  to->window = e->window;
  make_room(to, p->npassed);
  memset(to->begin, 0, (shards + 1) * sizeof *to->begin);
  memset(to->credit_begin, 0, (shards + 1) * sizeof *to->credit_begin);
  for (size_t k = 0; k < p->npassed; k++) {
    sooner(&e->called, p->passed[k].at);
    to->begin[p->to[p->passed[k].output]]++;
    to->credit_begin[p->from[p->passed[k].input]]++;
  }
  add_up(to->begin, shards);
  add_up(to->credit_begin, shards);
  memcpy(at, to->begin, shards * sizeof *at);
  memcpy(credit_at, to->credit_begin, shards * sizeof *credit_at);
  for (size_t k = 0; k < p->npassed; k++) {
    const struct xbar_passed *m = &p->passed[k];
    to->arrival[at[p->to[m->output]]++] = (struct xbar_arrival){m->at, m->output, m->input, m->place};
    to->credit[credit_at[p->from[m->input]]++] = (struct xbar_credit){m->credit, m->input, m->place};
  }
  p->npassed = 0;
}

void xbar_collect(struct xbar *x, struct engine *e) {
  write_notes(x, e);
  if (x->engine == e)
    sort_passed(x, e);
}

/* What all shards have sent. */
static void take_notes(struct xbar *x, struct engine *e, unsigned parity) {
  struct xbar_post *p = x->post;
  uint64_t least = NEVER, window = p->notes[2 * e->shard + parity].window;
  if (window <= p->noted)
    return;
  p->noted = window;
  for (uint32_t s = 0; s < p->shards; s++) {
    __builtin_prefetch(&p->notes[2 * s + parity]);
    __builtin_prefetch((const char *)&p->notes[2 * s + parity] + PORT_LINE);
  }
  for (uint32_t s = 0; s < p->shards; s++) {
    const struct xbar_notes *from = &p->notes[2 * s + parity];
    for (uint32_t k = 0; k < from->n; k++) {
      const struct xbar_note *n = k < XBAR_FIRST ? &from->first[k] : &from->more[k - XBAR_FIRST];
      if (x->voqs)
        voq_note(x, n);
      else
        p->ring[(size_t)n->input * (p->mask + 1) + (x->sent[n->input] & p->mask)] = *n;
      x->sent[n->input]++;
      least = n->at < least ? n->at : least;
    }
  }
  if (least == NEVER)
    return;
  engine_wake(e, x->unit, least);
}

static void take_messages(struct xbar *x, struct engine *e, const struct xbar_arrival *a, size_t n) {
  enum { AHEAD = 8 };
  const struct xbar_store *store = x->post->store;
  for (size_t k = 0; k < n && k < AHEAD; k++)
    __builtin_prefetch(&store[a[k].input].message[a[k].place]);
  for (size_t k = 0; k < n; k++, a++) {
    if (k + AHEAD < n)
      __builtin_prefetch(&store[a[AHEAD].input].message[a[AHEAD].place]);
    struct port *out = &x->out[a->output];
    *(struct mem_request *)port_message(out, out->pushed) = store[a->input].message[a->place];
    out->when[out->pushed & out->mask] = a->at;
    count_raise(&out->pushed);
    engine_wake(e, x->receiver[a->output], a->at);
  }
}

static void take_credits(struct xbar *x, struct engine *e, const struct xbar_credit *c, size_t n) {
  struct xbar_post *p = x->post;
  struct xbar_shard *own = &p->shard[e->shard];
  for (size_t k = 0; k < own->nread; k++) {
    struct xbar_store *s = &p->store[own->read[k].input];
    s->free[s->nfree++] = own->read[k].place;
  }
  own->nread = 0;
  for (size_t k = 0; k < n; k++, c++) {
    struct port *in = &x->in[c->input];
    bool awaited = count_seen(&in->pushed) - in->released >= in->capacity;
    in->popped++;
    in->when[in->released & in->mask] = c->at;
    count_raise(&in->released);
    if (awaited)
      engine_wake(e, x->sender[c->input], c->at);
    VEC_PUSH(own->read, own->nread, own->capread) = *c;
  }
}

void xbar_deliver(struct xbar *x, struct engine *e, unsigned parity) {
  struct xbar_post *p = x->post;
  const struct xbar_sorted *m = &p->sorted[parity];
  struct xbar_shard *own = &p->shard[e->shard];
  uint32_t s = e->shard;
  if (m->window > own->taken) {
    own->taken = m->window;
    take_messages(x, e, m->arrival + m->begin[s], m->begin[s + 1] - m->begin[s]);
    take_credits(x, e, m->credit + m->credit_begin[s], m->credit_begin[s + 1] - m->credit_begin[s]);
  }
  if (x->engine == e)
    take_notes(x, e, parity);
}
