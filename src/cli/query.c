/* sluice query: SQL on a database of results. */
#include "cli/cli.h"
#include "lab/query.h"
#include <stdio.h>

static const struct cli_option options[] = {
    {"csv", 0, NULL, "Print CSV.", NULL, false, false},
    {"json", 0, NULL, "Print JSON: an array of objects.", NULL, false, false},
};

static const char all[] = "SELECT sweep, workload, size, gpu, label, \"set\", state, cycles, ipc FROM result";

static int run_query(const struct cli_args *a, struct error *err) {
  bool csv = cli_flag(a, "csv"), json = cli_flag(a, "json");
  if (a->noperands < 1 || a->noperands > 2)
    error_add(err, EXIT_USAGE, "sluice query: name a database and a question in SQL (%zu operands given)",
              a->noperands);
  if (csv && json)
    error_add(err, EXIT_USAGE, "sluice query: --csv and --json exclude each other");
  struct lab_store *s = err->code ? NULL : lab_store_open(a->operands[0], LAB_READ, err);
  if (!s)
    return err->code;
  struct strbuf text = {0};
  if (lab_query(s, a->noperands == 2 ? a->operands[1] : all,
                json  ? LAB_JSON
                : csv ? LAB_CSV
                      : LAB_TABLE,
                &text, err))
    fwrite(strbuf_str(&text), 1, text.n, stdout);
  strbuf_free(&text);
  lab_store_close(s);
  return err->code;
}

static const struct cli_example examples[] = {
    {"sluice query sweep.db \"SELECT workload, label, cycles FROM result WHERE state = 'done'\"",
     "cycles of every point that is done"},
    {"sluice query sweep.db", "every point, how it stands, and its cycles"},
    {"sluice query sweep.db \"SELECT r.workload, s.value FROM result r JOIN stat s USING (point) WHERE "
     "s.name = "
     "'l2.hit_rate'\" --csv",
     "one statistic as CSV"},
};

const struct cli_command cli_query = {
    .name = "query",
    .summary = "Ask a database of results in SQL.",
    .operands = "DB [SQL]",
    .details = "Prints the answer to a question in SQLite's SQL; without one, every point of every sweep. "
               "The database is "
               "opened for reading only, and may be written by a sweep meanwhile. docs/lab.md describes its "
               "tables; the "
               "view `result` has a row for each point of each sweep.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_query,
};
