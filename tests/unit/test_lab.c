/* Sweeps: which points a description stands for, what names them, how results are kept and put together. */
#include "base/file.h"
#include "lab/aggregate.h"
#include "lab/query.h"
#include "lab/run.h"
#include "lab/sweep.h"
#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// after the others
#include <cmocka.h>

static bool expand(const char *text, struct lab_points *p, struct error *err) {
  *p = (struct lab_points){0};
  return lab_expand_text("sweep.yaml", text, strlen(text), p, err);
}

static struct lab_points points_of(const char *text) {
  struct lab_points p;
  struct error err = {0};
  if (!expand(text, &p, &err))
    fail_msg("%s", err.text);
  return p;
}

static void a_grid_is_every_combination_the_last_fastest(void **state) {
  (void)state;
  struct lab_points p = points_of("workloads: [bfs, spmv]\n"
                                  "gpus: [gtx480]\n"
                                  "techniques: [none, cart]\n"
                                  "set: {sm.threads: [16, 32, 48], l2.warm: false}\n");
  assert_int_equal(p.n, 2 * 1 * 2 * 3);
  static const char *const warps[] = {"16", "32", "48"};
  for (size_t i = 0; i < p.n; i++) {
    assert_string_equal(p.at[i].workload.label, i < 6 ? "bfs" : "spmv");
    assert_string_equal(p.at[i].label, i % 6 < 3 ? "none" : "cart");
    assert_string_equal(lab_pairs_get(&p.at[i].set, "sm.threads"), warps[i % 3]);
    assert_string_equal(lab_pairs_get(&p.at[i].set, "l2.warm"), "false");
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(p.at[i].id, p.at[k].id);
  }
  lab_points_free(&p);
}

static void zipped_parameters_vary_together_and_lists_of_a_workload_multiply(void **state) {
  (void)state;
  struct lab_points p = points_of("workloads: [{name: bfs, params: {nodes: [1000, 2000], degree: [4, 6]}}]\n"
                                  "zip: [{sm.threads: [16, 48], sm.ctas: [4, 8]}]\n");
  assert_int_equal(p.n, 4 * 2);
  for (size_t i = 0; i < p.n; i++)
    assert_string_equal(lab_pairs_get(&p.at[i].set, "sm.ctas"),
                        strcmp(lab_pairs_get(&p.at[i].set, "sm.threads"), "16") == 0 ? "4" : "8");
  lab_points_free(&p);
  struct error err = {0};
  assert_false(expand("workloads: bfs\nzip: [{sm.threads: [16, 48], sm.ctas: [4]}]\n", &p, &err));
  assert_non_null(strstr(err.text, "sweep.yaml:2: zip[0].sm.ctas: 1 values"));
  error_clear(&err);
  lab_points_free(&p);
}

static void exclusions_take_points_out_and_one_that_takes_none_is_a_mistake(void **state) {
  (void)state;
  struct lab_points p =
      points_of("workloads: [bfs, spmv]\ntechniques: [none, cart]\nset: {sm.threads: [16, 32]}\n"
                "exclude: [{workload: bfs, technique: cart}, {sm.threads: 32, technique: [cart, x]}]\n");
  assert_int_equal(p.n, 8 - 2 - 1);
  lab_points_free(&p);
  struct error err = {0};
  assert_false(expand("workloads: bfs\nexclude: [{workload: bsf}]\n", &p, &err));
  assert_non_null(strstr(err.text, "excludes no point"));
  error_clear(&err);
  lab_points_free(&p);
}

#define TEN     "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"
#define HUNDRED "[" TEN "," TEN "," TEN "," TEN "," TEN "," TEN "," TEN "," TEN "," TEN "," TEN "]"

static void mistakes_name_file_line_and_the_nearest(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"workloads: [bfx]\n", "did you mean 'bfs'"},
      {"workload: [bfs]\n", "did you mean 'workloads'"},
      {"workloads: [bfs]\ngpus: [gtx481]\n", "did you mean 'gtx480'"},
      {"workloads: [bfs]\ntechniques: [carrt]\n", "did you mean 'cart'"},
      {"workloads: [bfs]\nset: {sm.treads: 4}\n", "did you mean 'sm.threads'"},
      {"workloads: [bfs]\nsize: smal\n", "did you mean 'small'"},
      {"workloads: [{name: bfs, params: {nods: 4}}]\n", "did you mean 'nodes'"},
      {"workloads: [{label: x}]\n", "a name or a file"},
      {"workloads: [bfs]\nset: {sm.threads: []}\n", "an empty list"},
      {"", "empty"},
      {"workloads: [bfs]\nset: {sm.threads: " HUNDRED ", sm.ctas: " HUNDRED ", l2.in: " HUNDRED "}\n",
       "more than 100000 points"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct lab_points p;
    struct error err = {0};
    assert_false(expand(wrong[i][0], &p, &err));
    assert_int_equal(err.code, EXIT_USAGE);
    if (!strstr(err.text, wrong[i][1]))
      fail_msg("'%s' lacks '%s'", err.text, wrong[i][1]);
    error_clear(&err);
    lab_points_free(&p);
  }
}

/* The id of the only point of a description. */
static char *id_of(const char *text) {
  struct lab_points p = points_of(text);
  assert_int_equal(p.n, 1);
  char *id = xstrdup(p.at[0].id);
  lab_points_free(&p);
  return id;
}

static void a_point_is_named_by_what_determines_its_result(void **state) {
  (void)state;
  static const char *const same[] = {
      "workloads: bfs\n",
      "workloads: {name: bfs, label: search}\n",                     /* a label is for people */
      "workloads: bfs\nsize: small\nseed: 1\ngpus: gtx480\n",        /* the defaults, spelled */
      "workloads: bfs\ntechniques: {with: none, label: baseline}\n", /* labels again */
      "workloads: bfs\nset: {cart.rows: 8}\n",                       /* of a technique that is not there */
      "workloads: {name: bfs, params: {nodes: 4096, graph: uniform}}\n", /* what the size says anyway */
  };
  static const char *const other[] = {
      "workloads: spmv\n",
      "workloads: bfs\nsize: medium\n",
      "workloads: bfs\nseed: 2\n",
      "workloads: bfs\ngpus: v100\n",
      "workloads: bfs\ntechniques: cart\n",
      "workloads: bfs\nset: {sm.threads: 8}\n",
      "workloads: bfs\nmax_cycles: 1000\n",
      "workloads: {name: bfs, params: {nodes: 4097}}\n",
  };
  char *id = id_of(same[0]);
  for (size_t i = 1; i < sizeof same / sizeof *same; i++) {
    char *k = id_of(same[i]);
    assert_string_equal(k, id);
    free(k);
  }
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    char *k = id_of(other[i]);
    assert_string_not_equal(k, id);
    free(k);
  }
  char *with = id_of("workloads: bfs\ntechniques: cart\n"),
       *rows = id_of("workloads: bfs\ntechniques: 'cart:rows=8'\n");
  assert_string_not_equal(with, rows); /* here it takes part */
  free(with), free(rows), free(id);
}

/* The same device under two paths, and another under one of them. */
static void files_count_by_their_content(void **state) {
  (void)state;
  char folder[] = "/tmp/sluice-lab-XXXXXX", text[256], *id[3];
  assert_non_null(mkdtemp(folder));
  for (int i = 0; i < 3; i++) {
    struct error err = {0};
    size_t n;
    char path[64], *preset = file_read("presets/dram/gddr5-gtx480.yaml", 1 << 20, &n, &err);
    assert_non_null(preset);
    snprintf(path, sizeof path, "%s/%d.yaml", folder, i);
    FILE *f = fopen(path, "w");
    fprintf(f, "%s%s", preset, i == 2 ? "# another\n" : "");
    fclose(f);
    free(preset);
    snprintf(text, sizeof text, "workloads: bfs\nset: {dram.device: %s}\n", path);
    id[i] = id_of(text);
    unlink(path);
  }
  rmdir(folder);
  assert_string_equal(id[0], id[1]);
  assert_string_not_equal(id[0], id[2]);
  for (int i = 0; i < 3; i++)
    free(id[i]);
}

static void points_that_share_work_share_a_stream(void **state) {
  (void)state;
  struct lab_points p =
      points_of("workloads: [bfs, spmv]\ntechniques: [none, cart]\nset: {sm.threads: [16, 48]}\n");
  for (size_t i = 0; i < p.n; i++)
    for (size_t k = 0; k < p.n; k++)
      assert_int_equal(strcmp(p.at[i].stream_id, p.at[k].stream_id) == 0,
                       strcmp(p.at[i].workload.name, p.at[k].workload.name) == 0);
  lab_points_free(&p);
  p = points_of("workloads: bfs\nset: {front.window: [64, 256]}\n");
  assert_string_not_equal(p.at[0].stream_id, p.at[1].stream_id);
  lab_points_free(&p);
}

static char *scratch(void) {
  static char path[] = "/tmp/sluice-lab-XXXXXX";
  strcpy(path, "/tmp/sluice-lab-XXXXXX");
  assert_non_null(mkdtemp(path));
  char *db = xmalloc(64);
  snprintf(db, 64, "%s/r.db", path);
  return db;
}

static void discard(char *db) {
  char lock[80];
  snprintf(lock, sizeof lock, "%s.lock", db);
  unlink(db), unlink(lock);
  *strrchr(db, '/') = '\0';
  rmdir(db);
  free(db);
}

static void put(struct lab_store *s, const char *id, enum lab_state state, int64_t cycles) {
  struct error err = {0};
  struct lab_outcome o = {.state = state, .reason = state == LAB_DONE ? "" : "why", .cpu_s = 1.5};
  struct lab_value v[] = {{.name = "cycles", .i = cycles}, {.name = "ipc", .real = true, .f = 0.1}};
  if (!lab_store_put(s, id, &o, v, 2, &err))
    fail_msg("%s", err.text);
}

static void results_are_kept_and_only_finished_points_have_numbers(void **state) {
  (void)state;
  struct lab_points p = points_of("name: s\nworkloads: bfs\nset: {sm.threads: [8, 16, 32, 48]}\n");
  char *db = scratch();
  struct error err = {0};
  struct lab_store *s = lab_store_open(db, LAB_WRITE, &err);
  assert_non_null(s);
  assert_true(lab_store_plan(s, &p, &err));
  put(s, p.at[0].id, LAB_DONE, 9007199254740993); /* 2^53 + 1: integers stay integers */
  put(s, p.at[1].id, LAB_STALLED, 7);
  put(s, p.at[2].id, LAB_CUT, 7);
  assert_true(lab_store_plan(s, &p, &err)); /* planning again forgets nothing */
  lab_store_close(s);

  s = lab_store_open(db, LAB_READ, &err);
  static const enum lab_state want[] = {LAB_DONE, LAB_STALLED, LAB_CUT, LAB_PLANNED};
  struct arena mem = {0};
  for (int i = 0; i < 4; i++) {
    double v;
    assert_int_equal(lab_store_outcome(s, p.at[i].id, NULL).state, want[i]);
    assert_int_equal(lab_store_stat(s, p.at[i].id, "cycles", &v), i == 0);
    assert_int_equal(isnan(lab_stat(s, &p.at[i], "ipc")), i != 0);
  }
  assert_string_equal(lab_store_outcome(s, p.at[1].id, &mem).reason, "why");
  assert_int_equal(lab_store_outcome(s, "no such point", NULL).state, LAB_MISSING);
  arena_free(&mem);
  lab_store_close(s);
  discard(db);
  lab_points_free(&p);
}

static char *answer(struct lab_store *s, const char *sql) {
  struct strbuf text = {0};
  struct error err = {0};
  if (!lab_query(s, sql, LAB_CSV, &text, &err))
    fail_msg("%s", err.text);
  return strbuf_take(&text);
}

/* 1536 is what gtx480 has: both sweeps ask for the same point, under other words. */
static void a_sweep_shows_what_it_asked_for(void **state) {
  (void)state;
  struct lab_points a = points_of("name: a\nworkloads: bfs\nset: {sm.threads: 1536}\n"),
                    b = points_of("name: b\nworkloads: bfs\n");
  assert_string_equal(a.at[0].id, b.at[0].id);
  char *db = scratch();
  struct error err = {0};
  struct lab_store *s = lab_store_open(db, LAB_WRITE, &err);
  assert_true(lab_store_plan(s, &b, &err) && lab_store_plan(s, &a, &err));
  char *rows = answer(s, "SELECT sweep, \"set\" FROM result");
  assert_string_equal(rows, "sweep,set\na,\"{\"\"sm.threads\"\": \"\"1536\"\"}\"\nb,{}\n");
  free(rows);
  lab_store_close(s);
  discard(db);
  lab_points_free(&a);
  lab_points_free(&b);
}

/* The tables as they were before members had parameters of their own. */
static void a_database_of_version_1_is_read_and_brought_up_to_date(void **state) {
  (void)state;
  static const char old[] =
      "PRAGMA application_id = 1399616869; PRAGMA user_version = 1;"
      "CREATE TABLE config (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;"
      "CREATE TABLE point (id TEXT PRIMARY KEY, workload TEXT NOT NULL, size TEXT, seed INTEGER, input TEXT,"
      " params TEXT NOT NULL, gpu TEXT NOT NULL, \"with\" TEXT NOT NULL, \"set\" TEXT NOT NULL,"
      " max_cycles INTEGER NOT NULL, config TEXT NOT NULL, model TEXT NOT NULL, state TEXT NOT NULL,"
      " reason TEXT NOT NULL, wall_s REAL, cpu_s REAL, peak_kib INTEGER, finished TEXT) WITHOUT ROWID;"
      "CREATE TABLE stat (point TEXT NOT NULL, name TEXT NOT NULL, value NOT NULL,"
      " PRIMARY KEY (point, name)) WITHOUT ROWID;"
      "CREATE TABLE member (sweep TEXT NOT NULL, number INTEGER NOT NULL, point TEXT NOT NULL,"
      " workload TEXT NOT NULL, gpu TEXT NOT NULL, label TEXT NOT NULL, best_param TEXT, best_by TEXT,"
      " PRIMARY KEY (sweep, number)) WITHOUT ROWID;"
      "CREATE VIEW result AS SELECT m.sweep, p.\"set\" FROM member m JOIN point p ON p.id = m.point;"
      "INSERT INTO point VALUES ('i', 'bfs', 'small', 1, NULL, '{}', 'gtx480', 'cart', '{\"a\": \"1\"}', 0,"
      " 'c', 'm', 'done', '', 1, 1, 1, 'now');"
      "INSERT INTO stat VALUES ('i', 'cycles', 7);"
      "INSERT INTO member VALUES ('s', 0, 'i', 'bfs', 'gtx480', 'cart', NULL, NULL);";
  char *db = scratch();
  struct sqlite3 *made;
  assert_int_equal(sqlite3_open(db, &made), SQLITE_OK);
  assert_int_equal(sqlite3_exec(made, old, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(made);
  for (int write = 0; write < 2; write++) {
    struct error err = {0};
    struct lab_store *s = lab_store_open(db, write ? LAB_WRITE : LAB_READ, &err);
    if (!s)
      fail_msg("%s", err.text);
    char *rows = answer(s, write ? "SELECT sweep, \"with\", \"set\", cycles FROM result; PRAGMA user_version"
                                 : "SELECT sweep, \"set\" FROM result; PRAGMA user_version");
    assert_string_equal(
        rows, write ? "sweep,with,set,cycles\ns,cart,\"{\"\"a\"\": \"\"1\"\"}\",7\nuser_version\n2\n"
                    : "sweep,set\ns,\"{\"\"a\"\": \"\"1\"\"}\"\nuser_version\n1\n");
    free(rows);
    lab_store_close(s);
  }
  discard(db);
}

static void one_process_writes_at_a_time(void **state) {
  (void)state;
  char *db = scratch();
  struct error err = {0};
  struct lab_store *a = lab_store_open(db, LAB_WRITE, &err), *b = lab_store_open(db, LAB_WRITE, &err);
  assert_non_null(a);
  assert_null(b);
  assert_non_null(strstr(err.text, "another sweep (process "));
  error_clear(&err);
  struct lab_store *reader = lab_store_open(db, LAB_READ, &err);
  assert_non_null(reader);
  lab_store_close(reader);
  lab_store_close(a);
  assert_non_null(a = lab_store_open(db, LAB_WRITE, &err));
  lab_store_close(a);
  discard(db);
}

static void other_files_are_refused(void **state) {
  (void)state;
  struct error err = {0};
  assert_null(lab_store_open("/nonexistent/r.db", LAB_READ, &err));
  error_clear(&err);
  assert_null(lab_store_open("meson.build", LAB_READ, &err));
  assert_int_equal(err.code, EXIT_USAGE);
  error_clear(&err);
}

static void means_leave_out_and_count_what_is_missing(void **state) {
  (void)state;
  const double v[] = {2, NAN, 8, 4};
  struct lab_mean g = lab_geomean(v, 4), a = lab_mean(v, 4), none = lab_geomean(v + 1, 1);
  assert_float_equal(g.value, 4, 1e-12); /* (2 * 8 * 4)^(1/3) */
  assert_int_equal(g.n, 3), assert_int_equal(g.missing, 1);
  assert_float_equal(a.value, 14.0 / 3, 1e-12);
  assert_true(isnan(none.value));
  const double zero[] = {0, 9};
  assert_float_equal(lab_geomean(zero, 2).value, 9, 1e-12);
  assert_int_equal(lab_geomean(zero, 2).missing, 1);
}

/* By hand: bfs is fastest with 4 warps (80 cycles), spmv with 2 (50); the baseline takes 120 and 100. */
static void best_of_chooses_for_each_workload(void **state) {
  (void)state;
  struct lab_points p =
      points_of("workloads: [bfs, spmv]\n"
                "techniques: [none, {with: swl, label: SWL-Best, best_of: {swl.warps: [2, 4, 8]}}]\n");
  static const int64_t cycles[] = {120, 90, 80, 80, 100, 50, 60, 70};
  char *db = scratch();
  struct error err = {0};
  struct lab_store *s = lab_store_open(db, LAB_WRITE, &err);
  assert_true(s && lab_store_plan(s, &p, &err));
  assert_int_equal(p.n, 8);
  for (size_t i = 0; i < 8; i++)
    put(s, p.at[i].id, LAB_DONE, cycles[i]);
  struct lab_filter f = {.workload = "spmv", .label = "SWL-Best"};
  size_t first = lab_points_find(&p, &f, 0);
  assert_int_equal(first, 5);
  struct lab_best bfs = lab_best(s, &p, 3), spmv = lab_best(s, &p, first), base = lab_best(s, &p, 4);
  assert_int_equal(bfs.index, 2); /* the first of equals */
  assert_int_equal(spmv.index, 5), assert_int_equal(spmv.missing, 0);
  assert_int_equal(base.index, 4);
  double speedup[] = {lab_speedup(s, &p.at[bfs.index], &p.at[0]),
                      lab_speedup(s, &p.at[spmv.index], &p.at[4])};
  assert_float_equal(speedup[0], 1.5, 1e-12), assert_float_equal(speedup[1], 2, 1e-12);
  assert_float_equal(lab_geomean(speedup, 2).value, sqrt(3), 1e-12);
  put(s, p.at[5].id, LAB_FAILED, 1);
  spmv = lab_best(s, &p, 7);
  assert_int_equal(spmv.index, 6), assert_int_equal(spmv.missing, 1);
  lab_store_close(s);
  discard(db);
  lab_points_free(&p);
}

/* 16 processors: one thread each while 16 points or more are left, all for the last one. */
static void processors_without_a_point_help_others(void **state) {
  (void)state;
  static const struct {
    size_t processors, points;
    unsigned threads;
  } rows[] = {{16, 1000, 1}, {16, 16, 1}, {16, 9, 1},  {16, 8, 2},  {16, 3, 5},
              {16, 1, 16},   {1, 1, 1},   {1, 100, 1}, {256, 1, 64}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(lab_threads(rows[i].processors, rows[i].points), rows[i].threads);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_grid_is_every_combination_the_last_fastest),
      cmocka_unit_test(zipped_parameters_vary_together_and_lists_of_a_workload_multiply),
      cmocka_unit_test(exclusions_take_points_out_and_one_that_takes_none_is_a_mistake),
      cmocka_unit_test(mistakes_name_file_line_and_the_nearest),
      cmocka_unit_test(a_point_is_named_by_what_determines_its_result),
      cmocka_unit_test(files_count_by_their_content),
      cmocka_unit_test(points_that_share_work_share_a_stream),
      cmocka_unit_test(results_are_kept_and_only_finished_points_have_numbers),
      cmocka_unit_test(a_sweep_shows_what_it_asked_for),
      cmocka_unit_test(a_database_of_version_1_is_read_and_brought_up_to_date),
      cmocka_unit_test(one_process_writes_at_a_time),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(means_leave_out_and_count_what_is_missing),
      cmocka_unit_test(best_of_chooses_for_each_workload),
      cmocka_unit_test(processors_without_a_point_help_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
