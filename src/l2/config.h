/* Parameters of the L2 (l2.*). */
#ifndef SLUICE_L2_CONFIG_H
#define SLUICE_L2_CONFIG_H

#include "cache/cache.h"
#include "coherence/coherence.h"
#include "conf/conf.h"
#include "mem/addrmap.h"

enum { L2_ATOMIC_LINES = 16 };
enum edge_stop { EDGE_STOP_ALL, EDGE_STOP_SLICE };

struct l2_config {
  uint32_t channels, slices_per_channel, interleave; /* interleave: bytes that stay in one channel */
  const char *channel_bits, *slice_bits;
  struct addrmap map; /* of those */
  struct cache_config cache;
  uint32_t rop_latency, rop_spread, latency, port_bytes, in, out, miss_queue, atomic_latency;
  double store_cycles[2]; /* of a part of a sector, of a whole one */
  double store_request_cycles, fill_cycles, fill_port_cycles, write_back_cycles, result_cycles, double_cycles,
      double_line_cycles;
  double atomic_cycles, word_cycles, words_cycles, float_cycles, line_cycles, read_cycles, read_more_cycles;
  /* the same in 1024ths of a cycle; of words: of integers, of floating-point numbers */
  uint32_t store_interval[2], store_request, atomic_interval, words_interval, word_interval[2], line_interval,
      read_interval, read_more, fill_interval, fill_port, write_back_interval, result_interval,
      double_interval, double_line_interval;
  bool whole_requests;   /* all sectors of a request are looked up in one cycle */
  bool halves;           /* lines have copies in the other half of the L2 */
  uint32_t memory_ports; /* requests to memory in a cycle, of all slices of a channel */
  /* lines that atomics changed last, whose next one takes line_interval: of one word, of several */
  uint32_t atomic_lines, words_lines, known_lines; /* known_lines: the larger */
  uint32_t dirty_lines;                            /* of a slice; 0: any number */
  uint32_t write_backs;   /* of a channel, beyond which no other line changes; 0: any number */
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
  uint64_t
      cas_age; /* core cycles from the L2's look at a word to the CAS that leaves the SM for it; 0: each CAS succeeds (sm.cas_retry) */
  bool lock_holds; /* sm.lock_holds */
};

extern const struct conf_table l2_params;
/* What follows from the parameters, the line of the cache being known; false after adding their contradictions to err. */
bool l2_config_finish(struct l2_config *k, struct error *err);

#endif
