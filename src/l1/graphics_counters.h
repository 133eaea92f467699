/* What caches of graphics data count: X(id, name, unit, definition, where), c being the cache's statistics. */
#ifndef SLUICE_L1_GRAPHICS_COUNTERS_H
#define SLUICE_L1_GRAPHICS_COUNTERS_H

/* A level of stream caches, one cache after the other. */
#define STREAM_COUNTERS(X, id, name)                                                                         \
  X(id##_accesses, name ".accesses", "accesses",                                                             \
    "Accesses the groups' stream caches of this level accepted; stores count by whether the line was "       \
    "there.",                                                                                                \
    c->accesses)                                                                                             \
  X(id##_hits, name ".hits", "accesses", "Of those, found.", c->hits)                                        \
  X(id##_misses, name ".misses", "accesses", "Of those, not found.", c->misses)                              \
  X(id##_merges, name ".merges", "accesses", "Of those, joined to a miss under way.", c->merges)             \
  X(id##_fails, name ".refused", "times", "Attempts refused for want of a way, a miss register or a queue.", \
    c->fails[0] + c->fails[1] + c->fails[2] + c->fails[3])                                                   \
  X(id##_fills, name ".fills", "sectors", "Sectors that came back.", c->fills)                               \
  X(id##_writebacks, name ".writebacks", "lines", "Dirty lines written back.", c->writebacks)
#define STREAM1_COUNTERS(X) STREAM_COUNTERS(X, stream1, "stream.l1")
#define STREAM2_COUNTERS(X) STREAM_COUNTERS(X, stream2, "stream.l2")

#endif
