/* Threads that meet after every window. Each thread publishes when its shards next have something to do and reads what the others
 * publish: all threads read the same, so all compute the same next window without a coordinator. The first thread runs serial points
 * while the others wait.
 *
 *   first     ■■■ meet ■■■ meet ─ serial ─ served ■■■ meet ■■■          The number of threads changes at serial points only;
 *   second    ■■■ meet ■■■ meet ···········       ■■■ meet ■■■          a stretch of windows ends with a serial point.
 *   third     ■■■ meet ■■■ meet ···········  gone, until the first thread starts it again
 *
 * A thread that waits spins for as long as a few windows take, then sleeps. */
#include "engine/meet.h"
#include "base/cores.h"
#include "base/least.h"
#include "base/pool.h"
#include <pthread.h>

/* How long a waiting thread spins before it sleeps: longer than windows take, as waking a thread costs tens of microseconds; shortly
 * where threads share processors, as a thread that spins keeps others from running. */
static const uint64_t spin_least_ns = 5000, spin_most_ns = 500000, spin_crowded_ns = 1000;

/* What a thread publishes to the others when its shards have run a window. */
struct news {
  uint64_t next; /* the next instant at which a unit of its shards runs, or a unit that they call */
  bool asked;    /* a unit wants a serial point, or the run must stop */
};

enum { LINE = 64 }; /* of the host's cache */

/* The shards of a thread that no thread has begun in a window: places `front` to `back` - 1 of its list. The thread itself takes shards
 * from the front; a thread that has none left takes shards from the back of another thread's list, where that is worth it (worth()). A record
 * with another window's number means that all shards of the list are left. */
struct left {
  uint32_t window;
  uint16_t front, back;
};

struct member {
  _Alignas(LINE) struct event_count told; /* number of windows whose `news` are written */
  struct news news[2];                 /* of the last two windows: another thread may still read the older */
  _Alignas(LINE) uint64_t left_shards; /* struct left */
  /* The thread's shards in a window, by parity of the window: those that it ran in the window before. A shard taken over from another
   * thread stays: the host's core has the shard's state in its caches by then, and lasting differences between threads even out. The
   * shard that took longest comes first, so that shards left for others to take over at the end of a window are short. */
  _Alignas(LINE) struct shards {
    uint32_t n;
    struct {
      uint32_t ns;
      uint8_t shard;
    } by_time[ENGINE_SHARDS];
  } shards[2];
  /* used by the thread itself */
  _Alignas(LINE) struct parallel_engine *c;
  struct news heard; /* news of the shards that the thread has run in this window */
  struct member *all;
  unsigned number, parity, active;
  /* end of the window; next serial point: a copy, as the first thread may be past that point while others read it */
  uint64_t end, point;
  uint64_t left; /* windows left in the stretch */
  uint32_t meetings, serials;
  uint64_t delay, spin;
  uint64_t busy; /* ns in shards, with `by_unit`; the first thread reads it while this thread waits */
  /* `start`: the first thread starts this thread; `gone`: this thread has left the meetings; both count up to `starts` */
  _Alignas(LINE) struct event_count start, gone;
  uint32_t starts;
  pthread_t thread;
};

static struct news news_of(const struct member *m) {
  const struct parallel_engine *c = m->c;
  struct news n = m->heard;
  n.asked |= (c->halt && __atomic_load_n(c->halt, __ATOMIC_RELAXED)) || parallel_fault(c);
  return n;
}

static struct left left_of(uint64_t word) {
  return (struct left){(uint32_t)(word >> 32), (uint16_t)(word >> 16), (uint16_t)word};
}
static uint64_t left_word(struct left l) {
  return (uint64_t)l.window << 32 | (uint64_t)l.front << 16 | l.back;
}

/* What is left of the list of thread `of` in a window; `begun`: the thread has taken a shard of it. */
static struct left left_in(const struct member *of, uint64_t word, uint32_t window, bool *begun) {
  struct left l = left_of(word);
  *begun = l.window == window && l.front;
  return l.window == window ? l : (struct left){window, 0, (uint16_t)of->shards[window % 2].n};
}

/* Takes a shard of thread `of` that no thread has begun in this window, for thread m to run. False: none is left. */
static bool take_shard(struct member *of, const struct member *m, unsigned *shard) {
  bool own = of == m, begun;
  uint32_t window = m->meetings + 1; /* not 0, which left_shards is at first */
  uint64_t word = __atomic_load_n(&of->left_shards, __ATOMIC_RELAXED);
  for (;;) {
    struct left l = left_in(of, word, window, &begun);
    const struct shards *list = &of->shards[window % 2];
    if (l.front == l.back)
      return false;
    unsigned place = own ? l.front++ : --l.back;
    if (__atomic_compare_exchange_n(&of->left_shards, &word, left_word(l), false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      *shard = list->by_time[place].shard;
      return true;
    }
  }
}

/* Is it worth to take the last shard that thread `of` has left? A shard's state is in the caches of the core that ran the shard in the window
 * before: elsewhere it takes 1.6 to 1.9 times as long (v100 and h200, 16 cores). So it is taken if the thread would come to it later than the
 * taker is through with it, all by the times of the window before: the shards that nobody has begun, and what may be left of the one that
 * the thread runs. Returns by how much later, and 1; 0: it is not worth it. A thread that has begun none may be waiting for a processor. */
static uint64_t worth(const struct member *of, uint32_t window) {
  bool begun;
  struct left l = left_in(of, __atomic_load_n(&of->left_shards, __ATOMIC_RELAXED), window, &begun);
  const struct shards *list = &of->shards[window % 2];
  if (l.front == l.back)
    return 0;
  uint64_t later = begun ? list->by_time[l.front - 1].ns * UINT64_C(5) / 16 : UINT32_MAX;
  for (uint32_t k = l.front; k < l.back; k++)
    later += list->by_time[k].ns;
  uint64_t takes = list->by_time[l.back - 1].ns * UINT64_C(7) / 4;
  return later < takes ? 0 : later - takes + 1;
}

/* The thread from which it is worth most to take a shard; NULL: none. */
static struct member *most_worth(const struct member *m) {
  struct member *best = NULL;
  uint64_t most = 0;
  for (unsigned i = 0; i < m->active; i++) {
    uint64_t w = i == m->number ? 0 : worth(&m->all[i], m->meetings + 1);
    if (w > most)
      most = w, best = &m->all[i];
  }
  return best;
}

/* The shard that the thread takes next, if no other does: the host fetches what was left for it while the thread runs the one before. */
static void next_near(const struct member *m) {
  const struct parallel_engine *c = m->c;
  uint32_t window = m->meetings + 1;
  struct left l = left_of(__atomic_load_n(&m->left_shards, __ATOMIC_RELAXED));
  if (c->near && l.window == window && l.front != l.back)
    c->near(c->deliver_ctx, &c->shard[m->shards[window % 2].by_time[l.front].shard], m->parity ^ 1);
}

/* Adds a shard to a list, behind the shards that took as long or longer. */
static void add_shard(struct shards *to, unsigned shard, uint64_t ns) {
  uint32_t k = to->n++;
  for (; k && to->by_time[k - 1].ns < ns; k--)
    to->by_time[k] = to->by_time[k - 1];
  to->by_time[k].ns = (uint32_t)ns;
  to->by_time[k].shard = (uint8_t)shard;
}

/* Assigns shards in turn to the threads that take part from the next window on; no thread runs meanwhile. */
static void share_out(struct parallel_engine *c) {
  for (unsigned i = 0; i < c->own.active; i++) {
    struct shards *to = &c->member[i].shards[(c->own.meetings + 1) % 2];
    to->n = 0;
    for (unsigned shard = i; shard < c->nshards; shard += c->own.active)
      add_shard(to, shard, 0);
  }
}

/* Thread m takes part from the next window on: copies the state that the first thread has set. */
static void join(struct member *m) {
  const struct parallel_engine *c = m->c;
  m->end = c->own.end, m->parity = c->own.parity, m->point = parallel_first_point(c);
  m->active = c->own.active, m->left = c->own.left;
  m->meetings = c->own.meetings, m->serials = c->own.serials;
  m->spin = c->own.spin;
}

static void *help(void *arg);

/* Prepares threads before … after - 1 to take part as well. Returns the number of threads that take part. */
static unsigned start(struct parallel_engine *c, unsigned before, unsigned after) {
  for (unsigned i = before; i < after; i++) {
    struct member *m = &c->member[i];
    if (!m->starts && pthread_create(&m->thread, NULL, help, m)) {
      if (i == 1 && !c->adapts)
        panic("no thread could be started for part %u of the GPU", i);
      pace_limit(&c->pace, i);
      c->nthreads = i;
      return i;
    }
    __atomic_store_n(&m->told.said, c->own.meetings, __ATOMIC_RELAXED);
    m->starts++;
  }
  return after;
}

/* Wakes threads before … after - 1, when the next window is set. */
static void call_in(struct parallel_engine *c, unsigned before, unsigned after) {
  for (unsigned i = before; i < after; i++)
    event_count_signal(&c->member[i].start, c->member[i].starts);
}

static void await_gone(struct parallel_engine *c, unsigned after, unsigned before) {
  for (unsigned i = after; i < before; i++)
    event_count_await(&c->member[i].gone, c->member[i].starts, c->member[0].spin);
}

/* Sets how long threads spin in the next stretch, from the stretch that has ended. Returns the nanoseconds that this stretch took. */
static uint64_t time_of_stretch(struct parallel_engine *c) {
  uint64_t now = event_count_clock(), ns = c->own.ns + (now - c->own.since),
           n = c->own.windows - c->own.began;
  uint64_t window = n ? ns / n : 0;
  c->own.since = now, c->own.ns = 0, c->own.began = c->own.windows;
  uint64_t spin = 3 * window; /* some windows take longer than others */
  c->own.spin = spin < spin_least_ns ? spin_least_ns : spin < spin_most_ns ? spin : spin_most_ns;
  if (c->own.crowded)
    c->own.spin = spin_crowded_ns;
  return ns;
}

/* For tests: the next stretch has a random number of threads and up to 256 windows. */
static void delayed_stretch(struct parallel_engine *c) {
  uint64_t x = delay_mix(c->delay += DELAY_STEP);
  c->own.active = x % 2 ? c->nthreads : 1 + (unsigned)(x / 2 % c->nthreads);
  c->own.left = 1 + (x >> 40) % 256;
}

enum { STRETCH = 256 }; /* windows of a stretch, where the number of threads is fixed */

/* Nanoseconds that all threads together have been at work since the last call. */
static uint64_t busy_ns(struct parallel_engine *c) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < c->nthreads; i++) {
    sum += c->member[i].busy;
    c->member[i].busy = 0;
  }
  return sum;
}

/* One thread rests while another outside the engine wants its processor; also in between, where that is for more of the time than the thread's
 * part of all: a thread that waits for a processor keeps all others waiting. */
static bool one_rests(struct parallel_engine *c, bool guest) {
  static const double fresh = 1.0 / 16; /* part of the last stretch in `guests` */
  c->own.guests += fresh * (guest - c->own.guests);
  return guest || c->own.guests * c->nthreads > 1;
}

/* A stretch is over: sets threads and windows of the next stretch. */
static void next_stretch(struct parallel_engine *c) {
  uint64_t steps = parallel_steps(c), ns = time_of_stretch(c);
  if (c->delay) {
    delayed_stretch(c);
    return;
  }
  if (!c->adapts) {
    c->own.active = c->nthreads, c->own.left = STRETCH;
    return;
  }
  bool guest = c->guest && c->guest(c->guest_ctx);
  if (c->own.active) {
    c->pace.ours = c->own.active + guest;
    pace_next(&c->pace, steps - c->own.steps, ns, busy_ns(c));
  }
  c->own.steps = steps;
  c->own.active = c->pace.threads, c->own.left = c->pace.windows;
  if (c->guest && one_rests(c, guest) && c->own.active > 1 && c->own.active == c->nthreads)
    c->own.active--;
}

/* The first thread that could not go on records why; all threads leave at the next meeting. */
static void fault(struct parallel_engine *c, const struct rescue *why) {
  if (__atomic_exchange_n(&c->faulted, true, __ATOMIC_ACQ_REL))
    return;
  c->fault.cause = why->cause;
  memcpy(c->fault.text, why->text, sizeof c->fault.text);
}

static void serial(void *engine) {
  struct parallel_engine *c = engine;
  c->own.go = parallel_between(c);
}

/* Runs the serial part between two windows; when it fails, the other threads must leave. */
static void between(struct parallel_engine *c) {
  struct rescue why;
  if (!c->catches) {
    serial(c);
  } else if (!rescue_run(&why, serial, c)) {
    fault(c, &why);
    c->own.go = false;
  }
}

/* Between two windows, on the first thread. Returns whether the first thread goes on meeting others. */
static bool lead(struct member *m) {
  struct parallel_engine *c = m->c;
  unsigned before = m->active, chosen = c->own.active;
  c->own.meetings = m->meetings, c->own.serials = m->serials;
  c->own.left = m->left;
  between(c);
  if (!c->own.left) {
    next_stretch(c);
    chosen = c->own.active;
  }
  if (!c->own.go)
    c->own.active = 1; /* the others leave */
  else if (chosen > before)
    chosen = c->own.active = start(c, before, chosen);
  unsigned after = c->own.active;
  if (after != before)
    share_out(c);
  call_in(c, before, after);
  join(m);
  event_count_signal(&c->own.served, m->serials);
  await_gone(c, after, before);
  if (!c->own.go) /* no other thread reads it any more; the next run begins with as many threads */
    c->own.active = chosen;
  return after > 1;
}

static void hear(struct news *all, const struct member *other, uint32_t meeting) {
  const struct news *n = &other->news[meeting % 2];
  all->asked |= n->asked;
  sooner(&all->next, n->next);
}

/* Hears what the others tell in this meeting: first of those that are there, whose news thus are in the host's cache, while the last are
 * awaited. */
static void hear_all(struct member *m, uint32_t meeting, struct news *all) {
  uint8_t late[ENGINE_SHARDS];
  unsigned nlate = 0;
  for (unsigned i = 0; i < m->active; i++)
    __builtin_prefetch(&m->all[i]);
  for (unsigned i = 0; i < m->active; i++)
    if (i == m->number)
      continue;
    else if (event_count_reached(&m->all[i].told, meeting))
      hear(all, &m->all[i], meeting);
    else
      late[nlate++] = (uint8_t)i;
  for (unsigned k = 0; k < nlate; k++) {
    event_count_await(&m->all[late[k]].told, meeting, m->spin);
    hear(all, &m->all[late[k]], meeting);
  }
}

static bool meet(struct member *m) {
  struct parallel_engine *c = m->c;
  uint32_t meeting = ++m->meetings;
  struct news all = m->news[meeting % 2] = news_of(m);
  delay_here(&m->delay);
  event_count_signal(&m->told, meeting);
  hear_all(m, meeting, &all);
  delay_here(&m->delay);
  bool serial = !--m->left || all.asked || all.next >= c->until || all.next >= m->point;
  m->parity ^= 1;
  if (!serial) {
    m->end =
        m->number ? parallel_window_end(c, all.next, m->point) : parallel_set_window(c, all.next, m->point);
    return true;
  }
  m->serials++;
  if (!m->number)
    return lead(m);
  event_count_await(&c->own.served, m->serials, m->spin);
  delay_here(&m->delay);
  join(m);
  return m->number < m->active;
}

static void run_shard(struct member *m, unsigned shard) {
  const struct engine *e = &m->c->shard[shard];
  delay_here(&m->delay);
  parallel_run_shard(m->c, shard, m->end, m->parity);
  m->heard.asked |= e->asked;
  m->heard.next = e->next < m->heard.next ? e->next : m->heard.next;
  m->heard.next = e->called < m->heard.next ? e->called : m->heard.next;
}

/* The thread has run its shards: the host fetches what others have left, all at once. For the thread that comes here last, all others wait. */
static void look_around(const struct member *m) {
  for (unsigned i = 0; i < m->active; i++) {
    __builtin_prefetch(&m->all[i].left_shards);
    __builtin_prefetch(&m->all[i].shards[(m->meetings + 1) % 2]);
  }
}

/* Runs a shard that the thread has taken, which is the thread's in the next window. */
static void run_taken(struct member *m, unsigned shard, uint64_t *since) {
  run_shard(m, shard);
  uint64_t now = event_count_clock();
  add_shard(&m->shards[m->meetings % 2], shard, now - *since);
  *since = now;
}

/* Runs the thread's own shards, then shards that others have not begun. Where windows have one cycle, looking for shards of others
 * would cost more than it gains. */
static void run_shards(void *member) {
  struct member *m = member;
  unsigned shard;
  m->heard = (struct news){.next = NEVER};
  if (!m->c->by_unit) {
    for (shard = m->number; shard < m->c->nshards; shard += m->active)
      run_shard(m, shard);
    return;
  }
  uint64_t began = event_count_clock(), since = began;
  m->shards[m->meetings % 2].n = 0;
  while (take_shard(m, m, &shard)) {
    next_near(m);
    run_taken(m, shard, &since);
  }
  look_around(m);
  for (struct member *of; (of = most_worth(m));)
    if (take_shard(of, m, &shard))
      run_taken(m, shard, &since);
  m->busy += since - began;
}

static void work(struct member *m) {
  struct rescue why;
  do
    if (!m->c->catches)
      run_shards(m);
    else if (!rescue_run(&why, run_shards, m))
      fault(m->c, &why);
  while (meet(m));
}

static void *help(void *arg) {
  struct member *m = arg;
  pool_enter(m->c->pool);
  mem_thread_begins();
  for (uint32_t n = 1;; n++) {
    event_count_await(&m->start, n, m->spin);
    if (m->c->own.quit)
      return NULL;
    join(m);
    work(m);
    event_count_signal(&m->gone, n);
  }
}

/* Ends the threads that were started. */
static void quit(void *engine) {
  struct parallel_engine *c = engine;
  unsigned n = 1;
  c->own.quit = true;
  for (; n < c->nthreads && c->member[n].starts; n++)
    event_count_signal(&c->member[n].start, ++c->member[n].starts);
  for (unsigned i = 1; i < n; i++)
    pthread_join(c->member[i].thread, NULL);
}

static void init(struct parallel_engine *c) {
  struct member *m = c->member = xaligned(c->nthreads * sizeof *m);
  c->pool = pool_here();
  c->own.crowded = cores_allowed() < c->nthreads;
  for (unsigned i = 0; i < c->nthreads; i++)
    m[i] = (struct member){.c = c,
                           .all = m,
                           .number = i,
                           .spin = spin_least_ns,
                           .delay = c->delay ? delay_mix(c->delay - i - 1) | 1 : 0};
  if (c->by_unit)
    pace_start_high(&c->pace);
  next_stretch(c);
  pool_ends(quit, c);
}

/* Begins a stretch with as many threads as `pace` chose; the unfinished stretch before is not measured. */
static void new_stretch(struct parallel_engine *c) {
  c->own.ns = 0, c->own.began = c->own.windows, c->own.steps = parallel_steps(c);
  busy_ns(c);
  c->own.active = c->pace.threads, c->own.left = c->pace.windows;
}

/* Does the first thread stay alone, after so many windows alone? */
static bool stay_alone(struct parallel_engine *c, uint64_t windows) {
  c->own.left -= windows;
  if (!c->own.left)
    next_stretch(c);
  return c->own.active == 1;
}

void meet_run(struct parallel_engine *c) {
  c->own.since = event_count_clock();
  if (!c->member)
    init(c);
  else if (c->adapts && pace_launch(&c->pace))
    new_stretch(c);
  c->own.go = true;
  while (c->own.go) {
    if (c->own.active > 1)
      c->own.active = start(c, 1, c->own.active);
    if (c->own.active == 1) {
      parallel_run_alone(c, stay_alone);
      continue;
    }
    share_out(c);
    join(&c->member[0]);
    call_in(c, 1, c->own.active);
    work(&c->member[0]);
  }
  c->own.ns += event_count_clock() - c->own.since;
}

void meet_end(struct parallel_engine *c) {
  if (!c->member)
    return;
  pool_ended(c);
  quit(c);
  free(c->member);
}
