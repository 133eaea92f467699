/* Requests of the L1s to the network. */
#include "base/mem.h"
#include "base/hot.h"
#include "l1/internal.h"
#include "l1/prefetch.h"

/* Notes which instruction asks. */
static __attribute__((noinline)) void name(const struct sm *s, struct mem_stamps *stamps,
                                           const struct l1_of *of) {
  const struct supply_cta *cta = s->warp[of->warp].stream;
  struct mem_notes *to = stamps->more;
  stamps->named = true;
  to->pc = of->inst->pc;
  to->ptx_line = of->inst->line;
  to->source_line = of->inst->source_line;
  to->cta = cta ? (uint32_t)cta->linear : UINT32_MAX;
  to->launch = s->launch->number;
  to->op = of->inst->cache_op;
}

HOT void l1_send(struct sm *s, struct request_ring *queue, const struct l1_of *of, const struct sm_access *a,
                 uint8_t sectors, uint16_t flags) {
  if (RARELY(s->combine.n) && queue == &s->miss)
    combine_leave(s, a->line);
  struct mem_request *r = &queue->request[ring_add(&queue->at)];
  bool notice = of->kind != MEM_WRITE || of->tracker != UINT32_MAX; /* an instruction waits for the answer */
  uint8_t op = of->inst->cache_op;
  uint32_t slice = addrmap_place(s->map, a->line).slice;
  if (s->map->sms && of->kind == MEM_READ && !(flags & MEM_SYSTEM))
    slice = addrmap_near(s->map, slice, s->id);
  *r = (struct mem_request){.line = a->line,
                            .stamps = notice ? stamps_take(&s->stamps) : NULL,
                            .bytes = {a->bytes[0], a->bytes[1]},
                            .born = s->now,
                            .waiter = of->tracker,
                            .sm = (uint16_t)s->id,
                            .warp = (uint16_t)of->warp,
                            .degree = of->degree,
                            .slice = (uint16_t)slice,
                            .kind = of->kind,
                            .flags = flags,
                            .sectors = sectors,
                            .coherence = a->passes,
                            .number = RARELY(s->checker) ? checker_number(s->checker) : 0,
                            .stream = op >= SLUICE_TEXTURE ? (uint8_t)(op - SLUICE_TEXTURE + 1) : 0};
  if (RARELY(s->names) && r->stamps)
    name(s, r->stamps, of);
  s->stats.requests++;
}

/* The write-back request of a dirty line, with the sectors that have dirty bytes. */
static struct mem_request writeback_of(struct sm *s, const struct cache_result *r) {
  struct mem_request m = {.line = r->victim,
                          .bytes = {r->victim_mask[0], r->victim_mask[1]},
                          .born = s->now,
                          .waiter = UINT32_MAX,
                          .sm = (uint16_t)s->id,
                          .slice = (uint16_t)addrmap_place(s->map, r->victim).slice,
                          .kind = MEM_WRITE,
                          .flags = MEM_WRITEBACK,
                          .number = s->checker ? checker_number(s->checker) : 0};
  m.sectors = sectors_of_bytes(m.bytes);
  s->writebacks++;
  s->stats.requests++;
  if (s->coherent.state)
    coherent_notify(s, &m);
  return m;
}

/* An access asks for room first. A fill does not: the victim of a fill waits in the miss register of the
 * fill while the queue is full, since answers must not wait for requests. */
void l1_write_to_l2(struct sm *s, const struct cache_result *r) {
  if (s->miss.at.count > s->miss.at.mask)
    panic("more lines leave an L1 than fetches of it could replace");
  struct mem_request m = writeback_of(s, r);
  ring_push(&s->miss, &m);
}

void l1_write_back(struct sm *s, const struct cache_result *r) {
  if (r->evicted)
    l1_write_to_l2(s, r);
}

static void to_flush(void *ctx, const struct cache_result *r) {
  struct sm *s = ctx;
  struct mem_request m = writeback_of(s, r);
  s->stats.bytes_left += s->coherent.state ? r->victim_bytes : 0;
  VEC_PUSH(s->flush, s->nflush, s->capflush) = m;
}

bool l1_flush(struct sm *s) {
  s->nflush = s->flushed = 0;
  s->repeat.n = 0;
  if (!s->l1.k->keep_data) {
    cache_flush(s->l1d, to_flush, s);
    if (s->l1.prefetch)
      prefetch_forget(s);
    if (s->coherent.state)
      coherent_reset(s);
  }
  if (!s->l1.k->keep_read_only)
    cache_flush(s->l1c, NULL, NULL);
  cache_flush(s->l1t, NULL, NULL);
  bool any = s->nflush;
  while (s->flushed < s->nflush && ring_room(&s->miss, 1))
    ring_push(&s->miss, &s->flush[s->flushed++]);
  return any;
}

bool l1_would_overtake_write(const struct sm *s, uint64_t line) {
  for (uint32_t i = 0; s->l1.bypass.queue && i < s->miss.at.count; i++) {
    const struct mem_request *r = &s->miss.request[ring_at(&s->miss.at, i)];
    if (r->line == line && r->kind != MEM_READ)
      return true;
  }
  return false;
}

bool l1_would_overtake_load(const struct sm *s, uint64_t line) {
  const struct l1_hooks *h = &s->l1;
  for (uint32_t i = 0; i < h->detour.at.count; i++)
    if (h->detour.request[ring_at(&h->detour.at, i)].line == line)
      return true;
  return false;
}

bool l1_send_bypass(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  struct l1_hooks *h = &s->l1;
  if (!h->bypass.queue) {
    if (!l1_miss_room(s))
      return false;
    l1_send(s, &s->miss, of, a, a->sectors, MEM_NO_FILL);
  } else {
    if (!ring_room(&h->detour, 1) || l1_would_overtake_write(s, a->line))
      return false;
    l1_send(s, &h->detour, of, a, a->sectors, MEM_NO_FILL);
  }
  s->stats.l1_bypasses++;
  return true;
}

/* In rotation: the data cache's requests, the bypass technique's queue, the constant cache's requests. */
HOT void l1_send_one(struct sm *s) {
  struct l1_hooks *h = &s->l1;
  if (!h->detour.at.count && !s->cmiss.at.count) { /* the usual case */
    h->turn = 0;
  } else {
    bool has[3] = {s->miss.at.count, h->detour.at.count, s->cmiss.at.count};
    while (!has[h->turn])
      h->turn = (h->turn + 1) % 3;
  }
  struct request_ring *queue = h->turn == 0 ? &s->miss : h->turn == 1 ? &h->detour : &s->cmiss;
  const struct mem_request *r = &queue->request[queue->at.head];
  struct mem_request *m = port_message(s->out, s->out->pushed);
  *m = *r;
  if (r->stamps)
    r->stamps->sent = mem_age(r, s->now);
  port_send(s->out, s->tick);
  engine_wake_one(s->engine, s->out_unit, r->slice, s->tick + s->out->data);
  s->data_sent = s->now;
  ring_drop(&queue->at);
  if (h->turn == 0 && s->flushed < s->nflush) /* the next dirty line of the flush takes the slot */
    ring_push(&s->miss, &s->flush[s->flushed++]);
  h->turn = h->turn == 2 ? 0 : h->turn + 1;
}
