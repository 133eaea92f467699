/* sluice sweep: many runs, and their results in a database. */
#include "base/mem.h"
#include "base/num.h"
#include "cli/cli.h"
#include "lab/run.h"
#include "lab/streams.h"
#include "lab/sweep.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct cli_option options[] = {
    {"db", 0, "FILE", "The database of results (default: NAME.db, by the sweep's name).", NULL, true, false},
    {"plan", 0, NULL, "Print how many points there are and what they will take, and stop.", NULL, false,
     false},
    {"list", 0, NULL, "Print the points and how each stands, and stop.", NULL, false, false},
    {"jobs", 'j', "N", "Points at once (default: as many as there are processors).", NULL, false, false},
    {"memory", 0, "SIZE", "Memory the points may have together (default: 90 % of what is available).", NULL,
     false, false},
    {"retry", 0, NULL, "Run points again that failed, stalled or were cut off.", NULL, false, false},
    {"launcher", 0, "NAME", "local (default): processes of this machine; slurm: job arrays of a cluster.",
     lab_launcher_names, false, false},
    {"sbatch", 0, "ARGUMENTS", "slurm: further arguments of sbatch, as in '--partition=long --time=2:00:00'.",
     NULL, false, false},
    {"cache", 0, "DIR", "Where recorded streams are kept (default: in the user's cache).", NULL, true, false},
    {"cache-limit", 0, "SIZE",
     "The most they may take (default 16GiB); 0: record none, execute for each point.", NULL, false, false},
    CLI_PROGRESS_OPTION,
    {"quiet", 'q', NULL, "Print nothing but errors.", NULL, false, false},
};

static bool whole(const struct cli_args *a, const char *name, uint64_t *out, struct error *err) {
  const char *v = cli_value(a, name);
  return !v || num_u64(v, out) == NUM_OK ||
         error_add(err, EXIT_USAGE, "sluice sweep: --%s '%.60s': a whole number is wanted", name, v);
}

static void read_options(const struct cli_args *a, struct lab_options *o, struct error *err) {
  uint64_t jobs = 0, memory = 0, limit = (uint64_t)LAB_STREAMS_GIB << 30;
  whole(a, "jobs", &jobs, err);
  whole(a, "memory", &memory, err);
  whole(a, "cache-limit", &limit, err);
  if (cli_value(a, "jobs") && (jobs < 1 || jobs > 4096))
    error_add(err, EXIT_USAGE, "sluice sweep: --jobs '%.60s' (allowed: 1..4096)", cli_value(a, "jobs"));
  o->jobs = (unsigned)jobs;
  o->memory_kib = memory / 1024;
  o->streams.limit = limit;
  o->retry = cli_flag(a, "retry");
  o->slurm_args = cli_value(a, "sbatch");
  const char *launcher = cli_value(a, "launcher");
  if (launcher && strcmp(launcher, "slurm") == 0)
    o->launcher = LAB_SLURM;
  else if (launcher && strcmp(launcher, "local") != 0)
    error_add(err, EXIT_USAGE, "sluice sweep: --launcher '%.60s' (allowed: local, slurm)", launcher);
  if (o->slurm_args && o->launcher != LAB_SLURM)
    error_add(err, EXIT_USAGE, "sluice sweep: --sbatch is for --launcher slurm");
  if (o->launcher == LAB_SLURM && cli_value(a, "memory"))
    error_add(
        err, EXIT_USAGE,
        "sluice sweep: --memory is for points on this machine; give sbatch its own (--sbatch --mem=...)");
  o->progress = cli_progress(a, err);
}

/* "2:05:09" */
static const char *duration(double s, char *buf, size_t n) {
  long t = (long)(s + 0.5);
  if (t >= 3600)
    snprintf(buf, n, "%ld:%02ld:%02ld", t / 3600, t / 60 % 60, t % 60);
  else if (t >= 60)
    snprintf(buf, n, "%ld:%02ld", t / 60, t % 60);
  else
    snprintf(buf, n, "%.1f s", s);
  return buf;
}

static int plan(const struct lab_points *p, const char *db, const struct lab_options *o, struct error *err) {
  struct lab_plan plan;
  char cpu[32], wall[32], when[32];
  if (!lab_plan(p, db, o, &plan, err))
    return err->code;
  printf("%zu points: %zu done, %zu failed, stalled or cut off, %zu to be run\n", plan.points, plan.done,
         plan.failed, plan.run);
  time_t end = time(NULL) + (time_t)plan.wall_s;
  struct tm local;
  strftime(when, sizeof when, "%Y-%m-%d %H:%M", localtime_r(&end, &local));
  printf("processor time %s, %s on this machine, through at %s\n", duration(plan.cpu_s, cpu, sizeof cpu),
         duration(plan.wall_s, wall, sizeof wall), when);
  if (plan.guessed)
    printf("%zu of them were never measured: their time is a guess\n", plan.guessed);
  return EXIT_OK;
}

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

static int run(const struct lab_points *p, const char *db, const struct lab_options *o, bool quiet,
               struct error *err) {
  struct lab_tally t;
  bool ok = lab_run(p, db, o, &t, err);
  char cpu[32], wall[32];
  size_t bad = t.failed + t.stalled + t.cut;
  if (!quiet && t.points)
    printf("%s: %zu points, %zu done (%zu run now, processor time %s in %s), %zu failed, %zu stalled, %zu "
           "cut off\n",
           db, t.points, t.done, t.ran, duration(t.cpu_s, cpu, sizeof cpu),
           duration(t.wall_s, wall, sizeof wall), t.failed, t.stalled, t.cut);
  struct lab_store *s = bad ? lab_store_open(db, LAB_READ, err) : NULL;
  if (s) {
    fflush(stdout);
    lab_list_failures(s, p, stderr);
    if (!o->retry)
      fprintf(stderr, "`--retry` runs them again\n");
  }
  lab_store_close(s);
  return ok && !bad ? EXIT_OK : err->code ? err->code : EXIT_RUNTIME;
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
  read_options(a, &o, err);
  if (a->noperands != 1)
    error_add(err, EXIT_USAGE, "sluice sweep: name one sweep file (%zu given)", a->noperands);
  int code = EXIT_USAGE;
  if (!err->code && lab_expand_file(a->operands[0], &p, err)) {
    char *cache = cli_value(a, "cache") ? xstrdup(cli_value(a, "cache")) : lab_streams_default();
    char *db = database(a, &p);
    o.streams.folder = o.streams.limit ? cache : NULL;
    code = cli_flag(a, "plan")   ? plan(&p, db, &o, err)
           : cli_flag(a, "list") ? list(&p, db, err)
                                 : run(&p, db, &o, cli_flag(a, "quiet"), err);
    free(db), free(cache);
  }
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
