/* A GPU as data: the parameters of its parts and its own (gpu.*, energy.*, check.*), so that a preset is a YAML file of them. */
#ifndef SLUICE_GPU_CONFIG_H
#define SLUICE_GPU_CONFIG_H

#include "core/config.h"
#include "dram/config.h"
#include "l1/config.h"
#include "l1/graphics.h"
#include "l2/config.h"
#include "noc/config.h"

struct gpu_config {
  uint32_t sms, line_bytes; /* line_bytes: of the L1 data caches and the L2 */
  uint64_t core_mhz, noc_mhz, l2_mhz, dram_mhz;
  uint32_t launch_cycles, code_cycles;
  enum { DEAL_SM, DEAL_CLUSTER } deal; /* CTAs to SMs by number, or to clusters in turn */
  double cta_interval_cycles, code_interval_cycles;
  uint64_t cta_interval, code_interval; /* the same in 1024ths of a cycle */
  bool keep_read_only, keep_data;
  bool locality; /* count requests by page (front/gen/locality.h) */
  struct core_config core;
  struct l1_config l1;
  struct stream_config stream;
  struct noc_config noc;
  struct l2_config l2;
  struct memory_config memory;
  bool check_requests; /* every one by itself (mem/checker.h) */
  uint64_t longest_wait;
  int l1d_parallel, l2_parallel; /* 1: data are read with the tags, for energy */
  const char *energy_table;      /* what events cost; none: not known */
  uint32_t node_nm;              /* of on-chip memories, for area and energy */
};

extern const struct conf_table gpu_params, gpu_report_params;
bool gpu_config_read(struct gpu_config *g, const struct conf *c, struct error *err);

#endif
