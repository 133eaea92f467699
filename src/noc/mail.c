#include "noc/mail.h"
#include "noc/xbar.h"

static void *lines(size_t n, size_t size) {
  return memset(xaligned(n * size), 0, n * size);
}

/* An input passes a message in a cycle at most. Those of a window are read in the next one, after which their places are free. */
static uint32_t store_places(const struct xbar *x, uint64_t window) {
  return x->in[0].capacity + (uint32_t)(window / x->period) + 2;
}

static struct xbar_boxes make_boxes(uint32_t shards, size_t most) {
  size_t size = (sizeof(struct xbar_box) + most * sizeof(uint64_t) + PORT_LINE - 1) / PORT_LINE * PORT_LINE;
  if (most > UINT32_MAX || size * shards > UINT32_MAX)
    panic("the boxes of a crossbar for %u shards are too large", shards);
  return (struct xbar_boxes){
      .memory = lines(2 * (size_t)shards, size), .size = size, .shards = shards, .most = (uint32_t)most};
}

/* The most ends, inputs or outputs, that are of the same shard. */
static uint32_t most_ends(const uint32_t *unit, uint32_t n, uint32_t shards) {
  uint32_t most = 0;
  for (uint32_t s = 0; s < shards; s++) {
    uint32_t some = 0;
    for (uint32_t i = 0; i < n; i++)
      some += unit[i] >> UNIT_SHARD_SHIFT == s;
    most = some > most ? some : most;
  }
  return most;
}

/* Senders and receivers have as many messages under way as ports have slots, at the most, and what passes in a window is no more than
 * that: those that come back in the window were sent before it. */
static void make_all_boxes(struct xbar *x, uint64_t window) {
  struct xbar_post *p = x->post;
  uint32_t senders = most_ends(x->sender, x->inputs, p->shards),
           receivers = most_ends(x->receiver, x->outputs, p->shards);
  p->notes = make_boxes(p->shards, (size_t)senders * x->in[0].capacity);
  p->arrivals = make_boxes(p->shards, (size_t)receivers * x->out[0].capacity);
  p->credits = make_boxes(p->shards, (size_t)senders * (window / x->period + 1));
}

void xbar_by_window(struct xbar *x, uint32_t shards, uint64_t window) {
  const struct port *in = &x->in[0], *out = &x->out[0];
  struct xbar_post *p = x->post = xcalloc(1, sizeof *p);
  uint32_t places = store_places(x, window), ring = 1;
  while (ring < in->capacity)
    ring *= 2;
  if (places >> XBAR_PLACE_BITS || x->inputs >> XBAR_END_BITS || x->outputs >> XBAR_END_BITS)
    panic("a crossbar with %u inputs of %u messages and %u outputs is too large", x->inputs, in->capacity,
          x->outputs);
  p->shards = shards;
  make_all_boxes(x, window);
  p->to = xcalloc(x->outputs, sizeof *p->to);
  p->from = xcalloc(x->inputs, sizeof *p->from);
  p->gone = xcalloc(x->inputs, sizeof *p->gone);
  for (uint32_t o = 0; o < x->outputs; o++)
    p->to[o] = (uint32_t)((x->receiver[o] >> UNIT_SHARD_SHIFT) * p->arrivals.size);
  p->shard = lines(shards, sizeof *p->shard);
  p->store = lines(x->inputs, sizeof *p->store);
  p->mask = ring - 1;
  p->ring = x->voqs ? NULL : xmalloc((size_t)x->inputs * ring * sizeof *p->ring);
  p->arrive = out->data / x->period, p->slots = out->capacity;
  p->credit = in->credit, p->near_full = in->capacity > in->margin ? in->capacity - in->margin : 0;
  for (uint32_t i = 0; i < x->inputs; i++) {
    struct xbar_store *s = &p->store[i];
    struct xbar_shard *k = &p->shard[x->sender[i] >> UNIT_SHARD_SHIFT];
    x->in[i].sent = NULL;
    p->gone[i] = x->taken[i];
    p->from[i] = (uint32_t)((x->sender[i] >> UNIT_SHARD_SHIFT) * p->credits.size);
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
  for (uint32_t i = 0; i < p->shards; i++)
    free(p->shard[i].input), free(p->shard[i].read);
  for (uint32_t i = 0; i < x->inputs; i++)
    free(p->store[i].message), free(p->store[i].free);
  free(p->notes.memory), free(p->arrivals.memory), free(p->credits.memory);
  free(p->shard), free(p->store), free(p->ring);
  free(p->to), free(p->from), free(p->gone);
  free(p);
}

/* A cycle of the crossbar's clock from which everything that is sent or passes in the window of shard e counts. Windows are shorter than
 * the engine's ring. */
static uint64_t base_of(const struct xbar *x, const struct engine *e) {
  uint64_t cycle = e->end / x->period;
  return cycle > ENGINE_RING ? cycle - ENGINE_RING : 0;
}

static struct xbar_box *empty(const struct xbar_boxes *b, const struct engine *e, uint32_t shard,
                              uint64_t base) {
  struct xbar_box *box = xbar_box(b, e->parity, shard);
  box->base = base;
  box->window = (uint32_t)e->window;
  box->n = 0;
  return box;
}

/* What the shard's units have sent. */
static void write_notes(struct xbar *x, struct engine *e) {
  struct xbar_post *p = x->post;
  const struct xbar_shard *k = &p->shard[e->shard];
  struct xbar_box *to = empty(&p->notes, e, e->shard, base_of(x, e));
  uint32_t written = 0;
  for (size_t n = 0; n < k->ninputs; n++) {
    uint32_t i = k->input[n];
    const struct port *in = &x->in[i];
    struct xbar_store *s = &p->store[i];
    for (; s->collected != in->pushed; s->collected++) {
      const struct mem_request *r = port_message(in, s->collected);
      uint64_t at = in->when[s->collected & in->mask], cycle = engine_cycle_at(e, x->domain, at) - to->base;
      if (at < e->end || !s->nfree || cycle >> XBAR_CYCLE_BITS || written == p->notes.most)
        panic("a message for a crossbar was sent between windows, or is one too many");
      uint16_t place = s->free[--s->nfree];
      s->message[place] = *r;
      struct xbar_note note = xbar_note(x, r, at, false);
      to->item[written++] = xbar_item(cycle, note.output, i, place) | (uint64_t)note.flits << XBAR_FLITS |
                            (uint64_t)(note.packets % XBAR_LARGE) << XBAR_PACKETS |
                            (uint64_t)(note.packets / XBAR_LARGE) << (XBAR_PACKETS + XBAR_PACKETS_BITS);
      sooner(&e->called, at);
    }
  }
  to->n = written;
}

void xbar_collect(struct xbar *x, struct engine *e) {
  write_notes(x, e);
}

/* Begins the crossbar's boxes of this window: the host fetches their lines, which other cores have read, while the crossbar allocates. */
static void begin_boxes(struct xbar *x, const struct engine *e) {
  struct xbar_post *p = x->post;
  p->base = base_of(x, e);
  p->arrival = (uint8_t *)empty(&p->arrivals, e, 0, p->base);
  p->credited = (uint8_t *)empty(&p->credits, e, 0, p->base);
  for (uint32_t s = 1; s < p->shards; s++) {
    empty(&p->arrivals, e, s, p->base);
    empty(&p->credits, e, s, p->base);
  }
}

static void take_note(struct xbar *x, uint64_t item, uint64_t cycle) {
  struct xbar_post *p = x->post;
  uint32_t i = xbar_item_input(item), large = (uint32_t)(item >> (XBAR_PACKETS + XBAR_PACKETS_BITS));
  struct xbar_note note = {
      .at = cycle * x->period,
      .input = (uint16_t)i,
      .output = (uint16_t)xbar_item_output(item),
      .place = xbar_item_place(item),
      .flits = (uint8_t)xbar_item_field(item, XBAR_FLITS, XBAR_FLITS_BITS),
      .packets = (uint8_t)(xbar_item_field(item, XBAR_PACKETS, XBAR_PACKETS_BITS) | large * XBAR_LARGE)};
  if (x->voqs)
    voq_note(x, &note, cycle);
  else
    p->ring[(size_t)i * (p->mask + 1) + (x->sent[i] & p->mask)] = note;
  x->sent[i]++;
}

/* The host fetches the lines of a box's items. The first lines of all boxes are asked for before any is read. */
static void items_near(const struct xbar_box *b) {
  for (size_t at = PORT_LINE; at < sizeof *b + b->n * sizeof *b->item; at += PORT_LINE)
    __builtin_prefetch((const char *)b + at);
}

/* What all shards have sent. */
static void take_notes(struct xbar *x, struct engine *e, unsigned parity) {
  struct xbar_post *p = x->post;
  uint32_t window = xbar_box(&p->notes, parity, e->shard)->window;
  uint64_t least = NEVER;
  if (window == p->noted)
    return;
  p->noted = window;
  for (uint32_t s = 0; s < p->shards; s++)
    __builtin_prefetch(xbar_box(&p->notes, parity, s));
  for (uint32_t s = 0; s < p->shards; s++) {
    const struct xbar_box *from = xbar_box(&p->notes, parity, s);
    if (s + 1 < p->shards)
      items_near(xbar_box(&p->notes, parity, s + 1));
    for (uint32_t k = 0; k < from->n; k++) {
      uint64_t cycle = from->base + xbar_item_cycle(from->item[k]);
      take_note(x, from->item[k], cycle);
      sooner(&least, cycle);
    }
  }
  if (least != NEVER)
    engine_wake(e, x->unit, least * x->period);
}

static const struct mem_request *message_of(const struct xbar *x, uint64_t item) {
  return &x->post->store[xbar_item_input(item)].message[xbar_item_place(item)];
}

static void take_messages(struct xbar *x, struct engine *e, const struct xbar_box *from) {
  enum { AHEAD = 8 };
  uint32_t n = from->n;
  for (uint32_t k = 0; k < n && k < AHEAD; k++)
    __builtin_prefetch(message_of(x, from->item[k]));
  for (uint32_t k = 0; k < n; k++) {
    uint64_t item = from->item[k], at = (from->base + xbar_item_cycle(item)) * x->period;
    uint32_t o = xbar_item_output(item);
    struct port *out = &x->out[o];
    if (k + AHEAD < n)
      __builtin_prefetch(message_of(x, from->item[k + AHEAD]));
    struct mem_request *to = port_message(out, out->pushed);
    *to = *message_of(x, item);
    if (to->stamps) /* which the unit that had the message has written, on another core perhaps */
      __builtin_prefetch(to->stamps, 1);
    out->when[out->pushed & out->mask] = at;
    count_raise(&out->pushed);
    engine_wake(e, x->receiver[o], at);
  }
}

static void take_credits(struct xbar *x, struct engine *e, const struct xbar_box *from) {
  struct xbar_post *p = x->post;
  struct xbar_shard *own = &p->shard[e->shard];
  for (size_t k = 0; k < own->nread; k++) {
    struct xbar_store *s = &p->store[xbar_item_input(own->read[k])];
    s->free[s->nfree++] = xbar_item_place(own->read[k]);
  }
  own->nread = 0;
  for (uint32_t k = 0; k < from->n; k++) {
    uint64_t item = from->item[k], at = (from->base + xbar_item_cycle(item)) * x->period + p->credit;
    uint32_t i = xbar_item_input(item);
    struct port *in = &x->in[i];
    bool awaited = count_seen(&in->pushed) - in->released >= in->capacity;
    in->popped++;
    in->when[in->released & in->mask] = at;
    count_raise(&in->released);
    if (awaited)
      engine_wake(e, x->sender[i], at);
    VEC_PUSH(own->read, own->nread, own->capread) = item;
  }
}

/* Slots come back in the order of their times. */
bool xbar_look_for_room(struct xbar *x, uint32_t o) {
  const struct port *p = &x->out[o];
  struct xbar_output *k = &x->output[o];
  uint32_t n = count_seen(&p->released) - k->returned;
  while (n && p->when[(k->returned + n - 1) & p->mask] > x->now)
    n /= 2;
  k->returned += n;
  return k->sent - k->returned < x->post->slots;
}

void xbar_deliver_near(const struct xbar *x, const struct engine *e, unsigned parity) {
  const struct xbar_boxes *const all[] = {&x->post->arrivals, &x->post->credits};
  for (int k = 0; k < 2; k++)
    for (size_t at = 0; at < 2 * PORT_LINE && at < all[k]->size; at += PORT_LINE)
      __builtin_prefetch((const char *)xbar_box(all[k], parity, e->shard) + at);
}

void xbar_deliver(struct xbar *x, struct engine *e, unsigned parity) {
  struct xbar_post *p = x->post;
  struct xbar_shard *own = &p->shard[e->shard];
  const struct xbar_box *arrivals = xbar_box(&p->arrivals, parity, e->shard),
                        *credits = xbar_box(&p->credits, parity, e->shard);
  if (arrivals->window != own->taken) {
    own->taken = arrivals->window;
    items_near(arrivals), items_near(credits);
    take_messages(x, e, arrivals);
    take_credits(x, e, credits);
  }
  if (x->engine != e)
    return;
  if (parity != e->parity) /* a window begins */
    begin_boxes(x, e);
  take_notes(x, e, parity);
}
