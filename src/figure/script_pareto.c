/* Pareto fronts in gnuplot's language. Names of points on the front are placed one after the other where they cover
 * neither each other nor a point: near their point, else further off with a line to it. */
#include "base/mem.h"
#include "figure/script.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct box {
  double left, right, low, high;
};

struct canvas {
  const struct figure *f;
  double x0, x1, y0, y1; /* ranges of the axes */
  double width, height;  /* of the plot, pixels */
  double letter, line;   /* pixels of a letter and a line of text */
  struct box *taken;
  size_t ntaken;
};

static double px(const struct canvas *k, double x) {
  return (x - k->x0) / (k->x1 - k->x0) * k->width;
}

static double py(const struct canvas *k, double y) {
  return (y - k->y0) / (k->y1 - k->y0) * k->height;
}

static double unpx(const struct canvas *k, double p) {
  return k->x0 + p / k->width * (k->x1 - k->x0);
}

static double unpy(const struct canvas *k, double p) {
  return k->y0 + p / k->height * (k->y1 - k->y0);
}

static bool apart(const struct box *a, const struct box *b) {
  return a->right < b->left || b->right < a->left || a->high < b->low || b->high < a->low;
}

static bool is_free(const struct canvas *k, const struct box *b) {
  if (b->left < 0 || b->right > k->width || b->low < 0 || b->high > k->height)
    return false;
  for (size_t i = 0; i < k->ntaken; i++)
    if (!apart(&k->taken[i], b))
      return false;
  return true;
}

/* Rings around the point, from its right over above and left to below. False: the plot is full. */
static bool place(struct canvas *k, double x, double y, double width, struct box *out) {
  static const double side[][2] = {{1, 0.4}, {1, -0.4}, {-1, 0.4}, {-1, -0.4}, {0, 1},
                                   {0, -1},  {0.5, 1},  {0.5, -1}, {-0.5, 1},  {-0.5, -1}};
  for (double ring = 8; ring < k->height; ring += k->line / 2)
    for (size_t i = 0; i < sizeof side / sizeof *side; i++) {
      double left = x + side[i][0] * ring + (side[i][0] < 0 ? -width : side[i][0] == 0 ? -width / 2 : 0);
      double low = y + side[i][1] * ring - k->line / 2;
      struct box b = {left, left + width, low, low + k->line};
      if (is_free(k, &b)) {
        *out = k->taken[k->ntaken++] = b;
        return true;
      }
    }
  return false;
}

static double nearest(double v, double from, double to) {
  return v < from ? from : v > to ? to : v;
}

static void name(struct canvas *k, size_t c, double y, size_t number, struct strbuf *to) {
  const char *text = k->f->categories[c];
  double cx = px(k, k->f->x[c]), cy = py(k, y), width = (double)strlen(text) * k->letter;
  struct box b;
  if (!place(k, cx, cy, width, &b))
    return;
  strbuf_addf(to, "set label %zu ", number);
  script_text(to, text);
  strbuf_add(to, " at ");
  script_number(to, unpx(k, b.left));
  strbuf_addc(to, ',');
  script_number(to, unpy(k, (b.low + b.high) / 2));
  strbuf_add(to, "left front\n");
  double ex = nearest(cx, b.left, b.right), ey = nearest(cy, b.low, b.high);
  if (hypot(ex - cx, ey - cy) < k->line)
    return;
  strbuf_addf(to, "set arrow %zu from ", number);
  script_number(to, unpx(k, ex));
  strbuf_addc(to, ',');
  script_number(to, unpy(k, ey));
  strbuf_add(to, "to ");
  script_number(to, k->f->x[c]);
  strbuf_addc(to, ',');
  script_number(to, y);
  strbuf_add(to, "nohead lc rgb '#909090' lw 0.7\n");
}

/* A range with room around what is there; what is never below zero does not begin below it. */
static void range(const double *v, size_t n, double room, double *from, double *upto) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++)
    if (!isnan(v[i]))
      low = fmin(low, v[i]), high = fmax(high, v[i]);
  double span = high > low ? high - low : 1;
  *from = low >= 0 ? fmax(0, low - 0.05 * span) : low - 0.12 * span;
  *upto = high + room * span;
}

static void data(const struct figure *f, const double *y, const bool *only, struct strbuf *to) {
  for (size_t c = 0; c < f->ncategories; c++) {
    if (only && !only[c])
      continue;
    script_number(to, f->x[c]);
    script_number(to, y[c]);
    strbuf_addc(to, '\n');
  }
}

static double where(const struct figure *f, size_t c, size_t s) {
  (void)s;
  return f->x[c];
}

void script_pareto(const struct figure *f, struct strbuf *to) {
  bool *front = xcalloc(f->ncategories + 1, sizeof *front);
  double *y = xcalloc(f->ncategories + 1, sizeof *y), unit = figure_look_unit(&f->look);
  int width, height;
  for (size_t c = 0; c < f->ncategories; c++)
    y[c] = script_value(f, script_at(f, f->value, c, 0));
  figure_front(f->x, y, f->ncategories, front);
  script_size(f, &width, &height);
  struct canvas k = {.f = f,
                     .width = fmax(80, width - 110 * unit),
                     .height = fmax(80, height - 150 * unit),
                     .letter = 7.8 * unit,
                     .line = 16 * unit};
  range(f->x, f->ncategories, 0.12, &k.x0, &k.x1);
  range(y, f->ncategories, 0.12, &k.y0, &k.y1);
  k.y0 = isnan(f->look.min) ? k.y0 : f->look.min;
  k.y1 = isnan(f->look.max) ? k.y1 : f->look.max;
  k.taken = xcalloc(2 * f->ncategories + 1, sizeof *k.taken);
  for (size_t c = 0; c < f->ncategories; c++)
    if (!isnan(f->x[c]) && !isnan(y[c]))
      k.taken[k.ntaken++] =
          (struct box){px(&k, f->x[c]) - 5, px(&k, f->x[c]) + 5, py(&k, y[c]) - 5, py(&k, y[c]) + 5};
  strbuf_addf(to,
              "set grid xtics ytics lc rgb '#dddddd' lt 1 lw 0.5\nset xrange [%g:%g]\nset yrange [%g:%g]\n",
              k.x0, k.x1, k.y0, k.y1);
  for (size_t c = 0, number = 100; c < f->ncategories; c++)
    if (front[c])
      name(&k, c, y[c], number++, to);
  strbuf_add(to, "$all << EOD\n");
  data(f, y, NULL, to);
  strbuf_add(to, "EOD\n$front << EOD\n");
  data(f, y, front, to);
  strbuf_add(to, "EOD\n");
  script_extras(f, to, where);
  strbuf_add(
      to,
      "plot $all using 1:2 with points pt 7 ps 0.6 lc rgb '#56B4E9' title 'a cheaper one is as good', \\\n"
      "  $front using 1:2 smooth unique with lines lw 2 lc rgb '#D55E00' notitle, \\\n"
      "  $front using 1:2 with points pt 7 ps 0.9 lc rgb '#D55E00' title 'no cheaper one is as good', \\\n "
      " ");
  script_plot_extras(f, to);
  strbuf_addc(to, '\n');
  free(front);
  free(y);
  free(k.taken);
}
