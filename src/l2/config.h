/* Parameters of the L2 (l2.*). */
#ifndef SLUICE_L2_CONFIG_H
#define SLUICE_L2_CONFIG_H

#include "cache/cache.h"
#include "coherence/coherence.h"
#include "conf/conf.h"
#include "mem/addrmap.h"

enum edge_stop { EDGE_STOP_ALL, EDGE_STOP_SLICE };

struct l2_config {
  uint32_t channels, slices_per_channel, interleave; /* interleave: bytes that stay in one channel */
  const char *channel_bits, *slice_bits;
  struct addrmap map; /* of those */
  struct cache_config cache;
  uint32_t rop_latency, rop_spread, latency, port_bytes, in, out, miss_queue, atomic_latency;
  double store_cycles[2]; /* of a part of a sector, of a whole one */
  double atomic_cycles, word_cycles, float_cycles, line_cycles, read_cycles;
  /* the same in 1024ths of a cycle; of words: of integers, of floating-point numbers */
  uint32_t store_interval[2], atomic_interval, word_interval[2], line_interval, read_interval;
  uint32_t partial_lines; /* of a slice; 0: any number, and nothing is read first */
  uint32_t join_sms;      /* neighbouring SMs whose requests join each other; 0: none do */
  uint32_t fill_latency, fill_bytes, fetch_bytes, edge_queue;
  enum edge_stop edge_stop;
  enum cache_write_miss write_miss;
  bool join_writes, evict_port, in_sectors, wait_for_memory, worst_case_misses, hold_misses, warm,
      cold_launches, evict_first, evict_posted, inclusive, nack;
  uint32_t evict_clean;
  /* what the rest of the GPU says */
  uint32_t sms;
  enum l1_coherence coherence;
  bool check_requests; /* one by one (mem/checker.h) */
  uint64_t round_trip; /* cycles from a slice to an SM and back, unloaded */
};

extern const struct conf_table l2_params;
/* What follows from the parameters, the line of the cache being known; false after adding their contradictions to err. */
bool l2_config_finish(struct l2_config *k, struct error *err);

#endif
