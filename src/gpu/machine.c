#include "gpu/machine.h"
#include "gpu/gpu.h"
#include "mem/cache.h"
#include <string.h>

/* X(field, name, unit, definition): totals over all units; a launch's are differences of two snapshots. */
#define GPU_COUNTERS(X)                                                                                      \
  X(cycles, "gpu.cycles", "cycles",                                                                          \
    "Core cycles from the first CTA's dispatch to the last one's end, summed over launches.")                \
  X(issued, "sm.issued", "instructions", "Warp instructions issued by the schedulers.")                      \
  X(thread_issued, "sm.thread_issued", "instructions", "The same, weighted by active lanes.")                \
  X(more_issued, "sm.more_issued", "instructions",                                                           \
    "Of sm.issued, those beyond the first of a scheduler in a cycle (sm.issue_width).")                      \
  X(active_cycles, "sm.active_cycles", "cycles", "Cycles with a CTA resident, summed over SMs.")             \
  X(ctas_done, "sm.ctas", "CTAs", "CTAs completed.")                                                         \
  X(stall_scoreboard, "stall.scoreboard", "cycles",                                                          \
    "Scheduler cycles in which all warps waited for registers or barriers.")                                 \
  X(stall_pipe, "stall.pipe", "cycles",                                                                      \
    "Scheduler cycles in which warps were ready and their pipelines busy.")                                  \
  X(stall_idle, "stall.idle", "cycles", "Scheduler cycles without a warp, on an SM with a CTA.")             \
  X(stall_l1, "stall.l1", "cycles", "Cycles in which the L1 refused the load/store unit's access.")          \
  X(shared_cycles, "sm.shared_cycles", "cycles", "Cycles shared memory was busy.")                           \
  X(l1d_accesses, "l1d.accesses", "accesses", "Line accesses the L1 data caches accepted.")                  \
  X(l1d_hits, "l1d.hits", "accesses", "Of those, found.")                                                    \
  X(l1d_misses, "l1d.misses", "accesses",                                                                    \
    "Of those, not found; stores that go through count by whether the line was there.")                      \
  X(l1d_merges, "l1d.merges", "accesses", "Of those, joined to a miss under way.")                           \
  X(l1d_fail_ways, "l1d.reservation_fails.ways", "times",                                                    \
    "Attempts refused because every way of the set was reserved.")                                           \
  X(l1d_fail_mshr, "l1d.reservation_fails.mshr", "times", "Attempts refused for want of a miss register.")   \
  X(l1d_fail_merge, "l1d.reservation_fails.merge", "times",                                                  \
    "Attempts refused because a miss register was full.")                                                    \
  X(l1d_fail_queue, "l1d.reservation_fails.queue", "times",                                                  \
    "Attempts refused because the miss queue was full.")                                                     \
  X(l1c_accesses, "l1c.accesses", "accesses", "Line accesses of the constant caches.")                       \
  X(l1c_misses, "l1c.misses", "accesses", "Of those, not found.")                                            \
  X(requests, "noc.requests", "messages", "Requests the SMs sent.")                                          \
  X(request_flits, "noc.request_flits", "flits", "Flits of the request network.")                            \
  X(response_flits, "noc.response_flits", "flits", "Flits of the response network.")                         \
  X(noc_wait, "noc.wait_cycles", "cycles",                                                                   \
    "Cycles messages waited at the head of a network input or of a shared link, both networks.")             \
  X(l2_accesses, "l2.accesses", "accesses", "Sector accesses the L2 accepted.")                              \
  X(l2_hits, "l2.hits", "accesses", "Of those, found.")                                                      \
  X(l2_misses, "l2.misses", "accesses", "Of those, not found.")                                              \
  X(l2_merges, "l2.merges", "accesses", "Of those, joined to a miss under way.")                             \
  X(l2_stall, "stall.l2", "cycles", "Cycles the request at the head of an L2 slice waited to be looked up.") \
  X(latency_sum, "latency.sum", "cycles",                                                                    \
    "Core cycles from request to answer, summed over reads of the SMs.")                                     \
  X(latency_count, "latency.count", "requests", "Reads answered to the SMs.")

struct totals {
#define X(field, name, unit, help) uint64_t field;
  GPU_COUNTERS(X)
#undef X
};

static const struct stat_row rows[] = {
#define X(field, name, unit, help) {name, STAT_U64, unit, help},
    GPU_COUNTERS(X)
#undef X
        {"ipc", STAT_F64, "instructions/cycle", "Thread instructions per core cycle."},
    {"l1d.hit_rate", STAT_F64, "", "l1d.hits / l1d.accesses."},
    {"l2.hit_rate", STAT_F64, "", "l2.hits / l2.accesses."},
    {"latency.mean", STAT_F64, "cycles",
     "Mean core cycles from a read's departure from the SM to its answer."},
};
const struct stat_table gpu_stats = {"GPU", rows, sizeof rows / sizeof *rows};

struct machine {
  struct functional_machine m; /* first */
  struct gpu *gpu;
  struct machine_options o;
  struct totals before;
  unsigned width;
};

static struct totals take(const struct gpu *g) {
  struct totals t = {.cycles = g->cycles};
  for (uint32_t i = 0; i < g->k.sms; i++) {
    const struct sm *s = &g->sm[i];
    const struct cache_stats *d = cache_stats(s->l1d), *c = cache_stats(s->l1c);
    t.issued += s->stats.issued, t.thread_issued += s->stats.thread_issued,
        t.active_cycles += s->stats.active_cycles, t.more_issued += s->stats.more_issued;
    t.ctas_done += s->stats.ctas, t.stall_scoreboard += s->stats.stall_scoreboard,
        t.stall_pipe += s->stats.stall_pipe;
    t.stall_idle += s->stats.idle_cycles, t.stall_l1 += s->stats.l1_stall_cycles,
        t.shared_cycles += s->stats.shared_cycles;
    t.l1d_accesses += d->accesses, t.l1d_hits += d->hits, t.l1d_misses += d->misses,
        t.l1d_merges += d->merges;
    t.l1d_fail_ways += d->fails[CACHE_FAIL_WAYS], t.l1d_fail_mshr += d->fails[CACHE_FAIL_MSHR];
    t.l1d_fail_merge += d->fails[CACHE_FAIL_MERGE], t.l1d_fail_queue += d->fails[CACHE_FAIL_QUEUE];
    t.l1c_accesses += c->accesses, t.l1c_misses += c->misses;
    t.requests += s->stats.requests, t.latency_sum += s->stats.latency_sum,
        t.latency_count += s->stats.latency_count;
  }
  t.request_flits = g->request.flits, t.response_flits = g->response.flits;
  t.noc_wait = g->request.wait_cycles + g->response.wait_cycles;
  for (uint32_t i = 0; g->link && i < g->nlinks; i++)
    t.noc_wait += g->link[i].wait_cycles;
  for (uint32_t i = 0; i < g->k.channels; i++)
    for (uint32_t k = 0; k < g->k.slices_per_channel; k++) {
      const struct l2_stats *s = &g->partition[i].slice[k].stats;
      t.l2_accesses += s->accesses, t.l2_hits += s->hits, t.l2_misses += s->misses, t.l2_merges += s->merges,
          t.l2_stall += s->stall_cycles;
    }
  return t;
}

static void put(const struct totals *t, struct stats *s) {
  stats_put_u64(s, "cycles", t->cycles);
#define X(field, name, unit, help) stats_put_u64(s, name, t->field);
  GPU_COUNTERS(X)
#undef X
  if (t->cycles)
    stats_put_f64(s, "ipc", (double)t->thread_issued / (double)t->cycles);
  if (t->l1d_accesses)
    stats_put_f64(s, "l1d.hit_rate", (double)t->l1d_hits / (double)t->l1d_accesses);
  if (t->l2_accesses)
    stats_put_f64(s, "l2.hit_rate", (double)t->l2_hits / (double)t->l2_accesses);
  if (t->latency_count)
    stats_put_f64(s, "latency.mean", (double)t->latency_sum / (double)t->latency_count);
}

/* What must hold at the end of every launch; a violated law is an error, not a warning. */
static bool laws_hold(const struct gpu *g, const struct totals *t, struct error *err) {
  bool ok = true;
#define LAW(condition, text)                                                                                 \
  if (!(condition))                                                                                          \
  ok = error_add(err, EXIT_RUNTIME, "conservation law violated: " text)
  LAW(t->l1d_accesses == t->l1d_hits + t->l1d_misses + t->l1d_merges,
      "L1 accesses are not hits + misses + merges");
  LAW(t->l2_accesses == t->l2_hits + t->l2_misses + t->l2_merges,
      "L2 accesses are not hits + misses + merges");
  for (uint32_t i = 0; i < g->k.sms; i++) {
    LAW(!cache_mshrs_used(g->sm[i].l1d) && !cache_mshrs_used(g->sm[i].l1c),
        "a miss of an L1 was never answered");
    LAW(port_empty(g->sm[i].in) && port_empty(g->sm[i].out), "a message was left in the network");
  }
  LAW(g->request.messages == g->response.messages, "requests and answers differ in number");
  LAW(t->requests == g->request.messages, "requests sent and carried differ in number");
#undef LAW
  return ok;
}

static bool run(struct functional_machine *self, struct exec *x, const struct kernel_info *k,
                const struct launch *l, struct error *err) {
  struct machine *m = (struct machine *)self;
  m->before = take(m->gpu);
  if (!gpu_run(m->gpu, x, k, l, self, m->width, m->o.max_cycles, err))
    return false;
  struct totals t = take(m->gpu);
  return laws_hold(m->gpu, &t, err);
}

static void put_launch(struct functional_machine *self, struct stats *s) {
  struct machine *m = (struct machine *)self;
  struct totals t = take(m->gpu);
#define X(field, name, unit, help) t.field -= m->before.field;
  GPU_COUNTERS(X)
#undef X
  put(&t, s);
}

static void put_total(struct functional_machine *self, struct stats *s) {
  struct machine *m = (struct machine *)self;
  struct dram_counters sum = {0}, one;
  for (uint32_t i = 0; i < m->gpu->k.channels; i++) {
    dram_counters(m->gpu->partition[i].dram, &one);
    dram_counters_add(&sum, &one);
  }
  struct dram_device device;
  struct error ignored = {0};
  if (dram_device_load(&device, m->gpu->k.dram_device, &ignored))
    dram_counters_put(&sum, &device, sum.cycles, s);
  error_clear(&ignored);
  struct totals t = take(m->gpu);
  put(&t, s);
}

/* Buffers were copied from the host just before: the L2 holds the end of them, clean. */
static void warm(struct functional_machine *self, const struct devmem *mem) {
  struct machine *m = (struct machine *)self;
  if (!m->gpu->k.l2_warm)
    return;
  for (size_t i = 0; i < devmem_count(mem); i++) {
    const struct devbuf *b = devmem_at(mem, i);
    if (b->freed)
      continue;
    uint64_t first = b->addr / MEM_LINE * MEM_LINE,
             capacity = (uint64_t)m->gpu->k.l2.sets * m->gpu->k.l2.ways * MEM_LINE * m->gpu->nslices * 4;
    uint64_t end = b->addr + b->size;
    if (end - first > capacity)
      first = (end - capacity) / MEM_LINE * MEM_LINE; /* what lies before would be gone again */
    for (uint64_t a = first; a < end; a += MEM_LINE) {
      uint32_t s = gpu_slice_of(m->gpu, a);
      partition_warm(&m->gpu->partition[s / m->gpu->k.slices_per_channel], s % m->gpu->k.slices_per_channel,
                     a);
    }
  }
}

struct functional_machine *machine_new(const struct conf *c, const struct machine_options *o,
                                       struct error *err) {
  struct gpu_config k;
  if (!gpu_config_read(&k, c, err))
    return NULL;
  struct machine *m = xcalloc(1, sizeof *m);
  m->gpu = gpu_new(&k, c, err);
  if (!m->gpu) {
    free(m);
    return NULL;
  }
  m->gpu->engine.no_skip = o->no_skip;
  m->gpu->engine.shuffle = o->shuffle;
  m->o = *o;
  m->width = (unsigned)conf_u64(c, "front.warp_width");
  m->m =
      (struct functional_machine){.run = run, .put_launch = put_launch, .put_total = put_total, .warm = warm};
  return &m->m;
}

void machine_free(struct functional_machine *self) {
  if (!self)
    return;
  struct machine *m = (struct machine *)self;
  gpu_free(m->gpu);
  free(m);
}
