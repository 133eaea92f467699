/* The page of energies: Markdown, with a plot beside it. */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "figure/figure.h"
#include "validate/energy.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_MAX = 4 << 20 };
static const char *const class_names[] = {"bandwidth", "latency", "compute", "divergent", "atomic"};
enum { CLASSES = sizeof class_names / sizeof *class_names };
static const char begin[] = "<!-- results -->\n", end[] = "<!-- end of results -->\n";

static void summaries(const struct energy_set *e, struct strbuf *to) {
  strbuf_add(to, "| part | class | kernels | power, card's times: mean error | median | ours / card | power, "
                 "simulated times: mean | median | energy, simulated times: mean | median |\n"
                 "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  for (int part = 0; part < 2; part++)
    for (int c = -1; c < CLASSES; c++) {
      const char *name = part ? "validation" : "calibration", *class = c < 0 ? NULL : class_names[c];
      struct energy_summary card = energy_summarise(e, name, class, ENERGY_POWER, true),
                            sim = energy_summarise(e, name, class, ENERGY_POWER, false),
                            uj = energy_summarise(e, name, class, ENERGY_ENERGY, false);
      if (card.n)
        strbuf_addf(to,
                    "| %s | %s | %zu | %.1f %% | %.1f %% | %.3f | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n",
                    name, class ? class : "all", card.n, card.mean * 100, card.median * 100, card.bias,
                    sim.mean * 100, sim.median * 100, uj.mean * 100, uj.median * 100);
    }
}

static void kernels(const struct energy_set *e, struct strbuf *to) {
  strbuf_add(to,
             "\n| calibration | class | us, card | simulated | W, card | ours, card's time | error | ours, "
             "simulated time | error |\n| --- | --- | --: | --: | --: | --: | --: | --: | --: |\n");
  for (size_t i = 0; i < e->n; i++) {
    const struct energy_case *c = &e->at[i];
    if (c->kind != ENERGY_KERNEL || !c->calibration || !isfinite(c->total_mj))
      continue;
    double card = energy_watts(c, true), sim = energy_watts(c, false);
    strbuf_addf(to, "| %s | %s | %.2f | %.2f | %.0f | %.0f | %+.0f %% | %.0f | %+.0f %% |\n", c->name,
                c->class, c->us, c->sim_us, c->watts, card, (card / c->watts - 1) * 100, sim,
                (sim / c->watts - 1) * 100);
  }
}

static void micro(const struct energy_set *e, struct strbuf *to) {
  double sum = 0;
  size_t n = 0;
  strbuf_add(to,
             "\n| microbenchmark | fitted | us | W, card | ours, card's time | error |\n| --- | --- | --: | "
             "--: | --: | --: |\n");
  for (size_t i = 0; i < e->n; i++) {
    const struct energy_case *c = &e->at[i];
    if (c->kind != ENERGY_MICRO || !isfinite(c->total_mj))
      continue;
    double ours = energy_watts(c, true);
    sum += c->fitted ? fabs(ours / c->watts - 1) : 0;
    n += c->fitted;
    strbuf_addf(to, "| %s | %s | %.2f | %.0f | %.0f | %+.0f %% |\n", c->name, c->fitted ? "yes" : "no", c->us,
                c->watts, ours, (ours / c->watts - 1) * 100);
  }
  if (n)
    strbuf_addf(to, "\nMean error of the %zu that are fitted: %.1f %%.\n", n, sum / (double)n * 100);
}

static void coefficients(const struct energy_table *t, struct strbuf *to) {
  strbuf_add(to, "\n| coefficient | | for each | source |\n| --- | --: | --- | --- |\n");
  for (int r = 0; r < NROWS; r++)
    if (t->row[r].known) {
      char text[NUM_F64_MAX];
      strbuf_addf(to, "| `%s` | %s %s | %s (`%s`) | %s%s |\n", energy_rows[r].name,
                  num_print_f64(text, t->row[r].value), energy_rows[r].unit == UNIT_PJ ? "pJ" : "W",
                  energy_rows[r].what, energy_rows[r].counters, t->row[r].source,
                  t->row[r].assumed ? " (assumed)" : "");
    }
}

static bool plot(const struct energy_set *e, const char *gpu, const char *path, struct error *err) {
  size_t n = 0;
  for (size_t i = 0; i < e->n; i++)
    n += e->at[i].kind == ENERGY_KERNEL && isfinite(e->at[i].total_mj);
  struct figure *f = figure_new(FIGURE_SCATTER, n, CLASSES);
  char title[128];
  snprintf(title, sizeof title, "Power, %.40s and ours", gpu);
  figure_text(&f->id, "validation-energy");
  figure_text(&f->title, title);
  figure_text(&f->xlabel, "W of the card");
  figure_text(&f->ylabel, "W of the model, with the card's times");
  for (int c = 0; c < CLASSES; c++)
    figure_text(&f->series[c], class_names[c]);
  for (size_t i = 0, k = 0; i < e->n; i++) {
    const struct energy_case *c = &e->at[i];
    if (c->kind != ENERGY_KERNEL || !isfinite(c->total_mj))
      continue;
    figure_text(&f->categories[k], c->name);
    f->x[k] = c->watts;
    for (size_t q = 0; q < CLASSES; q++) {
      bool mine = strcmp(c->class, class_names[q]) == 0;
      f->empty[k * CLASSES + q] = !mine;
      f->value[k * CLASSES + q] = mine ? energy_watts(c, true) : NAN;
    }
    k++;
  }
  struct strbuf svg = {0};
  bool ok = n == 0 || (figure_draw(f, FIGURE_SVG, &svg, err) && file_write_atomic(path, svg.s, svg.n, err));
  strbuf_free(&svg);
  figure_free(f);
  return ok;
}

bool energy_page(const struct energy_set *e, const struct energy_table *t, const char *gpu, const char *path,
                 struct error *err) {
  struct strbuf out = {0}, results = {0};
  struct error none = {0};
  size_t n, length = strlen(path),
            stem = length > 3 && strcmp(path + length - 3, ".md") == 0 ? length - 3 : length;
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  char picture[4096];
  snprintf(picture, sizeof picture, "%.*s.svg", (int)stem, path);
  summaries(e, &results);
  strbuf_addf(&results, "\n![Power of the card and of the model](%.*s.svg)\n",
              (int)(stem - (size_t)(base - path)), base);
  kernels(e, &results);
  micro(e, &results);
  coefficients(t, &results);
  char *old = file_read(path, PAGE_MAX, &n, &none), *from = old ? strstr(old, begin) : NULL,
       *to = from ? strstr(from, end) : NULL;
  if (from && to)
    strbuf_addf(&out, "%.*s%s%s%s", (int)(from - old), old, begin, strbuf_str(&results), to);
  else
    strbuf_addf(&out, "# Energy beside a real GPU: %s\n\n%s%s%s", gpu, begin, strbuf_str(&results), end);
  bool ok = plot(e, gpu, picture, err) && file_write_atomic(path, out.s, out.n, err);
  free(old);
  error_clear(&none);
  strbuf_free(&out);
  strbuf_free(&results);
  return ok;
}
