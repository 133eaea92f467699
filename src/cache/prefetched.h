/* What became of the lines that a cache fetched before anybody asked for them. Kept beside the cache, for counting only: no
 * hardware would have to. */
#ifndef SLUICE_CACHE_PREFETCHED_H
#define SLUICE_CACHE_PREFETCHED_H

#include <stdbool.h>
#include <stdint.h>

enum { PREFETCHED_VICTIMS = 1024 };

struct prefetched {
  uint64_t victim[PREFETCHED_VICTIMS]; /* by hash: lines that prefetches replaced last */
  /* lines that came or come by a prefetch and that nobody has asked for: a hash table */
  uint64_t *unused;
  uint32_t mask, n;
};

/* `lines`: the most that can be in the cache or on their way to it. */
void prefetched_init(struct prefetched *p, uint32_t lines);
void prefetched_free(struct prefetched *p);
/* A prefetch of the line was sent. Returns how many lines are known to be useless by that. */
uint32_t prefetched_put(struct prefetched *p, uint64_t line);
/* Somebody asks for a line, or the line leaves: had a prefetch brought it, and nobody asked? Then that is over. */
bool prefetched_take(struct prefetched *p, uint64_t line);
/* A prefetch replaced the line. */
void prefetched_victim(struct prefetched *p, uint64_t line);
/* Somebody asks for a line: was it the last thing of its hash that a prefetch replaced? Then that is over. */
bool prefetched_missed(struct prefetched *p, uint64_t line);
/* The cache is emptied. Returns how many lines nobody asked for. */
uint32_t prefetched_forget(struct prefetched *p);

#endif
