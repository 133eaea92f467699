#include "cli/lab.h"
#include "base/mem.h"
#include "lab/streams.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool cli_lab_options(const struct cli_args *a, struct lab_options *o, char **cache, struct error *err) {
  uint64_t jobs = 0, memory = 0, limit = (uint64_t)LAB_STREAMS_GIB << 30;
  cli_whole(a, "jobs", &jobs, err);
  cli_whole(a, "memory", &memory, err);
  cli_whole(a, "cache-limit", &limit, err);
  if (cli_value(a, "jobs") && (jobs < 1 || jobs > 4096))
    error_add(err, EXIT_USAGE, "sluice %s: --jobs '%.60s' (allowed: 1..4096)", a->command->name,
              cli_value(a, "jobs"));
  o->jobs = (unsigned)jobs;
  o->memory_kib = memory / 1024;
  o->streams.limit = limit;
  o->retry = cli_flag(a, "retry");
  o->slurm_args = cli_value(a, "sbatch");
  const char *launcher = cli_value(a, "launcher");
  if (launcher && strcmp(launcher, "slurm") == 0)
    o->launcher = LAB_SLURM;
  else if (launcher && strcmp(launcher, "local") != 0)
    error_add(err, EXIT_USAGE, "sluice %s: --launcher '%.60s' (allowed: local, slurm)", a->command->name,
              launcher);
  if (o->slurm_args && o->launcher != LAB_SLURM)
    error_add(err, EXIT_USAGE, "sluice %s: --sbatch is for --launcher slurm", a->command->name);
  if (o->launcher == LAB_SLURM && cli_value(a, "memory"))
    error_add(err, EXIT_USAGE,
              "sluice %s: --memory is for points on this machine; give sbatch its own (--sbatch --mem=...)",
              a->command->name);
  o->progress = cli_progress(a, err);
  *cache = cli_value(a, "cache") ? xstrdup(cli_value(a, "cache")) : lab_streams_default();
  o->streams.folder = limit ? *cache : NULL;
  return !err->code;
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

int cli_lab_plan(const struct lab_points *p, const char *db, const struct lab_options *o, struct error *err) {
  struct lab_plan plan;
  char cpu[32], wall[32], when[32];
  if (!lab_plan(p, db, o, &plan, err))
    return err->code;
  printf("%zu points: %zu done, %zu failed, stalled or cut off, %zu to be run\n", plan.points, plan.done,
         plan.failed, plan.run);
  time_t end = time(NULL) + (time_t)plan.wall_s;
  struct tm local;
  strftime(when, sizeof when, "%Y-%m-%d %H:%M", localtime_r(&end, &local));
  printf("processor time %s; %s with %zu at once, through at %s\n", duration(plan.cpu_s, cpu, sizeof cpu),
         duration(plan.wall_s, wall, sizeof wall), plan.at_once, when);
  if (plan.guessed)
    printf("%zu of them were never measured: their time is a guess\n", plan.guessed);
  return EXIT_OK;
}

int cli_lab_run(const struct lab_points *p, const char *db, const struct lab_options *o, bool quiet,
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
