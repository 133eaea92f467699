/* The structure of a cache with its ways and miss registers, shared by access.h and cache.c (loads, stores, fills), line.c (other
 * operations on a line) and setup.c. */
#ifndef SLUICE_CACHE_WAYS_H
#define SLUICE_CACHE_WAYS_H

#include "cache/cache.h"
#include "sluice_technique.h"

enum { MAX_SECTORS = 8, MAX_LINE_WORDS = 16 /* words of 64 bits, one bit per byte: lines up to 1 KiB */ };

/* Sets of more ways are searched by a byte of each line, of so many ways at once: the lines themselves are 24 bytes apart. */
enum { WAYS_BY_LINE = 8, WAYS_AT_ONCE = 8 };

#define NO_LINE UINT64_MAX

/* Miss registers (MSHRs): the fetches under way, and their waiters in order of arrival. The way reserved for
 * a line has the number of its miss register; a miss without a way is found by its key. */
struct mshr {
  uint32_t entries, merges, used; /* entries: that can be taken (cache_keep_register) */
  uint32_t hashed;                /* miss registers in use that are found by their key */
  uint32_t mask;   /* mask of `index`, whose size is a power of two and at least twice the entries */
  uint32_t *index; /* hash table with open addressing: number of the miss register + 1 */
  struct mshr_entry {
    uint64_t key;     /* if hashed */
    uint32_t pending; /* sectors that are not filled yet */
    uint32_t waiters;
    uint32_t next_free;
    bool hashed;
  } * entry;
  uint32_t *waiter; /* entries × merges */
  uint32_t free;
};

#define MSHR_NONE UINT32_MAX

void mshr_init(struct mshr *m, uint32_t entries, uint32_t merges);
void mshr_destroy(struct mshr *m);
uint32_t mshr_find_hashed(const struct mshr *m, uint64_t key);
void mshr_hash(struct mshr *m, uint32_t e, uint64_t key); /* the register is found by its key from now on */
void mshr_unhash(struct mshr *m, uint32_t e);

/* The miss register of a key, or MSHR_NONE. */
static inline uint32_t mshr_find(const struct mshr *m, uint64_t key) {
  return m->hashed ? mshr_find_hashed(m, key) : MSHR_NONE;
}

/* Allocates a miss register of `pending` sectors for its first waiter; the caller has checked that one is free. */
static inline uint32_t mshr_take(struct mshr *m, uint32_t pending, uint32_t waiter) {
  uint32_t e = m->free;
  struct mshr_entry *at = &m->entry[e];
  m->free = at->next_free;
  at->pending = pending;
  at->waiters = 1;
  at->hashed = false;
  m->waiter[(uint64_t)e * m->merges] = waiter;
  m->used++;
  return e;
}

/* A way: 24 bytes, so that the tags of a set lie close together. */
struct way {
  uint64_t line;   /* line address; NO_LINE: the way is empty */
  uint64_t stamp;  /* LRU: time of the last use; else: time of the allocation; 0: the way is empty */
  bool written;    /* some bytes of the line are marked in valid_bytes or dirty_bytes */
  uint8_t valid;   /* sectors that can be read */
  uint8_t dirty;   /* sectors with dirty bytes */
  uint8_t pending; /* sectors being fetched */
  uint8_t held;    /* times the line is held: meanwhile `valid` is 0 and the valid sectors are in `late` */
  uint16_t owner;
};

/* What every access needs comes first. */
struct cache {
  struct way *way, *asked, *filled; /* all ways; the way of the last lookup; the way of the last fill */
  uint8_t *
      tag_byte; /* [way]: a byte of each line's hash, by which sets of many ways are searched; NULL: by lines */
  uint64_t clock;   /* lines that came, and uses that are stamped */
  uint64_t flushed; /* the clock when the cache was last empty */
  struct mshr mshr;
  uint32_t *entry;  /* [way][entries]: miss registers of the pending sectors of each way */
  uint32_t entries; /* miss registers of a way: one, or one per sector */
  unsigned line_shift, sector_shift, set_bits;
  uint16_t owner;
  bool to_side_buffer;
  bool by_stamp, stamps_uses; /* the line with the least stamp makes room; a use stamps a line */
  void (*changed)(void *ctx, uint64_t line,
                  uint32_t valid); /* called when valid sectors change; NULL: nobody is notified */
  struct cache_stats stats;
  struct cache_config k;
  uint32_t sectors, line_words, words_per_sector;
  uint64_t *dirty_bytes; /* [way][line_words]: bytes written and not written back */
  uint64_t *valid_bytes; /* [way][line_words]: valid bytes of sectors that are not wholly valid */
  uint8_t *late;         /* [way]: valid sectors of a held line */
  void *changed_ctx;
  void *memory[4]; /* of ways, bytes and entries, whose arrays begin with a line of the host's cache */
  /* A replacement policy with state (repl/policy.c), and the access that it is notified of. */
  const struct sluice_replacement *policy;
  void *policy_state;
  uint64_t *can;                     /* set of ways of a set that can be replaced */
  struct sluice_cache_access access; /* under way */
  uint64_t *of_way; /* [way]: the request that used it last; NULL: a policy of the cache's own */
  struct sluice_cache_access *of_entry; /* [miss register]: who missed; NULL: likewise */
};

/* The set of a line: its first way. XOR: the tag folded onto the index. Hashed: a multiplicative mix of all line bits. */
static inline struct way *way_set(const struct cache *c, uint64_t line) {
  uint64_t n = line >> c->line_shift, set = n;
  if (c->k.index != CACHE_MODULO && c->set_bits) {
    if (c->k.index == CACHE_HASHED)
      set = (n * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - c->set_bits);
    else if (c->k.index == CACHE_FERMI)
      set = n ^ (line >> 13 & 7) ^ (line >> 14 & 8) ^ (line >> 15 & 16);
    else if (c->k.index == CACHE_BITS)
      set = bit_select(&c->k.index_bits, line);
    else
      for (uint64_t rest = n >> c->set_bits; rest; rest >>= c->set_bits)
        set ^= rest;
  }
  return c->way + (size_t)((uint32_t)set & (c->k.sets - 1)) * c->k.ways;
}

/* A byte of a line's hash, of other bits than the set's. */
static inline uint8_t way_tag_byte(const struct cache *c, uint64_t line) {
  return (uint8_t)((line >> c->line_shift) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

struct way *way_find_by_byte(const struct cache *c, struct way *set, uint64_t line);

/* The way of a line in its set; NULL: none. */
static inline struct way *way_find_in(const struct cache *c, struct way *set, uint64_t line) {
  if (c->tag_byte)
    return way_find_by_byte(c, set, line);
  struct way *found = NULL; /* to the end: a branch that ends the search would be guessed wrong */
  for (struct way *w = set, *end = set + c->k.ways; w < end; w++)
    found = w->line == line ? w : found;
  return found;
}

static inline struct way *way_find(const struct cache *c, uint64_t line) {
  return way_find_in(c, way_set(c, line), line);
}

/* Looks up a line, beginning with the way `*last`: the sectors of a line are accessed and filled one after
 * the other. */
static inline struct way *way_find_again(const struct cache *c, uint64_t line, struct way **last) {
  if ((*last)->line == line)
    return *last;
  struct way *w = way_find_in(c, way_set(c, line), line);
  if (w)
    *last = w;
  return w;
}

void policy_used(struct cache *c, const struct way *w);
void policy_allocated(struct cache *c, const struct way *w);
void policy_replaced(struct cache *c, const struct way *w);
struct way *policy_victim(struct cache *c, struct way *set);
void policy_missed(struct cache *c, uint32_t entry); /* a miss register was taken for the access */
void policy_fills(struct cache *c, uint64_t line,
                  uint32_t sectors); /* from now on, the access that missed the line */
void policy_init(struct cache *c);
void policy_destroy(struct cache *c);

static inline void way_use(struct cache *c, struct way *w) {
  if (c->stamps_uses)
    w->stamp = ++c->clock;
  else if (!c->by_stamp)
    policy_used(c, w);
}

/* A load hits. */
static inline void way_hit(struct cache *c, struct way *w) {
  c->stats.accesses++;
  c->stats.hits++;
  c->stats.data_reads++;
  way_use(c, w);
}

static inline uint64_t *way_bytes(const struct cache *c, uint64_t *array, const struct way *w) {
  return array + (size_t)(w - c->way) * c->line_words;
}

static inline void cache_notify(const struct cache *c, uint64_t line, uint32_t valid) {
  if (c->changed)
    c->changed(c->changed_ctx, line, valid);
}

/* A line with dirty bytes leaves: reports them in `r`, and forgets which bytes were written. */
void way_write_back(struct cache *c, struct way *w, struct cache_result *r);

/* The line of a way leaves: reports the line in `r`. */
static inline void way_leaves(struct cache *c, struct way *w, struct cache_result *r) {
  r->replaced = true;
  r->replaced_owner = w->owner;
  r->replaced_line = w->line;
  r->replaced_valid = w->valid;
  if (w->written)
    way_write_back(c, w, r);
  if (w->valid)
    cache_notify(c, w->line, 0);
}

/* Empties a way that has a line. */
static inline void way_drop(struct cache *c, struct way *w, struct cache_result *r) {
  way_leaves(c, w, r);
  w->line = NO_LINE;
  w->stamp = 0;
  w->written = false;
  w->valid = w->dirty = w->pending = 0;
}

/* The line takes the way, in the place of the line that is there. */
static inline void way_replace(struct cache *c, struct way *w, uint64_t line, struct cache_result *r) {
  if (w->line != NO_LINE) {
    c->stats.evictions++;
    if (!c->by_stamp)
      policy_replaced(c, w);
    way_leaves(c, w, r);
  }
  c->asked = w;
  w->written = false;
  w->valid = w->dirty = w->pending = 0;
  w->line = line;
  if (c->tag_byte)
    c->tag_byte[w - c->way] = way_tag_byte(c, line);
  w->stamp = ++c->clock;
  w->owner = c->owner;
  if (!c->by_stamp)
    policy_allocated(c, w);
}

static inline enum cache_outcome cache_reservation_fail(struct cache *c, enum sluice_fail why,
                                                        struct cache_result *r) {
  c->stats.fails[why]++;
  r->fail = why;
  r->fetch = 0;
  return r->outcome = CACHE_FAILED;
}

/* The key of a miss register whose line has no way. */
static inline uint64_t cache_key(const struct cache *c, uint64_t line, uint32_t sectors) {
  return c->k.mshr_by_sector ? line + ((uint64_t)__builtin_ctz(sectors) << c->sector_shift) : line;
}

/* The place of the miss register of a way's pending `sectors`. */
static inline uint32_t *way_entry(const struct cache *c, const struct way *w, uint32_t sectors) {
  uint32_t *first = c->entry + (size_t)(w - c->way) * c->entries;
  return c->entries > 1 ? first + __builtin_ctz(sectors) : first;
}

/* The miss register of `sectors` of a line (of the first sector, where each has its own), `w` being the
 * line's way or NULL; MSHR_NONE: there is none. A miss whose line has no way (allocation on fill) is found
 * by its key. */
static inline uint32_t cache_entry(const struct cache *c, const struct way *w, uint64_t line,
                                   uint32_t sectors) {
  uint32_t of = c->k.mshr_by_sector ? sectors & (0u - sectors) : UINT32_MAX;
  if (w && w->pending & of)
    return *way_entry(c, w, sectors);
  return mshr_find(&c->mshr, cache_key(c, line, sectors));
}

/* The way of a set to replace: an empty way, else by the replacement policy among ways without pending
 * sectors; NULL: none. */
static inline struct way *way_victim(struct cache *c, struct way *set) {
  enum { NUMBER = 16 }; /* bits of a way's number in the key */
  uint64_t least =
      UINT64_MAX; /* stamp and number of the way in one key, so that the minimum needs no unpredictable branch */
  for (uint64_t i = 0; i < c->k.ways; i++) {
    uint64_t taken = 0 - (uint64_t)((set[i].pending | set[i].held) != 0);
    uint64_t key = (set[i].stamp << NUMBER | i) | taken;
    least = key < least ? key : least;
  }
  if (least == UINT64_MAX)
    return NULL;
  if (!(least >> NUMBER) || c->by_stamp)
    return set + (least & ((1u << NUMBER) - 1));
  return policy_victim(c, set);
}
/* Any way that way_victim() could choose; NULL: none. */
struct way *way_free(const struct cache *c, struct way *set);
/* cache_sectors_of() all sectors. */
void cache_all_sectors_of(const struct cache *c, const uint64_t *bytes, uint32_t *touched, uint32_t *covered);

#endif
