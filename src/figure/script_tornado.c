/* Tornado charts in gnuplot's language: a horizontal bar for each category, from the baseline to its value, the first
 * category on top. A paper's number is a line from top to bottom. */
#include "figure/script.h"
#include <math.h>

static double paper_of(const struct figure *f) {
  for (size_t c = 0; c < f->ncategories; c++)
    if (!isnan(script_at(f, f->paper, c, 0)))
      return script_at(f, f->paper, c, 0);
  return NAN;
}

/* x y xlow xhigh ylow yhigh, and the value in words behind the bar's end. */
static void bars(const struct figure *f, struct strbuf *to) {
  strbuf_add(to, "$bars << EOD\n");
  for (size_t c = 0; c < f->ncategories; c++) {
    double v = script_at(f, f->value, c, 0), from = f->baseline;
    if (isnan(v))
      continue;
    script_number(to, v);
    strbuf_addf(to, "%zu ", c);
    script_number(to, fmin(v, from));
    script_number(to, fmax(v, from));
    script_number(to, (double)c - 0.36);
    script_number(to, (double)c + 0.36);
    script_number(to, fmax(v, from));
    strbuf_addf(to, "\"%.3g\" %s\n", v, v < from ? "0xD55E00" : "0x0072B2");
  }
  strbuf_add(to, "EOD\n");
}

static bool missing(const struct figure *f, struct strbuf *to) {
  bool begun = false;
  for (size_t c = 0; c < f->ncategories; c++) {
    if (!isnan(script_at(f, f->value, c, 0)) || f->empty[c * f->nseries])
      continue;
    strbuf_add(to, begun ? "" : "$missing << EOD\n");
    begun = true;
    script_number(to, f->baseline);
    strbuf_addf(to, "%zu\n", c);
  }
  strbuf_add(to, begun ? "EOD\n" : "");
  return begun;
}

static void line_at(struct strbuf *to, int id, double x, const char *style) {
  strbuf_addf(to, "set arrow %d from first ", id);
  script_number(to, x);
  strbuf_add(to, ", graph 0 to first ");
  script_number(to, x);
  strbuf_addf(to, ", graph 1 nohead %s\n", style);
}

void script_tornado(const struct figure *f, struct strbuf *to) {
  double paper = paper_of(f);
  strbuf_add(to,
             "set grid noytics xtics lc rgb '#dddddd' lt 1 lw 0.5\nset offsets graph 0.02, graph 0.1, 0, 0\n"
             "set ylabel ''\nset xlabel ");
  script_text(to, f->ylabel);
  strbuf_add(to, "\nset ytics noenhanced scale 0 (");
  for (size_t c = 0; c < f->ncategories; c++) {
    strbuf_add(to, c ? ", " : "");
    script_text(to, f->categories[c]);
    strbuf_addf(to, " %zu", c);
  }
  strbuf_addf(to, ")\nset yrange [%zu.6:-0.6]\n", f->ncategories - 1);
  line_at(to, 1, f->baseline, "lc rgb '#404040' lw 1");
  if (!isnan(paper))
    line_at(to, 2, paper, "lc rgb 'black' lw 1.5 dt 2");
  bars(f, to);
  bool crosses = missing(f, to);
  strbuf_add(to,
             "plot $bars using 1:2:3:4:5:6:9 with boxxyerror fc rgb variable fs solid 0.95 border lc rgb "
             "'#202020' notitle, \\\n  $bars using 7:2:8 with labels left offset 0.4,0 font ',11' notitle");
  if (!isnan(paper)) { /* the line is an arrow: its range and its name come from a plot */
    strbuf_add(to, ", \\\n  '+' using (");
    script_number(to, paper);
    strbuf_add(to, "):(NaN) with lines lc rgb 'black' lw 1.5 dt 2 title 'paper', \\\n  '+' using (");
    script_number(to, paper);
    strbuf_addf(to, "):(%zu) every ::0::0 with dots lc rgb 'white' notitle", f->ncategories - 1);
  }
  if (crosses)
    strbuf_add(to,
               ", \\\n  $missing using 1:2 with points pt 2 ps 0.8 lw 2 lc rgb '#B00000' title 'missing'");
  strbuf_addc(to, '\n');
}
