/* sluice paper: a paper's experiments, from runs to figures. */
#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/lab.h"
#include "paper/page.h"
#include "paper/presets.h"
#include "paper/stored.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    {"quick", 0, NULL, "A few workloads and the main figures, in about three minutes on two cores.", NULL,
     false, false},
    {"output", 'o', "DIR",
     "Where figures and pages go (default ./sluice-NAME; of all, folders in ./sluice-papers).", NULL, true,
     false},
    {"figure", 'f', "ID", "Only this figure, and the runs it needs.", NULL, false, true},
    {"reading", 0, "NAME",
     "Under this reading of the paper in place of the chosen one; several: side by side.", NULL, false, true},
    {"readings", 0, "all", "Every reading of the paper, side by side.", NULL, false, false},
    {"list", 0, NULL, "Print the figures and readings, and stop.", NULL, false, false},
    {"db", 0, "FILE", "The database of results (default DIR/results.db).", NULL, true, false},
    CLI_LAB_OPTIONS,
};

/* What makes these results again, without where they go. */
static char *command_of(const struct cli_args *a, const char *name) {
  struct strbuf s = {0};
  strbuf_addf(&s, "sluice paper %s%s", name, cli_flag(a, "quick") ? " --quick" : "");
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "reading") == 0 || strcmp(a->given[i].option->name, "readings") == 0)
      strbuf_addf(&s, " --%s %s", a->given[i].option->name, a->given[i].value);
  return strbuf_take(&s);
}

static bool save(const char *dir, const char *name, const struct strbuf *text, struct error *err) {
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/%s", dir, name);
  bool ok = file_write_atomic(path.s, strbuf_str(text), text->n, err);
  strbuf_free(&path);
  return ok;
}

/* Figures and pages into the folder, the comparison to the terminal. */
static bool publish(const struct paper_plan *plan, struct lab_store *store, const char *dir,
                    const char *command, bool quiet, struct error *err) {
  struct paper_stored stored;
  struct paper_results results = paper_stored(&stored, store);
  struct paper_report r = {.command = command};
  struct strbuf html = {0}, markdown = {0}, text = {0};
  paper_report_make(&r, plan, &results);
  bool ok = paper_report_draw(&r, dir, err);
  if (ok) {
    page_html(&r, 1, &html);
    page_markdown(&r, &markdown);
    page_text(&r, &text);
    ok = save(dir, "index.html", &html, err) && save(dir, "README.md", &markdown, err);
  }
  if (ok && !quiet)
    printf("%s\n%s/index.html has all of it; each figure is there as SVG, PDF and CSV.\n", text.s, dir);
  strbuf_free(&html);
  strbuf_free(&markdown);
  strbuf_free(&text);
  paper_report_free(&r);
  paper_stored_free(&stored);
  return ok;
}

static int run_and_publish(const struct cli_args *a, const char *name, const struct paper_plan *plan,
                           const char *dir, const char *db, const struct lab_options *o, struct error *err) {
  bool quiet = cli_flag(a, "quiet");
  int code = cli_lab_run(&plan->points, db, o, quiet, err);
  if (code != EXIT_OK && err->code) /* the database is not what it should be; failed runs alone are shown */
    return code;
  struct lab_store *store = lab_store_open(db, LAB_READ, err);
  char *command = command_of(a, name);
  if (store && !publish(plan, store, dir, command, quiet, err))
    code = err->code;
  lab_store_close(store);
  free(command);
  return store ? code : err->code;
}

static int list(const struct paper *p) {
  for (size_t i = 0; i < p->nfigures; i++)
    printf("%-12s %s%s\n", p->figures[i].id, p->figures[i].title, p->figures[i].quick ? "  (quick)" : "");
  for (size_t i = 0; i < p->nreadings && *p->readings[0].is.name; i++)
    printf("%-12s reading %s%s: %s\n", "", p->readings[i].is.name, i == p->chosen ? " (chosen)" : "",
           p->readings[i].reason);
  for (size_t i = 0; i < p->nabsent; i++)
    printf("%-12s not here: %s; %s\n", p->absent[i].id, p->absent[i].what, p->absent[i].why);
  return EXIT_OK;
}

/* `folder`: where the paper's own folder lies; NULL: the paper is the only one, and -o names its folder. */
static int with_plan(const struct cli_args *a, const char *name, const char *folder, const struct paper *p,
                     struct paper_form form, struct error *err) {
  struct lab_options o = {0};
  struct paper_plan plan;
  struct strbuf dir = {0}, db = {0};
  char *cache = NULL;
  int code = EXIT_USAGE;
  if (!cli_lab_options(a, &o, &cache, err) || !paper_plan_make(&plan, p, form, err)) {
    free(cache);
    return err->code;
  }
  if (folder)
    strbuf_addf(&dir, "%s/%s", folder, p->name);
  else
    strbuf_addf(&dir, "%s%s", cli_value(a, "output") ? cli_value(a, "output") : "sluice-",
                cli_value(a, "output") ? "" : p->name);
  if (cli_value(a, "db"))
    strbuf_add(&db, cli_value(a, "db"));
  else
    strbuf_addf(&db, "%s/results.db", dir.s);
  if (cli_flag(a, "plan"))
    code = cli_lab_plan(&plan.points, db.s, &o, err);
  else if (!file_make_folder(dir.s, err))
    code = EXIT_RUNTIME;
  else
    code = run_and_publish(a, name, &plan, dir.s, db.s, &o, err);
  strbuf_free(&dir);
  strbuf_free(&db);
  paper_plan_free(&plan);
  free(cache);
  return code;
}

static int one_paper(const struct cli_args *a, const char *name, const char *folder, struct paper_form form,
                     struct error *err) {
  struct paper *p = paper_load(name, err);
  int code = !p ? EXIT_USAGE : cli_flag(a, "list") ? list(p) : with_plan(a, name, folder, p, form, err);
  paper_free(p);
  return err->code ? err->code : code;
}

/* Each paper that is compiled in, in a folder of its own. */
static int all_papers(const struct cli_args *a, struct paper_form form, struct error *err) {
  const char *folder = cli_value(a, "output") ? cli_value(a, "output") : "sluice-papers";
  int worst = EXIT_OK;
  if (form.nonly || form.nreadings)
    return error_add(err, EXIT_USAGE, "sluice paper all: --figure and --reading are of one paper"),
           EXIT_USAGE;
  for (size_t i = 0; i < paper_preset_count && !err->code; i++) {
    if (!cli_flag(a, "quiet"))
      printf("%s\n", paper_preset_names[i]);
    int code = one_paper(a, paper_preset_names[i], folder, form, err);
    worst = code > worst ? code : worst;
  }
  return err->code ? err->code : worst;
}

static int run_paper(const struct cli_args *a, struct error *err) {
  if (cli_value(a, "output") && !*cli_value(a, "output"))
    return error_set(err, EXIT_USAGE, "sluice paper --output: a folder needs a name"), EXIT_USAGE;
  const char **only = xcalloc(a->ngiven + 1, sizeof *only), **readings = xcalloc(a->ngiven + 1, sizeof *only);
  struct paper_form form = {.quick = cli_flag(a, "quick"), .only = only, .readings = readings};
  int code = EXIT_USAGE;
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "figure") == 0)
      only[form.nonly++] = a->given[i].value;
    else if (strcmp(a->given[i].option->name, "reading") == 0)
      readings[form.nreadings++] = a->given[i].value;
  form.all_readings = cli_value(a, "readings");
  if (form.all_readings && strcmp(cli_value(a, "readings"), "all") != 0)
    error_add(err, EXIT_USAGE, "--readings %.60s: only 'all' is allowed; --reading NAME takes one",
              cli_value(a, "readings"));
  if (a->noperands != 1)
    error_add(err, EXIT_USAGE, "sluice paper: name one paper or experiment file (%zu given)", a->noperands);
  cli_plugins(a, err);
  if (!err->code)
    code = strcmp(a->operands[0], "all") == 0 ? all_papers(a, form, err)
                                              : one_paper(a, a->operands[0], NULL, form, err);
  free(only);
  free(readings);
  return err->code ? err->code : code;
}

static const struct cli_example examples[] = {
    {"sluice paper cart --quick", "the main figures of CART, in a few minutes"},
    {"sluice paper bucl -o results/bucl --jobs 8", "every figure of BUCL, at medium size"},
    {"sluice paper cart --figure fig8 --plan", "how many runs Fig. 8 needs, and how long they take"},
    {"sluice paper cart --figure decides", "what each open assumption is worth, changed alone"},
    {"sluice paper cart --readings all", "every reading of the paper, side by side"},
    {"sluice paper all --quick", "the quick form of every paper, each in a folder under ./sluice-papers"},
    {"sluice paper mine.yaml", "an experiment file of one's own (docs/papers.md)"},
};

const struct cli_command cli_paper = {
    .name = "paper",
    .summary = "Reproduce a paper's figures.",
    .operands = "NAME|FILE.yaml|all",
    .details = "Runs what a paper's figures and tables need, and draws them with the paper's numbers beside "
               "ours: SVG, PDF and "
               "CSV of each, index.html with all of it, README.md. Runs go into a database as those of "
               "`sluice sweep`: what "
               "is done is not run again, and whatever ends the command, the same one goes on. A run that "
               "fails leaves its "
               "figures without that point, which they say, and enters no average. What a paper leaves open "
               "is fixed "
               "by a reading, a named set of assumptions; --list has them, and one is chosen.\n\n"
               "Exit codes: 0 every run has a result; 1 some have none, or a file cannot be written; 2 a "
               "mistake in the "
               "command line or experiment file.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .words = paper_preset_names,
    .run = run_paper,
};
