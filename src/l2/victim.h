/* A victim cache beside an L2 slice, managed by a technique (struct sluice_victim_cache). */
#ifndef SLUICE_L2_VICTIM_H
#define SLUICE_L2_VICTIM_H

#include "cache/cache.h"
#include "l2/slice.h"

static inline bool victim_cache_on(const struct l2_slice *s) {
  return s->side_buffer.victim;
}

/* Before the line is looked up: if it is beside the cache, it is exchanged with what its set replaces, which takes
 * `cycles`. What it must wait for; SLUICE_NFAILS: nothing. */
enum sluice_fail victim_exchange(struct partition *c, struct l2_slice *s, uint64_t line, bool write,
                                 uint32_t *cycles);
/* `line` replaced a line: the replaced line goes to the victim cache with the L1s that may have it, and `r` has what that
 * displaces. */
void victim_insert(struct l2_slice *s, struct cache_result *r, uint64_t line, uint64_t now);
/* The line leaves the victim cache, if it is there, since an access bypasses all caches. */
void victim_remove(struct partition *c, struct l2_slice *s, uint64_t line);

#endif
