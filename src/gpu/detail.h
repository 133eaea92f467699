/* Counters of a GPU by unit and over time (stat/detail.h), from snapshots (gpu/counters.h). */
#ifndef SLUICE_GPU_DETAIL_H
#define SLUICE_GPU_DETAIL_H

#include "gpu/counters.h"
#include "stat/detail.h"

/* Adds a grid for each kind of unit. */
void detail_grids(const struct gpu *g, const uint64_t *after, const uint64_t *before, struct stat_detail *d);

/* Latencies of reads answered: of all, and in each stage of their way; all SMs together. */
enum { DETAIL_HISTOGRAMS = 1 + NSTAGES };
extern const struct stat_row detail_histogram_rows[DETAIL_HISTOGRAMS];
struct detail_latencies {
  uint64_t bucket[DETAIL_HISTOGRAMS][STAT_BUCKETS];
};
void detail_latencies_take(const struct gpu *g, struct detail_latencies *to);
void detail_histograms(const struct detail_latencies *after, const struct detail_latencies *before,
                       struct stat_detail *d);

/* Of the GPU's counters and its techniques'. */
struct stat_series *detail_series_new(const struct gpu *g, uint64_t every);
/* One more stretch, which ends when the launch is `cycle` cycles old. */
void detail_series_add(struct stat_series *s, const struct gpu *g, const uint64_t *after,
                       const uint64_t *before, uint64_t cycle);
uint64_t detail_series_end(const struct stat_series *s); /* of the last stretch */

#endif
