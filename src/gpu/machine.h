/* The GPU as something launches run on: what `sluice run` uses unless it is told --functional. */
#ifndef SLUICE_GPU_MACHINE_H
#define SLUICE_GPU_MACHINE_H

#include "conf/conf.h"
#include "front/functional.h"

extern const struct stat_table gpu_stats;

enum { MACHINE_MAX_THREADS = 64 };

struct machine_options {
  unsigned threads; /* the most that run; 0: as many as help. One also executes the kernel */
  bool
      exact; /* all of them run, whether they help or not; so they do with shards; with delays, any number of them */
  unsigned shards;           /* parts of the GPU; 0: as many as the threads want */
  struct profiler *profiler; /* of what each shard does in each window, on one thread; NULL: none */
  bool no_skip;              /* simulate every cycle of every unit */
  bool general;              /* no unit takes a fast path */
  uint64_t shuffle;          /* seed: units run in another order at every instant; 0: in theirs */
  uint64_t delays;           /* seed: threads dawdle at random; 0: they do not */
  bool forgets;              /* for tests of the tests: calls are lost as docs/architecture.md describes */
  uint64_t max_cycles;       /* per launch; 0: no limit */
  uint64_t interval;         /* core cycles of a stretch that is counted by itself; 0: none */
  bool per_unit;             /* report every unit's counters too */
  const struct record_options *record; /* a timeline of it; NULL: none */
};

/* "auto" (0: as many as help) or a number from 1 to MACHINE_MAX_THREADS. False: neither. */
bool machine_threads(const char *text, unsigned *threads);
/* NULL after filling err. */
struct record_options;
struct functional_machine *machine_new(const struct conf *c, const struct machine_options *o,
                                       struct error *err);
void machine_free(struct functional_machine *m);
/* The run is over, and this is its result: completes the timeline, if there is one. */
bool machine_recorded(struct functional_machine *m, const struct report *r, struct error *err);
struct parallel_engine;
const struct parallel_engine *machine_engine(const struct functional_machine *m); /* what its units run on */

#endif
