/* oldest-ready: of the commands that can go, whatever they are, the one of the oldest request (Ramulator 2's rule). A row hit has no
 * advantage but that its command can go sooner. */
#include "dram/sched/schedulers.h"

static uint32_t order(const void *self, const struct sluice_dram_entry *r, bool hit) {
  (void)self, (void)r, (void)hit;
  return 0;
}

const struct sluice_dram_scheduler dram_oldest_ready = {.size = sizeof(struct sluice_dram_scheduler),
                                                        .order = order};
