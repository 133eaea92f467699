/* What a DRAM counts. */
#ifndef SLUICE_DRAM_STATS_H
#define SLUICE_DRAM_STATS_H

#include "dram/device.h"
#include "stat/detail.h"
#include <stdint.h>

/* X(field, name, unit, definition) */
#define DRAM_COUNTERS(X)                                                                                     \
  X(reads, "dram.reads", "commands", "RD and RDA commands.")                                                 \
  X(writes, "dram.writes", "commands", "WR and WRA commands.")                                               \
  X(activates, "dram.activates", "commands", "ACT commands.")                                                \
  X(precharges, "dram.precharges", "commands", "PRE and PREA commands; a PREA counts once.")                 \
  X(auto_precharges, "dram.auto_precharges", "commands", "RDA and WRA commands.")                            \
  X(refreshes, "dram.refreshes", "commands", "REF and REFPB commands.")                                      \
  X(bank_refreshes, "dram.bank_refreshes", "commands", "Of those, REFPB.")                                   \
  X(read_requests, "dram.read_requests", "requests", "Reads answered.")                                      \
  X(write_requests, "dram.write_requests", "requests", "Writes answered.")                                   \
  X(partial_writes, "dram.partial_writes", "requests", "Writes with a byte mask.")                           \
  X(forwarded, "dram.forwarded_reads", "requests", "Reads answered from the write queue.")                   \
  X(merged_reads, "dram.merged_reads", "requests", "Reads answered by a queued read of the same address.")   \
  X(merged_writes, "dram.merged_writes", "requests",                                                         \
    "Writes absorbed by a queued write of the same address.")                                                \
  X(row_hits, "dram.row_hits", "requests", "Requests whose first command was RD or WR.")                     \
  X(row_misses, "dram.row_misses", "requests", "Requests whose first command was ACT.")                      \
  X(row_conflicts, "dram.row_conflicts", "requests", "Requests whose first command was PRE.")                \
  X(turnarounds, "dram.turnarounds", "times", "Changes of the data bus between reading and writing.")        \
  X(bus_cycles, "dram.bus_cycles", "cycles", "Cycles with data on the bus, all channels.")                   \
  X(busy_cycles, "dram.busy_cycles", "cycles",                                                               \
    "Cycles with a request waiting or data to come, all channels.")                                          \
  X(open_cycles, "dram.open_cycles", "cycles", "Cycles with a row open, all ranks (active standby).")        \
  X(closed_cycles, "dram.closed_cycles", "cycles", "Cycles with no row open, all ranks (precharge standby).")

struct dram_counters {
#define X(field, name, unit, help) uint64_t field;
  DRAM_COUNTERS(X)
#undef X
  uint64_t cycles, channels;
  uint64_t finished; /* the cycle by which all reads had their data and all writes were issued */
  uint64_t bytes;    /* moved over the bus */
  uint64_t read_latency, read_latency_max;    /* sum, largest */
  uint64_t read_queue_area, write_queue_area; /* entries times cycles */
  uint64_t bank_area, bank_cycles;            /* banks with requests times cycles; cycles with any */
  uint64_t latency[STAT_FINE_BUCKETS];        /* of reads (stat_fine_bucket) */
};

uint64_t dram_latency_upper(uint32_t bucket); /* the largest latency in it */
/* The least latency that `part` (0..1) of the reads do not exceed; of a bucket, its upper end. */
uint64_t dram_latency_percentile(const struct dram_counters *c, double part);

extern const struct stat_table dram_stats;
void dram_counters_add(struct dram_counters *to, const struct dram_counters *from);
/* Its parts: all but the histogram of latencies, and that. */
void dram_counts_add(struct dram_counters *to, const struct dram_counters *from);
void dram_latencies_add(struct dram_counters *to, const struct dram_counters *from);
/* Takes away what was counted before: `c` is then what happened since. */
void dram_counters_since(struct dram_counters *c, const struct dram_counters *before);
/* All rows but those under sim. */
void dram_counters_put(const struct dram_counters *c, const struct dram_device *d, uint64_t cycles,
                       struct stats *s);

#endif
