/* What a GPU is built from, read from its parameters and checked as a whole. */
#include "gpu/config.h"
#include <stdio.h>

static uint32_t u32(const struct conf *c, const char *name) {
  return (uint32_t)conf_u64(c, name);
}

static struct cache_config read_lines(const struct conf *c, const char *prefix, uint32_t line_bytes,
                                      struct error *err) {
  char name[64];
#define GET(field) (snprintf(name, sizeof name, "%s." field, prefix), name)
  struct cache_config k = {.line_bytes = line_bytes, .sector_bytes = line_bytes};
  k.sets = u32(c, GET("sets"));
  k.ways = u32(c, GET("ways"));
  k.index = (enum cache_index)conf_enum(c, GET("index"));
  const char *bits = conf_str(c, GET("index_bits"));
  bit_select_parse(&k.index_bits, bits, name, err);
  if (*bits && k.index != CACHE_BITS)
    error_add(err, EXIT_USAGE, "%s is '%s', but %s.index is not `bits`", name, bits, prefix);
  k.replacement = (enum cache_replacement)conf_enum(c, GET("replacement"));
  k.allocate = (enum cache_allocate)conf_enum(c, GET("allocate"));
  k.mshrs = u32(c, GET("mshrs"));
  k.merges = u32(c, GET("merges"));
#undef GET
  return k;
}

static struct cache_config read_cache(const struct conf *c, const char *prefix, struct error *err) {
  char name[64];
  struct cache_config k = read_lines(c, prefix, u32(c, "gpu.line_bytes"), err);
  snprintf(name, sizeof name, "%s.sector_bytes", prefix);
  k.sector_bytes = u32(c, name);
  snprintf(name, sizeof name, "%s.mshr_by_sector", prefix);
  k.mshr_by_sector = conf_bool(c, name);
  return k;
}

/* What stores do in the L1, by space. */
static bool read_writes(struct gpu_config *g, const struct conf *c, struct error *err) {
  bool ok = true;
  for (int i = 0; i < 2; i++) {
    const char *space = i ? "local" : "global";
    char name[64];
    snprintf(name, sizeof name, "l1d.write_%s", space);
    g->write[i].policy = (enum cache_write)conf_enum(c, name);
    snprintf(name, sizeof name, "l1d.write_%s_miss", space);
    g->write[i].miss = (enum cache_write_miss)conf_enum(c, name);
    if (g->write[i].policy == CACHE_AROUND && g->write[i].miss != CACHE_NO_ALLOCATE)
      ok = error_add(err, EXIT_USAGE, "%s: with l1d.write_%s around only no-allocate makes sense", name,
                     space);
    if (g->write[i].miss == CACHE_FETCH_ON_WRITE && g->l1d.allocate == CACHE_ON_FILL)
      ok = error_add(err, EXIT_USAGE, "%s: fetch needs l1d.allocate on-miss", name);
    if ((g->write[i].policy == CACHE_BACK || g->write[i].miss == CACHE_FETCH_ON_WRITE) &&
        g->l1_miss_queue < 2)
      ok = error_add(err, EXIT_USAGE, "l1d.miss_queue: 1; a dirty line beside a fetch needs 2 (l1d.write_%s)",
                     space);
  }
  return ok;
}

static bool check_sizes(const struct gpu_config *g, struct error *err) {
  bool ok = cache_config_check(&g->l1i, "l1i", err);
  ok &= cache_config_check(&g->l1d, "l1d", err);
  ok &= cache_config_check(&g->l1c, "l1c", err);
  ok &= cache_config_check(&g->l2, "l2", err);
  if (g->warps < 1 || g->warps > 256)
    ok = error_add(err, EXIT_USAGE, "sm.threads: %u threads are %u warps; 1 to 256 are allowed", g->threads,
                   g->warps);
  if (g->instruction_bytes & (g->instruction_bytes - 1))
    ok = error_add(err, EXIT_USAGE, "l1i.instruction_bytes: %u is no power of two", g->instruction_bytes);
  if (g->l1d.mshr_by_sector && g->l1d.sector_bytes != g->l1d.line_bytes)
    ok = error_add(err, EXIT_USAGE, "l1d.mshr_by_sector: modelled for the L2 only");
  if (g->l1i_on && g->l1i.line_bytes > g->line_bytes)
    ok = error_add(err, EXIT_USAGE, "l1i.line_bytes: %u; at most a line of the L2, %u (gpu.line_bytes)",
                   g->l1i.line_bytes, g->line_bytes);
  if (g->l1c_on && g->l1c.line_bytes > g->line_bytes)
    ok = error_add(err, EXIT_USAGE, "l1c.line_bytes: %u; at most a line of the L2, %u (gpu.line_bytes)",
                   g->l1c.line_bytes, g->line_bytes);
  return ok;
}

/* A GCN compute unit has rules of its own for what the other model leaves open. */
static bool check_gcn(const struct gpu_config *g, struct error *err) {
  bool ok = true;
  if (g->model != SM_GCN)
    return true;
  if (g->l1c_caches > g->sms)
    ok = error_add(err, EXIT_USAGE, "l1c.caches: %u; at most one for each of %u SMs (gpu.sms)", g->l1c_caches,
                   g->sms);
  if (g->schedulers > GCN_SIMDS)
    ok = error_add(err, EXIT_USAGE, "sm.schedulers: %u; sm.model gcn has 1 to %u SIMDs", g->schedulers,
                   GCN_SIMDS);
  if (g->issue_width != 1)
    ok = error_add(err, EXIT_USAGE, "sm.issue_width: %u; sm.model gcn issues one instruction of a wavefront",
                   g->issue_width);
  if (!g->l1c_latency)
    ok = error_add(err, EXIT_USAGE,
                   "l1c.latency: 0; sm.model gcn has scalar caches beside the SMs: at least 1");
  if (g->l1c_params)
    ok = error_add(err, EXIT_USAGE, "l1c.params: sm.model gcn has no constant cache in the SM");
  if (g->scheduler != SM_OLDEST && g->scheduler != SM_LRR)
    ok = error_add(err, EXIT_USAGE, "sm.scheduler: sm.model gcn takes oldest or lrr");
  return ok;
}

/* Collectors of both kinds of pipeline or of none; without them there are no banks and buses to wait for. */
static bool check_collectors(const struct gpu_config *g, struct error *err) {
  bool ok = true;
  if (!g->collectors != !g->collectors_sfu)
    ok = error_add(err, EXIT_USAGE, "sm.collectors: %u, sm.collectors_sfu: %u; both or none", g->collectors,
                   g->collectors_sfu);
  if (g->register_banks & (g->register_banks - 1))
    ok = error_add(err, EXIT_USAGE, "sm.register_banks: %u is no power of two", g->register_banks);
  if (!g->collectors) {
    if (g->register_banks)
      ok = error_add(err, EXIT_USAGE, "sm.register_banks: %u; there are no collectors (sm.collectors)",
                     g->register_banks);
    if (g->result_buses)
      ok = error_add(err, EXIT_USAGE, "sm.result_buses: %u; there are no collectors (sm.collectors)",
                     g->result_buses);
    return ok;
  }
  if (g->model == SM_GCN)
    ok = error_add(err, EXIT_USAGE, "sm.collectors: %u; sm.model gcn has none", g->collectors);
  if (g->stages < 4)
    ok = error_add(err, EXIT_USAGE, "sm.stages: %u; with collectors at least 4, from issue to the unit",
                   g->stages);
  return ok;
}

static bool check_memory(const struct gpu_config *g, struct error *err) {
  bool ok = true;
  if (g->allocator != NOC_ROUND_ROBIN && g->noc_speedup > 1)
    ok = error_add(err, EXIT_USAGE, "noc.speedup: %u; of noc.allocator round-robin only", g->noc_speedup);
  if (g->allocator != NOC_ROUND_ROBIN && g->noc_packets)
    ok = error_add(err, EXIT_USAGE, "noc.sector_packets: of noc.allocator round-robin only");
  if (g->l2_nack && g->l1d.sector_bytes != g->l1d.line_bytes)
    ok = error_add(err, EXIT_USAGE, "l2.nack: modelled for an L1 without sectors (l1d.sector_bytes)");
  if (g->dram_controllers & (g->dram_controllers - 1))
    ok = error_add(err, EXIT_USAGE, "dram.controllers: %u is no power of two", g->dram_controllers);
  if (g->dram_lockstep & (g->dram_lockstep - 1))
    ok = error_add(err, EXIT_USAGE, "dram.lockstep: %u is no power of two", g->dram_lockstep);
  if (g->dram_fixed && g->dram_ideal)
    ok = error_add(err, EXIT_USAGE,
                   "dram.free: a memory of fixed latency (dram.model) has neither rows nor order");
  if (g->dram_fixed && g->dram_lockstep > 1)
    ok =
        error_add(err, EXIT_USAGE,
                  "dram.lockstep: %u; a memory of fixed latency (dram.model) has dram.fixed_interval instead",
                  g->dram_lockstep);
  return ok;
}

static bool check_stores(const struct gpu_config *g, enum cache_write policy, enum cache_write_miss miss,
                         const char *why, struct error *err) {
  bool ok = true;
  for (int i = 0; i < 2; i++)
    if (g->write[i].policy != policy || g->write[i].miss != miss)
      ok = error_add(err, EXIT_USAGE, "l1d.coherence: %s; l1d.write_%s: %s, l1d.write_%s_miss: %s", why,
                     i ? "local" : "global", policy == CACHE_BACK ? "back" : "through",
                     i ? "local" : "global", miss == CACHE_NO_ALLOCATE ? "no-allocate" : "fetch");
  return ok;
}

static bool check_si(const struct gpu_config *g, struct error *err) {
  bool ok = check_stores(g, CACHE_THROUGH, CACHE_NO_ALLOCATE, "si writes through and fetches nothing", err);
  if (g->l2_inclusive)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: si has an L2 that does not include the L1s; l2.inclusive: false");
  return ok;
}

static bool check_directory(const struct gpu_config *g, struct error *err) {
  bool ok = check_stores(g, CACHE_BACK, CACHE_FETCH_ON_WRITE, "moesi and nmoesi fetch and keep lines", err);
  if (!g->l2_inclusive)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: the directory is in an L2 that includes the L1s; l2.inclusive: true");
  if (g->l1d.allocate != CACHE_ON_MISS)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: a line keeps its way while it is asked for; l1d.allocate: on-miss");
  if (g->l2.sector_bytes != g->l2.line_bytes)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: modelled for an L2 without sectors; l2.sector_bytes: %u, not %u",
                   g->l2.sector_bytes, g->l2.line_bytes);
  return ok;
}

/* A protocol says what stores do and what the L2 has; settings that say otherwise are refused. */
static bool check_coherence(const struct gpu_config *g, struct error *err) {
  bool ok = true;
  if (g->l1d_evict_first && g->coherence != COHERENCE_MOESI && g->coherence != COHERENCE_NMOESI)
    ok = error_add(
        err, EXIT_USAGE,
        "l1d.evict_first: without a directory (l1d.coherence: moesi, nmoesi) nobody is told of lines");
  if (g->coherence == COHERENCE_NONE)
    return ok;
  if (!g->l1d_on)
    ok = error_add(err, EXIT_USAGE, "l1d.coherence: there is no L1 (l1d.on)");
  if (g->l1d.sector_bytes != g->l1d.line_bytes)
    ok = error_add(err, EXIT_USAGE,
                   "l1d.coherence: modelled for an L1 without sectors; l1d.sector_bytes: %u, not %u",
                   g->l1d.sector_bytes, g->l1d.line_bytes);
  if (g->stream.levels)
    ok = error_add(err, EXIT_USAGE, "l1d.coherence: stream caches (stream.levels) know no protocol");
  return g->coherence == COHERENCE_SI ? check_si(g, err) && ok : check_directory(g, err) && ok;
}

static bool check_streams(const struct gpu_config *g, struct error *err) {
  bool ok = true;
  if (g->stream.levels && g->sms_per_link < 2)
    ok = error_add(err, EXIT_USAGE,
                   "stream.levels: stream caches are shared; noc.sms_per_link must be 2 or more");
  if (g->l2_cold_launches && g->l2_inclusive)
    ok = error_add(err, EXIT_USAGE,
                   "l2.cold_launches: an L2 that includes the L1s (l2.inclusive) cannot be emptied alone");
  if (g->stream.levels && (g->l2_inclusive || g->l2_nack))
    ok = error_add(err, EXIT_USAGE, "stream.levels: stream caches know neither l2.inclusive nor l2.nack");
  if (g->l2.allocate == CACHE_ON_FILL && (g->l2_evict_first || g->l2_inclusive))
    ok = error_add(
        err, EXIT_USAGE,
        "l2.allocate: on-fill; with l2.evict_first or l2.inclusive what leaves is known before the fetch: "
        "on-miss");
  if ((g->l2_evict_clean || g->l2_evict_posted) && !g->l2_evict_first)
    ok = error_add(err, EXIT_USAGE, "%s: nobody waits for what is replaced; l2.evict_first: true",
                   g->l2_evict_clean ? "l2.evict_clean" : "l2.evict_posted");
  if (g->locality && !(g->stream.levels && g->edge_queue))
    ok = error_add(
        err, EXIT_USAGE,
        "gpu.locality: is counted where stream caches (stream.levels) and one buffer at the GPU's edge "
        "(l2.edge_queue) are");
  return ok;
}

/* What each execution unit costs; finer kinds, unless they have a cost of their own, as much as another unit. */
static void read_units(struct gpu_config *g, const struct conf *c) {
  static const struct {
    const char *name;
    enum ptx_unit as;
  } units[PTX_NUNITS] = {[PTX_UNIT_INT] = {"int", 0},
                         [PTX_UNIT_IMUL] = {"imul", 0},
                         [PTX_UNIT_IDIV] = {"idiv", 0},
                         [PTX_UNIT_FP32] = {"fp32", 0},
                         [PTX_UNIT_FP16] = {"fp16", 0},
                         [PTX_UNIT_FP64] = {"fp64", 0},
                         [PTX_UNIT_FDIV] = {"fdiv", 0},
                         [PTX_UNIT_DDIV] = {"ddiv", 0},
                         [PTX_UNIT_SFU] = {"sfu", 0},
                         [PTX_UNIT_CVT] = {"cvt", 0},
                         [PTX_UNIT_SHUFFLE] = {"shuffle", 0},
                         [PTX_UNIT_CTRL] = {"ctrl", 0},
                         [PTX_UNIT_BAR] = {"ctrl", 0},
                         [PTX_UNIT_MEM] = {"int", 0},
                         [PTX_UNIT_TENSOR] = {"tensor", 0},
                         [PTX_UNIT_LOGIC] = {"logic", PTX_UNIT_INT},
                         [PTX_UNIT_IMAD] = {"imad", PTX_UNIT_IMUL},
                         [PTX_UNIT_IMAX] = {"imax", PTX_UNIT_INT},
                         [PTX_UNIT_FMA] = {"fma", PTX_UNIT_FP32},
                         [PTX_UNIT_FMAX] = {"fmax", PTX_UNIT_FP32},
                         [PTX_UNIT_FROOT] = {"froot", PTX_UNIT_FDIV},
                         [PTX_UNIT_DROOT] = {"droot", PTX_UNIT_DDIV}};
  for (unsigned i = 0; i < PTX_NUNITS; i++) {
    char name[64];
    snprintf(name, sizeof name, "sm.latency.%s", units[i].name);
    g->unit[i].latency = u32(c, name);
    snprintf(name, sizeof name, "sm.interval.%s", units[i].name);
    g->unit[i].interval = u32(c, name);
    if (!g->unit[i].latency)
      g->unit[i].latency = g->unit[units[i].as].latency;
    if (!g->unit[i].interval)
      g->unit[i].interval = g->unit[units[i].as].interval;
  }
}

bool gpu_config_read(struct gpu_config *g, const struct conf *c, struct error *err) {
  *g = (struct gpu_config){
      .sms = u32(c, "gpu.sms"),
      .line_bytes = u32(c, "gpu.line_bytes"),
      .core_mhz = conf_u64(c, "gpu.core_mhz"),
      .noc_mhz = conf_u64(c, "gpu.noc_mhz"),
      .l2_mhz = conf_u64(c, "gpu.l2_mhz"),
      .dram_mhz = conf_u64(c, "gpu.dram_mhz"),
      .threads = u32(c, "sm.threads"),
      .ctas = u32(c, "sm.ctas"),
      .registers = u32(c, "sm.registers"),
      .register_unit = u32(c, "sm.register_unit"),
      .register_parts = u32(c, "sm.register_parts"),
      .shared_bytes = u32(c, "sm.shared_bytes"),
      .shared_unit = u32(c, "sm.shared_unit"),
      .shared_reserved = u32(c, "sm.shared_reserved"),
      .model = (enum sm_model)conf_enum(c, "sm.model"),
      .cta_on_simd = conf_bool(c, "sm.cta_on_simd"),
      .vmb = u32(c, "sm.vmb"),
      .vmb_stores = conf_bool(c, "sm.vmb_stores"),
      .merge = {conf_bool(c, "sm.merge_loads") ? u32(c, "sm.merge_lanes") : 0,
                conf_bool(c, "sm.merge_stores") ? u32(c, "sm.merge_lanes") : 0},
      .l1c_caches = u32(c, "l1c.caches"),
      .l1c_ports = u32(c, "l1c.ports"),
      .scalar_latency = u32(c, "sm.scalar_latency"),
      .fetch_warps = u32(c, "sm.fetch_warps"),
      .schedulers = u32(c, "sm.schedulers"),
      .sp_units = u32(c, "sm.sp_units"),
      .sfu_units = u32(c, "sm.sfu_units"),
      .scheduler = (enum sm_scheduler)conf_enum(c, "sm.scheduler"),
      .issue_width = u32(c, "sm.issue_width"),
      .active_warps = u32(c, "sm.active_warps"),
      .mem_queue = u32(c, "sm.mem_queue"),
      .shared_latency = u32(c, "sm.shared_latency"),
      .stages = u32(c, "sm.stages"),
      .load_stages = u32(c, "sm.load_stages"),
      .collectors = u32(c, "sm.collectors"),
      .collectors_sfu = u32(c, "sm.collectors_sfu"),
      .register_banks = u32(c, "sm.register_banks"),
      .result_buses = u32(c, "sm.result_buses"),
      .fetch_ahead = conf_bool(c, "sm.fetch_ahead"),
      .rotate_schedulers = conf_bool(c, "sm.rotate_schedulers"),
      .fetch_width = u32(c, "sm.fetch_width"),
      .fetch_latency = u32(c, "sm.fetch_latency"),
      .l1i_on = conf_bool(c, "l1i.on"),
      .l1i = read_lines(c, "l1i", u32(c, "l1i.line_bytes"), err),
      .l1i_miss_queue = u32(c, "l1i.miss_queue"),
      .instruction_bytes = u32(c, "l1i.instruction_bytes"),
      .l1d = read_cache(c, "l1d", err),
      .l1c = read_lines(c, "l1c", u32(c, "l1c.line_bytes"), err),
      .l1c_miss_queue = u32(c, "l1c.miss_queue"),
      .coherence = (enum l1_coherence)conf_enum(c, "l1d.coherence"),
      .l1d_evict_first = conf_bool(c, "l1d.evict_first"),
      .l1d_ports = u32(c, "l1d.ports"),
      .l1d_port_bytes = u32(c, "l1d.port_bytes"),
      .l1d_on = conf_bool(c, "l1d.on"),
      .l1d_latency = u32(c, "l1d.latency"),
      .l1c_on = conf_bool(c, "l1c.on"),
      .l1c_params = conf_bool(c, "l1c.params"),
      .keep_read_only = conf_bool(c, "gpu.keep_read_only"),
      .l1c_latency = u32(c, "l1c.latency"),
      .l1_miss_queue = u32(c, "l1d.miss_queue"),
      .flit_bytes = {u32(c, "noc.flit_bytes"), u32(c, "noc.response_flit_bytes")},
      .noc_latency = u32(c, "noc.latency"),
      .noc_inject = u32(c, "noc.inject_latency"),
      .noc_credit = u32(c, "noc.credit_latency"),
      .noc_in = u32(c, "noc.in"),
      .noc_out = u32(c, "noc.out"),
      .allocator = (enum noc_allocator)conf_enum(c, "noc.allocator"),
      .noc_iterations = u32(c, "noc.iterations"),
      .sms_per_link = u32(c, "noc.sms_per_link"),
      .noc_speedup = u32(c, "noc.speedup"),
      .noc_packets = conf_bool(c, "noc.sector_packets"),
      .channels = u32(c, "l2.channels"),
      .slices_per_channel = u32(c, "l2.slices_per_channel"),
      .interleave = u32(c, "l2.interleave"),
      .l2 = read_cache(c, "l2", err),
      .rop_latency = u32(c, "l2.rop_latency"),
      .l2_latency = u32(c, "l2.latency"),
      .l2_port_bytes = u32(c, "l2.port_bytes"),
      .l2_in = u32(c, "l2.in"),
      .l2_out = u32(c, "l2.out"),
      .l2_miss_queue = u32(c, "l2.miss_queue"),
      .edge_queue = u32(c, "l2.edge_queue"),
      .locality = conf_bool(c, "gpu.locality"),
      .l2_atomic_interval = u32(c, "l2.atomic_interval"),
      .l2_store_interval = {u32(c, "l2.partial_store_interval"), u32(c, "l2.store_interval")},
      .l2_fill_latency = u32(c, "l2.fill_latency"),
      .l2_write_miss = (enum cache_write_miss)conf_enum(c, "l2.write_miss"),
      .l2_join_writes = conf_bool(c, "l2.join_writes"),
      .l2_warm = conf_bool(c, "l2.warm"),
      .launch_cycles = (uint32_t)conf_u64(c, "gpu.launch_cycles"),
      .cta_interval = (uint64_t)(conf_f64(c, "gpu.cta_interval") * 1024 + 0.5),
      .l2_cold_launches = conf_bool(c, "l2.cold_launches"),
      .l2_evict_first = conf_bool(c, "l2.evict_first"),
      .l2_evict_clean = u32(c, "l2.evict_clean"),
      .l2_evict_posted = conf_bool(c, "l2.evict_posted"),
      .l2_inclusive = conf_bool(c, "l2.inclusive"),
      .l2_nack = conf_bool(c, "l2.nack"),
      .l1d_retry = u32(c, "l1d.retry_latency"),
      .dram_device = conf_str(c, "dram.device"),
      .dram_mapping = conf_str(c, "dram.mapping"),
      .dram_controller = conf_str(c, "dram.controller"),
      .dram_refresh = conf_enum(c, "dram.refresh"),
      .dram_ideal = conf_enum(c, "dram.free"),
      .dram_latency = u32(c, "dram.latency"),
      .dram_queue = u32(c, "dram.queue"),
      .l1d_parallel = conf_enum(c, "energy.l1d_access") == 1,
      .l2_parallel = conf_enum(c, "energy.l2_access") == 1,
      .node_nm = u32(c, "energy.node_nm"),
      .follow = conf_bool(c, "check.requests"),
      .longest_wait = conf_u64(c, "check.longest_wait"),
      .dram_fixed = conf_enum(c, "dram.model"),
      .dram_controllers = u32(c, "dram.controllers"),
      .dram_lockstep = u32(c, "dram.lockstep"),
      .fixed_latency = u32(c, "dram.fixed_latency"),
      .fixed_write_latency = u32(c, "dram.fixed_write_latency"),
      .fixed_interval = u32(c, "dram.fixed_interval")};
  read_units(g, c);
  g->l1d_after = conf_bool(c, "l1d.latency_first") ? 0 : g->l1d_latency;
  g->l1d_delay = g->l1d_latency - g->l1d_after;
  g->hit_stages = g->load_stages ? 0 : g->stages;
  if (!g->load_stages)
    g->load_stages = g->stages;
  if (!g->l1c_caches)
    g->l1c_caches = g->sms;
  if (!g->flit_bytes[1])
    g->flit_bytes[1] = g->flit_bytes[0];
  uint32_t width = u32(c, "front.warp_width");
  g->warps = g->threads / (width > 32 ? width : 32);
  bool ok = check_sizes(g, err); /* all mistakes at once */
  ok &= check_gcn(g, err);
  ok &= check_collectors(g, err);
  ok &= check_memory(g, err);
  ok &= read_writes(g, c, err);
  ok &= stream_config_read(&g->stream, c, g->line_bytes, err);
  ok &= check_streams(g, err);
  if (!g->merge[0] && !g->merge[1] && u32(c, "sm.merge_lanes") != 16)
    ok = error_add(err, EXIT_USAGE,
                   "sm.merge_lanes: no lanes are merged (sm.merge_loads, sm.merge_stores: false)");
  ok &= check_coherence(g, err);
  ok &= addr_stage_init(&g->map.channel, g->channels, g->interleave, conf_str(c, "l2.channel_bits"),
                        g->line_bytes, "l2.channel_bits", err);
  ok &= addr_stage_init(&g->map.slice, g->slices_per_channel, g->interleave, conf_str(c, "l2.slice_bits"),
                        g->line_bytes, "l2.slice_bits", err);
  return ok && !err->code;
}
