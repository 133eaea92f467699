#include "l1/graphics.h"
#include "conf/rows.h"
#include <stdio.h>

static const char *const index_names[] = {"modulo", "xor", "hashed", NULL};

#define CONF_OF struct stream_config

#define SIZES(n, id, name, stream, sets_, source)                                                            \
  CONF_ROW_UINT(name "." stream "_sets", level[n].cache[STREAM_##id].sets, sets_, 0, 1 << 20, "sets",        \
                "Sets of a group's cache for the " stream " stream; 0: it has none.", source),               \
      CONF_ROW_UINT(name "." stream "_ways", level[n].cache[STREAM_##id].ways, "4", 1, 65536, "ways",        \
                    "Lines per set.", "assumed")
#define LEVEL(n, name, texture, texture_source, other, mshrs_, latency_)                                     \
  SIZES(n, TEXTURE, name, "texture", texture, texture_source),                                               \
      SIZES(n, DEPTH, name, "depth", other, "assumed"), SIZES(n, COLOUR, name, "colour", other, "assumed"),  \
      SIZES(n, HIZ, name, "hiz", other, "assumed"), SIZES(n, STENCIL, name, "stencil", other, "assumed"),    \
      CONF_ROW_UINT(name ".mshrs", level[n].mshrs, mshrs_, 1, 1 << 20, "entries",                            \
                    "Misses that each cache of the level can have.", "assumed"),                             \
      CONF_ROW_UINT(name ".latency", level[n].latency, latency_, 1, 10000, "cycles",                         \
                    "From the lookup that hits to the answer.", "assumed"),                                  \
      CONF_ROW_UINT(name ".miss_queue", level[n].miss_queue, "8", 2, 4096, "requests",                       \
                    "Misses and written lines of each cache on the way.", "assumed")

static const struct conf_param rows[] = {
    CONF_ROW_UINT("stream.levels", levels, "0", 0, STREAM_LEVELS, "levels",
                  "Levels of caches for graphics streams in each group of SMs that share a link; 0: none.",
                  "MARS, 2, has L1 and L2"),
    CONF_ROW_UINT("stream.sector_bytes", sector_bytes, "64", 32, 128, "bytes",
                  "Bytes that a stream cache fetches at a time.", "assumed: a burst of MARS' memory"),
    CONF_ROW_UINT("stream.merges", merges, "32", 1, 4096, "requests", "Requests one miss can serve.",
                  "assumed"),
    CONF_ROW_UINT("stream.queue", queue, "8", 1, 4096, "requests", "Requests waiting for each cache.",
                  "assumed"),
    CONF_ROW_ENUM("stream.index", index, "hashed", index_names, "How a line finds its set.", "assumed"),
    LEVEL(0, "stream.l1", "8", "Kanter, Ivy Bridge: 4 KB", "8", "128", "10"),
    LEVEL(1, "stream.l2", "16", "Kanter, Ivy Bridge: 24 KB", "0", "128", "20"),
};
const struct conf_table stream_params = {"stream caches", rows, sizeof rows / sizeof *rows};

bool stream_config_finish(struct stream_config *s, uint32_t line_bytes, struct error *err) {
  static const char *const names[] = {
#define X(id, name) name,
      STREAMS(X)
#undef X
  };
  bool ok = true;
  for (unsigned l = 0; l < s->levels; l++)
    for (unsigned i = 0; i < NSTREAMS; i++) {
      struct cache_config *k = &s->level[l].cache[i];
      k->line_bytes = line_bytes;
      k->sector_bytes = s->sector_bytes;
      k->index = s->index;
      k->allocate = CACHE_ON_FILL;
      k->mshrs = s->level[l].mshrs;
      k->merges = s->merges;
      char name[64];
      snprintf(name, sizeof name, "stream.l%u.%s", l + 1, names[i]);
      ok = (!k->sets || cache_config_check(k, name, err)) && ok;
    }
  return ok;
}
