/* The points that are still to be run, and what launchers do with them. */
#ifndef SLUICE_LAB_QUEUE_H
#define SLUICE_LAB_QUEUE_H

#include "lab/cost.h"
#include "lab/run.h"

struct lab_job {
  const struct lab_point *point;
  struct lab_cost cost;
  bool ended;
  double started; /* wall clock; 0: not running */
  double spent;   /* processor time so far, as far as the launcher knows */
};

struct lab_queue {
  struct lab_store *store;
  const char *db; /* its path */
  const struct lab_options *o;
  struct lab_job *job; /* longest first */
  size_t n, ended;
  struct progress progress;
  struct lab_tally tally;
  double estimated, took; /* processor time of those that ended */
};

/* Launchers: run every job to its end, which they tell by lab_queue_end. */
bool lab_local(struct lab_queue *q, struct error *err);
bool lab_slurm(struct lab_queue *q, struct error *err);

/* Stores a result. */
bool lab_queue_end(struct lab_queue *q, size_t job, const struct lab_result *r, struct error *err);
/* The end of a job whose process left no result. */
bool lab_queue_lost(struct lab_queue *q, size_t job, struct lab_outcome o, struct error *err);
void lab_queue_show(struct lab_queue *q);

#endif
