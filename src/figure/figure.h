/* A table of numbers as a figure: SVG and PDF drawn by gnuplot, CSV of the same data.
 *
 *              series 0   series 1   ...
 *   category 0   value      value           value[category * nseries + series]
 *   category 1   value     (missing)        NaN: missing, marked with a cross
 *
 * Beside a value stands the number that a paper gives for it (`paper`, NaN: none), drawn as a diamond. What a
 * figure lacks is written on its face (`note`). Strings belong to the caller unless figure_new() made them. */
#ifndef SLUICE_FIGURE_FIGURE_H
#define SLUICE_FIGURE_FIGURE_H

#include "base/error.h"
#include "base/strbuf.h"
#include "figure/look.h"
#include <stdbool.h>
#include <stddef.h>

enum figure_kind {
  FIGURE_BARS,    /* a group of bars for each category */
  FIGURE_STACKED, /* a bar for each category, the series on top of each other */
  FIGURE_LINES,   /* a line for each series over x */
  FIGURE_SCATTER, /* a mark for each category at x, a colour for each series */
  FIGURE_HEATMAP, /* rows are categories, columns series */
  FIGURE_PARETO,  /* scatter of the first series; the points that no cheaper one beats are joined and named */
  FIGURE_TORNADO, /* horizontal bars from the baseline, with their values; of the first series */
  FIGURE_UPSET,   /* a bar for each set (a+b, "a,b"), and below it which members it has */
  FIGURE_KINDS
};
extern const char *const figure_kind_names[]; /* NULL at the end */

struct figure {
  enum figure_kind kind;
  char *id, *title, *xlabel, *ylabel, *note; /* id: also the files' name; note may be NULL */
  size_t ncategories, nseries;
  char **categories, **series;
  bool *summary;      /* the category is an average of others: set apart */
  double *x;          /* for lines, scatter, pareto: where the category lies */
  double *value;      /* ncategories x nseries */
  bool *empty;        /* no value is wanted there: no cross */
  double *paper;      /* the same */
  double *low, *high; /* ends of an error bar, NaN: none */
  double baseline;    /* where bars begin; a line is drawn there */
  bool log_x, log_y;
  struct figure_look look;
};

/* Everything missing, no paper's numbers, x = 0, 1, 2... Labels are set by the caller with figure_text(). */
struct figure *figure_new(enum figure_kind kind, size_t ncategories, size_t nseries);
void figure_free(struct figure *f);
void figure_text(char **to, const char *text); /* replaces a copy */

enum figure_form { FIGURE_SVG, FIGURE_PDF };
/* What gnuplot is told. */
void figure_script(const struct figure *f, enum figure_form form, struct strbuf *to);
/* category,series,x,value,paper, and low,high where there are error bars; an empty field for what is missing. */
void figure_csv(const struct figure *f, struct strbuf *to);
/* The picture itself. EXIT_RUNTIME if gnuplot is not installed or refuses. */
bool figure_draw(const struct figure *f, enum figure_form form, struct strbuf *to, struct error *err);
/* DIR/ID.csv, .svg and .pdf, each whole or not at all; `svg` (may be NULL) also takes the picture. */
bool figure_write(const struct figure *f, const char *dir, struct strbuf *svg, struct error *err);

/* Sets front[i] for the points that have no other one with x as small or smaller and y as great or greater; points
 * with NaN are never in it. */
void figure_front(const double *x, const double *y, size_t n, bool *front);

#endif
