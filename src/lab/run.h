/* Runs points and keeps their results.
 *
 *   points ─▶ those the database does not have, longest first ─▶ launcher: a process for each ─▶ database
 *
 * A point that crashes, stalls or runs out of memory is a failed point with a reason, not the end of the sweep.
 * Killed at any moment, the same call goes on where it was. */
#ifndef SLUICE_LAB_RUN_H
#define SLUICE_LAB_RUN_H

#include "base/progress.h"
#include "lab/spec.h"
#include <stdio.h>

enum lab_launcher { LAB_LOCAL, LAB_SLURM };
extern const char *const lab_launcher_names[]; /* NULL at the end */

struct lab_options {
  unsigned jobs;       /* at once; 0: as many as processors may be used, or as Slurm lets */
  uint64_t memory_kib; /* that the points may have together; 0: what is available */
  bool retry;          /* failed, stalled and cut points again */
  struct lab_streams streams;
  enum progress_mode progress;
  enum lab_launcher launcher;
  const char *slurm_args; /* further arguments of sbatch, or NULL */
  const char *program;    /* the sluice command; NULL: this one */
};

/* Threads of a point that starts while so many are left, itself included: processors that have no point help with others. */
unsigned lab_threads(size_t processors, size_t points);

struct lab_tally {
  size_t points;                     /* different ones */
  size_t done, failed, stalled, cut; /* in the database now */
  size_t ran;                        /* of these, by this call */
  double cpu_s, wall_s;              /* of this call */
};

/* False: something went wrong with the database or the launcher, and points are left. Points that failed are in
 * the tally, not an error. */
bool lab_run(const struct lab_points *p, const char *db, const struct lab_options *o, struct lab_tally *t,
             struct error *err);

/* What lab_run would do: points to run, their processor time, and when they would be through. */
struct lab_plan {
  size_t points, done, failed, run; /* failed: and not to be tried again */
  size_t guessed;                   /* of run: those whose time is not known */
  size_t at_once;
  double cpu_s, wall_s;
};
/* `db` need not exist. */
bool lab_plan(const struct lab_points *p, const char *db, const struct lab_options *o, struct lab_plan *plan,
              struct error *err);

/* A line for each point that is not done: what it is, its state and reason. Returns how many. */
size_t lab_list_failures(struct lab_store *s, const struct lab_points *p, FILE *to);

#endif
