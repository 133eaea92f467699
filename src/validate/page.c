#include "validate/page.h"
#include "base/file.h"
#include "base/mem.h"
#include "figure/figure.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORST = 10, PAGE_MAX = 4 << 20 };
static const char *const class_names[] = {"bandwidth", "latency", "compute", "divergent", "atomic"};
enum { CLASSES = sizeof class_names / sizeof *class_names };
static const char begin[] = "<!-- results -->\n", end[] = "<!-- end of results -->\n";

static bool in_part(const struct validate_row *r, const void *ctx) {
  const char *const *want = ctx;
  return r->calibration == (strcmp(want[0], "calibration") == 0) &&
         (!want[1] || strcmp(want[1], r->class) == 0);
}

static bool compared(const struct validate_row *r) {
  return r->kind != VALIDATE_MICRO && isfinite(r->ours[V_CYCLES]) && r->card[V_CYCLES] > 0;
}

static void summaries(const struct validate_set *s, struct strbuf *to) {
  strbuf_add(to, "| part | class | rows | mean error | median | within 15 % | ours / card | Pearson of logs "
                 "| rank | roofline's mean "
                 "error | L2 sectors | DRAM reads |\n| --- | --- | --: | --: | --: | --: | --: | --: | --: | "
                 "--: | --: | --: |\n");
  for (int part = 0; part < 2; part++)
    for (int c = -1; c < CLASSES; c++) {
      const char *want[] = {part ? "validation" : "calibration", c < 0 ? NULL : class_names[c]};
      struct validate_summary v = validate_summarise(s, in_part, want);
      if (v.n)
        strbuf_addf(to,
                    "| %s | %s | %zu | %.1f %% | %.1f %% | %.0f %% | %.3f | %.3f | %.3f | %.1f %% | %.1f %% "
                    "| %.1f %% |\n",
                    want[0], want[1] ? want[1] : "all", v.n, v.mean * 100, v.median * 100, v.within * 100,
                    v.geomean, v.pearson, v.spearman, v.roofline * 100, v.l2 * 100, v.dram * 100);
    }
}

static double error_of(const struct validate_row *r) {
  return fabs(log(r->ours[V_CYCLES] / r->card[V_CYCLES]));
}

static int worse_first(const void *a, const void *b) {
  double x = error_of(*(const struct validate_row *const *)a),
         y = error_of(*(const struct validate_row *const *)b);
  return (x < y) - (x > y);
}

static void worst(const struct validate_set *s, struct strbuf *to) {
  const struct validate_row **r = xcalloc(s->n + 1, sizeof *r);
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (compared(&s->row[i]) && s->row[i].calibration)
      r[n++] = &s->row[i];
  qsort(r, n, sizeof *r, worse_first);
  strbuf_add(to, "\n| calibration, worst | caches | kernel | class | card | ours | ratio | L2 sectors, ratio "
                 "| DRAM reads, ratio |\n"
                 "| --- | --- | --- | --- | --: | --: | --: | --: | --: |\n");
  for (size_t i = 0; i < n && i < WORST; i++)
    strbuf_addf(to, "| %s | %s | %s | %s | %.0f | %.0f | %.2f | %.2f | %.2f |\n", r[i]->name,
                r[i]->warm ? "warm" : "cold", r[i]->kernel, r[i]->class, r[i]->card[V_CYCLES],
                r[i]->ours[V_CYCLES], r[i]->ours[V_CYCLES] / r[i]->card[V_CYCLES],
                r[i]->ours[V_L2_SECTORS] / r[i]->card[V_L2_SECTORS],
                r[i]->ours[V_DRAM_READ] / r[i]->card[V_DRAM_READ]);
  free(r);
}

static void slopes(const struct validate_set *s, struct strbuf *to) {
  strbuf_add(to, "\n| microbenchmark | cycles of a step, card | ours | error |\n| --- | --: | --: | --: |\n");
  for (size_t i = 0; i < s->nmicro; i++) {
    double card, ours;
    validate_slope(s, &s->micro[i], &card, &ours);
    strbuf_addf(to, "| %s | %.2f | %.2f | %+.1f %% |\n", s->micro[i].name, card, ours,
                (ours / card - 1) * 100);
  }
}

static bool plot(const struct validate_set *s, const char *gpu, const char *path, struct error *err) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    n += compared(&s->row[i]);
  struct figure *f = figure_new(FIGURE_SCATTER, n, CLASSES);
  char title[128];
  snprintf(title, sizeof title, "Cycles, %.40s and ours", gpu);
  figure_text(&f->id, "validation");
  figure_text(&f->title, title);
  figure_text(&f->xlabel, "cycles of the card");
  figure_text(&f->ylabel, "cycles of the timing model");
  f->log_x = f->log_y = true;
  for (int c = 0; c < CLASSES; c++)
    figure_text(&f->series[c], class_names[c]);
  for (size_t i = 0, k = 0; i < s->n; i++) {
    const struct validate_row *r = &s->row[i];
    if (!compared(r))
      continue;
    figure_text(&f->categories[k], r->name);
    f->x[k] = r->card[V_CYCLES];
    for (size_t c = 0; c < CLASSES; c++) {
      bool mine = strcmp(r->class, class_names[c]) == 0;
      f->empty[k * CLASSES + c] = !mine;
      f->value[k * CLASSES + c] = mine ? r->ours[V_CYCLES] : NAN;
    }
    k++;
  }
  struct strbuf svg = {0};
  bool ok = n == 0 || (figure_draw(f, FIGURE_SVG, &svg, err) && file_write_atomic(path, svg.s, svg.n, err));
  strbuf_free(&svg);
  figure_free(f);
  return ok;
}

static void looks(const struct validate_set *s, struct strbuf *to) {
  char path[4096];
  struct error none = {0};
  size_t n, lines = 0;
  validate_looks(s, path, sizeof path);
  char *text = file_read(path, PAGE_MAX, &n, &none);
  for (const char *p = text; p && (p = strchr(p, '\n')); p++)
    lines++;
  strbuf_addf(to, "\nThe validation part has been looked at %zu times, as a whole only (`%s`).\n",
              lines ? lines - 1 : 0, path);
  free(text);
  error_clear(&none);
}

bool validate_page(const struct validate_set *s, const char *gpu, const char *path, struct error *err) {
  struct strbuf out = {0}, results = {0};
  struct error none = {0};
  size_t n, stem = strlen(path) > 3 && strcmp(path + strlen(path) - 3, ".md") == 0 ? strlen(path) - 3
                                                                                   : strlen(path);
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  char picture[4096];
  snprintf(picture, sizeof picture, "%.*s.svg", (int)stem, path);
  summaries(s, &results);
  looks(s, &results);
  strbuf_addf(&results, "\n![Cycles of the card and of the timing model](%.*s.svg)\n",
              (int)(stem - (size_t)(base - path)), base);
  worst(s, &results);
  slopes(s, &results);
  char *old = file_read(path, PAGE_MAX, &n, &none), *from = old ? strstr(old, begin) : NULL,
       *to = from ? strstr(from, end) : NULL;
  if (from && to)
    strbuf_addf(&out, "%.*s%s%s%s", (int)(from - old), old, begin, strbuf_str(&results), to);
  else
    strbuf_addf(&out, "# The timing model beside a real GPU: %s\n\n%s%s%s", gpu, begin, strbuf_str(&results),
                end);
  bool ok = file_write_atomic(path, out.s, out.n,
                              err); /* first: without gnuplot the numbers are there all the same */
  ok = plot(s, gpu, picture, err) && ok;
  free(old);
  error_clear(&none);
  strbuf_free(&out);
  strbuf_free(&results);
  return ok;
}
