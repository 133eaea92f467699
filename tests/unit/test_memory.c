/* Memory behind the L2: a fixed latency, controllers side by side, channels in lock step; where lines lie. By arithmetic. */
#include "check.h"
#include "gpu/config.h"
#include "dram/fixed.h"
#include "dram/memory.h"
#include <stdlib.h>

static void answers_come_after_the_latency(void **state) {
  (void)state;
  struct fixed *f = fixed_new(1, 128, 1, 110, 80, 64);
  struct dram_completion d;
  struct dram_request read = {.tag = 1}, write = {.tag = 2, .write = true};
  assert_false(fixed_advance(f, 10));
  assert_true(fixed_push(f, &read));
  assert_false(fixed_push(f, &write)); /* one per cycle */
  assert_int_equal(fixed_ready(f, 0), 11);
  fixed_advance(f, 11);
  assert_true(fixed_push(f, &write));
  assert_int_equal(fixed_next(f), 91); /* the write was later, and is faster */
  assert_false(fixed_advance(f, 90));
  assert_true(fixed_advance(f, 91));
  assert_false(fixed_answer(f, &d)); /* the only one */
  assert_true(d.write && d.tag == 2 && d.latency == 80);
  assert_int_equal(fixed_next(f), 120);
  assert_true(fixed_advance(f, 500)); /* however late it is asked for */
  assert_false(fixed_answer(f, &d));
  assert_true(!d.write && d.tag == 1 && d.done == 120 && d.latency == 110);
  assert_int_equal(fixed_next(f), DRAM_NEVER);
  fixed_free(f);
}

/* n requests to k controllers, each taking one per interval: the last is answered after (n / k - 1) intervals and the
 * latency. */
static void the_interval_bounds_the_bandwidth(void **state) {
  (void)state;
  for (uint32_t controllers = 1; controllers <= 4; controllers *= 2)
    for (uint32_t interval = 1; interval <= 7; interval += 3) {
      struct fixed *f = fixed_new(controllers, 128, interval, 50, 50, 64);
      struct dram_completion d;
      uint32_t sent = 0, got = 0;
      uint64_t last = 0;
      for (uint64_t now = 0; got < 1000; now++) {
        for (bool more = fixed_advance(f, now); more; got++) {
          more = fixed_answer(f, &d);
          assert_int_equal(d.tag, got); /* in order */
          last = now;
        }
        for (uint32_t c = 0; c < controllers && sent < 1000; c++)
          sent += fixed_push(f, &(struct dram_request){.address = c * 128, .tag = sent});
      }
      assert_int_equal(last, (1000 / controllers - 1) * interval + 50);
      struct dram_counters n;
      n = *fixed_counters(f);
      assert_int_equal(n.bytes, 64000);
      assert_int_equal(n.bus_cycles, 1000 * interval);
      assert_int_equal(n.read_requests, 1000);
      assert_int_equal(n.read_latency, 50000);
      fixed_free(f);
    }
}

static struct memory_config config(void) {
  struct memory_config k = {.device = "gddr5-gtx480",
                            .mapping = "collow",
                            .timing = "",
                            .controller = "frfcfs-64",
                            .mhz = 924,
                            .controllers = 1,
                            .lockstep = 1,
                            .sector_bytes = 64};
  return k;
}

/* Cycles until `n` reads of consecutive blocks are answered, as fast as they are taken. */
static uint64_t stream(const struct memory_config *k, uint64_t bytes, uint32_t n, uint64_t *transaction) {
  struct memory m;
  struct error err = {0};
  assert_true(memory_init(&m, k, NULL, false, &err));
  struct dram_completion d;
  uint64_t now = 0, sent = 0, got = 0;
  for (; got < n; now++) {
    for (bool more = dram_advance(m.dram, now); more; got++)
      more = dram_answer(m.dram, &d);
    while (sent < n && dram_push(m.dram, &(struct dram_request){.address = sent * bytes, .tag = sent}))
      sent++;
  }
  *transaction = m.transaction;
  memory_destroy(&m);
  return now;
}

/* Twice the channels in lock step move twice the bytes with a command; a single read takes as long as before. */
static void lock_step_doubles_the_width(void **state) {
  (void)state;
  struct memory_config k = config();
  uint64_t one, two, four, single = stream(&k, 64, 1, &one);
  uint64_t alone = stream(&k, 64, 4096, &one);
  k.lockstep = 2;
  assert_int_equal(stream(&k, 128, 1, &two), single);
  uint64_t pair = stream(&k, 128, 4096, &two);
  k.lockstep = 4;
  assert_int_equal(stream(&k, 256, 1, &four), single);
  assert_int_equal(one, 64);
  assert_int_equal(two, 128);
  assert_int_equal(four, 256);
  assert_int_equal(pair, alone); /* the same commands, each of twice the bytes */
}

/* Two controllers answer two streams in the time that one takes for one; a single read takes as long. */
static void controllers_work_side_by_side(void **state) {
  (void)state;
  struct memory_config k = config();
  uint64_t t, single = stream(&k, 64, 1, &t), alone = stream(&k, 64, 2048, &t),
              both = stream(&k, 64, 4096, &t);
  k.controllers = 2;
  assert_int_equal(stream(&k, 64, 1, &t), single);
  uint64_t pair = stream(&k, 64, 4096, &t); /* blocks in turn */
  assert_int_equal(t, 64);
  assert_int_equal(pair, alone);
  assert_true(both > alone * 9 / 5);
}

static uint32_t number_of(const struct addr_stage *s, uint64_t a) {
  uint64_t rest;
  return addr_stage_split(s, a, &rest);
}

static uint64_t rest_of(const struct addr_stage *s, uint64_t a) {
  uint64_t rest;
  addr_stage_split(s, a, &rest);
  return rest;
}

/* 256 bytes to each of four places: lines of 64 in groups of four, and nothing is lost. */
static void lines_go_to_the_places_in_turn(void **state) {
  (void)state;
  struct addr_stage s;
  struct error err = {0};
  assert_true(addr_stage_init(&s, 4, 256, "", 64, "l2.interleave", &err));
  for (uint64_t a = 0; a < 16384; a += 64) {
    assert_int_equal(number_of(&s, a), a / 256 % 4);
    assert_int_equal(rest_of(&s, a), a / 1024 * 256 + a % 256);
    assert_int_equal(addr_stage_join(&s, number_of(&s, a), rest_of(&s, a)), a);
  }
  assert_false(addr_stage_init(&s, 4, 32, "", 64, "l2.interleave", &err));
  error_clear(&err);
}

/* Counts that are no power of two, from the lowest addresses to the highest: where a turn begins, and just before. */
static void any_number_of_places_takes_turns(void **state) {
  (void)state;
  struct addr_stage s;
  struct error err = {0};
  for (uint32_t n = 3; n < 200; n += n < 16 ? 2 : 37) {
    assert_true(addr_stage_init(&s, n, 256, "", 64, "l2.interleave", &err));
    for (uint64_t turn = 1; turn < UINT64_MAX / 256 / n; turn = turn * 3 + 1) {
      uint64_t first = turn * n * 256, last = first - 256;
      assert_int_equal(number_of(&s, first), 0);
      assert_int_equal(rest_of(&s, first), turn * 256);
      assert_int_equal(number_of(&s, last), n - 1);
      assert_int_equal(rest_of(&s, last + 64), turn * 256 - 256 + 64);
    }
  }
}

/* Every turn of 188 blocks goes to 188 places, and comes back from them; 132 CTAs that are four blocks apart meet most places, where
 * they would meet 47 in turn. */
static void hashed_places_lose_nothing_and_spread_strides(void **state) {
  (void)state;
  struct addr_stage s;
  struct error err = {0};
  assert_true(addr_stage_init(&s, 188, 256, "hashed", 64, "l2.channel_bits", &err));
  for (uint64_t turn = 0; turn < 1000; turn += 37) {
    bool met[188] = {0};
    for (uint64_t i = 0; i < 188; i++) {
      uint64_t a = (turn * 188 + i) * 256 + 64;
      uint32_t n = number_of(&s, a);
      assert_true(n < 188 && !met[n]);
      met[n] = true;
      assert_int_equal(addr_stage_join(&s, n, rest_of(&s, a)), a);
    }
  }
  bool met[188] = {0};
  unsigned places = 0;
  for (uint64_t cta = 0; cta < 132; cta++) {
    uint32_t n = number_of(&s, cta * 1024);
    places += !met[n];
    met[n] = true;
  }
  assert_true(places > 80);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hashed_places_lose_nothing_and_spread_strides),
      cmocka_unit_test(answers_come_after_the_latency),
      cmocka_unit_test(the_interval_bounds_the_bandwidth),
      cmocka_unit_test(lock_step_doubles_the_width),
      cmocka_unit_test(controllers_work_side_by_side),
      cmocka_unit_test(lines_go_to_the_places_in_turn),
      cmocka_unit_test(any_number_of_places_takes_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
