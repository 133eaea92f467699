/* Answers fill the L1s. */
#include "cache/fast.h"
#include "l1/internal.h"

void l1_store_done(struct sm *s, uint32_t w, uint32_t tracker) {
  if (tracker != UINT32_MAX)
    tracker_answer(s, tracker, s->now + 1, s->k->load_stages);
  s->warp[w].stores--;
  warp_settle(s, w);
  warp_drained(s, w);
}

static inline void answer(struct sm *s, uint32_t waiter) {
  if (waiter == UINT32_MAX) /* a store that fetched its line, with no instruction waiting */
    return;
  if (s->tracker[waiter].store)
    l1_store_done(s, s->tracker[waiter].warp, waiter);
  else
    tracker_answer(s, waiter, s->now + 1, s->k->load_stages);
}

static void fill_answer(void *ctx, uint32_t waiter) {
  answer(ctx, waiter);
}

/* A fill of a line in the side buffer: the line takes a way, and the replaced line is evicted from the side
 * buffer. */
static void fill_from_side_buffer(struct sm *s, const struct mem_request *r, uint32_t sectors) {
  const struct tech_side *m = &s->l1.side_buffer;
  cache_set_side_buffer(s->l1d, true);
  struct cache_result f = cache_fill(s->l1d, r->line, sectors, fill_answer, s);
  cache_set_side_buffer(s->l1d, false);
  l1_replaced(s, &f);
  m->fill->swapped(m->self, r->line, f.replaced ? f.replaced_line : NEVER, s->now);
  s->l1.calls.swapped++;
  s->l1.calls.exchanged += f.replaced;
  uint64_t until = s->now + m->swap;
  for (uint32_t i = 0; f.replaced && i < s->l1.k->d_ports; i++)
    s->port_busy[i] = until > s->port_busy[i] ? until : s->port_busy[i];
  if (f.replaced && !f.evicted) {
    m->fill->evicted(m->self, f.replaced_line, s->now);
    s->l1.calls.written++;
  }
  l1_write_back(s, &f);
  if (f.evicted)
    ring_last(&s->miss)->technique = 1; /* the acknowledgement frees the entry of the side buffer */
}

bool l1_fill(struct sm *s, const struct mem_request *r) {
  if (r->flags & MEM_CONST)
    return cache_fill(s->l1c, l1_constant_line(s, r->line, r->sectors), 1, fill_answer, s).outcome !=
           CACHE_FAILED;
  if (r->stream && l1_of_texture(s, (uint8_t)(r->stream - 1 + SLUICE_TEXTURE)))
    return cache_fill(s->l1t, r->line, 1, fill_answer, s).outcome != CACHE_FAILED;
  if (s->coherent.state) { /* the line has a way: reserved by the miss, or valid */
    cache_fill(s->l1d, r->line, 1, fill_answer, s);
    coherent_filled(s, r);
    return true;
  }
  if (r->flags & MEM_REMOTE) {
    cache_fill_no_allocate(s->l1d, r->line, l1_cache_sectors(s, r->sectors), fill_answer, s);
    if (r->technique) {
      s->l1.side_buffer.fill->swapped(s->l1.side_buffer.self, r->line, NEVER, s->now);
      s->l1.calls.swapped++;
    }
    return true;
  }
  l1_set_owner(s, r->warp); /* the warp that missed owns the line, where the way is allocated only now */
  if (r->technique) {
    fill_from_side_buffer(s, r, l1_cache_sectors(s, r->sectors));
    return true;
  }
  const uint32_t *waiter;
  uint32_t n;
  if (cache_fill_line(s->l1d, r->line, &waiter, &n)) {
    for (uint32_t i = 0; i < n; i++)
      answer(s, waiter[i]);
    return true;
  }
  struct cache_result f = cache_fill(s->l1d, r->line, l1_cache_sectors(s, r->sectors), fill_answer, s);
  l1_replaced(s, &f);
  l1_write_back(s, &f);
  return f.outcome != CACHE_FAILED;
}
