#include "check.h"

#include "conf/conf.h"
#include "conf/rows.h"
#include "conf/yaml.h"
#include "tables.h"
#include <stdlib.h>

static const char *const modes[] = {"error", "warn", "off", NULL};

static bool even(const char *s) {
  return (s[strlen(s) - 1] - '0') % 2 == 0;
}

static const struct conf_param rows[] = {
    {"l1.size", CONF_UINT, "16KiB", .min = 1024, .max = 1 << 20, .unit = "bytes", .help = "Size.",
     .source = "t"},
    {"l1.ways", CONF_UINT, "4", .min = 1, .max = 64, .valid = even, .allowed = "an even number up to 64",
     .unit = "", .help = "Ways.", .source = "t"},
    {"l1.bias", CONF_INT, "-3", .min = -10, .max = 10, .unit = "", .help = "Bias.", .source = "t"},
    {"mode", CONF_ENUM, "error", .choices = modes, .unit = "", .help = "Mode.", .source = "t"},
    {"clock.ghz", CONF_FLOAT, "1.5", .fmin = 0.1, .fmax = 10, .unit = "GHz", .help = "Clock.", .source = "t"},
    {"clock.skip", CONF_BOOL, "true", .unit = "", .help = "Skip.", .source = "t"},
    {"name", CONF_STRING, "", .unit = "", .help = "Name.", .source = "t"},
};
static const struct conf_table table = {"test", rows, sizeof rows / sizeof *rows};

static struct conf *fresh(void) {
  return conf_new((const struct conf_table *const[]){&table}, 1);
}

static bool load(struct conf *c, const char *text, struct error *e) {
  return conf_load_text(c, "g.yaml", text, strlen(text), e);
}

static void later_layers_win_and_every_value_knows_its_origin(void **state) {
  (void)state;
  struct conf *c = fresh();
  struct error e = {0};
  assert_int_equal(conf_u64(c, "l1.size"), 16384);
  assert_string_equal(conf_origin(c, "l1.size"), "default");
  assert_true(load(c, "l1:\n  size: 32KiB\n  bias: 7\nmode: warn\nclock.skip: off\n", &e));
  assert_true(conf_set(c, "l1.size=2Ki", &e));
  assert_true(conf_set(c, "name=a=b", &e));
  assert_true(conf_assign(c, "clock.ghz", "2", "--clock", &e));
  assert_int_equal(conf_u64(c, "l1.size"), 2048);
  assert_string_equal(conf_origin(c, "l1.size"), "--set");
  assert_int_equal(conf_i64(c, "l1.bias"), 7);
  assert_string_equal(conf_origin(c, "l1.bias"), "g.yaml:3");
  assert_int_equal(conf_enum(c, "mode"), 1);
  assert_string_equal(conf_str(c, "mode"), "warn");
  assert_false(conf_bool(c, "clock.skip"));
  assert_string_equal(conf_str(c, "name"), "a=b");
  assert_true(conf_f64(c, "clock.ghz") == 2.0);
  assert_string_equal(conf_origin(c, "clock.ghz"), "--clock");
  conf_free(c);
}

struct machine {
  uint32_t size;
  uint64_t cycles;
  bool skip;
  enum { MODE_ERROR, MODE_WARN, MODE_OFF } mode;
  double ghz;
  const char *name;
  uint32_t last;
};
#define CONF_OF struct machine
static const struct conf_param field_rows[] = {
    CONF_ROW_UINT("size", size, "16KiB", 1, 1 << 20, "bytes", "Size.", "t"),
    CONF_ROW_UINT("cycles", cycles, "0", 0, INT64_MAX, "cycles", "Cycles.", "t"),
    CONF_ROW_BOOL("skip", skip, "true", "Skip.", "t"),
    CONF_ROW_ENUM("mode", mode, "warn", modes, "Mode.", "t"),
    CONF_ROW_FLOAT("ghz", ghz, "1.5", 0.1, 10, "GHz", "Clock.", "t"),
    CONF_ROW_STRING("name", name, "", "Name.", "t"),
};
static const struct conf_table fields = {"fields", field_rows, sizeof field_rows / sizeof *field_rows};

static void values_go_to_the_fields_that_their_rows_name(void **state) {
  (void)state;
  struct conf *c = conf_new((const struct conf_table *const[]){&fields}, 1);
  struct error e = {0};
  struct machine m = {.last = 77};
  assert_true(conf_set(c, "cycles=0x123456789abcdef", &e) && conf_set(c, "name=abc", &e) &&
              conf_set(c, "skip=false", &e));
  conf_fill(c, &fields, &m);
  assert_true(m.size == 16384 && m.cycles == 0x123456789abcdef && !m.skip && m.mode == MODE_WARN &&
              m.ghz == 1.5);
  assert_string_equal(m.name, "abc");
  assert_int_equal(m.last, 77);
  conf_free(c);
}

static void all_mistakes_of_a_file_are_reported_with_place_value_and_what_is_allowed(void **state) {
  (void)state;
  struct conf *c = fresh();
  struct error e = {0};
  assert_false(
      load(c,
           "l1:\n  size: 12\n  ways: 3\n  wyas: 4\n  bias: x\nmode: wran\nclock:\n  ghz: .\n  skip: 2\n"
           "name: [a]\nl1.bias:\n",
           &e));
  assert_int_equal(e.code, EXIT_USAGE);
  assert_string_equal(e.text,
                      "g.yaml:2: l1.size: '12' is out of range (allowed: 1024..1048576)\n"
                      "g.yaml:3: l1.ways: '3' is not allowed (allowed: an even number up to 64)\n"
                      "g.yaml:4: unknown parameter 'l1.wyas' (value '4'); did you mean 'l1.ways'?\n"
                      "g.yaml:5: l1.bias: 'x' is not a whole number (allowed: -10..10)\n"
                      "g.yaml:6: mode: 'wran' is not one of its values (allowed: error, warn, off); did "
                      "you mean 'warn'?\n"
                      "g.yaml:8: clock.ghz: '.' is not a number (allowed: 0.1..10)\n"
                      "g.yaml:9: clock.skip: '2' is neither true nor false (allowed: true, false)\n"
                      "g.yaml:10: name: a single value is needed here, not a sequence\n"
                      "g.yaml:11: l1.bias: a value is missing");
  error_clear(&e);
  assert_int_equal(conf_u64(c, "l1.size"), 16384); /* refused values change nothing */
  conf_free(c);
}

static void one_file_sets_a_value_once(void **state) {
  (void)state;
  struct conf *c = fresh();
  struct error e = {0};
  assert_false(load(c, "l1:\n  size: 2048\nl1.size: 4096\n", &e));
  assert_string_equal(e.text, "g.yaml:3: l1.size: set twice (first at g.yaml:2)");
  error_clear(&e);
  assert_true(load(c, "l1.size: 4096\n", &e)); /* another file may */
  conf_free(c);
}

static void wrong_assignments_are_refused(void **state) {
  (void)state;
  struct conf *c = fresh();
  static const char *const cases[][2] = {
      {"l1.size", "not of the form name=value"},
      {"=3", "not of the form name=value"},
      {"l1.siez=4096", "--set: unknown parameter 'l1.siez' (value '4096'); did you mean 'l1.size'?"},
      {"ways=4", "did you mean 'l1.ways'?"},
      {"zzz=4", "`sluice list params` shows all"},
      {"l1.size=-1", "--set: l1.size: '-1' is out of range"},
      {"clock.ghz=nan", "'nan' is out of range"},
      {"clock.ghz=0.05", "out of range (allowed: 0.1..10)"},
      {"l1.size=", "'' is not a whole number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct error e = {0};
    assert_false(conf_set(c, cases[i][0], &e));
    assert_int_equal(e.code, EXIT_USAGE);
    assert_contains(e.text, cases[i][1]);
    error_clear(&e);
  }
  conf_free(c);
}

static void the_echo_is_a_configuration_file_that_gives_the_same_values(void **state) {
  (void)state;
  struct conf *a = fresh(), *b = fresh();
  struct error e = {0};
  assert_true(conf_set(a, "name=it's \"x\": #1\n\ttab", &e));
  assert_true(conf_set(a, "l1.size=64KiB", &e));
  struct strbuf first = {0}, second = {0};
  conf_echo(a, &first);
  assert_contains(first.s, "l1:\n  size: 65536");
  assert_contains(first.s, "# --set\n");
  assert_true(conf_load_text(b, "echo.yaml", first.s, first.n, &e));
  assert_string_equal(conf_str(a, "name"), conf_str(b, "name"));
  struct json ja = {0}, jb = {0};
  json_open(&ja, NULL, '{');
  conf_json(a, &ja);
  json_close(&ja);
  json_open(&jb, NULL, '{');
  conf_json(b, &jb);
  json_close(&jb);
  assert_string_equal(ja.out.s, jb.out.s);
  strbuf_free(&ja.out);
  strbuf_free(&jb.out);
  strbuf_free(&first);
  strbuf_free(&second);
  conf_free(a);
  conf_free(b);
}

static void the_programs_own_tables_are_sound(void **state) {
  (void)state;
  struct conf *c = tables_conf(); /* panics on a bad default or a name used twice */
  struct strbuf s = {0};
  conf_list(c, &s);
  assert_contains(s.s, "front.warp_width");
  strbuf_free(&s);
  conf_free(c);
  stats_free(tables_stats());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(later_layers_win_and_every_value_knows_its_origin),
      cmocka_unit_test(values_go_to_the_fields_that_their_rows_name),
      cmocka_unit_test(all_mistakes_of_a_file_are_reported_with_place_value_and_what_is_allowed),
      cmocka_unit_test(one_file_sets_a_value_once),
      cmocka_unit_test(wrong_assignments_are_refused),
      cmocka_unit_test(the_echo_is_a_configuration_file_that_gives_the_same_values),
      cmocka_unit_test(the_programs_own_tables_are_sound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
