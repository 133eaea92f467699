/* What a GPU is built from, read from its parameters and checked as a whole. */
#include "gpu/config.h"
#include "front/exec.h"

/* A GCN compute unit has rules of its own for what the other model leaves open. */
static bool check_gcn(const struct gpu_config *g, struct error *err) {
  bool ok = true;
  if (g->core.model != SM_GCN)
    return true;
  if (g->l1.c_caches > g->sms)
    ok = error_add(err, EXIT_USAGE, "l1c.caches: %u; at most one for each of %u SMs (gpu.sms)",
                   g->l1.c_caches, g->sms);
  if (!g->l1.c_latency)
    ok = error_add(err, EXIT_USAGE,
                   "l1c.latency: 0; sm.model gcn has scalar caches beside the SMs: at least 1");
  if (g->l1.c_params && !g->l1.c_on)
    ok = error_add(err, EXIT_USAGE, "l1c.params: there are no scalar caches (l1c.on: false)");
  if (g->l1.c_second_latency || g->l1.c_interval)
    ok = error_add(err, EXIT_USAGE,
                   "%s: sm.model gcn has scalar caches, whose loads do not wait for each other",
                   g->l1.c_second_latency ? "l1c.second_latency" : "l1c.interval");
  if ((g->core.gcn_code || g->core.scalar_in_order) && g->l1.i_on)
    ok = error_add(err, EXIT_USAGE, "%s: modelled without instruction caches (l1i.on: false)",
                   g->core.gcn_code ? "sm.gcn_code" : "sm.scalar_in_order");
  return ok;
}

static bool check_stores(const struct gpu_config *g, enum cache_write policy, enum cache_write_miss miss,
                         const char *why, struct error *err) {
  bool ok = true;
  for (int i = 0; i < 2; i++)
    if (g->l1.write[i].policy != policy || g->l1.write[i].miss != miss)
      ok = error_add(err, EXIT_USAGE, "l1d.coherence: %s; l1d.write_%s: %s, l1d.write_%s_miss: %s", why,
                     i ? "local" : "global", policy == CACHE_BACK ? "back" : "through",
                     i ? "local" : "global", miss == CACHE_NO_ALLOCATE ? "no-allocate" : "fetch");
  return ok;
}

static bool check_si(const struct gpu_config *g, struct error *err) {
  bool ok = check_stores(g, CACHE_THROUGH, CACHE_NO_ALLOCATE, "si writes through and fetches nothing", err);
  if (g->l2.inclusive)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: si has an L2 that does not include the L1s; l2.inclusive: false");
  return ok;
}

static bool check_directory(const struct gpu_config *g, struct error *err) {
  bool ok = check_stores(g, CACHE_BACK, CACHE_FETCH_ON_WRITE, "moesi and nmoesi fetch and keep lines", err);
  if (!g->l2.inclusive)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: the directory is in an L2 that includes the L1s; l2.inclusive: true");
  if (g->l1.d.allocate != CACHE_ON_MISS)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: a line keeps its way while it is asked for; l1d.allocate: on-miss");
  if (g->l2.cache.sector_bytes != g->l2.cache.line_bytes)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: modelled for an L2 without sectors; l2.sector_bytes: %u, not %u",
                   g->l2.cache.sector_bytes, g->l2.cache.line_bytes);
  return ok;
}

/* A protocol says what stores do and what the L2 has; settings that say otherwise are refused. */
static bool check_coherence(const struct gpu_config *g, struct error *err) {
  bool ok = true;
  if (g->l1.d_evict_first && g->l1.coherence != COHERENCE_MOESI && g->l1.coherence != COHERENCE_NMOESI)
    ok = error_add(
        err, EXIT_USAGE,
        "l1d.evict_first: without a directory (l1d.coherence: moesi, nmoesi) nobody is told of lines");
  if (g->l1.coherence == COHERENCE_NONE)
    return ok;
  if (!g->l1.d_on)
    ok = error_add(err, EXIT_USAGE, "l1d.coherence: there is no L1 (l1d.on)");
  if (g->l1.d.sector_bytes != g->l1.d.line_bytes)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: modelled for an L1 without sectors; l1d.sector_bytes: %u, not %u",
                   g->l1.d.sector_bytes, g->l1.d.line_bytes);
  if (g->stream.levels)
    ok = error_add(err, EXIT_USAGE, "l1d.coherence: stream caches (stream.levels) know no protocol");
  return g->l1.coherence == COHERENCE_SI ? check_si(g, err) && ok : check_directory(g, err) && ok;
}

static bool check_streams(const struct gpu_config *g, struct error *err) {
  bool ok = true;
  if (g->stream.levels && g->noc.sms_per_link < 2)
    ok = error_add(err, EXIT_USAGE,
                   "stream.levels: stream caches are shared; noc.sms_per_link must be 2 or more");
  if (g->stream.levels && (g->l2.inclusive || g->l2.nack))
    ok = error_add(err, EXIT_USAGE, "stream.levels: stream caches know neither l2.inclusive nor l2.nack");
  if (g->locality && !(g->stream.levels && g->l2.edge_queue))
    ok = error_add(
        err, EXIT_USAGE,
        "gpu.locality: is counted where stream caches (stream.levels) and one buffer at the GPU's edge "
        "(l2.edge_queue) are");
  return ok;
}

/* What a part must know of the others. */
static void share(struct gpu_config *g) {
  g->l1.line_bytes = g->l2.cache.line_bytes = g->memory.line_bytes = g->line_bytes;
  g->l1.keep_read_only = g->keep_read_only;
  g->l1.keep_data = g->keep_data;
  g->l1.nack = g->l2.nack;
  g->l2.sms = g->sms;
  g->l2.coherence = g->l1.coherence;
  g->l1.count_passes = g->l2.word_cycles > 0;
  g->l2.check_requests = g->check_requests;
  uint64_t networks = 2 * ((uint64_t)g->noc.latency + g->noc.inject);
  g->l2.round_trip = g->l2.latency + networks * g->l2_mhz / g->noc_mhz + g->l2.rop_latency;
  if (g->core.cas_retry)
    g->l2.cas_age = g->core.cas_retry + networks / 2 * g->core_mhz / g->noc_mhz;
  g->l2.lock_holds = g->core.lock_holds;
  g->memory.mhz = g->dram_mhz;
  g->memory.sector_bytes = g->l2.cache.sector_bytes;
}

bool gpu_config_read(struct gpu_config *g, const struct conf *c, struct error *err) {
  *g = (struct gpu_config){0};
  conf_fill(c, &gpu_params, g);
  conf_fill(c, &gpu_report_params, g);
  conf_fill(c, &core_params, &g->core);
  conf_fill(c, &l1_params, &g->l1);
  conf_fill(c, &noc_params, &g->noc);
  conf_fill(c, &l2_params, &g->l2);
  conf_fill(c, &memory_config_params, &g->memory);
  conf_fill(c, &stream_params, &g->stream);
  share(g);
  g->cta_interval = (uint64_t)(g->cta_interval_cycles * 1024 + 0.5);
  g->code_interval = (uint64_t)(g->code_interval_cycles * 1024 + 0.5);
  if (!g->l1.c_caches)
    g->l1.c_caches = g->sms;
  g->core.lds_lanes = conf_enum(c, "front.shared") == SHARED_LANES;
  bool ok =
      core_config_finish(&g->core, (uint32_t)conf_u64(c, "front.warp_width"), err); /* all mistakes at once */
  ok &= l1_config_finish(&g->l1, err);
  ok &= noc_config_finish(&g->noc, err);
  ok &= l2_config_finish(&g->l2, err);
  ok &= memory_config_check(&g->memory, err);
  ok &= stream_config_finish(&g->stream, g->line_bytes, err);
  ok &= check_gcn(g, err);
  if (g->l2.nack && g->l1.d.sector_bytes != g->l1.d.line_bytes)
    ok = error_add(err, EXIT_USAGE, "l2.nack: modelled for an L1 without sectors (l1d.sector_bytes)");
  if ((g->code_cycles || g->code_interval) && g->l1.i_on)
    ok =
        error_add(err, EXIT_USAGE, "gpu.%s: code comes through the instruction caches, which are on (l1i.on)",
                  g->code_cycles ? "code_cycles" : "code_interval");
  ok &= check_streams(g, err);
  ok &= check_coherence(g, err);
  return ok && !err->code;
}
