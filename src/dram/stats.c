#include "dram/stats.h"
#include "dram/dram.h"

static const struct stat_row rows[] = {
    {"cycles", STAT_U64, "cycles", "Length of the run in cycles of the simulated clock."},
#define X(field, name, unit, help) {name, STAT_U64, unit, help},
    DRAM_COUNTERS(X)
#undef X
        {"dram.bytes", STAT_U64, "bytes", "Bytes moved over the data buses."},
    {"dram.cas_per_act", STAT_F64, "", "(dram.reads + dram.writes) / dram.activates."},
    {"dram.row_hit_rate", STAT_F64, "", "dram.row_hits / (hits + misses + conflicts)."},
    {"dram.bandwidth_gbps", STAT_F64, "GB/s",
     "dram.bytes over the simulated time, in 10^9 bytes per second."},
    {"dram.bus_utilisation", STAT_F64, "", "dram.bus_cycles / (cycles x channels)."},
    {"dram.efficiency", STAT_F64, "", "Active cycles (dram.busy_cycles) over all DRAM cycles."},
    {"dram.bus_efficiency", STAT_F64, "", "dram.bus_cycles / dram.busy_cycles."},
    {"dram.bank_parallelism", STAT_F64, "banks", "Mean number of banks with requests, while there are any."},
    {"dram.mean_read_latency", STAT_F64, "cycles",
     "Mean time from the hand-over of a read to its last data."},
    {"dram.read_latency_p50", STAT_U64, "cycles", "Latency that half of the reads do not exceed."},
    {"dram.read_latency_p95", STAT_U64, "cycles", "Latency that 95 % of the reads do not exceed."},
    {"dram.read_latency_p99", STAT_U64, "cycles", "Latency that 99 % of the reads do not exceed."},
    {"dram.read_latency_max", STAT_U64, "cycles", "The longest read."},
    {"dram.read_queue_mean", STAT_F64, "entries", "Mean occupancy of a read queue."},
    {"dram.write_queue_mean", STAT_F64, "entries", "Mean occupancy of a write queue."},
    {"energy.dram.activate_mj", STAT_F64, "mJ",
     "ACT and the PRE that follows, beyond standby; energy.dram.* only where the device's currents are "
     "known."},
    {"energy.dram.read_mj", STAT_F64, "mJ", "RD beyond standby; without the bus' drivers and termination."},
    {"energy.dram.write_mj", STAT_F64, "mJ", "WR beyond standby; the same."},
    {"energy.dram.refresh_mj", STAT_F64, "mJ", "REF and REFPB beyond standby."},
    {"energy.dram.standby_mj", STAT_F64, "mJ", "Standby of all devices, with rows open and without."},
    {"energy.dram.dynamic_mj", STAT_F64, "mJ", "Activating, reading and writing."},
    {"energy.dram.total_mj", STAT_F64, "mJ", "All of energy.dram: dynamic, refresh and standby."},
    {"sim.requests_per_second", STAT_F64, "1/s",
     "Requests per second of CPU time; reading the trace is not in it."},
    {"sim.cycles_per_second", STAT_F64, "1/s", "Simulated cycles per second of CPU time; as above."},
};
const struct stat_table dram_stats = {"DRAM", rows, sizeof rows / sizeof *rows};

uint64_t dram_latency_upper(uint32_t bucket) {
  if (bucket < 1024)
    return bucket;
  uint32_t high = 10 + (bucket - 1024) / 64;
  return (UINT64_C(64) + (bucket - 1024) % 64 + 1) * (UINT64_C(1) << (high - 6)) - 1;
}

uint64_t dram_latency_percentile(const struct dram_counters *c, double part) {
  uint64_t total = 0, sum = 0;
  for (uint32_t i = 0; i < STAT_FINE_BUCKETS; i++)
    total += c->latency[i];
  for (uint32_t i = 0; i < STAT_FINE_BUCKETS; i++) {
    sum += c->latency[i];
    if (sum && (double)sum >= part * (double)total) {
      uint64_t upper = dram_latency_upper(i);
      return upper < c->read_latency_max ? upper : c->read_latency_max;
    }
  }
  return 0;
}

void dram_counts_add(struct dram_counters *to, const struct dram_counters *from) {
#define X(field, name, unit, help) to->field += from->field;
  DRAM_COUNTERS(X)
#undef X
  to->channels += from->channels;
  to->bytes += from->bytes;
  to->read_latency += from->read_latency;
  to->read_queue_area += from->read_queue_area;
  to->write_queue_area += from->write_queue_area;
  to->bank_area += from->bank_area;
  to->bank_cycles += from->bank_cycles;
  if (from->cycles > to->cycles)
    to->cycles = from->cycles;
  if (from->finished > to->finished)
    to->finished = from->finished;
  if (from->read_latency_max > to->read_latency_max)
    to->read_latency_max = from->read_latency_max;
}

void dram_latencies_add(struct dram_counters *to, const struct dram_counters *from) {
  for (uint32_t i = 0; i < STAT_FINE_BUCKETS; i++)
    to->latency[i] += from->latency[i];
}

void dram_counters_add(struct dram_counters *to, const struct dram_counters *from) {
  dram_counts_add(to, from);
  dram_latencies_add(to, from);
}

void dram_counters_since(struct dram_counters *c, const struct dram_counters *before) {
#define X(field, name, unit, help) c->field -= before->field;
  DRAM_COUNTERS(X)
#undef X
  c->bytes -= before->bytes;
  c->cycles -= before->cycles;
  c->read_latency -= before->read_latency;
  c->read_queue_area -= before->read_queue_area;
  c->write_queue_area -= before->write_queue_area;
  c->bank_area -= before->bank_area;
  c->bank_cycles -= before->bank_cycles;
  uint32_t last = 0;
  for (uint32_t i = 0; i < STAT_FINE_BUCKETS; i++) {
    c->latency[i] -= before->latency[i];
    if (c->latency[i])
      last = i;
  }
  /* the longest may have been before: then the buckets tell it, exactly up to 1023 cycles */
  if (c->read_latency_max == before->read_latency_max && dram_latency_upper(last) < c->read_latency_max)
    c->read_latency_max = dram_latency_upper(last);
}

/* A ratio without a base is left out rather than shown as 0. */
static void ratio(struct stats *s, const char *name, double a, double b) {
  if (b > 0)
    stats_put_f64(s, name, a / b);
}

void dram_counters_put(const struct dram_counters *c, const struct dram_device *d, uint64_t cycles,
                       struct stats *s) {
  double span = (double)cycles * (double)c->channels, columns = (double)c->reads + (double)c->writes;
  stats_put_u64(s, "cycles", cycles);
#define X(field, name, unit, help) stats_put_u64(s, name, c->field);
  DRAM_COUNTERS(X)
#undef X
  stats_put_u64(s, "dram.bytes", c->bytes);
  ratio(s, "dram.cas_per_act", columns, (double)c->activates);
  ratio(s, "dram.row_hit_rate", (double)c->row_hits,
        (double)(c->row_hits + c->row_misses + c->row_conflicts));
  /* bytes per femtosecond are 10^15 bytes per second */
  ratio(s, "dram.bandwidth_gbps", (double)c->bytes * 1e6, (double)cycles * (double)d->tck_fs);
  ratio(s, "dram.bus_utilisation", (double)c->bus_cycles, span);
  ratio(s, "dram.efficiency", (double)c->busy_cycles, span);
  ratio(s, "dram.bus_efficiency", (double)c->bus_cycles, (double)c->busy_cycles);
  ratio(s, "dram.bank_parallelism", (double)c->bank_area, (double)c->bank_cycles);
  ratio(s, "dram.mean_read_latency", (double)c->read_latency, (double)c->read_requests);
  if (c->read_requests) {
    stats_put_u64(s, "dram.read_latency_p50", dram_latency_percentile(c, 0.50));
    stats_put_u64(s, "dram.read_latency_p95", dram_latency_percentile(c, 0.95));
    stats_put_u64(s, "dram.read_latency_p99", dram_latency_percentile(c, 0.99));
    stats_put_u64(s, "dram.read_latency_max", c->read_latency_max);
  }
  ratio(s, "dram.read_queue_mean", (double)c->read_queue_area, span);
  ratio(s, "dram.write_queue_mean", (double)c->write_queue_area, span);
  dram_energy_put(c, d, s);
}
