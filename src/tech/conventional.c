/* conventional: a way is cleared for a block as soon as it is missed. What `l2.evict_first` adds is the cache's own. */
#include "tech/declare.h"

static void *open(const struct sluice_env *env) {
  (void)env;
  return tech_new(1);
}
static uint32_t no_cycles(const void *self) {
  (void)self;
  return 0;
}

static const struct sluice_fill_buffer none = {.size = sizeof(struct sluice_fill_buffer),
                                               .open = open,
                                               .close = tech_drop,
                                               .lookup = no_cycles,
                                               .swap = no_cycles}; /* nothing beside the cache */

const struct sluice_technique technique_conventional = {
    TECH_HEAD,
    .name = "conventional",
    .summary = "The L2 clears a way for a block as soon as it is missed.",
    .paper = "the baseline",
    .fill_buffer = &none,
};
