/* Requests followed one by one: what is answered twice, and what passes another that it must not pass. */
#include "mem/checker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct mem_request request(struct checker *sm, enum mem_kind kind, uint64_t line) {
  return (struct mem_request){.line = line, .kind = (uint8_t)kind, .number = checker_number(sm), .born = 10};
}

static void an_answer_comes_once(void **state) {
  (void)state;
  struct checker *sm = checker_new();
  struct mem_request a = request(sm, MEM_READ, 0), b = request(sm, MEM_WRITE, 0);
  checker_answered(sm, &b, 15);
  checker_answered(sm, &a, 50);
  assert_null(checker_violation(sm));
  assert_int_equal(checker_longest(sm), 40);
  checker_answered(sm, &a, 51);
  assert_non_null(checker_violation(sm));
  checker_free(sm);
}

/* In the order first, second: does looking up the second first violate an invariant? */
static bool may_swap(enum mem_kind first, enum mem_kind second, uint64_t line, bool arrived_so) {
  struct checker *sm = checker_new(), *slice = checker_new();
  struct mem_request a = request(sm, first, 128), b = request(sm, second, line);
  uint32_t one = checker_number(slice), two = checker_number(slice);
  checker_served(slice, &b, arrived_so ? one : two);
  checker_served(slice, &a, arrived_so ? two : one);
  bool may = !checker_violation(slice);
  checker_free(sm);
  checker_free(slice);
  return may;
}

static void changes_of_a_line_keep_their_place(void **state) {
  (void)state;
  assert_false(may_swap(MEM_WRITE, MEM_READ, 128, true));
  assert_false(may_swap(MEM_READ, MEM_WRITE, 128, true));
  assert_false(may_swap(MEM_WRITE, MEM_WRITE, 128, true));
  assert_false(may_swap(MEM_ATOMIC, MEM_READ, 128, true));
  assert_true(may_swap(MEM_READ, MEM_READ, 128, true));   /* on the way, nobody sees it */
  assert_false(may_swap(MEM_READ, MEM_READ, 128, false)); /* a slice's order must not */
  assert_true(may_swap(MEM_WRITE, MEM_READ, 256, false)); /* another line */
}

static void sms_are_apart(void **state) {
  (void)state;
  struct checker *slice = checker_new();
  struct mem_request a = {.line = 128, .kind = MEM_WRITE, .sm = 1, .number = 7}, b = a;
  b.sm = 2, b.number = 3;
  checker_served(slice, &a, 1);
  checker_served(slice, &b, 2);
  assert_null(checker_violation(slice));
  for (uint32_t i = 0; i < 1000; i++) { /* more than a small table holds */
    a.line = 256 + 128 * i;
    checker_served(slice, &a, 3 + i);
  }
  a.line = 128, a.number = 6;
  checker_served(slice, &a, 2000);
  assert_non_null(checker_violation(slice));
  checker_free(slice);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_answer_comes_once),
      cmocka_unit_test(changes_of_a_line_keep_their_place),
      cmocka_unit_test(sms_are_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
