#include "check.h"

#include "stat/report.h"
#include <stdlib.h>

static const struct stat_row rows[] = {
    {"hits", STAT_U64, "accesses", "Hits."},
    {"l1.rate", STAT_F64, "", "Rate."},
    {"never", STAT_U64, "", "Not put by anyone."},
};
static const struct stat_table table = {"test", rows, 3};
static const struct conf_param params[] = {{"a.b", CONF_UINT, "3", .unit = "", .help = "h", .source = "s"}};
static const struct conf_table conf_rows = {"test", params, 1};

static struct stats *fresh(void) {
  return stats_new((const struct stat_table *const[]){&table, &host_stats}, 2);
}

static struct report sample(struct conf *c) {
  struct report r = {.workload = "w.yaml", .conf = c, .total = fresh()};
  struct stats *k = fresh();
  stats_put_u64(k, "hits", 12345678);
  stats_put_f64(k, "l1.rate", 0.1);
  report_add_kernel(&r, "f<int, 2>", (const uint32_t[]){4, 2, 1}, (const uint32_t[]){128, 1, 1}, k, NULL);
  stats_put_u64(r.total, "hits", UINT64_MAX);
  stats_put_f64(r.total, "l1.rate", 0.25);
  return r;
}

static void only_rows_with_values_are_read(void **state) {
  (void)state;
  struct stats *s = fresh();
  double v;
  assert_false(stats_get(s, "hits", &v));
  stats_put_u64(s, "hits", 5);
  assert_true(stats_get(s, "hits", &v) && v == 5);
  assert_false(stats_get(s, "no.such", &v));
  stats_free(s);
}

static void json_has_schema_version_config_stats_and_kernels(void **state) {
  (void)state;
  struct conf *c = conf_new((const struct conf_table *const[]){&conf_rows}, 1);
  struct report r = sample(c);
  struct strbuf s = {0};
  report_json(&r, &s);
  assert_string_equal(s.s,
                      "{\n  \"schema\": 1,\n  \"version\": \"" SLUICE_VERSION "\",\n"
                      "  \"workload\": \"w.yaml\",\n  \"status\": \"complete\",\n"
                      "  \"config\": {\n    \"a.b\": 3\n  },\n"
                      "  \"stats\": {\n    \"hits\": 18446744073709551615,\n    \"l1.rate\": 0.25\n  },\n"
                      "  \"kernels\": [\n    {\n      \"name\": \"f<int, 2>\",\n"
                      "      \"grid\": [\n        4,\n        2,\n        1\n      ],\n"
                      "      \"block\": [\n        128,\n        1,\n        1\n      ],\n"
                      "      \"stats\": {\n        \"hits\": 12345678,\n        \"l1.rate\": 0.1\n      }\n"
                      "    }\n  ]\n}\n");
  strbuf_free(&s);
  report_free(&r);
  conf_free(c);
}

static void csv_quotes_and_table_groups(void **state) {
  (void)state;
  struct conf *c = conf_new((const struct conf_table *const[]){&conf_rows}, 1);
  struct report r = sample(c);
  struct strbuf s = {0};
  report_csv(&r, &s);
  assert_string_equal(s.s, "launch,kernel,statistic,value,unit\n"
                           "0,\"f<int, 2>\",hits,12345678,accesses\n"
                           "0,\"f<int, 2>\",l1.rate,0.1,\n"
                           "total,,hits,18446744073709551615,accesses\n"
                           "total,,l1.rate,0.25,\n");
  strbuf_free(&s);
  report_table(&r, &s);
  assert_contains(s.s, "18,446,744,073,709,551,615");
  assert_contains(s.s, "4 x 2 x 1");
  strbuf_free(&s);
  report_free(&r);
  conf_free(c);
}

/* Two units of a kind, one stretch of 100 cycles and one of 7. */
static void units_and_intervals_are_written(void **state) {
  (void)state;
  struct conf *c = conf_new((const struct conf_table *const[]){&conf_rows}, 1);
  struct report r = sample(c);
  static const struct stat_row counted[] = {{"l2.hits", STAT_U64, "accesses", "Hits."}};
  struct stat_detail *d = &r.kernels[0].detail;
  struct stat_grid *g = malloc(sizeof *g);
  *g = (struct stat_grid){.kind = "l2", .rows = counted, .nrows = 1, .nunits = 2};
  g->value = malloc(2 * sizeof *g->value);
  g->value[0] = 5, g->value[1] = 7;
  d->grid = g, d->ngrids = d->cap_grids = 1;
  struct stat_series *s = malloc(sizeof *s);
  *s = (struct stat_series){.every = 100, .nrows = 1, .n = 2};
  s->rows = malloc(sizeof *s->rows), s->rows[0] = &counted[0];
  s->end = malloc(2 * sizeof *s->end), s->value = malloc(2 * sizeof *s->value);
  s->end[0] = 100, s->end[1] = 107, s->value[0] = 11, s->value[1] = 1;
  d->series = s;
  struct strbuf t = {0};
  report_json(&r, &t);
  assert_contains(t.s, "\"units\": {\n        \"l2\": {\n          \"l2.hits\": [5, 7]");
  assert_contains(t.s, "\"every\": 100,\n        \"end\": [100, 107],\n        \"l2.hits\": [11, 1]");
  strbuf_free(&t);
  report_csv(&r, &t);
  assert_contains(t.s, "0,\"f<int, 2>\",l2[1].hits,7,accesses\n");
  strbuf_free(&t);
  report_series_csv(&r, &t);
  assert_string_equal(t.s, "launch,kernel,cycle,l2.hits\n0,\"f<int, 2>\",100,11\n0,\"f<int, 2>\",107,1\n");
  strbuf_free(&t);
  report_free(&r);
  conf_free(c);
}

static void buckets_double(void **state) {
  (void)state;
  assert_int_equal(stat_bucket(0), 0);
  assert_int_equal(stat_bucket(1), 1);
  for (unsigned b = 2; b < STAT_BUCKETS - 1; b++) {
    assert_int_equal(stat_bucket(UINT64_C(1) << (b - 1)), b);
    assert_int_equal(stat_bucket((UINT64_C(1) << b) - 1), b);
  }
  assert_int_equal(stat_bucket(UINT64_MAX), STAT_BUCKETS - 1);
}

static void the_host_is_measured(void **state) {
  (void)state;
  struct stats *s = fresh();
  double start = stats_wall_clock(), v;
  stats_put_host(s, start);
  assert_true(stats_get(s, "sim.peak_rss_mb", &v) && v > 0.5);
  assert_true(stats_get(s, "sim.cpu_seconds", &v) && v >= 0);
  assert_true(stats_get(s, "sim.wall_seconds", &v) && v >= 0 && v < 10);
  stats_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_rows_with_values_are_read),
      cmocka_unit_test(json_has_schema_version_config_stats_and_kernels),
      cmocka_unit_test(csv_quotes_and_table_groups),
      cmocka_unit_test(units_and_intervals_are_written),
      cmocka_unit_test(buckets_double),
      cmocka_unit_test(the_host_is_measured),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
