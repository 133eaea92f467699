#include "engine/parallel.h"
#include "engine/meet.h"

/* The boxes of a shard for the windows of a parity, on lines of the host's cache that no other shard writes to. */
static size_t box_row(const struct parallel_engine *c) {
  return (c->nshards + 7) / 8 * 8;
}
static struct engine_box *box_of(const struct parallel_engine *c, unsigned shard, unsigned parity) {
  return c->box + (2 * (size_t)shard + parity) * box_row(c);
}

void parallel_init(struct parallel_engine *c, const uint64_t *frequency, unsigned n, unsigned nshards,
                   unsigned nthreads) {
  *c = (struct parallel_engine){
      .nshards = nshards, .nthreads = nthreads < nshards ? nthreads : nshards, .window = NEVER};
  c->shard = memset(xaligned(nshards * sizeof *c->shard), 0, nshards * sizeof *c->shard);
  size_t boxes = 2 * (size_t)nshards * box_row(c) * sizeof *c->box;
  c->box = memset(xaligned(boxes), 0, boxes);
  c->callers = memset(xaligned(nshards * sizeof *c->callers), 0, nshards * sizeof *c->callers);
  for (unsigned i = 0; i < nshards; i++) {
    engine_init(&c->shard[i], frequency, n);
    c->shard[i].shard = i;
    c->shard[i].callers = c->callers;
    for (unsigned k = 0; k < 2; k++)
      c->shard[i].box[k] = box_of(c, i, k);
  }
  pace_init(&c->pace, c->nthreads);
}

void parallel_destroy(struct parallel_engine *c) {
  meet_end(c);
  for (unsigned i = 0; i < c->nshards; i++) {
    for (unsigned j = 0; j < c->nshards; j++)
      free(c->shard[i].box[0][j].call), free(c->shard[i].box[1][j].call);
    for (unsigned j = 0; c->shard[i].heard && j < c->nshards; j++)
      free(c->shard[i].heard[j]);
    free(c->shard[i].heard);
    engine_destroy(&c->shard[i]);
  }
  for (size_t i = 0; i < c->ngroups; i++)
    free(c->group[i].unit);
  free(c->shard), free(c->box), free(c->callers), free(c->point), free(c->group);
}

uint32_t parallel_group(struct parallel_engine *c, const uint32_t *unit, uint32_t n) {
  uint32_t *copy = xmalloc(n * sizeof *copy), number = (uint32_t)c->ngroups;
  memcpy(copy, unit, n * sizeof *copy);
  VEC_PUSH(c->group, c->ngroups, c->capgroups) = (struct engine_group){copy, n};
  for (unsigned i = 0; i < c->nshards; i++)
    c->shard[i].group = c->group;
  return (uint32_t)UNIT_GROUP << UNIT_SHARD_SHIFT | (unit[0] & 3u << UNIT_CLOCK_SHIFT) | number;
}

void parallel_border(struct parallel_engine *c, const struct port *p) {
  uint64_t least = p->data < p->credit ? p->data : p->credit;
  if (least < c->window)
    c->window = least;
}

/* The shortest and the longest period of a clock that has units. */
static uint64_t shortest_period(const struct parallel_engine *c, uint64_t *longest) {
  const struct engine *e = &c->shard[0];
  uint64_t shortest = NEVER;
  *longest = 0;
  for (unsigned d = 0; d < e->ndomains; d++) {
    bool used = false;
    for (unsigned i = 0; i < c->nshards; i++)
      used |= c->shard[i].due[d].n != 0;
    if (!used)
      continue;
    shortest = e->period[d] < shortest ? e->period[d] : shortest;
    *longest = e->period[d] > *longest ? e->period[d] : *longest;
  }
  return shortest;
}

/* Where all clocks have the same period, nothing happens between their edges: a latency of less than a cycle acts as
 * a latency of one cycle, and the window is a whole number of cycles. */
void parallel_ready(struct parallel_engine *c) {
  uint64_t longest, shortest = shortest_period(c, &longest);
  if (c->window == NEVER)
    c->window = longest;
  if (shortest == longest)
    c->window = c->window < longest ? longest : c->window / longest * longest;
  c->by_unit = c->window >= 2 * longest && c->window / shortest < ENGINE_RING / 2;
  for (unsigned i = 0; i < c->nshards; i++) {
    struct engine *l = &c->shard[i];
    l->by_unit = c->by_unit && !l->shuffle && !l->no_skip;
    if (!c->by_unit || c->nshards == 1)
      continue;
    l->heard = xcalloc(c->nshards, sizeof *l->heard);
    for (unsigned k = 0; k < c->nshards; k++)
      l->heard[k] = xcalloc(c->shard[k].nunits, sizeof **l->heard);
  }
}

void parallel_pace(const struct parallel_engine *c, struct port *p, uint32_t pushes, uint32_t pops) {
  uint64_t longest, shortest = shortest_period(c, &longest);
  uint64_t cycles = (c->window + shortest - 1) / shortest, most = cycles * (pushes + pops);
  if (c->by_unit && most < UINT16_MAX)
    p->margin = (uint16_t)most;
}

void parallel_point(struct parallel_engine *c, uint64_t at, uint64_t (*reached)(void *ctx, uint64_t tick),
                    void *ctx) {
  VEC_PUSH(c->point, c->npoints, c->cap) = (struct parallel_point){.at = at, .reached = reached, .ctx = ctx};
}

void parallel_forget(struct parallel_engine *c) {
  c->npoints = 0;
}

unsigned parallel_ran(const struct parallel_engine *c, double *average) {
  *average = c->adapts ? pace_average(&c->pace) : c->nthreads;
  return c->adapts ? c->pace.most : c->nthreads;
}

uint64_t parallel_steps(const struct parallel_engine *c) {
  uint64_t n = 0;
  for (unsigned i = 0; i < c->nshards; i++)
    n += c->shard[i].steps;
  return n;
}

static void advance_all(struct parallel_engine *c, uint64_t tick) {
  for (unsigned i = 0; i < c->nshards; i++)
    if (c->shard[i].now < tick)
      engine_advance(&c->shard[i], tick);
}

void parallel_settle(struct parallel_engine *c) {
  if (c->own.end)
    advance_all(c, c->own.end - 1);
  for (unsigned i = 0; c->deliver && i < c->nshards; i++)
    c->deliver(c->deliver_ctx, &c->shard[i], c->own.parity);
}

/* The next instant at which a unit runs, because it is due or because another shard has called it. */
static uint64_t next_instant(const struct parallel_engine *c) {
  uint64_t next = NEVER;
  for (unsigned i = 0; i < c->nshards; i++) {
    if (c->shard[i].next < next)
      next = c->shard[i].next;
    if (c->shard[i].called < next)
      next = c->shard[i].called;
  }
  return next;
}

static struct parallel_point *first_of_points(const struct parallel_engine *c) {
  struct parallel_point *first = NULL;
  for (size_t i = 0; i < c->npoints; i++)
    if (!first || c->point[i].at < first->at)
      first = &c->point[i];
  return first;
}

uint64_t parallel_first_point(const struct parallel_engine *c) {
  const struct parallel_point *first = first_of_points(c);
  return first ? first->at : NEVER;
}

static bool ends(struct parallel_engine *c, enum parallel_end how) {
  c->own.how = how;
  return false;
}

static bool asked(const struct parallel_engine *c) {
  for (unsigned i = 0; i < c->nshards; i++)
    if (c->shard[i].asked)
      return true;
  return false;
}

/* Everything before the end of the whole window has happened: runs the serial function, which shards asked for. False: the run ends. */
static bool serve(struct parallel_engine *c) {
  for (unsigned i = 0; i < c->nshards; i++)
    c->shard[i].asked = false;
  c->own.end = c->own.whole;
  advance_all(c, c->own.end - 1);
  return c->serial(c->ctx) || ends(c, PARALLEL_STOPPED);
}

static void reach(struct parallel_engine *c, struct parallel_point *p) {
  uint64_t point = p->at;
  advance_all(c, point - 1);
  p->at = p->reached(p->ctx, point);
  if (p->at <= point)
    panic("a serial point at tick %llu wants to come again in the past", (unsigned long long)point);
}

/* Prefetches all shards into the host's cache: other threads have written to them. */
static void come_near(const struct parallel_engine *c) {
  for (unsigned i = 0; i < c->nshards; i++)
    __builtin_prefetch(&c->shard[i], 1);
}

/* Sets the next window. False: there is none. The serial function that shards ask for runs at the end of a whole window, also where
 * serial points cut the window, so that results do not depend on the number of serial points; `ran`: a window has run since the
 * last call. */
static bool next_window(struct parallel_engine *c, bool ran) {
  uint64_t next, point = NEVER;
  come_near(c);
  for (;;) {
    next = next_instant(c), point = parallel_first_point(c);
    if (ran && next >= c->own.whole && point >= c->own.whole && asked(c)) {
      ran = false;
      if (!serve(c))
        return false;
      continue;
    }
    if (next == NEVER && !(ran && asked(c)))
      return ends(c, PARALLEL_ASLEEP);
    if (point > next || point >= c->until)
      break;
    reach(c, first_of_points(c));
  }
  if (next >= c->until) {
    c->own.end = c->until;
    return ends(c, PARALLEL_LIMIT);
  }
  parallel_set_window(c, next, point);
  return true;
}

/* Between two windows, on one thread. False: the run ends. */
bool parallel_between(struct parallel_engine *c) {
  if ((c->halt && *c->halt) || parallel_fault(c)) {
    advance_all(c, c->own.end - 1);
    return ends(c, PARALLEL_STOPPED);
  }
  return next_window(c, true) && !(c->halt && *c->halt && ends(c, PARALLEL_STOPPED));
}

/* Takes the calls that other shards made to units of shard e in the last window. */
static void take_calls(struct parallel_engine *c, struct engine *e, unsigned parity) {
  uint64_t *set = c->callers[e->shard].set[parity ^ 1];
  for (unsigned w = 0; w < ENGINE_SHARDS / 64; w++) {
    uint64_t m = set[w];
    if (m)
      set[w] = 0;
    for (; m; m &= m - 1) {
      const struct engine_box *b = &box_of(c, w * 64 + (unsigned)__builtin_ctzll(m), parity ^ 1)[e->shard];
      for (size_t k = 0; k < b->n; k++)
        engine_call_at(e, b->call[k].unit, b->call[k].cycle);
    }
  }
}

void parallel_run_shard(struct parallel_engine *c, unsigned shard, uint64_t end, unsigned parity) {
  struct engine *e = &c->shard[shard];
  if (c->nshards > 1) {
    e->parity = parity;
    e->called = NEVER;
    e->window++;
    e->end = end;
    for (uint64_t m = e->sent[parity]; m; m &= m - 1)
      for (unsigned i = (unsigned)__builtin_ctzll(m); i < c->nshards; i += 64)
        e->box[parity][i].n = 0;
    e->sent[parity] = 0;
    if (c->deliver)
      c->deliver(c->deliver_ctx, e, parity ^ 1);
    take_calls(c, e, parity);
  }
  engine_run(e, end);
  if (c->deliver)
    c->collect(c->deliver_ctx, e);
}

/* Switches direct calls on or off. One thread that runs all shards makes calls between them directly, without boxes; not with delays,
 * and not with `by_unit`. */
static void call_directly(struct parallel_engine *c, bool directly) {
  for (unsigned i = 0; i < c->nshards && directly; i++)
    take_calls(c, &c->shard[i], c->own.parity);
  for (unsigned i = 0; i < c->nshards; i++) {
    struct engine *e = &c->shard[i];
    e->shards = directly ? c->shard : NULL;
    e->called = NEVER, e->end = 0;
    c->callers[i] = (struct engine_callers){0};
    for (unsigned p = 0; p < 2; p++) {
      e->sent[p] = 0;
      for (unsigned k = 0; k < c->nshards; k++)
        e->box[p][k].n = 0;
    }
  }
}

/* Is there nothing to do between the last window and the window of the instant *next, the next at which a unit runs? */
static bool goes_on(const struct parallel_engine *c, uint64_t *next) {
  *next = NEVER;
  for (unsigned i = 0; i < c->nshards; i++) {
    if (c->shard[i].asked)
      return false;
    if (c->shard[i].next < *next)
      *next = c->shard[i].next;
  }
  return !(c->halt && *c->halt);
}

/* Runs windows on one thread with direct calls, until there is something to do between two windows or `most` windows have run. Returns
 * the number of windows. */
static uint64_t run_windows(struct parallel_engine *c, uint64_t most) {
  uint64_t point = parallel_first_point(c), limit = point < c->until ? point : c->until, n = 0, next;
  for (;;) {
    for (unsigned i = 0; i < c->nshards; i++)
      if (c->shard[i].next < c->own.end)
        engine_run(&c->shard[i], c->own.end);
    if (++n == most || !goes_on(c, &next) || next >= limit)
      return n;
    parallel_set_window(c, next, point);
  }
}

static uint64_t run_shards(struct parallel_engine *c) {
  for (unsigned i = 0; i < c->nshards; i++)
    parallel_run_shard(c, i, c->own.end, c->own.parity);
  return 1;
}

void parallel_run_alone(struct parallel_engine *c,
                        bool (*stretch)(struct parallel_engine *c, uint64_t windows)) {
  bool directly =
      !c->delay && !c->shard[0].by_unit && !c->deliver; /* messages to deliver wait for a window to begin */
  if (directly)
    call_directly(c, true);
  do {
    uint64_t n = directly ? run_windows(c, stretch ? c->own.left : NEVER) : run_shards(c);
    c->own.go = parallel_between(c);
    if (stretch && !stretch(c, n))
      break;
  } while (c->own.go);
  if (directly)
    call_directly(c, false);
}

/* Runs the only shard: windows follow each other as long as there is nothing to do between them. */
static void run_shard_alone(struct parallel_engine *c) {
  struct engine *e = &c->shard[0];
  do {
    uint64_t point = parallel_first_point(c), limit = point < c->until ? point : c->until;
    e->horizon = e->by_unit || e->no_skip || e->shuffle ? 0 : limit;
    for (;;) {
      engine_run(e, c->own.end);
      if (e->asked || e->next >= limit || (c->halt && *c->halt))
        break;
      parallel_set_window(c, e->next, point);
    }
  } while (parallel_between(c));
  e->horizon = 0;
}

static void run_metered(struct parallel_engine *c) {
  bool go;
  profiler_between(c->profiler);
  do {
    profiler_window(c->profiler);
    for (unsigned i = 0; i < c->nshards; i++) {
      parallel_run_shard(c, i, c->own.end, c->own.parity);
      profiler_shard(c->profiler);
    }
    go = parallel_between(c);
    profiler_between(c->profiler);
  } while (go);
}

enum parallel_end parallel_run(struct parallel_engine *c, uint64_t until, bool (*serial)(void *ctx),
                               void *ctx, const bool *halt) {
  c->until = until, c->serial = serial, c->ctx = ctx, c->halt = halt;
  c->catches = rescue_here();
  if (!next_window(c, false))
    return c->own.how;
  if (c->nthreads > 1) {
    meet_run(c);
    return c->own.how;
  }
  if (c->profiler) {
    run_metered(c);
    return c->own.how;
  }
  if (c->nshards == 1) {
    run_shard_alone(c);
    return c->own.how;
  }
  parallel_run_alone(c, NULL);
  return c->own.how;
}
