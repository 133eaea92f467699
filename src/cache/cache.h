/* A cache as state, without time: tags, sectors, dirty bytes, replacement and miss registers (MSHRs).
 * The units that own one (an SM's L1, an L2 slice) decide when to ask and where messages go.
 *
 *   lookup ──▶ hit | pending (merge) | miss ──▶ fetch these sectors, write this victim back
 *          └─▶ fail: no way, no MSHR, no room to merge, no room in the miss queue; nothing changed
 *   fill   ──▶ who was waiting
 *
 * A line has up to eight sectors; a cache without sectors has one per line. A way is free to be
 * replaced unless a fetch for it is under way. */
#ifndef SLUICE_CACHE_CACHE_H
#define SLUICE_CACHE_CACHE_H

#include "base/bitselect.h"
#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CACHE_FERMI: the low five bits with address bits 19, 17, 15, 14, 13 added, as Nugteren et al. (HPCA 2014) found
 * in a GTX470. */
enum cache_index { CACHE_MODULO, CACHE_XOR, CACHE_HASHED, CACHE_BITS, CACHE_FERMI };
enum cache_replacement { CACHE_LRU, CACHE_FIFO, CACHE_SRRIP };
enum cache_allocate { CACHE_ON_MISS, CACHE_ON_FILL };
/* What a write does: through to the next level, kept until evicted, or around the cache. */
enum cache_write { CACHE_THROUGH, CACHE_BACK, CACHE_AROUND };
/* A write that misses: take no line; take one and fetch the rest; take one and know which bytes are valid. */
enum cache_write_miss { CACHE_NO_ALLOCATE, CACHE_FETCH_ON_WRITE, CACHE_WRITE_VALIDATE };

enum cache_fail { CACHE_FAIL_WAYS, CACHE_FAIL_MSHR, CACHE_FAIL_MERGE, CACHE_FAIL_QUEUE, CACHE_NFAILS };

struct cache_config {
  uint32_t sets, ways, line_bytes, sector_bytes; /* powers of two but for ways */
  enum cache_index index;
  enum cache_replacement replacement;
  enum cache_allocate allocate;
  uint32_t mshrs, merges;       /* entries; requests each can hold, the first included */
  bool mshr_by_sector;          /* an entry is for one sector, not for a line */
  const char *index_text;       /* CACHE_BITS: the bits of the address, as they were written; */
  struct bit_select index_bits; /* and read */
};

enum cache_outcome { CACHE_HIT, CACHE_PENDING, CACHE_MISS, CACHE_FAILED };

struct cache_result {
  enum cache_outcome outcome;
  enum cache_fail fail;    /* CACHE_FAILED */
  uint32_t fetch;          /* sectors to ask the next level for; 0: none */
  bool waits;              /* a store: its waiter is told when they, or those of an earlier fetch, are here */
  bool evicted;            /* a dirty victim must be written back */
  uint64_t victim;         /* its line address */
  uint32_t victim_sectors; /* which of them are dirty */
  uint32_t victim_bytes;   /* dirty bytes in all */
  uint64_t victim_mask[2]; /* which of its first 128 */
  bool replaced;           /* a line, dirty or not, made room: */
  uint16_t replaced_owner; /* who had brought it */
  uint64_t replaced_line;
  uint32_t replaced_valid; /* sectors of it that were whole */
};

/* Who owns the cache names and defines them as statistics (l1/counters.h, l2/counters.h). */
struct cache_stats {
  uint64_t accesses; /* lookups that were accepted: */
  uint64_t hits, misses,
      merges; /* a store hits where it finds bytes of each sector; a merge joins a fetch under way */
  uint64_t evictions, writebacks, fills; /* lines, dirty lines, sectors */
  uint64_t data_reads, data_writes;      /* accesses of the data array */
  uint64_t fails[CACHE_NFAILS];
};

struct cache;
extern const char *const cache_index_names[],
    *const cache_replacement_names[], *const cache_allocate_names[], *const cache_write_miss_names[];
/* Reads index_text and checks the rest; `name` is the cache's, for messages. */
bool cache_config_finish(struct cache_config *k, const char *name, struct error *err);
bool cache_config_check(const struct cache_config *k, const char *name, struct error *err);
struct cache *cache_new(const struct cache_config *k);
void cache_free(struct cache *c);

/* The same as a load that nobody waits for, with room in the queue, and in no statistic of accesses. */
struct cache_result cache_prefetch(struct cache *c, uint64_t line, uint32_t sectors);
/* A load of `sectors` of the line at `line` (a line address). `waiter` is handed back by cache_fill();
 * `queue_room` says whether a fetch can be sent now. */
void cache_load_to(struct cache *c, uint64_t line, uint32_t sectors, uint32_t waiter, bool queue_room,
                   struct cache_result *r);
static inline struct cache_result cache_load(struct cache *c, uint64_t line, uint32_t sectors,
                                             uint32_t waiter, bool queue_room) {
  struct cache_result r;
  cache_load_to(c, line, sectors, waiter, queue_room, &r);
  return r;
}

/* n loads of sectors of the line that was asked for last, which are there (cache/sector.h). */
void cache_load_hits(struct cache *c, uint32_t n);
/* A load of sectors if all of them are there. False: they are not, and nothing has happened. */
bool cache_hit(struct cache *c, uint64_t line, uint32_t sectors);

/* An access that failed for this would do so again. */
void cache_fail_again(struct cache *c, enum cache_fail why);

/* What cache_load() would fail for, or a store that writes part of `sectors` back (`validate`: without fetching
 * the rest); CACHE_NFAILS + 1: it would be accepted. Changes nothing. */
int cache_would_fail(const struct cache *c, uint64_t line, uint32_t sectors, bool validate, bool queue_room);

/* A store. `bytes` has a bit for each byte of the line that is written (line_bytes / 64 words).
 * Through and around: the caller sends the data on; around also drops the line. Back: dirty bytes stay here.
 * A fetch-on-write miss fetches and merges like a load, with `waiter`. A write-validate store never waits; it hits where each
 * sector it touches has bytes here, if only some; CACHE_PENDING: the others are being fetched. */
struct cache_result cache_store(struct cache *c, uint64_t line, const uint64_t *bytes,
                                enum cache_write policy, enum cache_write_miss miss, uint32_t waiter,
                                bool queue_room);

/* A store that stays here, without fetching the rest, into a sector of a line that has a way. CACHE_FAILED: it is none, and
 * nothing was done. */
enum cache_outcome cache_store_in(struct cache *c, uint64_t line, uint32_t sector, const uint64_t *bytes);

/* Sectors arrived. Calls `answer` for every waiter whose entry is complete, oldest first. With allocation on
 * fill the result tells the victim; it fails (CACHE_FAIL_WAYS) when no way is free: try again later. */
struct cache_result cache_fill(struct cache *c, uint64_t line, uint32_t sectors,
                               void (*answer)(void *ctx, uint32_t waiter), void *ctx);

/* The same as cache_fill() without keeping the line, where no way is the line's already. */
void cache_fill_no_allocate(struct cache *c, uint64_t line, uint32_t sectors, void (*answer)(void *ctx, uint32_t waiter),
                 void *ctx);
/* A look from outside: true, and the line was used, if all these sectors are valid. Not counted as an access. */
bool cache_peer_lookup(struct cache *c, uint64_t line, uint32_t sectors);
/* Calls `changed` whenever the valid sectors of a line change, with those it then has. */
bool cache_watched(const struct cache *c);
void cache_notify_changes(struct cache *c, void (*changed)(void *ctx, uint64_t line, uint32_t valid), void *ctx);

/* Forgets every line that no fetch is under way for; dirty ones are handed to `dirty` first, as victims
 * (may be NULL). */
void cache_flush(struct cache *c, void (*dirty)(void *ctx, const struct cache_result *r), void *ctx);
/* Marks sectors that are valid as changed: they are written back when the line leaves. */
void cache_dirty(struct cache *c, uint64_t line, uint32_t sectors);
/* Drops one line (coherence, atomics); true if it was there and is gone. `r` tells the victim if it was dirty. */
bool cache_invalidate(struct cache *c, uint64_t line, struct cache_result *r);

/* Blocks missed or filled from now on are kept beside the cache until they are filled: a miss reserves no way, and a
 * fill chooses the victim; without one the block is not kept. */
void cache_set_side_buffer(struct cache *c, bool to_side_buffer);
/* Empties a way for a line that is to be written, and holds it: `r` tells what must go first. False: nothing has to go
 * (the line is there, or a way that holds nothing to write back; with `clean_too` nothing at all). Fails like a load. */
bool cache_clear(struct cache *c, uint64_t line, bool clean_too, struct cache_result *r);
/* The line keeps its way but serves nobody, until it is released as often as it was held. */
void cache_hold(struct cache *c, uint64_t line);
void cache_release(struct cache *c, uint64_t line);
/* Where the line is, for who keeps something beside each: a number below sets x ways; UINT32_MAX: nowhere. */
uint32_t cache_place(const struct cache *c, uint64_t line);
/* Bytes of a line that is here (of a cache without sectors) are changed, without asking for anything. */
void cache_change(struct cache *c, uint64_t line, const uint64_t *bytes);
/* A fetch of a line (of a cache without sectors) that may be here already: a store wants more than to have it. Until it comes, what
 * is here can be read. Fails and merges as a load. */
struct cache_result cache_acquire(struct cache *c, uint64_t line, uint32_t waiter, bool queue_room);
/* What the cache has of the line is gone, even while more of it is fetched. `r` tells what was changed. */
void cache_revoke(struct cache *c, uint64_t line, struct cache_result *r);
/* The fetch of the line will not come: calls `waited` for those who wait for it, oldest first, and forgets them. The miss
 * register is free, and the way that was reserved. */
void cache_cancel(struct cache *c, uint64_t line, void (*waited)(void *ctx, uint32_t waiter), void *ctx);
/* Would a load of these sectors have to fetch, with no fetch of them under way? */
bool cache_misses(const struct cache *c, uint64_t line, uint32_t sectors);
/* Lines taken from now on belong to `owner` (a warp); the cache_result of their end names it. */
void cache_set_owner(struct cache *c, uint16_t owner);

/* Looks without touching: which sectors of the line are valid. */
uint32_t cache_probe(const struct cache *c, uint64_t line);
bool cache_pending(const struct cache *c, uint64_t line); /* a fetch of it is under way */
bool cache_changed(const struct cache *c, uint64_t line); /* bytes of it are not yet written back */
uint32_t cache_set_of(const struct cache *c, uint64_t line);
uint32_t cache_mshrs_used(const struct cache *c);
const struct cache_stats *cache_stats(const struct cache *c);

#endif
