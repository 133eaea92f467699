/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include "front/devmem.h"
#include <stdio.h>
#include <string.h>

static struct devmem *fresh(void) {
  return devmem_create(NULL);
}

static void a_buffer_is_found_by_every_address_in_it_and_no_other(void **state) {
  (void)state;
  struct devmem *m = fresh();
  struct error e = {0};
  uint64_t a[50];
  for (int i = 0; i < 50; i++)
    a[i] = devmem_alloc(m, 100 + (uint64_t)i, "b", &e);
  for (int i = 0; i < 50; i++) {
    uint64_t size = 100 + (uint64_t)i;
    assert_int_equal(devmem_find(m, a[i])->addr, a[i]);
    assert_int_equal(devmem_find(m, a[i] + size - 1)->addr, a[i]);
    assert_null(devmem_find(m, a[i] + size));
    assert_null(devmem_find(m, a[i] - 1));
  }
  assert_null(devmem_find(m, 0));
  assert_null(devmem_find(m, UINT64_MAX));
  assert_int_equal(devmem_count(m), 50);
  assert_int_equal(devmem_bytes(m), 50 * 100 + 49 * 25);
  assert_int_equal(devmem_at(m, 49)->addr, a[49]);
  assert_null(devmem_at(m, 50));
  devmem_destroy(m);
}

static void addresses_are_aligned_guarded_and_repeatable(void **state) {
  (void)state;
  struct devmem *m = fresh(), *k = fresh();
  struct error e = {0};
  uint64_t end = 0;
  const uint64_t sizes[] = {1, 512, 513, 1 << 20, 5, 3 << 20, 0, 7};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint64_t a = devmem_alloc(m, sizes[i], "x", &e);
    assert_int_equal(a, devmem_alloc(k, sizes[i], "x", &e));
    assert_int_equal(a % 512, 0);
    if (sizes[i] >= 1 << 20)
      assert_int_equal(a % (2 << 20), 0);
    assert_true(a >= DEVMEM_BASE && (!end || a >= end + 256));
    end = a + sizes[i];
  }
  devmem_destroy(m);
  devmem_destroy(k);
}

static void memory_starts_as_zero_and_reads_back_what_was_written(void **state) {
  (void)state;
  struct devmem *m = fresh();
  struct error e = {0};
  const uint64_t sizes[] = {64, 1 << 20};
  for (int i = 0; i < 2; i++) {
    uint64_t a = devmem_alloc(m, sizes[i], "x", &e), v = 1;
    assert_true(devmem_read(m, a + sizes[i] - 8, &v, 8));
    assert_int_equal(v, 0);
    v = 42;
    assert_true(devmem_write(m, a + sizes[i] - 8, &v, 8));
    v = 0;
    assert_true(devmem_read(m, a + sizes[i] - 8, &v, 8));
    assert_int_equal(v, 42);
    assert_false(devmem_read(m, a + sizes[i] - 7, &v, 8));
    assert_false(devmem_write(m, a + sizes[i] - 4, &v, 8));
    assert_false(devmem_read(m, a, &v, UINT64_MAX));
  }
  devmem_destroy(m);
}

static void untouched_pages_cost_nothing(void **state) {
  (void)state;
  struct devmem *m = fresh();
  struct error e = {0};
  uint64_t a = devmem_alloc(m, UINT64_C(1) << 38, "huge", &e);
  assert_true(a != 0);
  assert_true(devmem_write(m, a + (UINT64_C(1) << 37), "x", 1));
  devmem_destroy(m);
}

static void freed_addresses_are_remembered_and_not_reused(void **state) {
  (void)state;
  struct devmem *m = fresh();
  struct error e = {0};
  char text[200];
  uint64_t a = devmem_alloc(m, 64, "old", &e), g = devmem_generation(m);
  assert_false(devmem_free(m, a + 1));
  assert_true(devmem_free(m, a));
  assert_false(devmem_free(m, a));
  assert_true(devmem_generation(m) != g);
  assert_null(devmem_find(m, a));
  assert_int_equal(devmem_bytes(m), 0);
  assert_true(devmem_alloc(m, 64, "new", &e) > a);
  devmem_describe(m, a + 8, text, sizeof text);
  assert_string_equal(text, "8 bytes inside 'old' (0x700000000000, 64 bytes), freed");
  /* the number of tombstones is bounded: the oldest is forgotten first */
  for (int i = 0; i < 1100; i++)
    assert_true(devmem_free(m, devmem_alloc(m, 8, "churn", &e)));
  devmem_describe(m, a + 8, text, sizeof text);
  assert_null(strstr(text, "old"));
  devmem_destroy(m);
}

static void an_address_outside_is_described_by_the_nearest_buffer(void **state) {
  (void)state;
  struct devmem *m = fresh();
  struct error e = {0};
  char text[200];
  devmem_describe(m, 5, text, sizeof text);
  assert_string_equal(text, "no buffer was ever allocated");
  uint64_t a = devmem_alloc(m, 4096, "out", &e);
  devmem_alloc(m, 4096, "next", &e);
  devmem_describe(m, a + 4096 + 16, text, sizeof text);
  assert_string_equal(text, "16 bytes after the end of 'out' (0x700000000000, 4096 bytes)");
  devmem_describe(m, a + 4096, text, sizeof text);
  assert_string_equal(text, "right at the end of 'out' (0x700000000000, 4096 bytes)");
  devmem_describe(m, a - 4, text, sizeof text);
  assert_string_equal(text, "4 bytes before the start of 'out' (0x700000000000, 4096 bytes)");
  devmem_describe(m, a + 4096 + 500, text, sizeof text);
  assert_non_null(strstr(text, "12 bytes before the start of 'next'"));
  devmem_describe(m, 0, text, sizeof text);
  assert_non_null(strstr(text, "close to null"));
  devmem_describe(m, a + 4, text, 12); /* cut, never overrun */
  assert_int_equal(strlen(text), 11);
  devmem_destroy(m);
}

static void a_fixed_address_is_kept_or_refused(void **state) {
  (void)state;
  struct devmem *m = fresh();
  struct error e = {0};
  assert_true(devmem_alloc_at(m, DEVMEM_BASE + 1027, 100, "fix", &e));
  assert_int_equal((uintptr_t)devmem_find(m, DEVMEM_BASE + 1027)->host % 64, (DEVMEM_BASE + 1027) % 64);
  assert_int_equal(devmem_alloc(m, 256, "a", &e), DEVMEM_BASE); /* before it, with the guard between */
  uint64_t b = devmem_alloc(m, 600, "b", &e);                   /* no room before it: after it */
  assert_true(b >= DEVMEM_BASE + 1127 + 256);
  assert_false(devmem_alloc_at(m, DEVMEM_BASE + 1000, 28, "x", &e));
  assert_int_equal(e.code, EXIT_USAGE);
  assert_non_null(strstr(e.text, "overlaps 'fix'"));
  assert_true(devmem_alloc_at(m, DEVMEM_BASE + 1000, 27, "x", &e));
  assert_false(devmem_alloc_at(m, DEVMEM_BASE - 1, 1, "x", &e));
  assert_false(devmem_alloc_at(m, DEVMEM_LIMIT - 1, 2, "x", &e));
  assert_false(devmem_alloc_at(m, DEVMEM_BASE, UINT64_MAX, "x", &e));
  assert_false(devmem_alloc(m, UINT64_MAX, "x", &e));
  assert_false(devmem_alloc(m, DEVMEM_LIMIT, "x", &e));
  /* a fixed address may be taken again once free; automatic ones never go there */
  assert_true(devmem_free(m, DEVMEM_BASE + 1027));
  assert_true(devmem_alloc_at(m, DEVMEM_BASE + 1027, 8, "again", &e));
  error_clear(&e);
  devmem_destroy(m);
}

static void buffers_of_no_bytes_have_addresses_of_their_own(void **state) {
  (void)state;
  struct devmem *m = fresh();
  struct error e = {0};
  uint64_t a = devmem_alloc(m, 0, "a", &e), b = devmem_alloc(m, 0, "b", &e);
  assert_true(a && b && a != b);
  assert_null(devmem_find(m, a));
  assert_true(devmem_read(m, a, NULL, 0));
  assert_false(devmem_alloc_at(m, a, 4, "c", &e));
  assert_true(devmem_free(m, a));
  error_clear(&e);
  devmem_destroy(m);
}

static void read_only_is_a_mark_on_the_buffer(void **state) {
  (void)state;
  struct devmem *m = fresh();
  struct error e = {0};
  uint64_t a = devmem_alloc(m, 16, "c", &e);
  assert_true(devmem_set_read_only(m, a, true));
  assert_false(devmem_set_read_only(m, a + 1, true));
  assert_true(devmem_find(m, a + 3)->read_only);
  assert_true(devmem_write(m, a, "x", 1));
  devmem_destroy(m);
}

/* Pages of 2 MiB: two small buffers share one, a large buffer between them does not come between. */
static void small_buffers_share_a_page(void **state) {
  (void)state;
  struct devmem_options o = devmem_defaults();
  o.small_page = UINT64_C(2) << 20;
  struct devmem *m = devmem_create(&o);
  struct error e = {0};
  uint64_t a = devmem_alloc(m, 100, "a", &e), big = devmem_alloc(m, UINT64_C(4) << 20, "big", &e),
           b = devmem_alloc(m, 100, "b", &e);
  assert_int_equal(a / o.small_page, b / o.small_page);
  assert_true(big / o.small_page > a / o.small_page);
  devmem_begin_page(m);
  assert_true(devmem_alloc(m, 100, "c", &e) / o.small_page > big / o.small_page);
  devmem_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_buffer_is_found_by_every_address_in_it_and_no_other),
      cmocka_unit_test(addresses_are_aligned_guarded_and_repeatable),
      cmocka_unit_test(memory_starts_as_zero_and_reads_back_what_was_written),
      cmocka_unit_test(untouched_pages_cost_nothing),
      cmocka_unit_test(freed_addresses_are_remembered_and_not_reused),
      cmocka_unit_test(an_address_outside_is_described_by_the_nearest_buffer),
      cmocka_unit_test(a_fixed_address_is_kept_or_refused),
      cmocka_unit_test(buffers_of_no_bytes_have_addresses_of_their_own),
      cmocka_unit_test(read_only_is_a_mark_on_the_buffer),
      cmocka_unit_test(small_buffers_share_a_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
