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
/* A map of names to values. */
struct paper_setting *paper_read_pairs(struct paper_loader *l, const struct yaml_node *n, size_t *count);
/* The GPU that a map names, checked; `otherwise` if it names none. */
const char *paper_read_gpu(struct paper_loader *l, const struct yaml_node *map, const char *otherwise);
/* A workload of the file by name or label; 0 after an error. */
size_t paper_workload_index(struct paper_loader *l, const struct yaml_node *at, const char *name);
const struct paper_config *paper_read_config(struct paper_loader *l, const struct yaml_node *n);
/* gpu, set and params of a reading or a change. */
void paper_read_assumption(struct paper_loader *l, const struct yaml_node *n, struct paper_assumption *a);
/* The items of a list; nothing, after an error, if it is none. */
size_t paper_read_list(struct paper_loader *l, const struct yaml_node *n);

void paper_read_workloads(struct paper_loader *l, const struct yaml_node *root);
void paper_read_sets(struct paper_loader *l, const struct yaml_node *root);
void paper_read_configs(struct paper_loader *l, const struct yaml_node *root);
void paper_read_readings(struct paper_loader *l, const struct yaml_node *root);
void paper_read_changes(struct paper_loader *l, const struct yaml_node *n, struct paper_figure *f);
void paper_read_look(struct paper_loader *l, const struct yaml_node *n, struct paper_figure *f);
void paper_read_quick(struct paper_loader *l, const struct yaml_node *root);
void paper_read_figures(struct paper_loader *l, const struct yaml_node *root);

#endif
