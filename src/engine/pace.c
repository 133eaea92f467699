#include "engine/pace.h"
#include <stdbool.h>

static const double stretch_ns = 5e5, steady_ns = 1e6, /* once the number of threads has stayed the same */
    steady_patience = 8e6, patience_least = 1e6, patience_most = 2.5e8;
static const double gain = 1.05; /* more threads must be faster by this factor: less is noise */
static const double loss = 0.98; /* fewer threads must keep this part of the speed */
static const double slump = 0.6; /* a rate below this part of the usual rate: something has changed */
static const double vain = 0.5;  /* a rate below this part of the usual rate ends a trial of fewer threads */
static const double far = 1.5,
                    forget_ns =
                        1e9;  /* fewer threads that were slower by `far` are not tried again for this long */
static const double cold = 4; /* a window of a trial may at first take so many times as long as usual … */
static const double cold_ns = 3e5; /* … and so many nanoseconds for starting threads */
static const double crowding =
    1.25; /* many threads take this factor longer than few, in all, for the same work: their caches share lines */
enum { WINDOWS_MOST = 1 << 16, WINDOWS_WARM = 8, WINDOWS_FEWER = 2, WINDOWS_FIRST = 1 };
/* Windows differ: fewer than WINDOWS_LEAST do not show what several threads gain, and fewer than CONFIRMED stretches do not show that fewer
 * threads are as fast. */
enum { WINDOWS_LEAST = 8, CONFIRMED = 3 };

void pace_init(struct pace *p, unsigned most) {
  *p = (struct pace){.threads = 1,
                     .windows = WINDOWS_FIRST,
                     .most = 1,
                     .room = p->room,
                     .direction = 1,
                     .patience = patience_least};
  for (unsigned n = 1; n < most && p->levels < PACE_LEVELS - 1; n *= 2)
    p->at[p->levels++] = n;
  p->at[p->levels++] = most;
  p->reach = p->levels - 1;
}

void pace_start_high(struct pace *p) {
  p->level = p->levels - 1;
  p->threads = p->most = p->at[p->level];
  p->windows = p->threads > 1 ? WINDOWS_LEAST : WINDOWS_FIRST;
}

void pace_limit(struct pace *p, unsigned most) {
  while (p->levels > 1 && p->at[p->levels - 1] > most)
    p->levels--;
  if (p->level >= p->levels)
    p->level = p->levels - 1;
  p->state = PACE_RUN;
  p->threads = p->at[p->level];
}

double pace_average(const struct pace *p) {
  return p->ns > 0 ? p->thread_ns / p->ns : p->threads;
}

static uint64_t stretch(const struct pace *p) {
  double ns = p->state == PACE_RUN && p->patience > steady_patience ? steady_ns : stretch_ns;
  double n = ns / p->window_ns, least = p->threads > 1 ? WINDOWS_LEAST : 1;
  return n < least ? (uint64_t)least : n > WINDOWS_MOST ? WINDOWS_MOST : (uint64_t)n;
}

static void go_on(struct pace *p) {
  p->state = PACE_RUN;
  p->threads = p->at[p->level];
  p->windows = stretch(p);
  p->since = 0;
}

bool pace_launch(struct pace *p) {
  unsigned longest = p->level;
  for (unsigned i = 0; i < p->levels; i++)
    longest = p->known[i].held > p->known[longest].held ? i : longest;
  for (unsigned i = 0; i < p->levels; i++)
    p->known[i].held /= 2;
  if (longest == p->level)
    return false;
  p->level = longest;
  p->rate = p->known[longest].rate;
  go_on(p);
  return true;
}

static void stay(struct pace *p) {
  p->patience = p->patience * 2 < patience_most ? p->patience * 2 : patience_most;
  if (p->tried > p->level) /* the next trial goes up half as many levels */
    p->reach = (p->level + p->tried) / 2;
  p->direction = -p->direction;
  go_on(p);
}

/* The number of threads for which processors are free, as far as known. */
static unsigned room_of(const struct pace *p) {
  return p->room(p->ours ? p->ours : p->threads);
}

/* The higher level to try next, with processors free for its threads; the present level: there is none. */
static unsigned higher(const struct pace *p) {
  unsigned room = p->room ? room_of(p) : p->at[p->levels - 1];
  unsigned n = p->reach > p->level ? p->reach : p->level + 1;
  n = n < p->levels ? n : p->levels - 1;
  while (n > p->level && p->at[n] > room)
    n--;
  return n;
}

/* Do other processes want the processors, as far as known? Otherwise a change of speed comes from the simulated work. */
static bool crowded(const struct pace *p) {
  return !p->room || room_of(p) < p->threads;
}

/* Was this level slower by far when it was last tried, not long ago? */
static bool hopeless(const struct pace *p, unsigned level) {
  return p->known[level].rate > 0 && p->known[level].rate * far < p->rate &&
         p->ns - p->known[level].at < forget_ns;
}

/* Would the threads of this level take longer even if none of them ever waited? While other processes want the processors, the time at
 * work does not tell. */
static bool too_few(const struct pace *p, unsigned level) {
  return p->load > crowding * p->at[level] && !crowded(p);
}

/* Starts a trial of another level: of a lower level where no higher level can be tried, and the other way round. */
static void try_another(struct pace *p) {
  unsigned best = higher(p);
  bool up = best > p->level, down = p->level > 0;
  p->tried = p->level;
  if (!up && !down) {
    stay(p);
    return;
  }
  if (p->direction > 0 ? !up : !down)
    p->direction = -p->direction;
  if (p->direction > 0)
    p->tried = best;
  else /* every other time a single thread: it waits for no other, as even two threads would */
    p->tried = p->slumped || p->downs++ % 2 ? 0 : p->level - 1;
  if (p->tried < p->level && !p->slumped && (hopeless(p, p->tried) || too_few(p, p->tried))) {
    p->tried = p->level;
    stay(p);
    return;
  }
  p->state = PACE_WARM;
  p->confirmed = 0;
  p->threads = p->at[p->tried];
  p->windows = p->windows < WINDOWS_WARM ? 1 : p->tried < p->level ? WINDOWS_FEWER : WINDOWS_WARM;
  p->most = p->threads > p->most ? p->threads : p->most;
}

static void ran(struct pace *p, double rate, double ns) {
  bool slower = p->level && p->rate > 0 && rate < slump * p->rate, slumped = slower && crowded(p);
  p->window_ns = ns / (double)p->windows;
  p->rate = p->rate > 0 && !slower ? (p->rate + rate) / 2 : rate;
  p->since += ns;
  p->windows = stretch(p);
  if (p->levels > 1 && (slumped || p->since >= p->patience)) {
    p->slumped = slumped;
    if (slumped)
      p->direction = -1, p->patience = patience_least, p->reach = p->levels - 1;
    try_another(p);
  }
}

static void tried(struct pace *p, double rate, double ns) {
  if (rate < p->rate * (p->tried > p->level ? gain : loss)) {
    stay(p);
    return;
  }
  if (p->tried < p->level && !p->slumped && ++p->confirmed < CONFIRMED)
    return;
  p->reach = p->tried > p->level ? p->tried + 1 : p->level;
  p->level = p->tried;
  p->rate = rate;
  p->window_ns = ns / (double)p->windows;
  p->patience = patience_least;
  go_on(p);
}

void pace_next(struct pace *p, uint64_t work, uint64_t elapsed, uint64_t busy) {
  double ns = elapsed ? (double)elapsed : 1, rate = (double)(work ? work : 1) / ns;
  p->ns += ns;
  p->thread_ns += ns * p->threads;
  unsigned level = p->state == PACE_RUN ? p->level : p->tried;
  p->known[level].rate = rate, p->known[level].at = p->ns;
  p->known[p->level].held += ns;
  if (p->state == PACE_RUN)
    p->load = (double)busy / ns;
  if (p->state == PACE_RUN) {
    ran(p, rate, ns);
  } else if (p->state == PACE_TRY) {
    tried(p, rate, ns);
  } else if (ns > cold * p->window_ns * (double)p->windows + cold_ns ||
             (p->tried < p->level && rate < vain * p->rate)) {
    stay(p);
  } else {
    p->state = PACE_TRY;
    p->windows = stretch(p);
  }
}
