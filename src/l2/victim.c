#include "l2/victim.h"
#include "base/bits.h"
#include "l2/partition.h"
#include "l2/evict.h"

/* Bytes of the line's whole sectors. */
static void whole(const struct l2_config *k, uint32_t sectors, uint64_t bytes[2]) {
  bytes[0] = bytes[1] = 0;
  for (uint32_t b = 0; b < k->cache.line_bytes; b++)
    if (sectors >> b / k->cache.sector_bytes & 1)
      bits_add(bytes, b);
}

enum sluice_fail victim_exchange(struct partition *c, struct l2_slice *s, uint64_t line, bool write,
                                 uint32_t *cycles) {
  const struct tech_side *a = &s->side_buffer;
  bool room = s->miss_count < c->k->miss_queue;
  if (!a->victim->has(a->self, line)) /* what a store replaces may displace a block that is to be written */
    return room || !write || cache_probe(s->cache, line) ? SLUICE_NFAILS : SLUICE_FAIL_QUEUE;
  int fail = room ? cache_would_fail(s->cache, line, 1, true, true) : SLUICE_FAIL_QUEUE;
  if (fail < CACHE_NFAILS)
    return (enum sluice_fail)fail;
  struct sluice_kept b = {.size = sizeof b, .line = line};
  a->victim->give(a->self, line, c->now, &b);
  const uint64_t *sharers = s->sharers.words ? sharers_take_side(&s->sharers, line) : NULL;
  uint64_t bytes[2];
  whole(c->k, b.valid, bytes);
  struct cache_result r = cache_store(s->cache, line, bytes, CACHE_THROUGH, CACHE_WRITE_VALIDATE, 0, true);
  cache_dirty(s->cache, line, b.dirty);
  victim_insert(s, &r, line, c->now);
  if (sharers) /* after those of the replaced line have left the place */
    sharers_put(&s->sharers, cache_place(s->cache, line), line, sharers);
  if (r.replaced)
    evict_unwaited(c, s, &r, line);
  *cycles = a->lookup + a->swap;
  if (a->blocks)
    s->busy = c->now + *cycles;
  else
    evict_exchanging(c, s, line, c->now + *cycles);
  s->epoch++;
  return SLUICE_NFAILS;
}

void victim_remove(struct partition *c, struct l2_slice *s, uint64_t line) {
  const struct tech_side *a = &s->side_buffer;
  if (!a->victim->has(a->self, line))
    return;
  struct sluice_kept b = {.size = sizeof b, .line = line};
  a->victim->give(a->self, line, c->now, &b);
  struct cache_result r = {
      .replaced = true, .replaced_line = line, .evicted = b.dirty, .victim = line, .victim_sectors = b.dirty};
  evict_unwaited(c, s, &r, line);
}

void victim_insert(struct l2_slice *s, struct cache_result *r, uint64_t line, uint64_t now) {
  /* sectors of which only some bytes were written are not whole: such a line is written back as ever */
  if (!r->replaced)
    return;
  if (!r->replaced_valid || (r->evicted && r->victim_sectors & ~r->replaced_valid)) {
    s->calls.partial++;
    return;
  }
  s->calls.kept++;
  struct sluice_kept in = {.size = sizeof in,
                           .line = r->replaced_line,
                           .valid = (uint8_t)r->replaced_valid,
                           .dirty = (uint8_t)(r->evicted ? r->victim_sectors : 0)};
  if (s->sharers.words)
    sharers_put_side(&s->sharers, in.line, sharers_take(&s->sharers, cache_place(s->cache, line), in.line));
  struct sluice_kept out = {.size = sizeof out, .line = NEVER};
  s->side_buffer.victim->keep(s->side_buffer.self, &in, now, &out);
  r->replaced = out.line != NEVER;
  r->replaced_line = out.line;
  r->evicted = r->replaced && out.dirty;
  r->victim = out.line;
  r->victim_sectors = out.dirty;
}
