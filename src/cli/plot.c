/* sluice plot: a figure of any sweep. */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/cli.h"
#include "plot/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const scale_names[] = {"value", "ratio", "percent", "change", NULL};
static const char *const order_names[] = {"file", "name", "value", NULL};

static const struct cli_option options[] = {
    {"output", 'o', "FILE", "What to write: .svg, .pdf, .html or .csv (default: SWEEP with each of them).",
     NULL, true, true},
    {"sweep", 0, "NAME", "Which sweep of the database (default: the only one).", NULL, false, false},
    {"x", 'x', "AXIS", "What is to the right: workload, technique, gpu, size, seed or a parameter.", NULL,
     false, false},
    {"series", 's', "AXIS", "What has a colour each (default: whatever varies otherwise).", NULL, false,
     false},
    {"metric", 'm', "EXPRESSION",
     "What is drawn: speedup, or arithmetic over statistics (default: speedup with a baseline, else ipc).",
     NULL, false, true},
    {"over", 0, "LABEL",
     "The baseline: a technique's label or AXIS=VALUE,... (default: none, where the sweep has it; '' for no "
     "baseline).",
     NULL, false, false},
    {"as", 0, "SCALE", "value, ratio, percent or change (in percent).", scale_names, false, false},
    {"where", 'w', "AXIS=VALUES", "Only points with one of these values (several: with commas).", NULL, false,
     true},
    {"kind", 'k', "KIND", "bars, stacked, lines, scatter, heatmap, pareto or upset.", figure_kind_names,
     false, false},
    {"against", 0, "EXPRESSION", "Kinds scatter and pareto: what is drawn to the right.", NULL, false, false},
    {"mean", 0, "KIND", "Of workloads and seeds: geomean (default with a baseline), mean or none.",
     mean_names, false, false},
    {"error", 0, "KIND", "Error bars of averages: none (default), range or deviation.", spread_names, false,
     false},
    {"order", 0, "ORDER", "Of what is to the right: file (as the sweep has it, default), name or value.",
     order_names, false, false},
    {"title", 0, "TEXT", "Above the drawing (default: none).", NULL, false, false},
    {"xlabel", 0, "TEXT", "Below the drawing.", NULL, false, false},
    {"ylabel", 0, "TEXT", "Beside the drawing.", NULL, false, false},
    {"width", 0, "INCHES", "Or column (3.3) or page (7); by default what fits a column goes there.", NULL,
     false, false},
    {"height", 0, "INCHES", "Of the drawing.", NULL, false, false},
    {"font", 0, "POINTS", "Size of letters (default 10, in a column 8).", NULL, false, false},
    {"clip", 0, "MIN:MAX", "Ends of the axis of values; what goes beyond is cut and written.", NULL, false,
     false},
    {"legend", 0, "PLACE", "below (default), right, top, inside or none.", figure_legend_names, false, false},
    {"log-x", 0, NULL, "Logarithmic scale to the right.", NULL, false, false},
    {"log-y", 0, NULL, "Logarithmic scale of values.", NULL, false, false},
    {"quiet", 'q', NULL, "Print nothing but errors.", NULL, false, false},
};

static int word(const struct cli_args *a, const char *option, const char *const *names, struct error *err) {
  const char *v = cli_value(a, option);
  int n = 0;
  struct strbuf all = {0};
  if (!v)
    return -1;
  for (; names[n]; n++) {
    if (strcmp(names[n], v) == 0) {
      strbuf_free(&all);
      return n;
    }
    strbuf_addf(&all, "%s%s", n ? ", " : "", names[n]);
  }
  const char *near = nearest_match(v, names, n);
  error_add(err, EXIT_USAGE, "sluice plot: --%s '%.60s' (allowed: %s)%s%s%s", option, v, all.s,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  strbuf_free(&all);
  return -1;
}

static void number(const struct cli_args *a, const char *option, double least, double most, double *to,
                   struct error *err) {
  const char *v = cli_value(a, option);
  if (v && (num_f64(v, to) != NUM_OK || !(*to >= least && *to <= most)))
    error_add(err, EXIT_USAGE, "sluice plot: --%s '%.60s' (allowed: %g to %g)", option, v, least, most);
}

static void look(const struct cli_args *a, struct figure_look *l, struct error *err) {
  struct error why = {0};
  int legend = word(a, "legend", figure_legend_names, err);
  *l = figure_look_usual();
  l->legend = legend < 0 ? LEGEND_BELOW : (enum figure_legend)legend;
  if (cli_value(a, "width") && !figure_look_width(l, cli_value(a, "width"), &why))
    error_add(err, EXIT_USAGE, "sluice plot: --width %s", why.text);
  if (cli_value(a, "clip") && !figure_look_clip(l, cli_value(a, "clip"), &why))
    error_add(err, EXIT_USAGE, "sluice plot: --clip %s", why.text);
  number(a, "height", 1, 60, &l->height, err);
  number(a, "font", 4, 40, &l->font, err);
  error_clear(&why);
}

static const char *const endings[] = {".svg", ".pdf", ".html", ".csv", NULL};
enum ending { SVG, PDF, HTML, CSV };

static int ending_of(const char *path) {
  size_t n = strlen(path);
  for (int i = 0; endings[i]; i++)
    if (n > strlen(endings[i]) && strcmp(path + n - strlen(endings[i]), endings[i]) == 0)
      return i;
  return -1;
}

static char *command_of(const struct cli_args *a) {
  struct strbuf s = {0};
  strbuf_addf(&s, "sluice plot %s", a->operands[0]);
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "output") != 0 && strcmp(a->given[i].option->name, "quiet") != 0)
      strbuf_addf(&s, a->given[i].value ? " --%s '%s'" : " --%s", a->given[i].option->name,
                  a->given[i].value);
  return strbuf_take(&s);
}

static bool save(const struct figure *f, const char *path, int ending, const struct cli_args *a,
                 struct error *err) {
  struct strbuf text = {0}, svg = {0};
  char *command = command_of(a);
  bool ok = true;
  if (ending == CSV)
    figure_csv(f, &text);
  else if (ending == HTML && (ok = figure_draw(f, FIGURE_SVG, &svg, err)))
    plot_page(f, &svg, command, &text);
  else if (ending != HTML)
    ok = figure_draw(f, ending == PDF ? FIGURE_PDF : FIGURE_SVG, &text, err);
  ok = ok && file_write_atomic(path, strbuf_str(&text), text.n, err);
  strbuf_free(&text);
  strbuf_free(&svg);
  free(command);
  return ok;
}

/* The files that are wanted, or one of each form. */
static bool save_all(const struct figure *f, const struct cli_args *a, struct error *err) {
  bool any = false, ok = true;
  struct strbuf said = {0};
  for (size_t i = 0; i < a->ngiven && ok; i++)
    if (strcmp(a->given[i].option->name, "output") == 0) {
      any = true;
      ok = save(f, a->given[i].value, ending_of(a->given[i].value), a, err);
      strbuf_addf(&said, "%s%s", said.n ? ", " : "", a->given[i].value);
    }
  for (int e = 0; endings[e] && ok && !any; e++) {
    struct strbuf path = {0};
    strbuf_addf(&path, "%s%s", f->id, endings[e]);
    ok = save(f, path.s, e, a, err);
    strbuf_addf(&said, "%s%s", said.n ? ", " : "", path.s);
    strbuf_free(&path);
  }
  if (ok && !cli_flag(a, "quiet")) {
    struct strbuf text = {0};
    plot_text(f, &text);
    printf("%s\n%s\n", text.s, said.s);
    strbuf_free(&text);
  }
  strbuf_free(&said);
  return ok;
}

static void read_request(const struct cli_args *a, struct plot_request *r, const char **metrics,
                         struct error *err) {
  int spread = word(a, "error", spread_names, err), order = word(a, "order", order_names, err);
  *r = (struct plot_request){.x = cli_value(a, "x"),
                             .series = cli_value(a, "series"),
                             .metric = metrics,
                             .against = cli_value(a, "against"),
                             .over = cli_value(a, "over"),
                             .as = word(a, "as", scale_names, err),
                             .mean = word(a, "mean", mean_names, err),
                             .kind = word(a, "kind", figure_kind_names, err),
                             .spread = spread < 0 ? SPREAD_NONE : (enum spread_kind)spread,
                             .order = order < 0 ? ORDER_FILE : (enum paper_order)order,
                             .log_x = cli_flag(a, "log-x"),
                             .log_y = cli_flag(a, "log-y"),
                             .title = cli_value(a, "title"),
                             .xlabel = cli_value(a, "xlabel"),
                             .ylabel = cli_value(a, "ylabel")};
  look(a, &r->look, err);
  for (size_t i = 0; i < a->ngiven; i++) {
    const struct cli_given *g = &a->given[i];
    if (strcmp(g->option->name, "metric") == 0)
      metrics[r->nmetrics++] = g->value;
    if (strcmp(g->option->name, "output") == 0 && ending_of(g->value) < 0)
      error_add(
          err, EXIT_USAGE,
          "sluice plot: --output '%.200s': the ending tells the form (allowed: .svg, .pdf, .html, .csv)",
          g->value);
  }
}

static void draw(const struct cli_args *a, const struct plot_request *r, struct lab_store *store,
                 struct error *err) {
  struct plot_points p = {0};
  struct figure *f = NULL;
  bool ok = plot_points_read(store, cli_value(a, "sweep"), &p, err);
  for (size_t i = 0; i < a->ngiven && ok; i++)
    if (strcmp(a->given[i].option->name, "where") == 0)
      ok = plot_points_where(&p, a->given[i].value, err);
  if (ok && (f = plot_make(store, &p, r, err)))
    save_all(f, a, err);
  figure_free(f);
  plot_points_free(&p);
}

static int run_plot(const struct cli_args *a, struct error *err) {
  struct plot_request r;
  const char **metrics = xcalloc(a->ngiven + 1, sizeof *metrics);
  read_request(a, &r, metrics, err);
  if (a->noperands != 1)
    error_add(err, EXIT_USAGE, "sluice plot: name one database (%zu given)", a->noperands);
  struct lab_store *store = err->code ? NULL : lab_store_open(a->operands[0], LAB_READ, err);
  if (store)
    draw(a, &r, store, err);
  lab_store_close(store);
  free(metrics);
  return err->code;
}

static const struct cli_example examples[] = {
    {"sluice plot sweep.db", "speed-up of every technique over none, on each workload"},
    {"sluice plot sweep.db -m l2.hit_rate --over '' -o hits.pdf", "a statistic as it is"},
    {"sluice plot sweep.db -x l2.mshrs -s technique", "over a parameter, averaged over workloads"},
    {"sluice plot sweep.db -k heatmap --as change", "percent in cells"},
    {"sluice plot sweep.db -k scatter --against l1d.hit_rate", "what the speed-up goes with"},
};

const struct cli_command cli_plot = {
    .name = "plot",
    .summary = "Draw a figure of a sweep's results.",
    .operands = "DB",
    .details = "Draws the points of a sweep by any of its axes: workload, technique, gpu, size, seed, or a "
               "parameter that varies. "
               "With a baseline each point is divided by the one that has the baseline's coordinates and "
               "else the same. What varies "
               "beside --x and --series: workloads and seeds are averaged, other axes make more series. "
               "Where the sweep takes the "
               "best of a parameter, the best is drawn. A run without result leaves a cross, and its "
               "workload is in no average. "
               "The numbers are printed, too. gnuplot draws.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_plot,
};
