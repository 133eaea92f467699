/* Sluice, a GPU memory-hierarchy simulator: the public interface of libsluice.
 *
 *   struct sluice *s = sluice_create();
 *   if (sluice_gpu(s, "cart28") || sluice_with(s, "cart:rows=8") || sluice_run(s, "bfs", NULL))
 *     fprintf(stderr, "%s\n", sluice_error(s));
 *   double ipc;
 *   if (sluice_stat(s, "ipc", &ipc))
 *     printf("%f\n", ipc);
 *   sluice_destroy(s);
 *
 * A handle is one simulation: a configuration, a GPU, what it counted. It is used by one thread at a time; several may run on
 * several threads at once. Nothing is written to files unless an option names one, and nothing to standard error.
 *
 * Functions that can fail return a status, or NULL or 0 as said below; sluice_error() then tells why. After SLUICE_E_MEMORY and
 * SLUICE_E_INTERNAL a handle refuses everything but sluice_error(), sluice_error_code() and sluice_destroy(), which gives back all that it
 * had. docs/library.md has examples. */
#ifndef SLUICE_H
#define SLUICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice_api.h"
#include "sluice_dram.h"
#include "sluice_stream.h"
#include "sluice_technique.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sluice;
struct sluice_module;

SLUICE_API const char *sluice_version(void);
SLUICE_API const char *sluice_status_name(enum sluice_status status); /* "SLUICE_E_INPUT" */

SLUICE_API struct sluice *sluice_create(void); /* NULL: no memory */
SLUICE_API void sluice_destroy(struct sluice *s);

/* The text of the last failure, one line for each mistake, "" if there was none; its status. */
SLUICE_API const char *sluice_error(const struct sluice *s);
SLUICE_API enum sluice_status sluice_error_code(const struct sluice *s);

/* The configuration. What is said later counts. memory.* must come before the first allocation or module, everything else before
 * the first launch on a GPU. */
/* The GPU: a preset (`sluice list gpus`) or a file. Without one, launches are executed and counted and take no time. */
SLUICE_API enum sluice_status sluice_gpu(struct sluice *s, const char *preset_or_file);
SLUICE_API enum sluice_status sluice_config(struct sluice *s, const char *file); /* parameters in YAML */
/* The same from memory; `name` is for messages. */
SLUICE_API enum sluice_status sluice_config_text(struct sluice *s, const char *name, const char *text,
                                                 size_t n);
/* A parameter of `sluice list params`: sluice_set(s, "l2.warm", "false"). */
SLUICE_API enum sluice_status sluice_set(struct sluice *s, const char *key, const char *value);
/* The same with where the value comes from, for sluice_text(SLUICE_CONFIG) and messages. */
SLUICE_API enum sluice_status sluice_set_from(struct sluice *s, const char *key, const char *value,
                                              const char *origin);
SLUICE_API enum sluice_status sluice_assign(struct sluice *s, const char *assignment); /* "l2.warm=false" */
/* Techniques, as --with takes them: "cart:rows=8,bucl". Those of plugins: sluice_technique_load() before sluice_create(). */
SLUICE_API enum sluice_status sluice_with(struct sluice *s, const char *techniques);

/* How it is simulated, and what is kept of it. 0 everywhere is what most want. */
struct sluice_options {
  uint32_t size;       /* sizeof (struct sluice_options) */
  uint32_t threads;    /* the most that simulate, at most 64; 0: as many as help. The same numbers with any */
  uint64_t max_cycles; /* ends a launch with SLUICE_E_STALL; 0: no limit */
  uint64_t interval;   /* core cycles of an interval, which is counted by itself; 0: none */
  bool per_unit;       /* count each SM, L2 slice and DRAM channel: "l2[5].hits" */
  bool functional;     /* execute and count, whether a GPU is named or not */
  bool no_verify;      /* sluice_run(): a launch file's outputs are not compared */
  bool no_skip;        /* simulate every cycle of every unit: the same numbers, slowly */
  bool general;        /* take no fast path: the same numbers, slowly */
  uint64_t shuffle;    /* seed of another order of units: the same numbers; 0: none */
  uint64_t delays;     /* seed of random delays of threads: the same numbers; 0: none */
  FILE *printf_to;     /* what kernels print; NULL: standard output */
  uint32_t show;       /* a progress bar on standard error: 0 none, 1 on a terminal, 2 a line every 10 s */
  uint32_t timeline_interval; /* core cycles; 0: 1000 */
  const char *record;         /* a file for the stream of warp operations; NULL: none */
  /* a file for what happens over time (docs/seeing.md); NULL: none */
  const char *timeline, *timeline_units, *timeline_stats;
  uint64_t timeline_window[2]; /* cycles in which commands are recorded one by one; the second 0: in none */
  bool timeline_waits;         /* and what warps wait for */
  const char *model, *command; /* what SLUICE_JSON says of the program that ran it; NULL: nothing */
  bool timed; /* simulate the GPU that the parameters describe, also where sluice_gpu() named none */
};
/* Copies them. Before the first launch. */
SLUICE_API enum sluice_status sluice_options(struct sluice *s, const struct sluice_options *o);

/* Callbacks, on the thread that runs the launch. Where one returns false, the call that runs ends with SLUICE_E_CANCELLED; what was
 * counted until then can be read. */
struct sluice_progress {
  uint32_t size;                        /* sizeof (struct sluice_progress) of the library */
  uint32_t launch;                      /* number of the launch, from 0 */
  uint64_t cycles, thread_instructions; /* of all launches; 0 without a GPU */
  uint64_t ctas_done, ctas;             /* of the launch */
};
typedef bool sluice_progress_fn(void *ctx, const struct sluice_progress *p);
/* Every some thousand cycles. NULL: nobody is called. */
SLUICE_API enum sluice_status sluice_on_progress(struct sluice *s, sluice_progress_fn *fn, void *ctx);
/* At the end of every options.interval core cycles of a launch: sluice_stat() and others read the handle as it is then. */
typedef bool sluice_interval_fn(void *ctx, struct sluice *s, uint32_t launch, uint32_t interval,
                                uint64_t cycle);
SLUICE_API enum sluice_status sluice_on_interval(struct sluice *s, sluice_interval_fn *fn, void *ctx);
/* What deserves a word and no failure. */
typedef void sluice_warning_fn(void *ctx, const char *text);
SLUICE_API enum sluice_status sluice_on_warning(struct sluice *s, sluice_warning_fn *fn, void *ctx);

/* What a name stands for; SLUICE_NOTHING with an error that names the nearest. */
enum sluice_subject { SLUICE_NOTHING, SLUICE_WORKLOAD, SLUICE_LAUNCH_FILE, SLUICE_RECORDING };
SLUICE_API enum sluice_subject sluice_subject(struct sluice *s, const char *what);

/* A whole run: a workload (`sluice list workloads`), a launch file, or a recorded stream. Starts with a new GPU; what was counted
 * before is forgotten. */
struct sluice_input {
  uint32_t size;             /* sizeof (struct sluice_input) */
  uint32_t nparams;          /* of a workload; the rest of this, too */
  const char *scale;         /* "small" (NULL), "medium", "large" */
  const char *file;          /* a graph or matrix; NULL: made from the seed */
  const uint64_t *seed;      /* NULL: 1 */
  const char *const *params; /* "nodes=20000" */
  bool check; /* compare with the CPU's result; at size small always, unless options.no_verify */
};
SLUICE_API enum sluice_status sluice_run(struct sluice *s, const char *what,
                                         const struct sluice_input *input /* NULL: as described */);

/* Mistakes in the configuration that show only when the GPU is built: builds it and gives it back. */
SLUICE_API enum sluice_status sluice_check(struct sluice *s);

/* A workload or launch file with everything it names, for tools/hw: bytes to be freed with sluice_text_free(). */
SLUICE_API enum sluice_status sluice_plan(struct sluice *s, const char *what,
                                          const struct sluice_input *input /* NULL: as described */,
                                          char **plan, size_t *bytes);

/* Launches of one's own. Device memory: sluice_alloc returns 0 on failure. */
SLUICE_API uint64_t sluice_alloc(struct sluice *s, uint64_t bytes, const char *name);
SLUICE_API enum sluice_status sluice_free(struct sluice *s, uint64_t address);
SLUICE_API enum sluice_status sluice_write(struct sluice *s, uint64_t address, const void *from,
                                           uint64_t bytes);
SLUICE_API enum sluice_status sluice_read(struct sluice *s, uint64_t address, void *to, uint64_t bytes);

/* PTX modules; they live as long as the handle. NULL if the text is refused. */
SLUICE_API struct sluice_module *sluice_load_file(struct sluice *s, const char *path);
SLUICE_API struct sluice_module *sluice_load_text(struct sluice *s, const char *ptx, size_t n,
                                                  const char *name);
/* Address and size of a .global or .const variable. */
SLUICE_API enum sluice_status sluice_symbol(struct sluice *s, const struct sluice_module *m, const char *name,
                                            uint64_t *address, uint64_t *bytes);

struct sluice_launch {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint64_t dynamic_shared;
  const void *params; /* the parameter block, laid out as the kernel declares it */
  size_t param_bytes;
};
/* Runs a launch to its end, on the GPU if there is one. The GPU is built by the first and keeps its caches for the next. */
SLUICE_API enum sluice_status sluice_launch(struct sluice *s, struct sluice_module *m,
                                            const struct sluice_launch *l);

/* Statistics by the names of `sluice list stats`, and "l2[5].hits" of a unit (options.per_unit). False: an unknown name, or nothing
 * was counted under it. Of all launches so far; of one, from 0; of an interval of one (counters and power only). */
SLUICE_API bool sluice_stat(struct sluice *s, const char *name, double *value);
SLUICE_API uint32_t sluice_launches(const struct sluice *s);
SLUICE_API const char *sluice_launch_kernel(const struct sluice *s,
                                            uint32_t launch); /* NULL: no such launch */
SLUICE_API bool sluice_launch_stat(struct sluice *s, uint32_t launch, const char *name, double *value);
SLUICE_API uint32_t sluice_intervals(const struct sluice *s, uint32_t launch);
/* The cycle of the launch at which an interval ends; 0: no such interval. */
SLUICE_API uint64_t sluice_interval_end(const struct sluice *s, uint32_t launch, uint32_t interval);
SLUICE_API bool sluice_interval_stat(struct sluice *s, uint32_t launch, uint32_t interval, const char *name,
                                     double *value);
/* How many values there were of each power of two: bucket 0 zeros, b > 0 those from 2^(b-1). "latency.sum" and its stages. */
enum { SLUICE_BUCKETS = 33, SLUICE_MAX_THREADS = 64 };
SLUICE_API bool sluice_histogram(struct sluice *s, const char *name, uint64_t bucket[SLUICE_BUCKETS]);
/* What statistics there are; false beyond the last. */
struct sluice_stat_about {
  uint32_t size; /* sizeof (struct sluice_stat_about) as the caller knows it */
  const char *name, *unit, *help;
};
SLUICE_API bool sluice_stat_about(struct sluice *s, uint32_t i, struct sluice_stat_about *about);

/* Every statistic of all launches so far, by number, with its exact value; false beyond the last. */
enum sluice_stat_kind {
  SLUICE_STAT_NONE, /* nothing was counted under it */
  SLUICE_STAT_COUNT,
  SLUICE_STAT_REAL,
  SLUICE_STAT_TEXT
};
struct sluice_stat_value {
  uint32_t size; /* sizeof (struct sluice_stat_value) as the caller knows it */
  uint32_t kind; /* enum sluice_stat_kind */
  const char *name;
  uint64_t count;
  double real;
  const char *text; /* as long as the handle's result */
};
SLUICE_API bool sluice_stat_at(struct sluice *s, uint32_t i, struct sluice_stat_value *value);
/* What became of the run: "complete", "cut" (options.max_cycles), "stall", "fault", "mismatch", "interrupted". NULL: nothing has run. */
SLUICE_API const char *sluice_outcome(const struct sluice *s);

/* The result as a text, to be freed with sluice_text_free(); NULL: there is none yet. Forms are in sluice_api.h. */
SLUICE_API char *sluice_text(struct sluice *s, enum sluice_report form);
SLUICE_API void sluice_text_free(char *text);

/* A signal came: every handle of the process ends its launch with SLUICE_E_CANCELLED at its next look. May be called by a signal
 * handler. */
SLUICE_API void sluice_stop_all(int signal);

#ifdef __cplusplus
}
#endif

#endif
