#include "engine/crew.h"
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

void crew_init(struct crew *c, const uint64_t *frequency, unsigned n, unsigned nlanes, unsigned nthreads) {
  *c = (struct crew){.nlanes = nlanes, .nthreads = nthreads < nlanes ? nthreads : nlanes, .window = NEVER};
  c->lane = xcalloc(nlanes, sizeof *c->lane);
  for (unsigned i = 0; i < nlanes; i++) {
    engine_init(&c->lane[i], frequency, n);
    c->lane[i].lane = i;
    for (int k = 0; k < 2; k++)
      c->lane[i].box[k] = xcalloc(nlanes, sizeof **c->lane[i].box);
  }
  /* with more threads than processors, whoever waits makes room soon */
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  c->spins = cpus >= (long)c->nthreads ? 1000 : 20;
}

void crew_destroy(struct crew *c) {
  for (unsigned i = 0; i < c->nlanes; i++) {
    for (int k = 0; k < 2; k++) {
      for (unsigned j = 0; j < c->nlanes; j++)
        free(c->lane[i].box[k][j].call);
      free(c->lane[i].box[k]);
    }
    engine_destroy(&c->lane[i]);
  }
  for (size_t i = 0; i < c->ngroups; i++)
    free(c->group[i].unit);
  free(c->lane), free(c->point), free(c->group);
}

uint32_t crew_group(struct crew *c, const uint32_t *unit, uint32_t n) {
  uint32_t *copy = xmalloc(n * sizeof *copy), number = (uint32_t)c->ngroups;
  memcpy(copy, unit, n * sizeof *copy);
  VEC_PUSH(c->group, c->ngroups, c->capgroups) = (struct engine_group){copy, n};
  for (unsigned i = 0; i < c->nlanes; i++)
    c->lane[i].group = c->group;
  return (uint32_t)UNIT_GROUP << UNIT_LANE_SHIFT | (unit[0] & 3u << UNIT_CLOCK_SHIFT) | number;
}

void crew_border(struct crew *c, const struct port *p) {
  uint64_t least = p->data < p->credit ? p->data : p->credit;
  if (least < c->window)
    c->window = least;
}

/* Where all clocks are the same nothing happens between their edges: a latency of less than a cycle is one of
 * a cycle, and the window a whole number of them. */
void crew_ready(struct crew *c) {
  const struct engine *e = &c->lane[0];
  uint64_t period = 0;
  bool same = true;
  for (unsigned d = 0; d < e->ndomains; d++) {
    bool used = false;
    for (unsigned i = 0; i < c->nlanes; i++)
      used |= c->lane[i].due[d].n != 0;
    if (!used)
      continue;
    same &= !period || period == e->period[d];
    period = e->period[d];
  }
  if (c->window == NEVER)
    c->window = period;
  if (same)
    c->window = c->window < period ? period : c->window / period * period;
}

void crew_point(struct crew *c, uint64_t at, uint64_t (*reached)(void *ctx, uint64_t tick), void *ctx) {
  VEC_PUSH(c->point, c->npoints, c->cap) = (struct crew_point){.at = at, .reached = reached, .ctx = ctx};
}

void crew_forget(struct crew *c) {
  c->npoints = 0;
}

uint64_t crew_steps(const struct crew *c) {
  uint64_t n = 0;
  for (unsigned i = 0; i < c->nlanes; i++)
    n += c->lane[i].steps;
  return n;
}

static void advance_all(struct crew *c, uint64_t tick) {
  for (unsigned i = 0; i < c->nlanes; i++)
    if (c->lane[i].now < tick)
      engine_advance(&c->lane[i], tick);
}

void crew_settle(struct crew *c) {
  if (c->end)
    advance_all(c, c->end - 1);
}

/* The next instant at which a unit runs: of those that are due, and of calls that cross. */
static uint64_t next_instant(const struct crew *c) {
  uint64_t next = NEVER;
  for (unsigned i = 0; i < c->nlanes; i++) {
    if (c->lane[i].next < next)
      next = c->lane[i].next;
    if (c->lane[i].called < next)
      next = c->lane[i].called;
  }
  return next;
}

static struct crew_point *first_point(struct crew *c) {
  struct crew_point *first = NULL;
  for (size_t i = 0; i < c->npoints; i++)
    if (!first || c->point[i].at < first->at)
      first = &c->point[i];
  return first;
}

static bool ends(struct crew *c, enum crew_end how) {
  c->how = how;
  return false;
}

/* Sets the next window. False: there is none. */
static bool next_window(struct crew *c) {
  uint64_t next, point = NEVER;
  for (;;) {
    next = next_instant(c);
    if (next == NEVER)
      return ends(c, CREW_ASLEEP);
    struct crew_point *p = first_point(c);
    point = p ? p->at : NEVER;
    if (point > next || point >= c->until)
      break;
    advance_all(c, point - 1);
    p->at = p->reached(p->ctx, point);
    if (p->at <= point)
      panic("a serial point at tick %llu wants to come again in the past", (unsigned long long)point);
  }
  if (next >= c->until) {
    c->end = c->until;
    return ends(c, CREW_LIMIT);
  }
  c->end = next - next % c->window + c->window;
  if (c->until < c->end)
    c->end = c->until;
  if (point < c->end)
    c->end = point;
  c->parity ^= 1;
  c->windows++;
  return true;
}

/* Between two windows, on one thread. False: the run ends. */
static bool between(struct crew *c) {
  bool asked = false;
  for (unsigned i = 0; i < c->nlanes; i++) {
    asked |= c->lane[i].asked;
    c->lane[i].asked = false;
  }
  if (asked || (c->halt && *c->halt)) {
    advance_all(c, c->end - 1);
    if ((asked && !c->serial(c->ctx)) || (c->halt && *c->halt))
      return ends(c, CREW_STOPPED);
  }
  return next_window(c);
}

static void run_lane(struct crew *c, struct engine *e) {
  if (c->nlanes > 1) {
    e->parity = c->parity;
    e->called = NEVER;
    for (unsigned i = 0; i < c->nlanes; i++) {
      e->box[c->parity][i].n = 0;
      const struct engine_box *b = &c->lane[i].box[c->parity ^ 1][e->lane];
      for (size_t k = 0; k < b->n; k++)
        engine_call_at(e, b->call[k].unit, b->call[k].cycle);
    }
  }
  while (engine_step(e, c->end)) {
  }
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Sleeps until the generation is another one: where threads share cores, the one that is awaited gets to run at once,
 * which yielding does not promise. */
static void sleep_until_next(struct crew *c, uint32_t generation) {
#ifdef __linux__
  __atomic_add_fetch(&c->sleepers, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&c->generation, __ATOMIC_SEQ_CST) == generation)
    syscall(SYS_futex, &c->generation, FUTEX_WAIT_PRIVATE, generation, NULL, NULL, 0);
  __atomic_sub_fetch(&c->sleepers, 1, __ATOMIC_SEQ_CST);
#else
  while (__atomic_load_n(&c->generation, __ATOMIC_ACQUIRE) == generation)
    sched_yield();
#endif
}

static void wake_sleepers(struct crew *c) {
#ifdef __linux__
  if (__atomic_load_n(&c->sleepers, __ATOMIC_SEQ_CST))
    syscall(SYS_futex, &c->generation, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#endif
}

/* All threads are here; the last one to come does what is between windows. */
static bool meet(struct crew *c) {
  uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_RELAXED);
  if (__atomic_add_fetch(&c->arrived, 1, __ATOMIC_ACQ_REL) == c->nthreads) {
    __atomic_store_n(&c->arrived, 0, __ATOMIC_RELAXED);
    c->go = between(c);
    bool go = c->go;
    __atomic_store_n(&c->generation, generation + 1, __ATOMIC_SEQ_CST);
    wake_sleepers(c);
    return go;
  }
  for (unsigned i = 0; __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE) == generation; i++) {
    if (i == c->spins) {
      sleep_until_next(c, generation);
      break;
    }
    relax();
  }
  return c->go;
}

struct member {
  struct crew *c;
  unsigned number;
  pthread_t thread;
};

static void *work(void *arg) {
  struct member *m = arg;
  struct crew *c = m->c;
  do
    for (unsigned i = m->number; i < c->nlanes; i += c->nthreads)
      run_lane(c, &c->lane[i]);
  while (meet(c));
  return NULL;
}

static void run_together(struct crew *c) {
  struct member *m = xcalloc(c->nthreads, sizeof *m);
  for (unsigned i = 0; i < c->nthreads; i++)
    m[i] = (struct member){.c = c, .number = i};
  for (unsigned i = 1; i < c->nthreads; i++)
    if (pthread_create(&m[i].thread, NULL, work, &m[i]))
      panic("no thread could be started for part %u of the GPU", i);
  work(&m[0]);
  for (unsigned i = 1; i < c->nthreads; i++)
    pthread_join(m[i].thread, NULL);
  free(m);
}

static void run_metered(struct crew *c) {
  bool go;
  meter_between(c->meter);
  do {
    meter_window(c->meter);
    for (unsigned i = 0; i < c->nlanes; i++) {
      run_lane(c, &c->lane[i]);
      meter_lane(c->meter);
    }
    go = between(c);
    meter_between(c->meter);
  } while (go);
}

enum crew_end crew_run(struct crew *c, uint64_t until, bool (*serial)(void *ctx), void *ctx,
                       const bool *halt) {
  c->until = until, c->serial = serial, c->ctx = ctx, c->halt = halt;
  if (!next_window(c))
    return c->how;
  if (c->nthreads > 1) {
    run_together(c);
    return c->how;
  }
  if (c->meter) {
    run_metered(c);
    return c->how;
  }
  do
    for (unsigned i = 0; i < c->nlanes; i++)
      run_lane(c, &c->lane[i]);
  while (between(c));
  return c->how;
}
