/* Parts of gnuplot's language that all kinds of figures use; figure_script() is what others call. */
#ifndef SLUICE_FIGURE_SCRIPT_H
#define SLUICE_FIGURE_SCRIPT_H

#include "figure/figure.h"

void script_text(struct strbuf *to, const char *s);   /* in quotes, taken as it is */
void script_quoted(struct strbuf *to, const char *s); /* the same inside data */
void script_number(struct strbuf *to, double v);      /* and a blank */
const char *script_colour(size_t series);             /* "#rrggbb" */
double script_at(const struct figure *f, const double *table, size_t c, size_t s);

/* Would the names of series below a heat map run into each other? */
bool script_tight(const struct figure *f);
/* Pixels of the whole picture. */
void script_size(const struct figure *f, int *width, int *height);
double script_value(const struct figure *f, double v); /* cut at the figure's limits */
void script_limits(const struct figure *f, const double *from, const double *upto, struct strbuf *to);

/* Error bars, values written where they are cut, values shown under the pointer: their data, and what is plotted of
 * it. `x` is where a cell lies. */
void script_extras(const struct figure *f, struct strbuf *to,
                   double (*x)(const struct figure *, size_t, size_t));
void script_plot_extras(const struct figure *f, struct strbuf *to);

size_t script_members(const struct figure *f); /* of all sets of an UpSet figure */
void script_upset(const struct figure *f, struct strbuf *to);
void script_pareto(const struct figure *f, struct strbuf *to);
void script_tornado(const struct figure *f, struct strbuf *to);
void script_heatmap(const struct figure *f, struct strbuf *to);

#endif
