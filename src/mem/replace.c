#include "mem/replace.h"
#include "base/bits.h"
#include "base/mem.h"
#include "mem/victim.h"

/* A line is written back from a cycle on, and something waits for it. */
static void write_first(struct partition *c, struct l2_slice *s, const struct l2_fetch *job, uint32_t sectors,
                        uint64_t from) {
  uint32_t f = partition_fetch(c, slice_local(c, s), job->line, 0, UINT32_MAX);
  c->fetch[f].write = true;
  c->fetch[f].aside = job->aside;
  c->fetch[f].then = job->then;
  c->fetch[f].then_sectors = job->then_sectors;
  c->fetch[f].left = count_bits(sectors) * c->bursts;
  slice_write(c, s, job->line, sectors, f, from);
}

void replace_then_fetch(struct partition *c, struct l2_slice *s, const struct cache_result *miss,
                        uint64_t line) {
  struct l2_fetch job = {.line = miss->victim, .then = line, .then_sectors = miss->fetch};
  write_first(c, s, &job, miss->victim_sectors, c->now);
  s->stats.evictions_first++;
}

bool replace_before_store(struct partition *c, struct l2_slice *s, uint64_t line) {
  struct cache_result r;
  if (cache_pending(s->cache, line))
    return true;
  if (!cache_clear(s->cache, line, false, &r))
    return false;
  if (r.outcome == CACHE_FAILED)
    return true;
  if (victim_kept(s))
    victim_keep(s, &r, c->now);
  if (!r.evicted) { /* it stays beside the cache */
    cache_release(s->cache, line);
    return false;
  }
  struct l2_fetch job = {.line = r.victim, .then = line};
  write_first(c, s, &job, r.victim_sectors, c->now);
  s->stats.evictions_first++;
  return true;
}

void replace_swap(struct partition *c, struct l2_slice *s, uint64_t line, const struct cache_result *fill) {
  uint64_t until = c->now + s->aside.ops->swap(s->aside.self);
  s->busy = until > s->busy ? until : s->busy;
  s->aside.ops->swapped(s->aside.self, line, fill->replaced ? fill->replaced_line : NEVER, c->now);
  struct l2_fetch job = {.line = fill->victim, .aside = true, .then = NEVER};
  if (fill->evicted)
    write_first(c, s, &job, fill->victim_sectors, until);
  else if (fill->replaced)
    s->aside.ops->evicted(s->aside.self, fill->replaced_line, c->now);
}

void replace_hold(struct partition *c, struct l2_slice *s, uint64_t line) {
  cache_hold(s->cache, line);
  uint32_t at = (s->held_head + s->held_count++) & s->held_mask;
  if (s->held_count > s->held_mask + 1u)
    panic("more lines of L2 slice %u are being filled than were fetched", s->index);
  s->held[at].line = line;
  s->held[at].at = c->now + c->k->l2_fill_latency;
}

uint64_t replace_release(struct partition *c, struct l2_slice *s) {
  while (s->held_count && s->held[s->held_head].at <= c->now) {
    cache_release(s->cache, s->held[s->held_head].line);
    s->held_head = (s->held_head + 1) & s->held_mask;
    s->held_count--;
    s->epoch++;
  }
  return s->held_count ? s->held[s->held_head].at : NEVER;
}

void replace_written(struct partition *c, struct l2_slice *s, const struct l2_fetch *f) {
  s->epoch++;
  if (f->aside) {
    s->aside.ops->evicted(s->aside.self, f->line, c->now);
    return;
  }
  s->stats.evict_cycles += c->now - f->since;
  if (f->then_sectors)
    slice_fetch(c, s, f->then, f->then_sectors, UINT32_MAX, false);
  else
    cache_release(s->cache, f->then);
}
