/* Blocks of a timeline. */
#ifndef SLUICE_TIMELINE_BLOCK_H
#define SLUICE_TIMELINE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#define TIMELINE_MAGIC "SLUICETL"
enum { TIMELINE_BLOCK_HEAD = 9 }; /* kind, bytes, packed bytes */
enum timeline_block {
  BLOCK_END,
  BLOCK_HEAD,
  BLOCK_LAUNCH,
  BLOCK_ROWS,
  BLOCK_CTAS,
  BLOCK_COMMANDS,
  BLOCK_WAITS,
  BLOCK_ENDED,
  BLOCK_REPORT,
  NBLOCKS
};
enum {
  TIMELINE_MOST_BLOCK = 1 << 30,
  TIMELINE_MOST_ROWS = 1024,
  TIMELINE_MOST_COLUMNS = 1 << 22,
  TIMELINE_ROWS_BYTES = 8 << 20
};

/* Intervals of a block: as many as keep the writer's memory bounded. */
static inline size_t timeline_most_rows(size_t columns) {
  size_t n = TIMELINE_ROWS_BYTES / sizeof(uint64_t) / (columns + 1);
  return n < 1 ? 1 : n > TIMELINE_MOST_ROWS ? TIMELINE_MOST_ROWS : n;
}

#endif
