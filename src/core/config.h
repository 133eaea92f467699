/* Parameters of a streaming multiprocessor (sm.*). */
#ifndef SLUICE_CORE_CONFIG_H
#define SLUICE_CORE_CONFIG_H

#include "conf/conf.h"
#include "core/sched/sched.h"
#include "front/ptx/ops.h"

enum sm_model { SM_SIMT, SM_GCN };
enum sm_merge { MERGE_LANES, MERGE_IN_FLIGHT };
enum sm_pipes { PIPES_SHARED, PIPES_SPLIT, PIPES_OWN };
/* Of a compute unit: SIMDs, at most; units that take an instruction per cycle. */
enum { GCN_SIMDS = 4, GCN_UNITS = 5 };

struct core_config {
  uint32_t threads, ctas, registers, shared_bytes, schedulers, sp_units, sfu_units, register_unit,
      register_parts, shared_unit, shared_reserved;
  uint32_t warps; /* of `threads` */
  enum sm_model model;
  bool cta_on_simd;
  uint32_t scalar_latency, scalar_fetch, vmb; /* vmb 0: unlimited */
  bool scalar_in_order, vmb_in_order, gcn_code;
  uint32_t scalar_complete; /* issue of a scalar instruction to its completion */
  bool lds_lanes;           /* front.shared = lanes */
  bool vmb_stores;
  bool merge_loads, merge_stores;
  enum sm_merge merge_how;
  uint32_t merge_lanes;
  bool segments, join_atomics, shared_pairs;
  uint32_t merge[2]; /* of those four: lanes that share accesses of loads, stores; 0: all */
  bool store_runs;   /* a lane's store shares the access of the lane before only */
  enum sm_scheduler scheduler;
  uint32_t issue_width, active_warps;
  struct {
    uint32_t latency, interval, slots;
  } unit[PTX_NUNITS];
  uint32_t cross_latency; /* more cycles of an arithmetic result for another pipeline */
  uint32_t begin_slots, joined_slots, joined_result_slots, joined_wait,
      joined_result; /* of atomics that one lane does for all */
  double fetch_cycles, fetch_wasted;
  uint32_t fetch_interval, redirect_fetch; /* of a scheduler's fetch unit, in 1024ths of a cycle */
  uint32_t part_slots;                     /* more issue slots of a branch at which lanes could part */
  uint32_t long_slots;                     /* issue slots of arithmetic of 64-bit integers */
  bool slots; /* one of what follows, or an instruction takes more than one issue slot */
  bool constant_operands;
  uint32_t shared_cas,
      shared_cas_slots; /* 0: atomics of shared memory are instructions of the load/store unit, whatever they do */
  uint32_t joined_sfu;      /* special functions of an atomic that one lane does for all, with a result */
  uint32_t shared_cas_long; /* shared_cas of 64 bits; 0: the same */
  uint32_t block_fence;     /* of a CTA */
  uint32_t shared_cas_unit; /* how often as long a loop that compares and swaps takes the load/store unit */
  bool lock_holds;          /* a lock is its holder's until it is given back */
  uint32_t cas_retry;       /* 0: a CAS that functional execution let succeed succeeds */
  uint32_t empty_interval;  /* 0: a store of no lane takes no cycle of the load/store unit */
  bool held_calls;          /* divisions and roots keep their warp */
  uint32_t atomic_pass_interval; /* 0: passes over a sector take the load/store unit no time */
  bool stores_in_turn;           /* schedulers take turns at the load/store unit in rows of stores, too */
  bool greedy_stores;            /* a scheduler stays with a warp whose next instruction is a store, too */
  uint32_t shared_latency, mem_queue, stages, fetch_width, fetch_warps, fetch_latency;
  uint32_t collectors, collectors_sfu;   /* of each kind of pipeline; 0: none are modelled */
  uint32_t register_banks, result_buses; /* 0: no limit */
  uint32_t load_stages;                  /* from data to registers, of memory and shared memory */
  uint32_t hit_stages;                   /* the same of hits in the L1s */
  bool fetch_ahead, rotate_schedulers, shared_conflicts;
  enum sm_pipes pipes;
  uint32_t not_taken, diverge, meet, part_again, may_part, return_latency,
      return_interval; /* of control flow, beside PTX_UNIT_CTRL */
  bool distances;      /* machine code says how far apart instructions are */
  bool paths_cost;     /* one of them is set */
  uint32_t shared_conflict_latency, shared_atomic_latency, barrier_interval, barrier_latency, barrier_unit,
      fence_latency, fence_again, fence_interval;
};

extern const struct conf_table core_params;
/* What follows from the parameters; false after adding their contradictions to err. */
bool core_config_finish(struct core_config *k, uint32_t warp_width, struct error *err);

#endif
