#include "gpu/ratios.h"
#include "gpu/machine.h"
#include "gpu/presets.h"

static const struct stat_row rows[] = {
#define S(id, field, name, unit, help) {name, STAT_U64, unit, help},
#define X(id, name, unit, help, where) {name, STAT_U64, unit, help},
    COUNTERS_GPU(X) SM_COUNTERS(X, S)
#undef X
#define X(id, name, what) {"exec." name, STAT_U64, "lanes", WORK_HELP(what)},
        WORK_CLASSES(X)
#undef X
#define X(id, name, help) {"stall." name, STAT_U64, "warp cycles", STALL_HELP(help)},
            STALLS(X)
#undef X
#define X(id, name, help) {"latency." name, STAT_U64, "cycles", STAGE_HELP(help)},
                STAGES(X)
#undef X
#define X(id, name, unit, help, where) {name, STAT_U64, unit, help},
                    NOC_COUNTERS(X) STREAM1_COUNTERS(X) STREAM2_COUNTERS(X) L2_COUNTERS(X, S)
#undef X
#undef S
                        {"ipc", STAT_F64, "instructions/cycle", "Thread instructions per core cycle."},
    {"ipc_peak", STAT_F64, "instructions/cycle",
     "What ipc would be if every scheduler issued for a whole warp in every cycle: SMs x schedulers x issue "
     "width x warp width; of compute units, SMs x 5 units x warp width."},
    {"opc", STAT_F64, "operations/cycle",
     "Scalar operations per core cycle (sm.operations): one for each active lane, or one for an instruction "
     "of a "
     "scalar or branch unit; without such units the same as ipc."},
    {"occupancy", STAT_F64, "",
     "sm.warp_cycles / (sm.active_cycles x warps an SM holds): the resident share of the warps, while there "
     "are "
     "any."},
    {"ctas_per_sm", STAT_U64, "CTAs", "The most CTAs of a launch that are on an SM at a time."},
    {"ctas_per_sm.limit", STAT_TEXT, "",
     "What an SM has too little of for one more: registers, shared, threads, slots or grid, whichever of the "
     "following is the least; the first where several are."},
#define X(id, name, help) {"ctas_per_sm." name, STAT_U64, "CTAs", "What ctas_per_sm would be by " help "."},
    OCCUPANCY_LIMITS(X)
#undef X
        {"l1d.hit_rate", STAT_F64, "", "l1d.hits / l1d.accesses."},
    {"prefetch.accuracy", STAT_F64, "", "(prefetch.useful + prefetch.late) / prefetch.issued."},
    {"prefetch.coverage", STAT_F64, "",
     "(prefetch.useful + prefetch.late) / (the same + l1d.misses): of the misses that loads would have."},
    {"prefetch.timeliness", STAT_F64, "", "prefetch.useful / (prefetch.useful + prefetch.late)."},
    {"l2.prefetch.accuracy", STAT_F64, "", "(l2.prefetch.useful + l2.prefetch.late) / l2.prefetch.issued."},
    {"l2.prefetch.coverage", STAT_F64, "",
     "(l2.prefetch.useful + l2.prefetch.late) / (the same + l2.misses): of the lines and sectors that would "
     "be missed."},
    {"l2.prefetch.timeliness", STAT_F64, "", "l2.prefetch.useful / (l2.prefetch.useful + l2.prefetch.late)."},
    {"l2.hit_rate", STAT_F64, "", "l2.hits / l2.accesses."},
    {"l2.mpko", STAT_F64, "misses/1000", "L2 misses per thousand scalar operations."},
    {"latency.mean", STAT_F64, "cycles",
     "Mean core cycles from a read's departure from the SM to its answer."},
#define X(w)                                                                                                 \
  {"locality.caches.w" #w, STAT_F64, "requests",                                                             \
   "Mean requests to a 4 KB page in windows of " #w                                                          \
   " of the requests leaving each first stream cache, of the whole run (gpu.locality)."},                    \
      {"locality.edge.w" #w, STAT_F64, "requests",                                                           \
       "The same of the requests leaving the GPU for memory, windows of " #w "."},
    LOCALITY_SIZES(X)
#undef X
        {"time_us", STAT_F64, "us", "gpu.cycles at the core clock, in microseconds of simulated time."},
    {"dram.peak_gbps", STAT_F64, "GB/s",
     "What the data buses of all channels can move, in 10^9 bytes per second."},
    {"dram.bandwidth_share", STAT_F64, "", "dram.bandwidth_gbps / dram.peak_gbps."},
    {"tech.storage_bits", STAT_U64, "bits",
     "Storage that the techniques add to the GPU: the sum of their own storage_bits."},
    {"check.waited", STAT_U64, "cycles",
     "check.requests: the most core cycles from a request's departure from the SM to its answer."},
    {"sim.threads", STAT_U64, "threads",
     "Threads that simulated, at most at a time, one that executes ahead included: --threads, or fewer where "
     "more would only wait."},
    {"sim.threads_average", STAT_F64, "threads", "The same on average over the time of the launches."},
    {"sim.window_cycles", STAT_F64, "cycles",
     "Core cycles that the parts of the GPU run between two meetings of their threads: the least latency of "
     "a "
     "border between units."},
    {"sim.windows", STAT_U64, "windows", "Windows in which something happened."},
    {"sim.unit_cycles", STAT_U64, "cycles", "Cycles of single units that were simulated, not skipped."},
};
const struct stat_table gpu_stats = {"GPU", rows, sizeof rows / sizeof *rows};

/* A ratio without a base is left out rather than shown as 0. */
static void ratio(struct stats *s, const char *name, double a, double b) {
  if (b > 0)
    stats_put_f64(s, name, a / b);
}

void ratios_put(const struct gpu *g, const uint64_t total[NCOUNTERS], const struct dram_device *d,
                struct stats *s) {
#define T(id) ((double)total[C_##id])
  stats_put_u64(s, "cycles", total[C_cycles]);
  stats_put_u64(s, "tech.storage_bits", tech_storage_bits(g->tech));
  for (int i = 0; i < C_dram_reads; i++)
    if (g->nstreams || i < C_stream1_accesses || i >= C_l2_accesses)
      stats_put_u64(s, counter_rows[i]->name, total[i]);
  ratio(s, "ipc", T(thread_issued), T(cycles));
  uint32_t issue = g->k.core.model == SM_GCN ? GCN_UNITS : g->k.core.schedulers * g->k.core.issue_width;
  ratio(s, "ipc_peak", (double)g->k.sms * issue * g->launch.width, 1);
  ratio(s, "opc", T(operations), T(cycles));
  ratio(s, "occupancy", T(warp_cycles), T(active_cycles) * g->k.core.warps);
  ratio(s, "l1d.hit_rate", T(l1d_hits), T(l1d_accesses));
  if (T(prefetch_issued) > 0) {
    double used = T(prefetch_useful) + T(prefetch_late);
    ratio(s, "prefetch.accuracy", used, T(prefetch_issued));
    ratio(s, "prefetch.coverage", used, used + T(l1d_misses));
    ratio(s, "prefetch.timeliness", T(prefetch_useful), used);
  }
  if (T(l2_prefetch_issued) > 0) {
    double used = T(l2_prefetch_useful) + T(l2_prefetch_late);
    ratio(s, "l2.prefetch.accuracy", used, T(l2_prefetch_issued));
    ratio(s, "l2.prefetch.coverage", used, used + T(l2_misses));
    ratio(s, "l2.prefetch.timeliness", T(l2_prefetch_useful), used);
  }
  ratio(s, "l2.hit_rate", T(l2_hits), T(l2_accesses));
  ratio(s, "l2.mpko", 1000 * T(l2_misses), T(operations));
  ratio(s, "latency.mean", T(latency_sum), T(latency_count));
  ratio(s, "time_us", T(cycles), (double)g->k.core_mhz);
  double peak = gpu_peak_bandwidth(&g->k, d) / 1e9, used;
  stats_put_f64(s, "dram.peak_gbps", peak);
  if (stats_get(s, "dram.bandwidth_gbps", &used))
    ratio(s, "dram.bandwidth_share", used, peak);
#undef T
}

void ratios_put_locality(const struct gpu *g, struct stats *s) {
  static const char *const names[][2] = {
#define X(w) {"locality.caches.w" #w, "locality.edge.w" #w},
      LOCALITY_SIZES(X)
#undef X
  };
  if (!g->k.locality)
    return;
  const struct locality **of = xcalloc((size_t)g->nlinks * NSTREAMS, sizeof *of);
  size_t n = 0;
  for (uint32_t i = 0; i < g->nlinks; i++)
    for (unsigned k = 0; k < NSTREAMS; k++)
      if (g->stream[i].of[k].outputs)
        of[n++] = g->stream[i].of[k].outputs;
  const struct locality *edge = g->memory_side->leaving;
  for (unsigned w = 0; w < LOCALITY_WINDOWS; w++) {
    double mean[] = {locality_mean_of(of, n, w), locality_mean(edge, w)};
    for (int i = 0; i < 2; i++)
      if (mean[i] > 0)
        stats_put_f64(s, names[w][i], mean[i]);
  }
  free(of);
}
