#include "l1/graphics.h"
#include <stdio.h>

static const char *const index_names[] = {"modulo", "xor", "hashed", NULL};

#define N(name, initial, lo, hi, unit_, help_, source_)                                                      \
  { name, CONF_UINT, initial, .min = lo, .max = hi, .unit = unit_, .help = help_, .source = source_ }
#define SIZES(level, stream, sets, source)                                                                   \
  N(level "." stream "_sets", sets, 0, 1 << 20, "sets",                                                      \
    "Sets of a group's cache for the " stream " stream; 0: it has none.", source),                           \
      N(level "." stream "_ways", "4", 1, 65536, "ways", "Lines per set.", "assumed")
#define LEVEL(level, texture, texture_source, other, mshrs, latency)                                         \
  SIZES(level, "texture", texture, texture_source), SIZES(level, "depth", other, "assumed"),                 \
      SIZES(level, "colour", other, "assumed"), SIZES(level, "hiz", other, "assumed"),                       \
      SIZES(level, "stencil", other, "assumed"),                                                             \
      N(level ".mshrs", mshrs, 1, 1 << 20, "entries", "Misses that each cache of the level can have.",       \
        "assumed"),                                                                                          \
      N(level ".latency", latency, 1, 10000, "cycles", "From the lookup that hits to the answer.",           \
        "assumed"),                                                                                          \
      N(level ".miss_queue", "8", 2, 4096, "requests", "Misses and written lines of each cache on the way.", \
        "assumed")

static const struct conf_param rows[] = {
    N("stream.levels", "0", 0, STREAM_LEVELS, "levels",
      "Levels of caches for graphics streams in each group of SMs that share a link; 0: none.",
      "MARS, 2, has L1 and L2"),
    N("stream.sector_bytes", "64", 32, 128, "bytes", "Bytes that a stream cache fetches at a time.",
      "assumed: a burst of MARS' memory"),
    N("stream.merges", "32", 1, 4096, "requests", "Requests one miss can serve.", "assumed"),
    N("stream.queue", "8", 1, 4096, "requests", "Requests waiting for each cache.", "assumed"),
    {"stream.index", CONF_ENUM, "hashed", .choices = index_names, .unit = "",
     .help = "How a line finds its set.", .source = "assumed"},
    LEVEL("stream.l1", "8", "Kanter, Ivy Bridge: 4 KB", "8", "128", "10"),
    LEVEL("stream.l2", "16", "Kanter, Ivy Bridge: 24 KB", "0", "128", "20"),
};
const struct conf_table stream_params = {"stream caches", rows, sizeof rows / sizeof *rows};

static uint32_t number(const struct conf *c, unsigned level, const char *what, const char *suffix) {
  char name[64];
  snprintf(name, sizeof name, "stream.l%u.%s%s", level + 1, what, suffix);
  return (uint32_t)conf_u64(c, name);
}

bool stream_config_read(struct stream_config *s, const struct conf *c, uint32_t line_bytes,
                        struct error *err) {
  static const char *const names[] = {
#define X(id, name) name,
      STREAMS(X)
#undef X
  };
  *s = (struct stream_config){.levels = (uint32_t)conf_u64(c, "stream.levels"),
                              .queue = (uint32_t)conf_u64(c, "stream.queue")};
  bool ok = true;
  for (unsigned l = 0; l < s->levels; l++) {
    struct stream_level_config *level = &s->level[l];
    level->latency = number(c, l, "latency", "");
    level->miss_queue = number(c, l, "miss_queue", "");
    for (unsigned i = 0; i < NSTREAMS; i++) {
      struct cache_config *k = &level->cache[i];
      *k = (struct cache_config){.sets = number(c, l, names[i], "_sets"),
                                 .ways = number(c, l, names[i], "_ways"),
                                 .line_bytes = line_bytes,
                                 .sector_bytes = (uint32_t)conf_u64(c, "stream.sector_bytes"),
                                 .index = (enum cache_index)conf_enum(c, "stream.index"),
                                 .allocate = CACHE_ON_FILL,
                                 .mshrs = number(c, l, "mshrs", ""),
                                 .merges = (uint32_t)conf_u64(c, "stream.merges")};
      char name[64];
      snprintf(name, sizeof name, "stream.l%u.%s", l + 1, names[i]);
      ok = (!k->sets || cache_config_check(k, name, err)) && ok;
    }
  }
  return ok;
}
