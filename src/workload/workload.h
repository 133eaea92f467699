/* Workloads: the folders of workloads/, compiled in.
 *
 * A folder NAME holds kernel.cl (compiled to PTX at build time), host.c (inputs, launches, check; host.h) and
 * about.yaml (what it is and its parameters). scripts/workload-embed makes one struct workload of each,
 * and the list of all. measured.yaml, where there is one, holds counts of its runs (scripts/workloads). */
#ifndef SLUICE_WORKLOAD_WORKLOAD_H
#define SLUICE_WORKLOAD_WORKLOAD_H

#include "conf/conf.h"
#include "conf/yaml.h"
#include "front/functional.h"
#include "front/launch/launch.h"

struct wl;

struct workload {
  const char *name;
  void (*run)(struct wl *w);
  const char *ptx, *about, *measured; /* texts; measured may be empty */
  size_t ptx_n, about_n, measured_n;
};
extern const struct workload *const workload_all[];
extern const char *const workload_names[]; /* sorted, NULL at the end */
extern const size_t workload_count;

/* NULL after naming the nearest. */
const struct workload *workload_find(const char *name, struct error *err);
/* The same where a launch file may stand, too. NULL without an error: it is one, by its ending, a slash in it,
 * or because there is such a file and no such workload. */
const struct workload *workload_or_file(const char *what, struct error *err);

enum workload_size { SIZE_SMALL, SIZE_MEDIUM, SIZE_LARGE, SIZE_COUNT };
extern const char *const workload_size_names[]; /* NULL at the end */
/* False after naming the nearest. */
bool workload_size_read(const char *name, enum workload_size *out, struct error *err);

struct workload_param {
  const char *name, *help;
  enum { PARAM_INTEGER, PARAM_FLOAT, PARAM_CHOICE } type;
  uint64_t min, max, multiple; /* PARAM_INTEGER */
  const char **values;         /* PARAM_CHOICE */
  size_t nvalues;
  const char *sizes[SIZE_COUNT]; /* value at each size */
};

/* What about.yaml says. */
struct workload_about {
  const char *what, *suite, *access, *input; /* input: "graph", "matrix" or NULL */
  const char **papers, **paper_names;        /* paper, and the name it uses */
  size_t npapers;
  struct workload_param *params;
  size_t nparams;
  const char **registers_of; /* kernels whose registers per thread are stated */
  uint32_t *registers;
  size_t nregisters;
  struct yaml_doc *doc; /* holds the texts */
};
bool workload_about_read(struct workload_about *a, const struct workload *k, struct error *err);
void workload_about_free(struct workload_about *a);

/* Counts of a size, of measured.yaml; false where there are none. */
struct workload_measured {
  uint64_t instructions, footprint; /* warp instructions; bytes of buffers */
};
bool workload_measured_read(const struct workload *k, enum workload_size size, struct workload_measured *m);

/* What to run it on and with. */
struct workload_request {
  enum workload_size size;
  uint64_t seed;
  bool verify;
  const char *input;         /* a file, or NULL */
  const char *const *params; /* "name=value" */
  size_t nparams;
};

/* Runs it from end to end, as functional_run does a launch file. */
bool workload_run(const struct workload *k, const struct workload_request *q, const struct conf *conf,
                  const struct functional_options *o, struct report *report, struct error *err);

/* Runs it on the executor, and returns what its host did as a launch file: every write, launch, read-back
 * and check, PTX included, for launch_file_write_plan. NULL after filling err. */
struct launch_file *workload_record(const struct workload *k, const struct workload_request *q,
                                    const struct conf *conf, struct error *err);

#endif
