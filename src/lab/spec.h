/* A point on its way to the process that runs it, and the result on its way back: small JSON files, the same on
 * this machine and on a cluster. */
#ifndef SLUICE_LAB_SPEC_H
#define SLUICE_LAB_SPEC_H

#include "conf/yaml.h"
#include "lab/store.h"

/* Where streams are kept; folder NULL: nowhere. */
struct lab_streams {
  const char *folder;
  uint64_t limit; /* bytes */
};

/* `threads`: the most that may simulate the point; no part of what identifies it. */
void lab_spec_write(const struct lab_point *p, const struct lab_streams *streams, unsigned threads,
                    struct strbuf *to);

struct lab_spec {
  const char *id, *stream_id, *config;
  struct lab_workload workload; /* no identity */
  uint64_t max_cycles, threads;
  const char **plugins;
  size_t nplugins;
  struct lab_streams streams;
  struct yaml_doc *doc; /* holds the texts */
};
/* False after filling err: damaged, or made by another model. lab_spec_free() in either case. */
bool lab_spec_read(const char *name, const char *text, size_t n, struct lab_spec *s, struct error *err);
void lab_spec_free(struct lab_spec *s);

struct lab_result {
  const char *id;
  struct lab_outcome outcome;
  struct lab_value *values;
  size_t n, cap;
  struct arena mem; /* holds the texts */
};
void lab_result_write(const struct lab_result *r, struct strbuf *to);
/* False after filling err: cut off, or something else. lab_result_free() in either case. */
bool lab_result_read(const char *name, const char *text, size_t n, struct lab_result *r, struct error *err);
void lab_result_free(struct lab_result *r);

#endif
