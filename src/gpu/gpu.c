#include "gpu/gpu.h"
#include "mem/cache.h"
#include <string.h>

enum { STALL_STEPS = 50000000 }; /* unit cycles in which nothing moves: longer than any latency */

uint32_t gpu_slice_of(const struct gpu *g, uint64_t line) {
  return addrmap_slice(&g->k.map, line);
}
void gpu_cta_done(struct gpu *g, struct sm *s) {
  (void)s;
  g->dispatch_wanted = true;
}

enum { LINK_SLOTS = 2 }; /* between an SM and a shared link: enough for a message per cycle */

/* Links the SMs to the networks: straight, or several of them through a shared link. */
static void connect_sms(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  struct engine *e = &g->engine;
  uint64_t noc = e->period[DOMAIN_NOC], core = e->period[DOMAIN_CORE];
  for (uint32_t i = 0; i < g->nlinks; i++) {
    port_init(&g->request.in[i], k->noc_in, sizeof(struct mem_request), 1, core);
    port_init(&g->response.out[i], k->noc_out, sizeof(struct mem_request), noc * k->noc_latency, noc);
  }
  for (uint32_t i = 0; !g->link && i < k->sms; i++) {
    g->sm[i].out = &g->request.in[i];
    g->sm[i].in = &g->response.out[i];
    g->sm[i].out_unit = g->request.unit;
    g->sm[i].in_unit = g->response.unit;
  }
  for (uint32_t i = 0; g->link && i < k->sms; i++) {
    struct link *l = &g->link[i / k->sms_per_link];
    l->out = &g->request.in[i / k->sms_per_link];
    l->in = &g->response.out[i / k->sms_per_link];
    l->out_unit = g->request.unit;
    l->in_unit = g->response.unit;
    l->sm_unit = g->sm_units;
    g->sm[i].out = &l->from[i % k->sms_per_link];
    g->sm[i].in = &l->to[i % k->sms_per_link];
    g->sm[i].out_unit = g->sm[i].in_unit = l->unit;
  }
  g->request.sender = g->response.receiver = g->link ? g->link_units : g->sm_units;
}

static void connect(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  struct engine *e = &g->engine;
  uint64_t noc = e->period[DOMAIN_NOC], l2 = e->period[DOMAIN_L2], latency = noc * k->noc_latency;
  connect_sms(g);
  for (uint32_t i = 0; i < g->nslices; i++) {
    port_init(&g->request.out[i], k->noc_out, sizeof(struct mem_request), latency, noc);
    port_init(&g->response.in[i], k->noc_in, sizeof(struct mem_request), 1, l2);
    struct partition *c = &g->partition[i / k->slices_per_channel];
    struct l2_slice *s = &c->slice[i % k->slices_per_channel];
    s->in = &g->request.out[i];
    s->out = &g->response.in[i];
    c->request_unit = g->request.unit;
    c->response_unit = g->response.unit;
  }
  g->request.receiver = g->response.sender = g->slice_units;
}

/* The GPU's sizes, as techniques know them. */
static bool describe(const struct gpu_config *k, struct sluice_env *env, struct error *err) {
  struct dram_device d;
  if (!dram_device_load(&d, k->dram_device, err))
    return false;
  *env = (struct sluice_env){.sms = k->sms,
                             .warps = k->warps,
                             .slices = k->channels * k->slices_per_channel,
                             .channels = k->channels,
                             .banks = d.ranks * d.bank_groups * d.banks,
                             .lines_per_row = (uint32_t)(d.columns * d.transaction / MEM_LINE),
                             .l1_sets = k->l1d.sets,
                             .l1_lines = k->l1d.sets * k->l1d.ways,
                             .l2_sets = k->l2.sets,
                             .l2_lines = k->l2.sets * k->l2.ways};
  return true;
}

/* A channel is a unit, or all of them are one when a technique stands between L2 and memory. */
static void add_memory(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  struct tech_order source = tech_source(g->tech);
  uint32_t u = 0;
  if (source.ops) {
    g->memside = xcalloc(1, sizeof *g->memside);
    memside_init(g->memside, g->partition, k->channels, source);
    u = engine_add(&g->engine, "memory", DOMAIN_L2, g->memside, memside_cycle);
  }
  for (uint32_t i = 0; i < k->channels; i++) {
    if (!source.ops)
      u = engine_add(&g->engine, "channel", DOMAIN_L2, &g->partition[i], partition_cycle);
    for (uint32_t s = 0; s < k->slices_per_channel; s++)
      g->slice_units[i * k->slices_per_channel + s] = u;
  }
}

struct gpu *gpu_new(const struct gpu_config *k, const struct conf *c, struct error *err) {
  struct sluice_env env;
  if (!describe(k, &env, err))
    return NULL;
  struct tech_set *tech = tech_set_new(c, &env, err);
  if (!tech)
    return NULL;
  struct gpu *g = xcalloc(1, sizeof *g);
  g->k = *k;
  g->tech = tech;
  g->next_tick = tech_next_tick(tech);
  engine_init(&g->engine, (const uint64_t[]){k->core_mhz, k->noc_mhz, k->l2_mhz, k->dram_mhz},
              ENGINE_DOMAINS);
  g->nslices = k->channels * k->slices_per_channel;
  g->sm = xcalloc(k->sms, sizeof *g->sm);
  g->partition = xcalloc(k->channels, sizeof *g->partition);
  g->sm_units = xcalloc(k->sms, sizeof *g->sm_units);
  g->slice_units = xcalloc(g->nslices, sizeof *g->slice_units);
  g->issued = xcalloc(k->sms, sizeof *g->issued);
  g->queued = xcalloc(g->nslices, sizeof *g->queued);
  g->nlinks = (k->sms + k->sms_per_link - 1) / k->sms_per_link;
  xbar_init(&g->request, &g->engine, DOMAIN_NOC, g->nlinks, g->nslices, false, k->flit_bytes[0]);
  xbar_init(&g->response, &g->engine, DOMAIN_NOC, g->nslices, g->nlinks, true, k->flit_bytes[1]);
  g->request.allocator = g->response.allocator = k->allocator;
  g->response.sms_per_link = k->sms_per_link;
  if (k->allocator == NOC_ISLIP) {
    xbar_use_islip(&g->request, k->noc_iterations, k->noc_in);
    xbar_use_islip(&g->response, k->noc_iterations, k->noc_in);
  }
  bool ok = true;
  for (uint32_t i = 0; i < k->sms; i++) {
    sm_init(&g->sm[i], g, &g->k, i);
    g->sm[i].engine = &g->engine;
    g->sm_units[i] = g->sm[i].unit = engine_add(&g->engine, "sm", DOMAIN_CORE, &g->sm[i], sm_cycle);
  }
  if (k->sms_per_link > 1) {
    g->link = xcalloc(g->nlinks, sizeof *g->link);
    g->link_units = xcalloc(g->nlinks, sizeof *g->link_units);
  }
  for (uint32_t i = 0; g->link && i < g->nlinks; i++) {
    uint32_t first = i * k->sms_per_link, left = k->sms - first;
    link_init(&g->link[i], &g->engine, DOMAIN_CORE, first, left < k->sms_per_link ? left : k->sms_per_link,
              LINK_SLOTS);
    g->link_units[i] = g->link[i].unit = engine_add(&g->engine, "link", DOMAIN_CORE, &g->link[i], link_cycle);
  }
  g->request.unit = engine_add(&g->engine, "request network", DOMAIN_NOC, &g->request, xbar_cycle);
  g->response.unit = engine_add(&g->engine, "response network", DOMAIN_NOC, &g->response, xbar_cycle);
  for (uint32_t i = 0; i < k->channels; i++)
    ok = ok &&
         partition_init(&g->partition[i], &g->engine, &g->k, g->tech, i, g->engine.period[DOMAIN_DRAM], err);
  if (ok) {
    add_memory(g);
    connect(g);
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
  for (uint32_t i = 0; i < g->k.channels; i++)
    partition_destroy(&g->partition[i]);
  if (g->memside)
    memside_destroy(g->memside);
  free(g->memside);
  free(g->issued), free(g->queued);
  tech_set_free(g->tech);
  for (uint32_t i = 0; g->link && i < g->nlinks; i++)
    link_destroy(&g->link[i]);
  xbar_destroy(&g->request);
  xbar_destroy(&g->response);
  engine_destroy(&g->engine);
  free(g->sm), free(g->partition), free(g->sm_units), free(g->slice_units), free(g->link),
      free(g->link_units);
  free(g);
}

/* CTAs go to the SMs in turn while they fit, one per SM and visit. */
static void dispatch(struct gpu *g) {
  uint64_t tick = g->engine.now;
  uint32_t refused = 0;
  while (refused < g->k.sms) {
    struct sm *s = &g->sm[g->next_sm];
    g->next_sm = (g->next_sm + 1) % g->k.sms;
    if (!sm_fits(s, g->threads, g->registers, g->shared)) {
      refused++;
      continue;
    }
    struct feed_cta *c = feed_next_cta(g->feed, g->err);
    if (!c)
      break;
    refused = 0;
    s->now = engine_cycle(&g->engine, DOMAIN_CORE);
    sm_start_cta(s, c, g->threads, g->registers, g->shared);
    engine_wake(&g->engine, s->unit, tick + 1);
  }
  g->dispatch_wanted = false;
}

/* Grows whenever anything moves: instructions, messages, commands. */
static uint64_t motion(const struct gpu *g) {
  uint64_t n = g->request.messages + g->response.messages;
  for (uint32_t i = 0; i < g->k.sms; i++)
    n += g->sm[i].stats.issued + g->sm[i].stats.latency_count;
  for (uint32_t i = 0; i < g->k.channels; i++)
    n += g->partition[i].moves;
  return n;
}

/* The instant of the techniques' next serial decision. */
static uint64_t tick_due(const struct gpu *g) {
  return g->next_tick == NEVER ? NEVER : g->next_tick * g->engine.period[DOMAIN_CORE];
}

/* What techniques that decide for the whole GPU may know of it. */
static struct sluice_state state_of(struct gpu *g, uint64_t tick) {
  uint64_t p = g->engine.period[DOMAIN_L2], l2 = (tick + p - 1) / p;
  for (uint32_t i = 0; i < g->k.sms; i++)
    g->issued[i] = g->sm[i].stats.thread_issued;
  for (uint32_t i = 0; i < g->nslices; i++)
    g->queued[i] =
        slice_queued(&g->partition[i / g->k.slices_per_channel].slice[i % g->k.slices_per_channel], l2);
  return (struct sluice_state){.sms = g->k.sms,
                               .slices = g->nslices,
                               .issued = g->issued,
                               .queued = g->queued,
                               .buffer = g->k.l2_in,
                               .l2_cycle = l2};
}

/* Everything before it is simulated, nothing of it. */
static void decide(struct gpu *g) {
  struct sluice_state state = state_of(g, tick_due(g));
  tech_tick(g->tech, &state, g->next_tick);
  g->next_tick = tech_next_tick(g->tech);
}

static bool drained(const struct gpu *g) {
  for (uint32_t i = 0; i < g->k.sms; i++)
    if (!sm_drained(&g->sm[i]))
      return false;
  return true;
}

/* The end of a launch empties the L1s. True: that takes time, for dirty lines are written back. */
static bool flush(struct gpu *g) {
  bool any = false;
  for (uint32_t i = 0; i < g->k.sms; i++)
    if (sm_flush(&g->sm[i])) {
      engine_wake(&g->engine, g->sm[i].unit, g->engine.now + 1);
      any = true;
    }
  return any;
}

/* Brings the counters of all units to the end of a core cycle of the launch. */
static void settle(struct gpu *g, uint64_t age) {
  uint64_t cycle = g->start + age, tick = cycle * g->engine.period[DOMAIN_CORE];
  for (uint32_t i = 0; i < g->k.sms; i++)
    sm_settle(&g->sm[i], cycle + 1);
  for (uint32_t i = 0; i < g->k.channels; i++)
    dram_advance(g->partition[i].dram, tick / g->engine.period[DOMAIN_DRAM]);
}

static void pause(struct gpu *g, uint64_t age) {
  settle(g, age);
  g->cycles += age;
  g->watch.pause(g->watch.ctx, age);
  g->cycles -= age;
}

bool gpu_run(struct gpu *g, struct exec *x, const struct kernel_info *info, const struct launch *l,
             struct functional_machine *told, unsigned warp_width, uint64_t max_cycles, struct error *err) {
  g->threads = l->block[0] * l->block[1] * l->block[2];
  uint32_t per_thread = (info->registers + g->k.register_unit - 1) / g->k.register_unit * g->k.register_unit;
  g->registers = per_thread * g->threads;
  g->shared = info->static_shared + l->dynamic_shared;
  g->width = warp_width, g->wide = warp_width > 32;
  g->err = err;
  g->feed = feed_open(x, told, (g->threads + warp_width - 1) / warp_width, warp_width);
  if (!sm_fits(&g->sm[0], g->threads, g->registers, g->shared)) {
    error_set(err, EXIT_USAGE,
              "a block of '%s' (%u threads, %u registers, %llu bytes of shared memory) does not fit an SM",
              info->name, g->threads, g->registers, (unsigned long long)g->shared);
    feed_close(g->feed);
    return false;
  }
  uint64_t start = g->start = engine_cycle(&g->engine, DOMAIN_CORE), period = g->engine.period[DOMAIN_CORE];
  uint64_t until = max_cycles ? (start + max_cycles) * period : NEVER;
  uint64_t age = g->watch.pause ? g->watch.every : 0; /* of the launch at the next pause */
  bool ok = true;
  struct sluice_state state = state_of(g, g->engine.now);
  tech_launch(g->tech, &state, start);
  dispatch(g);
  uint64_t watched = g->engine.steps, moved = UINT64_MAX;
  while (ok && !feed_failed(g->feed)) {
    uint64_t due = tick_due(g), look = age ? (start + age) * period + 1 : NEVER;
    uint64_t stop = due < look ? due : look;
    if (!engine_step(&g->engine, stop < until ? stop : until)) {
      if (stop < until && engine_next(&g->engine) != NEVER) {
        if (due <= look) {
          decide(g);
          continue;
        }
        pause(g, age);
        age += g->watch.every;
        continue;
      }
      if (drained(g) && feed_exhausted(g->feed)) {
        if (flush(g))
          continue;
        break;
      }
      if (engine_next(&g->engine) != NEVER) {
        ok = error_set(err, EXIT_STALL, "kernel '%s' was cut off at the limit of %llu cycles (--max-cycles)",
                       info->name, (unsigned long long)max_cycles);
        break;
      }
      ok = error_set(err, EXIT_STALL, "the GPU makes no progress in cycle %llu",
                     (unsigned long long)engine_cycle(&g->engine, DOMAIN_CORE));
      break;
    }
    /* units that run without getting anywhere are stuck too, as all are with no_skip */
    if (g->engine.steps - watched > STALL_STEPS) {
      uint64_t now = motion(g);
      if (now == moved) {
        ok = error_set(err, EXIT_STALL, "the GPU makes no progress in cycle %llu",
                       (unsigned long long)engine_cycle(&g->engine, DOMAIN_CORE));
        break;
      }
      watched = g->engine.steps;
      moved = now;
    }
    if (g->watch.progress && !(g->engine.steps & 0x3fff))
      g->watch.progress(g->watch.ctx, engine_cycle(&g->engine, DOMAIN_CORE) - start);
    if (g->dispatch_wanted)
      dispatch(g);
    if (!g->dispatch_wanted && feed_exhausted(g->feed) && drained(g) && !flush(g))
      break;
  }
  ok = ok && !feed_failed(g->feed);
  g->cycles += engine_cycle(&g->engine, DOMAIN_CORE) - start;
  for (uint32_t i = 0; i < g->k.channels; i++)
    dram_advance(g->partition[i].dram, g->engine.now / g->engine.period[DOMAIN_DRAM]);
  feed_close(g->feed);
  g->feed = NULL;
  return ok;
}
