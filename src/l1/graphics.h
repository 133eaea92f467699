/* The stream caches of a group of SMs that share a link: one for each stream of graphics data, in up to two levels,
 * between the link and the networks. A unit is one level of one group.
 *
 *                      ┌─ queue ─ texture ─ misses ─┐
 *                      ├─ queue ─ depth ─── misses ─┤
 *   link ─▶ one per    ├─ queue ─ colour ── misses ─┤ one per cycle,     ─▶ the next level, or the request network
 *           cycle      ├─ queue ─ HiZ ───── misses ─┤ in rotation
 *                      ├─ queue ─ stencil ─ misses ─┤
 *                      └─ all else ─────────────────┘
 *   link ◀─ one per cycle ─┬─ hits, in order
 *                          └─ fills and what passes by, in order                ◀─ one per cycle
 *
 * What a stream has no cache for in this level passes by, and so do atomics, instructions, constants and data of
 * compute kernels. A line is taken when its data comes, so that misses under way are bounded by miss registers alone, as
 * in texture caches that look up ahead of the data (Igehy et al., 1998). A cache keeps what is stored, without fetching the rest of the line, until the line is replaced or
 * the launch ends. It asks for lines in its own name: such requests have this level as their `owner`. */
#ifndef SLUICE_L1_GRAPHICS_H
#define SLUICE_L1_GRAPHICS_H

#include "conf/conf.h"
#include "base/ring.h"
#include "engine/engine.h"
#include "front/gen/locality.h"
#include "mem/addrmap.h"
#include "cache/cache.h"
#include "mem/mem.h"

/* X(id, name) in the order of the cache operators of include/sluice.h */
#define STREAMS(X)                                                                                           \
  X(TEXTURE, "texture") X(DEPTH, "depth") X(COLOUR, "colour") X(HIZ, "hiz") X(STENCIL, "stencil")

enum stream {
#define X(id, name) STREAM_##id,
  STREAMS(X)
#undef X
      NSTREAMS
};
enum { STREAM_LEVELS = 2 };

struct stream_level_config {
  struct cache_config cache[NSTREAMS]; /* sets 0: none */
  uint32_t mshrs, latency, miss_queue;
};

struct stream_config {
  uint32_t levels; /* 0: none */
  uint32_t queue, sector_bytes, merges;
  enum cache_index index;
  struct stream_level_config level[STREAM_LEVELS];
};

extern const struct conf_table stream_params;
/* What follows from the parameters; false after adding their contradictions to err. */
bool stream_config_finish(struct stream_config *s, uint32_t line_bytes, struct error *err);

/* Requests with the cycle from which they may go. */
struct stream_answers {
  struct stream_answer {
    struct mem_request request;
    uint64_t at;
  } * slot; /* ring */
  struct ring at;
};

struct stream_cache {
  struct cache *cache; /* NULL: requests of the stream pass by */
  struct request_ring queue, miss;
  bool blocked;             /* its head was refused, and nothing has changed since */
  struct locality *outputs; /* what it asks for, where that is counted */
};

struct stream_caches {
  struct engine *engine;
  const struct stream_level_config *k;
  const struct addrmap *map;
  unsigned domain, level; /* levels from 1 */
  uint32_t unit, first;   /* an SM of the group */
  struct port from, to;   /* requests from below, answers back */
  struct port *out, *in;  /* to the level above, or the networks, and from there */
  uint32_t below_unit, out_unit, in_unit;
  struct stream_cache of[NSTREAMS];
  struct request_ring other; /* what passes by */
  struct stream_answers hits, fills;
  uint32_t most_fills; /* no answer is taken from above beyond this many; a fill may add more */
  struct stream_waiting {
    struct mem_request request;
    uint32_t next;
  } * waiting; /* pool: loads that miss */
  uint32_t free_waiting, nwaiting;
  struct stamp_pool stamps;  /* of fetches */
  struct mem_request *flush; /* dirty lines at the end of a launch */
  size_t nflush, capflush, flushed;
  uint32_t turn;          /* whose miss goes first */
  bool fill_turn;         /* hits went last */
  uint64_t writebacks;    /* under way */
  uint64_t sent, answers; /* requests of its own; requests from below that end here */
  uint64_t now;
};

/* `below_unit` and the ports upwards are set by who connects it. */
void stream_init(struct stream_caches *s, struct engine *e, unsigned domain, const struct stream_config *k,
                 const struct addrmap *map, unsigned level, uint32_t first, bool count_outputs);
void stream_destroy(struct stream_caches *s);
uint64_t stream_cycle(void *self, uint64_t cycle);
/* Forgets everything, as between launches. True: dirty lines are being written, call it again when that is done. */
bool stream_flush(struct stream_caches *s);
bool stream_drained(const struct stream_caches *s);

#endif
