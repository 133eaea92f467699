/* sluice report: what a database of results says about the papers, on one page. */
#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "paper/page.h"
#include "paper/presets.h"
#include "paper/stored.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    {"output", 'o', "DIR", "Where the page and its figures go (default ./sluice-report).", NULL, true, false},
    {"plugin", 0, "FILE.so", "A technique of one's own that the experiment files use.", NULL, true, true},
    {"paper", 0, "FILE", "Also look for the runs of this experiment file.", NULL, true, true},
};

/* A paper of which the database has runs. */
struct found {
  struct paper *paper;
  struct paper_plan plan;
  struct paper_report report;
  char *command;
};

/* Did `sluice paper` enter this sweep? */
static bool has_sweep(struct lab_store *s, const char *paper, bool quick, bool all_readings) {
  sqlite3_stmt *q = NULL;
  struct strbuf name = {0};
  strbuf_addf(&name, "paper-%s%s%s", paper, quick ? "-quick" : "", all_readings ? "@all" : "");
  bool found = sqlite3_prepare_v2(lab_store_handle(s), "SELECT 1 FROM member WHERE sweep = ?1 LIMIT 1", -1,
                                  &q, NULL) == SQLITE_OK &&
               sqlite3_bind_text(q, 1, name.s, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
               sqlite3_step(q) == SQLITE_ROW;
  sqlite3_finalize(q);
  strbuf_free(&name);
  return found;
}

/* Results of another version of the simulator are not these. */
static bool any_done(const struct paper_plan *plan, const struct paper_results *r) {
  const char *why;
  for (size_t i = 0; i < plan->points.n; i++)
    if (r->done(r->self, &plan->points.at[i], &why))
      return true;
  return false;
}

static bool look(struct lab_store *store, const struct paper_results *results, const char *name,
                 struct found *f, struct error *err) {
  *f = (struct found){.paper = paper_load(name, err)};
  if (!f->paper)
    return false;
  bool all_full = has_sweep(store, f->paper->name, false, true);
  bool full = all_full || has_sweep(store, f->paper->name, false, false);
  bool all = all_full || (!full && has_sweep(store, f->paper->name, true, true));
  if (!full && !all && !has_sweep(store, f->paper->name, true, false))
    return false;
  if (!paper_plan_make(&f->plan, f->paper, (struct paper_form){.quick = !full, .all_readings = all}, err))
    return false;
  if (!any_done(&f->plan, results))
    return error_add(
        err, EXIT_RUNTIME,
        "the runs of '%s' are of another version of the simulator; `sluice paper %s` runs them with this one",
        f->paper->name, name);
  struct strbuf command = {0};
  strbuf_addf(&command, "sluice paper %s%s%s", name, full ? "" : " --quick", all ? " --readings all" : "");
  f->command = strbuf_take(&command);
  return true;
}

static void forget(struct found *f) {
  paper_report_free(&f->report);
  if (f->plan.paper)
    paper_plan_free(&f->plan);
  paper_free(f->paper);
  free(f->command);
}

static bool draw(struct found *f, size_t n, const struct paper_results *results, const char *dir,
                 struct error *err) {
  struct strbuf html = {0}, path = {0}, sub = {0};
  struct paper_report *reports = xcalloc(n + 1, sizeof *reports);
  bool ok = file_make_folder(dir, err);
  for (size_t i = 0; i < n && ok; i++) {
    f[i].report.command = f[i].command;
    paper_report_make(&f[i].report, &f[i].plan, results);
    strbuf_free(&sub);
    strbuf_addf(&sub, "%s/%s", dir, f[i].paper->name);
    ok = paper_report_draw(&f[i].report, sub.s, err);
    reports[i] = f[i].report;
  }
  if (ok) {
    page_html(reports, n, &html);
    strbuf_addf(&path, "%s/index.html", dir);
    ok = file_write_atomic(path.s, html.s, html.n, err);
  }
  if (ok)
    printf("%s: %zu paper%s; figures beside it\n", path.s, n, n == 1 ? "" : "s");
  free(reports);
  strbuf_free(&html);
  strbuf_free(&path);
  strbuf_free(&sub);
  return ok;
}

static size_t look_for_all(const struct cli_args *a, struct lab_store *store,
                           const struct paper_results *results, struct found *f, struct error *err) {
  size_t n = 0;
  for (size_t i = 0; i < paper_preset_count + a->ngiven && !err->code; i++) {
    const struct cli_given *g = i < paper_preset_count ? NULL : &a->given[i - paper_preset_count];
    if (g && strcmp(g->option->name, "paper") != 0)
      continue;
    if (look(store, results, g ? g->value : paper_preset_names[i], &f[n], err))
      n++;
    else
      forget(&f[n]);
  }
  return n;
}

static int run_report(const struct cli_args *a, struct error *err) {
  if (a->noperands != 1) {
    error_add(err, EXIT_USAGE, "sluice report: name one database (%zu given)", a->noperands);
    return EXIT_USAGE;
  }
  cli_plugins(a, err);
  struct lab_store *store = err->code ? NULL : lab_store_open(a->operands[0], LAB_READ, err);
  if (!store)
    return err->code;
  struct paper_stored stored;
  struct paper_results results = paper_stored(&stored, store);
  struct found *f = xcalloc(paper_preset_count + a->ngiven + 1, sizeof *f);
  size_t n = look_for_all(a, store, &results, f, err);
  if (!err->code && n == 0)
    error_set(err, EXIT_USAGE, "%s: no runs of a paper in it; `sluice paper NAME --db FILE` makes them",
              a->operands[0]);
  if (!err->code)
    draw(f, n, &results, cli_value(a, "output") ? cli_value(a, "output") : "sluice-report", err);
  for (size_t i = 0; i < n; i++)
    forget(&f[i]);
  free(f);
  paper_stored_free(&stored);
  lab_store_close(store);
  return err->code;
}

static const struct cli_example examples[] = {
    {"sluice report sluice-cart/results.db -o report", "one page with CART's figures and verdicts"},
    {"sluice paper cart --db all.db && sluice paper bucl --db all.db && sluice report all.db",
     "two papers on one page"},
};

const struct cli_command cli_report = {
    .name = "report",
    .summary = "Make one page of a database's results.",
    .operands = "DB",
    .details = "Writes index.html, a page that needs no other file: what each paper says and what came out, "
               "every figure, the "
               "configurations, runs without result, and the command that makes each figure again. Beside it "
               "each figure as "
               "SVG, PDF and CSV. The database is one that `sluice paper` filled, with one paper or several.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_report,
};
