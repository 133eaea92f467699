/* The controller: answers, order of time, starvation, policies; mappings and profiles. */
#include "check.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "dram/driver.h"
#include "sluice.h"
#include <stdlib.h>
#include <string.h>

static struct dram_device device(const char *name) {
  struct dram_device d;
  struct error err = {0};
  if (!dram_device_load(&d, name, &err))
    fail_msg("%s", err.text);
  return d;
}

/* Controllers that between them use every rule. */
static const char *const controllers[] = {
    "base: sluice",
    "base: like-dramsim3",
    "base: like-ramulator2",
    "{base: sluice, page: closed, postpone: 8}",
    "base: sluice-single",
    "{base: like-dramsim3, page: single}",
    "{base: sluice, page: timeout, page_timeout: 40, postpone: 3}",
    "{base: sluice, pick: fcfs}",
    "{base: sluice, pick: fcfs, page: timeout, page_timeout: 10, write_queue: 0}",
    "{base: sluice, pick: oldest-ready, age_limit: 300}",
    "{base: sluice, pick: round-robin, write_queue: 0, page: closed}",
    "{base: like-dramsim3, page: timeout, page_timeout: 70, postpone: 2}",
    "{base: sluice, age_limit: 150, row_hit_cap: 0, read_queue: 16, write_queue: 8, write_high: 6, "
    "write_low: 2}",
    "{base: sluice, age_limit: 0, row_hit_cap: 1, keep_hits: false}",
    "{base: sluice, age_limit: 0, write_idle: 64, use_opened: false}",
};
enum { CONTROLLERS = sizeof controllers / sizeof *controllers };

static struct dram_profile controller(size_t i) {
  struct dram_profile p;
  struct error err = {0};
  if (!dram_profile_parse(&p, controllers[i], strlen(controllers[i]), "test.yaml", &err))
    fail_msg("%s", err.text);
  return p;
}

/* A mix of everything: streams, random places, repeated addresses, pauses, masks. */
static struct dram_trace_request *mixed(const struct dram_device *d, size_t n, uint64_t seed) {
  struct dram_trace_request *r = xcalloc(n, sizeof *r);
  uint64_t blocks = dram_device_bytes(d) / d->transaction, at = 0, cycle = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t what = rng_below(&seed, 16);
    at = what < 8 ? at + 1 : what < 14 ? rng_below(&seed, blocks) : what == 14 ? at : rng_below(&seed, 64);
    if (rng_below(&seed, 50) == 0)
      cycle += rng_below(&seed, 1500);
    r[i].address = at % blocks * d->transaction;
    r[i].cycle = cycle;
    r[i].write = rng_below(&seed, 3) == 0;
    r[i].mask = r[i].write && rng_below(&seed, 4) == 0 ? rng_below(&seed, 1 << 20) : 0;
  }
  return r;
}

static void hash_command(void *ctx, const struct dram_issue *i) {
  uint64_t *h = ctx;
  *h = hash_mix(*h ^ i->cycle);
  *h = hash_mix(*h ^ ((uint64_t)i->command << 56 | (uint64_t)i->rank << 48 | (uint64_t)i->group << 40 |
                      (uint64_t)i->bank << 32 | i->row));
  *h = hash_mix(*h ^ i->column);
}

struct outcome {
  uint64_t commands, answers, cycles;
  struct dram_counters n;
};

static void hash_answer(void *ctx, const struct dram_completion *c) {
  uint64_t *h = &((struct outcome *)ctx)->answers;
  *h += hash_mix(hash_mix(c->tag) ^ hash_mix(c->done + 1) ^ c->latency); /* in any order */
}

static struct outcome outcome(const struct dram_device *d, const struct dram_profile *p,
                              enum dram_refresh refresh, const struct dram_trace_request *r, size_t n,
                              bool no_skip, uint32_t channels) {
  struct outcome x = {0};
  struct error err = {0};
  struct dram *m = dram_new(&(struct dram_options){.device = d,
                                                   .profile = p,
                                                   .refresh = refresh,
                                                   .no_skip = no_skip,
                                                   .channels = channels,
                                                   .log = hash_command,
                                                   .log_ctx = &x.commands},
                            &err);
  if (!m)
    fail_msg("%s", err.text);
  x.cycles = dram_drive(m, r, n, &(struct dram_driver){.answered = hash_answer, .ctx = &x});
  dram_counters(m, &x.n);
  dram_free(m);
  return x;
}

static void skipping_time_gives_the_same_commands_answers_and_counters_as_every_cycle(void **state) {
  (void)state;
  const char *const names[] = {"ref-ddr4", "hbm3-6400", "lpddr4-3200", "gddr5-thesis"};
  for (size_t k = 0; k < 4; k++) {
    struct dram_device d = device(names[k]);
    struct dram_trace_request *r = mixed(&d, 1500, k + 1);
    for (size_t i = 0; i < CONTROLLERS; i++)
      for (int refresh = 0; refresh < 3; refresh++) {
        if (refresh == DRAM_REFRESH_PERBANK && !d.t.rfc_pb)
          continue;
        struct dram_profile p = controller(i);
        struct outcome a = outcome(&d, &p, (enum dram_refresh)refresh, r, 1500, false, 1);
        struct outcome b = outcome(&d, &p, (enum dram_refresh)refresh, r, 1500, true, 1);
        if (memcmp(&a, &b, sizeof a) != 0)
          fail_msg("%s, %s, refresh %s: differs", names[k], controllers[i], dram_refresh_names[refresh]);
      }
    free(r);
  }
}

static void count_answer(void *ctx, const struct dram_completion *c) {
  ((uint8_t *)ctx)[c->tag]++;
}

static void every_request_is_answered_exactly_once(void **state) {
  (void)state;
  enum { N = 5000 };
  struct dram_device d = device("ref-hbm2");
  struct dram_trace_request *r = mixed(&d, N, 7);
  struct error err = {0};
  for (size_t i = 0; i < CONTROLLERS; i++)
    for (uint32_t channels = 1; channels <= 4; channels *= 4) {
      uint8_t answers[N] = {0};
      struct dram_profile p = controller(i);
      struct dram *m = dram_new(
          &(struct dram_options){
              .device = &d, .profile = &p, .channels = channels, .refresh = DRAM_REFRESH_ALLBANK},
          &err);
      assert_non_null(m);
      dram_drive(m, r, N, &(struct dram_driver){.answered = count_answer, .ctx = answers});
      for (int k = 0; k < N; k++)
        assert_int_equal(answers[k], 1);
      struct dram_counters n;
      dram_counters(m, &n);
      assert_int_equal(n.read_requests + n.write_requests, N);
      assert_int_equal(n.reads + n.merged_reads + n.forwarded, n.read_requests);
      assert_int_equal(n.writes + n.merged_writes, n.write_requests);
      assert_int_equal(dram_waiting(m), 0);
      dram_free(m);
    }
  free(r);
}

/* DRAMSim2's closed page: an ACT for every RD and WR, and none of these leaves its row open. */
static void page_single_opens_and_closes_a_row_for_every_access(void **state) {
  (void)state;
  enum { N = 2000 };
  struct dram_device d = device("gddr5-thesis");
  struct dram_profile p;
  struct error err = {0};
  assert_true(dram_profile_load(&p, "sluice-single", &err));
  struct dram_trace_request *r = mixed(&d, N, 3);
  struct outcome x = outcome(&d, &p, DRAM_REFRESH_NONE, r, N, false, 1);
  assert_true(x.n.reads + x.n.writes > N / 2);
  assert_int_equal(x.n.auto_precharges, x.n.reads + x.n.writes);
  assert_int_equal(x.n.activates, x.n.reads + x.n.writes);
  assert_int_equal(x.n.precharges, 0);
  free(r);
}

static void ticking_and_advancing_in_any_steps_pop_the_same_answers(void **state) {
  (void)state;
  struct dram_device d = device("ref-ddr4");
  struct error err = {0};
  uint64_t sums[3] = {0};
  for (int way = 0; way < 3; way++) {
    struct dram *m = dram_new(&(struct dram_options){.device = &d, .refresh = DRAM_REFRESH_ALLBANK}, &err);
    assert_non_null(m);
    uint64_t seed = 3, next = 0, pushed = 0, steps = 9;
    while (dram_cycle(m) < 30000) {
      uint64_t to = next;
      while (dram_cycle(m) < to) {
        if (way == 0)
          dram_tick(m);
        else if (way == 1)
          dram_advance(m, to);
        else {
          uint64_t step = dram_cycle(m) + 1 + rng_below(&steps, 40);
          dram_advance(m, step < to ? step : to);
        }
      }
      dram_push(m, &(struct dram_request){.address = rng_below(&seed, 1 << 20) * 64,
                                          .tag = pushed++,
                                          .write = rng_below(&seed, 4) == 0});
      struct dram_completion c;
      while (dram_pop(m, &c))
        sums[way] += hash_mix(c.tag << 32 | c.done);
      next = dram_cycle(m) + 1 + rng_below(&seed, 12);
    }
    dram_free(m);
  }
  assert_true(sums[0] == sums[1] && sums[0] == sums[2]);
}

/* Hits to one row arrive for ever; one request to another row of the bank must get through. */
static void the_age_limit_bounds_the_wait(void **state) {
  (void)state;
  struct dram_device d = device("ref-ddr4");
  struct error err = {0};
  struct dram_profile p = *dram_profile_default();
  p.row_hit_cap = 0;
  for (uint32_t limit = 500; limit <= 4000; limit *= 2) {
    p.age_limit = limit;
    struct dram *m = dram_new(&(struct dram_options){.device = &d, .profile = &p}, &err);
    assert_non_null(m);
    uint64_t tag = 1, latency = 0, longest = 0;
    struct dram_completion c;
    for (int i = 0; i < 200; i++)
      dram_tick(m), dram_push(m, &(struct dram_request){.address = tag % 512 * 64, .tag = tag}), tag++;
    while (!dram_push(m, &(struct dram_request){.address = 1 << 21, .tag = 0}))
      dram_tick(m);
    for (int i = 0; i < 40000 && !latency; i++) {
      dram_tick(m);
      while (dram_push(m, &(struct dram_request){.address = tag % 512 * 64, .tag = tag}))
        tag++;
      while (dram_pop(m, &c)) {
        if (c.tag == 0)
          latency = c.latency;
        longest = c.latency > longest ? c.latency : longest;
      }
    }
    /* Noticed an eighth of the limit late; then at most the queues' worth of overdue requests go first,
     * each no longer than a row cycle and a turn-around. */
    uint64_t service = d.t.rc + d.t.wl + d.t.wr + d.t.cl + d.burst_cycles + d.t.rtw;
    uint64_t bound = limit + limit / 8 + 1 + (p.read_queue + p.write_queue) * service;
    assert_true(latency > limit); /* it did have to wait for that */
    assert_true(latency <= bound && longest <= bound);
    dram_free(m);
  }
}

static void no_request_waits_longer_than_the_bound_under_random_load(void **state) {
  (void)state;
  struct error err = {0};
  const char *const names[] = {"ref-ddr4", "ref-gddr5", "ref-hbm3"};
  for (size_t k = 0; k < 3; k++) {
    struct dram_device d = device(names[k]);
    struct dram_profile p = *dram_profile_default();
    p.age_limit = 600;
    struct dram_trace_request *r = mixed(&d, 20000, 11 + k);
    for (size_t i = 0; i < 20000; i++)
      r[i].cycle = 0;
    struct outcome x = outcome(&d, &p, DRAM_REFRESH_ALLBANK, r, 20000, false, 1);
    uint64_t service = d.t.rc + d.t.wl + d.t.wr + d.t.cl + d.burst_cycles + d.t.rtw;
    uint64_t bound = 600 + 76 + (p.read_queue + p.write_queue) * service;
    bound += (bound / d.t.refi + 1) * (d.t.rfc + d.t.rc);
    assert_true(x.n.read_latency_max <= bound);
    free(r);
  }
  error_clear(&err);
}

static void a_read_is_answered_from_a_queued_write_unless_that_is_partial(void **state) {
  (void)state;
  struct dram_device d = device("ref-ddr4");
  struct error err = {0};
  for (int partial = 0; partial < 2; partial++) {
    struct dram *m = dram_new(&(struct dram_options){.device = &d}, &err);
    struct dram_completion c;
    uint64_t seen = 0;
    dram_tick(m);
    /* A read of elsewhere keeps the controller reading. */
    assert_true(dram_push(m, &(struct dram_request){.address = 1 << 20, .tag = 1}));
    assert_true(dram_push(
        m, &(struct dram_request){.address = 64, .tag = 2, .write = true, .mask = partial ? 0xff : 0}));
    assert_true(dram_push(m, &(struct dram_request){.address = 64, .tag = 3}));
    for (int i = 0; i < 1000; i++) {
      dram_tick(m);
      while (dram_pop(m, &c)) {
        seen++;
        if (c.tag == 3)
          assert_true(partial ? c.latency > d.t.cl : c.latency == 1);
      }
    }
    struct dram_counters n;
    dram_counters(m, &n);
    assert_int_equal(seen, 3);
    assert_int_equal(n.forwarded, !partial);
    assert_int_equal(n.partial_writes, partial);
    assert_int_equal(n.writes, 1); /* a masked write occupies a whole burst */
    assert_int_equal(n.bus_cycles, (n.reads + n.writes) * d.burst_cycles);
    dram_free(m);
  }
}

static uint64_t order[8], orders;
static void note_column(void *ctx, const struct dram_issue *i) {
  (void)ctx;
  if (i->command == DRAM_RD || i->command == DRAM_WR)
    order[orders++ % 8] = i->command;
}

static void a_write_never_overtakes_an_older_read_of_its_address(void **state) {
  (void)state;
  struct dram_device d = device("ref-ddr4");
  struct dram_profile p = *dram_profile_default();
  struct error err = {0};
  p.write_high = 1; /* would drain at once */
  p.write_low = 0;
  struct dram *m = dram_new(&(struct dram_options){.device = &d, .profile = &p, .log = note_column}, &err);
  orders = 0;
  dram_tick(m);
  assert_true(dram_push(m, &(struct dram_request){.address = 128, .tag = 1}));
  assert_true(dram_push(m, &(struct dram_request){.address = 128, .tag = 2, .write = true}));
  dram_advance(m, 1000);
  assert_int_equal(orders, 2);
  assert_int_equal(order[0], DRAM_RD);
  assert_int_equal(order[1], DRAM_WR);
  dram_free(m);
}

static void mappings_are_one_to_one_and_print_their_mistakes(void **state) {
  (void)state;
  struct dram_device d = device("ref-ddr4");
  struct dram_map m;
  struct error err = {0};
  const char *const good[] = {"bglow",
                              "collow",
                              "r16b2c7g2",
                              "r8b2c3r8g2c4",
                              "bglow,b0^r0^r5,g1^c2,g0^r3",
                              "rrrrrrrrrrrrrrrrbbcccccccgg"};
  for (size_t i = 0; i < 6; i++) {
    if (!dram_map_parse(&m, good[i], &d, 1, 1, &err))
      fail_msg("%s", err.text);
    uint64_t seed = i + 1;
    for (int k = 0; k < 2000; k++) {
      uint64_t address = rng_below(&seed, 1 << 27) * 64;
      struct dram_place p = dram_map_place(&m, address);
      assert_true(p.field[DRAM_ROW] < d.rows && p.field[DRAM_COLUMN] < d.columns && p.field[DRAM_BANK] < 4);
      assert_int_equal(dram_map_address(&m, &p), address);
    }
  }
  const char *const bad[][2] = {{"r16b2c7", "bank group"},    {"r16b2c7g3", "3 bank group bits"},
                                {"r16b2c7q2", "'q'"},         {"bglow,b9^r0", "no bit 9"},
                                {"bglow,r0^b0", "goes into"}, {"bglow,b0^g0", "only r and c"},
                                {"bglow,b0", "goes into"},    {"bglow!", "'l'"},
                                {"r64b64", "64 bits"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(dram_map_parse(&m, bad[i][0], &d, 1, 1, &err));
    assert_int_equal(err.code, EXIT_USAGE);
    if (!strstr(err.text, bad[i][1]))
      fail_msg("'%s': %s", bad[i][0], err.text);
    error_clear(&err);
  }
}

static void profiles_refuse_what_cannot_work(void **state) {
  (void)state;
  const char *const bad[][2] = {{"base: slice", "did you mean 'sluice'"},
                                {"{base: sluice, write_high: 100}", "above write_queue"},
                                {"{base: sluice, page: timeout}", "needs page_timeout"},
                                {"{base: sluice, row_hit_kap: 2}", "row_hit_cap"},
                                {"{base: sluice, read_queue: 0}", "read_queue"},
                                {"{base: like-ramulator2, page: closed}", "pin_activated"},
                                {"{base: sluice, bank_queue: 4}", "age_limit"},
                                {"", "empty"},
                                {"[1]", ""},
                                {"{base: sluice, pick: best}", "pick"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct dram_profile p;
    struct error err = {0};
    assert_false(dram_profile_parse(&p, bad[i][0], strlen(bad[i][0]), "p.yaml", &err));
    assert_int_equal(err.code, EXIT_USAGE);
    if (!strstr(err.text, bad[i][1]))
      fail_msg("'%s': %s", bad[i][0], err.text);
    error_clear(&err);
  }
}

static void latency_percentiles_are_exact_below_1024_and_within_a_64th_above(void **state) {
  (void)state;
  for (uint64_t v = 0; v < 3000000; v += 1 + v / 50) {
    uint64_t upper = dram_latency_upper(stat_fine_bucket(v));
    assert_true(upper >= v && upper - v <= (v < 1024 ? 0 : v / 64));
  }
  struct dram_counters *c = xcalloc(1, sizeof *c);
  for (uint64_t v = 1; v <= 100; v++)
    c->latency[stat_fine_bucket(v)]++;
  c->read_latency_max = 100;
  assert_int_equal(dram_latency_percentile(c, 0.5), 50);
  assert_int_equal(dram_latency_percentile(c, 0.99), 99);
  assert_int_equal(dram_latency_percentile(c, 1), 100);
  free(c);
}

static void idle_time_is_skipped(void **state) {
  (void)state;
  struct dram_device d = device("ref-ddr4");
  struct error err = {0};
  struct dram *m = dram_new(&(struct dram_options){.device = &d, .refresh = DRAM_REFRESH_ALLBANK}, &err);
  dram_advance(m, 1000000000);
  struct dram_counters n;
  dram_counters(m, &n);
  assert_in_range(n.refreshes, 1000000000 / d.t.refi - 1, 1000000000 / d.t.refi);
  dram_free(m);
}

static void the_public_interface_answers_and_refuses(void **state) {
  (void)state;
  char why[200];
  struct sluice_dram *d = sluice_dram_open(
      &(struct sluice_dram_options){
          .size = sizeof(struct sluice_dram_options), .device = "ref-hbm2", .refresh = "none"},
      why, sizeof why);
  assert_non_null(d);
  assert_int_equal(sluice_dram_transaction(d), 32);
  sluice_dram_advance(d, 1);
  assert_true(sluice_dram_push(d, &(struct sluice_dram_request){.address = 4096, .tag = 9}));
  struct sluice_dram_answer a;
  while (!sluice_dram_pop(d, &a)) {
    uint64_t next = sluice_dram_next_event(d), now = sluice_dram_cycle(d);
    assert_true(now < 1000);
    sluice_dram_advance(d, next == UINT64_MAX ? now + 1 : next + 1);
  }
  assert_int_equal(a.tag, 9);
  assert_int_equal(a.latency, 1 + 14 + 14 + 2); /* hand-over, tRCD, CL, burst */
  double v;
  assert_true(sluice_dram_stat(d, "dram.activates", &v) && v == 1);
  assert_false(sluice_dram_stat(d, "dram.nothing", &v));
  assert_int_equal(sluice_dram_log(d, 0, stdout), SLUICE_E_INPUT); /* opened without logs */
  sluice_dram_close(d);
  const struct sluice_dram_options bad[] = {{0},
                                            {.size = 999},
                                            {.size = sizeof *bad, .device = "ref-hbm9"},
                                            {.size = sizeof *bad, .device = "ref-hbm2", .mapping = "x"},
                                            {.size = sizeof *bad, .device = "ref-hbm2", .controller = "y"},
                                            {.size = sizeof *bad, .device = "ref-hbm2", .refresh = "z"},
                                            {.size = sizeof *bad, .device = "ref-hbm2", .channels = 3}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_null(sluice_dram_open(&bad[i], why, sizeof why));
    assert_true(strlen(why) > 10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(skipping_time_gives_the_same_commands_answers_and_counters_as_every_cycle),
      cmocka_unit_test(every_request_is_answered_exactly_once),
      cmocka_unit_test(page_single_opens_and_closes_a_row_for_every_access),
      cmocka_unit_test(ticking_and_advancing_in_any_steps_pop_the_same_answers),
      cmocka_unit_test(the_age_limit_bounds_the_wait),
      cmocka_unit_test(no_request_waits_longer_than_the_bound_under_random_load),
      cmocka_unit_test(a_read_is_answered_from_a_queued_write_unless_that_is_partial),
      cmocka_unit_test(a_write_never_overtakes_an_older_read_of_its_address),
      cmocka_unit_test(mappings_are_one_to_one_and_print_their_mistakes),
      cmocka_unit_test(profiles_refuse_what_cannot_work),
      cmocka_unit_test(latency_percentiles_are_exact_below_1024_and_within_a_64th_above),
      cmocka_unit_test(idle_time_is_skipped),
      cmocka_unit_test(the_public_interface_answers_and_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
