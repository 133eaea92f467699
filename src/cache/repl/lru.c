/* lru: the line that was not used for longest makes room. */
#include "cache/repl/repl.h"

static uint64_t stamp(uint64_t before, uint64_t now) {
  (void)before;
  return now;
}

const struct sluice_replacement repl_lru = {.size = sizeof(struct sluice_replacement), .stamp = stamp};
