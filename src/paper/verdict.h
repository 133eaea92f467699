/* What the paper says against what came out. */
#ifndef SLUICE_PAPER_VERDICT_H
#define SLUICE_PAPER_VERDICT_H

#include "paper/table.h"

enum verdict_direction {
  DIRECTION_NONE, /* not a change, or one of them is missing */
  DIRECTION_SAME,
  DIRECTION_FLAT,  /* a change in the paper, none here */
  DIRECTION_OTHER, /* up in one, down in the other, or a change here alone */
};

struct paper_verdict {
  const struct paper_number *number;
  double ours; /* NaN: missing in these results */
  enum verdict_direction direction;
  bool bounded, within; /* the paper gives bounds; ours lies within */
};
/* A change of less than this, in percent, is none. */
#define VERDICT_CHANGE 1.0
struct paper_verdict paper_verdict(const struct paper_table *t, const struct paper_number *n);
/* In words; "" where there is no direction. */
const char *paper_direction_text(enum verdict_direction d);

/* Pairs of the paper's numbers that can be compared (of one workload, or of one series) and how many are in the same
 * order here. */
struct paper_ranking {
  size_t pairs, same;
};
struct paper_ranking paper_ranking(const struct paper_table *t);

#endif
