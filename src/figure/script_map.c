/* Heat maps in gnuplot's language. */
#include "figure/script.h"
#include <math.h>

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
  strbuf_add(to, "]\nset yrange [] reverse\nset tics scale 0\n");
  strbuf_addf(to, "set xtics noenhanced %s (", script_tight(f) ? "rotate by -40 left" : "norotate");
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
