/* Results in SQLite: one row for each point, its statistics, and which sweep asked for it under which label.
 * docs/lab.md documents the tables.
 *
 * A finished point is one transaction with a rollback journal (which works on network file systems, too), so a
 * database is valid whenever its writer dies. One writer at a time holds PATH.lock. */
#ifndef SLUICE_LAB_STORE_H
#define SLUICE_LAB_STORE_H

#include "lab/point.h"
#include "stat/stat.h"
#include <stdbool.h>

struct lab_store;
struct sqlite3;

enum lab_access {
  LAB_READ,  /* must be there */
  LAB_WRITE, /* made if missing; refused while another process writes it */
};
struct lab_store *lab_store_open(const char *path, enum lab_access access, struct error *err);
void lab_store_close(struct lab_store *s);
/* For queries of one's own. */
struct sqlite3 *lab_store_handle(const struct lab_store *s);

/* How a point ended. Only LAB_DONE has numbers that may be used. */
enum lab_state {
  LAB_MISSING, /* not in the database */
  LAB_PLANNED, /* not run yet, or killed while it ran */
  LAB_DONE,
  LAB_FAILED,  /* an error, a crash, a wrong result */
  LAB_STALLED, /* no progress */
  LAB_CUT,     /* max_cycles reached */
};
extern const char *const lab_state_names[]; /* NULL at the end */

struct lab_outcome {
  enum lab_state state;
  const char *reason; /* "" when done */
  double wall_s, cpu_s;
  uint64_t peak_kib;
};
struct lab_value {
  const char *name;
  bool real;
  int64_t i;
  double f;
};

/* Enters points that are not there as planned, and (where there is a name) the points of the sweep under
 * their labels in place of what it held. */
bool lab_store_plan(struct lab_store *s, const struct lab_points *p, struct error *err);
/* The result of a point, all or nothing. */
bool lab_store_put(struct lab_store *s, const char *id, const struct lab_outcome *o,
                   const struct lab_value *values, size_t n, struct error *err);

/* Reading. lab_store_outcome: `reason` is kept in `mem`, or not wanted (NULL). */
struct lab_outcome lab_store_outcome(struct lab_store *s, const char *id, struct arena *mem);
/* A statistic of a point that is done; false otherwise. */
bool lab_store_stat(struct lab_store *s, const char *id, const char *name, double *value);

#endif
