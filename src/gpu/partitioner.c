#include "gpu/partitioner.h"
#include "base/mem.h"
#include <stdlib.h>

/* Parts per thousand of the instructions on the whole. Windows of a cycle: vecadd_1M, tnaive_512, ttiled_512 on the V100,
 * tools/balance. Longer windows: between those of stencil_128,
 * sgemm_544, spmv_288K, bfs_288K and vecadd_16M on the V100 and the H200, in time with 16 threads: 34 to 110 for each crossbar, 110 to 520 for
 * channels, 380 to 780 for SMs. */
static const unsigned shares[2][DEAL_KINDS] = {
    {[DEAL_REQUEST] = 100, [DEAL_RESPONSE] = 100, [DEAL_CHANNEL] = 250, [DEAL_LINK] = 550},
    {[DEAL_REQUEST] = 70, [DEAL_RESPONSE] = 70, [DEAL_CHANNEL] = 290, [DEAL_LINK] = 570}};

static unsigned least(const uint64_t *load, unsigned lanes) {
  unsigned best = 0;
  for (unsigned i = 1; i < lanes; i++)
    if (load[i] < load[best])
      best = i;
  return best;
}

/* Two lanes have a half each: every second channel is what accesses of a stride meet (tnaive_512 on the GTX480, all work over
 * the larger lane of each window: 1.78, and 1.71 if dealt in turn). */
static bool in_halves(const struct deal *d, unsigned lanes, unsigned kind) {
  return lanes == 2 && !d->one_memory && kind >= DEAL_CHANNEL;
}

/* The coarsest first: what comes last fills the gaps. */
void deal_init(struct deal *d, unsigned lanes) {
  enum { THOUSAND = 1000 };
  const unsigned *share = shares[d->long_windows];
  uint64_t *load = xcalloc(lanes, sizeof *load);
  for (unsigned k = 0; k < DEAL_KINDS; k++)
    d->lane[k] = xcalloc(d->n[k], sizeof *d->lane[k]);
  if (d->one_memory)
    load[0] = (uint64_t)share[DEAL_CHANNEL] * THOUSAND;
  for (unsigned k = 0; k < DEAL_KINDS; k++)
    for (uint32_t i = 0; i < d->n[k] && !(k == DEAL_CHANNEL && d->one_memory); i++) {
      d->lane[k][i] = (uint8_t)(in_halves(d, lanes, k) ? 2 * i >= d->n[k] : least(load, lanes));
      load[d->lane[k][i]] += (uint64_t)share[k] * THOUSAND / d->n[k];
    }
  free(load);
}

void deal_destroy(struct deal *d) {
  for (unsigned k = 0; k < DEAL_KINDS; k++)
    free(d->lane[k]);
}
