/* How many threads run: as many as make the simulation faster, found out while it runs.
 *
 *   run ─ run ─ run ─ warm, try another number ─ better? that number from now on : run, and try again after twice the time
 *
 * What counts is work per time, so that it does not matter why threads do not help: too little to do between two meetings,
 * other processes on the same processors, a quota. Results do not depend on the number. */
#ifndef SLUICE_ENGINE_PACE_H
#define SLUICE_ENGINE_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PACE_LEVELS = 16 };

struct pace {
  /* for the caller */
  unsigned threads;     /* number of threads to run now */
  uint64_t windows;     /* in the next stretch, after which pace_next() is to be called */
  unsigned most;        /* the most threads that ever ran at a time */
  double ns, thread_ns; /* nanoseconds of all stretches; of each, times its threads */
  unsigned ours; /* set by the caller: threads of this process that run, whatever they do; 0: `threads` */
  unsigned (*room)(
      unsigned ours); /* number of threads for which processors are free, while `ours` run; NULL: no limit */
  /* levels: numbers of threads to choose from, ascending; the chosen level, the level of the last trial */
  unsigned at[PACE_LEVELS], levels, level, tried;
  enum { PACE_RUN, PACE_WARM, PACE_TRY } state;
  int direction;
  unsigned
      reach; /* the level to try next where more threads may help: the highest at first, then between the highest and the chosen level */
  bool slumped;           /* the simulation has become slow suddenly */
  unsigned downs;         /* trials of fewer threads */
  unsigned confirmed;     /* stretches of this trial in which fewer threads were as fast */
  double rate, window_ns; /* of the chosen level: work per ns; time of a window */
  double since, patience; /* ns since the last trial; ns after which the next trial comes */
  double load; /* threads that were at work on average, not waiting, in the last stretch; 0: not known */
  struct {
    double rate, at;    /* work per ns, and when it was measured: ns */
    double held;        /* recent ns in which the level was chosen */
  } known[PACE_LEVELS]; /* of each level */
};

/* Prepares to choose among up to `most` threads; the run starts with one thread. */
void pace_init(struct pace *p, unsigned most);
/* Where threads are known to have much to do from the first window on: starts with all of them. */
void pace_start_high(struct pace *p);
/* A launch begins, with the number of threads that ran longest in launches before: at the end of a launch there is little to do, which says
 * nothing about the next launch. True: the number of threads changes, and a new stretch begins. */
bool pace_launch(struct pace *p);
/* The host does not provide more than `most` threads. */
void pace_limit(struct pace *p, unsigned most);
/* A stretch of p->windows windows took `ns` nanoseconds, in which `work` units of work were done; `busy`: nanoseconds that all threads together were at work,
 * not waiting for each other; 0: not known. */
void pace_next(struct pace *p, uint64_t work, uint64_t ns, uint64_t busy);
double pace_average(const struct pace *p); /* average number of threads that ran */

#endif
