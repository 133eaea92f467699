/* What the paper says against what came out. */
#ifndef SLUICE_PAPER_VERDICT_H
#define SLUICE_PAPER_VERDICT_H

#include "base/strbuf.h"
#include "paper/table.h"

/* By how much of the paper's effect is here. The effect is the change that a figure shows; where it shows none (values,
 * percentages) it is the number itself. */
enum verdict_size {
  VERDICT_NONE,    /* one of them is missing */
  VERDICT_MET,     /* the difference is at most half of the paper's effect */
  VERDICT_MORE,    /* more than one and a half times it */
  VERDICT_PART,    /* the same direction, a tenth to a half of it */
  VERDICT_MISSED,  /* less than a tenth of it in either direction, or a change where the paper has none */
  VERDICT_REVERSE, /* the other direction */
};

struct paper_verdict {
  const struct paper_number *number;
  double ours;  /* NaN: missing in these results */
  double share; /* of the paper's effect; NaN where it has none or ours is missing */
  bool change;  /* the figure shows changes */
  enum verdict_size size;
  bool bounded, within; /* the paper gives bounds; ours lies within */
};
/* A change of less than this, in percent, is none. */
#define VERDICT_CHANGE 1.0
struct paper_verdict paper_verdict(const struct paper_table *t, const struct paper_number *n);
/* "4 % of the paper's effect", "within the paper's bounds", "not in these results". */
void paper_verdict_text(const struct paper_verdict *v, struct strbuf *to);
/* How a page colours it: good, part, bad or none. */
const char *paper_verdict_class(const struct paper_verdict *v);

/* Pairs of the paper's numbers that can be compared (of one workload, or of one series) and how many are in the same
 * order here, under one of the readings that the table shows. */
struct paper_ranking {
  size_t pairs, same;
};
struct paper_ranking paper_ranking(const struct paper_table *t, size_t reading);

#endif
