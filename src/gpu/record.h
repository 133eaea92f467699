/* Records a timeline (timeline/timeline.h) of what a GPU does.
 *
 * Counters come from snapshots at the end of every interval, on one thread; CTAs from their ends; commands of the DRAM
 * and waits of warps, in a window of each launch only, from buffers of each channel and SM that are emptied at the end of
 * every interval. Nothing here changes a number of the run. */
#ifndef SLUICE_GPU_RECORD_H
#define SLUICE_GPU_RECORD_H

#include "gpu/counters.h"

struct record_options {
  const char *path;
  uint64_t interval;  /* core cycles; at least 1 */
  uint64_t window[2]; /* commands and waits: age of a launch, from and to; both 0: none */
  bool waits;         /* what warps wait for, too: pages do not show it */
  const char *units;  /* kinds of units, separated by commas, or "none"; NULL: sm,l2,dram,bank */
  const char *
      stats; /* statistics of units: names, or beginnings with a *, separated by commas; NULL: what views show */
};

/* True: every name in the lists is one. */
bool record_check(const struct record_options *o, struct error *err);

/* Is it recorded of units unless something else is asked for? */
bool record_is_usual(const char *name);

struct record;
struct power;
/* `power` must outlive it. */
struct record *record_new(struct gpu *g, const struct power *power, const struct record_options *o,
                          struct error *err);
void record_launch(struct record *r, const char *kernel, const uint32_t grid[3], const uint32_t block[3],
                   uint64_t begin);
void record_interval(struct record *r, const uint64_t *after, const uint64_t *before, uint64_t age);
void record_cta(struct record *r, uint32_t sm, const struct supply_cta *c);
void record_ended(struct record *r, uint64_t cycles);
/* The run's result as JSON; the file is complete. */
bool record_finish(struct record *r, const char *json, size_t n, struct error *err);
void record_free(struct record *r); /* without the former, the file is given up */

#endif
