/* sluice diff: what changed between two results. */
#include "base/json.h"
#include "base/num.h"
#include "cli/cli.h"
#include "lab/diff.h"
#include "stat/stat.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 20 }; /* of a part */

static const struct cli_option options[] = {
    {"all", 'a', NULL, "Print every change, not only 20 of each part.", NULL, false, false},
    {"over", 0, "PERCENT", "Leave out changes that are no larger.", NULL, false, false},
    {"only", 0, "NAME", "Compare only statistics whose name begins so, as in `dram.`.", NULL, false, false},
    {"csv", 0, NULL, "Print CSV, every change.", NULL, false, false},
    {"json", 0, NULL, "Print JSON, every change.", NULL, false, false},
};

static void change_text(double change, char *buf, size_t n) {
  if (isfinite(change))
    snprintf(buf, n, "%+.2f %%", change * 100);
  else
    buf[0] = '\0';
}

/* Seven digits tell a number; texts are as they are. */
static const char *shown(const char *text, char *buf, size_t n) {
  double v;
  if (!text)
    return "-";
  if (strlen(text) <= 14 || num_f64(text, &v) != NUM_OK)
    return text;
  snprintf(buf, n, "%.7g", v);
  return buf;
}

static void one_line(const struct lab_change *c, int wide) {
  char change[40] = "", a[40], b[40];
  if (c->part == LAB_PART_STACKS)
    snprintf(change, sizeof change, "%+.2f points", c->points);
  else if (c->part != LAB_PART_CONFIG)
    change_text(c->change, change, sizeof change);
  printf("  %-*s  %14s  %14s  %13s%s%s\n", wide, c->name, shown(c->a, a, sizeof a), shown(c->b, b, sizeof b),
         change, *c->where ? "  " : "", c->where);
}

/* Under a heading for each part, so many of each. */
static void as_table(const struct lab_diff *d, size_t most) {
  static const char *const heads[] = {"the answer", "where the time goes, in points of its stack",
                                      "other statistics, largest ratio first", "configuration"};
  int wide = 4;
  for (size_t i = 0; i < d->n; i++)
    wide = (int)strlen(d->at[i].name) > wide ? (int)strlen(d->at[i].name) : wide;
  for (size_t i = 0; i < d->n;) {
    enum lab_part part = d->at[i].part;
    size_t from = i;
    printf("%s\n", heads[part]);
    for (; i < d->n && d->at[i].part == part; i++)
      if (i - from < most)
        one_line(&d->at[i], wide);
    if (i - from > most)
      printf("  ... and %zu more (--all)\n", i - from - most);
  }
}

static void as_csv(const struct lab_diff *d, struct strbuf *to) {
  strbuf_add(to, "part,point,name,a,b,change,points\n");
  for (size_t i = 0; i < d->n; i++) {
    const char *const text[] = {lab_part_names[d->at[i].part], d->at[i].where, d->at[i].name,
                                d->at[i].a ? d->at[i].a : "", d->at[i].b ? d->at[i].b : ""};
    for (int k = 0; k < 5; k++) {
      stat_csv_text(text[k], to);
      strbuf_addc(to, ',');
    }
    char number[NUM_F64_MAX];
    strbuf_addf(to, "%s,", isfinite(d->at[i].change) ? num_print_f64(number, d->at[i].change) : "");
    strbuf_addf(to, "%s\n", isfinite(d->at[i].points) ? num_print_f64(number, d->at[i].points) : "");
  }
}

static void as_json(const struct lab_diff *d, struct strbuf *to) {
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_u64(&j, "compared", d->compared);
  json_u64(&j, "points", d->points);
  json_u64(&j, "only_a", d->only_a);
  json_u64(&j, "only_b", d->only_b);
  json_open(&j, "changes", '[');
  for (size_t i = 0; i < d->n; i++) {
    const struct lab_change *c = &d->at[i];
    json_open(&j, NULL, '{');
    json_str(&j, "part", lab_part_names[c->part]);
    json_str(&j, "point", c->where);
    json_str(&j, "name", c->name);
    if (c->a)
      json_str(&j, "a", c->a);
    if (c->b)
      json_str(&j, "b", c->b);
    json_f64(&j, "change", c->change);
    if (!isnan(c->points))
      json_f64(&j, "points", c->points);
    json_close(&j);
  }
  json_close(&j);
  json_close(&j);
  strbuf_addf(to, "%s\n", strbuf_str(&j.out));
  strbuf_free(&j.out);
}

/* Moves what is not wanted behind the end, where it is still freed. */
static size_t select_changes(struct lab_diff *d, const char *only, double over) {
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++) {
    bool wanted =
        (!only || strncmp(d->at[i].name, only, strlen(only)) == 0) && fabs(d->at[i].change) * 100 > over;
    if (!wanted)
      continue;
    struct lab_change c = d->at[i];
    d->at[i] = d->at[n];
    d->at[n++] = c;
  }
  return n;
}

static void print(const struct cli_args *a, const struct lab_diff *d) {
  struct strbuf text = {0};
  if (cli_flag(a, "json"))
    as_json(d, &text);
  else if (cli_flag(a, "csv"))
    as_csv(d, &text);
  else {
    as_table(d, cli_flag(a, "all") ? SIZE_MAX : SHOWN);
    printf("%zu of %zu values differ", d->n, d->compared);
    if (d->points > 1 || d->only_a || d->only_b)
      printf(", of %zu points; %zu points only in %s, %zu only in %s", d->points, d->only_a, a->operands[0],
             d->only_b, a->operands[1]);
    printf("\n");
  }
  fwrite(strbuf_str(&text), 1, text.n, stdout);
  strbuf_free(&text);
}

static int run_diff(const struct cli_args *a, struct error *err) {
  double over = 0;
  if (a->noperands != 2)
    error_add(err, EXIT_USAGE, "sluice diff: name two results (%zu given)", a->noperands);
  if (cli_value(a, "over") && (num_f64(cli_value(a, "over"), &over) != NUM_OK || !(over >= 0)))
    error_add(err, EXIT_USAGE, "sluice diff: --over '%.60s': a number from 0 up is wanted",
              cli_value(a, "over"));
  if (cli_flag(a, "csv") && cli_flag(a, "json"))
    error_add(err, EXIT_USAGE, "sluice diff: --csv and --json exclude each other");
  struct lab_diff d;
  if (err->code || !lab_diff(a->operands[0], a->operands[1], &d, err))
    return err->code;
  size_t all = d.n;
  d.n = select_changes(&d, cli_value(a, "only"), over);
  print(a, &d);
  int code = d.n || d.only_a || d.only_b ? EXIT_RUNTIME : EXIT_OK;
  d.n = all;
  lab_diff_free(&d);
  return code;
}

static const struct cli_example examples[] = {
    {"sluice diff before.json after.json", "what changed between two runs: cycles first"},
    {"sluice diff old.db new.db --only dram. --over 5",
     "DRAM statistics of all points that moved by more than 5 %"},
};

const struct cli_command cli_diff = {
    .name = "diff",
    .summary = "Show what changed between two results.",
    .operands = "A B",
    .details = "Compares two runs (the JSON or CSV that `sluice run` writes) or two databases of sweeps: "
               "statistics, and of JSON "
               "the configuration. Points of databases are matched by what was asked for, so that two "
               "versions of the program "
               "can be compared. First comes the answer: state, cycles, IPC, hit rates, bandwidth; then "
               "where the time goes (stall.*, "
               "latency.*) in points of the whole; then other statistics, the largest ratio first, then what "
               "was or became "
               "zero, last what only one of them has; the configuration stands apart. Statistics of the host "
               "(sim.) are left out.\n\n"
               "Exit codes: 0 nothing differs; 1 something does; 2 a mistake, or no result in a file.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_diff,
};
