/* UpSet figures: a bar for each set, and below it a column of dots that says which members the set has.
 *
 *      ▇     ▇
 *   ▇  ▇  ▇  ▇
 *   ●  ○  ●  ●  cart
 *   ○  ●  ●  ●  mrpb        names of the members are parts of the categories' names, joined by '+' or ','  */
#include "figure/script.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct members {
  char **name;
  size_t n, cap;
};

/* The next part of a set's name; its length in `n`. NULL: there are no more. */
static const char *part(const char *at, size_t *n) {
  at += strspn(at, "+, ");
  *n = strcspn(at, "+,");
  while (*n && at[*n - 1] == ' ')
    --*n;
  return *n ? at : NULL;
}

static bool is(const char *name, const char *at, size_t n) {
  return strlen(name) == n && memcmp(name, at, n) == 0;
}

static void collect(const struct figure *f, struct members *m) {
  size_t n;
  for (size_t c = 0; c < f->ncategories; c++)
    for (const char *at = f->categories[c]; (at = part(at, &n)); at += n) {
      bool known = is("none", at, n);
      for (size_t i = 0; i < m->n; i++)
        known |= is(m->name[i], at, n);
      if (!known)
        VEC_PUSH(m->name, m->n, m->cap) = xstrndup(at, n);
    }
}

static void release(struct members *m) {
  for (size_t i = 0; i < m->n; i++)
    free(m->name[i]);
  free(m->name);
}

static bool contains(const char *set, const char *member) {
  size_t n;
  for (const char *at = set; (at = part(at, &n)); at += n)
    if (is(member, at, n))
      return true;
  return false;
}

size_t script_members(const struct figure *f) {
  struct members m = {0};
  collect(f, &m);
  size_t n = m.n;
  release(&m);
  return n;
}

static double bar_at(const struct figure *f, size_t c, size_t s) {
  return (double)c + ((double)s - (double)(f->nseries - 1) / 2) * 0.7 / (double)f->nseries;
}

static void bars(const struct figure *f, struct strbuf *to) {
  double half = 0.35 / (double)f->nseries;
  for (size_t s = 0; s < f->nseries; s++) {
    strbuf_addf(to, "$s%zu << EOD\n", s);
    for (size_t c = 0; c < f->ncategories; c++) {
      double x = bar_at(f, c, s), v = script_value(f, script_at(f, f->value, c, s));
      const double numbers[] = {x, v, x - half, x + half, f->baseline, v};
      for (int i = 0; i < 6; i++)
        script_number(to, numbers[i]);
      strbuf_addc(to, '\n');
    }
    strbuf_add(to, "EOD\n");
  }
  script_extras(f, to, bar_at);
  for (size_t s = 0; s < f->nseries; s++) {
    strbuf_addf(
        to,
        "%s$s%zu using 1:2:3:4:5:6 with boxxyerror fc rgb '%s' fs solid 0.95 border lc rgb '#202020' title ",
        s ? ", \\\n  " : "plot ", s, script_colour(s));
    script_text(to, f->series[s]);
  }
  strbuf_add(to, ", \\\n  ");
  script_plot_extras(f, to);
  strbuf_addc(to, '\n');
}

static void dots(const struct figure *f, const struct members *m, struct strbuf *to) {
  strbuf_add(to, "$in << EOD\n");
  for (size_t c = 0; c < f->ncategories; c++)
    for (size_t i = 0; i < m->n; i++)
      if (contains(f->categories[c], m->name[i]))
        strbuf_addf(to, "%zu %zu\n", c, i);
  strbuf_add(to, "EOD\n$out << EOD\n");
  for (size_t c = 0; c < f->ncategories; c++)
    for (size_t i = 0; i < m->n; i++)
      if (!contains(f->categories[c], m->name[i]))
        strbuf_addf(to, "%zu %zu\n", c, i);
  strbuf_add(to, "NaN NaN\nEOD\n$links << EOD\n");
  for (size_t c = 0; c < f->ncategories; c++) {
    for (size_t i = 0; i < m->n; i++)
      if (contains(f->categories[c], m->name[i]))
        strbuf_addf(to, "%zu %zu\n", c, i);
    strbuf_add(to, "\n\n"); /* a line of its own for each set */
  }
  strbuf_add(to, "EOD\nset ytics noenhanced scale 0 (");
  for (size_t i = 0; i < m->n; i++) {
    strbuf_add(to, i ? ", " : "");
    script_text(to, m->name[i]);
    strbuf_addf(to, " %zu", i);
  }
  strbuf_addf(to,
              ")\nset yrange [%zu.5:-0.5]\nset border 0\nunset title\nunset ylabel\nunset key\nunset label\n"
              "unset arrow\nunset grid\nunset logscale\n"
              "plot $out using 1:2 with points pt 7 ps 0.8 lc rgb '#dddddd', \\\n"
              "  $links using 1:2 with lines lw 2 lc rgb '#404040', \\\n"
              "  $in using 1:2 with points pt 7 ps 0.9 lc rgb '#202020'\n",
              m->n ? m->n - 1 : 0);
}

void script_upset(const struct figure *f, struct strbuf *to) {
  struct members m = {0};
  int width, height;
  size_t longest = 6;
  collect(f, &m);
  script_size(f, &width, &height);
  for (size_t i = 0; i < m.n; i++)
    longest = strlen(m.name[i]) > longest ? strlen(m.name[i]) : longest;
  double unit = figure_look_unit(&f->look);
  double left = fmin(0.4, unit * (30 + 8 * (double)longest) / width);
  double matrix = fmin(0.5, unit * (12 + 20 * (double)m.n) / height), foot = *f->xlabel ? 0.1 : 0.03;
  strbuf_addf(to,
              "set multiplot\nset lmargin at screen %.4f\nset rmargin at screen 0.98\n"
              "set xrange [-0.7:%zu.7]\nunset xtics\nunset xlabel\n"
              "set key outside top center horizontal\nset bmargin at screen %.4f\n"
              "set arrow 1 from graph 0, first %g to graph 1, first %g nohead lc rgb '#404040' lw 1\n",
              left, f->ncategories ? f->ncategories - 1 : 0, foot + matrix, f->baseline, f->baseline);
  if (f->nseries == 1)
    strbuf_add(to, "unset key\n");
  script_limits(f, NULL, NULL, to);
  bars(f, to);
  strbuf_addf(to, "set tmargin at screen %.4f\nset bmargin at screen %.4f\nset xlabel ", foot + matrix - 0.01,
              foot);
  script_text(to, f->xlabel);
  strbuf_addc(to, '\n');
  dots(f, &m, to);
  strbuf_add(to, "unset multiplot\n");
  release(&m);
}
