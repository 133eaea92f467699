#include "check.h"

#include "base/mem.h"
#include "conf/yaml.h"
#include <stdlib.h>

static struct yaml_doc *parse(const char *text) {
  struct error e = {0};
  struct yaml_doc *d = yaml_parse_text("t.yaml", text, strlen(text), &e);
  if (!d)
    fail_msg("%s", e.text);
  return d;
}

static void refused(const char *text, size_t n, const char *message) {
  struct error e = {0};
  assert_null(yaml_parse_text("t.yaml", text, n, &e));
  assert_int_equal(e.code, EXIT_USAGE);
  assert_contains(e.text, message);
  error_clear(&e);
}

static void nodes_know_line_and_path(void **state) {
  (void)state;
  struct yaml_doc *d = parse("a: 1\nlist:\n  - x: {y: [p, q]}\n");
  const struct yaml_node *x = yaml_get(yaml_get(d->root, "list")->items[0], "x");
  const struct yaml_node *q = yaml_get(x, "y")->items[1];
  struct strbuf path = {0};
  yaml_path(q, &path);
  assert_string_equal(path.s, "list[0].x.y[1]");
  assert_string_equal(q->text, "q");
  assert_int_equal(q->line, 3);
  strbuf_free(&path);
  yaml_close(d);
}

static void an_empty_file_has_no_root(void **state) {
  (void)state;
  struct yaml_doc *d = parse("");
  assert_null(d->root);
  yaml_close(d);
  d = parse("# only a comment\n");
  assert_null(d->root);
  yaml_close(d);
}

static void what_configuration_never_needs_is_refused(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"a: &x 1\n", "t.yaml:1: anchors"},
      {"a: 1\nb: *a\n", "t.yaml:2: aliases"},
      {"a: !!int 1\n", "t.yaml:1: tags"},
      {"a: 1\nb: 2\na: 3\n", "t.yaml:3: key 'a' appears twice (first in line 1)"},
      {"--- 1\n--- 2\n", "t.yaml:2: a second document"},
      {"a: \"x\\0y\"\n", "t.yaml:1: a NUL"},
      {"[a]: 1\n", "t.yaml:1: a key must be"},
      {"a: [1, 2\nb: 3\n", "t.yaml:2: not valid YAML"},
      {"a: 'x\n", "not valid YAML"},
      {"\xff\xff", "not UTF-8"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refused(cases[i][0], strlen(cases[i][0]), cases[i][1]);
}

static void depth_and_size_are_bounded(void **state) {
  (void)state;
  char deep[200];
  memset(deep, '[', 100);
  memset(deep + 100, ']', 100);
  refused(deep, 200, "nested deeper than 64");
  size_t n = (4 << 20) + 1;
  char *large = xmalloc(n);
  memset(large, '#', n);
  refused(large, n, "at most 4194304");
  free(large);
}

static void getters_name_file_line_key_value_and_range(void **state) {
  (void)state;
  struct yaml_doc *d = parse("n: 70\nm: -1\nf: 1e400\nb: maybe\ne: wran\nk: {}\nz:\n");
  struct error e = {0};
  uint64_t u = 7;
  double f;
  bool b;
  int choice;
  const char *s;
  static const char *const names[] = {"error", "warn", "off"};
  assert_false(yaml_u64(yaml_get(d->root, "n"), 1, 64, &u, &e));
  assert_int_equal(u, 7); /* unchanged */
  assert_false(yaml_u64(yaml_get(d->root, "m"), 1, 64, &u, &e));
  assert_false(yaml_f64(yaml_get(d->root, "f"), &f, &e));
  assert_false(yaml_bool(yaml_get(d->root, "b"), &b, &e));
  assert_false(yaml_enum(yaml_get(d->root, "e"), names, 3, &choice, &e));
  assert_false(yaml_str(yaml_get(d->root, "k"), &s, &e));
  assert_false(yaml_str(yaml_get(d->root, "z"), &s, &e));
  assert_null(yaml_need(d->root, "w", &e));
  assert_string_equal(e.text,
                      "t.yaml:1: n: '70' is out of range (allowed: 1..64)\n"
                      "t.yaml:2: m: '-1' is out of range (allowed: 1..64)\n"
                      "t.yaml:3: f: '1e400' is out of range\n"
                      "t.yaml:4: b: 'maybe' is neither true nor false\n"
                      "t.yaml:5: e: 'wran' is not allowed here (allowed: error, warn, off); did you mean "
                      "'warn'?\n"
                      "t.yaml:6: k: a single value is needed here, not a map\n"
                      "t.yaml:7: z: a value is missing\n"
                      "t.yaml:1: key 'w' is missing");
  error_clear(&e);
  yaml_close(d);
}

static void good_values_are_read(void **state) {
  (void)state;
  struct yaml_doc *d = parse("n: 64KiB\nm: -5\nf: -.inf\nb: Yes\ns: \"null\"\n");
  struct error e = {0};
  uint64_t u;
  int64_t i;
  double f;
  bool b;
  const char *s;
  assert_true(yaml_u64(yaml_get(d->root, "n"), 0, UINT64_MAX, &u, &e));
  assert_true(yaml_i64(yaml_get(d->root, "m"), -5, 5, &i, &e));
  assert_true(yaml_f64(yaml_get(d->root, "f"), &f, &e));
  assert_true(yaml_bool(yaml_get(d->root, "b"), &b, &e));
  assert_true(yaml_str(yaml_get(d->root, "s"), &s, &e));
  assert_int_equal(u, 65536);
  assert_int_equal(i, -5);
  assert_true(f < 0 && f * 0 != 0);
  assert_true(b);
  assert_string_equal(s, "null");
  assert_int_equal(e.code, 0);
  yaml_close(d);
}

static void unknown_keys_get_the_nearest_name(void **state) {
  (void)state;
  struct yaml_doc *d = parse("buffers:\n  a: {byts: 4}\n  b: {zzz: 1}\n");
  struct error e = {0};
  static const char *const names[] = {"bytes", "fill"};
  const struct yaml_node *buffers = yaml_get(d->root, "buffers");
  assert_false(yaml_check_keys(buffers->items[0], names, 2, &e));
  assert_false(yaml_check_keys(buffers->items[1], names, 2, &e));
  assert_string_equal(e.text, "t.yaml:2: buffers.a: unknown key 'byts'; did you mean 'bytes'?\n"
                              "t.yaml:3: buffers.b: unknown key 'zzz'; allowed: bytes, fill");
  error_clear(&e);
  yaml_close(d);
}

static void a_missing_file_is_a_usage_error(void **state) {
  (void)state;
  struct error e = {0};
  assert_null(yaml_parse_file("/nonexistent.yaml", &e));
  assert_int_equal(e.code, EXIT_USAGE);
  assert_contains(e.text, "/nonexistent.yaml: No such file");
  error_clear(&e);
  assert_null(yaml_parse_file("/", &e));
  assert_int_equal(e.code, EXIT_USAGE);
  error_clear(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_know_line_and_path),
      cmocka_unit_test(an_empty_file_has_no_root),
      cmocka_unit_test(what_configuration_never_needs_is_refused),
      cmocka_unit_test(depth_and_size_are_bounded),
      cmocka_unit_test(getters_name_file_line_key_value_and_range),
      cmocka_unit_test(good_values_are_read),
      cmocka_unit_test(unknown_keys_get_the_nearest_name),
      cmocka_unit_test(a_missing_file_is_a_usage_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
