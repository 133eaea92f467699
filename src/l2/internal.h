/* Shared by the files of a slice: slice.c (requests in, answers out), serve.c and lookup.c (tags). */
#ifndef SLUICE_L2_INTERNAL_H
#define SLUICE_L2_INTERNAL_H

#include "base/specialized.h"
#include "cache/access.h"
#include "l2/dirty.h"
#include "l2/half.h"
#include "l2/partition.h"

/* The cause for which the next access of a request would fail now; SLUICE_NFAILS: none. */
enum sluice_fail slice_would_fail(void *self, uint32_t h);
/* A request that has come: its handle. */
uint32_t slice_parent(const struct l2_config *k, struct l2_slice *s, const struct mem_request *r);
/* Parts of a lookup that only slices have that are not fast (serve.c). */
void slice_name_access(struct l2_slice *s, uint32_t h); /* to a replacement policy that wants to know */
/* Is there room in the miss queue for what an access may need? GPGPU-Sim 3 asks for the worst case of each kind. */
bool slice_miss_room(const struct l2_slice *s, bool write);
/* Asks what stands beside the cache: memory's queue, directory, side buffer, victim cache. `exchange`: cycles until a block from there is
 * in the cache. */
enum beside {
  BESIDE_NOTHING, /* the cache is looked up */
  BESIDE_SERVED,  /* the sector is served, or its request sent back */
  BESIDE_FAILED   /* reservation fail */
};
enum beside slice_look_beside(struct partition *c, struct l2_slice *s, uint32_t h, bool *room,
                              uint32_t *exchange);
/* A store into a sector where more is to be known than the outcome: a line that leaves first, sectors that are changed in part, the
 * cycles that a store keeps the slice. */
void slice_store(struct partition *c, struct l2_slice *s, uint32_t h, bool room, struct cache_result *k);
/* A load of a sector where a technique may take the missed line into its side buffer. False: the line is being evicted from there. */
bool slice_load(struct partition *c, struct l2_slice *s, uint32_t h, bool room, struct cache_result *k,
                bool *to_side_buffer);
/* Asks the techniques whether a read that failed bypasses the cache. */
bool slice_bypassed(struct partition *c, struct l2_slice *s, uint32_t h, enum sluice_fail why);
/* Sends a read back to its L1 before any of its sectors is looked up, so that other requests can be served; if that cannot be,
 * counts a reservation fail and is false. */
bool slice_sent_back(struct partition *c, struct l2_slice *s, uint32_t h, enum sluice_fail why);
/* Counts a reservation fail; always false. */
bool slice_reservation_fail(struct partition *c, struct l2_slice *s, uint32_t h, enum sluice_fail why);
/* Occupies the data port for a sector of a request. Returns the cycles beyond the first. */
uint32_t slice_use_port(struct partition *c, struct l2_slice *s, uint8_t wanted, uint32_t sector);
/* Answers a read with a NACK: its L1 tries again. */
void slice_send_back(struct l2_slice *s, uint32_t h);
void slice_grow_responses(struct l2_slice *s); /* grows the queue of answers */
/* Grows the miss queue for write-backs beyond its capacity; without such write-backs an overflow is a broken
 * invariant. */
void slice_grow_misses(struct l2_slice *s);
/* Notes that an L1 gets a line, or takes the line back where the L2 does not keep the line itself. */
void slice_note_sharer(struct partition *c, struct l2_slice *s, uint32_t h);

/* Queues a sector for memory, burst by burst: the bursts of the set `bursts`. */
#define SLICE_ALL_BURSTS UINT32_MAX
static inline void slice_to_memory(struct partition *c, struct l2_slice *s, uint64_t address, uint32_t bursts,
                                   uint32_t fetch, bool write, uint64_t from) {
  address = addr_stage_join(&c->k->map.slice, s->local, address);
  for (uint32_t i = 0; i < c->bursts; i++) {
    if (!(bursts >> i & 1))
      continue;
    if (s->miss_count > s->miss_mask)
      slice_grow_misses(s);
    s->miss[(s->miss_head + s->miss_count++) & s->miss_mask] =
        (struct memory_request){address + i * c->memory.transaction, from, fetch, write};
    c->missing++;
  }
}

/* Fetches sectors of a line from memory, for request `parent` or (UINT32_MAX) into the cache. `fast`: one sector, into the way
 * of number `place`. */
SPECIALIZED void slice_fetch_as(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors,
                                uint32_t place, uint32_t parent, bool to_side_buffer, bool fast) {
  uint64_t from = fast || parent != UINT32_MAX ? c->now : c->now + s->side_buffer.lookup;
  for (uint32_t m = sectors; m; m = fast ? 0 : m & (m - 1)) {
    uint32_t sector = (uint32_t)__builtin_ctz(m);
    uint32_t f = partition_fetch(c, s->local, line, sector, parent, to_side_buffer);
    c->fetch[f].place = place;
    slice_to_memory(c, s, line + (uint64_t)sector * c->k->cache.sector_bytes, SLICE_ALL_BURSTS, f, false,
                    from);
    s->stats.reads++;
  }
}

/* Queues an answer for the network. Requests bound the number of answers; invalidations can grow the queue. */
static inline void slice_send_at(struct l2_slice *s, uint32_t parent, uint64_t at) {
  if (s->beside && s->parent[parent].twin != UINT32_MAX && !s->parent[parent].away)
    half_served(&s, &parent);
  if (s->done_count > s->done_mask)
    slice_grow_responses(s);
  uint32_t i = (s->done_head + s->done_count++) & s->done_mask;
  s->done[i].parent = parent;
  s->done[i].at = at;
  s->due = at < s->due ? at : s->due;
}

static inline void slice_stamp(const struct partition *c, struct l2_slice *s, uint32_t p,
                               const struct l2_fetched *f) {
  struct mem_request *r = &s->parent[p].request;
  r->stamps->to_memory = mem_age(r, f->fetch->to_memory);
  r->stamps->at_memory = mem_age(r, partition_core_of(c, f->fetch->at_memory));
  r->stamps->opening = mem_age(r, partition_core_of(c, f->done->opening));
  r->stamps->open = mem_age(r, partition_core_of(c, f->done->open));
  r->stamps->column = mem_age(r, partition_core_of(c, f->done->column));
  r->stamps->filled = mem_age(r, c->core_now);
}

/* One sector of a request is served, by fetch `f` or (NULL) by the L2's data; its last byte is ready `later`
 * cycles from now. */
static inline void slice_sector_done(struct partition *c, struct l2_slice *s, uint32_t p,
                                     const struct l2_fetched *f, uint32_t later) {
  if (--s->parent[p].left)
    return;
  if (f) /* the request waited for its last sector: take the time stamps of that fetch */
    slice_stamp(c, s, p, f);
  if (s->parent[p].request.kind == MEM_ATOMIC)
    later += c->k->atomic_latency;
  slice_send_at(s, p, c->now + c->k->latency + later);
  if (s->sharers.words)
    slice_note_sharer(c, s, p);
}

void slice_cas_succeeded(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector);

/* Keeps the slice busy for `interval` 1024ths of a cycle: whole cycles now, the rest is added to the next interval. */
static inline void slice_keep_busy(const struct partition *c, struct l2_slice *s, uint32_t interval) {
  s->left_over += interval;
  uint64_t from = c->k->whole_requests && s->busy > c->now ? s->busy : c->now,
           until = from + (s->left_over >> 10);
  s->left_over &= 1023;
  s->busy = until > s->busy ? until : s->busy;
}

/* Passes over a sector of an atomic. Returns how long they take, in 1024ths of a cycle. */
uint32_t slice_passes(const struct partition *c, struct l2_slice *s, const struct l2_parent *p,
                      uint32_t sector);

/* Counts an atomic and keeps the slice busy. */
static inline void slice_atomic(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector) {
  const struct l2_parent *p = &s->parent[h];
  s->stats.atomics++;
  if (p->request.bytes[0] | p->request.bytes[1])
    slice_cas_succeeded(c, s, h, sector);
  slice_keep_busy(c, s,
                  p->request.coherence & MEM_PASSES ? slice_passes(c, s, p, sector) : c->k->atomic_interval);
}

/* An atomic changes a valid sector. */
static inline void slice_change(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector) {
  bool clean = s->limits_dirty && !cache_changed(s->cache, s->parent[h].line);
  cache_dirty(s->cache, s->parent[h].line, 1u << sector);
  if (clean && cache_changed(s->cache, s->parent[h].line))
    dirty_begin(c, s, s->parent[h].line);
  slice_atomic(c, s, h, sector);
}

/* Serves a sector without memory, `later` cycles more than a hit. */
static inline void slice_hit_done(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector,
                                  uint32_t later) {
  const struct l2_parent *p = &s->parent[h];
  if (!s->wide_port)
    later += slice_use_port(c, s, p->request.sectors, sector);
  if (p->request.kind == MEM_ATOMIC)
    slice_change(c, s, h, sector);
  slice_sector_done(c, s, h, NULL, later);
}

#endif
