/* Sweeps: a description in YAML, and the points it stands for. docs/lab.md has the format.
 *
 *   name: l1
 *   size: medium
 *   workloads: [bfs, {name: spmv, params: {rows: [4096, 8192]}}, {file: k.yaml}]
 *   gpus: [gtx480, {gpu: my.yaml, label: mine}]
 *   techniques: [none, cart, {with: swl, label: SWL-Best, best_of: {swl.warps: [2, 4, 8]}}]
 *   set: {l1d.size: [16KiB, 48KiB]}
 *   zip: [{sm.count: [15, 30], dram.channels: [6, 12]}]
 *   exclude: [{workload: bfs, technique: cart}]
 *
 * Points come in this order: workloads, GPUs, techniques, zips, grid; the last varies fastest. */
#ifndef SLUICE_LAB_SWEEP_H
#define SLUICE_LAB_SWEEP_H

#include "conf/yaml.h"
#include "lab/point.h"

/* Adds the points of a sweep to `out`, and takes its name if there is none yet. All mistakes are reported at
 * once; false: none of `out` should be used. */
/* A file without a name is called like the file. */
bool lab_expand_file(const char *path, struct lab_points *out, struct error *err);
bool lab_expand_text(const char *name, const char *text, size_t n, struct lab_points *out, struct error *err);
/* The same for a map inside another file. Relative paths start from `folder`. */
bool lab_expand_node(const struct yaml_node *sweep, const char *folder, struct lab_points *out,
                     struct error *err);

#endif
