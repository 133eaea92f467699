/* A point: one run of a workload on a GPU, and everything that determines its result.
 *
 *   description (sweep.h, or filled in by a caller)  ─▶  lab_points_add  ─▶  resolved, named by a hash
 *
 * The hash is over the resolved configuration (without parameters of techniques that are not in use), the
 * workload's content, size, parameters and seed, the limit of cycles, the plugins that its techniques come from and
 * the model (lab_model): neither paths nor hosts nor labels. Two points with the same hash are the same run. */
#ifndef SLUICE_LAB_POINT_H
#define SLUICE_LAB_POINT_H

#include "base/error.h"
#include "base/mem.h"
#include <stddef.h>
#include <stdint.h>

struct lab_pair {
  const char *name, *value;
};
struct lab_pairs {
  struct lab_pair *at;
  size_t n, cap;
};
/* Sets a name to a value, a new one at the end. Strings are not copied; free with lab_pairs_free. */
void lab_pairs_put(struct lab_pairs *p, const char *name, const char *value);
const char *lab_pairs_get(const struct lab_pairs *p, const char *name); /* NULL: not there */
void lab_pairs_free(struct lab_pairs *p);
/* {"name": "value", …} on one line, as it stands in the database */
char *lab_pairs_json(const struct lab_pairs *p);

/* What a workload executes, and the name of that: shared by all its points. */
struct lab_workload {
  const char *name;  /* a workload's name, or the path of a launch file or recorded stream */
  const char *label; /* NULL: the name, of a file without folder and ending */
  const char *size;  /* small, medium, large; NULL: small; a file has none */
  const char *input; /* a graph or matrix file, or NULL */
  uint64_t seed;
  struct lab_pairs params;
  const char *identity; /* hash of its content; filled by lab_workload_identify */
};
/* Checks it and computes its identity; the strings it points to must outlive it. */
bool lab_workload_identify(struct lab_workload *w, struct arena *mem, struct error *err);

/* Its parameters as `name=value`. */
const char *const *lab_workload_params(const struct lab_workload *w, struct arena *mem);

struct lab_point {
  /* given */
  struct lab_workload workload;
  const char *gpu, *gpu_label; /* a preset or file; label NULL: the preset's name */
  const char *with, *label;    /* techniques as --with takes them, "" for none; label NULL: the same */
  struct lab_pairs set;        /* parameters, as --set takes them */
  const char *best_param;      /* one of `set` that is chosen for each workload, or NULL */
  const char *best_by; /* ... by the least of this statistic ("cycles"), or the most with '+' before */
  uint64_t max_cycles; /* per launch; 0: no limit */
  /* made by lab_points_add */
  const char *const
      *plugins; /* shared objects that techniques of `with` come from; others determine nothing */
  size_t nplugins;
  const char *id;        /* 32 hexadecimal digits */
  const char *config;    /* resolved, JSON; only what determines the result */
  const char *config_id; /* its hash */
  const char *stream_id; /* the hash that names its stream of operations; "" for a recorded one */
};

struct lab_points {
  char *sweep; /* name of the sweep, or NULL */
  struct lab_point *at;
  size_t n, cap;
  struct arena mem; /* holds what the points point to */
};

/* Resolves a point, checks it and adds a copy. */
bool lab_points_add(struct lab_points *p, const struct lab_point *given, struct error *err);
void lab_points_free(struct lab_points *p);

/* Points by what they are: NULL (or 0) fields match anything, `set` must be contained in the point's. */
struct lab_filter {
  const char *workload, *gpu, *label; /* labels */
  struct lab_pairs set;
};
/* The first match at or after `from`; SIZE_MAX: none. */
size_t lab_points_find(const struct lab_points *p, const struct lab_filter *f, size_t from);

/* What of the program determines results: its version and a hash of its sources. */
const char *lab_model(void);

/* 32 hexadecimal digits for n bytes. */
enum { LAB_HASH = 33 };
void lab_hash(const void *bytes, size_t n, char out[LAB_HASH]);
/* The same for a file's content; false after filling err. */
bool lab_hash_file(const char *path, char out[LAB_HASH], struct error *err);

#endif
