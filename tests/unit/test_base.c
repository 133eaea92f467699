#include "check.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/least.h"
#include "base/ring.h"
#include "base/rng.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void errors_collect_lines_and_keep_the_first_code(void **state) {
  (void)state;
  struct error e = {0};
  assert_false(error_add(&e, EXIT_USAGE, "a.yaml:%d: one", 3));
  assert_false(error_add(&e, EXIT_FAULT, "two"));
  assert_string_equal(e.text, "a.yaml:3: one\ntwo");
  assert_int_equal(e.code, EXIT_USAGE);
  error_set(&e, EXIT_FAULT, "[%s]", e.text); /* its own text may be an argument */
  assert_string_equal(e.text, "[a.yaml:3: one\ntwo]");
  assert_int_equal(e.code, EXIT_FAULT);
  error_clear(&e);
  assert_null(e.text);
}

static void the_nearest_word_is_suggested_only_when_it_is_near(void **state) {
  (void)state;
  static const char *const words[] = {"front.window", "front.turn", "front.memcheck", "memory.align"};
  assert_string_equal(nearest_match("front.windw", words, 4), "front.window");
  assert_string_equal(nearest_match("fornt.turn", words, 4), "front.turn");
  assert_string_equal(nearest_match("memory.alingment", words, 4), "memory.align");
  assert_null(nearest_match("dram.banks", words, 4));
  assert_null(nearest_match("", words, 4));
  char longest[200];
  memset(longest, 'x', 199);
  longest[199] = 0;
  assert_null(nearest_match(longest, words, 4));
}

static void an_arena_gives_zeroed_aligned_memory_of_any_size(void **state) {
  (void)state;
  struct arena a = {0};
  for (size_t n = 0; n < 3000000; n = n * 2 + 1) {
    unsigned char *p = arena_alloc(&a, n);
    assert_int_equal((uintptr_t)p % 16, 0);
    for (size_t i = 0; i < n; i += 97) {
      assert_int_equal(p[i], 0);
      p[i] = 0xff;
    }
  }
  assert_string_equal(arena_strndup(&a, "abcdef", 3), "abc");
  arena_free(&a);
  assert_null(a.head);
}

static void check_u64(const char *text, enum num_result r, uint64_t want) {
  uint64_t v = 0;
  if (num_u64(text, &v) != r || (r == NUM_OK && v != want))
    fail_msg("num_u64(\"%s\") went wrong: %llu", text, (unsigned long long)v);
}

static void whole_numbers_take_suffixes_exponents_and_hexadecimal(void **state) {
  (void)state;
  check_u64("0", NUM_OK, 0);
  check_u64("18446744073709551615", NUM_OK, UINT64_MAX);
  check_u64("18446744073709551616", NUM_RANGE, 0);
  check_u64("0xffffffffffffffff", NUM_OK, UINT64_MAX);
  check_u64("0x1ffffffffffffffff", NUM_RANGE, 0);
  check_u64("4k", NUM_OK, 4000);
  check_u64("4Ki", NUM_OK, 4096);
  check_u64("64KiB", NUM_OK, 65536);
  check_u64("3MB", NUM_OK, 3000000);
  check_u64("2GiB", NUM_OK, UINT64_C(2) << 30);
  check_u64("16TiB", NUM_OK, UINT64_C(16) << 40);
  check_u64("1e9", NUM_OK, 1000000000);
  check_u64("0e99", NUM_OK, 0);
  check_u64("1e20", NUM_RANGE, 0);
  check_u64("99999999T", NUM_RANGE, 0);
  static const char *const wrong[] = {"",   " 1",  "1 ",  "-1",  "4K", "4KB", "1.5", "0x",   "0xg",
                                      "1e", "1kk", "1iB", "kiB", "B",  "1B",  "1ki", "1e3k", "+"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    check_u64(wrong[i], NUM_SYNTAX, 0);
  int64_t v;
  assert_int_equal(num_i64("-9223372036854775808", &v), NUM_OK);
  assert_true(v == INT64_MIN);
  assert_int_equal(num_i64("-9223372036854775809", &v), NUM_RANGE);
  assert_int_equal(num_i64("9223372036854775808", &v), NUM_RANGE);
  assert_int_equal(num_i64("--1", &v), NUM_SYNTAX);
  assert_int_equal(num_i64("-+1", &v), NUM_SYNTAX);
}

static void printed_doubles_read_back_as_the_same_value_and_are_short(void **state) {
  (void)state;
  char buf[NUM_F64_MAX];
  assert_string_equal(num_print_f64(buf, 0.1), "0.1");
  assert_string_equal(num_print_f64(buf, 1), "1");
  assert_string_equal(num_print_f64(buf, -2.5e-300), "-2.5e-300");
  assert_string_equal(num_print_f64(buf, -INFINITY), "-inf");
  uint64_t seed = 1;
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = rng_splitmix(&seed);
    double v, back;
    memcpy(&v, &bits, 8);
    if (!isfinite(v))
      continue;
    assert_int_equal(num_f64(num_print_f64(buf, v), &back), NUM_OK);
    assert_memory_equal(&v, &back, 8);
  }
}

static void numbers_ignore_the_locale(void **state) {
  (void)state;
  char buf[NUM_F64_MAX];
  double v;
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "de_DE.utf8"))
    skip(); /* not installed here */
  num_print_f64(buf, 1.5);
  enum num_result r = num_f64("1.5", &v), comma = num_f64("1,5", &v);
  setlocale(LC_ALL, "C");
  assert_string_equal(buf, "1.5");
  assert_int_equal(r, NUM_OK);
  assert_int_equal(comma, NUM_SYNTAX);
}

static void json_escapes_and_nests(void **state) {
  (void)state;
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_str(&j, "a\"b", "x\\y\n\x01 \xc3\xa9 \xff");
  json_f64(&j, "nan", NAN);
  json_open(&j, "list", '[');
  json_u64(&j, NULL, UINT64_MAX);
  json_i64(&j, NULL, INT64_MIN);
  json_close(&j);
  json_open(&j, "none", '[');
  json_close(&j);
  json_bool(&j, "t", true);
  json_close(&j);
  assert_string_equal(j.out.s, "{\n"
                               "  \"a\\\"b\": \"x\\\\y\\n\\u0001 \xc3\xa9 \\ufffd\",\n"
                               "  \"nan\": null,\n"
                               "  \"list\": [\n"
                               "    18446744073709551615,\n"
                               "    -9223372036854775808\n"
                               "  ],\n"
                               "  \"none\": [],\n"
                               "  \"t\": true\n"
                               "}\n");
  strbuf_free(&j.out);
}

static void a_file_is_replaced_whole_or_left_alone(void **state) {
  (void)state;
  char dir[] = "/tmp/sluice-test-XXXXXX", path[64], missing[64];
  assert_non_null(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/out", dir);
  snprintf(missing, sizeof missing, "%s/no/out", dir);
  struct error e = {0};
  assert_true(file_write_atomic(path, "one", 3, &e));
  chmod(path, 0640);
  assert_true(file_write_atomic(path, "second", 6, &e));
  size_t n = 0;
  char *text = file_read(path, 100, &n, &e);
  assert_int_equal(n, 6);
  assert_string_equal(text, "second");
  free(text);
  struct stat st;
  stat(path, &st);
  assert_int_equal(st.st_mode & 0777, 0640);

  assert_false(file_write_atomic(missing, "x", 1, &e));
  assert_int_equal(e.code, EXIT_RUNTIME);
  assert_contains(e.text, missing);
  error_clear(&e);
  assert_false(file_write_atomic(dir, "x", 1, &e));
  error_clear(&e);
  assert_null(file_read(path, 5, &n, &e));
  assert_contains(e.text, "larger than the 5 bytes");
  error_clear(&e);
  if (access("/dev/full", W_OK) == 0) {
    assert_false(file_write_atomic("/dev/full", "x", 1, &e));
    assert_int_equal(e.code, EXIT_RUNTIME);
    error_clear(&e);
  }
  unlink(path);
  assert_int_equal(rmdir(dir), 0); /* no temporary is left */
}

static void folders_are_made_with_those_they_lie_in(void **state) {
  (void)state;
  char dir[] = "/tmp/sluice-test-XXXXXX", path[64];
  assert_non_null(mkdtemp(dir));
  struct error e = {0};
  snprintf(path, sizeof path, "%s/a//b/c/", dir);
  assert_true(file_make_folder(path, &e));
  assert_true(file_make_folder(path, &e)); /* they are there */
  assert_int_equal(access(path, X_OK), 0);
  assert_false(file_make_folder("", &e));
  error_clear(&e);
  snprintf(path, sizeof path, "%s/a/file", dir);
  assert_true(file_write_atomic(path, "x", 1, &e));
  char below[80];
  snprintf(below, sizeof below, "%s/b", path);
  assert_false(file_make_folder(below, &e));
  assert_int_equal(e.code, EXIT_RUNTIME);
  assert_contains(e.text, below);
  error_clear(&e);
  unlink(path);
  const char *const made[] = {"/a/b/c", "/a/b", "/a", ""};
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s%s", dir, made[i]);
    assert_int_equal(rmdir(path), 0);
  }
}

static void random_numbers_are_the_published_sequences(void **state) {
  (void)state;
  /* splitmix64 from seed 1234567: check values in common circulation */
  uint64_t s = 1234567;
  assert_true(rng_splitmix(&s) == UINT64_C(6457827717110365317));
  assert_true(rng_splitmix(&s) == UINT64_C(3203168211198807973));
  assert_true(rng_splitmix(&s) == UINT64_C(9817491932198370423));
  uint64_t count[7] = {0};
  for (int i = 0; i < 70000; i++)
    count[rng_below(&s, 7)]++;
  for (int i = 0; i < 7; i++)
    assert_in_range(count[i], 9500, 10500);
  for (int i = 0; i < 1000; i++) {
    double u = rng_unit(&s);
    assert_true(u >= 0 && u < 1);
  }
}

static void a_hash_depends_on_every_byte_and_on_the_length(void **state) {
  (void)state;
  unsigned char text[33] = {0};
  uint64_t zero = hash_bytes(text, 33, 0);
  assert_true(zero != hash_bytes(text, 32, 0));
  assert_true(zero != hash_bytes(text, 33, 1));
  for (int i = 0; i < 33; i++) {
    text[i] = 1;
    assert_true(zero != hash_bytes(text, 33, 0));
    text[i] = 0;
  }
}

/* A queue of numbers 0, 1, 2 …: what comes out is what went in, in order, however often the ring is full and doubled. */
static void a_ring_keeps_its_order_when_it_grows(void **state) {
  (void)state;
  assert_int_equal(ring_mask(1), 0);
  assert_int_equal(ring_mask(5), 7);
  assert_int_equal(ring_mask(8), 7);
  struct ring r = {.mask = ring_mask(2)};
  uint32_t *item = xmalloc(2 * sizeof *item), in = 0, out = 0;
  for (int round = 0; round < 200; round++) {
    for (int k = 0; k < 5; k++) {
      if (ring_full(&r))
        item = ring_double(item, sizeof *item, r.head, &r.mask);
      item[ring_add(&r)] = in++;
    }
    assert_int_equal(item[ring_at(&r, r.count - 1)], in - 1);
    for (int k = 0; k < 4; k++) {
      assert_int_equal(item[ring_at(&r, 0)], out++);
      ring_drop(&r);
    }
  }
  assert_int_equal(r.count, in - out);
  assert_int_equal(r.mask, 255); /* 204 numbers at most */
  free(item);
}

/* The sieve of Eratosthenes: 168 primes below 1000 (and 97 is the 25th). */
static void a_set_of_bits_is_a_set(void **state) {
  (void)state;
  uint64_t set[16] = {0};
  for (uint64_t i = 2; i < 1000; i++)
    bits_add(set, i);
  for (uint64_t i = 2; i < 32; i++)
    for (uint64_t k = 2 * i; bits_have(set, i) && k < 1000; k += i)
      bits_remove(set, k);
  uint32_t n = 0, below = 0;
  for (int i = 0; i < 16; i++)
    n += count_bits(set[i]);
  for (uint64_t i = 0; i <= 97; i++)
    below += bits_have(set, i);
  assert_int_equal(n, 168);
  assert_int_equal(below, 25);
  assert_true(bit64(63) == UINT64_MAX - INT64_MAX);
}

static void the_lesser_of_two_times_is_sooner(void **state) {
  (void)state;
  uint64_t next = UINT64_MAX;
  sooner(&next, 7);
  sooner(&next, 9);
  assert_int_equal(next, 7);
  assert_int_equal(min64(3, 4) + max64(3, 4), 7);
  double before = clock_seconds(CLOCK_MONOTONIC);
  usleep(2000);
  assert_true(clock_seconds(CLOCK_MONOTONIC) - before >= 0.002);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ring_keeps_its_order_when_it_grows),
      cmocka_unit_test(a_set_of_bits_is_a_set),
      cmocka_unit_test(the_lesser_of_two_times_is_sooner),
      cmocka_unit_test(errors_collect_lines_and_keep_the_first_code),
      cmocka_unit_test(the_nearest_word_is_suggested_only_when_it_is_near),
      cmocka_unit_test(an_arena_gives_zeroed_aligned_memory_of_any_size),
      cmocka_unit_test(whole_numbers_take_suffixes_exponents_and_hexadecimal),
      cmocka_unit_test(printed_doubles_read_back_as_the_same_value_and_are_short),
      cmocka_unit_test(numbers_ignore_the_locale),
      cmocka_unit_test(json_escapes_and_nests),
      cmocka_unit_test(a_file_is_replaced_whole_or_left_alone),
      cmocka_unit_test(folders_are_made_with_those_they_lie_in),
      cmocka_unit_test(random_numbers_are_the_published_sequences),
      cmocka_unit_test(a_hash_depends_on_every_byte_and_on_the_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
