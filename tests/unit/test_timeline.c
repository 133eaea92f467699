/* Timelines: what is written is read, and what is damaged is refused. */
#include "base/file.h"
#include "timeline/buffer.h"
#include "timeline/timeline.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after those */
#include <cmocka.h>

static char path[] = "/tmp/sluice-timeline-XXXXXX";

static int make_path(void **state) {
  (void)state;
  int f = mkstemp(path);
  assert_true(f >= 0);
  close(f);
  return 0;
}
static int remove_path(void **state) {
  (void)state;
  return unlink(path);
}

static void numbers_come_back(void **state) {
  (void)state;
  static const uint64_t v[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
  enum { N = sizeof v / sizeof *v };
  struct tl_out out = {0};
  for (int i = 0; i < N; i++)
    tl_put(&out, v[i]);
  tl_put_column(&out, v, N, 1);
  tl_put_column(&out, (const uint64_t[]){9, 9, 9}, 3, 1);
  tl_put_column(&out, (const uint64_t[]){0, 0}, 2, 1);
  tl_put_string(&out, "kernel", 6);
  struct tl_in in = {.at = out.at, .end = out.at + out.n};
  uint64_t column[N];
  for (int i = 0; i < N; i++)
    assert_int_equal(tl_get(&in), v[i]);
  tl_get_column(&in, column, N);
  assert_memory_equal(column, v, sizeof v);
  tl_get_column(&in, column, 3);
  assert_int_equal(column[2], 9);
  tl_get_column(&in, column, 2);
  assert_int_equal(column[0], 0);
  char *s = tl_get_string(&in);
  assert_string_equal(s, "kernel");
  free(s);
  assert_false(in.bad);
  tl_get(&in); /* beyond the end */
  assert_true(in.bad);
  tl_out_free(&out);
}

static void differences_have_a_sign(void **state) {
  (void)state;
  for (int64_t d = -300; d <= 300; d += 7)
    assert_int_equal((int64_t)tl_unsigned(tl_signed((uint64_t)d)), d);
}

enum { ROWS = 3000, UNITS = 5 };

static void write_one(void) {
  const char *totals[] = {"gpu.cycles", "sm.issued"}, *units[] = {"l2.hits"}, *causes[] = {"issued", "fetch"},
             *commands[] = {"ACT", "RD"};
  struct timeline_group groups[] = {{.kind = "total", .units = 1, .nstats = 2, .stat = totals},
                                    {.kind = "l2", .units = UNITS, .nstats = 1, .stat = units}};
  struct timeline_head h = {.interval = 10,
                            .tick_core = 3,
                            .tick_dram = 2,
                            .window = {0, 100},
                            .channels = 2,
                            .banks = 4,
                            .cause = causes,
                            .ncauses = 2,
                            .command = commands,
                            .ncommands = 2,
                            .group = groups,
                            .ngroups = 2};
  struct error err = {0};
  timeline_columns(&h);
  struct timeline_writer *w = timeline_create(path, &h, &err);
  assert_non_null(w);
  for (int launch = 0; launch < 2; launch++) {
    timeline_launch(w, &(struct timeline_launch){.kernel = launch ? "second" : "first",
                                                 .grid = {4, 1, 1},
                                                 .block = {32, 1, 1},
                                                 .begin = (uint64_t)launch * ROWS * 10});
    for (uint64_t i = 0; i < ROWS; i++) {
      uint64_t row[2 + UNITS] = {10, i, i % 7, 0, 5, i * i, UINT64_MAX};
      timeline_row(w, (i + 1) * 10, row);
      timeline_cta(w, &(struct timeline_cta){.sm = 1, .cta = i, .begin = i, .end = i + 4});
      timeline_command(
          w, &(struct timeline_command){.channel = 1, .bank = 3, .command = 1, .row = 7, .tick = i * 2});
      timeline_wait(
          w, &(struct timeline_wait){.sm = 0, .warp = 2, .cause = 1, .begin = 1000 - i % 1000, .cycles = 6});
    }
    timeline_ended(w, ROWS * 10);
  }
  timeline_report(w, "{\"stats\": {}}", 13);
  assert_true(timeline_close(w, true, &err));
}

struct seen {
  uint64_t launches, rows, issued, hits, ctas, commands, waits, begins, cycles;
  char report[64];
};
static void on_launch(void *ctx, const struct timeline_launch *l) {
  struct seen *s = ctx;
  assert_string_equal(l->kernel, s->launches++ ? "second" : "first");
}
static void on_rows(void *ctx, size_t n, const uint64_t *end, const uint64_t *value) {
  struct seen *s = ctx;
  assert_int_equal(end[0] % 10, 0);
  for (size_t i = 0; i < n; i++) {
    s->issued += value[n + i];
    s->hits += value[(2 + 3) * n + i];
    assert_true(value[(2 + 4) * n + i] == UINT64_MAX);
  }
  s->rows += n;
}
static void on_ctas(void *ctx, size_t n, const struct timeline_cta *c) {
  struct seen *s = ctx;
  s->ctas += n;
  assert_int_equal(c[0].end - c[0].begin, 4);
}
static void on_commands(void *ctx, size_t n, const struct timeline_command *c) {
  struct seen *s = ctx;
  s->commands += n;
  assert_int_equal(c[0].row, 7);
}
static void on_waits(void *ctx, size_t n, const struct timeline_wait *w) {
  struct seen *s = ctx;
  s->waits += n;
  for (size_t i = 0; i < n; i++)
    s->begins += w[i].begin;
}
static void on_ended(void *ctx, uint64_t cycles) {
  ((struct seen *)ctx)->cycles += cycles;
}
static void on_report(void *ctx, const char *json, size_t n) {
  struct seen *s = ctx;
  snprintf(s->report, sizeof s->report, "%.*s", (int)n, json);
}

static void what_is_written_is_read(void **state) {
  (void)state;
  write_one();
  struct error err = {0};
  assert_true(timeline_is(path));
  struct timeline_reader *r = timeline_open(path, &err);
  assert_non_null(r);
  assert_int_equal(timeline_head(r)->ncolumns, 2 + UNITS);
  size_t column;
  assert_true(timeline_stat(timeline_group(timeline_head(r), "l2"), "l2.hits", &column));
  assert_int_equal(column, 2);
  assert_false(timeline_stat(timeline_group(timeline_head(r), "l2"), "l2.misses", &column));
  for (int again = 0; again < 2; again++) {
    struct seen s = {0};
    struct timeline_visit v = {.ctx = &s,
                               .launch = on_launch,
                               .rows = on_rows,
                               .ctas = on_ctas,
                               .commands = on_commands,
                               .waits = on_waits,
                               .ended = on_ended,
                               .report = on_report};
    assert_true(timeline_walk(r, &v, &err));
    assert_int_equal(s.rows, 2 * ROWS);
    assert_int_equal(s.issued, 2 * (uint64_t)ROWS * (ROWS - 1) / 2);                /* the sum of 0 … n-1 */
    assert_int_equal(s.hits, 2 * (uint64_t)(ROWS - 1) * ROWS * (2 * ROWS - 1) / 6); /* of squares */
    assert_int_equal(s.ctas, 2 * ROWS);
    assert_int_equal(s.commands, 2 * ROWS);
    assert_int_equal(s.waits, 2 * ROWS);
    assert_int_equal(s.begins, 2 * 3 * (uint64_t)1000 * 1001 / 2);
    assert_int_equal(s.cycles, 2 * ROWS * 10);
    assert_string_equal(s.report, "{\"stats\": {}}");
  }
  timeline_free(r);
}

/* Every change of a byte and every end before the end is either noticed or harmless; it never crashes. */
static void damage_is_refused(void **state) {
  (void)state;
  write_one();
  struct error err = {0};
  size_t n;
  char *text = file_read(path, 1 << 24, &n, &err);
  assert_non_null(text);
  int refused = 0, tried = 0;
  for (size_t i = 0; i < n; i += 1 + n / 400) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    text[i] = (char)(text[i] ^ 0x40);
    size_t size = i % 2 ? n : i; /* damaged, or cut off as well */
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
    text[i] = (char)(text[i] ^ 0x40);
    struct timeline_reader *r = timeline_open(path, &err);
    bool ok = r && timeline_walk(r, &(struct timeline_visit){0}, &err);
    refused += !ok;
    tried++;
    timeline_free(r);
    error_clear(&err);
  }
  assert_int_equal(refused, tried);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_come_back),
      cmocka_unit_test(differences_have_a_sign),
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(damage_is_refused),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
