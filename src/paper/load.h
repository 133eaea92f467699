/* Parts of reading a paper's file; paper_load() is what others call. Every function goes on after a mistake, so
 * that all of them are reported at once. */
#ifndef SLUICE_PAPER_LOAD_H
#define SLUICE_PAPER_LOAD_H

#include "conf/yaml.h"
#include "paper/paper.h"
#include "stat/stat.h"

struct paper_loader {
  struct paper *p;
  struct error *err;
  struct stats *stats; /* for the names of statistics */
};

char *paper_read_text(struct paper_loader *l,
                      const struct yaml_node *n); /* "" after an error; lives as the paper */
char *paper_read_optional(struct paper_loader *l, const struct yaml_node *map, const char *key,
                          const char *otherwise);
const struct expr *paper_read_metric(struct paper_loader *l, const struct yaml_node *n);
/* The items of a list; nothing, after an error, if it is none. */
size_t paper_read_list(struct paper_loader *l, const struct yaml_node *n);

void paper_read_workloads(struct paper_loader *l, const struct yaml_node *root);
void paper_read_sets(struct paper_loader *l, const struct yaml_node *root);
void paper_read_configs(struct paper_loader *l, const struct yaml_node *root);
void paper_read_quick(struct paper_loader *l, const struct yaml_node *root);
void paper_read_figures(struct paper_loader *l, const struct yaml_node *root);

#endif
