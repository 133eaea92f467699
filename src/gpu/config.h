/* A GPU as data. Every field is a parameter (gpu.*, sm.*, l1d.*, noc.*, l2.*, memory system), so that a
 * preset is a YAML file of them. */
#ifndef SLUICE_GPU_CONFIG_H
#define SLUICE_GPU_CONFIG_H

#include "conf/conf.h"
#include "front/ptx/ops.h"
#include "mem/addrmap.h"
#include "cache/cache.h"
#include "l1/graphics.h"
#include "noc/xbar.h"
#include "core/sched/sched.h"

enum sm_model { SM_SIMT, SM_GCN };
/* What keeps the L1 data caches coherent (docs/thesis-memory.md); NONE: stores follow l1d.write_*, copies elsewhere stay. */
enum l1_coherence { COHERENCE_NONE, COHERENCE_SI, COHERENCE_MOESI, COHERENCE_NMOESI };
enum {
  GCN_SIMDS = 4,
  GCN_UNITS = 5
}; /* of a compute unit: SIMDs, at most; what takes an instruction per cycle */

struct gpu_config {
  uint32_t sms, line_bytes; /* of the L1 data caches and the L2 */
  uint64_t core_mhz, noc_mhz, l2_mhz, dram_mhz;
  /* SM */
  uint32_t threads, warps, ctas, registers, shared_bytes, schedulers, sp_units, sfu_units, register_unit,
      register_parts, shared_unit, shared_reserved;
  enum sm_model model;
  bool cta_on_simd;
  uint32_t scalar_latency, vmb; /* 0: unlimited */
  bool vmb_stores;
  uint32_t merge[2]; /* lanes that share accesses of loads, stores; 0: all */
  enum sm_scheduler scheduler;
  uint32_t issue_width, active_warps;
  struct {
    uint32_t latency, interval;
  } unit[PTX_NUNITS];
  uint32_t shared_latency, mem_queue, stages, fetch_width, fetch_warps, fetch_latency;
  uint32_t collectors, collectors_sfu;   /* of each kind of pipeline; 0: none are modelled */
  uint32_t register_banks, result_buses; /* 0: no limit */
  uint32_t load_stages, hit_stages;      /* from data to registers: of memory and shared memory, of the L1s */
  bool fetch_ahead, rotate_schedulers;
  /* instruction cache */
  bool l1i_on;
  struct cache_config l1i;
  uint32_t l1i_miss_queue, instruction_bytes;
  /* L1 data cache and constant cache */
  struct cache_config l1d, l1c;
  bool l1d_on, l1c_on;
  struct {
    enum cache_write policy;
    enum cache_write_miss miss;
  } write[2]; /* stores to global and to local memory */
  enum l1_coherence coherence;
  bool l1d_evict_first;
  uint32_t l1d_ports, l1d_port_bytes, l1c_miss_queue, l1c_caches, l1c_ports;
  uint32_t l1d_latency, l1c_latency, l1_miss_queue;
  uint32_t l1d_delay, l1d_after; /* of l1d_latency: before the tags, after them */
  bool l1c_params, keep_read_only;
  struct stream_config stream;
  bool locality; /* count requests by page (front/gen/locality.h) */
  /* network */
  uint32_t flit_bytes[2], noc_latency, noc_inject, noc_credit, noc_in,
      noc_out; /* flits of requests, of answers */
  enum noc_allocator allocator;
  uint32_t noc_iterations, sms_per_link, noc_speedup;
  bool noc_packets;
  /* L2 */
  uint32_t launch_cycles;
  uint64_t cta_interval;                             /* in 1024ths of a cycle */
  uint32_t channels, slices_per_channel, interleave; /* bytes that stay in one channel */
  struct addrmap map;
  struct cache_config l2;
  uint32_t rop_latency, l2_latency, l2_port_bytes, l2_in, l2_out, l2_miss_queue, l2_atomic_interval,
      l2_store_interval[2], /* of a part of a sector, of a whole one */
      l2_fill_latency, edge_queue;
  enum cache_write_miss l2_write_miss;
  bool l2_join_writes, l2_warm, l2_cold_launches, l2_evict_first, l2_evict_posted, l2_inclusive, l2_nack;
  uint32_t l2_evict_clean;
  uint32_t l1d_retry;
  /* DRAM */
  const char *dram_device, *dram_mapping, *dram_controller;
  int dram_refresh;
  int dram_ideal; /* enum dram_ideal */
  uint32_t dram_latency, dram_queue;
  /* laws */
  bool follow; /* every request, one by one */
  uint64_t longest_wait;
  bool l1d_parallel, l2_parallel;           /* data are read with the tags, for energy */
  uint32_t node_nm;                         /* of on-chip memories, for area and energy */
  uint32_t dram_controllers, dram_lockstep; /* behind each channel of the L2; physical channels of each */
  bool dram_fixed;                          /* a memory of fixed latency instead */
  uint32_t fixed_latency, fixed_write_latency, fixed_interval;
};

extern const struct conf_table gpu_params;
bool gpu_config_read(struct gpu_config *g, const struct conf *c, struct error *err);

#endif
