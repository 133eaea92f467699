/* What is known of the chosen techniques of one GPU: shared by set.c, which chooses and opens them, and counters.c. */
#ifndef SLUICE_TECH_CHOSEN_H
#define SLUICE_TECH_CHOSEN_H

#include "tech/tech.h"

enum { MOST_CHOSEN = 16 };

struct chosen {
  const struct sluice_technique *t;
  union sluice_value param[64];
  struct sluice_env env; /* without a unit */
  void *gpu;
  bool outside;
  uint64_t **count; /* one array for each unit opened */
  size_t ncount, capcount;
};

struct opened {
  void (*close)(void *);
  void *self;
  bool outside; /* its technique is not of this program */
};

struct tech_set {
  struct chosen of[MOST_CHOSEN];
  unsigned n;
  struct opened *open;
  size_t nopen, capopen;
  uint64_t next_tick[MOST_CHOSEN], period[MOST_CHOSEN];
  bool broken;
};

#endif
