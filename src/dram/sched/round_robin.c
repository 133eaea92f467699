/* round-robin: banks in turn, beginning behind the bank that went last; of a bank, the command of the oldest request (DRAMsim3's
 * rule). */
#include "dram/sched/schedulers.h"

static uint32_t order(const void *self, const struct sluice_dram_entry *r, bool hit) {
  (void)self, (void)r, (void)hit;
  return 0;
}

const struct sluice_dram_scheduler dram_round_robin = {
    .size = sizeof(struct sluice_dram_scheduler), .scope = SLUICE_DRAM_BANKS_IN_TURN, .order = order};
