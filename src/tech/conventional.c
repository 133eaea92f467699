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
static bool take(void *self, uint64_t line, uint64_t cycle) {
  (void)self, (void)line, (void)cycle;
  return false; /* there is nothing beside the cache */
}
static void drop(void *self, uint64_t line, bool taken) {
  (void)self, (void)line, (void)taken;
}
static bool holds(const void *self, uint64_t line) {
  (void)self, (void)line;
  return false;
}
static void swapped(void *self, uint64_t line, uint64_t victim, uint64_t cycle) {
  (void)self, (void)line, (void)victim, (void)cycle;
}
static void evicted(void *self, uint64_t victim, uint64_t cycle) {
  (void)self, (void)victim, (void)cycle;
}

static const struct sluice_miss miss = {.open = open,
                                        .close = tech_drop,
                                        .lookup = no_cycles,
                                        .swap = no_cycles,
                                        .take = take,
                                        .drop = drop,
                                        .holds = holds,
                                        .swapped = swapped,
                                        .evicted = evicted};

const struct sluice_technique technique_conventional = {
    TECH_HEAD,
    .name = "conventional",
    .summary = "The L2 clears a way for a block as soon as it is missed.",
    .paper = "the baseline",
    .miss = &miss,
};
