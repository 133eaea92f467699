#include "gpu/partitioner.h"
#include "base/mem.h"
#include <stdlib.h>

/* Parts per thousand of the instructions on the whole. Windows of a cycle: vecadd_1M, tnaive_512, ttiled_512 on the V100,
 * tools/balance. Longer windows: between those of stencil_128,
 * sgemm_544, spmv_288K, bfs_288K and vecadd_16M on the V100 and the H200, in time with 16 threads: 34 to 110 for each crossbar, 110 to 520 for
 * channels, 380 to 780 for SMs. */
static const unsigned shares[2][PARTITIONER_KINDS] = {{[PARTITIONER_REQUEST] = 100,
                                                       [PARTITIONER_RESPONSE] = 100,
                                                       [PARTITIONER_CHANNEL] = 250,
                                                       [PARTITIONER_LINK] = 550},
                                                      {[PARTITIONER_REQUEST] = 70,
                                                       [PARTITIONER_RESPONSE] = 70,
                                                       [PARTITIONER_CHANNEL] = 290,
                                                       [PARTITIONER_LINK] = 570}};

static unsigned least(const uint64_t *load, unsigned shards) {
  unsigned best = 0;
  for (unsigned i = 1; i < shards; i++)
    if (load[i] < load[best])
      best = i;
  return best;
}

/* Two shards have a half each: every second channel is what accesses of a stride meet (tnaive_512 on the GTX480, all work over
 * the larger shard of each window: 1.78, and 1.71 if dealt in turn). */
static bool in_halves(const struct partitioner *d, unsigned shards, unsigned kind) {
  return shards == 2 && !d->one_memory && kind >= PARTITIONER_CHANNEL;
}

/* The coarsest first: what comes last fills the gaps. */
void partitioner_init(struct partitioner *d, unsigned shards) {
  enum { THOUSAND = 1000 };
  const unsigned *share = shares[d->long_windows];
  uint64_t *load = xcalloc(shards, sizeof *load);
  for (unsigned k = 0; k < PARTITIONER_KINDS; k++)
    d->shard[k] = xcalloc(d->n[k], sizeof *d->shard[k]);
  if (d->one_memory)
    load[0] = (uint64_t)share[PARTITIONER_CHANNEL] * THOUSAND;
  for (unsigned k = 0; k < PARTITIONER_KINDS; k++)
    for (uint32_t i = 0; i < d->n[k] && !(k == PARTITIONER_CHANNEL && d->one_memory); i++) {
      d->shard[k][i] = (uint8_t)(in_halves(d, shards, k) ? 2 * i >= d->n[k] : least(load, shards));
      load[d->shard[k][i]] += (uint64_t)share[k] * THOUSAND / d->n[k];
    }
  free(load);
}

void partitioner_destroy(struct partitioner *d) {
  for (unsigned k = 0; k < PARTITIONER_KINDS; k++)
    free(d->shard[k]);
}
