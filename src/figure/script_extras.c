/* What stands on the marks of a figure: error bars, values where marks are cut, values under the pointer. */
#include "figure/script.h"
#include <math.h>
#include <stdio.h>

enum extra { ERROR, CUT_ABOVE, CUT_BELOW, HOVER };

static bool has(const struct figure *f, enum extra e, size_t i) {
  switch (e) {
  case ERROR:
    return !isnan(f->low[i]) && !isnan(f->high[i]) && !isnan(f->value[i]);
  case CUT_ABOVE:
    return f->value[i] > f->look.max;
  case CUT_BELOW:
    return f->value[i] < f->look.min;
  default:
    return !isnan(f->value[i]);
  }
}

static bool any(const struct figure *f, enum extra e) {
  for (size_t i = 0; i < f->ncategories * f->nseries; i++)
    if (has(f, e, i))
      return true;
  return false;
}

/* Stacked bars end at the sum of what is below. */
static double top(const struct figure *f, size_t c, size_t s) {
  double sum = 0;
  for (size_t i = f->kind == FIGURE_STACKED ? 0 : s; i <= s; i++)
    sum += isnan(script_at(f, f->value, c, i)) ? 0 : script_at(f, f->value, c, i);
  return script_value(f, sum);
}

static void row(const struct figure *f, enum extra e, size_t c, size_t s, double x, struct strbuf *to) {
  size_t i = c * f->nseries + s;
  char text[64];
  struct strbuf words = {0};
  script_number(to, x);
  script_number(to, top(f, c, s));
  switch (e) {
  case ERROR:
    script_number(to, script_value(f, f->low[i]));
    script_number(to, script_value(f, f->high[i]));
    break;
  case CUT_ABOVE:
  case CUT_BELOW:
    snprintf(text, sizeof text, "%.3g", f->value[i]);
    script_quoted(to, text);
    break;
  case HOVER:
    snprintf(text, sizeof text, "%.4g", f->value[i]);
    strbuf_addf(&words, "%s%s%s: %s", f->categories[c], f->nseries > 1 ? ", " : "",
                f->nseries > 1 ? f->series[s] : "", text);
    for (char *k = words.s; *k; k++) /* it stands in an attribute of the SVG, between these */
      *k = *k == '\'' || *k == '\\' ? ' ' : *k;
    script_quoted(to, words.s);
    break;
  }
  strbuf_addc(to, '\n');
  strbuf_free(&words);
}

void script_extras(const struct figure *f, struct strbuf *to,
                   double (*x)(const struct figure *, size_t, size_t)) {
  static const char *const names[] = {
      [ERROR] = "error", [CUT_ABOVE] = "above", [CUT_BELOW] = "below", [HOVER] = "hover"};
  for (enum extra e = ERROR; e <= HOVER; e++) {
    if (!any(f, e))
      continue;
    strbuf_addf(to, "$%s << EOD\n", names[e]);
    for (size_t c = 0; c < f->ncategories; c++)
      for (size_t s = 0; s < f->nseries; s++)
        if (has(f, e, c * f->nseries + s))
          row(f, e, c, s, x(f, c, s), to);
    strbuf_add(to, "EOD\n");
  }
}

void script_plot_extras(const struct figure *f, struct strbuf *to) {
  if (any(f, ERROR))
    strbuf_add(to, "$error using 1:3:(0):($4-$3) with vectors nohead lw 1.2 lc rgb 'black' notitle, \\\n  ");
  if (any(f, CUT_ABOVE)) /* inside the bar that is cut */
    strbuf_add(to, "$above using 1:2:3 with labels rotate by 90 right offset 0,-0.3 notitle, \\\n  ");
  if (any(f, CUT_BELOW))
    strbuf_add(to, "$below using 1:2:3 with labels rotate by 90 left offset 0,0.3 notitle, \\\n  ");
  strbuf_add(to, "$hover using 1:2:3 with labels hypertext point pt 7 ps 1.5 lc rgb '#ff000000' notitle");
}
