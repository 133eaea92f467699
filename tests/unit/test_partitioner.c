/* Which shard each unit is of. */
#include "gpu/partitioner.h"
#include "check.h"

static uint32_t count(const struct partitioner *d, enum partitioner_kind kind, unsigned shard) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n[kind]; i++)
    n += d->shard[kind][i] == shard;
  return n;
}

/* 16 shards of a V100: five SMs, two channels and a part of one crossbar each; neighbours are apart. */
static void lanes_have_the_same_of_each_kind(void **state) {
  (void)state;
  struct partitioner d = {.n = {8, 8, 32, 80}};
  partitioner_init(&d, 16);
  for (unsigned shard = 0; shard < 16; shard++) {
    assert_int_equal(count(&d, PARTITIONER_REQUEST, shard) + count(&d, PARTITIONER_RESPONSE, shard), 1);
    assert_int_equal(count(&d, PARTITIONER_CHANNEL, shard), 2);
    assert_int_equal(count(&d, PARTITIONER_LINK, shard), 5);
  }
  for (uint32_t i = 1; i < 80; i++)
    assert_int_not_equal(d.shard[PARTITIONER_LINK][i], d.shard[PARTITIONER_LINK][i - 1]);
  partitioner_destroy(&d);
}

/* Two shards of a GTX480: a crossbar and half of the channels each; of 15 SMs one has eight. */
static void two_lanes_have_a_crossbar_each(void **state) {
  (void)state;
  struct partitioner d = {.n = {1, 1, 6, 15}};
  partitioner_init(&d, 2);
  assert_int_not_equal(d.shard[PARTITIONER_REQUEST][0], d.shard[PARTITIONER_RESPONSE][0]);
  assert_int_equal(count(&d, PARTITIONER_CHANNEL, 0), 3);
  assert_in_range(count(&d, PARTITIONER_LINK, 0), 7, 8);
  for (uint32_t i = 0; i < 6; i++)
    assert_int_equal(d.shard[PARTITIONER_CHANNEL][i], i / 3);
  partitioner_destroy(&d);
}

/* What cannot be divided is left alone: the shard of a whole memory, or a whole crossbar, has fewer SMs than others. */
static void who_has_much_gets_less(void **state) {
  (void)state;
  struct partitioner d = {.n = {1, 1, 32, 80}, .one_memory = true};
  partitioner_init(&d, 8);
  for (uint32_t i = 0; i < 32; i++)
    assert_int_equal(d.shard[PARTITIONER_CHANNEL][i], 0);
  assert_int_equal(count(&d, PARTITIONER_LINK, 0), 0);
  unsigned request = d.shard[PARTITIONER_REQUEST][0], response = d.shard[PARTITIONER_RESPONSE][0];
  assert_int_not_equal(request, 0);
  assert_int_not_equal(request, response);
  for (unsigned shard = 1; shard < 8; shard++)
    if (shard != request && shard != response)
      assert_true(count(&d, PARTITIONER_LINK, shard) > count(&d, PARTITIONER_LINK, request));
  partitioner_destroy(&d);
}

/* Lanes without a unit are possible; with one shard, everything is in it. */
static void any_number_of_shards(void **state) {
  (void)state;
  static const unsigned shards[] = {1, 3, 64, 255};
  for (size_t k = 0; k < sizeof shards / sizeof *shards; k++) {
    struct partitioner d = {.n = {2, 2, 4, 4}};
    partitioner_init(&d, shards[k]);
    for (unsigned kind = 0; kind < PARTITIONER_KINDS; kind++)
      for (uint32_t i = 0; i < d.n[kind]; i++)
        assert_true(d.shard[kind][i] < shards[k]);
    partitioner_destroy(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_have_the_same_of_each_kind),
      cmocka_unit_test(two_lanes_have_a_crossbar_each),
      cmocka_unit_test(who_has_much_gets_less),
      cmocka_unit_test(any_number_of_shards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
