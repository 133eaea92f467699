/* Which lane each unit is of. */
#include "gpu/partitioner.h"
#include "check.h"

static uint32_t count(const struct deal *d, enum deal_kind kind, unsigned lane) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n[kind]; i++)
    n += d->lane[kind][i] == lane;
  return n;
}

/* 16 lanes of a V100: five SMs, two channels and a part of one crossbar each; neighbours are apart. */
static void lanes_have_the_same_of_each_kind(void **state) {
  (void)state;
  struct deal d = {.n = {8, 8, 32, 80}};
  deal_init(&d, 16);
  for (unsigned lane = 0; lane < 16; lane++) {
    assert_int_equal(count(&d, DEAL_REQUEST, lane) + count(&d, DEAL_RESPONSE, lane), 1);
    assert_int_equal(count(&d, DEAL_CHANNEL, lane), 2);
    assert_int_equal(count(&d, DEAL_LINK, lane), 5);
  }
  for (uint32_t i = 1; i < 80; i++)
    assert_int_not_equal(d.lane[DEAL_LINK][i], d.lane[DEAL_LINK][i - 1]);
  deal_destroy(&d);
}

/* Two lanes of a GTX480: a crossbar and half of the channels each; of 15 SMs one has eight. */
static void two_lanes_have_a_crossbar_each(void **state) {
  (void)state;
  struct deal d = {.n = {1, 1, 6, 15}};
  deal_init(&d, 2);
  assert_int_not_equal(d.lane[DEAL_REQUEST][0], d.lane[DEAL_RESPONSE][0]);
  assert_int_equal(count(&d, DEAL_CHANNEL, 0), 3);
  assert_in_range(count(&d, DEAL_LINK, 0), 7, 8);
  for (uint32_t i = 0; i < 6; i++)
    assert_int_equal(d.lane[DEAL_CHANNEL][i], i / 3);
  deal_destroy(&d);
}

/* What cannot be divided is left alone: the lane of a whole memory, or a whole crossbar, has fewer SMs than others. */
static void who_has_much_gets_less(void **state) {
  (void)state;
  struct deal d = {.n = {1, 1, 32, 80}, .one_memory = true};
  deal_init(&d, 8);
  for (uint32_t i = 0; i < 32; i++)
    assert_int_equal(d.lane[DEAL_CHANNEL][i], 0);
  assert_int_equal(count(&d, DEAL_LINK, 0), 0);
  unsigned request = d.lane[DEAL_REQUEST][0], response = d.lane[DEAL_RESPONSE][0];
  assert_int_not_equal(request, 0);
  assert_int_not_equal(request, response);
  for (unsigned lane = 1; lane < 8; lane++)
    if (lane != request && lane != response)
      assert_true(count(&d, DEAL_LINK, lane) > count(&d, DEAL_LINK, request));
  deal_destroy(&d);
}

/* Lanes without a unit are possible; with one lane, everything is in it. */
static void any_number_of_lanes(void **state) {
  (void)state;
  static const unsigned lanes[] = {1, 3, 64, 255};
  for (size_t k = 0; k < sizeof lanes / sizeof *lanes; k++) {
    struct deal d = {.n = {2, 2, 4, 4}};
    deal_init(&d, lanes[k]);
    for (unsigned kind = 0; kind < DEAL_KINDS; kind++)
      for (uint32_t i = 0; i < d.n[kind]; i++)
        assert_true(d.lane[kind][i] < lanes[k]);
    deal_destroy(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_have_the_same_of_each_kind),
      cmocka_unit_test(two_lanes_have_a_crossbar_each),
      cmocka_unit_test(who_has_much_gets_less),
      cmocka_unit_test(any_number_of_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
