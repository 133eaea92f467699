/* Parameters of the memory behind a channel of the L2 (dram.* of a GPU). */
#ifndef SLUICE_DRAM_CONFIG_H
#define SLUICE_DRAM_CONFIG_H

#include "conf/conf.h"

enum memory_model { MEMORY_COMMANDS, MEMORY_FIXED };

struct memory_config {
  enum memory_model model;
  const char *device, *mapping, *controller, *timing;
  int refresh; /* enum dram_refresh */
  int ideal;   /* enum dram_ideal */
  bool forward;
  uint32_t latency, latency_spread, queue, controller_queue;
  uint32_t controllers, lockstep; /* behind each channel; physical channels of each */
  uint32_t fixed_latency, fixed_write_latency, fixed_interval;
  /* what the rest of the GPU says */
  uint64_t mhz;
  uint32_t line_bytes, sector_bytes; /* of the L2 */
};

extern const struct conf_table memory_config_params;
/* False after adding the parameters' contradictions to err. */
bool memory_config_check(const struct memory_config *k, struct error *err);

#endif
