/* Parts of gnuplot's language that all kinds of figures use; figure_script() is what others call. */
#ifndef SLUICE_FIGURE_SCRIPT_H
#define SLUICE_FIGURE_SCRIPT_H

#include "figure/figure.h"

void script_text(struct strbuf *to, const char *s);   /* in quotes, taken as it is */
void script_quoted(struct strbuf *to, const char *s); /* the same inside data */
void script_number(struct strbuf *to, double v);      /* and a blank */
double script_at(const struct figure *f, const double *table, size_t c, size_t s);

void script_pareto(const struct figure *f, struct strbuf *to);
void script_tornado(const struct figure *f, struct strbuf *to);
void script_heatmap(const struct figure *f, struct strbuf *to);

#endif
