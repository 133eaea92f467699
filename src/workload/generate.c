/* Graphs by rule. */
#include "base/mem.h"
#include "base/rng.h"
#include "workload/triplets.h"
#include <stdlib.h>

void triplets_add(struct triplets *t, uint32_t row, uint32_t column, double value) {
  VEC_PUSH(t->items, t->n, t->cap) = (struct triplet){row, column, value};
}

void triplets_free(struct triplets *t) {
  free(t->items);
  *t = (struct triplets){0};
}

static void uniform(struct triplets *t, uint32_t n, uint32_t degree, uint64_t *rng) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < degree; k++)
      triplets_add(t, i, (uint32_t)rng_below(rng, n), 0);
}

/* R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004): each bit of row and column picks a quadrant, with the
 * probabilities of Graph 500. Draws beyond n are repeated. */
static void rmat(struct triplets *t, uint32_t n, uint32_t degree, uint64_t *rng) {
  unsigned bits = 0;
  while (bits < 31 && (UINT32_C(1) << bits) < n)
    bits++;
  for (uint64_t e = 0; e < (uint64_t)n * degree; e++) {
    uint32_t row, column;
    do {
      row = column = 0;
      for (unsigned b = 0; b < bits; b++) {
        double p = rng_unit(rng);
        row = row << 1 | (p >= 0.76);
        column = column << 1 | ((p >= 0.57 && p < 0.76) || p >= 0.95);
      }
    } while (row >= n || column >= n);
    triplets_add(t, row, column, 0);
  }
}

static uint32_t root(uint32_t n) {
  uint32_t side = 1;
  while ((uint64_t)(side + 1) * (side + 1) <= n)
    side++;
  return side;
}

static void both_ways(struct triplets *t, uint32_t a, uint32_t b) {
  triplets_add(t, a, b, 0);
  triplets_add(t, b, a, 0);
}

/* A grid of side x side, 4 neighbours each. `keep`: the share of the edges down that exist; with fewer than
 * all, the long detours of a road map appear. The left edge is always whole, so that all is connected. */
static void grid(struct triplets *t, uint32_t side, double keep, uint64_t *rng) {
  for (uint32_t y = 0; y < side; y++)
    for (uint32_t x = 0; x < side; x++) {
      if (x + 1 < side)
        both_ways(t, y * side + x, y * side + x + 1);
      if (y + 1 < side && (keep >= 1 || x == 0 || rng_unit(rng) < keep))
        both_ways(t, y * side + x, (y + 1) * side + x);
    }
}

void triplets_generate(struct triplets *t, enum triplet_form form, uint32_t n, uint32_t degree,
                       uint64_t *rng) {
  uint32_t side = root(n);
  *t = (struct triplets){.rows = n, .columns = n};
  if (form == FORM_UNIFORM) {
    uniform(t, n, degree, rng);
  } else if (form == FORM_RMAT) {
    rmat(t, n, degree, rng);
  } else {
    t->rows = t->columns = side * side;
    grid(t, side, form == FORM_MESH ? 1 : 0.25, rng);
  }
}
