/* Miss registers: which blocks are being fetched, and who waits for them, in order of arrival. */
#ifndef SLUICE_MEM_MSHR_H
#define SLUICE_MEM_MSHR_H

#include <stdbool.h>
#include <stdint.h>

struct mshr {
  uint32_t entries, merges, used;
  uint32_t mask;   /* of the index, a power of two at least twice the entries */
  uint32_t *index; /* open addressing: entry + 1 */
  struct mshr_entry {
    uint64_t key;
    uint32_t pending; /* sectors not yet here */
    uint32_t waiters;
    uint32_t next_free;
  } * entry;
  uint32_t *waiter; /* entries × merges */
  uint32_t free;
};

#define MSHR_NONE UINT32_MAX

void mshr_init(struct mshr *m, uint32_t entries, uint32_t merges);
void mshr_destroy(struct mshr *m);
uint32_t mshr_find(const struct mshr *m, uint64_t key); /* entry, or MSHR_NONE */
uint32_t mshr_take(struct mshr *m, uint64_t key);       /* a new entry; the caller knows that one is free */
static inline bool mshr_full(const struct mshr *m) {
  return m->used == m->entries;
}
static inline bool mshr_can_merge(const struct mshr *m, uint32_t e) {
  return m->entry[e].waiters < m->merges;
}
static inline void mshr_add(struct mshr *m, uint32_t e, uint32_t waiter) {
  m->waiter[(uint64_t)e * m->merges + m->entry[e].waiters++] = waiter;
}
void mshr_release(struct mshr *m, uint32_t e);

#endif
