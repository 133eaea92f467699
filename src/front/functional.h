/* A launch file from end to end, without a timing model: load, execute, count, check its outputs. */
#ifndef SLUICE_FRONT_FUNCTIONAL_H
#define SLUICE_FRONT_FUNCTIONAL_H

#include "base/progress.h"
#include "conf/conf.h"
#include "stat/report.h"
#include <stdio.h>

struct exec;
struct kernel_info;
struct launch;
struct devmem;
struct sluice_segment;
struct front_counters;

/* How far a machine is. */
struct functional_progress {
  uint64_t cycles, thread_instructions; /* of all launches */
  uint64_t ctas;                        /* completed, of the launch that runs */
};

struct functional_buffer {
  uint64_t address, size;
};

/* A launch, ready to run: its executor is fresh. */
struct functional_next {
  struct exec *x;
  const struct kernel_info *k;
  const struct launch *l;
};

/* Something a launch runs on in place of mere counting: it consumes the stream of `x` to the end. Of every
 * segment it asks `count` to add what happens in it, on the thread that executes; and it hands the counts
 * to `seen` in the order of the stream when it gets to them, one thread at a time. */
struct functional_machine {
  bool (*run)(struct functional_machine *m, struct exec *x, const struct kernel_info *k,
              const struct launch *l, struct error *err);
  /* registers per thread that were counted come down to what a CTA can have */
  void (*spill)(struct functional_machine *m, struct kernel_info *k, const struct launch *l);
  /* buffers are filled; their addresses and sizes, ascending */
  void (*warm)(struct functional_machine *m, const struct functional_buffer *b, size_t n);
  /* of the launch just run; of all */
  void (*put_launch)(struct functional_machine *m, struct stats *s, struct stat_detail *d);
  void (*put_total)(struct functional_machine *m, struct stats *s, struct stat_detail *d);
  /* set by the caller of run */
  void (*count)(void *ctx, const struct exec *x, const struct sluice_segment *s, struct front_counters *to);
  void (*seen)(void *ctx, const struct front_counters *c);
  bool (*progress)(void *ctx,
                   const struct functional_progress *p); /* every now and then; false: the launch is to end */
  /* an interval has ended, and all counters are up to date; NULL: nobody looks; false: the launch is to end */
  bool (*interval)(void *ctx, uint64_t cycle);
  /* Asked once a launch has been executed to its end, on a thread that executes, while what came of it may still be simulated: the launch
   * that comes next, of which `run` is told later, too, and which is executed meanwhile. False: nobody knows yet. NULL: nobody ever does. */
  bool (*next)(void *ctx, struct functional_next *n);
  /* The launch that `next` told will not be run: nobody looks at its executor any more. NULL: `next` is not asked. */
  void (*forget_next)(struct functional_machine *m);
  /* set by run */
  const struct stat_series *series; /* of the launch that runs; NULL: none */
  bool cancelled;                   /* one of the two above wants the launch to end */
  bool cut; /* set by run: a limit of cycles ended the launch, which is no sign of trouble */
  void *ctx;
};

/* Fills err: somebody who looks on has ended the launch. Always false. */
bool functional_cancelled(const struct functional_machine *m, struct error *err);

/* Tells it of the live buffers of a memory. */
void functional_warm(struct functional_machine *m, const struct devmem *mem);

/* Somebody who looks on. What is NULL is not called; false: the run is to end. */
struct functional_watch {
  void *ctx;
  bool (*progress)(void *ctx, uint64_t launch, uint64_t ctas, const struct functional_progress *p);
  /* At the end of an interval of a launch; `counted`: what was executed so far, in all launches. */
  bool (*interval)(void *ctx, uint64_t launch, uint64_t cycle, const struct front_counters *counted);
  void (*warn)(void *ctx, const char *text);
};

struct functional_options {
  const struct functional_watch *watch; /* NULL: nobody; warnings go to standard error */
  struct functional_machine *machine;   /* NULL: execute and count */
  enum progress_mode progress;
  FILE *printf_to;    /* what kernels print; NULL: stdout */
  bool no_verify;     /* outputs of a launch file are neither compared nor checked; they are written */
  const char *record; /* write the stream to this file; NULL: do not */
};

/* Fills report->total, ->kernels and ->status. False with err when the run was cut off or an output differs;
 * the report then holds what was counted until there (report->total is NULL if nothing ran). */
bool functional_run(const char *path, const struct conf *conf, const struct functional_options *o,
                    struct report *report, struct error *err);

/* The same for a recorded stream (front/trace/trace.h). */
bool functional_replay(const char *path, const struct conf *conf, const struct functional_options *o,
                       struct report *report, struct error *err);

#endif
