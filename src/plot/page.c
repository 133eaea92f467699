/* A figure's numbers as text, and as a page with its drawing. */
#include "paper/page.h"
#include "plot/plot.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void cell(const struct figure *f, size_t c, size_t s, struct strbuf *to) {
  double v = f->value[c * f->nseries + s];
  if (isnan(v) && f->empty[c * f->nseries + s])
    return;
  if (fabs(v) < 10 && fabs(v) >= 0.1) /* ratios: three digits behind the point tell them apart */
    strbuf_addf(to, "%.3f", v);
  else
    page_number(to, v);
}

static size_t letters(const char *s) {
  size_t n = 0;
  for (; *s; s++)
    n += ((unsigned char)*s & 0xc0) != 0x80;
  return n;
}

static void padded(struct strbuf *to, const char *s, size_t width, bool right) {
  int gap = (int)(width > letters(s) ? width - letters(s) : 0);
  strbuf_addf(to, "%*s%s%*s", right ? gap : 0, "", s, right ? 0 : gap, "");
}

/* A line for each mark. */
static void scatter_text(const struct figure *f, struct strbuf *to) {
  strbuf_addf(to, "%s, %s\n", f->xlabel, f->ylabel);
  for (size_t c = 0; c < f->ncategories; c++)
    for (size_t s = 0; s < f->nseries; s++)
      if (!f->empty[c * f->nseries + s] || !isnan(f->value[c * f->nseries + s])) {
        strbuf_addf(to, "%s, %s: %.4g, ", f->categories[c], f->series[s], f->x[c]);
        cell(f, c, s, to);
        strbuf_addc(to, '\n');
      }
}

void plot_text(const struct figure *f, struct strbuf *to) {
  size_t first = 0;
  if (f->kind == FIGURE_SCATTER) {
    scatter_text(f, to);
    return;
  }
  for (size_t c = 0; c < f->ncategories; c++)
    first = letters(f->categories[c]) > first ? letters(f->categories[c]) : first;
  strbuf_addf(to, "%s\n", f->ylabel);
  padded(to, "", first, false);
  for (size_t s = 0; s < f->nseries; s++) {
    strbuf_add(to, "  ");
    padded(to, f->series[s], 8, true);
  }
  strbuf_addc(to, '\n');
  for (size_t c = 0; c < f->ncategories; c++) {
    padded(to, f->categories[c], first, false);
    for (size_t s = 0; s < f->nseries; s++) {
      struct strbuf v = {0};
      size_t width = letters(f->series[s]) > 8 ? letters(f->series[s]) : 8;
      cell(f, c, s, &v);
      strbuf_add(to, "  ");
      padded(to, strbuf_str(&v), width, true);
      strbuf_free(&v);
    }
    strbuf_addc(to, '\n');
  }
  if (f->note)
    strbuf_addf(to, "%s\n", f->note);
}

static void element(struct strbuf *to, const char *open, const char *text, const char *close) {
  strbuf_add(to, open);
  page_escape(to, text);
  strbuf_add(to, close);
}

static void table(const struct figure *f, struct strbuf *to) {
  strbuf_add(to, "<div class=wide><table><thead><tr><th></th>");
  for (size_t s = 0; s < f->nseries; s++)
    element(to, "<th class=n>", f->series[s], "</th>");
  strbuf_add(to, "</tr></thead><tbody>\n");
  for (size_t c = 0; c < f->ncategories; c++) {
    element(to, f->summary[c] ? "<tr><th>" : "<tr><td>", f->categories[c], f->summary[c] ? "</th>" : "</td>");
    for (size_t s = 0; s < f->nseries; s++) {
      strbuf_add(to, "<td class=n>");
      cell(f, c, s, to);
      strbuf_add(to, "</td>");
    }
    strbuf_add(to, "</tr>\n");
  }
  strbuf_add(to, "</tbody></table></div>\n");
}

void plot_page(const struct figure *f, const struct strbuf *svg, const char *command, struct strbuf *to) {
  const char *drawing = svg->n ? strstr(svg->s, "<svg") : NULL;
  const char *title = *f->title ? f->title : f->id;
  element(to,
          "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
          "content=\"width=device-width, initial-scale=1\"><title>",
          title, "</title><style>");
  strbuf_addf(to, "%s</style></head><body>\n", page_style);
  element(to, "<h1>", title, "</h1>\n<figure><div class=wide style=\"max-width:60rem\">");
  strbuf_add(to, drawing ? drawing : "");
  element(to, "</div><figcaption>", f->ylabel, "");
  if (f->note)
    element(to, ". <span class=note>", f->note, "</span>");
  strbuf_add(to, "</figcaption></figure>\n");
  table(f, to);
  element(to, "<p>Made by</p><pre>", command, "</pre>\n");
  strbuf_addf(to, "<p class=none>Sluice %s</p></body></html>\n", lab_model());
}
