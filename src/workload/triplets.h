/* Entries (row, column, value) in any order: what generators make and files hold. */
#ifndef SLUICE_WORKLOAD_TRIPLETS_H
#define SLUICE_WORKLOAD_TRIPLETS_H

#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

struct triplet {
  uint32_t row, column;
  double value;
};

struct triplets {
  uint32_t rows, columns;
  struct triplet *items;
  size_t n, cap;
};

/* Bounds of what a file may hold: 32-bit indices in kernels, signed in some. */
#define TRIPLETS_MAX_ROWS    INT32_MAX
#define TRIPLETS_MAX_ENTRIES INT32_MAX

void triplets_add(struct triplets *t, uint32_t row, uint32_t column, double value);
void triplets_free(struct triplets *t);

enum triplet_form { FORM_UNIFORM, FORM_RMAT, FORM_MESH, FORM_ROAD };
/* n rows of `degree` entries in the mean; values are 0. */
void triplets_generate(struct triplets *t, enum triplet_form form, uint32_t n, uint32_t degree,
                       uint64_t *rng);

/* A file, by what it holds: "%%MatrixMarket matrix coordinate ...", DIMACS (lines p, c, a, e), or else an
 * edge list ("FROM TO [WEIGHT]" from 0, # comments). Entries of a symmetric matrix and DIMACS edges (e) come
 * both ways. What is truncated, negative, out of range or too large is refused with its line. Entries
 * without a value get 1. */
bool triplets_read(struct triplets *t, const char *path, struct error *err);
bool triplets_parse(struct triplets *t, const char *path, const char *text, size_t n, struct error *err);

#endif
