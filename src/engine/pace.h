/* How many threads run: as many as make the simulation faster, found out while it runs.
 *
 *   run ─ run ─ run ─ warm, try another number ─ better? that one from now on : run, and try again after twice the time
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
  unsigned threads;     /* that are to run now */
  uint64_t windows;     /* in the next stretch, after which pace_next() is to be called */
  unsigned most;        /* that ever ran */
  double ns, thread_ns; /* of all stretches; the same times the threads */
  unsigned ours; /* set by the caller: threads of this process that run, whatever they do; 0: `threads` */
  unsigned (*room)(
      unsigned ours); /* threads that processors are free for, while so many of ours run; NULL: many */
  /* numbers of threads to choose from, ascending */
  unsigned at[PACE_LEVELS], levels, level, tried;
  enum { PACE_RUN, PACE_WARM, PACE_TRY } state;
  int direction;
  unsigned
      reach; /* the level to try next where more may help: the highest at first, then between that and the chosen one */
  bool slumped;           /* it has become slow all of a sudden */
  unsigned downs;         /* trials of fewer threads */
  unsigned confirmed;     /* stretches in which fewer were as fast, of this trial */
  double rate, window_ns; /* of the chosen level: work per ns; time of a window */
  double since, patience; /* ns since the last trial; after which the next comes */
  double load; /* threads that were at work on average, not waiting, in the last stretch; 0: not known */
  struct {
    double rate, at;    /* work per ns, and when it was measured: ns */
    double held;        /* ns for which the level was the chosen one, of late */
  } known[PACE_LEVELS]; /* of each level */
};

/* Starts with one thread. */
void pace_init(struct pace *p, unsigned most);
/* Where threads are known to have much to do from the first window on: starts with all of them. */
void pace_start_high(struct pace *p);
/* A launch begins, with the number of threads that ran longest in launches before: at the end of a launch there is little to do, which says
 * nothing about the next one. True: that is another number, and a new stretch. */
bool pace_launch(struct pace *p);
/* No more than that many can be had. */
void pace_limit(struct pace *p, unsigned most);
/* A stretch of p->windows windows took `ns` nanoseconds, in which so much was done; `busy`: nanoseconds that all threads together were at work,
 * not waiting for each other; 0: not known. */
void pace_next(struct pace *p, uint64_t work, uint64_t ns, uint64_t busy);
double pace_average(const struct pace *p); /* threads that ran, over time */

#endif
