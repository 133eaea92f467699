#include "l2/dirty.h"
#include "base/mem.h"
#include "l2/internal.h"
#include "l2/parts.h"

/* Lines that have left the cache, or changed again after that, stay in the ring until they come round: there is room for as many more. */
void dirty_init(struct l2_slice *s, const struct l2_config *k) {
  s->limits_dirty = k->dirty_lines && !s->side_buffer.on;
  if (!s->limits_dirty)
    return;
  s->dirty_ring.mask = ring_mask(2 * k->dirty_lines + 1);
  s->dirty = xcalloc(s->dirty_ring.mask + 1u, sizeof *s->dirty);
}

bool dirty_blocked(const struct partition *c, const struct l2_slice *s) {
  return s->ndirty >= c->k->dirty_lines &&
         (s->miss_count >= c->k->miss_queue ||
          (c->k->write_backs && c->writing >= (uint64_t)c->k->write_backs * c->bursts));
}

static void clean_first(struct partition *c, struct l2_slice *s) {
  uint64_t line = s->dirty[s->dirty_ring.head];
  ring_drop(&s->dirty_ring);
  if (!cache_changed(s->cache, line))
    return;
  parts_complete(c, s, line, false);
  uint32_t sectors = cache_clean(s->cache, line), last = 0;
  if (c->k->write_backs && sectors) {
    last = 1u << (31 - __builtin_clz(sectors));
    c->writing += c->bursts;
  }
  slice_write(c, s, line, sectors & ~last, UINT32_MAX, c->now);
  slice_write(c, s, line, last, L2_LAST_WRITE, c->now);
  s->ndirty--;
}

void dirty_written(struct partition *c) {
  if (c->writing-- == (uint64_t)c->k->write_backs * c->bursts) /* stores may pass again */
    for (uint32_t i = 0; i < c->nslices; i++)
      slice_retry_at(&c->slice[i], c->now);
}

void dirty_begin(struct partition *c, struct l2_slice *s, uint64_t line) {
  if (s->dirty_ring.count > s->dirty_ring.mask)
    clean_first(c, s);
  s->dirty[ring_add(&s->dirty_ring)] = line;
  s->ndirty++;
  while (s->ndirty > c->k->dirty_lines && s->dirty_ring.count)
    clean_first(c, s);
}

void dirty_emptied(struct l2_slice *s) {
  s->dirty_ring.count = 0;
  s->ndirty = 0;
}
