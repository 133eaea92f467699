/* Energy of a GPU and area of its memories: L1 data caches, L2, what techniques add, DRAM.
 *
 * Static energy is leakage over simulated time, dynamic energy what each access costs times how often it happened. */
#ifndef SLUICE_GPU_POWER_H
#define SLUICE_GPU_POWER_H

#include "energy/table.h"
#include "gpu/counters.h"

extern const struct stat_table power_stats;

struct power;
/* What each part costs; NULL after filling err. The device must outlive it. */
struct power *power_new(const struct gpu *g, const struct dram_device *device, struct error *err);
void power_free(struct power *p);
/* Whether the latency of the L1 data caches (i = 0) or of the L2 (1) is shorter than an access to such an array; what a
 * user should know goes into `text`. Of arrays beyond CACTI's points nothing is said. */
enum { POWER_LATENCIES = 2 };
bool power_latency(const struct power *p, const struct gpu *g, int i, char *text, size_t size);
/* Puts energy.* and area.*, and the techniques' own; `s` has the DRAM's already. */
void power_put(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
               const uint64_t *techniques, struct stats *s);
extern const struct stat_row power_rows[NPARTS];
/* Mean power of each part over the cycles that `total` has. False: not known. */
bool power_interval(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
                    const uint64_t *techniques, double watts[NPARTS]);

#endif
