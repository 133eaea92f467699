/* sluice sweep: many runs, and their results in a database. */
#include "cli/cli.h"
#include "cli/lab.h"
#include "lab/sweep.h"
#include <stdio.h>
#include <stdlib.h>

static const struct cli_option options[] = {
    {"db", 0, "FILE", "The database of results (default: NAME.db, by the sweep's name).", NULL, true, false},
    {"list", 0, NULL, "Print the points and how each stands, and stop.", NULL, false, false},
    CLI_LAB_OPTIONS,
};

static int list(const struct lab_points *p, const char *db, struct error *err) {
  struct error none = {0};
  struct lab_store *s = lab_store_open(db, LAB_READ, &none);
  (void)err;
  for (size_t i = 0; i < p->n; i++) {
    const struct lab_point *k = &p->at[i];
    struct lab_outcome o = s ? lab_store_outcome(s, k->id, NULL) : (struct lab_outcome){0};
    char *set = lab_pairs_json(&k->set), *params = lab_pairs_json(&k->workload.params);
    printf("%s  %-8s %s %s on %s with %s%s%s%s%s\n", k->id, lab_state_names[o.state], k->workload.label,
           k->workload.size ? k->workload.size : "", k->gpu_label, k->label, k->workload.params.n ? " " : "",
           k->workload.params.n ? params : "", k->set.n ? " " : "", k->set.n ? set : "");
    free(set), free(params);
  }
  lab_store_close(s);
  error_clear(&none);
  return EXIT_OK;
}

static char *database(const struct cli_args *a, const struct lab_points *p) {
  struct strbuf s = {0};
  strbuf_addf(&s, "%s%s", cli_value(a, "db") ? cli_value(a, "db") : p->sweep,
              cli_value(a, "db") ? "" : ".db");
  return strbuf_take(&s);
}

static int run_sweep(const struct cli_args *a, struct error *err) {
  struct lab_options o = {0};
  struct lab_points p = {0};
  char *cache = NULL;
  cli_lab_options(a, &o, &cache, err);
  cli_plugins(a, err);
  if (a->noperands != 1)
    error_add(err, EXIT_USAGE, "sluice sweep: name one sweep file (%zu given)", a->noperands);
  int code = EXIT_USAGE;
  if (!err->code && lab_expand_file(a->operands[0], &p, err)) {
    char *db = database(a, &p);
    code = cli_flag(a, "plan")   ? cli_lab_plan(&p, db, &o, err)
           : cli_flag(a, "list") ? list(&p, db, err)
                                 : cli_lab_run(&p, db, &o, cli_flag(a, "quiet"), err);
    free(db);
  }
  free(cache);
  lab_points_free(&p);
  return code;
}

static const struct cli_example examples[] = {
    {"sluice sweep examples/sweep.yaml", "every point of it; again: only what is missing"},
    {"sluice sweep examples/sweep.yaml --plan", "how many points, and how long they will take"},
    {"sluice sweep s.yaml --db r.db --retry", "points that failed, once more"},
    {"sluice sweep s.yaml --launcher slurm --sbatch '--partition=long'", "on a cluster"},
};

const struct cli_command cli_sweep = {
    .name = "sweep",
    .summary = "Run many points and keep their results in a database.",
    .operands = "FILE.yaml",
    .details = "A sweep file names workloads, GPUs, techniques and lists of parameters (docs/lab.md); each "
               "combination is a "
               "point. Points run on all processors, longest first, each in a process of its own, and their "
               "statistics go into "
               "an SQLite database. A point that is done is not run again: whatever ends a sweep, the same "
               "command goes on where "
               "it was. Points that fail, stall or are cut off are listed with their reason, and run again "
               "with --retry. What "
               "kernels do is recorded once for all points that need it, in a cache.\n\n"
               "Exit codes: 0 every point is done; 1 some are not, or the database cannot be written; 2 a "
               "mistake in the sweep "
               "file or command line.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_sweep,
};
