/* The table itself, its CSV and its files. */
#include "figure/figure.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const figure_kind_names[] = {"bars",   "stacked", "lines", "scatter", "heatmap",
                                         "pareto", "tornado", "upset", NULL};

void figure_text(char **to, const char *text) {
  char *copy = xstrdup(text);
  free(*to);
  *to = copy;
}

static double *filled(size_t n, double v) {
  double *d = xcalloc(n ? n : 1, sizeof *d);
  for (size_t i = 0; i < n; i++)
    d[i] = v;
  return d;
}

struct figure *figure_new(enum figure_kind kind, size_t ncategories, size_t nseries) {
  struct figure *f = xcalloc(1, sizeof *f);
  f->kind = kind;
  f->ncategories = ncategories;
  f->nseries = nseries;
  f->categories = xcalloc(ncategories + 1, sizeof *f->categories);
  f->series = xcalloc(nseries + 1, sizeof *f->series);
  f->summary = xcalloc(ncategories + 1, sizeof *f->summary);
  f->x = filled(ncategories, 0);
  f->value = filled(ncategories * nseries, NAN);
  f->empty = xcalloc(ncategories * nseries + 1, sizeof *f->empty);
  f->paper = filled(ncategories * nseries, NAN);
  f->low = filled(ncategories * nseries, NAN);
  f->high = filled(ncategories * nseries, NAN);
  f->look = figure_look_usual();
  for (size_t i = 0; i < ncategories; i++) {
    f->categories[i] = xstrdup("");
    f->x[i] = (double)i;
  }
  for (size_t i = 0; i < nseries; i++)
    f->series[i] = xstrdup("");
  f->id = xstrdup("figure");
  f->title = xstrdup("");
  f->xlabel = xstrdup("");
  f->ylabel = xstrdup("");
  return f;
}

void figure_free(struct figure *f) {
  if (!f)
    return;
  for (size_t i = 0; i < f->ncategories; i++)
    free(f->categories[i]);
  for (size_t i = 0; i < f->nseries; i++)
    free(f->series[i]);
  free(f->categories);
  free(f->series);
  free(f->summary);
  free(f->x);
  free(f->value);
  free(f->empty);
  free(f->paper);
  free(f->low);
  free(f->high);
  free(f->id);
  free(f->title);
  free(f->xlabel);
  free(f->ylabel);
  free(f->note);
  free(f);
}

static void csv_field(struct strbuf *to, const char *text) {
  if (!text[strcspn(text, "\",\r\n")]) {
    strbuf_add(to, text);
    return;
  }
  strbuf_addc(to, '"');
  for (; *text; text++) {
    if (*text == '"')
      strbuf_addc(to, '"');
    strbuf_addc(to, *text);
  }
  strbuf_addc(to, '"');
}

static void csv_number(struct strbuf *to, double v) {
  char buf[NUM_F64_MAX];
  strbuf_addc(to, ',');
  if (!isnan(v))
    strbuf_add(to, num_print_f64(buf, v));
}

void figure_csv(const struct figure *f, struct strbuf *to) {
  bool errors = false;
  for (size_t i = 0; i < f->ncategories * f->nseries; i++)
    errors |= !isnan(f->low[i]);
  strbuf_addf(to, "category,series,x,value,paper%s\n", errors ? ",low,high" : "");
  for (size_t c = 0; c < f->ncategories; c++)
    for (size_t s = 0; s < f->nseries; s++) {
      csv_field(to, f->categories[c]);
      strbuf_addc(to, ',');
      csv_field(to, f->series[s]);
      csv_number(to, f->x[c]);
      csv_number(to, f->value[c * f->nseries + s]);
      csv_number(to, f->paper[c * f->nseries + s]);
      if (errors) {
        csv_number(to, f->low[c * f->nseries + s]);
        csv_number(to, f->high[c * f->nseries + s]);
      }
      strbuf_addc(to, '\n');
    }
}

static bool save(const char *dir, const char *id, const char *ending, const struct strbuf *text,
                 struct error *err) {
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/%s.%s", dir, id, ending);
  bool ok = file_write_atomic(path.s, strbuf_str(text), text->n, err);
  strbuf_free(&path);
  return ok;
}

bool figure_write(const struct figure *f, const char *dir, struct strbuf *svg, struct error *err) {
  if (!file_make_folder(dir, err))
    return false;
  struct strbuf csv = {0}, picture = {0}, pdf = {0};
  figure_csv(f, &csv);
  bool ok = save(dir, f->id, "csv", &csv, err) && figure_draw(f, FIGURE_SVG, &picture, err) &&
            save(dir, f->id, "svg", &picture, err) && figure_draw(f, FIGURE_PDF, &pdf, err) &&
            save(dir, f->id, "pdf", &pdf, err);
  if (ok && svg)
    strbuf_addn(svg, picture.s, picture.n);
  strbuf_free(&csv);
  strbuf_free(&picture);
  strbuf_free(&pdf);
  return ok;
}

void figure_front(const double *x, const double *y, size_t n, bool *front) {
  for (size_t i = 0; i < n; i++) {
    front[i] = !isnan(x[i]) && !isnan(y[i]);
    for (size_t j = 0; j < n && front[i]; j++) {
      bool as_good = x[j] <= x[i] && y[j] >= y[i];
      bool better = x[j] < x[i] || y[j] > y[i];
      if (as_good && (better || j < i))
        front[i] = false;
    }
  }
}
