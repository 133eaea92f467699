/* Runs launches one by one: PTX files loaded into one device memory, each launch executed and counted, by
 * itself or on a machine, and put into the report.
 *
 *   runner_open ─▶ runner_load … ─▶ runner_launch … ─▶ runner_finish ─▶ runner_close */
#ifndef SLUICE_FRONT_RUNNER_H
#define SLUICE_FRONT_RUNNER_H

#include "front/exec.h"
#include "front/functional.h"
#include "front/gen/gen.h"

struct runner;

/* `o` and `report` must outlive the runner. */
struct runner *runner_open(const struct conf *conf, const struct functional_options *o,
                           struct report *report);
void runner_close(struct runner *r);
/* Launches run on the machine from here on; front.* is as `conf` has it now. */
void runner_use(struct runner *r, struct functional_machine *m);
void runner_configure(struct runner *r, const struct conf *conf);
/* What was loaded, one by one, from 0; the one that a kernel of runner_kernels is of. */
size_t runner_units(const struct runner *r);
struct program *runner_program(const struct runner *r, size_t unit);
size_t runner_unit_of(const struct runner *r, size_t kernel);
/* Launches that somebody else executes: how, counting one of their segments, and adding what was counted. */
const struct exec_options *runner_exec(const struct runner *r);
void runner_count(struct runner *r, size_t unit, const struct exec *x, const struct sluice_segment *s,
                  struct front_counters *to);
void runner_counted(struct runner *r, const struct front_counters *c);

/* A PTX file, or its text when that is not NULL; `path` is then for messages. */
bool runner_load(struct runner *r, const char *path, const char *text, size_t n, struct error *err);
/* All is loaded: kernels that parameters name must be there. */
bool runner_check(const struct runner *r, struct error *err);
struct devmem *runner_memory(struct runner *r);
/* Of all that was loaded. */
const struct kernel_info *const *runner_kernels(const struct runner *r, size_t *n);

/* How many launches there will be, for the progress bar; 0 (as at first): nobody knows. */
void runner_expect(struct runner *r, uint64_t launches);
/* Executes a launch of kernel `kernel` of runner_kernels to its end. */
bool runner_launch(struct runner *r, size_t kernel, const struct launch *l, struct error *err);
/* Launches that are known before those before them have been simulated: `next` names the one after the launch that runs, when that has
 * been executed, and has done what comes between them. On any thread, one at a time. */
struct runner_next {
  size_t kernel;
  const struct launch *l;
};
void runner_ahead(struct runner *r, bool (*next)(void *ctx, struct runner_next *n), void *ctx);
/* Runs a generated stream (front/gen/gen.h) as one launch. */
bool runner_generate(struct runner *r, gen_open_fn *open, const void *what, const uint64_t *buffers,
                     struct error *err);
/* Runs all launches of a recording. */
struct trace_reader;
bool runner_replay(struct runner *r, struct trace_reader *t, const char *path, struct error *err);
/* The recording that functional_options asked for is complete: it takes its name. */
bool runner_keep(struct runner *r, struct error *err);
/* Puts the totals into the report, and what cut the run off when !ok. */
void runner_finish(struct runner *r, bool ok, const struct error *err);

#endif
