#include "l2/fill.h"
#include "base/mem.h"
#include "l2/internal.h"

/* A miss register holds `merges` requests at most, and is not free before they are answered; data that waits for the port has one. */
void fill_init(struct l2_slice *s, const struct l2_config *k) {
  struct l2_fills *q = &s->fills;
  if (k->fill_bytes) {
    uint64_t fetches = (uint64_t)k->cache.mshrs * (k->cache.line_bytes / k->cache.sector_bytes);
    q->at.mask = ring_mask(fetches < 1 << 20 ? (uint32_t)fetches : 1 << 20);
    q->fill = xcalloc(q->at.mask + 1u, sizeof *q->fill);
    q->cycles = (k->cache.sector_bytes + k->fill_bytes - 1) / k->fill_bytes;
  }
  if (k->hold_misses) {
    uint64_t answers = (uint64_t)k->cache.mshrs * k->cache.merges;
    q->answers.mask = ring_mask(answers < 1 << 24 ? (uint32_t)answers : 1 << 24);
    q->answer = xcalloc(q->answers.mask + 1u, sizeof *q->answer);
  }
}

void fill_destroy(struct l2_slice *s) {
  free(s->fills.fill), free(s->fills.answer);
}

void fill_later(struct partition *c, struct l2_slice *s, const struct l2_fetched *f) {
  struct l2_fills *q = &s->fills;
  if (ring_full(&q->at))
    panic("more data waits for the fill port of L2 slice %u than was fetched", s->index);
  struct l2_late_fill *l = &q->fill[ring_add(&q->at)];
  l->fetch = *f->fetch;
  l->done = *f->done;
  c->fetching++;
  s->due = c->now < s->due ? c->now : s->due;
}

void fill_answer_later(struct l2_slice *s, uint32_t parent) {
  struct l2_fills *q = &s->fills;
  if (ring_full(&q->answers))
    panic("more requests of L2 slice %u wait for their answers than its miss registers hold", s->index);
  q->answer[ring_add(&q->answers)] = (struct l2_late_answer){parent, false};
}

void fill_keep_register(struct partition *c, struct l2_slice *s) {
  struct l2_fills *q = &s->fills;
  q->answer[ring_at(&q->answers, q->answers.count - 1)].last = true;
  q->registers++;
  cache_keep_register(s->cache);
  c->fetching++;
  s->due = c->now < s->due ? c->now : s->due;
}

uint64_t fill_cycle(struct partition *c, struct l2_slice *s) {
  struct l2_fills *q = &s->fills;
  if (q->at.count && q->free_at <= c->now) {
    struct l2_late_fill l = q->fill[q->at.head];
    ring_drop(&q->at);
    q->free_at = c->now + q->cycles;
    c->fetching--;
    slice_fill(c, s, &(struct l2_fetched){&l.fetch, &l.done});
    slice_retry_at(s, c->now);
  }
  if (q->answers.count && s->done_count < c->k->out) {
    struct l2_late_answer a = q->answer[q->answers.head];
    ring_drop(&q->answers);
    if (a.parent < L2_NOBODY)
      slice_sector_done(c, s, a.parent, NULL, 0);
    if (a.last) {
      q->registers--;
      cache_free_register(s->cache);
      c->fetching--;
      slice_retry_at(s, c->now);
    }
  }
  uint64_t next = q->at.count ? q->free_at : NEVER;
  return q->answers.count && s->done_count < c->k->out ? c->now + 1 : next;
}
