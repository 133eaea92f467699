/* A timeline: what a run on the timing model did, over time, on disk.
 *
 *   head     "SLUICETL", version
 *   block    kind, bytes, packed bytes, then that many bytes: one zstd frame with a checksum
 *     HEAD      interval, clocks, which columns there are
 *     LAUNCH    kernel, grid, block, the cycle at which it begins
 *     ROWS      some intervals: their ends, then every column (buffer.h)
 *     CTAS      CTAs that ended: SM, number, begin, end
 *     COMMANDS  commands of the DRAM, in the window of detail
 *     WAITS     what warps waited for, in the window of detail
 *     ENDED     the launch's length
 *     REPORT    the run's result as JSON (stat/report.h), without intervals
 *   END      a block without bytes
 *
 * A column is a statistic of a unit; a group has all columns of a kind of unit: stat by stat, unit by unit. The first
 * group, "total", has the sums over units that the statistics of the run have too. Values are what an interval added,
 * so that intervals add up to the totals. The writer keeps at most a block of each kind in memory. */
#ifndef SLUICE_TIMELINE_TIMELINE_H
#define SLUICE_TIMELINE_TIMELINE_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIMELINE_VERSION = 1 };

struct timeline_group {
  const char *kind; /* "total", "sm", "l2", "dram", "bank" */
  uint32_t units, nstats;
  const char **stat; /* names */
  size_t first;      /* column of its first statistic's first unit */
};

struct timeline_head {
  uint64_t interval;             /* core cycles */
  uint64_t tick_core, tick_dram; /* ticks of a cycle of these clocks */
  uint64_t window[2];            /* of detail: age of a launch in core cycles, from and to; both 0: none */
  uint32_t channels, banks;      /* banks of a channel: those of all its controllers */
  const char **cause, **command; /* names by number */
  uint32_t ncauses, ncommands;
  struct timeline_group *group;
  uint32_t ngroups;
  size_t ncolumns;
};

struct timeline_launch {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint64_t begin; /* core cycles of the launches before */
};
struct timeline_cta {
  uint32_t sm;
  uint64_t cta, begin, end; /* age of the launch */
};
struct timeline_command {
  uint32_t channel, bank, command, row;
  uint64_t tick; /* since the beginning of the launch */
};
struct timeline_wait {
  uint32_t sm, warp, cause;
  uint64_t begin, cycles; /* age of the launch */
};

/* Sets `first` of the groups, and ncolumns. */
void timeline_columns(struct timeline_head *h);

/* Writing. What fails is said at the end. */
struct timeline_writer;
struct timeline_writer *timeline_create(const char *path, const struct timeline_head *h, struct error *err);
void timeline_launch(struct timeline_writer *w, const struct timeline_launch *l);
void timeline_row(struct timeline_writer *w, uint64_t end, const uint64_t *value); /* by column */
void timeline_cta(struct timeline_writer *w, const struct timeline_cta *c);
void timeline_command(struct timeline_writer *w, const struct timeline_command *c);
void timeline_wait(struct timeline_writer *w, const struct timeline_wait *c);
void timeline_ended(struct timeline_writer *w, uint64_t cycles);
void timeline_report(struct timeline_writer *w, const char *json, size_t n);
/* Completes the file, or gives it up if !keep. */
bool timeline_close(struct timeline_writer *w, bool keep, struct error *err);

/* Reading. */
struct timeline_visit { /* what is NULL is passed over */
  void *ctx;
  void (*launch)(void *ctx, const struct timeline_launch *l);
  void (*rows)(void *ctx, size_t n, const uint64_t *end, const uint64_t *value); /* [column][n] */
  void (*ctas)(void *ctx, size_t n, const struct timeline_cta *c);
  void (*commands)(void *ctx, size_t n, const struct timeline_command *c);
  void (*waits)(void *ctx, size_t n, const struct timeline_wait *c);
  void (*ended)(void *ctx, uint64_t cycles);
  void (*report)(void *ctx, const char *json, size_t n);
};
struct timeline_reader;
bool timeline_is(const char *path); /* does it begin like one? */
struct timeline_reader *timeline_open(const char *path, struct error *err);
const struct timeline_head *timeline_head(const struct timeline_reader *r);
/* From the beginning to the end, as often as wanted. False: the file is damaged or of another kind. */
bool timeline_walk(struct timeline_reader *r, const struct timeline_visit *v, struct error *err);
void timeline_free(struct timeline_reader *r);
/* NULL: there is no such group, statistic. */
const struct timeline_group *timeline_group(const struct timeline_head *h, const char *kind);
bool timeline_stat(const struct timeline_group *g, const char *name, size_t *column); /* of its first unit */

#endif
