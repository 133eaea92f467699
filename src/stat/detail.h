/* What a run counted beyond one number for each name: by unit, over time, by size.
 *
 * A grid has a row of counters for each unit of a kind (`l2[5].hits`); a series has one for each stretch
 * of cycles; a histogram counts values by their power of two. All hold differences already: what one
 * launch, or the whole run, added. */
#ifndef SLUICE_STAT_DETAIL_H
#define SLUICE_STAT_DETAIL_H

#include "stat/stat.h"

struct stat_grid {
  const char *kind; /* "sm", "l2", … */
  const struct stat_row *rows;
  size_t nrows, nunits;
  uint64_t *value; /* [unit][row] */
};

struct stat_series {
  uint64_t every;               /* cycles of a stretch; the last may be shorter */
  const struct stat_row **rows; /* an array of its own */
  size_t nrows;
  size_t n;
  uint64_t *end;                   /* [n]: the cycle of the launch at which each stretch ends */
  uint64_t *value;                 /* [n][row] */
  const struct stat_row *measures; /* f64, by stretch as well: power; NULL: none */
  size_t nmeasures;
  double *measure; /* [n][measure] */
};

/* Bucket 0 counts zeros, bucket b > 0 the values from 2^(b-1) to 2^b - 1; the last all beyond, too. */
enum { STAT_BUCKETS = 33 };

struct stat_histogram {
  const struct stat_row *row;
  uint64_t bucket[STAT_BUCKETS];
};

static inline unsigned stat_bucket(uint64_t v) {
  unsigned b = v ? 64u - (unsigned)__builtin_clzll(v) : 0;
  return b < STAT_BUCKETS ? b : STAT_BUCKETS - 1;
}

/* Finer ones: exact up to 1023, then 64 to each doubling. */
enum { STAT_FINE_BUCKETS = 2048 };

static inline unsigned stat_fine_bucket(uint64_t v) {
  if (v < 1024)
    return (unsigned)v;
  unsigned high = 63 - (unsigned)__builtin_clzll(v); /* 10 or more */
  unsigned bucket = 1024 + (high - 10) * 64 + (unsigned)(v >> (high - 6) & 63);
  return bucket < STAT_FINE_BUCKETS ? bucket : STAT_FINE_BUCKETS - 1;
}

struct stat_detail {
  struct stat_grid *grid;
  size_t ngrids, cap_grids;
  struct stat_series *series; /* NULL: none */
  struct stat_histogram *histogram;
  size_t nhistograms, cap_histograms;
};

void stat_detail_free(struct stat_detail *d);

/* Keys "units", "intervals", "histograms" of the object that is open; those without content are left out. */
void stat_detail_json(const struct stat_detail *d, struct json *j);
/* Calls `line` with the indexed name of every counter of every unit: the number follows the first part of
 * the name, so that `l2.hits` of unit 5 is `l2[5].hits`. */
void stat_grids_walk(const struct stat_detail *d,
                     void (*line)(void *ctx, const struct stat_value *v, const char *name), void *ctx);
/* launch,kernel,cycle and a column for each counter: the head, and the lines of one launch */
void stat_series_csv_head(const struct stat_series *s, struct strbuf *to);
void stat_series_csv(const struct stat_series *s, const char *launch, const char *kernel, struct strbuf *to);
/* Bars for people. */
void stat_histograms_text(const struct stat_detail *d, struct strbuf *to);

#endif
