/* Re-reference interval prediction (Jaleel, Theobald, Steely, Emer, ISCA 2010): two bits for each line say when its next use is expected,
 * from 0, soon, to 3, in the distant future. A line in the distant future makes room, the one of the lowest way; where there is none, all
 * lines of the set grow older until there is. */
#ifndef SLUICE_CACHE_REPL_RRIP_H
#define SLUICE_CACHE_REPL_RRIP_H

#include "base/mem.h"
#include "sluice_technique.h"
#include <stdlib.h>

enum { RRIP_SOON = 0, RRIP_LONG = 2, RRIP_DISTANT = 3 };

struct rrip {
  uint32_t ways;
  uint8_t *value; /* [set][way] */
};

static inline struct rrip rrip_new(const struct sluice_cache_shape *shape) {
  return (struct rrip){shape->ways, xcalloc((size_t)shape->sets * shape->ways, 1)};
}

static inline uint8_t *rrip_at(const struct rrip *r, uint32_t set, uint32_t way) {
  return &r->value[(size_t)set * r->ways + way];
}

static inline uint32_t rrip_victim(const struct rrip *r, uint32_t set, const uint64_t *can) {
  uint32_t found = UINT32_MAX;
  for (uint32_t i = 0; i < r->ways; i++)
    if (can[i / 64] >> i % 64 & 1 && (found == UINT32_MAX || *rrip_at(r, set, i) > *rrip_at(r, set, found)))
      found = i;
  return found;
}

/* All lines of the set grow older, until that of `way` is in the distant future. */
static inline void rrip_age(const struct rrip *r, uint32_t set, uint32_t way) {
  uint32_t by = (uint32_t)(RRIP_DISTANT - *rrip_at(r, set, way));
  for (uint32_t i = 0; by && i < r->ways; i++) {
    uint32_t v = *rrip_at(r, set, i) + by;
    *rrip_at(r, set, i) = (uint8_t)(v < RRIP_DISTANT ? v : RRIP_DISTANT);
  }
}

#endif
