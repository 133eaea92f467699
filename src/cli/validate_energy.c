/* sluice validate --energy: energy of the whole GPU beside a real one's. */
#include "cli/validate.h"
#include "base/file.h"
#include "base/num.h"
#include "lab/point.h"
#include "validate/energy.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void print_summary(const struct energy_set *e, const char *part) {
  static const char *const classes[] = {NULL, "bandwidth", "latency", "compute", "divergent", "atomic"};
  printf("%-12s %-10s %4s | %-31s | %-23s | %-15s\n", "", "", "", "power, the card's times",
         "power, simulated times", "energy, the same");
  printf("%-12s %-10s %4s | %7s %7s %7s %7s | %7s %7s %7s | %7s %7s\n", "part", "class", "n", "mean",
         "median", "worst", "ratio", "mean", "median", "ratio", "mean", "median");
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    struct energy_summary card = energy_summarise(e, part, classes[i], ENERGY_POWER, true),
                          sim = energy_summarise(e, part, classes[i], ENERGY_POWER, false),
                          uj = energy_summarise(e, part, classes[i], ENERGY_ENERGY, false);
    if (card.n)
      printf("%-12s %-10s %4zu | %6.1f%% %6.1f%% %6.1f%% %7.3f | %6.1f%% %6.1f%% %7.3f | %6.1f%% %6.1f%%\n",
             part, classes[i] ? classes[i] : "all", card.n, card.mean * 100, card.median * 100,
             card.worst * 100, card.bias, sim.mean * 100, sim.median * 100, sim.bias, uj.mean * 100,
             uj.median * 100);
  }
}

static void print_cases(const struct energy_set *e, enum energy_kind kind) {
  printf("%-24s %-10s %9s %9s %7s %7s %7s %7s %7s\n", "name", "class", "us, card", "us, ours", "W, card",
         "card us", "error", "sim us", "error");
  for (size_t i = 0; i < e->n; i++) {
    const struct energy_case *c = &e->at[i];
    if (c->kind != kind || (kind == ENERGY_KERNEL && !c->calibration) || !isfinite(c->total_mj))
      continue;
    double card = energy_watts(c, true), sim = energy_watts(c, false);
    printf("%-24s %-10s %9.3f %9.3f %7.1f %7.1f %+6.1f%% %7.1f %+6.1f%%\n", c->name,
           kind == ENERGY_MICRO ? c->fitted ? "fitted" : "" : c->class, c->us, c->sim_us, c->watts, card,
           (card / c->watts - 1) * 100, sim, (sim / c->watts - 1) * 100);
  }
}

static bool print_fit(const struct energy_set *e, const struct energy_table *t, struct error *err) {
  double value[NROWS];
  if (!energy_fit(e, t, value, err))
    return false;
  for (int r = 0; r < NROWS; r++)
    if (t->row[r].known)
      printf("  %s: {value: %.4g, source: \"%s\"%s}\n", energy_rows[r].name, value[r], t->row[r].source,
             t->row[r].assumed ? ", assumed: true" : "");
  return true;
}

/* Every look at the validation part is written down beside it. */
static bool note(const struct energy_set *e, const char *dir, struct error *err) {
  char path[4096], day[32];
  struct energy_summary v = energy_summarise(e, "validation", NULL, ENERGY_POWER, true),
                        sim = energy_summarise(e, "validation", NULL, ENERGY_POWER, false);
  time_t now = time(NULL);
  struct tm tm;
  strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &tm));
  snprintf(path, sizeof path, "%s/energy_looks.csv", dir);
  FILE *f = fopen(path, "a");
  if (!f)
    return error_add(err, EXIT_RUNTIME, "%s: cannot note this look at the validation part", path);
  if (ftell(f) == 0)
    fprintf(f, "date,model,kernels,mean,median,mean_simulated_times,median_simulated_times\n");
  fprintf(f, "%s,%s,%zu,%.4f,%.4f,%.4f,%.4f\n", day, lab_model(), v.n, v.mean, v.median, sim.mean,
          sim.median);
  return fclose(f) == 0 || error_add(err, EXIT_RUNTIME, "%s: cannot write", path);
}

bool cli_validate_energy(const struct cli_args *a, const struct validate_set *s,
                         const struct validate_options *o, struct strbuf *failed, struct error *err) {
  struct energy_set e = {0};
  struct energy_table t = {0};
  bool fit = cli_flag(a, "fit");
  bool ok = energy_table_load(&t, cli_value(a, "table") ? cli_value(a, "table") : o->gpu, err) &&
            (!cli_value(a, "runs") ||
             file_make_folder(cli_value(a, "runs"), err)) && /* not missed after all runs */
            energy_set_load(&e, s, err) &&
            energy_set_run(&e, s, o, cli_value(a, "runs"), failed, err) &&
            (!cli_value(a, "runs") || energy_set_price(&e, &t, err));
  if (ok && fit)
    ok = print_fit(&e, &t, err);
  if (ok && !fit && o->micro && (cli_flag(a, "cases") || !o->kernels))
    print_cases(&e, ENERGY_MICRO);
  if (ok && !fit && o->kernels && cli_flag(a, "cases"))
    print_cases(&e, ENERGY_KERNEL);
  if (ok && !fit && o->kernels && o->calibration)
    print_summary(&e, "calibration");
  if (ok && !fit && o->kernels && o->validation) {
    print_summary(&e, "validation");
    ok = note(&e, s->dir, err);
  }
  if (ok && cli_value(a, "page"))
    ok = energy_page(&e, &t, o->gpu, cli_value(a, "page"), err);
  energy_set_free(&e);
  energy_table_free(&t);
  return ok;
}
