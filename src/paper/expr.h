/* Metrics: arithmetic over statistics, as in "(l2.hits + l2.merges) / l2.accesses".
 *
 * Names of statistics, numbers, + - * / and parentheses. `best(swl.warps)` is the value that a best-of chose. */
#ifndef SLUICE_PAPER_EXPR_H
#define SLUICE_PAPER_EXPR_H

#include "base/error.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stddef.h>

struct expr;

/* NULL after filling `why` (what is wrong, without a place). `known` says whether a statistic has that name. */
struct expr *expr_parse(const char *text, struct arena *mem, bool (*known)(const char *name, void *self),
                        void *self, struct error *why);

/* Where the values come from: false if there is none. */
struct expr_values {
  void *self;
  bool (*stat)(void *self, const char *name, double *out);
  bool (*best)(void *self, const char *param, double *out);
};
/* False if a value is missing; a division by zero gives NaN and true. */
bool expr_value(const struct expr *e, const struct expr_values *v, double *out);

#endif
