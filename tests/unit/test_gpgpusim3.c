/* Rules of GPGPU-Sim's L2: stores that miss, look-ups while memory is busy, miss registers, the fill port and the data port
 * (l2.write_miss, l2.wait_for_memory, l2.worst_case_misses, l2.hold_misses, l2.fill_bytes, l2.evict_port, l2.in_sectors). Expectations are the rules of its
 * gpu-cache.cc and l2cache.cc with the cycles of a memory of fixed latency. */
#include "slice.h"

enum { START = 1000, READ = 500, WRITE = 300 };

static void near(uint64_t cycle, uint64_t want) {
  assert_in_range(cycle, want, want + 5);
}

/* wr_miss_wa: the store goes to memory and is answered from there, its line is fetched although the store has all of it, and is
 * clean; a second store finds it on its way and goes to memory as well. A store that hits stays in the line, which is dirty then. */
static void a_store_that_misses_is_written_and_its_line_fetched(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b, "l2.write_miss=write-and-fetch l2.sets=1 l2.ways=1 l2.index=modulo dram.fixed_latency=500 "
                 "dram.fixed_write_latency=300");
  const struct l2_stats *n = &b.p.slice->stats;
  uint32_t first = bench_ask(&b, START, 0, MEM_WRITE, 1),
           second = bench_ask(&b, START + 100, 0, MEM_WRITE, 1),
           load = bench_ask(&b, START + 200, 0, MEM_READ, 1);
  bench_run(&b, START + 1000);
  near(b.answered[first], START + WRITE);
  near(b.answered[second], START + 100 + WRITE);
  near(b.answered[load], START + READ);
  assert_int_equal(n->writes, 2);
  assert_int_equal(n->reads, 1);
  assert_int_equal(n->misses, 1);
  assert_int_equal(n->merges, 2);
  bench_ask(&b, START + 2000, 0, MEM_READ, 2); /* takes the place of a clean line */
  uint32_t hit = bench_ask(&b, START + 3000, 0, MEM_WRITE, 2);
  bench_run(&b, START + 4000);
  near(b.answered[hit], START + 3000);
  assert_int_equal(n->writes, 2);
  bench_ask(&b, START + 5000, 0, MEM_READ, 3); /* of a dirty one */
  bench_run(&b, START + 6000);
  assert_int_equal(n->writes, 3);
  assert_int_equal(n->reads, 3);
  bench_end(&b);
}

/* memory_sub_partition::cache_cycle: a line that is here waits as long as the queue to memory is full. The controller takes a
 * request every 1000 cycles: the second miss is in a queue of one until then. */
static void hits_wait_for_the_queue_to_memory(void **state) {
  (void)state;
  for (int wait = 0; wait < 2; wait++) {
    struct bench b;
    char settings[160];
    snprintf(settings, sizeof settings, "l2.wait_for_memory=%s dram.queue=1 dram.fixed_interval=1000",
             wait ? "true" : "false");
    bench_init(&b, settings);
    enum { LATER = START + 5000 };
    bench_ask(&b, START, 0, MEM_READ, 1);
    bench_ask(&b, LATER, 0, MEM_READ, 2);
    bench_ask(&b, LATER + 10, 0, MEM_READ, 3);
    uint32_t hit = bench_ask(&b, LATER + 100, 0, MEM_READ, 1);
    bench_run(&b, LATER + 3000);
    assert_int_equal(b.answers, 4);
    near(b.answered[hit], wait ? LATER + 1000 : LATER + 100);
    bench_end(&b);
  }
}

/* Looked up within 500 cycles, of ten misses, where memory takes one, and its queue another, and the miss queue has four places. */
static uint64_t looked_up(enum mem_kind kind, bool worst_case) {
  struct bench b;
  char settings[200];
  snprintf(settings, sizeof settings,
           "l2.write_miss=fetch l2.miss_queue=4 dram.queue=1 dram.fixed_interval=1000 "
           "l2.worst_case_misses=%s",
           worst_case ? "true" : "false");
  bench_init(&b, settings);
  for (uint32_t i = 0; i < 10; i++)
    b.todo[bench_ask(&b, START + 10 * i, 0, kind, i)].r.bytes[0] = 15;
  bench_run(&b, START + 500);
  uint64_t n = b.p.slice->stats.misses;
  bench_end(&b);
  return n;
}

/* baseline_cache::miss_queue_full: a read may need two of the four places (its line, a line that leaves) and is looked up with at
 * most two of them taken; a store may need three and is looked up with at most one taken. */
static void a_miss_needs_room_for_the_worst_case(void **state) {
  (void)state;
  assert_int_equal(looked_up(MEM_READ, false), 2 + 4);
  assert_int_equal(looked_up(MEM_READ, true), 2 + 3);
  assert_int_equal(looked_up(MEM_WRITE, false), 2 + 4);
  assert_int_equal(looked_up(MEM_WRITE, true), 2 + 2);
}

/* mshr_table::next_access: requests of a miss register are answered one in a cycle, and the register is free with the last. Four
 * wait for line 1, which comes after READ cycles; line 2 needs the only register. */
static void a_miss_register_is_kept_until_its_last_answer(void **state) {
  (void)state;
  uint64_t second[2];
  for (int hold = 0; hold < 2; hold++) {
    struct bench b;
    char settings[160];
    snprintf(settings, sizeof settings, "l2.mshrs=1 l2.merges=4 l2.hold_misses=%s dram.fixed_latency=500",
             hold ? "true" : "false");
    bench_init(&b, settings);
    uint32_t one[4], two;
    for (uint32_t i = 0; i < 4; i++)
      one[i] = bench_ask(&b, START + 10 * i, 0, MEM_READ, 1);
    two = bench_ask(&b, START + 100, 0, MEM_READ, 2);
    bench_run(&b, START + 2000);
    assert_int_equal(b.answers, 5);
    for (uint32_t i = 0; i < 4; i++)
      assert_int_equal(b.answered[one[i]], b.answered[one[0]] + i);
    near(b.answered[one[0]], START + READ);
    second[hold] = b.answered[two];
    bench_end(&b);
  }
  assert_int_equal(second[1] - second[0], 3);
}

/* A response queue without room keeps the answers, and with them the register; nor is line 2 looked up before the last has left. */
static void answers_wait_for_the_response_queue(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b, "l2.mshrs=1 l2.merges=4 l2.out=1 l2.hold_misses=true l2.latency=20 dram.fixed_latency=500");
  uint32_t one[4];
  for (uint32_t i = 0; i < 4; i++)
    one[i] = bench_ask(&b, START + 10 * i, 0, MEM_READ, 1);
  uint32_t two = bench_ask(&b, START + 100, 0, MEM_READ, 2);
  bench_run(&b, START + 3000);
  for (uint32_t i = 1; i < 4; i++) /* 20 cycles in the queue, and the cycle in which the next is let in */
    assert_in_range(b.answered[one[i]] - b.answered[one[i - 1]], 20, 21);
  assert_in_range(b.answered[two] - b.answered[one[3]], READ + 20, READ + 23);
  bench_end(&b);
}

/* baseline_cache::bandwidth_management: a fill keeps the fill port for line / width cycles. Three lines come in three cycles. */
static void fills_pass_the_fill_port_one_after_the_other(void **state) {
  (void)state;
  const uint32_t bytes[] = {0, 64, 16}, apart[] = {1, 1, 4};
  for (int k = 0; k < 3; k++) {
    struct bench b;
    char settings[160];
    snprintf(settings, sizeof settings, "l2.fill_bytes=%u dram.fixed_latency=500", bytes[k]);
    bench_init(&b, settings);
    uint32_t line[3];
    for (uint32_t i = 0; i < 3; i++)
      line[i] = bench_ask(&b, START + i, 0, MEM_READ, i + 1);
    bench_run(&b, START + 1000);
    near(b.answered[line[0]], START + READ);
    for (uint32_t i = 1; i < 3; i++)
      assert_int_equal(b.answered[line[i]] - b.answered[line[i - 1]], apart[k]);
    bench_end(&b);
  }
}

/* bandwidth_management::use_data_port, since 4.0: a store that misses and sends a changed line away keeps the data port for the
 * line's changed sectors / width cycles, itself passing with the first. Its line is stored to again in the next cycle. */
static uint64_t apart(const char *settings, uint8_t changed) {
  struct bench b;
  char text[160];
  snprintf(text, sizeof text, "l2.sets=1 l2.ways=1 l2.index=modulo l2.sector_bytes=32 %s", settings);
  bench_init(&b, text);
  struct mem_request *r[3];
  uint32_t h[3];
  for (uint32_t i = 0; i < 3; i++) {
    h[i] = bench_ask(&b, START + (i ? 100 + i : 0), 0, MEM_WRITE, i ? 2 : 1);
    r[i] = &b.todo[h[i]].r;
    r[i]->sectors = i ? 1 : changed;
    r[i]->bytes[0] = r[i]->sectors == 3 ? UINT64_MAX : UINT32_MAX;
  }
  bench_run(&b, START + 1000);
  assert_int_equal(b.answers, 3);
  uint64_t n = b.answered[h[2]] - b.answered[h[1]];
  bench_end(&b);
  return n;
}

static void a_changed_line_that_a_store_replaces_passes_the_data_port(void **state) {
  (void)state;
  assert_int_equal(apart("l2.port_bytes=32 l2.evict_port=true", 3), 2);
  assert_int_equal(apart("l2.port_bytes=32 l2.evict_port=true", 1), 1);
  assert_int_equal(apart("l2.port_bytes=64 l2.evict_port=true", 3), 1);
  assert_int_equal(apart("l2.port_bytes=32 l2.evict_port=false", 3), 1);
}

/* memory_sub_partition::full, since 4.0: a buffer for four sectors takes a request from the network while another line of two sectors
 * would fit. The first request has the only miss register; those behind it wait, one at the tags. Requests that came in: */
static uint64_t came_in(const char *settings, uint8_t sectors) {
  struct bench b;
  char text[160];
  snprintf(text, sizeof text,
           "l2.sector_bytes=32 l2.port_bytes=32 l2.mshrs=1 l2.in=4 dram.fixed_latency=500 %s", settings);
  bench_init(&b, text);
  for (uint32_t i = 0; i < 10; i++)
    b.todo[bench_ask(&b, START + 10 * i, 0, MEM_READ, i)].r.sectors = i ? sectors : 1;
  bench_run(&b, START + 300);
  uint64_t n = b.p.slice->stats.requests;
  bench_end(&b);
  return n;
}

static void the_incoming_buffer_holds_sectors(void **state) {
  (void)state;
  assert_int_equal(came_in("l2.in_sectors=true", 3), 1 + 2);  /* two sectors at the tags, then two more */
  assert_int_equal(came_in("l2.in_sectors=true", 1), 1 + 3);  /* three requests of a sector */
  assert_int_equal(came_in("l2.in_sectors=false", 3), 1 + 5); /* four requests, and the one at the tags */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_store_that_misses_is_written_and_its_line_fetched),
      cmocka_unit_test(hits_wait_for_the_queue_to_memory),
      cmocka_unit_test(a_miss_needs_room_for_the_worst_case),
      cmocka_unit_test(a_miss_register_is_kept_until_its_last_answer),
      cmocka_unit_test(answers_wait_for_the_response_queue),
      cmocka_unit_test(fills_pass_the_fill_port_one_after_the_other),
      cmocka_unit_test(a_changed_line_that_a_store_replaces_passes_the_data_port),
      cmocka_unit_test(the_incoming_buffer_holds_sectors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
