/* A launch file from the path to the checked outputs, executed functionally.
 *
 *   run_launch_file = launch_session_open ─▶ launch_session_run ─▶ launch_outputs ─▶ launch_session_close
 *
 * A session is also where other consumers of the stream start: it holds everything loaded, bound and
 * filled. */
#ifndef SLUICE_FRONT_LAUNCH_RUN_H
#define SLUICE_FRONT_LAUNCH_RUN_H

#include "front/count.h"
#include "front/launch/launch.h"

struct launch_session {
  struct launch_file *file;
  struct devmem *mem;
  struct program **programs;          /* one for each PTX file */
  const struct kernel_info **kernels; /* of all programs */
  size_t *program_of;                 /* index into programs for each kernel */
  size_t nkernels;
  struct launch_setup *setup;
};

struct launch_progress {
  uint64_t launch, launches;  /* the one running, from 0; all, repetitions included */
  uint64_t cta, ctas;         /* completed, of this launch */
  uint64_t warp_instructions; /* of all launches so far */
};

/* One launch, complete or ended by an error. */
struct launch_result {
  const struct launch_step *step;
  uint64_t launch;     /* from 0, repetitions counted */
  uint64_t repetition; /* of the step, from 0 */
  bool complete;
  struct front_counters counters;
};

struct launch_run_options {
  struct exec_options exec;
  struct devmem_options mem;
  const char *output_dir; /* NULL: beside the launch file */
  /* Called after every segment, and after every launch; each may be NULL. */
  void (*progress)(void *ctx, const struct launch_progress *p);
  void (*launched)(void *ctx, const struct launch_result *r);
  void *ctx;
};
struct launch_run_options launch_run_defaults(void);

struct launch_session *launch_session_open(const char *path, const struct devmem_options *o,
                                           struct error *err);
/* All steps in order. False at the first fault, stall or limit; `launched` has then seen the launch
 * that failed, with what it had counted. */
bool launch_session_run(struct launch_session *s, const struct launch_run_options *o, struct error *err);
void launch_session_close(struct launch_session *s);

/* The whole way. False when anything failed; err->code is the exit code. */
bool run_launch_file(const char *path, const struct launch_run_options *o, struct error *err);

#endif
