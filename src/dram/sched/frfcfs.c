/* frfcfs: the memory controller prefers requests to open rows (first ready, first come first served). */
#include "dram/sched/schedulers.h"

/* Of the commands that can go, column commands come before row commands; of each kind the oldest goes. */
static uint32_t order(const void *self, const struct sluice_dram_entry *r, bool hit) {
  (void)self, (void)r;
  return hit ? 0 : 1;
}

const struct sluice_dram_scheduler dram_frfcfs = {.size = sizeof(struct sluice_dram_scheduler),
                                                  .order = order};

const struct sluice_technique technique_frfcfs = {
    TECH_HEAD,
    .name = "frfcfs",
    .summary =
        "The memory controller serves ready column commands first, then ready row commands, oldest first.",
    .paper = "Rixner et al., ISCA 2000",
    .dram_scheduler = &dram_frfcfs,
};
