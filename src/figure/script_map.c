/* Pareto fronts and heat maps in gnuplot's language. */
#include "figure/script.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

void script_pareto(const struct figure *f, struct strbuf *to) {
  bool *front = xcalloc(f->ncategories + 1, sizeof *front);
  double *y = xcalloc(f->ncategories + 1, sizeof *y);
  for (size_t c = 0; c < f->ncategories; c++)
    y[c] = script_at(f, f->value, c, 0);
  figure_front(f->x, y, f->ncategories, front);
  strbuf_add(to, "set grid xtics ytics lc rgb '#dddddd' lt 1 lw 0.5\nset offsets graph 0.02, graph 0.18, "
                 "graph 0.08, graph 0.05\n$all << EOD\n");
  for (size_t c = 0; c < f->ncategories; c++) {
    script_number(to, f->x[c]);
    script_number(to, y[c]);
    strbuf_addc(to, '\n');
  }
  strbuf_add(to, "EOD\n$front << EOD\n");
  for (size_t c = 0; c < f->ncategories; c++) {
    if (!front[c])
      continue;
    script_number(to, f->x[c]);
    script_number(to, y[c]);
    script_quoted(to, f->categories[c]);
    strbuf_addc(to, '\n');
  }
  strbuf_add(to, "EOD\nplot $all using 1:2 with points pt 7 ps 0.6 lc rgb '#56B4E9' title 'beaten by a "
                 "cheaper one', \\\n"
                 "  $front using 1:2 smooth unique with lines lw 2 lc rgb '#D55E00' notitle, \\\n"
                 "  $front using 1:2 with points pt 7 ps 0.9 lc rgb '#D55E00' title 'Pareto front', \\\n"
                 "  $front using 1:2:3 with labels left offset 0.7,-0.6 font ',10' notitle\n");
  free(front);
  free(y);
}

/* From blue over white to vermilion, white where the baseline is. */
void script_heatmap(const struct figure *f, struct strbuf *to) {
  double reach = 0;
  for (size_t i = 0; i < f->ncategories * f->nseries; i++)
    if (!isnan(f->value[i]))
      reach = fmax(reach, fabs(f->value[i] - f->baseline));
  reach = reach > 0 ? reach : 1;
  strbuf_add(to, "unset key\nset grid noxtics noytics\nset palette defined (-1 '#0072B2', 0 'white', 1 "
                 "'#D55E00')\nset cbrange [");
  script_number(to, f->baseline - reach);
  strbuf_addc(to, ':');
  script_number(to, f->baseline + reach);
  strbuf_add(to, "]\nset yrange [] reverse\nset tics scale 0\nset xtics noenhanced (");
  for (size_t s = 0; s < f->nseries; s++) {
    strbuf_add(to, s ? ", " : "");
    script_text(to, f->series[s]);
    strbuf_addf(to, " %zu", s);
  }
  strbuf_add(to, ")\nset ytics noenhanced (");
  for (size_t c = 0; c < f->ncategories; c++) {
    strbuf_add(to, c ? ", " : "");
    script_text(to, f->categories[c]);
    strbuf_addf(to, " %zu", c);
  }
  strbuf_addf(to, ")\nset xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\n$cells << EOD\n", f->nseries - 1,
              f->ncategories - 1);
  for (size_t c = 0; c < f->ncategories; c++)
    for (size_t s = 0; s < f->nseries; s++) {
      strbuf_addf(to, "%zu %zu ", s, c);
      script_number(to, script_at(f, f->value, c, s));
      if (isnan(script_at(f, f->value, c, s)))
        strbuf_add(to, "\"–\"\n");
      else
        strbuf_addf(to, "\"%.3g\"\n", script_at(f, f->value, c, s));
    }
  strbuf_add(
      to, "EOD\nplot $cells using 1:2:3 with image pixels notitle, $cells using 1:2:4 with labels notitle\n");
}
