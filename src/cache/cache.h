/* A cache as state, without time: tags, sectors, dirty bytes, replacement and miss registers (MSHRs).
 * The unit that owns the cache (an L1, an L2 slice) decides when to access the cache and where messages go.
 *
 *   lookup ──▶ hit | pending (merge) | miss ──▶ sectors to fetch, a victim to write back
 *          └─▶ reservation fail: no way, no MSHR, no room to merge, no room in the miss queue; nothing changed
 *   fill   ──▶ the waiters of the miss
 *
 * A line has up to eight sectors; a cache without sectors has one sector per line. A way can be replaced unless a
 * fetch for its line is under way. */
#ifndef SLUICE_CACHE_CACHE_H
#define SLUICE_CACHE_CACHE_H

#include "base/bitselect.h"
#include "base/error.h"
#include "sluice_technique.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CACHE_FERMI: the low five bits with address bits 19, 17, 15, 14, 13 added, as Nugteren et al. (HPCA 2014) found
 * in a GTX470. */
enum cache_index { CACHE_MODULO, CACHE_XOR, CACHE_HASHED, CACHE_BITS, CACHE_FERMI };
enum cache_replacement { CACHE_LRU, CACHE_FIFO, CACHE_SRRIP };
enum cache_allocate { CACHE_ON_MISS, CACHE_ON_FILL };
/* What a store does with its bytes: write-through, write-back, or write-around (the line is dropped). */
enum cache_write { CACHE_THROUGH, CACHE_BACK, CACHE_AROUND };
/* What a store that misses does: allocates no line; allocates and fetches the rest; allocates and marks the
 * valid bytes; goes to memory and has its line fetched. The last is known to the L2 alone, which then does not ask the cache
 * to store. */
enum cache_write_miss {
  CACHE_NO_ALLOCATE,
  CACHE_FETCH_ON_WRITE,
  CACHE_WRITE_VALIDATE,
  CACHE_WRITE_AND_FETCH
};

/* Causes for which a cache itself fails: those before SLUICE_FAIL_RESPONSE. */
enum { CACHE_NFAILS = SLUICE_FAIL_RESPONSE };

struct cache_config {
  uint32_t sets, ways, line_bytes, sector_bytes; /* powers of two but for ways */
  enum cache_index index;
  enum cache_replacement replacement;
  enum cache_allocate allocate;
  uint32_t mshrs, merges;       /* miss registers; requests that one register holds, the first included */
  bool mshr_by_sector;          /* a miss register is for one sector, not for a line */
  const char *index_text;       /* CACHE_BITS: the bits of the address, as they were written; */
  struct bit_select index_bits; /* and read */
};

enum cache_outcome { CACHE_HIT, CACHE_PENDING, CACHE_MISS, CACHE_FAILED };

struct cache_result {
  enum cache_outcome outcome;
  enum sluice_fail fail; /* outcome CACHE_FAILED: the missing resource */
  uint32_t fetch;        /* sectors to fetch from the next level; 0: none */
  uint32_t place; /* of a fetch: the number of the way that is reserved, if one is, among sets x ways */
  bool
      waits; /* a store whose waiter is answered when the fetch of these sectors, or an earlier one, is filled */
  bool evicted;            /* a dirty victim must be written back */
  uint64_t victim;         /* line address of the victim */
  uint32_t victim_sectors; /* dirty sectors of the victim */
  uint32_t victim_bytes;   /* dirty bytes of the victim */
  uint64_t victim_mask[2]; /* mask of the dirty bytes among the first 128 */
  bool replaced;           /* a line, dirty or clean, was replaced: */
  uint16_t replaced_owner; /* the owner of the replaced line (cache_set_owner()) */
  uint64_t replaced_line;
  uint32_t replaced_valid; /* valid sectors of the replaced line */
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
/* Another replacement policy, with state that its owner closes; before the first access. */
struct sluice_replacement;
struct sluice_cache_access;
void cache_set_replacement(struct cache *c, const struct sluice_replacement *r, void *state);
/* Can accesses of the cache be fast (cache/access.h)? The policy has no state (LRU, FIFO), and a miss reserves a way. */
bool cache_fast(const struct cache *c);
/* After cache_set_replacement(), the access that comes next is told to the cache. */
void cache_set_access(struct cache *c, const struct sluice_cache_access *a);

/* The same as a load that nobody waits for, with room in the queue, and in no statistic of accesses. */
struct cache_result cache_prefetch(struct cache *c, uint64_t line, uint32_t sectors);
/* A way for a copy that another cache has of a line, under a line address of its own, without data: used again, or taken from the line
 * that makes room; in no statistic of accesses. CACHE_FAILED: no way can be taken. */
struct cache_result cache_copy(struct cache *c, uint64_t line);
/* Loads, stores and fills in their general form; cache/access.h has their text, and a fast form to be inlined. */
/* A load of `sectors` of the line at address `line`. cache_fill() hands `waiter` back; `queue_room` says
 * whether the miss queue has room for a fetch. */
struct cache_result cache_load(struct cache *c, uint64_t line, uint32_t sectors, uint32_t waiter,
                               bool queue_room);

/* n loads that hit the line found by the last lookup. */
void cache_load_hits(struct cache *c, uint32_t n);
/* A load if all `sectors` are valid. False: some sector is not valid, and nothing has changed. */
bool cache_hit(struct cache *c, uint64_t line, uint32_t sectors);

/* Counts another reservation fail of an access whose missing resource is still missing. */
void cache_fail_again(struct cache *c, enum sluice_fail why);

/* The first who waits for a sector that is being fetched; UINT32_MAX: nobody does. */
uint32_t cache_first_waiter(const struct cache *c, uint64_t line, uint32_t sector);

/* The cause for which cache_load(), or a write-back store to part of `sectors` (`validate`: write-validate),
 * would fail; CACHE_NFAILS + 1: the access would be accepted. Changes nothing. */
int cache_would_fail(const struct cache *c, uint64_t line, uint32_t sectors, bool validate, bool queue_room);

/* A store. `bytes` has a bit for each byte of the line that is written (line_bytes / 64 words).
 * Write-through and write-around: the caller sends the bytes on; write-around also drops the line. Write-back: dirty bytes
 * stay in the cache. A fetch-on-write miss fetches and merges like a load, with `waiter`. A write-validate store never
 * waits; it hits where each sector that it writes has valid bytes; CACHE_PENDING: the other sectors are being fetched. */
struct cache_result cache_store(struct cache *c, uint64_t line, const uint64_t *bytes,
                                enum cache_write policy, enum cache_write_miss miss, uint32_t waiter,
                                bool queue_room);

/* Fills `sectors`. Calls `answer` for every waiter whose miss register is complete, oldest first. With
 * allocation on fill the result has the victim, and fails (SLUICE_FAIL_WAYS) while no way of the set is free. */
struct cache_result cache_fill(struct cache *c, uint64_t line, uint32_t sectors,
                               void (*answer)(void *ctx, uint32_t waiter), void *ctx);

/* Answers the waiters of `sectors` as cache_fill() does, without allocating the line; a way that the line
 * has is filled. */
void cache_fill_no_allocate(struct cache *c, uint64_t line, uint32_t sectors,
                            void (*answer)(void *ctx, uint32_t waiter), void *ctx);
/* A lookup by another L1 of the cluster: true if all `sectors` are valid; the line then counts as used, not
 * as accessed. */
bool cache_peer_lookup(struct cache *c, uint64_t line, uint32_t sectors);
/* Calls `changed` with the valid sectors of a line whenever they change. */
bool cache_watched(const struct cache *c);
void cache_notify_changes(struct cache *c, void (*changed)(void *ctx, uint64_t line, uint32_t valid),
                          void *ctx);

/* Invalidates every line without a fetch under way; dirty lines are handed to `dirty` (NULL: dropped) as
 * victims. */
void cache_flush(struct cache *c, void (*dirty)(void *ctx, const struct cache_result *r), void *ctx);
/* Has the line sectors that stores changed in part, and no fetch completes? Completes those that are not being fetched: they are
 * valid then, and clean unless they stay dirty; returns which. */
bool cache_partial(struct cache *c, uint64_t line);
uint32_t cache_complete(struct cache *c, uint64_t line, bool stay_dirty);
/* Cleans the dirty sectors that are valid as a whole; returns which. */
uint32_t cache_clean(struct cache *c, uint64_t line);
/* Marks valid sectors as dirty: they are written back when the line is replaced. */
void cache_dirty(struct cache *c, uint64_t line, uint32_t sectors);
/* Invalidates one line (coherence, atomics); true if the line was valid. `r` has the victim if the line was
 * dirty. */
bool cache_invalidate(struct cache *c, uint64_t line, struct cache_result *r);

/* While set, lines that miss go to the side buffer: a miss reserves no way, and the fill chooses the victim;
 * without a victim the filled line is not kept. */
void cache_set_side_buffer(struct cache *c, bool to_side_buffer);
/* Empties a way for a line that is to be written, and holds the way: `r` has what must be evicted first.
 * False: nothing has to be evicted (the line is valid, or a way has nothing to write back; with `clean_too`,
 * a way is empty). Fails like a load. */
bool cache_clear(struct cache *c, uint64_t line, bool clean_too, struct cache_result *r);
/* A held line keeps its way and serves no access until it is released as often as it was held. */
void cache_hold(struct cache *c, uint64_t line);
void cache_release(struct cache *c, uint64_t line);
/* The number of the line's way among sets x ways, for owners that keep a state per way; UINT32_MAX: the line
 * has no way. */
uint32_t cache_place(const struct cache *c, uint64_t line);
/* The way that the line would replace, the one used least recently, also while it is being fetched; it counts as used now. */
uint32_t cache_choose(struct cache *c, uint64_t line);
/* Is a line being fetched into the way? */
bool cache_locked(const struct cache *c, uint32_t place);
/* The next line to be allocated in the set of `line` takes that way, which is not locked. */
void cache_replace_next(struct cache *c, uint64_t line, uint32_t place);
/* Marks bytes of a valid line (of a cache without sectors) as dirty. */
void cache_change(struct cache *c, uint64_t line, const uint64_t *bytes);
/* A fetch of a line (of a cache without sectors) that may be valid already, for a store that needs
 * ownership. Until the fill the line can be read. Fails and merges like a load. */
struct cache_result cache_acquire(struct cache *c, uint64_t line, uint32_t waiter, bool queue_room);
/* Invalidates a line even while a fetch of the line is under way. `r` has the dirty bytes. */
void cache_revoke(struct cache *c, uint64_t line, struct cache_result *r);
/* Cancels the fetch of a line: calls `waited` for its waiters, oldest first, and frees the miss register and
 * the reserved way. */
void cache_cancel(struct cache *c, uint64_t line, void (*waited)(void *ctx, uint32_t waiter), void *ctx);
/* Would a load of `sectors` miss, with no fetch of them under way? */
bool cache_misses(const struct cache *c, uint64_t line, uint32_t sectors);
/* Lines allocated from now on belong to `owner` (a warp); the cache_result of their replacement names the
 * owner. */
void cache_set_owner(struct cache *c, uint16_t owner);

/* The valid sectors of a line; changes nothing. */
uint32_t cache_probe(const struct cache *c, uint64_t line);
bool cache_pending(const struct cache *c, uint64_t line); /* a fetch of the line is under way */
bool cache_changed(const struct cache *c, uint64_t line); /* the line has dirty bytes */
uint32_t cache_set_of(const struct cache *c, uint64_t line);
uint32_t cache_mshrs_used(const struct cache *c);
/* A miss register that a fill has just freed stays taken, until the latter. */
void cache_keep_register(struct cache *c);
void cache_free_register(struct cache *c);
const struct cache_stats *cache_stats(const struct cache *c);

#endif
