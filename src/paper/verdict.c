#include "paper/verdict.h"
#include <math.h>
#include <string.h>

static bool shows_changes(const struct paper_figure *f) {
  return f->scale == SCALE_CHANGE || f->scale == SCALE_RATIO;
}

/* In percent where the figure shows changes. */
static double effect(const struct paper_figure *f, double v) {
  return f->scale == SCALE_RATIO ? 100 * (v - 1) : v;
}

/* With a paper's effect of nothing there is no share: ours is as little, or it is not. */
static enum verdict_size size_of(const struct paper_figure *f, double paper, double mine, double *share) {
  bool none = shows_changes(f) ? fabs(paper) < VERDICT_CHANGE : paper == 0;
  if (none)
    return (shows_changes(f) ? fabs(mine) < VERDICT_CHANGE : mine == 0) ? VERDICT_MET : VERDICT_MISSED;
  *share = mine / paper;
  return *share > 1.5    ? VERDICT_MORE
         : *share >= 0.5 ? VERDICT_MET
         : *share >= 0.1 ? VERDICT_PART
         : *share > -0.1 ? VERDICT_MISSED
                         : VERDICT_REVERSE;
}

static double ours(const struct paper_table *t, const struct paper_number *n) {
  size_t row = paper_table_row(t, n->at);
  return row == SIZE_MAX ? (double)NAN : t->value[row * t->figure->nseries + n->series];
}

struct paper_verdict paper_verdict(const struct paper_table *t, const struct paper_number *n) {
  struct paper_verdict v = {.number = n, .ours = ours(t, n), .share = NAN};
  v.bounded = !isinf(n->min) || !isinf(n->max);
  if (isnan(v.ours))
    return v;
  v.within = v.ours >= n->min && v.ours <= n->max;
  v.change = shows_changes(t->figure);
  if (!isnan(n->value))
    v.size = size_of(t->figure, effect(t->figure, n->value), effect(t->figure, v.ours), &v.share);
  return v;
}

void paper_verdict_text(const struct paper_verdict *v, struct strbuf *to) {
  if (isnan(v->ours))
    strbuf_add(to, "not in these results");
  else if (v->bounded && isnan(v->number->value))
    strbuf_add(to, v->within ? "within the paper's bounds" : "outside the paper's bounds");
  else if (!isnan(v->share))
    strbuf_addf(to, "%.0f %% of the paper's %s", 100 * v->share + 0.0, v->change ? "effect" : "value");
  else
    strbuf_add(to, v->size == VERDICT_MET ? "none in both" : "none in the paper");
}

const char *paper_verdict_class(const struct paper_verdict *v) {
  static const char *const classes[] = {"none", "good", "part", "part", "bad", "bad"};
  if (!isnan(v->ours) && v->bounded && isnan(v->number->value))
    return v->within ? "good" : "bad";
  return isnan(v->ours) ? "none" : classes[v->size];
}

struct paper_ranking paper_ranking(const struct paper_table *t, size_t reading) {
  const struct paper_figure *f = t->figure;
  struct paper_ranking r = {0};
  for (size_t i = 0; i < f->nnumbers; i++)
    for (size_t k = 0; k < i; k++) {
      const struct paper_number *a = &f->numbers[i], *b = &f->numbers[k];
      double x = ours(t, a), y = ours(t, b);
      bool comparable = a->reading == reading && b->reading == reading &&
                        (a->series == b->series || strcmp(a->at, b->at) == 0);
      if (!comparable || isnan(x) || isnan(y) || isnan(a->value) || isnan(b->value) || a->value == b->value)
        continue;
      r.pairs++;
      r.same += a->value > b->value ? x > y : x < y;
    }
  return r;
}
