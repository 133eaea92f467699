/* The way of requests into an L2 slice. */
#include "slice.h"

enum { START = 1000, APART = 10, ROP = 100, REQUESTS = 60 };

/* A request comes every 10 cycles and is due 100 cycles later. The first occupies the only miss register for good, the second is
 * refused before the tags, and the next three fill the incoming buffer when the third of them is due, at 40 + 100: those that came
 * before, at 0 to 130, are in the slice, the others in the network. */
static void nothing_comes_while_the_incoming_buffer_is_full(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b,
             "l2.mshrs=1 l2.merges=1 l2.rop_latency=100 l2.in=3 l2.in_sectors=false dram.fixed_latency=5000");
  for (uint32_t i = 0; i < REQUESTS; i++)
    bench_ask(&b, START + i * APART, 0, MEM_READ, i);
  bench_run(&b, START + REQUESTS * APART + 2 * ROP);
  assert_int_equal(b.p.slice->stats.requests, 14);
  bench_end(&b);
}

/* The buffer drains: all come and are answered, each as long after it was due as the ones before keep it waiting. */
static void what_waited_in_the_network_comes_when_there_is_room(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b, "l2.mshrs=1 l2.merges=1 l2.rop_latency=100 l2.in=3 dram.fixed_latency=500");
  for (uint32_t i = 0; i < REQUESTS; i++)
    bench_ask(&b, START + i * APART, 0, MEM_READ, i);
  bench_run(&b, START + REQUESTS * 600);
  assert_int_equal(b.answers, REQUESTS);
  for (uint32_t i = 1; i < REQUESTS; i++) /* one miss after the other: memory is never idle meanwhile */
    assert_in_range(b.answered[i] - b.answered[i - 1], 500, 502);
  bench_end(&b);
}

/* A store of a whole line needs nothing of it: it is answered at once, whether the line is being fetched or not. One of a part
 * waits for the rest. */
static void a_store_waits_for_what_it_does_not_write(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b, "l2.write_miss=fetch dram.fixed_latency=500");
  uint32_t load = bench_ask(&b, START, 0, MEM_READ, 1);
  uint32_t whole = bench_ask(&b, START + 100, 0, MEM_WRITE, 1);
  uint32_t part = bench_ask(&b, START + 200, 0, MEM_WRITE, 2);
  b.todo[part].r.bytes[0] = 15;
  bench_run(&b, START + 1000);
  assert_int_equal(b.answers, 3);
  assert_in_range(b.answered[load], START + 500, START + 505);
  assert_in_range(b.answered[whole], START + 100, START + 105);
  assert_in_range(b.answered[part], START + 700, START + 705);
  bench_end(&b);
}

static void take(struct bench *b, uint64_t at, uint32_t sm, uint64_t bytes) {
  uint32_t i = bench_ask(b, at, sm, MEM_ATOMIC, 1);
  b->todo[i].r.bytes[0] = bytes;
}

/* From the L2 to an SM and back: l2.latency, twice noc.latency, l2.rop_latency. A word that another warp took less than that
 * before was not given back in time. */
static void a_lock_takes_a_round_trip_to_change_hands(void **state) {
  (void)state;
  enum { TRIP = 3 + 2 * 20 + 100 };
  struct bench b;
  bench_init(&b, "l2.latency=3 noc.latency=20 l2.rop_latency=100");
  const struct l2_stats *n = &b.p.slice->stats;
  uint64_t t = START;
  bench_ask(&b, t, 0, MEM_READ, 1); /* the line is there */
  take(&b, t += 1000, 0, 15);
  take(&b, t += TRIP - 1, 1, 15); /* early */
  take(&b, t += TRIP, 2, 15);
  take(&b, t += 1, 2, 15);      /* the same warp again: it knows */
  take(&b, t += 1, 3, 15 << 4); /* another word */
  take(&b, t += 1, 3, 0);       /* a CAS that fails, or no CAS */
  take(&b, t += 1, 0, 15 << 4); /* early */
  bench_run(&b, t + 1000);
  assert_int_equal(n->atomics, 7);
  assert_int_equal(n->taken, 6);
  assert_int_equal(n->taken_early, 2);
  t += 1000;
  for (uint32_t i = 0; i < 100; i++) /* 50 places, each taken twice within a round trip */
    take(&b, t += 1, i, UINT64_C(1) << i % 50);
  bench_run(&b, t + 1000);
  assert_int_equal(n->taken, 106);
  assert_int_equal(n->taken_early, 2 + 50);
  bench_end(&b);
}

static uint32_t random_of(uint64_t *state, uint32_t n) {
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return (uint32_t)(*state % n);
}

/* Random requests in bursts, of lines that come again; answers leave through few slots, which come back late. */
static void random_traffic(struct bench *b, const char *settings, uint64_t seed, bool ahead) {
  enum { LINES = 200, BURST = 40, SLOTS = 12, BACK = 40 };
  bench_init(b, settings);
  port_destroy(&b->out);
  port_init(&b->out, SLOTS, sizeof(struct mem_request), 1, BACK * b->e.period[2]);
  b->e.horizon = ahead ? NEVER : 0;
  uint64_t at = START;
  for (uint32_t i = 0; i < 1000; i++) {
    at += i % BURST ? random_of(&seed, 4) : random_of(&seed, 600);
    uint32_t kind = random_of(&seed, 4);
    uint32_t k = bench_ask(b, at, random_of(&seed, 8), kind ? MEM_READ : MEM_WRITE, random_of(&seed, LINES));
    b->todo[k].r.sectors = (uint8_t)(1 + random_of(&seed, 3));
  }
  bench_run(b, at + 100000);
  assert_int_equal(b->answers, 1000);
}

/* A channel that runs ahead of the network answers every request in the same cycle, and counts the same, as one that does not: with
 * room in the incoming buffer or without, with few slots behind it or many. */
static void running_ahead_changes_no_cycle(void **state) {
  (void)state;
  const char *const settings[] = {
      "l2.rop_latency=100 dram.fixed_latency=50",
      "l2.rop_latency=100 l2.in=3 l2.in_sectors=false l2.mshrs=4 dram.fixed_latency=200",
      "l2.rop_latency=30 l2.sector_bytes=32 l2.port_bytes=32 l2.in=8 l2.in_sectors=true l2.mshrs=4 "
      "dram.fixed_latency=100",
      "l2.rop_latency=60 l2.sector_bytes=32 l2.port_bytes=32 l2.in=4 l2.in_sectors=true l2.out=4 "
      "l2.miss_queue=2 dram.latency=40 dram.fixed_latency=10",
      "l2.rop_latency=60 l2.sector_bytes=32 l2.port_bytes=16 l2.in=4 l2.in_sectors=true "
      "dram.fixed_latency=10",
  };
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    for (uint64_t seed = 1; seed <= 10; seed++) {
      static struct bench with, without;
      random_traffic(&with, settings[i], seed, true);
      random_traffic(&without, settings[i], seed, false);
      assert_true(with.p.fresh > START); /* it did */
      assert_int_equal(without.p.fresh, 0);
      assert_memory_equal(with.answered, without.answered, sizeof with.answered);
      assert_memory_equal(&with.p.slice->stats, &without.p.slice->stats, sizeof with.p.slice->stats);
      bench_end(&with), bench_end(&without);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_comes_while_the_incoming_buffer_is_full),
      cmocka_unit_test(what_waited_in_the_network_comes_when_there_is_room),
      cmocka_unit_test(a_store_waits_for_what_it_does_not_write),
      cmocka_unit_test(running_ahead_changes_no_cycle),
      cmocka_unit_test(a_lock_takes_a_round_trip_to_change_hands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
