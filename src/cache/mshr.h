/* Miss registers (MSHRs): the fetches under way, and their waiters in order of arrival. The way reserved for
 * a line has the number of its miss register; a miss without a way is found by its key. */
#ifndef SLUICE_CACHE_MSHR_H
#define SLUICE_CACHE_MSHR_H

#include <stdbool.h>
#include <stdint.h>

struct mshr {
  uint32_t entries, merges, used; /* entries: that can be taken (cache_keep_register) */
  uint32_t hashed;                /* miss registers in use that are found by their key */
  uint32_t mask;   /* mask of `index`, whose size is a power of two and at least twice the entries */
  uint32_t *index; /* hash table with open addressing: number of the miss register + 1 */
  struct mshr_entry {
    uint64_t key;
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
void mshr_hash(struct mshr *m, uint32_t e);
void mshr_unhash(struct mshr *m, uint32_t e);

/* The miss register of a key, or MSHR_NONE. */
static inline uint32_t mshr_find(const struct mshr *m, uint64_t key) {
  return m->hashed ? mshr_find_hashed(m, key) : MSHR_NONE;
}

static inline bool mshr_full(const struct mshr *m) {
  return m->used == m->entries;
}
static inline bool mshr_can_merge(const struct mshr *m, uint32_t e) {
  return m->entry[e].waiters < m->merges;
}
static inline void mshr_add(struct mshr *m, uint32_t e, uint32_t waiter) {
  m->waiter[(uint64_t)e * m->merges + m->entry[e].waiters++] = waiter;
}

/* Allocates a miss register; the caller has checked that one is free. */
static inline uint32_t mshr_take(struct mshr *m, uint64_t key, bool hashed) {
  uint32_t e = m->free;
  m->free = m->entry[e].next_free;
  m->entry[e] = (struct mshr_entry){.key = key, .hashed = hashed};
  m->used++;
  if (hashed)
    mshr_hash(m, e);
  return e;
}

static inline void mshr_release(struct mshr *m, uint32_t e) {
  if (m->entry[e].hashed)
    mshr_unhash(m, e);
  m->entry[e].next_free = m->free;
  m->free = e;
  m->used--;
}

#endif
