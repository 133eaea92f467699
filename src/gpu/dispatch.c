/* What happens between windows: CTAs end, others start; is anything still moving? */
#include "gpu/gpu.h"
#include "l2/prefetch.h"

enum { STALL_STEPS = 50000000 }; /* unit cycles in which nothing moves: longer than any latency */

/* SMs take CTAs in the order of their places (gpu.deal): by number, or the first of each cluster, then the second of each. */
static void set_room(struct gpu *g, uint32_t sm) {
  g->room[g->place[sm] / 64] |= UINT64_C(1) << g->place[sm] % 64;
}

/* What shards have written on other threads of the SMs on which CTAs ended: the host fetches all of it at once, then what that points to. */
static void come_near(const struct gpu *g) {
  enum { STEPS = 3 };
  for (int step = 0; step < STEPS; step++)
    for (unsigned l = 0; l < g->parallel.nshards; l++)
      for (uint32_t i = 0; i < g->ended[l].n; i++) {
        const struct sm *s = &g->sm[g->ended[l].sm[i]];
        if (step == 0)
          sm_dispatch_near(s);
        else if (step == 1)
          __builtin_prefetch(s->done), __builtin_prefetch(s->starting, 1);
        else
          __builtin_prefetch(s->done[0], 1);
      }
}

static void release(struct gpu *g) {
  for (unsigned l = 0; l < g->parallel.nshards; l++) {
    struct sm_ended *e = &g->ended[l];
    for (uint32_t i = 0; i < e->n; i++) {
      struct sm *s = &g->sm[e->sm[i]];
      for (uint32_t k = 0; k < s->ndone; k++) {
        if (g->watch.cta)
          g->watch.cta(g->watch.ctx, s->id, s->done[k]);
        supply_release(g->launch.supply, s->done[k]);
      }
      g->running -= s->ndone;
      s->ndone = 0;
      set_room(g, s->id);
      if (s->done_cycle > g->last_end)
        g->last_end = s->done_cycle;
    }
    e->n = 0;
  }
}

/* The first place at or after `from`, in a circle, whose SM may have room. */
static bool next_with_room(const struct gpu *g, uint32_t from, uint32_t *place) {
  uint32_t words = (g->k.sms + 63) / 64;
  for (uint32_t i = 0; i <= words; i++) {
    uint32_t w = (from / 64 + i) % words;
    uint64_t m = g->room[w];
    if (i == 0)
      m &= UINT64_MAX << from % 64;
    if (!m)
      continue;
    *place = w * 64 + (uint32_t)__builtin_ctzll(m);
    return true;
  }
  return false;
}

/* The launch itself takes a while, and one CTA starts after the other. Both are seen at the end of a window. */
static uint64_t next_start(const struct gpu *g) {
  return g->start + g->k.launch_cycles + (g->started * g->k.cta_interval >> 10);
}

/* CTAs go to the SMs in turn while they fit, one per SM and visit. */
static void start_ctas(struct gpu *g) {
  for (uint32_t i; next_with_room(g, g->next_place, &i);) {
    struct sm *s = &g->sm[g->in_turn[i]];
    if (!sm_fits(s, g->launch.threads, g->launch.registers, g->launch.shared)) {
      g->room[i / 64] &= ~(UINT64_C(1) << i % 64);
      continue;
    }
    uint64_t at = next_start(g);
    if (engine_cycle(s->engine, DOMAIN_CORE) < at) { /* at the end of the window that has the cycle */
      s->engine->asked |= !supply_exhausted(g->launch.supply);
      engine_wake(s->engine, s->unit, at * s->engine->period[DOMAIN_CORE]);
      return;
    }
    struct supply_cta *c = supply_next_cta(g->launch.supply, g->launch.err);
    if (!c)
      return;
    g->started++;
    c->begun = engine_cycle(s->engine, DOMAIN_CORE);
    g->next_place =
        (i + 1) % g->k.sms; /* only with a CTA: how often this is asked without one is not defined */
    g->running++;
    sm_start_cta(s, c, engine_cycle(s->engine, DOMAIN_CORE));
    engine_wake(s->engine, s->unit, s->engine->now + 1);
    if (s->ndone) /* it had nothing to do */
      release(g);
  }
}

void gpu_first_ctas(struct gpu *g) {
  g->running = 0, g->started = 0, g->last_end = g->start + 1;
  g->draining = g->stuck = g->interrupted = false;
  g->watched = parallel_steps(&g->parallel), g->moved = UINT64_MAX;
  for (uint32_t i = 0; i < g->k.sms; i++)
    set_room(g, i);
  supply_hold(g->launch.supply);
  start_ctas(g);
  supply_let_go(g->launch.supply);
  g->parallel.shard[0].asked |= !g->running;
}

/* Sectors that memory sends beside those that were asked for (l2.fetch_bytes): a slice that is emptied for the next launch must not get them. */
static bool sent_beside(const struct gpu *g) {
  for (uint32_t i = 0; g->k.l2.fetch_bytes && i < g->nslices; i++)
    if (cache_mshrs_used(
            g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel].cache))
      return true;
  return false;
}

/* Prefetches may be left when the last CTA has ended, sectors that nobody asked for, lines that stores had fetched (l2.write_miss), what emptying the L1s writes back, and
 * lines that an inclusive L2 takes back from them. */
static bool drained(const struct gpu *g) {
  for (uint32_t i = 0; i < g->k.sms; i++)
    if (!sm_drained(&g->sm[i]))
      return false;
  for (uint32_t i = 0; i < g->nstreams; i++)
    if (!stream_drained(&g->stream[i]))
      return false;
  bool ahead = g->partition[0].slice[0].prefetch;
  for (uint32_t i = 0; (ahead || g->k.l2.write_miss == CACHE_WRITE_AND_FETCH) && i < g->k.l2.channels; i++)
    if (g->partition[i].fetching)
      return false;
  for (uint32_t i = 0; g->k.l2.inclusive && i < g->nslices; i++)
    if (slice_revoking(&g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel]))
      return false;
  return !sent_beside(g);
}

/* The end of a launch empties the L1s. True: that takes time, for dirty lines are written back. */
static bool flush(struct gpu *g) {
  bool any = false;
  for (uint32_t i = 0; i < g->k.sms; i++)
    if (sm_flush(&g->sm[i])) {
      engine_wake(g->sm[i].engine, g->sm[i].unit, g->sm[i].engine->now + 1);
      any = true;
    }
  /* level by level: what the first writes goes into the next */
  for (uint32_t i = 0; i < g->nstreams && !(any && i % g->nlinks == 0); i++)
    if (stream_flush(&g->stream[i])) {
      engine_wake(g->stream[i].engine, g->stream[i].unit, g->stream[i].engine->now + 1);
      any = true;
    }
  for (uint32_t i = 0; !any && !g->k.keep_data && i < g->nslices; i++) {
    struct l2_slice *s = &g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel];
    if (s->directory.on)
      directory_reset(s);
  }
  return any;
}

/* No CTA is left: nobody will ask for lines that slices have not begun to fetch. */
static void drop_prefetches(struct gpu *g) {
  for (uint32_t i = 0; i < g->nslices; i++) {
    struct l2_slice *s = &g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel];
    if (s->prefetch)
      l2_prefetch_ended(s);
  }
}

bool gpu_between_windows(void *gpu) {
  struct gpu *g = gpu;
  if (g->stuck || g->interrupted || tech_broken(g->tech))
    return false;
  if (g->parallel.nthreads > 1)
    come_near(g);
  supply_hold(g->launch.supply);
  release(g);
  start_ctas(g);
  supply_let_go(g->launch.supply);
  if (g->running || !supply_exhausted(g->launch.supply))
    return true;
  if (!g->draining)
    drop_prefetches(g);
  if (drained(g) && !flush(g)) {
    if (g->draining)
      g->last_end = engine_cycle(&g->parallel.shard[0], DOMAIN_CORE);
    return false;
  }
  g->draining = true;
  g->parallel.shard[0].asked = true; /* look again after the next window */
  return true;
}

/* Grows whenever anything moves: instructions, messages, commands. */
static uint64_t motion(const struct gpu *g) {
  uint64_t n = xbar_counts(&g->request).messages + xbar_counts(&g->response).messages;
  for (uint32_t i = 0; i < g->k.sms; i++)
    n += g->sm[i].stats.issued + g->sm[i].stats.latency_count;
  for (uint32_t i = 0; i < g->k.l2.channels; i++)
    n += g->partition[i].moves;
  return n;
}

/* Units that run without getting anywhere are stuck too, as all are with no_skip. */
void gpu_watch_motion(struct gpu *g) {
  uint64_t steps = parallel_steps(&g->parallel);
  if (steps - g->watched < STALL_STEPS)
    return;
  uint64_t now = motion(g);
  g->stuck = now == g->moved;
  g->parallel.shard[0].asked |= g->stuck;
  g->watched = steps;
  g->moved = now;
}
