/* A GPU put together: its units, dealt to shards, and the ports between them. */
#include "gpu/gpu.h"
#include "engine/team.h"
#include "base/cores.h"
#include "cache/cache.h"
#include "l2/edge.h"

enum { LINK_SLOTS = 2 }; /* between an SM and a shared link: enough for a message per cycle */

/* The GPU's sizes, as techniques know them. */
static bool describe(const struct gpu_config *k, struct sluice_env *env, struct error *err) {
  struct dram_device d;
  if (!dram_device_load(&d, k->memory.device, err))
    return false;
  *env = (struct sluice_env){.size = sizeof *env,
                             .sms = k->sms,
                             .warps = k->core.warps,
                             .slices = k->l2.channels * k->l2.slices_per_channel,
                             .channels = k->l2.channels,
                             .banks = k->memory.controllers * d.ranks * d.bank_groups * d.banks,
                             .lines_per_row =
                                 (uint32_t)(d.columns * d.transaction * k->memory.lockstep / k->line_bytes),
                             .l1_sets = k->l1.d.sets,
                             .l1_lines = k->l1.d.sets * k->l1.d.ways,
                             .l2_sets = k->l2.cache.sets,
                             .l2_lines = k->l2.cache.sets * k->l2.cache.ways,
                             .cluster = k->noc.sms_per_link,
                             .line_bytes = k->line_bytes,
                             .l1_reserves = k->l1.d.allocate == CACHE_ON_MISS,
                             .l2_reserves = k->l2.cache.allocate == CACHE_ON_MISS,
                             .l1_coherent = k->l1.coherence};
  return true;
}

/* Threads that may help: no more than were asked for, than processors may be used and are free. Two are tried on a busy host
 * as well: it may not stay so. */
static unsigned useful_threads(const struct gpu_options *o, unsigned free) {
  unsigned n = cores_allowed(), most = o->threads ? o->threads : GPU_MOST_THREADS;
  n = n < most ? n : most;
  free = free < 2 ? 2 : free;
  return n < free ? n : free;
}

/* Lanes that have enough to do between two meetings: not where clocks differ and windows are instants. */
static unsigned useful_shards(const struct gpu_config *k) {
  if (k->noc.inject < 2 && (k->core_mhz != k->noc_mhz || k->noc_mhz != k->l2_mhz))
    return 1;
  unsigned sms = k->noc.inject < 2 ? 8 : 4; /* of a shard: windows of one cycle, or longer ones */
  unsigned shards = (k->sms + sms - 1) / sms;
  return k->noc.inject < 2 && shards < 3
             ? 1
             : shards; /* two that meet in every cycle are as fast as one, or slower */
}

/* Where windows are long, a thread has several shards, the crossbars' first, and takes those that another has not come to
 * (engine/meet.c): what a shard has to do differs from window to window. */
static unsigned shards_of(const struct gpu_config *k, unsigned threads) {
  enum { EACH = 5, MOST = 128 };
  if (k->noc.inject < 2 || threads == 1)
    return threads;
  unsigned units = k->sms + k->l2.channels, n = EACH * threads;
  n = n < units ? n : units;
  n = n < MOST ? n : MOST;
  return n > threads ? n : threads;
}

/* From so many threads on one executes: with a twentieth of the work in execution, as large kernels have, five shards that execute
 * in turn are as fast as four and another thread. */
enum { THREADS_AHEAD = 6 };

static bool executes(void *gpu) {
  const struct gpu *g = gpu;
  struct supply *next = __atomic_load_n(&g->ahead.supply, __ATOMIC_ACQUIRE);
  return (g->launch.supply && supply_executes(g->launch.supply)) || (next && supply_executes(next));
}

/* Threads to shards. Executing the kernel is a small part of the work: few threads do it in turn, when they
 * need it; beside many, another does nothing else and runs ahead, as it does beside a single shard. Where windows are long, one of the
 * many rests while the other has much to do; where they are short, always. */
static void set_parallel(struct gpu *g, const struct gpu_options *o) {
  const struct gpu_config *k = &g->k;
  bool exact = o->shards || o->delays || o->exact;
  unsigned free = cores_free(1), threads = exact ? (o->threads ? o->threads : 1) : useful_threads(o, free);
  g->team = team_new(threads);
  g->mode = threads == 1 ? SUPPLY_ALONE : threads < THREADS_AHEAD ? SUPPLY_SHARED : SUPPLY_AHEAD;
  bool guest = g->mode == SUPPLY_AHEAD && !exact && k->noc.inject > 1;
  if (g->mode == SUPPLY_AHEAD && !guest)
    threads--;
  /* two shards on one thread take 3 % longer where windows have one cycle */
  unsigned shards = free < 2 && k->noc.inject < 2 ? 1 : useful_shards(k);
  if (!exact && threads > shards) {
    threads = shards;
    guest = false; /* has a processor of its own */
  }
  if (!exact && g->mode != SUPPLY_ALONE && threads == 1)
    g->mode = free > 1 ? SUPPLY_AHEAD : SUPPLY_ALONE;
  parallel_init(&g->parallel, (const uint64_t[]){k->core_mhz, k->noc_mhz, k->l2_mhz, k->dram_mhz},
                ENGINE_DOMAINS, o->shards ? o->shards : shards_of(k, threads), threads);
  g->parallel.adapts = !exact;
  g->parallel.guest = guest ? executes : NULL;
  g->parallel.guest_ctx = g;
  g->parallel.pace.room = cores_free;
  g->parallel.profiler = o->profiler;
  g->parallel.delay = g->delays = o->delays;
  g->ended =
      memset(xaligned(g->parallel.nshards * sizeof *g->ended), 0, g->parallel.nshards * sizeof *g->ended);
  for (unsigned i = 0; i < g->parallel.nshards; i++) {
    g->ended[i].sm = xcalloc(k->sms, sizeof *g->ended->sm);
    g->parallel.shard[i].no_skip = o->no_skip;
    g->parallel.shard[i].general = o->general;
    g->parallel.shard[i].shuffle = o->shuffle ? o->shuffle + i : 0;
    g->parallel.shard[i].delay = o->delays ? delay_mix(o->delays + i) | 1 : 0;
    g->parallel.shard[i].forgets = o->forgets;
  }
}

/* Crossbars are dealt to shards in parts, where their allocator lets them and shards meet in every cycle, for the parts share
 * inputs: such a GPU does little between two meetings, and a crossbar as one unit would be too much for one of many shards. */
static uint32_t crossbar_parts(const struct gpu *g) {
  uint32_t n = g->k.noc.allocator == NOC_ROUND_ROBIN && g->k.noc.inject < 2 ? g->parallel.nshards / 2 : 1;
  n = n < g->nslices ? n : g->nslices;
  n = n < g->nlinks ? n : g->nlinks;
  return n ? n : 1;
}

static struct engine *engine_of(struct gpu *g, enum partitioner_kind kind, uint32_t i) {
  return &g->parallel.shard[g->partitioner.shard[kind][i]];
}

static void near_sm(const void *self) {
  const struct sm *s = self;
  __builtin_prefetch(s->out, 1);
  port_come_near(s->in);
}
static void near_partition(const void *self) {
  const struct partition *c = self;
  for (uint32_t i = 0; i < c->nslices; i++) {
    __builtin_prefetch(c->slice[i].out, 1);
    port_come_near(c->slice[i].in);
  }
}

/* Units that know no technique are made independently of each other: by all threads, where there are many. */
static void make_units(struct gpu *g, size_t n, void (*make)(void *gpu, unsigned who, size_t k)) {
  enum { MANY = 64 };
  if (g->team && n >= MANY && !tech_chosen(g->tech, 0)) {
    team_run(g->team, n, make, g);
    return;
  }
  for (size_t k = 0; k < n; k++)
    make(g, 0, k);
}

static void make_sm(void *gpu, unsigned who, size_t i) {
  (void)who;
  struct gpu *g = gpu;
  const struct sm_setup setup = {.core = &g->k.core,
                                 .l1 = &g->k.l1,
                                 .map = &g->k.l2.map,
                                 .launch = &g->launch,
                                 .tech = g->tech,
                                 .check_requests = g->k.check_requests,
                                 .general = g->parallel.shard[0].general};
  sm_init(&g->sm[i], &setup, (uint32_t)i);
}

static void add_sms(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  if (k->noc.sms_per_link > 1) {
    g->link = xcalloc(g->nlinks, sizeof *g->link);
    g->link_units = xcalloc(g->nlinks, sizeof *g->link_units);
  }
  make_units(g, k->sms, make_sm);
  for (uint32_t i = 0; i < k->sms; i++) {
    struct engine *e = engine_of(g, PARTITIONER_LINK, i / k->noc.sms_per_link);
    g->sm[i].ended = &g->ended[e->shard];
    g->sm[i].engine = e;
    g->sm_units[i] = g->sm[i].unit = engine_add(e, "sm", DOMAIN_CORE, &g->sm[i], sm_cycle);
    engine_near(e, g->sm[i].unit, near_sm);
  }
  for (uint32_t i = 0; g->link && i < g->nlinks; i++) {
    struct engine *e = engine_of(g, PARTITIONER_LINK, i);
    uint32_t first = i * k->noc.sms_per_link, left = k->sms - first;
    link_init(&g->link[i], e, DOMAIN_CORE, first, left < k->noc.sms_per_link ? left : k->noc.sms_per_link,
              LINK_SLOTS);
    struct tech_route hook = tech_route(g->tech, i);
    if (hook.ops)
      link_set_route(&g->link[i], route_new(hook, e->period[DOMAIN_CORE], first, g->link[i].n,
                                            (struct route_sizes){.slots = k->noc.out,
                                                                 .l1_lines = k->l1.d.sets * k->l1.d.ways,
                                                                 .l1_latency = k->l1.d_latency}));
    g->link_units[i] = g->link[i].unit = engine_add(e, "link", DOMAIN_CORE, &g->link[i], link_cycle);
  }
}

/* In the shard of the first compute unit of each: they count together. */
static void add_scalars(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  if (k->core.model != SM_GCN || !k->l1.c_on)
    return;
  g->nscalars = k->l1.c_caches;
  g->scalar = xcalloc(g->nscalars, sizeof *g->scalar);
  for (uint32_t i = 0; i < g->nscalars; i++) {
    uint32_t first, n;
    scalar_share(&k->l1, k->sms, i, &first, &n);
    struct sm *owner = &g->sm[first];
    scalar_init(&g->scalar[i], owner->engine, DOMAIN_CORE, owner, first, n,
                (g->nlinks + i) * k->noc.sms_per_link);
    g->scalar[i].unit = engine_add(owner->engine, "scalar cache", DOMAIN_CORE, &g->scalar[i], scalar_cycle);
  }
}

static void add_streams(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  g->nstreams = k->stream.levels * g->nlinks;
  if (!g->nstreams)
    return;
  g->stream = xcalloc(g->nstreams, sizeof *g->stream);
  for (uint32_t i = 0; i < g->nstreams; i++) {
    uint32_t level = i / g->nlinks, link = i % g->nlinks;
    struct engine *e = engine_of(g, PARTITIONER_LINK, link);
    stream_init(&g->stream[i], e, DOMAIN_CORE, &k->stream, &k->l2.map, level + 1, link * k->noc.sms_per_link,
                k->locality && level == 0);
    g->stream[i].unit = engine_add(e, "stream caches", DOMAIN_CORE, &g->stream[i], stream_cycle);
  }
}

/* A crossbar in as many parts as there are shards for it. */
static void add_crossbar(struct gpu *g, struct xbar *x, const char *name, enum partitioner_kind kind) {
  uint32_t n = g->partitioner.n[kind];
  struct engine **e = xcalloc(n, sizeof *e);
  for (uint32_t i = 0; i < n; i++)
    e[i] = engine_of(g, kind, i);
  if (n > 1)
    xbar_split(x, n, e);
  if (n > 1 && x->engine->delay)
    xbar_see_late(x);
  xbar_add(x, name);
  uint32_t ends = x->outputs * x->sms_per_link;
  uint32_t *unit = xcalloc(ends, sizeof *unit);
  for (uint32_t i = 0; i < ends; i++)
    unit[i] = x->unit_of[i / x->sms_per_link];
  if (n > 1)
    x->all = parallel_group(&g->parallel, unit, ends);
  free(e), free(unit);
}

static void add_network(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  uint32_t ends = g->nlinks + g->nscalars;
  struct engine *request = engine_of(g, PARTITIONER_REQUEST, 0),
                *response = engine_of(g, PARTITIONER_RESPONSE, 0);
  xbar_init(&g->request, request, DOMAIN_NOC, ends, g->nslices, false, k->noc.flit_bytes[0]);
  xbar_mask_bytes(&g->request, k->noc.mask_bytes);
  xbar_init(&g->response, response, DOMAIN_NOC, g->nslices, ends, true, k->noc.flit_bytes[1]);
  g->request.allocator = g->response.allocator = k->noc.allocator;
  g->response.sms_per_link = k->noc.sms_per_link;
  g->request.speedup = g->response.speedup = k->noc.speedup;
  g->response.packets = k->noc.packets;
  if (k->noc.allocator == NOC_ISLIP) {
    xbar_use_islip(&g->request, k->noc.iterations, k->noc.in);
    xbar_use_islip(&g->response, k->noc.iterations, k->noc.in);
  } else if (k->noc.allocator == NOC_TECHNIQUE) {
    xbar_use_technique(&g->request, g->tech, 0, k->noc.in);
    xbar_use_technique(&g->response, g->tech, 1, k->noc.in);
  }
  if (k->l2.inclusive) {
    xbar_init(&g->ack, request, DOMAIN_NOC, k->sms, g->nslices, false, k->noc.flit_bytes[0]);
    g->ack.allocator = k->noc.allocator == NOC_IDEAL ? NOC_IDEAL : NOC_ROUND_ROBIN;
    xbar_add(&g->ack, "acknowledgement network");
  }
  add_crossbar(g, &g->request, "request network", PARTITIONER_REQUEST);
  add_crossbar(g, &g->response, "response network", PARTITIONER_RESPONSE);
}

static bool make_channel(struct gpu *g, uint32_t i, struct error *err) {
  struct engine *e = engine_of(g, PARTITIONER_CHANNEL, i);
  return partition_init(&g->partition[i], e, &g->k.l2, &g->k.memory, g->tech, i, e->period[DOMAIN_DRAM], err);
}

/* One after the first, which could be made: they do not differ in what can be wrong. */
static void make_other_channel(void *gpu, unsigned who, size_t k) {
  (void)who;
  struct error err = {0};
  if (!make_channel(gpu, (uint32_t)k + 1, &err))
    panic("channel %zu: %s", k + 1, err.text ? err.text : "cannot be made");
}

/* A channel is a unit, or all of them are one when a technique stands between L2 and memory. */
static bool add_memory(struct gpu *g, struct tech_order source, struct error *err) {
  const struct gpu_config *k = &g->k;
  bool ok = make_channel(g, 0, err);
  for (uint32_t i = 1; ok && tech_chosen(g->tech, 0) && i < k->l2.channels; i++)
    ok = make_channel(g, i, err);
  if (!ok) {
    edge_free(&source);
    return false;
  }
  if (!tech_chosen(g->tech, 0)) {
    tech_set_reserve(g->tech, g->nslices);
    make_units(g, k->l2.channels - 1, make_other_channel);
  }
  uint32_t u = 0;
  if (source.ops) {
    g->memory_side = xcalloc(1, sizeof *g->memory_side);
    memory_side_init(g->memory_side, g->partition, k->l2.channels, source, k->l2.edge_stop == EDGE_STOP_SLICE,
                     g->tech);
    g->memory_side->leaving = k->locality ? locality_new() : NULL;
    u = engine_add(&g->parallel.shard[0], "memory", DOMAIN_L2, g->memory_side, memory_side_cycle);
  }
  for (uint32_t i = 0; i < k->l2.channels; i++) {
    if (!source.ops) {
      u = engine_add(g->partition[i].engine, "channel", DOMAIN_L2, &g->partition[i], partition_cycle);
      engine_near(g->partition[i].engine, u, near_partition);
    }
    for (uint32_t s = 0; s < k->l2.slices_per_channel; s++)
      g->slice_units[i * k->l2.slices_per_channel + s] = u;
  }
  return true;
}

/* The order in which SMs take CTAs: by number, or one of each cluster after the other. */
static void set_turns(struct gpu *g) {
  uint32_t n = 0, cluster = g->k.deal == DEAL_CLUSTER ? g->k.noc.sms_per_link : g->k.sms;
  g->in_turn = xcalloc(g->k.sms, sizeof *g->in_turn);
  g->place = xcalloc(g->k.sms, sizeof *g->place);
  for (uint32_t within = 0; within < cluster; within++)
    for (uint32_t i = within; i < g->k.sms; i += cluster) {
      g->place[i] = n;
      g->in_turn[n++] = i;
    }
}

/* Techniques that hand lines from L1 to L1, keep some beside the L2, or read past an L1 that the directory counts on, know no
 * protocol. */
static bool know_protocol(const struct gpu_config *k, const struct tech_set *tech, struct error *err) {
  const struct sluice_technique *t;
  for (size_t i = 0; k->l1.coherence && (t = tech_chosen(tech, i)); i++)
    if (t->route || t->victim_cache || (t->l1_bypass && k->l2.inclusive))
      return error_set(err, EXIT_USAGE, "l1d.coherence: not modelled with `%s`, which moves lines past it",
                       t->name);
  return true;
}

/* A technique's allocator takes the place of the configured one, whose special rules it has not. */
static bool allocates(const struct gpu_config *k, const struct tech_set *tech, struct error *err) {
  const struct sluice_technique *t = tech_with_allocator(tech);
  if (t && k->noc.speedup > 1)
    error_add(err, EXIT_USAGE, "noc.speedup: %u; the allocator of `%s` knows 1 only", k->noc.speedup,
              t->name);
  if (t && k->noc.packets)
    error_add(err, EXIT_USAGE, "noc.sector_packets: the allocator of `%s` knows whole messages only (false)",
              t->name);
  return !t || (k->noc.speedup == 1 && !k->noc.packets);
}

struct gpu *gpu_new(const struct gpu_config *k, const struct conf *c, const struct gpu_options *o,
                    struct error *err) {
  struct sluice_env env;
  if (!describe(k, &env, err))
    return NULL;
  struct tech_set *tech = tech_set_new(c, &env, err);
  if (!tech)
    return NULL;
  if (!know_protocol(k, tech, err) || !allocates(k, tech, err)) {
    tech_set_free(tech);
    return NULL;
  }
  struct gpu *g = xcalloc(1, sizeof *g);
  g->k = *k;
  if (tech_with_allocator(tech))
    g->k.noc.allocator = NOC_TECHNIQUE;
  const struct sluice_warp_scheduler *rule = tech_with_warp_scheduler(tech);
  if (rule) /* which warps wait is told where there is an active set; the technique's rule comes on top */
    g->k.core.scheduler = rule->able ? SM_TWO_LEVEL : SM_OLDEST;
  g->tech = tech;
  g->next_tick = tech_next_tick(tech);
  g->nslices = k->l2.channels * k->l2.slices_per_channel;
  g->nlinks = (k->sms + k->noc.sms_per_link - 1) / k->noc.sms_per_link;
  g->sm = memset(xaligned(k->sms * sizeof *g->sm), 0, k->sms * sizeof *g->sm);
  g->partition =
      memset(xaligned(k->l2.channels * sizeof *g->partition), 0, k->l2.channels * sizeof *g->partition);
  g->sm_units = xcalloc(k->sms, sizeof *g->sm_units);
  g->slice_units = xcalloc(g->nslices, sizeof *g->slice_units);
  g->issued = xcalloc(k->sms, sizeof *g->issued);
  g->queued = xcalloc(g->nslices, sizeof *g->queued);
  g->room = xcalloc((k->sms + 63) / 64, sizeof *g->room);
  set_turns(g);
  work_numbers_init(&g->work);
  g->launch.work = &g->work;
  set_parallel(g, o);
  struct tech_order source = tech_source(tech);
  if (!source.ops && k->l2.edge_queue)
    source = edge_new(k->l2.edge_queue);
  uint32_t parts = crossbar_parts(g);
  g->partitioner = (struct partitioner){.n = {parts, parts, k->l2.channels, g->nlinks},
                                        .one_memory = source.ops,
                                        .long_windows = k->noc.inject > 1};
  partitioner_init(&g->partitioner, g->parallel.nshards);
  add_sms(g);
  add_scalars(g);
  add_streams(g);
  add_network(g);
  if (k->l1.coherence && k->l2.inclusive && g->sm[0].l1.side_buffer.on) {
    error_set(err, EXIT_USAGE, "l1d.coherence: a directory knows no lines beside an L1 (frc.level)");
    edge_free(&source);
  } else if (add_memory(g, source, err)) {
    gpu_connect(g);
    parallel_ready(&g->parallel);
    gpu_set_windows(g);
    return g;
  }
  gpu_free(g);
  return NULL;
}

void gpu_free(struct gpu *g) {
  if (!g)
    return;
  for (uint32_t i = 0; i < g->k.sms; i++)
    sm_destroy(&g->sm[i]);
  for (uint32_t i = 0; i < g->k.l2.channels; i++)
    partition_destroy(&g->partition[i]);
  if (g->memory_side)
    memory_side_destroy(g->memory_side);
  free(g->memory_side);
  free(g->issued), free(g->queued);
  tech_set_free(g->tech);
  for (uint32_t i = 0; g->link && i < g->nlinks; i++)
    link_destroy(&g->link[i]);
  for (uint32_t i = 0; i < g->nscalars; i++)
    scalar_destroy(&g->scalar[i]);
  for (uint32_t i = 0; i < g->nstreams; i++)
    stream_destroy(&g->stream[i]);
  free(g->stream);
  xbar_destroy(&g->request);
  xbar_destroy(&g->response);
  xbar_destroy(&g->ack);
  for (unsigned i = 0; i < g->parallel.nshards; i++)
    free(g->ended[i].sm);
  parallel_destroy(&g->parallel);
  team_free(g->team);
  partitioner_destroy(&g->partitioner);
  free(g->sm), free(g->partition), free(g->sm_units), free(g->slice_units), free(g->link), free(g->scalar),
      free(g->ends), free(g->link_units), free(g->room), free(g->ended), free(g->in_turn), free(g->place);
  free(g);
}
