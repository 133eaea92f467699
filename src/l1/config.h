/* Parameters of the caches of an SM: data (l1d.*), constants (l1c.*), textures (l1t.*) and instructions (l1i.*). */
#ifndef SLUICE_L1_CONFIG_H
#define SLUICE_L1_CONFIG_H

#include "cache/cache.h"
#include "coherence/coherence.h"
#include "conf/conf.h"

enum l1_refused { L1_STALL, L1_ASIDE };
enum l1_pending_store { L1_JOIN, L1_WAIT };
enum l1_coherent_store { L1_LINE, L1_ALL };

struct l1_config {
  struct cache_config d, c, i, t;
  bool d_on, c_on, i_on, t_on;
  struct {
    enum cache_write policy;
    enum cache_write_miss miss;
  } write[2]; /* stores to global and to local memory */
  enum l1_coherence coherence;
  enum l1_refused d_refused;
  enum l1_pending_store pending_store;
  enum l1_coherent_store coherent_store;
  bool d_evict_first, d_latency_first;
  bool d_banks, local_sectors;
  uint32_t d_pass_latency;
  bool count_passes;      /* of atomics over their sectors (l2.atomic_word_interval) */
  uint32_t d_store_lines; /* whose stores are not sent again; 0: all are */
  uint32_t d_store_wait;  /* write combining: cycles that a store waits; 0: none */
  uint32_t d_ports, d_port_bytes, d_latency, d_retry, d_miss_queue;
  uint32_t d_delay, d_after; /* of d_latency: before the tags, after them */
  bool c_params;
  uint32_t c_latency, c_interval, c_address_latency, c_second_latency, c_second_interval, c_miss_queue,
      c_caches, c_ports;
  uint32_t i_miss_queue, instruction_bytes, t_latency;
  /* what the rest of the GPU says */
  uint32_t line_bytes; /* of the data cache and the L2 */
  bool keep_read_only; /* constants and instructions stay between launches */
  bool keep_data;      /* data, too */
  bool nack;           /* the L2 may send loads back */
};

extern const struct conf_table l1_params;
/* What follows from the parameters, line_bytes being known; false after adding their contradictions to err. */
bool l1_config_finish(struct l1_config *k, struct error *err);

#endif
