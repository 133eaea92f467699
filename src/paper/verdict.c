#include "paper/verdict.h"
#include <math.h>
#include <string.h>

/* -1, 0 or 1: down, no change, up; 2: this scale has no direction. */
static int direction(const struct paper_figure *f, double v) {
  double change = f->scale == SCALE_CHANGE ? v : 100 * (v - 1);
  if (f->scale != SCALE_CHANGE && f->scale != SCALE_RATIO)
    return 2;
  return fabs(change) < VERDICT_CHANGE ? 0 : change > 0 ? 1 : -1;
}

static double ours(const struct paper_table *t, const struct paper_number *n) {
  size_t row = paper_table_row(t, n->at);
  return row == SIZE_MAX ? (double)NAN : t->value[row * t->figure->nseries + n->series];
}

struct paper_verdict paper_verdict(const struct paper_table *t, const struct paper_number *n) {
  struct paper_verdict v = {.number = n, .ours = ours(t, n)};
  v.bounded = !isinf(n->min) || !isinf(n->max);
  if (isnan(v.ours))
    return v;
  v.within = v.ours >= n->min && v.ours <= n->max;
  int mine = direction(t->figure, v.ours);
  if (!isnan(n->value) && mine != 2)
    v.direction = mine == direction(t->figure, n->value) ? DIRECTION_SAME
                  : mine == 0                            ? DIRECTION_FLAT
                                                         : DIRECTION_OTHER;
  return v;
}

const char *paper_direction_text(enum verdict_direction d) {
  static const char *const text[] = {"", "same direction", "no change here", "another direction"};
  return text[d];
}

struct paper_ranking paper_ranking(const struct paper_table *t) {
  const struct paper_figure *f = t->figure;
  struct paper_ranking r = {0};
  for (size_t i = 0; i < f->nnumbers; i++)
    for (size_t k = 0; k < i; k++) {
      const struct paper_number *a = &f->numbers[i], *b = &f->numbers[k];
      double x = ours(t, a), y = ours(t, b);
      bool comparable = a->series == b->series || strcmp(a->at, b->at) == 0;
      if (!comparable || isnan(x) || isnan(y) || isnan(a->value) || isnan(b->value) || a->value == b->value)
        continue;
      r.pairs++;
      r.same += a->value > b->value ? x > y : x < y;
    }
  return r;
}
