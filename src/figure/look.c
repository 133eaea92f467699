#include "figure/look.h"
#include "base/num.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const figure_legend_names[] = {"below", "right", "top", "inside", "none", NULL};

enum { WIDEST_INCHES = 60 };

struct figure_look figure_look_usual(void) {
  return (struct figure_look){.min = NAN, .max = NAN};
}

bool figure_look_width(struct figure_look *l, const char *text, struct error *why) {
  if (strcmp(text, "column") == 0)
    l->width = FIGURE_COLUMN;
  else if (strcmp(text, "page") == 0)
    l->width = FIGURE_PAGE;
  else if (num_f64(text, &l->width) != NUM_OK || !(l->width >= 1 && l->width <= WIDEST_INCHES))
    return error_set(why, EXIT_USAGE, "'%.60s' is no width (allowed: column, page, or 1 to %d inches)", text,
                     WIDEST_INCHES);
  return true;
}

static bool bound(const char *text, double *to) {
  return !*text || (num_f64(text, to) == NUM_OK && isfinite(*to));
}

bool figure_look_clip(struct figure_look *l, const char *text, struct error *why) {
  const char *colon = strchr(text, ':');
  struct strbuf low = {0};
  if (colon)
    strbuf_addn(&low, text, (size_t)(colon - text));
  bool ok = *text && bound(strbuf_str(&low), &l->min) && bound(colon ? colon + 1 : text, &l->max) &&
            !(l->min >= l->max);
  strbuf_free(&low);
  return ok ||
         error_set(why, EXIT_USAGE,
                   "'%.60s' are no limits of values (allowed: MAX, MIN:MAX, MIN:, with MIN below MAX)", text);
}

double figure_look_font(const struct figure_look *l) {
  return l->font > 0 ? l->font : l->width > 0 && l->width < 5 ? 8 : 10;
}

double figure_look_unit(const struct figure_look *l) {
  return figure_look_font(l) / 10;
}

void figure_look_legend(const struct figure_look *l, struct strbuf *to) {
  static const char *const places[] = {[LEGEND_BELOW] = "outside bottom center horizontal",
                                       [LEGEND_RIGHT] = "outside right center vertical",
                                       [LEGEND_TOP] = "outside top center horizontal",
                                       [LEGEND_INSIDE] = "inside top right vertical"};
  if (l->legend == LEGEND_NONE)
    strbuf_add(to, "unset key\n");
  else
    strbuf_addf(to, "set key %s Left reverse samplen 1.5\n", places[l->legend]);
}
