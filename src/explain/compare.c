/* Two runs: along the chain from the schedulers to the DRAM, what changed, and what changed first. */
#include "conf/yaml.h"
#include "explain/explain.h"
#include <math.h>
#include <string.h>

enum { WINDOWS = 32 }; /* of equal work, in which runs are compared */

/* Sums when a share of the work is done, between the two steps around it. */
static void sums_at(const struct explain *e, double share, struct explain_step *to) {
  double work = share * e->work_done;
  struct explain_step before = {0};
  *to = before;
  for (size_t i = 0; i < e->nsteps; i++) {
    const struct explain_step *s = &e->step[i];
    if (s->work >= work || i + 1 == e->nsteps) {
      double f = s->work > before.work ? (work - before.work) / (s->work - before.work) : 1;
      f = f > 1 ? 1 : f;
      for (int k = 0; k < EXPLAIN_LINKS; k++) {
        to->top[k] = before.top[k] + f * (s->top[k] - before.top[k]);
        to->bottom[k] = before.bottom[k] + f * (s->bottom[k] - before.bottom[k]);
      }
      return;
    }
    before = *s;
  }
}

static double quotient(const struct explain_step *to, const struct explain_step *from, size_t k) {
  double bottom = to->bottom[k] - from->bottom[k];
  return bottom > 0 ? (to->top[k] - from->top[k]) / bottom : NAN;
}

/* Has it moved? Shares by two points, others by 5 %. */
static bool moved(const struct explain_link *l, double a, double b) {
  if (!isfinite(a) || !isfinite(b))
    return false;
  return l->share ? fabs(b - a) >= 0.02
                  : fabs(b - a) >= 0.05 * fmax(fabs(a), fabs(b)) && fmax(fabs(a), fabs(b)) >= 0.01;
}

/* The share of the work by which each link has moved; 2: it does not. */
static void first_moves(const struct explain *a, const struct explain *b, double when[EXPLAIN_LINKS]) {
  struct explain_step pa = {0}, pb = {0};
  for (size_t k = 0; k < EXPLAIN_LINKS; k++)
    when[k] = 2;
  for (int w = 1; w <= WINDOWS; w++) {
    struct explain_step na, nb;
    sums_at(a, (double)w / WINDOWS, &na);
    sums_at(b, (double)w / WINDOWS, &nb);
    for (size_t k = 0; k < EXPLAIN_LINKS; k++)
      if (when[k] > 1 && moved(&explain_links[k], quotient(&na, &pa, k), quotient(&nb, &pb, k)))
        when[k] = (double)(w - 1) / WINDOWS;
    pa = na, pb = nb;
  }
}

static void settings(const struct yaml_node *a, const struct yaml_node *b, struct strbuf *to) {
  int n = 0;
  for (size_t i = 0; a && a->kind == YAML_MAP && i < a->n; i++) {
    const struct yaml_node *other = yaml_get(b, a->keys[i]), *own = a->items[i];
    if (!other || own->kind != YAML_SCALAR || other->kind != YAML_SCALAR ||
        strcmp(own->text, other->text) == 0)
      continue;
    if (n < 12)
      strbuf_addf(to, "%s%s: %s -> %s\n", n ? "" : "\nWhat was set differently\n", a->keys[i],
                  *own->text ? own->text : "(none)", *other->text ? other->text : "(none)");
    n++;
  }
  if (n > 12)
    strbuf_addf(to, "... and %d more parameters\n", n - 12);
  if (!n)
    strbuf_add(to, "\nNo parameter differs.\n");
}

static void limits(const struct explain *a, const struct explain *b, struct strbuf *to) {
  enum limiter oa[NLIMITERS], ob[NLIMITERS];
  explain_order(&a->run, oa);
  explain_order(&b->run, ob);
  strbuf_addf(to, "\n%-20s %14s %14s %14s\n", "limiter", "A, cycles", "B, cycles", "B - A");
  for (int i = 0; i < NLIMITERS; i++) {
    double x = a->run.limit[oa[i]] / a->run.slots * a->run.cycles,
           y = b->run.limit[oa[i]] / b->run.slots * b->run.cycles;
    if (x * 200 >= a->run.cycles || y * 200 >= b->run.cycles)
      strbuf_addf(to, "%-20s %14.0f %14.0f %+14.0f\n", limiter_names[oa[i]], x, y, y - x);
  }
  double x = a->run.work / a->run.slots * a->run.cycles, y = b->run.work / b->run.slots * b->run.cycles;
  strbuf_addf(to, "%-20s %14.0f %14.0f %+14.0f\n%-20s %14.0f %14.0f %+14.0f\n", "(issuing)", x, y, y - x,
              "all", a->run.cycles, b->run.cycles, b->run.cycles - a->run.cycles);
}

/* The link that moved first: in the earliest part of the work, and of those the one nearest to the schedulers. */
static void links(const struct explain *a, const struct explain *b, struct strbuf *to) {
  double when[EXPLAIN_LINKS];
  struct explain_step none = {0}, ea, eb;
  size_t first = EXPLAIN_LINKS;
  first_moves(a, b, when);
  sums_at(a, 1, &ea);
  sums_at(b, 1, &eb);
  for (size_t k = 0; k < EXPLAIN_LINKS;
       k++) /* a link that is back where it was in the end did not change the run */
    if (when[k] <= 1 && moved(&explain_links[k], quotient(&ea, &none, k), quotient(&eb, &none, k)) &&
        (first == EXPLAIN_LINKS || when[k] < when[first]))
      first = k;
  if (first < EXPLAIN_LINKS)
    strbuf_addf(
        to, "\nThe first link of the chain that changed: %s (%s / %s), from %.0f %% of the work on.\n",
        explain_links[first].words, explain_links[first].top, explain_links[first].bottom, 100 * when[first]);
  else
    strbuf_add(to, "\nNo link of the chain changed.\n");
  strbuf_addf(to, "%-56s %11s %11s %10s  %s\n", "along the chain, from the schedulers to the DRAM and back",
              "A", "B", "change", "differs from");
  for (size_t k = 0; k < EXPLAIN_LINKS; k++) {
    double x = quotient(&ea, &none, k), y = quotient(&eb, &none, k),
           scale = k + 1 == EXPLAIN_LINKS ? 1000 : 1;
    if (!isfinite(x) || !isfinite(y))
      continue;
    strbuf_addf(to, "%-56s %11.4g %11.4g", explain_links[k].words, x * scale, y * scale);
    if (x != 0)
      strbuf_addf(to, " %+8.1f %%", 100 * (y - x) / fabs(x));
    else
      strbuf_addf(to, " %10s", y == 0 ? "" : "new");
    if (when[k] <= 1)
      strbuf_addf(to, "  %.0f %% of the work on%s", 100 * when[k], k == first ? ", first" : "");
    strbuf_addc(to, '\n');
  }
}

void explain_compare(const struct explain *a, const struct explain *b, struct strbuf *to) {
  enum limiter oa[NLIMITERS], ob[NLIMITERS];
  explain_order(&a->run, oa);
  explain_order(&b->run, ob);
  struct error err = {0};
  struct yaml_doc *da = yaml_parse_text(a->source, a->report, strlen(a->report), &err),
                  *db = yaml_parse_text(b->source, b->report, strlen(b->report), &err);
  strbuf_addf(to,
              "A: %s, %.0f cycles, limited by %s (%.0f %%)\nB: %s, %.0f cycles, limited by %s (%.0f %%)\n",
              a->source, a->run.cycles, limiter_names[oa[0]], 100 * a->run.limit[oa[0]] / a->run.slots,
              b->source, b->run.cycles, limiter_names[ob[0]], 100 * b->run.limit[ob[0]] / b->run.slots);
  double speed = b->run.cycles > 0 ? a->run.cycles / b->run.cycles : 0;
  strbuf_addf(to, "B takes %.3f times the cycles of A: %.3f times as fast.\n", b->run.cycles / a->run.cycles,
              speed);
  if (fabs(a->work_done - b->work_done) > 0.001 * a->work_done)
    strbuf_addf(to, "They do different work: %.0f and %.0f thread instructions.\n", a->work_done,
                b->work_done);
  if (da && db) {
    settings(yaml_get(da->root, "config"), yaml_get(db->root, "config"), to);
    limits(a, b, to);
    links(a, b, to);
  }
  if (da)
    yaml_close(da);
  if (db)
    yaml_close(db);
  error_clear(&err);
}
