/* fcfs: the memory controller serves requests strictly in the order of arrival. */
#include "dram/sched/schedulers.h"

/* Only the oldest request has commands: nothing is left to order. */
static uint32_t order(const void *self, const struct sluice_dram_entry *r, bool hit) {
  (void)self, (void)r, (void)hit;
  return 0;
}

const struct sluice_dram_scheduler dram_fcfs = {
    .size = sizeof(struct sluice_dram_scheduler), .scope = SLUICE_DRAM_OLDEST, .order = order};

const struct sluice_technique technique_fcfs = {
    TECH_HEAD,
    .name = "fcfs",
    .summary = "The memory controller serves the oldest request alone.",
    .paper = "the simplest scheduler there is",
    .dram_scheduler = &dram_fcfs,
};
