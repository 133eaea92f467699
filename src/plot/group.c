#include "plot/group.h"
#include "base/strbuf.h"
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct lab_pair *)a)->name, ((const struct lab_pair *)b)->name);
}

/* All coordinates of a point as one text. */
static char *key_of(const struct plot_point *p) {
  struct lab_pair *sorted = xcalloc(p->at.n + 1, sizeof *sorted);
  struct strbuf key = {0};
  for (size_t i = 0; i < p->at.n; i++)
    sorted[i] = p->at.at[i];
  qsort(sorted, p->at.n, sizeof *sorted, by_name);
  for (size_t i = 0; i < p->at.n; i++)
    strbuf_addf(&key, "%s=%s\n", sorted[i].name, sorted[i].value);
  free(sorted);
  strbuf_add(&key, "");
  return strbuf_take(&key);
}

struct keyed {
  char *key;
  size_t point;
};

static int by_key(const void *a, const void *b) {
  const struct keyed *x = a, *y = b;
  int c = strcmp(x->key, y->key);
  return c ? c : (x->point > y->point) - (x->point < y->point);
}

static int by_first(const void *a, const void *b) {
  size_t x = ((const struct plot_group *)a)->point[0], y = ((const struct plot_group *)b)->point[0];
  return (x > y) - (x < y);
}

/* The least of the statistic that the sweep chooses by, or the most with '+' before; the first of equals. */
static void choose(struct plot_group *g, struct lab_store *s, const struct plot_points *p) {
  double best = 0;
  g->best = SIZE_MAX;
  for (size_t i = 0; i < g->n; i++) {
    const struct plot_point *k = &p->point[g->point[i]];
    const char *by = k->best_by ? k->best_by : "cycles";
    double v = 0, sign = *by == '+' ? -1 : 1;
    bool usable = plot_done(k) && (!k->best_param || lab_store_stat(s, k->id, by + (*by == '+'), &v));
    g->undone += !plot_done(k);
    if (usable && (g->best == SIZE_MAX || sign * v < best)) {
      g->best = g->point[i];
      best = sign * v;
    }
  }
}

void plot_groups_make(struct plot_groups *g, struct lab_store *s, const struct plot_points *p) {
  struct keyed *all = xcalloc(p->n + 1, sizeof *all);
  *g = (struct plot_groups){.points = p};
  for (size_t i = 0; i < p->n; i++)
    all[i] = (struct keyed){key_of(&p->point[i]), i};
  qsort(all, p->n, sizeof *all, by_key);
  for (size_t i = 0; i < p->n; i++) {
    if (!i || strcmp(all[i].key, all[i - 1].key) != 0)
      VEC_PUSH(g->at, g->n, g->cap) = (struct plot_group){.base = SIZE_MAX};
    struct plot_group *k = &g->at[g->n - 1];
    VEC_PUSH(k->point, k->n, k->cap) = all[i].point;
  }
  for (size_t i = 0; i < p->n; i++)
    free(all[i].key);
  free(all);
  qsort(g->at, g->n, sizeof *g->at, by_first);
  for (size_t i = 0; i < g->n; i++)
    choose(&g->at[i], s, p);
}

void plot_groups_free(struct plot_groups *g) {
  for (size_t i = 0; i < g->n; i++)
    free(g->at[i].point);
  free(g->at);
  *g = (struct plot_groups){0};
}

const char *plot_group_at(const struct plot_groups *g, size_t i, const char *axis) {
  return plot_at(&g->points->point[g->at[i].point[0]], axis);
}

static bool has_all(const struct plot_groups *g, size_t i, const struct lab_pairs *over) {
  for (size_t k = 0; k < over->n; k++)
    if (strcmp(plot_group_at(g, i, over->at[k].name), over->at[k].value) != 0)
      return false;
  return true;
}

/* How many coordinates beside the baseline's are the same; -1: some differ. One that either lacks does not. */
static int likeness(const struct plot_groups *g, size_t i, size_t base, const struct lab_pairs *over) {
  int same = 0;
  for (size_t a = 0; a < g->points->naxes; a++) {
    const char *name = g->points->axis[a].name;
    if (lab_pairs_get(over, name))
      continue;
    const char *x = plot_group_at(g, i, name), *y = plot_group_at(g, base, name);
    if (strcmp(x, y) == 0)
      same++;
    else if (*x && *y)
      return -1;
  }
  return same;
}

static void describe(const struct plot_groups *g, size_t i, struct strbuf *to) {
  const struct plot_point *p = &g->points->point[g->at[i].point[0]];
  for (size_t k = 0, n = 0; k < p->at.n; k++) {
    for (size_t a = 0; a < g->points->naxes; a++)
      if (strcmp(g->points->axis[a].name, p->at.at[k].name) == 0 && plot_varies(&g->points->axis[a]))
        strbuf_addf(to, "%s%s=%s", n++ ? ", " : "", p->at.at[k].name, p->at.at[k].value);
  }
}

static bool find_base(struct plot_groups *g, size_t i, const struct lab_pairs *over, const size_t *bases,
                      size_t n, struct error *err) {
  int most = -1;
  size_t other = SIZE_MAX;
  for (size_t k = 0; k < n; k++) {
    int like = likeness(g, i, bases[k], over);
    if (like > most) {
      most = like;
      g->at[i].base = bases[k];
      other = SIZE_MAX;
    } else if (like == most && like >= 0) {
      other = bases[k];
    }
  }
  if (other == SIZE_MAX)
    return true;
  struct strbuf text = {0};
  describe(g, i, &text);
  strbuf_add(&text, ": either of (");
  describe(g, g->at[i].base, &text);
  strbuf_add(&text, ") and (");
  describe(g, other, &text);
  error_add(err, EXIT_USAGE,
            "it is not clear what to measure a point against: %s); say more in --over, as in "
            "technique=none,l2.mshrs=32",
            text.s);
  strbuf_free(&text);
  return false;
}

bool plot_groups_over(struct plot_groups *g, const struct lab_pairs *over, struct error *err) {
  size_t *bases = xcalloc(g->n + 1, sizeof *bases), n = 0;
  bool ok = true;
  for (size_t i = 0; i < g->n; i++)
    if (has_all(g, i, over))
      bases[n++] = i;
  if (n == 0)
    ok = error_add(err, EXIT_USAGE, "no point has the coordinates of the baseline");
  for (size_t i = 0; i < g->n && ok; i++)
    ok = find_base(g, i, over, bases, n, err);
  free(bases);
  return ok;
}
