#include "front/functional.h"
#include "front/count.h"
#include "front/launch/run.h"
#include "front/params.h"
#include "tables.h"

struct run {
  struct report *report;
  struct front_counters total;
  struct progress progress;
};

static void warn(void *unused, const char *text) {
  (void)unused;
  fflush(stdout);
  fprintf(stderr, "%s\n", text);
}

static void show_progress(void *ctx, const struct launch_progress *p) {
  struct run *r = ctx;
  /* one launch: its CTAs; several: launches, which may differ much but are all there is to go by */
  if (p->launches == 1)
    progress_update(&r->progress, p->cta, p->ctas, p->warp_instructions);
  else
    progress_update(&r->progress, p->launch, p->launches, p->warp_instructions);
}

static void launched(void *ctx, const struct launch_result *l) {
  struct run *r = ctx;
  struct stats *stats = tables_stats();
  front_counters_put(&l->counters, stats);
  front_counters_add(&r->total, &l->counters);
  report_add_kernel(r->report, l->step->kernel, l->step->grid, l->step->block, stats);
}

static const char *status_of(const struct error *err) {
  return err->code == EXIT_FAULT ? "fault" : err->code == EXIT_STALL ? "stall" : "failed";
}

bool functional_run(const char *path, const struct conf *conf, const struct functional_options *o,
                    struct report *report, struct error *err) {
  double start = stats_wall_clock();
  struct run r = {.report = report};
  struct launch_run_options run = {.exec = front_exec_options(conf),
                                   .mem = front_devmem_options(conf),
                                   .progress = show_progress,
                                   .launched = launched,
                                   .ctx = &r};
  run.exec.printf_to = o->printf_to;
  run.exec.warn = warn;
  struct launch_session *s = launch_session_open(path, &run.mem, err);
  if (!s)
    return false;
  progress_start(&r.progress, o->progress, "warp instructions");
  bool ok = launch_session_run(s, &run, err);
  progress_end(&r.progress);
  report->status = ok ? NULL : status_of(err);
  if (ok && !launch_outputs(s->setup, NULL, err)) {
    ok = false;
    report->status = "mismatch";
  }
  report->total = tables_stats();
  front_counters_put(&r.total, report->total);
  stats_put_host(report->total, start);
  launch_session_close(s);
  return ok;
}
