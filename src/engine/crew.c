#include "engine/crew.h"
#include <pthread.h>
#include <unistd.h>

/* The boxes of a lane for the windows of a parity, on lines of the host's cache that nobody else writes to. */
static size_t box_row(const struct crew *c) {
  return (c->nlanes + 7) / 8 * 8;
}
static struct engine_box *box_of(const struct crew *c, unsigned lane, unsigned parity) {
  return c->box + (2 * (size_t)lane + parity) * box_row(c);
}

void crew_init(struct crew *c, const uint64_t *frequency, unsigned n, unsigned nlanes, unsigned nthreads) {
  *c = (struct crew){.nlanes = nlanes, .nthreads = nthreads < nlanes ? nthreads : nlanes, .window = NEVER};
  c->lane = xcalloc(nlanes, sizeof *c->lane);
  size_t boxes = 2 * (size_t)nlanes * box_row(c) * sizeof *c->box;
  c->box = memset(xaligned(boxes), 0, boxes);
  for (unsigned i = 0; i < nlanes; i++) {
    engine_init(&c->lane[i], frequency, n);
    c->lane[i].lane = i;
    for (unsigned k = 0; k < 2; k++)
      c->lane[i].box[k] = box_of(c, i, k);
  }
  /* with more threads than processors, whoever waits makes room soon */
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  c->spins = cpus >= (long)c->nthreads ? 1000 : 20;
}

void crew_destroy(struct crew *c) {
  for (unsigned i = 0; i < c->nlanes; i++) {
    for (unsigned j = 0; j < c->nlanes; j++)
      free(c->lane[i].box[0][j].call), free(c->lane[i].box[1][j].call);
    engine_destroy(&c->lane[i]);
  }
  for (size_t i = 0; i < c->ngroups; i++)
    free(c->group[i].unit);
  free(c->lane), free(c->box), free(c->point), free(c->group);
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
  for (unsigned i = 0; i < c->nlanes; i++) {
    struct engine *l = &c->lane[i];
    l->by_unit =
        same && c->window > period && c->window / period <= ENGINE_RING / 2 && !l->shuffle && !l->no_skip;
  }
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
  if (c->own.end)
    advance_all(c, c->own.end - 1);
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

static struct crew_point *first_of_points(const struct crew *c) {
  struct crew_point *first = NULL;
  for (size_t i = 0; i < c->npoints; i++)
    if (!first || c->point[i].at < first->at)
      first = &c->point[i];
  return first;
}

static uint64_t first_point(const struct crew *c) {
  const struct crew_point *first = first_of_points(c);
  return first ? first->at : NEVER;
}

static bool ends(struct crew *c, enum crew_end how) {
  c->own.how = how;
  return false;
}

/* The end of the window in which the instant `next` is; a serial point does not lie in one. */
static uint64_t window_end(const struct crew *c, uint64_t next, uint64_t point) {
  uint64_t end = next - next % c->window + c->window;
  end = c->until < end ? c->until : end;
  return point < end ? point : end;
}

static uint64_t set_window(struct crew *c, uint64_t next, uint64_t point) {
  c->own.end = window_end(c, next, point);
  c->own.parity ^= 1;
  c->own.windows++;
  return c->own.end;
}

/* Sets the next window. False: there is none. */
static bool next_window(struct crew *c) {
  uint64_t next, point = NEVER;
  for (;;) {
    next = next_instant(c);
    if (next == NEVER)
      return ends(c, CREW_ASLEEP);
    point = first_point(c);
    if (point > next || point >= c->until)
      break;
    struct crew_point *p = first_of_points(c);
    advance_all(c, point - 1);
    p->at = p->reached(p->ctx, point);
    if (p->at <= point)
      panic("a serial point at tick %llu wants to come again in the past", (unsigned long long)point);
  }
  if (next >= c->until) {
    c->own.end = c->until;
    return ends(c, CREW_LIMIT);
  }
  set_window(c, next, point);
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
    advance_all(c, c->own.end - 1);
    if ((asked && !c->serial(c->ctx)) || (c->halt && *c->halt))
      return ends(c, CREW_STOPPED);
  }
  return next_window(c);
}

static void run_lane(struct crew *c, struct engine *e, uint64_t end, unsigned parity) {
  if (c->nlanes > 1) {
    e->parity = parity;
    e->called = NEVER;
    e->end = end;
    for (unsigned i = 0; i < c->nlanes; i++) {
      e->box[parity][i].n = 0;
      const struct engine_box *b = &box_of(c, i, parity ^ 1)[e->lane];
      for (size_t k = 0; k < b->n; k++)
        engine_call_at(e, b->call[k].unit, b->call[k].cycle);
    }
  }
  engine_run(e, end);
}

/* What a thread tells the others when its lanes have done a window. */
struct news {
  uint64_t next; /* the next instant at which one of its units runs, or one that they call */
  bool asked;    /* somebody wants a serial point, or to stop */
};

enum { LINE = 64 }; /* of the host's cache */

struct member {
  _Alignas(LINE) struct word told; /* windows of which there are news */
  struct news news[2];             /* of the last two: somebody may still look at the one before */
  /* its own */
  _Alignas(LINE) struct crew *c;
  struct member *all;
  unsigned number, parity;
  uint64_t end, point; /* of the window; the next serial one: the first may be past it while others look */
  uint32_t windows, serials;
  uint64_t delay;
  pthread_t thread;
};

static struct news news_of(const struct member *m) {
  const struct crew *c = m->c;
  struct news n = {.next = NEVER, .asked = c->halt && __atomic_load_n(c->halt, __ATOMIC_RELAXED)};
  for (unsigned i = m->number; i < c->nlanes; i += c->nthreads) {
    const struct engine *e = &c->lane[i];
    n.asked |= e->asked;
    n.next = e->next < n.next ? e->next : n.next;
    n.next = e->called < n.next ? e->called : n.next;
  }
  return n;
}

/* Tells the others, hears them, and goes on. All hear the same, so all know the next window, without anybody who says so;
 * only what is serial is done by the first. */
static bool meet(struct member *m) {
  struct crew *c = m->c;
  uint32_t window = ++m->windows;
  struct news all = m->news[window % 2] = news_of(m);
  delay_here(&m->delay);
  word_say(&m->told, window);
  for (unsigned i = 0; i < c->nthreads; i++) {
    if (i == m->number)
      continue;
    word_await(&m->all[i].told, window, c->spins);
    const struct news *n = &m->all[i].news[window % 2];
    all.asked |= n->asked;
    all.next = n->next < all.next ? n->next : all.next;
  }
  delay_here(&m->delay);
  bool serial = all.asked || all.next >= c->until || all.next >= m->point;
  m->parity ^= 1;
  if (!serial) {
    m->end = m->number ? window_end(c, all.next, m->point) : set_window(c, all.next, m->point);
    return true;
  }
  m->serials++;
  if (m->number) {
    word_await(&c->own.served, m->serials, c->spins);
    delay_here(&m->delay);
  } else {
    c->own.go = between(c);
    word_say(&c->own.served, m->serials);
  }
  m->end = c->own.end, m->point = first_point(c);
  return c->own.go;
}

static void *work(void *arg) {
  struct member *m = arg;
  struct crew *c = m->c;
  do
    for (unsigned i = m->number; i < c->nlanes; i += c->nthreads)
      run_lane(c, &c->lane[i], m->end, m->parity);
  while (meet(m));
  return NULL;
}

static void run_together(struct crew *c) {
  struct member *m = xaligned(c->nthreads * sizeof *m);
  c->own.served = (struct word){0};
  for (unsigned i = 0; i < c->nthreads; i++)
    m[i] = (struct member){.c = c,
                           .all = m,
                           .number = i,
                           .delay = c->delay ? delay_mix(c->delay - i - 1) | 1 : 0,
                           .end = c->own.end,
                           .parity = c->own.parity,
                           .point = first_point(c)};
  for (unsigned i = 1; i < c->nthreads; i++)
    if (pthread_create(&m[i].thread, NULL, work, &m[i]))
      panic("no thread could be started for part %u of the GPU", i);
  work(&m[0]);
  for (unsigned i = 1; i < c->nthreads; i++)
    pthread_join(m[i].thread, NULL);
  free(m);
}

/* One lane: windows follow each other as long as there is nothing to do between them. */
static void run_alone(struct crew *c) {
  struct engine *e = &c->lane[0];
  do {
    uint64_t point = first_point(c), limit = point < c->until ? point : c->until;
    for (;;) {
      engine_run(e, c->own.end);
      if (e->asked || e->next >= limit || (c->halt && *c->halt))
        break;
      set_window(c, e->next, point);
    }
  } while (between(c));
}

static void run_metered(struct crew *c) {
  bool go;
  meter_between(c->meter);
  do {
    meter_window(c->meter);
    for (unsigned i = 0; i < c->nlanes; i++) {
      run_lane(c, &c->lane[i], c->own.end, c->own.parity);
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
    return c->own.how;
  if (c->nthreads > 1) {
    run_together(c);
    return c->own.how;
  }
  if (c->meter) {
    run_metered(c);
    return c->own.how;
  }
  if (c->nlanes == 1) {
    run_alone(c);
    return c->own.how;
  }
  do
    for (unsigned i = 0; i < c->nlanes; i++)
      run_lane(c, &c->lane[i], c->own.end, c->own.parity);
  while (between(c));
  return c->own.how;
}
