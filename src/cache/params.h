/* Rows of the parameters of a cache (conf/rows.h): `member` is the struct cache_config among the fields of CONF_OF. */
#ifndef SLUICE_CACHE_PARAMS_H
#define SLUICE_CACHE_PARAMS_H

#include "cache/cache.h"
#include "conf/rows.h"

#define CACHE_LINE_ROWS(c, member, sets_, ways_, index_, alloc, mshrs_, merges_, source)                     \
  CONF_ROW_UINT(c ".sets", member.sets, sets_, 1, 1 << 20, "sets", "Sets of the cache.", source),            \
      CONF_ROW_UINT(c ".ways", member.ways, ways_, 1, 65536, "ways", "Lines per set.", source),              \
      CONF_ROW_ENUM(c ".index", member.index, index_, cache_index_names, "How a line finds its set.",        \
                    source),                                                                                 \
      CONF_ROW_STRING(c ".index_bits", member.index_text, "",                                                \
                      "Index `bits`: the set's number, as in 11^19,10^17,9,8,7.", "an alternative"),         \
      CONF_ROW_ENUM(c ".replacement", member.replacement, "lru", cache_replacement_names,                    \
                    "Which line of a set makes room.", source),                                              \
      CONF_ROW_ENUM(c ".allocate", member.allocate, alloc, cache_allocate_names, "When a line is reserved.", \
                    source),                                                                                 \
      CONF_ROW_UINT(c ".mshrs", member.mshrs, mshrs_, 1, 1 << 20, "entries",                                 \
                    "Misses that can be outstanding.", source),                                              \
      CONF_ROW_UINT(c ".merges", member.merges, merges_, 1, 4096, "requests",                                \
                    "Requests one miss can serve.", source)
#define CACHE_ROWS(c, member, sets_, ways_, sector, index_, alloc, mshrs_, merges_, bysector, source)        \
  CACHE_LINE_ROWS(c, member, sets_, ways_, index_, alloc, mshrs_, merges_, source),                          \
      CONF_ROW_UINT(c ".sector_bytes", member.sector_bytes, sector, 32, 128, "bytes",                        \
                    "Bytes fetched at a time; a line: no sectors.", source),                                 \
      CONF_ROW_BOOL(c ".mshr_by_sector", member.mshr_by_sector, bysector,                                    \
                    "A miss register is for a sector, not for a line.", source)

#endif
