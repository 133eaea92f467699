/* A launch on the machine. */
#include "gpu/gpu.h"
#include "base/rescue.h"
#include "base/stop.h"
#include "front/functional.h"
#include <stdio.h>
#include <string.h>

enum { LOOK_CYCLES = 1 << 14 }; /* from one look at how it gets on to the next */

/* What techniques that decide for the whole GPU may know of it. */
static struct sluice_state state_of(struct gpu *g, uint64_t tick) {
  uint64_t p = g->parallel.shard[0].period[DOMAIN_L2], l2 = (tick + p - 1) / p;
  for (uint32_t i = 0; i < g->k.sms; i++)
    g->issued[i] = g->sm[i].stats.thread_issued;
  for (uint32_t i = 0; i < g->nslices; i++)
    g->queued[i] =
        slice_queued(&g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel], l2);
  return (struct sluice_state){.size = sizeof(struct sluice_state),
                               .sms = g->k.sms,
                               .slices = g->nslices,
                               .issued = g->issued,
                               .queued = g->queued,
                               .buffer = g->k.l2.in,
                               .l2_cycle = l2};
}

/* Their serial decisions: everything before is simulated, nothing of this cycle. Returns the next one's. */
static uint64_t decide(void *gpu, uint64_t tick) {
  struct gpu *g = gpu;
  struct sluice_state state = state_of(g, tick);
  tech_tick(g->tech, &state, g->next_tick);
  g->next_tick = tech_next_tick(g->tech);
  return g->next_tick == NEVER ? NEVER : g->next_tick * g->parallel.shard[0].period[DOMAIN_CORE];
}

/* Brings the counters of all units to the end of a core cycle of the launch. */
static void settle(struct gpu *g, uint64_t age) {
  const struct engine *e = &g->parallel.shard[0];
  uint64_t cycle = g->start + age, tick = cycle * e->period[DOMAIN_CORE];
  for (uint32_t i = 0; i < g->k.sms; i++) {
    sm_start_pending(&g->sm[i]);
    sm_settle(&g->sm[i], cycle + 1);
  }
  for (uint32_t i = 0; i < g->k.l2.channels; i++)
    partition_settle(&g->partition[i], tick / e->period[DOMAIN_L2], tick / e->period[DOMAIN_DRAM]);
  xbar_settle(&g->request, tick / e->period[DOMAIN_NOC]);
  xbar_settle(&g->response, tick / e->period[DOMAIN_NOC]);
}

static uint64_t age_at(const struct gpu *g, uint64_t tick) {
  return tick / g->parallel.shard[0].period[DOMAIN_CORE] - g->start;
}

/* Does somebody want the launch to end: a signal, a callback? */
static void look_for_end(struct gpu *g) {
  g->interrupted = stop_asked() != 0 || (g->watch.cancelled && *g->watch.cancelled);
  g->parallel.shard[0].asked |= g->interrupted;
}

static uint64_t pause(void *gpu, uint64_t tick) {
  struct gpu *g = gpu;
  uint64_t age = age_at(g, tick);
  settle(g, age);
  g->cycles += age;
  g->watch.pause(g->watch.ctx, age);
  g->cycles -= age;
  look_for_end(g);
  return tick + g->watch.every * g->parallel.shard[0].period[DOMAIN_CORE];
}

static uint64_t look(void *gpu, uint64_t tick) {
  struct gpu *g = gpu;
  gpu_watch_motion(g);
  if (g->watch.progress)
    g->watch.progress(g->watch.ctx, age_at(g, tick));
  look_for_end(g);
  return tick + LOOK_CYCLES * g->parallel.shard[0].period[DOMAIN_CORE];
}

static void set_points(struct gpu *g) {
  uint64_t period = g->parallel.shard[0].period[DOMAIN_CORE];
  parallel_forget(&g->parallel);
  if (g->next_tick != NEVER)
    parallel_point(&g->parallel, g->next_tick * period, decide, g);
  if (g->watch.pause && g->watch.every) /* after the cycle: a tick later */
    parallel_point(&g->parallel, (g->start + g->watch.every) * period + 1, pause, g);
  parallel_point(&g->parallel, (g->start + LOOK_CYCLES) * period, look, g);
}

static bool no_progress(const struct gpu *g, struct error *err) {
  error_set(err, EXIT_STALL, "the GPU makes no progress in cycle %llu",
            (unsigned long long)engine_cycle(&g->parallel.shard[0], DOMAIN_CORE));
  gpu_explain(g, err);
  return false;
}

/* A technique did what it must not: which, at which unit, when. */
static bool mistake(const struct gpu *g, const struct tech_guard *m, const char *unit, uint32_t number,
                    const void *hook, struct error *err) {
  if (!m->what)
    return false;
  const struct sluice_technique *t = NULL;
  for (size_t i = 0; (t = tech_chosen(g->tech, i)); i++)
    if (t->l1_order == hook || t->l2_order == hook || t->source == hook || t->fill_buffer == hook ||
        t->allocator == hook)
      break;
  const char *file = t ? tech_file(t) : NULL;
  char request[32] = "";
  if (m->handle != SLUICE_NONE)
    snprintf(request, sizeof request, " (handle %u)", m->handle);
  error_set(err, EXIT_USAGE, "technique '%s'%s%s%s made a mistake at %s %u in cycle %llu: %s%s",
            t ? t->name : "?", file ? " (--plugin " : "", file ? file : "", file ? ")" : "", unit, number,
            (unsigned long long)m->cycle, m->what, request);
  return true;
}

static bool broken(const struct gpu *g, struct error *err) {
  for (uint32_t i = 0; i < g->k.sms; i++)
    if (mistake(g, &g->sm[i].l1.guard, "the L1 of SM", i, g->sm[i].l1.order.ops, err))
      return false;
  for (uint32_t i = 0; i < g->nslices; i++) {
    const struct l2_slice *s =
        &g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel];
    const void *hook = s->guard.handle == SLUICE_NONE ? (const void *)s->side_buffer.fill : s->order.ops;
    if (mistake(g, &s->guard, "L2 slice", i, hook, err))
      return false;
  }
  const struct xbar *const x[] = {&g->request, &g->response};
  const struct sluice_technique *t = tech_with_allocator(g->tech);
  for (uint32_t i = 0; t && i < 2; i++)
    if (mistake(g, xbar_guard(x[i]), "crossbar", i, t->allocator, err))
      return false;
  if (g->memory_side)
    mistake(g, &g->memory_side->guard, "the memory source, unit", 0, g->memory_side->source.ops, err);
  return false;
}

/* The counters of all units to the limit, asleep or not, with what warps wait for. */
static void cut_off(struct gpu *g, uint64_t max_cycles) {
  settle(g, max_cycles);
  for (uint32_t i = 0; i < g->k.sms; i++)
    stall_cut(&g->sm[i], g->start + max_cycles);
  g->cycles += max_cycles;
}

/* The same to the end of the launch, or (not ok) as far as it got. Memory counts to the last cycle of the window in which the
 * launch ended, whether it had something to do in it or not. */
static void ended(struct gpu *g, uint64_t end) {
  const struct engine *e = &g->parallel.shard[0];
  for (uint32_t i = 0; i < g->k.sms; i++) {
    sm_start_pending(&g->sm[i]);
    sm_settle(&g->sm[i], 0);
  }
  for (uint32_t i = 0; i < g->k.l2.channels; i++)
    partition_settle(&g->partition[i], engine_cycle(e, DOMAIN_L2), engine_cycle(e, DOMAIN_DRAM));
  xbar_settle(&g->request, engine_cycle(e, DOMAIN_NOC));
  xbar_settle(&g->response, engine_cycle(e, DOMAIN_NOC));
  g->cycles += end - g->start;
}

static bool simulate(struct gpu *g, const struct kernel_info *info, struct functional_machine *told,
                     uint64_t max_cycles, struct error *err) {
  /* cycle `start` is before the launch; the last one is simulated as well */
  uint64_t until =
      max_cycles ? (g->start + max_cycles) * g->parallel.shard[0].period[DOMAIN_CORE] + 1 : NEVER;
  if (g->parallel.profiler)
    profiler_lap(g->parallel.profiler);
  gpu_first_ctas(g);
  set_points(g);
  enum parallel_end how =
      parallel_run(&g->parallel, until, gpu_between_windows, g, supply_failure(g->launch.supply));
  if (supply_failed(g->launch.supply))
    return false;
  if (tech_broken(g->tech))
    return broken(g, err);
  if (parallel_fault(&g->parallel)) /* on another thread */
    rescue_raise(g->parallel.fault.cause, g->parallel.fault.text);
  if (g->interrupted)
    return stop_check(err) && functional_cancelled(told, err);
  told->cut = how == PARALLEL_LIMIT;
  if (told->cut)
    return error_set(err, EXIT_STALL, "kernel '%s' was cut off at the limit of %llu cycles (--max-cycles)",
                     info->name, (unsigned long long)max_cycles);
  return how == PARALLEL_STOPPED && !g->stuck ? true : no_progress(g, err);
}

static struct supply *open_supply(struct gpu *g, struct exec *x, const struct launch *l);

/* The launch that runs has been executed to its end: the next one is, from here on. */
static void executed(void *gpu) {
  struct gpu *g = gpu;
  struct functional_next n;
  if (!g->told->next || !g->told->next(g->told->ctx, &n))
    return;
  g->ahead.x = n.x;
  __atomic_store_n(&g->ahead.supply, open_supply(g, n.x, n.l),
                   __ATOMIC_RELEASE); /* see executes() in build.c */
}

static struct supply *open_supply(struct gpu *g, struct exec *x, const struct launch *l) {
  uint32_t threads = l->block[0] * l->block[1] * l->block[2], width = g->launch.width;
  struct supply_options o = {.told = g->told,
                             .nwarps = (threads + width - 1) / width,
                             .warp_width = width,
                             .params = g->k.l1.c_params,
                             .core = &g->k.core,
                             .numbers = &g->work,
                             .mode = g->mode,
                             .team = g->team,
                             .profiler = g->parallel.profiler,
                             .executed = executed,
                             .ctx = g};
  struct supply *f = supply_open(x, &o);
  supply_delay(f, g->delays);
  return f;
}

void gpu_forget_next(struct gpu *g) {
  supply_close(g->ahead.supply); /* whose thread may open another, of the launch after it */
  g->ahead = (struct gpu_ahead){0};
}

/* The supply of a launch, which may be there already. */
static struct supply *supply_of(struct gpu *g, struct exec *x, const struct launch *l) {
  struct supply *f = g->ahead.x == x ? g->ahead.supply : NULL;
  if (f)
    g->ahead = (struct gpu_ahead){0};
  else
    f = open_supply(g, x, l);
  supply_runs(f);
  return f;
}

bool gpu_run(struct gpu *g, struct exec *x, const struct kernel_info *info, const struct launch *l,
             struct functional_machine *told, unsigned warp_width, uint64_t max_cycles, struct error *err) {
  g->launch.number++;
  bool cold = g->k.l2.cold_launches || (g->launch.number == 1 && !g->k.l2.warm);
  g->launch.code_cycles = cold ? g->k.code_cycles : 0;
  g->launch.code_interval = g->k.code_interval;
  g->launch.threads = l->block[0] * l->block[1] * l->block[2];
  g->occupancy = occupancy_of(&g->k, info, l, warp_width);
  g->launch.register_room = g->occupancy.register_room;
  g->launch.registers = g->occupancy.registers;
  g->launch.shared = g->occupancy.shared;
  g->launch.width = warp_width, g->launch.wide = warp_width > 32;
  g->launch.err = err;
  if (!sm_fits(&g->sm[0], g->launch.threads, g->launch.registers, g->launch.shared))
    return error_set(
        err, EXIT_USAGE,
        "a block of '%s' (%u threads, %u registers, %llu bytes of shared memory) does not fit an SM",
        info->name, g->launch.threads, g->launch.registers, (unsigned long long)g->launch.shared);
  g->told = told;
  g->launch.supply = supply_of(g, x, l);
  g->start = engine_cycle(&g->parallel.shard[0], DOMAIN_CORE);
  struct sluice_state state = state_of(g, g->start * g->parallel.shard[0].period[DOMAIN_CORE]);
  tech_launch(g->tech, &state, g->start);
  g->launches++;
  bool ok = simulate(g, info, told, max_cycles, err);
  parallel_settle(&g->parallel);
  if (told->cut)
    cut_off(g, max_cycles);
  else
    ended(g, ok ? g->last_end : engine_cycle(&g->parallel.shard[0], DOMAIN_CORE));
  supply_close(g->launch.supply);
  g->launch.supply = NULL;
  return ok;
}
