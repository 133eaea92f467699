/* Contents of a buffer by rule: what `fill:` and `equals:` say. */
#ifndef SLUICE_FRONT_LAUNCH_FILL_H
#define SLUICE_FRONT_LAUNCH_FILL_H

#include "base/error.h"
#include "front/launch/elem.h"
#include <stdio.h>

enum fill_kind {
  FILL_ZERO,
  FILL_VALUE,      /* every element = start */
  FILL_IOTA,       /* start + step * i, then modulo */
  FILL_XORSHIFT64, /* one draw per element: (state >> 32) % modulo */
  FILL_RANDOM,     /* uniform from min to max */
  FILL_FILE,       /* bytes of a file */
};

struct fill {
  enum fill_kind kind;
  enum elem_type type;
  struct number start, step; /* of iota; random: min and max */
  bool has_modulo;
  struct number modulo;
  uint64_t seed, skip;
  /* FILL_FILE: `bytes` of the file at path from `offset`, or of `data` when it was embedded */
  char *path;
  uint64_t offset, bytes;
  uint8_t *data;
};

void fill_free(struct fill *f);

/* Produces elements in order, piece by piece, so that a comparison needs no second buffer. */
struct fill_stream {
  const struct fill *fill;
  uint64_t next;  /* element, or byte of a file */
  uint64_t state; /* of the generator */
  FILE *file;
};
bool fill_open(struct fill_stream *s, const struct fill *f, struct error *err);
/* `bytes` is a multiple of the element size. */
bool fill_read(struct fill_stream *s, uint8_t *to, uint64_t bytes, struct error *err);
void fill_close(struct fill_stream *s);

/* The whole of a buffer at once. */
bool fill_apply(const struct fill *f, uint8_t *to, uint64_t bytes, struct error *err);

#endif
