/* Ideals: what a run would take if something cost nothing. Each is a list of settings, as --set takes them. */
#ifndef SLUICE_EXPLAIN_WHATIF_H
#define SLUICE_EXPLAIN_WHATIF_H

#include "base/error.h"
#include "base/strbuf.h"
#include "conf/conf.h"
#include "conf/yaml.h"
#include "sluice.h"

/* Names, NULL at the end: "dram=free", … */
extern const char *const whatif_names[];
/* Adds a line for each: its name, what it means, its settings. */
void whatif_list(struct strbuf *to);
/* Every name of the list (commas; "all") is one. */
bool whatif_check(const char *list, struct error *err);

struct whatif_result {
  const char *name;
  uint64_t cycles; /* 0: it could not run */
  char *why;       /* then this says why */
  char *settings;
};
/* Runs the variants of `list` of the configuration on the recorded stream. The caller frees `out` and its texts. */
size_t whatif_run(const char *list, const struct yaml_node *config, const char *stream,
                  struct whatif_result **out);
void whatif_free(struct whatif_result *r, size_t n);
/* The configuration of a run, from the map in its JSON; false after filling err. */
bool whatif_configure(struct sluice *s, const struct yaml_node *config, struct error *err);
/* A table. */
void whatif_table(const struct whatif_result *r, size_t n, uint64_t base, struct strbuf *to);

#endif
