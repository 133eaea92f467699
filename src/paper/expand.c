/* Figures as a plan shows them: a series for each reading, or for each assumption that is changed alone.
 *
 *   file:      series [CART, MRPB]                    readings [A, B]
 *   plan:      series [CART A, CART B, MRPB A, MRPB B], numbers likewise
 *   changes:   series [as read, change 0, change 1, ...] */
#include "base/strbuf.h"
#include "paper/plan.h"
#include <string.h>

static size_t add_variant(struct paper_plan *plan, const struct paper_reading *r,
                          const struct paper_change *c) {
  VEC_PUSH(plan->variants, plan->nvariants, plan->capvariants) = (struct paper_variant){r, c};
  return plan->nvariants - 1;
}

/* The variant of the chosen reading if that is shown, else of the first: variants begin with the readings. */
static size_t main_variant(const struct paper_plan *plan) {
  for (size_t i = 0; i < plan->nreadings; i++)
    if (plan->readings[i] == plan->paper->chosen)
      return i;
  return 0;
}

static const char *joined(struct paper_plan *plan, const char *a, const char *b) {
  struct strbuf s = {0};
  strbuf_addf(&s, "%s, %s", a, b);
  const char *kept = arena_strndup(&plan->mem, s.s, s.n);
  strbuf_free(&s);
  return kept;
}

static void by_change(struct paper_plan *plan, const struct paper_figure *from, struct paper_figure *to) {
  size_t of = main_variant(plan);
  const struct paper_reading *r = plan->variants[of].reading;
  to->nseries = 1 + from->nchanges;
  to->series = arena_alloc(&plan->mem, to->nseries * sizeof *to->series);
  to->nreadings = 1;
  for (size_t i = 0; i < to->nseries; i++)
    to->series[i] = from->series[0];
  to->series[0].name = *r->is.name ? r->is.name : from->series[0].name;
  to->series[0].variant = of;
  for (size_t i = 0; i < from->nchanges; i++) {
    const struct paper_change *c = &from->changes[i];
    struct paper_series *s = &to->series[1 + i];
    bool assumes = c->is.nset || c->is.nparams || c->is.gpu;
    s->name = c->is.name;
    s->config = c->config ? c->config : s->config;
    s->over = c->over ? c->over : s->over;
    s->variant = assumes ? add_variant(plan, r, c) : of;
  }
}

static void by_reading(struct paper_plan *plan, const struct paper_figure *from, struct paper_figure *to) {
  bool one = from->shape == SHAPE_PAIRS || from->shape == SHAPE_PARETO; /* which have room for one reading */
  size_t n = to->nreadings = one ? 1 : plan->nreadings, base = one ? main_variant(plan) : 0;
  to->nseries = from->nseries * n;
  to->series = arena_alloc(&plan->mem, (to->nseries + 1) * sizeof *to->series);
  to->nnumbers = from->nnumbers * n;
  to->numbers = arena_alloc(&plan->mem, (to->nnumbers + 1) * sizeof *to->numbers);
  for (size_t i = 0; i < to->nseries; i++) {
    struct paper_series *s = &to->series[i];
    const char *reading = plan->variants[base + i % n].reading->is.name;
    *s = from->series[i / n];
    s->variant = base + i % n;
    if (n > 1) {
      s->name = joined(plan, s->name, reading);
      s->curve = s->curve && *s->curve ? joined(plan, s->curve, reading) : s->curve;
    }
  }
  for (size_t i = 0; i < to->nnumbers; i++) {
    to->numbers[i] = from->numbers[i / n];
    to->numbers[i].reading = i % n;
    to->numbers[i].series = from->numbers[i / n].series * n + i % n;
  }
}

void paper_plan_expand(struct paper_plan *plan) {
  const struct paper *p = plan->paper;
  for (size_t i = 0; i < plan->nreadings; i++)
    add_variant(plan, &p->readings[plan->readings[i]], NULL);
  plan->nfigures = p->nfigures;
  plan->figures = arena_alloc(&plan->mem, (p->nfigures + 1) * sizeof *plan->figures);
  for (size_t i = 0; i < p->nfigures; i++) {
    plan->figures[i] = p->figures[i];
    if (p->figures[i].shape == SHAPE_CHANGES)
      by_change(plan, &p->figures[i], &plan->figures[i]);
    else
      by_reading(plan, &p->figures[i], &plan->figures[i]);
  }
}
