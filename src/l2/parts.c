#include "l2/parts.h"
#include "base/mem.h"
#include "l2/internal.h"

void parts_init(struct l2_slice *s, const struct l2_config *k) {
  s->parts = k->partial_lines && !s->side_buffer.on;
  if (!s->parts)
    return;
  s->part_ring.mask = ring_mask(k->partial_lines + 1);
  s->part = xcalloc(s->part_ring.mask + 1u, sizeof *s->part);
}

bool parts_blocked(const struct partition *c, const struct l2_slice *s) {
  return s->part_ring.count >= c->k->partial_lines && s->miss_count >= c->k->miss_queue;
}

/* Reads the rest of sectors, which are written when the data has come, if they are not to stay dirty. */
static void read_first(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors,
                       bool stay_dirty) {
  for (uint32_t m = sectors; m; m &= m - 1) {
    uint32_t sector = (uint32_t)__builtin_ctz(m),
             f = partition_fetch(c, s->local, line, sector, UINT32_MAX, false);
    c->fetch[f].part = true;
    c->fetch[f].stays_dirty = stay_dirty;
    slice_to_memory(c, s, line + (uint64_t)sector * c->k->cache.sector_bytes, SLICE_ALL_BURSTS, f, false,
                    c->now);
    s->stats.part_reads++;
  }
}

void parts_complete(struct partition *c, struct l2_slice *s, uint64_t line, bool stay_dirty) {
  read_first(c, s, line, cache_complete(s->cache, line, stay_dirty), stay_dirty);
}

void parts_begin(struct partition *c, struct l2_slice *s, uint64_t line) {
  s->part[ring_add(&s->part_ring)] = line;
  while (s->part_ring.count > c->k->partial_lines) { /* those that are whole by now cost nothing */
    uint64_t first = s->part[s->part_ring.head];
    ring_drop(&s->part_ring);
    parts_complete(c, s, first, s->limits_dirty);
  }
}

/* The line is no longer among those that are kept. */
static void forget(struct l2_slice *s, uint64_t line) {
  uint32_t kept = 0, head = s->part_ring.head, mask = s->part_ring.mask;
  for (uint32_t i = 0; i < s->part_ring.count; i++) {
    uint64_t other = s->part[(head + i) & mask];
    if (other != line)
      s->part[(head + kept++) & mask] = other;
  }
  s->part_ring.count = kept;
}

void parts_evict(struct partition *c, struct l2_slice *s, const struct cache_result *k) {
  uint32_t parts = s->parts ? k->victim_sectors & ~k->replaced_valid : 0;
  forget(s, k->victim);
  if (parts)
    read_first(c, s, k->victim, parts, false);
  s->ndirty -= s->limits_dirty;
  slice_write(c, s, k->victim, k->victim_sectors & ~parts, UINT32_MAX, c->now);
}
