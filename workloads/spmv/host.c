/* The matrix is brought into jagged diagonals; then the same product a number of times. */
#include "workload/graph.h"
#include <math.h>

enum { chunk = 32 };

struct jds {
  uint32_t *row;          /* of each position */
  uint32_t *chunk_length; /* entries of a chunk's rows, padding included */
  uint32_t *diagonal;     /* start of each */
  uint32_t diagonals, chunks, entries;
  uint32_t *column;
  float *value;
};

static uint32_t length_of(const struct matrix *m, uint32_t row) {
  return m->first[row + 1] - m->first[row];
}

/* Rows by falling length, equal ones in their order: a counting sort. */
static void order_rows(struct wl *w, const struct matrix *m, struct jds *j) {
  for (uint32_t r = 0; r < m->rows; r++)
    if (length_of(m, r) > j->diagonals)
      j->diagonals = length_of(m, r);
  uint32_t *start = wl_host(w, (uint64_t)j->diagonals + 2, sizeof *start);
  for (uint32_t r = 0; r < m->rows; r++)
    start[j->diagonals - length_of(m, r) + 1]++;
  for (uint32_t l = 0; l < j->diagonals; l++)
    start[l + 1] += start[l];
  j->row = wl_host(w, m->rows, sizeof *j->row);
  for (uint32_t r = 0; r < m->rows; r++)
    j->row[start[j->diagonals - length_of(m, r)]++] = r;
}

static struct jds to_jds(struct wl *w, const struct matrix *m) {
  struct jds j = {0};
  order_rows(w, m, &j);
  j.chunks = (uint32_t)wl_up(m->rows, chunk) / chunk;
  j.chunk_length = wl_host(w, j.chunks, sizeof *j.chunk_length);
  j.diagonal = wl_host(w, (uint64_t)j.diagonals + 1, sizeof *j.diagonal);
  uint32_t covered = j.chunks;
  for (uint32_t c = 0; c < j.chunks; c++)
    j.chunk_length[c] = length_of(m, j.row[c * chunk]);
  uint64_t entries = 0;
  for (uint32_t k = 0; k < j.diagonals; k++) { /* a diagonal covers the chunks that long */
    while (covered && j.chunk_length[covered - 1] <= k)
      covered--;
    j.diagonal[k] = (uint32_t)entries;
    entries += (uint64_t)covered * chunk;
    if (entries >= UINT32_MAX)
      wl_refuse(w, "matrix: more than 2^32 entries with padding");
  }
  j.entries = (uint32_t)entries;
  j.column = wl_host(w, entries + 1, sizeof *j.column);
  j.value = wl_host(w, entries + 1, sizeof *j.value);
  for (uint32_t i = 0; i < m->rows; i++)
    for (uint32_t k = 0; k < length_of(m, j.row[i]); k++) {
      j.column[j.diagonal[k] + i] = m->column[m->first[j.row[i]] + k];
      j.value[j.diagonal[k] + i] = m->value[m->first[j.row[i]] + k];
    }
  return j;
}

WORKLOAD(spmv) {
  struct matrix m = wl_matrix(w);
  struct jds j = to_jds(w, &m);
  float *x = wl_host(w, m.columns, sizeof *x), *want = wl_host(w, m.rows, sizeof *want);
  wl_random_f32(w, x, m.columns, -1, 1);
  wl_buffer value = wl_upload(w, "values", j.value, ((uint64_t)j.entries + 1) * 4);
  wl_buffer column = wl_upload(w, "columns", j.column, ((uint64_t)j.entries + 1) * 4);
  wl_buffer row = wl_upload(w, "rows", j.row, (uint64_t)m.rows * 4);
  wl_buffer dx = wl_upload(w, "x", x, (uint64_t)m.columns * 4), y = wl_alloc(w, "y", (uint64_t)m.rows * 4);
  wl_buffer diagonal = wl_upload(w, "diagonals", j.diagonal, ((uint64_t)j.diagonals + 1) * 4);
  wl_buffer lengths = wl_upload(w, "chunk lengths", j.chunk_length, (uint64_t)j.chunks * 4);
  for (uint32_t p = wl_u32(w, "products"); p > 0; p--)
    wl_launch(w, "spmv", wl_range1(wl_up(m.rows, 192), 192),
              WL_ARGS(wl_buf(y), wl_buf(value), wl_buf(column), wl_buf(row), wl_buf(dx), wl_buf(diagonal),
                      wl_buf(lengths), wl_int(m.rows)));
  if (!wl_verify(w))
    return;
  double largest = 1; /* sum of a row's magnitudes, which rounding is relative to */
  for (uint32_t r = 0; r < m.rows; r++) {
    double sum = 0, magnitude = 0;
    for (uint32_t e = m.first[r]; e < m.first[r + 1]; e++) {
      double term = (double)m.value[e] * (double)x[m.column[e]];
      sum += term;
      magnitude += fabs(term);
    }
    want[r] = (float)sum;
    if (magnitude > largest)
      largest = magnitude;
  }
  wl_check_f32(w, y, want, m.rows, 2e-6 * largest);
}
