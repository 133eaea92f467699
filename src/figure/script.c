/* Figures in gnuplot's language. Bars are placed by hand (not as gnuplot's histograms), so that crosses and the
 * paper's diamonds stand on their bars:
 *
 *   category c, series s of n:  x = c + gap + (s - (n - 1) / 2) * width  */
#include "figure/script.h"
#include "base/num.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

static const double PIXELS = 96.0; /* of an inch */

/* Okabe and Ito's colours: told apart with any colour vision; black and yellow come last. */
static const char *const colours[] = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                      "#56B4E9", "#D55E00", "#F0E442", "#000000"};
enum { NCOLOURS = sizeof colours / sizeof *colours };

void script_text(struct strbuf *to, const char *s) {
  strbuf_addc(to, '\'');
  for (; *s; s++) {
    if (*s == '\'')
      strbuf_addc(to, '\'');
    strbuf_addc(to, *s == '\n' ? ' ' : *s);
  }
  strbuf_addc(to, '\'');
}

/* Inside data only double quotes hold a text together. */
void script_quoted(struct strbuf *to, const char *s) {
  strbuf_addc(to, '"');
  for (; *s; s++)
    strbuf_addc(to, *s == '"' || *s == '\n' ? ' ' : *s);
  strbuf_addc(to, '"');
}

void script_number(struct strbuf *to, double v) {
  char buf[NUM_F64_MAX];
  strbuf_add(to, isnan(v) ? "NaN" : num_print_f64(buf, v));
  strbuf_addc(to, ' ');
}

double script_at(const struct figure *f, const double *table, size_t c, size_t s) {
  return table[c * f->nseries + s];
}

static bool any(const struct figure *f, const double *table) {
  for (size_t i = 0; i < f->ncategories * f->nseries; i++)
    if (!isnan(table[i]))
      return true;
  return false;
}

static bool missing(const struct figure *f, size_t c, size_t s) {
  return isnan(script_at(f, f->value, c, s)) && !f->empty[c * f->nseries + s];
}

static bool any_missing(const struct figure *f) {
  for (size_t c = 0; c < f->ncategories; c++)
    for (size_t s = 0; s < f->nseries; s++)
      if (missing(f, c, s))
        return true;
  return false;
}

/* Averages stand half a place apart from what they are averages of. */
static double place(const struct figure *f, size_t c) {
  double gap = 0;
  for (size_t i = 0; i <= c && i < f->ncategories; i++)
    if (i && f->summary[i] != f->summary[i - 1])
      gap += 0.5;
  return (double)c + gap;
}

double script_value(const struct figure *f, double v) {
  return v > f->look.max ? f->look.max : v < f->look.min ? f->look.min : v;
}

/* The limits that the figure is given, else `from` and `to` (NULL: what gnuplot chooses). */
void script_limits(const struct figure *f, const double *from, const double *upto, struct strbuf *to) {
  double min = !isnan(f->look.min) ? f->look.min
               : from              ? *from
                                   : (double)NAN,
         max = !isnan(f->look.max) ? f->look.max
               : upto              ? *upto
                                   : (double)NAN;
  if (isnan(min) && isnan(max))
    return;
  strbuf_add(to, "set yrange [");
  if (isnan(min))
    strbuf_addc(to, '*');
  else
    script_number(to, min);
  strbuf_addc(to, ':');
  if (isnan(max))
    strbuf_addc(to, '*');
  else
    script_number(to, max);
  strbuf_add(to, "]\n");
}

static double bar_width(const struct figure *f) {
  return f->kind == FIGURE_STACKED ? 0.7 : 0.84 / (double)f->nseries;
}

static double bar_place(const struct figure *f, size_t c, size_t s) {
  if (f->kind == FIGURE_STACKED)
    return place(f, c);
  return place(f, c) + ((double)s - (double)(f->nseries - 1) / 2) * bar_width(f);
}

enum { MARGINS = 130, WIDEST = 1300, LETTER = 8 }; /* pixels, at the usual size of letters */

static size_t longest_category(const struct figure *f) {
  size_t longest = 0;
  for (size_t c = 0; c < f->ncategories; c++)
    if (strlen(f->categories[c]) > longest)
      longest = strlen(f->categories[c]);
  return longest;
}

static bool has_bars(const struct figure *f) {
  return f->kind == FIGURE_BARS || f->kind == FIGURE_STACKED;
}

static int width_of(const struct figure *f) {
  if (f->look.width > 0)
    return (int)(f->look.width * PIXELS);
  double bar = f->kind == FIGURE_BARS ? fmax(30, 12 + 9 * (double)f->nseries) : 34;
  if (f->kind == FIGURE_HEATMAP)
    return 220 + (int)(90 * fmin(12, (double)f->nseries));
  if (f->kind == FIGURE_TORNADO)
    return 560 + (int)fmin(360, 7 * (double)longest_category(f));
  return has_bars(f) ? (int)fmin(WIDEST, fmax(640, MARGINS + bar * (double)f->ncategories)) : 720;
}

/* Names that would run into each other are written slanting. */
static bool slanting(const struct figure *f) {
  double unit = figure_look_unit(&f->look);
  double room = (width_of(f) - MARGINS * unit) / (place(f, f->ncategories ? f->ncategories - 1 : 0) + 1.4);
  return has_bars(f) && (double)longest_category(f) * LETTER * unit > room;
}

static size_t entries(const struct figure *f);

/* Lines of a legend below or above the plot beyond the first. */
static double legend_lines(const struct figure *f, double width, double unit) {
  size_t longest = 6, n = entries(f);
  for (size_t s = 0; s < f->nseries; s++)
    longest = strlen(f->series[s]) > longest ? strlen(f->series[s]) : longest;
  double columns = fmax(1, floor((width - 40) / (unit * (45 + 8 * (double)longest))));
  bool across = f->look.legend == LEGEND_BELOW || f->look.legend == LEGEND_TOP;
  return across && n > 1 && f->kind != FIGURE_HEATMAP ? ceil((double)n / columns) - 1 : 0;
}

bool script_tight(const struct figure *f) {
  size_t longest = 0;
  for (size_t s = 0; s < f->nseries; s++)
    longest = strlen(f->series[s]) > longest ? strlen(f->series[s]) : longest;
  double unit = figure_look_unit(&f->look);
  return (double)longest * LETTER * unit > (width_of(f) - 220 * unit) / fmax(1, (double)f->nseries);
}

void script_size(const struct figure *f, int *width, int *height) {
  double unit = figure_look_unit(&f->look);
  double slant = slanting(f) ? fmin(90, 4.5 * (double)longest_category(f)) * unit : 0;
  *width = width_of(f);
  *height = (int)((f->look.width > 0 ? fmin(400, fmax(180, 0.62 * *width)) : 400) + slant);
  if (f->look.width > 0)
    *height += (int)(legend_lines(f, *width, unit) * 18 * unit);
  if (f->kind == FIGURE_HEATMAP)
    *height = (int)(unit * (160 + 42 * fmin(30, (double)f->ncategories) + (script_tight(f) ? 50 : 0)));
  if (f->kind == FIGURE_TORNADO)
    *height = (int)(unit * (150 + 24 * (double)f->ncategories));
  if (f->kind == FIGURE_UPSET)
    *height += (int)(unit * 20 * (double)script_members(f));
  if (f->look.height > 0)
    *height = (int)(f->look.height * PIXELS);
}

/* As much of a text as the figure is wide, with so many pixels for a letter. */
static void fitting(const struct figure *f, const char *text, double letter, int width, struct strbuf *to) {
  size_t most = (size_t)((width - 40) / (letter * figure_look_unit(&f->look))), n = strlen(text);
  struct strbuf shown = {0};
  if (n > most) {
    for (n = most; n && (text[n] & 0xc0) == 0x80;) /* not inside a letter of several bytes */
      n--;
  }
  strbuf_addn(&shown, text, n);
  strbuf_add(&shown, text[n] ? "…" : "");
  script_text(to, shown.s);
  strbuf_free(&shown);
}

static size_t entries(const struct figure *f) {
  return (f->kind == FIGURE_PARETO ? 2 : f->nseries) + any(f, f->paper) + any_missing(f);
}

static void head(const struct figure *f, enum figure_form form, struct strbuf *to) {
  int width, height;
  double points = figure_look_font(&f->look);
  script_size(f, &width, &height);
  if (form == FIGURE_SVG) {
    strbuf_addf(
        to,
        "set terminal svg noenhanced dynamic size %d,%d font 'DejaVu Sans,%.4g' background 'white' name 'f",
        width, height, points * 1.3);
    for (const char *c = f->id; *c; c++) /* of letters and digits, says gnuplot */
      strbuf_addc(to, isalnum((unsigned char)*c) ? *c : '_');
    strbuf_add(to, "'\n");
  } else { /* the same picture */
    strbuf_addf(to, "set terminal pdfcairo noenhanced size %.3fin,%.3fin font 'DejaVu Sans,%.4g'\n",
                width / PIXELS, height / PIXELS, points);
  }
  bool noted = f->note && *f->note; /* on the figure's face, whoever copies it: between title and plot */
  strbuf_add(to, "set encoding utf8\n");
  if (!f->look.no_title && *f->title) {
    strbuf_add(to, "set title ");
    fitting(f, f->title, 7.5, width, to);
    strbuf_addf(to, " noenhanced offset 0,%s\n", noted ? "0.9" : "0");
  }
  strbuf_add(to, "set xlabel ");
  script_text(to, f->xlabel);
  strbuf_add(to, " offset 0,0.6\nset ylabel ");
  script_text(to, f->ylabel);
  strbuf_add(to, "\nset border 3 lc rgb '#404040'\nset tics nomirror out\n"
                 "set grid ytics lc rgb '#dddddd' lt 1 lw 0.5\n");
  if (entries(f) <= 1) /* one entry tells nothing that the axis does not */
    strbuf_add(to, "unset key\n");
  else
    figure_look_legend(&f->look, to);
  if (noted) {
    strbuf_add(to, "set tmargin 4\nset label 9999 ");
    fitting(f, f->note, 6, width, to);
    strbuf_addf(to, " at graph 0.5, graph 1.04 center front font ',%.4g' tc rgb '#B00000'\n",
                form == FIGURE_SVG ? points * 1.1 : points * 0.85);
  }
  if (f->log_x)
    strbuf_add(to, "set logscale x\n");
  if (f->log_y)
    strbuf_add(to, "set logscale y\n");
}

const char *script_colour(size_t s) {
  return colours[s % NCOLOURS];
}

static void colour(struct strbuf *to, size_t s) {
  strbuf_addf(to, "rgb '%s'", script_colour(s));
}

/* Beyond eight series the colours come again, hatched. */
static void fill(struct strbuf *to, size_t s) {
  if (s < NCOLOURS)
    strbuf_add(to, "fs solid 0.95 border lc rgb '#202020'");
  else
    strbuf_addf(to, "fs pattern %zu border lc rgb '#202020'", 1 + (s / NCOLOURS - 1) % 5);
}

/* What a part of a stacked bar stands on. */
static double below(const struct figure *f, size_t c, size_t s) {
  double sum = 0;
  for (size_t i = 0; f->kind == FIGURE_STACKED && i < s; i++)
    sum += isnan(script_at(f, f->value, c, i)) ? 0 : script_at(f, f->value, c, i);
  return sum;
}

static void marks(const struct figure *f, struct strbuf *to, bool *first,
                  double (*x)(const struct figure *, size_t, size_t)) {
  if (any(f, f->paper)) {
    strbuf_add(to, "$paper << EOD\n");
    for (size_t c = 0; c < f->ncategories; c++)
      for (size_t s = 0; s < f->nseries; s++)
        if (!isnan(script_at(f, f->paper, c, s))) {
          script_number(to, x(f, c, s));
          script_number(to, below(f, c, s) + script_at(f, f->paper, c, s));
          strbuf_addc(to, '\n');
        }
    strbuf_add(to, "EOD\n");
  }
  bool begun = false;
  for (size_t c = 0; c < f->ncategories; c++)
    for (size_t s = 0; s < f->nseries; s++) {
      if (!missing(f, c, s))
        continue;
      strbuf_add(to, begun ? "" : "$missing << EOD\n");
      begun = true;
      script_number(to, x(f, c, s));
      script_number(to, f->baseline);
      strbuf_addc(to, '\n');
    }
  strbuf_add(to, begun ? "EOD\n" : "");
  script_extras(f, to, x);
  *first = true;
}

static void separator(struct strbuf *to, bool *first) {
  strbuf_add(to, *first ? "plot " : ", \\\n  ");
  *first = false;
}

static void plot_marks(const struct figure *f, struct strbuf *to, bool *first) {
  separator(to, first);
  script_plot_extras(f, to);
  if (any(f, f->paper)) {
    separator(to, first);
    strbuf_add(to, "$paper using 1:2 with points pt 13 ps 0.9 lc rgb 'white' notitle, \\\n"
                   "  $paper using 1:2 with points pt 12 ps 0.9 lw 1.3 lc rgb 'black' title 'paper'");
  }
  if (any_missing(f) && !f->log_y) {
    separator(to, first);
    strbuf_add(to, "$missing using 1:2 with points pt 2 ps 0.8 lw 2 lc rgb '#B00000' title 'missing'");
  }
  strbuf_addc(to, '\n');
}

static void category_tics(const struct figure *f, struct strbuf *to) {
  strbuf_addf(to, "set xtics noenhanced %s scale 0 (", slanting(f) ? "rotate by -40 left" : "norotate");
  for (size_t c = 0; c < f->ncategories; c++) {
    strbuf_add(to, c ? ", " : "");
    script_text(to, f->categories[c]);
    strbuf_addc(to, ' ');
    script_number(to, place(f, c));
  }
  strbuf_add(to, ")\nset xrange [-0.7:");
  script_number(to, place(f, f->ncategories ? f->ncategories - 1 : 0) + 0.7);
  strbuf_add(to, "]\n");
}

static void baseline(const struct figure *f, struct strbuf *to) {
  strbuf_add(to, "set arrow 1 from graph 0, first ");
  script_number(to, f->baseline);
  strbuf_add(to, "to graph 1, first ");
  script_number(to, f->baseline);
  strbuf_add(to, "nohead lc rgb '#404040' lw 1\n");
}

/* On a logarithmic scale bars begin somewhat below the least number there is. */
static double floor_of(const struct figure *f) {
  double least = INFINITY;
  for (size_t i = 0; i < f->ncategories * f->nseries; i++) {
    if (f->value[i] > 0)
      least = fmin(least, f->value[i]);
    if (f->paper[i] > 0)
      least = fmin(least, f->paper[i]);
  }
  return pow(10, floor(log10(least / 2)));
}

/* Bars begin at the baseline wherever it is, which gnuplot's own boxes would not: xlow, xhigh, ylow, yhigh. */
static void bars(const struct figure *f, struct strbuf *to) {
  bool first;
  double half = bar_width(f) / 2;
  category_tics(f, to);
  if (f->log_y) {
    double least = floor_of(f);
    script_limits(f, &least, NULL, to);
  } else {
    script_limits(f, NULL, NULL, to);
    baseline(f, to);
  }
  for (size_t s = 0; s < f->nseries; s++) {
    strbuf_addf(to, "$s%zu << EOD\n", s);
    for (size_t c = 0; c < f->ncategories; c++) {
      double v = script_at(f, f->value, c, s), x = bar_place(f, c, s), low = f->baseline;
      if (f->kind == FIGURE_STACKED) {
        low = below(f, c, s);
        v += low;
      }
      v = script_value(f, v);
      script_number(to, x);
      script_number(to, v);
      script_number(to, x - half);
      script_number(to, x + half);
      script_number(to, f->log_y ? floor_of(f) : low);
      script_number(to, v);
      strbuf_addc(to, '\n');
    }
    strbuf_add(to, "EOD\n");
  }
  marks(f, to, &first, bar_place);
  for (size_t s = 0; s < f->nseries; s++) {
    separator(to, &first);
    strbuf_addf(to, "$s%zu using 1:2:3:4:5:6 with boxxyerror fc ", s);
    colour(to, s);
    strbuf_addc(to, ' ');
    fill(to, s);
    strbuf_add(to, " title ");
    script_text(to, f->series[s]);
  }
  plot_marks(f, to, &first);
}

static double x_place(const struct figure *f, size_t c, size_t s) {
  (void)s;
  return f->x[c];
}

static void over_x(const struct figure *f, struct strbuf *to) {
  bool first;
  strbuf_add(to, "set grid xtics ytics lc rgb '#dddddd' lt 1 lw 0.5\n");
  script_limits(f, NULL, NULL, to);
  if (f->log_x) { /* the places that were measured, not powers of ten */
    strbuf_add(to, "set xtics (");
    for (size_t c = 0; c < f->ncategories; c++) {
      strbuf_add(to, c ? ", " : "");
      script_text(to, f->categories[c]);
      strbuf_addc(to, ' ');
      script_number(to, f->x[c]);
    }
    strbuf_add(to, ")\n");
  }
  for (size_t s = 0; s < f->nseries; s++) {
    strbuf_addf(to, "$s%zu << EOD\n", s);
    for (size_t c = 0; c < f->ncategories; c++) {
      script_number(to, f->x[c]);
      script_number(to, script_value(f, script_at(f, f->value, c, s)));
      strbuf_addc(to, '\n');
    }
    strbuf_add(to, "EOD\n");
  }
  marks(f, to, &first, x_place);
  static const int shapes[] = {7, 5, 9, 11, 13, 6, 4, 8};
  for (size_t s = 0; s < f->nseries; s++) {
    separator(to, &first);
    strbuf_addf(to, "$s%zu using 1:2 with %s pt %d ps 0.7 lw 2 lc ", s,
                f->kind == FIGURE_LINES ? "linespoints" : "points", shapes[s % 8]);
    colour(to, s);
    strbuf_add(to, " title ");
    script_text(to, f->series[s]);
  }
  plot_marks(f, to, &first);
}

void figure_script(const struct figure *f, enum figure_form form, struct strbuf *to) {
  head(f, form, to);
  if (f->ncategories == 0 || f->nseries == 0 || !any(f, f->value)) {
    /* gnuplot draws no empty plot: a frame that says why it is one */
    strbuf_add(to,
               "unset tics\nset xrange [0:1]\nset yrange [0:1]\nset label 1 'no results' at 0.5,0.5 center\n"
               "plot NaN notitle\n");
    return;
  }
  switch (f->kind) {
  case FIGURE_BARS:
  case FIGURE_STACKED:
    bars(f, to);
    break;
  case FIGURE_LINES:
  case FIGURE_SCATTER:
    over_x(f, to);
    break;
  case FIGURE_HEATMAP:
    script_heatmap(f, to);
    break;
  case FIGURE_PARETO:
    script_pareto(f, to);
    break;
  case FIGURE_TORNADO:
    script_tornado(f, to);
    break;
  case FIGURE_UPSET:
    script_upset(f, to);
    break;
  case FIGURE_KINDS:
    break;
  }
}
