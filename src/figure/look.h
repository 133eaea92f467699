/* How a figure is set: its size, letters, legend and limits, as a paper wants them. */
#ifndef SLUICE_FIGURE_LOOK_H
#define SLUICE_FIGURE_LOOK_H

#include "base/error.h"
#include "base/strbuf.h"
#include <stdbool.h>

enum figure_legend { LEGEND_BELOW, LEGEND_RIGHT, LEGEND_TOP, LEGEND_INSIDE, LEGEND_NONE };
extern const char *const figure_legend_names[]; /* NULL at the end */

/* Widths of a column and of a page of two, in inches. */
#define FIGURE_COLUMN 3.3
#define FIGURE_PAGE   7.0

struct figure_look {
  double width, height; /* inches; 0: what the content needs */
  double font;          /* points; 0: 10, and 8 in a figure narrower than 5 inches */
  double min,
      max; /* of the value axis; NaN: what the values need. A value beyond is cut there, and written */
  enum figure_legend legend;
  bool no_title;
};
struct figure_look figure_look_usual(void);

/* "column", "page" or inches; "MIN:MAX" with either left out, or "MAX" alone. False after filling `why`. */
bool figure_look_width(struct figure_look *l, const char *text, struct error *why);
bool figure_look_clip(struct figure_look *l, const char *text, struct error *why);

double figure_look_font(const struct figure_look *l);                    /* points */
double figure_look_unit(const struct figure_look *l);                    /* 1 at the usual size of letters */
void figure_look_legend(const struct figure_look *l, struct strbuf *to); /* in gnuplot's language */

#endif
