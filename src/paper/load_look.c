/* How a figure is set: keys that change its looks and none of its numbers. */
#include "paper/load.h"
#include <math.h>

static const char *const order_names[] = {"file", "name", "value", NULL};

static void inches(struct paper_loader *l, const struct yaml_node *n, double least, double most, double *to) {
  if (n && yaml_f64(n, to, l->err) && !(*to >= least && *to <= most)) {
    yaml_error(n, l->err, "%g is out of range (allowed: %g to %g)", *to, least, most);
    *to = 0;
  }
}

static void words(struct paper_loader *l, const struct yaml_node *n, struct figure_look *look,
                  bool (*read)(struct figure_look *, const char *, struct error *)) {
  struct error why = {0};
  const char *text = n ? paper_read_text(l, n) : "";
  if (*text && !read(look, text, &why))
    yaml_error(n, l->err, "%s", why.text);
  error_clear(&why);
}

void paper_read_look(struct paper_loader *l, const struct yaml_node *n, struct paper_figure *f) {
  int legend = LEGEND_BELOW, order = ORDER_FILE, spread = SPREAD_NONE;
  bool title = true;
  f->look = figure_look_usual();
  words(l, yaml_get(n, "width"), &f->look, figure_look_width);
  words(l, yaml_get(n, "clip"), &f->look, figure_look_clip);
  inches(l, yaml_get(n, "height"), 1, 60, &f->look.height);
  inches(l, yaml_get(n, "font"), 4, 40, &f->look.font);
  if (yaml_get(n, "legend"))
    yaml_enum(yaml_get(n, "legend"), figure_legend_names, LEGEND_NONE + 1, &legend, l->err);
  if (yaml_get(n, "order"))
    yaml_enum(yaml_get(n, "order"), order_names, ORDER_VALUE + 1, &order, l->err);
  if (yaml_get(n, "error"))
    yaml_enum(yaml_get(n, "error"), spread_names, SPREAD_DEVIATION + 1, &spread, l->err);
  if (yaml_get(n, "show_title"))
    yaml_bool(yaml_get(n, "show_title"), &title, l->err);
  f->look.legend = (enum figure_legend)legend;
  f->look.no_title = !title;
  f->order = (enum paper_order)order;
  f->spread = (enum spread_kind)spread;
}
