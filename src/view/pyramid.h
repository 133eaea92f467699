/* Columns of numbers at several resolutions, as a page reads them.
 *
 *   level 0    every interval                    chunk 0 | chunk 1 | …
 *   level 1    the sums of four of them          chunk 0 | …
 *   level 2    of sixteen                        …
 *
 * The first column is the length of a row in cycles. A chunk has some rows of a level, column by column (timeline/buffer.h),
 * compressed (zlib) and in base 64, in an element of the page: a page shows a window by reading the few chunks of the level
 * that has about as many rows there as it has pixels. Rows are pushed one after the other; what is kept is a chunk of
 * each level. */
#ifndef SLUICE_VIEW_PYRAMID_H
#define SLUICE_VIEW_PYRAMID_H

#include "base/json.h"
#include <stdint.h>
#include <stdio.h>

enum { PYRAMID_LEVELS = 14, PYRAMID_FACTOR = 4 };

struct pyramid {
  FILE *to;
  char id[120]; /* of its elements: ID.LEVEL.CHUNK */
  size_t ncolumns, per_chunk;
  unsigned finest; /* the first level that is written */
  struct pyramid_level {
    uint64_t *rows; /* of the chunk at hand, by row */
    size_t n, total;
    uint64_t *sum; /* of rows for the next level */
    unsigned nsum;
    uint64_t start, time; /* cycle at which the chunk, and the next row, begins */
    uint64_t *starts;     /* of all chunks */
    size_t nchunks, cap_chunks;
  } level[PYRAMID_LEVELS];
};

void pyramid_init(struct pyramid *p, FILE *to, const char *id, size_t ncolumns, size_t per_chunk,
                  unsigned finest);
void pyramid_push(struct pyramid *p, const uint64_t *row); /* row[0]: its cycles */
void pyramid_end(struct pyramid *p);
/* Members of an open object: levels: [{rows, starts}], finest, per_chunk. */
void pyramid_json(const struct pyramid *p, struct json *j);
void pyramid_free(struct pyramid *p);

/* Bytes as an element of the page. */
void page_bytes(FILE *to, const char *id, const uint8_t *at, size_t n);

#endif
