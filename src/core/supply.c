#include "core/supply.h"
#include "base/mem.h"
#include "base/pool.h"
#include "engine/delay.h"
#include "engine/profiler.h"
#include "front/functional.h"
#include "core/supply_segment.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* How far execution may be ahead: 4 MB. Execution then rests until half of the words are read: its thread may share a processor with threads
 * that simulate. */
enum { QUEUE_WORDS = 1 << 20, QUEUE_LOW = QUEUE_WORDS / 2 };
enum { READ_SEGMENTS = 16 }; /* read segments that a CTA keeps before it gives them back */

struct supply {
  struct producer p;
  enum supply_mode mode;
  struct profiler *profiler;
  uint32_t nwarps;
  bool done, failed;                  /* as the consumers see them */
  struct supply_cta *oldest, *newest; /* seen and not released */
  struct supply_cta *next;            /* the oldest CTA that was not handed out */
  struct supply_cta *spare;
  struct supply_segment *reuse;
  /* several threads */
  pthread_mutex_t lock; /* protects everything above but p */
  pthread_t thread;
  pthread_cond_t more, room;
  struct supply_segment *head, **tail; /* the queue */
  uint64_t queued;                     /* words in the queue */
  bool ended, stop, starving;
  bool executing;  /* the thread that runs ahead executes a turn */
  bool rests;      /* that thread is far enough ahead */
  bool taken_over; /* the thread that starts CTAs executes meanwhile */
  uint64_t delay;  /* state of delays; 0: none */
  void (*executed)(void *ctx);
  void *ctx;
  bool runs;         /* the launch runs */
  bool held;         /* supply_hold(): no other thread reads records meanwhile */
  struct pool *pool; /* of the thread that opened the supply */
};

static struct supply_segment *reused(struct supply *f) {
  struct supply_segment *s = f->reuse;
  if (s)
    f->reuse = s->next;
  return s;
}

static void put_back(struct supply *f, struct supply_segment *s) {
  s->next = f->reuse;
  f->reuse = s;
}

enum { TURNS = 16 }; /* segments that are used again at once */

static void *run_ahead(void *arg) {
  struct supply *f = arg;
  pool_enter(f->pool);
  mem_thread_begins();
  pthread_mutex_lock(&f->lock);
  while (!f->stop && !f->ended) {
    f->rests = f->queued >= (f->rests ? QUEUE_LOW : QUEUE_WORDS);
    if (f->rests || f->taken_over) {
      pthread_cond_wait(&f->room, &f->lock);
      continue;
    }
    struct supply_segment *spare[TURNS], *s = NULL;
    unsigned n = 0;
    for (; n < TURNS && (spare[n] = reused(f)); n++) {
    }
    f->executing = true;
    pthread_mutex_unlock(&f->lock);
    delay_shared(&f->delay);
    struct supply_segment *first = NULL, **last = &first;
    uint64_t words = 0;
    unsigned used = 0;
    do { /* turns that are executed already are added together */
      s = producer_next(&f->p, used < n ? spare[used++] : NULL, false);
      if (!s)
        break;
      *last = s, last = &s->next;
      words += s->n;
    } while (producer_ready(&f->p) && words < QUEUE_WORDS);
    pthread_mutex_lock(&f->lock);
    while (used < n)
      put_back(f, spare[used++]);
    if (first)
      *f->tail = first, f->tail = last;
    f->queued += words;
    f->ended = !s;
    f->executing = false;
    if (f->starving)
      pthread_cond_broadcast(&f->more);
  }
  while (f->executed && !f->runs && !f->stop)
    pthread_cond_wait(&f->room, &f->lock);
  bool all = f->ended && !f->stop && !f->p.failed;
  pthread_mutex_unlock(&f->lock);
  struct rescue why; /* a failure is ignored: the thread that runs the next launch tries again */
  if (all && f->executed)
    (void)rescue_run(&why, f->executed, f->ctx);
  return NULL;
}

/* Ends the thread that executes ahead. */
static void quit(void *supply) {
  struct supply *f = supply;
  pthread_mutex_lock(&f->lock);
  f->stop = true;
  pthread_cond_signal(&f->room);
  pthread_mutex_unlock(&f->lock);
  pthread_join(f->thread, NULL);
}

struct supply *supply_open(struct exec *x, const struct supply_options *o) {
  struct supply *f = xcalloc(1, sizeof *f);
  producer_init(&f->p, x, o->told, o->nwarps, o->warp_width > 32, o->params, o->core, o->numbers);
  producer_helped(&f->p, o->team);
  f->nwarps = o->nwarps;
  f->mode = o->mode;
  f->profiler = o->profiler;
  f->executed = o->executed, f->ctx = o->ctx;
  f->tail = &f->head;
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->more, NULL);
  pthread_cond_init(&f->room, NULL);
  f->pool = pool_here();
  if (o->mode == SUPPLY_AHEAD && pthread_create(&f->thread, NULL, run_ahead, f))
    f->mode = SUPPLY_SHARED; /* the host has no thread: the consumers execute */
  if (f->mode == SUPPLY_AHEAD)
    pool_ends(quit, f);
  return f;
}

void supply_runs(struct supply *f) {
  pthread_mutex_lock(&f->lock);
  f->runs = true;
  pthread_cond_signal(&f->room);
  pthread_mutex_unlock(&f->lock);
}

void supply_delay(struct supply *f, uint64_t seed) {
  __atomic_store_n(&f->delay, seed ? delay_mix(seed) | 1 : 0, __ATOMIC_RELAXED);
}

uint32_t supply_registers(const struct supply *f) {
  return f->p.registers;
}

static void free_segments(struct supply_segment *s) {
  while (s) {
    struct supply_segment *next = s->next;
    supply_segment_free(s);
    s = next;
  }
}

static void free_ctas(struct supply_cta *c) {
  while (c) {
    struct supply_cta *next = c->next;
    free_segments(c->first);
    free_segments(c->read);
    free(c->warp);
    free(c);
    c = next;
  }
}

void supply_close(struct supply *f) {
  if (!f)
    return;
  if (f->mode == SUPPLY_AHEAD) {
    pool_ended(f);
    quit(f);
  }
  free_ctas(f->oldest);
  free_ctas(f->spare);
  free_segments(f->head);
  free_segments(f->reuse);
  producer_destroy(&f->p);
  pthread_mutex_destroy(&f->lock);
  pthread_cond_destroy(&f->more);
  pthread_cond_destroy(&f->room);
  free(f);
}

const struct supply_block *supply_block(struct supply *f, uint32_t block) {
  return &f->p.block[block];
}

static struct supply_segment *execute(struct supply *f, bool together) {
  uint64_t start = f->profiler ? f->profiler->read(f->profiler->ctx) : 0;
  struct supply_segment *s = producer_next(&f->p, reused(f), together);
  if (f->profiler)
    f->profiler->apart += f->profiler->read(f->profiler->ctx) - start;
  return s;
}

/* Prefetches the next segment, which another thread has written. */
static void come_near(const struct supply_segment *s) {
  enum { LINE = 64 };
  for (size_t at = 0; at < sizeof *s; at += LINE)
    __builtin_prefetch((const char *)s + at);
}

/* The next segment in order; NULL: there is none. With several threads, the lock is held. A thread that starts CTAs when the queue is empty,
 * while no other thread runs (`together`), executes turns itself: handing over a turn takes longer than many turns take. */
static struct supply_segment *take(struct supply *f, bool together) {
  if (f->mode != SUPPLY_AHEAD)
    return execute(f, together);
  f->taken_over |= together && !f->head;
  while (!f->head && !f->ended && (!together || f->executing)) {
    f->starving = true;
    pthread_cond_wait(&f->more, &f->lock);
    f->starving = false;
  }
  if (!f->head && !f->ended) {
    struct supply_segment *s = execute(f, true);
    f->ended = !s;
    return s;
  }
  struct supply_segment *s = f->head;
  if (!s)
    return NULL;
  f->head = s->next;
  if (!f->head)
    f->tail = &f->head;
  else
    come_near(f->head);
  uint64_t before = f->queued;
  f->queued -= s->n;
  if (before >= QUEUE_LOW && f->queued < QUEUE_LOW)
    pthread_cond_signal(&f->room);
  return s;
}

static struct supply_cta *cta_new(struct supply *f, uint64_t linear) {
  struct supply_cta *c = f->spare;
  if (c) {
    f->spare = c->next;
    memset(c->warp, 0, f->nwarps * sizeof *c->warp);
  } else {
    /* on lines of the host's cache that no thread writes to which simulates another CTA */
    size_t warps = f->nwarps * sizeof *c->warp;
    c = xaligned(sizeof *c);
    c->warp = memset(xaligned(warps), 0, warps);
  }
  *c = (struct supply_cta){.linear = linear, .nwarps = f->nwarps, .warp = c->warp, .prev = f->newest};
  if (f->newest)
    f->newest->next = c;
  else
    f->oldest = c;
  f->newest = c;
  if (!f->next)
    f->next = c;
  return c;
}

/* Makes the CTA of a segment that is the first of the CTA. Other threads wait for the lock, so a panic is kept as a failure of the execution
 * until all threads have left. */
struct beginning {
  struct supply *f;
  uint64_t linear;
  struct supply_cta *cta;
};
static void begin_cta(void *beginning) {
  struct beginning *b = beginning;
  b->cta = cta_new(b->f, b->linear);
}
static struct supply_cta *cta_begin(struct supply *f, struct supply_segment *s) {
  struct beginning b = {f, s->cta, NULL};
  struct rescue why;
  if (!rescue_here()) {
    begin_cta(&b);
    return b.cta;
  }
  if (rescue_run(&why, begin_cta, &b))
    return b.cta;
  f->p.failed = true;
  f->p.cause = why.cause;
  snprintf(f->p.what, sizeof f->p.what, "%s", why.text);
  __atomic_store_n(&f->failed, true, __ATOMIC_RELAXED);
  put_back(f, s);
  return NULL;
}

/* Takes one more segment from the queue and adds it to its CTA. */
static bool pull(struct supply *f, bool together, struct error *err) {
  if (f->done || f->failed)
    return false;
  struct supply_segment *s = take(f, together);
  if (!s) {
    __atomic_store_n(&f->failed, f->p.failed, __ATOMIC_RELAXED); /* read by threads that meet */
    f->done = !f->failed;
    if (f->failed) {
      error_clear(err);
      *err = f->p.err;
      f->p.err = (struct error){0};
    }
    return false;
  }
  if (f->p.told && f->p.told->seen)
    f->p.told->seen(f->p.told->ctx, &s->counted);
  struct supply_cta *c = NULL;
  if (s->first && !(c = cta_begin(f, s)))
    return false;
  for (struct supply_cta *k = f->newest; !c; k = k->prev)
    if (k->linear == s->cta && !k->complete)
      c = k;
  s->next = NULL;
  bool last = s->last; /* read before s is linked: s may then be used again */
  if (c->latest)
    __atomic_store_n(&c->latest->next, s, __ATOMIC_RELEASE); /* the SM of the CTA may be reading */
  else
    c->first = s;
  c->latest = s;
  __atomic_store_n(&c->complete, last, __ATOMIC_RELEASE);
  return true;
}

void supply_hold(struct supply *f) {
  if (f->mode != SUPPLY_ALONE)
    pthread_mutex_lock(&f->lock);
  f->held = true;
}

void supply_let_go(struct supply *f) {
  if (f->taken_over) {
    f->taken_over = false;
    pthread_cond_signal(&f->room);
  }
  f->held = false;
  if (f->mode != SUPPLY_ALONE)
    pthread_mutex_unlock(&f->lock);
}

struct supply_cta *supply_next_cta(struct supply *f, struct error *err) {
  while (!f->next && pull(f, true, err)) {
  }
  struct supply_cta *c = f->next;
  if (c)
    f->next = c->next;
  return c;
}

bool supply_executes(struct supply *f) {
  if (f->mode != SUPPLY_AHEAD)
    return false;
  pthread_mutex_lock(&f->lock);
  bool executes = !f->ended && !f->rests;
  pthread_mutex_unlock(&f->lock);
  return executes;
}

static void put_back_read(struct supply *f, struct supply_cta *c) {
  while (c->read) {
    struct supply_segment *s = c->read;
    c->read = s->next;
    put_back(f, s);
  }
  c->nread = 0;
}

/* The warp has read its segment: moves the warp to the next segment that has records of the warp, among those that have come. Of what other
 * threads use, only the link to the next segment is touched. False: there is no such segment, and none will come if the CTA is complete. */
static bool move_on(struct supply_cta *c, uint32_t warp, bool *complete) {
  struct supply_warp *k = &c->warp[warp];
  for (;;) {
    *complete = __atomic_load_n(&c->complete, __ATOMIC_ACQUIRE); /* before the link, which is then final */
    struct supply_segment *old = k->segment,
                          *s = old ? __atomic_load_n(&old->next, __ATOMIC_ACQUIRE) : c->first;
    if (!s)
      return false;
    if (old && !--old->unread) {
      c->first = s;
      old->next = c->read;
      c->read = old;
      c->nread++;
    }
    k->segment = s;
    k->words = s->words, k->at = s->from[warp], k->n = s->from[warp + 1];
    if (k->at != k->n)
      return true;
  }
}

/* Pulls segments until the warp has records. With several threads, the lock is held. False: there are none. */
static bool pull_for(struct supply *f, struct supply_cta *c, uint32_t warp, struct error *err) {
  bool complete, more;
  put_back_read(f, c);
  while (!(more = move_on(c, warp, &complete)) && !complete && pull(f, f->held, err)) {
  }
  return more;
}

bool supply_more(struct supply *f, struct supply_cta *c, uint32_t warp, struct error *err) {
  bool complete;
  if (c->warp[warp].at != c->warp[warp].n)
    return true;
  bool more = move_on(c, warp, &complete);
  if ((more || complete) && c->nread < READ_SEGMENTS)
    return more;
  bool locks = f->mode != SUPPLY_ALONE && !f->held;
  if (locks)
    pthread_mutex_lock(&f->lock);
  if (more || complete)
    put_back_read(f, c);
  else
    more = pull_for(f, c, warp, err);
  if (locks)
    pthread_mutex_unlock(&f->lock);
  return more;
}

bool supply_all_begin(const struct supply_cta *c) {
  const uint32_t *from = c->first->from;
  for (uint32_t w = 0; w < c->nwarps; w++)
    if (from[w] == from[w + 1])
      return false;
  return true;
}

void supply_release(struct supply *f, struct supply_cta *c) {
  if (c->prev)
    c->prev->next = c->next;
  else
    f->oldest = c->next;
  if (c->next)
    c->next->prev = c->prev;
  else
    f->newest = c->prev;
  put_back_read(f, c);
  while (c->first) {
    struct supply_segment *s = c->first;
    c->first = s->next;
    put_back(f, s);
  }
  c->next = f->spare;
  f->spare = c;
}

bool supply_failed(const struct supply *f) {
  if (f->failed && f->p.cause)
    rescue_raise(f->p.cause, f->p.what);
  return f->failed;
}
const bool *supply_failure(const struct supply *f) {
  return &f->failed;
}
bool supply_exhausted(const struct supply *f) {
  return f->done && !f->next;
}
