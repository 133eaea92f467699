/* Arithmetic that follows from a device's numbers alone, for every preset. Refresh is off unless it is the
 * subject; the traces leave the controller no choice. */
#include "check.h"

#include "base/mem.h"
#include "dram/driver.h"
#include <stdlib.h>
#include <string.h>

struct run {
  uint64_t cycles;
  struct dram_counters n;
};

static struct dram_device device(const char *name) {
  struct dram_device d;
  struct error err = {0};
  if (!dram_device_load(&d, name, &err))
    fail_msg("%s", err.text);
  return d;
}

static struct dram *fresh(const struct dram_device *d, const char *profile, enum dram_refresh refresh) {
  struct dram_profile p;
  struct error err = {0};
  if (!dram_profile_load(&p, profile, &err))
    fail_msg("%s", err.text);
  struct dram *m =
      dram_new(&(struct dram_options){.device = d, .profile = &p, .refresh = refresh, .channels = 1}, &err);
  if (!m)
    fail_msg("%s", err.text);
  return m;
}

static uint64_t at(const struct dram *m, uint32_t group, uint32_t bank, uint32_t row, uint32_t column) {
  struct dram_place p = {.bank = 0};
  p.field[DRAM_GROUP] = group;
  p.field[DRAM_BANK] = bank;
  p.field[DRAM_ROW] = row;
  p.field[DRAM_COLUMN] = column;
  return dram_map_address(dram_mapping(m), &p);
}

/* Pushes one request and waits for its answer. */
static struct dram_completion one(struct dram *m, uint64_t address, bool write) {
  struct dram_completion c;
  assert_true(dram_push(m, &(struct dram_request){.address = address, .write = write}));
  for (int i = 0; i < 100000; i++) {
    dram_tick(m);
    if (dram_pop(m, &c))
      return c;
  }
  fail_msg("no answer");
  return c;
}

static void for_each_preset(void (*check)(const struct dram_device *)) {
  const char *const *names;
  size_t n = dram_presets(&names);
  assert_true(n >= 12);
  for (size_t i = 0; i < n; i++) {
    struct dram_device d = device(names[i]);
    check(&d);
  }
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The hand-over takes the clock before the first command. */
static void latencies(const struct dram_device *d) {
  struct dram *m = fresh(d, "sluice", DRAM_REFRESH_NONE);
  uint64_t hit = 1 + d->t.cl + d->burst_cycles;
  dram_advance(m, 1000);
  assert_int_equal(one(m, at(m, 0, 0, 5, 0), false).latency, hit + d->t.rcd_rd);
  dram_advance(m, dram_cycle(m) + 1000);
  assert_int_equal(one(m, at(m, 0, 0, 5, 1), false).latency, hit);
  dram_advance(m, dram_cycle(m) + 1000);
  assert_int_equal(one(m, at(m, 0, 0, 6, 0), false).latency, hit + d->t.rp + d->t.rcd_rd);
  dram_free(m);
}

static void an_unloaded_read_takes_rcd_cl_burst_a_hit_cl_burst_a_conflict_rp_rcd_cl_burst(void **state) {
  (void)state;
  for_each_preset(latencies);
}

/* Distances between commands of a kind, from the log. */
struct seen {
  uint64_t last[DRAM_COMMANDS], first[DRAM_COMMANDS], count[DRAM_COMMANDS],
      least[DRAM_COMMANDS][DRAM_COMMANDS];
};

static void see(void *ctx, const struct dram_issue *i) {
  struct seen *s = ctx;
  for (int k = 0; k < DRAM_COMMANDS; k++)
    if (s->count[k] && (!s->least[k][i->command] || i->cycle - s->last[k] < s->least[k][i->command]))
      s->least[k][i->command] = i->cycle - s->last[k];
  if (!s->count[i->command]++)
    s->first[i->command] = i->cycle;
  s->last[i->command] = i->cycle;
}

static struct run drive(const struct dram_device *d, const char *profile, enum dram_refresh refresh,
                        const struct dram_trace_request *r, size_t n, struct seen *seen) {
  struct dram_profile p;
  struct error err = {0};
  assert_true(dram_profile_load(&p, profile, &err));
  struct dram_options o = {.device = d, .profile = &p, .refresh = refresh, .channels = 1, .mapping = "bglow"};
  if (seen) {
    o.log = see;
    o.log_ctx = seen;
  }
  struct dram *m = dram_new(&o, &err);
  if (!m)
    fail_msg("%s", err.text);
  struct run x = {.cycles = dram_drive(m, r, n, &(struct dram_driver){0})};
  dram_counters(m, &x.n);
  dram_free(m);
  return x;
}

static struct dram_trace_request *blocks(const struct dram_device *d, size_t n, uint64_t stride) {
  struct dram_trace_request *r = xcalloc(n, sizeof *r);
  for (size_t i = 0; i < n; i++)
    r[i].address = i * stride * d->transaction % dram_device_bytes(d);
  return r;
}

/* Consecutive blocks rotate over bank groups: a column command every max(tCCD_S, burst) cycles where there
 * are groups enough, or tCCD_L in a single group. */
static uint64_t stream_period(const struct dram_device *d) {
  uint64_t s = larger(d->t.ccd_s, d->burst_cycles), l = larger(d->t.ccd_l, d->burst_cycles);
  return d->bank_groups == 1 ? l : larger(s, (l + d->bank_groups - 1) / d->bank_groups);
}

enum { STREAM = 20000 };

static void stream_rate(const struct dram_device *d) {
  struct dram_trace_request *r = blocks(d, STREAM, 1);
  struct run x = drive(d, "sluice", DRAM_REFRESH_NONE, r, STREAM, NULL);
  double ideal = (double)(STREAM * stream_period(d));
  assert_true((double)x.cycles >= ideal && (double)x.cycles <= 1.02 * ideal + 200);
  free(r);
}

static void a_stream_reaches_the_bus_bandwidth_less_what_bank_groups_cost(void **state) {
  (void)state;
  for_each_preset(stream_rate);
}

static void refresh_loss(const struct dram_device *d) {
  if (!d->t.refi)
    return;
  struct dram_trace_request *r = blocks(d, STREAM, 1);
  struct run off = drive(d, "sluice", DRAM_REFRESH_NONE, r, STREAM, NULL);
  struct run on = drive(d, "sluice", DRAM_REFRESH_ALLBANK, r, STREAM, NULL);
  double share = (double)d->t.rfc / d->t.refi; /* of the time; closing and opening rows come on top */
  double least = (double)off.cycles / (1 - share) - d->t.rfc;
  double around = d->t.rtp + d->t.rp + d->t.rcd_rd + d->t.ras + 4.0 * d->t.rrd_l + d->t.faw;
  double most = (double)off.cycles / (1 - share - around / d->t.refi) + d->t.rfc + around;
  if ((double)on.cycles < least || (double)on.cycles > most)
    fail_msg("%s: %llu cycles with refresh, %llu without; expected %.0f..%.0f", d->name,
             (unsigned long long)on.cycles, (unsigned long long)off.cycles, least, most);
  assert_in_range(on.n.refreshes, on.cycles / d->t.refi - 1, on.cycles / d->t.refi);
  free(r);
}

static void refresh_costs_a_stream_rfc_of_every_refi(void **state) {
  (void)state;
  for_each_preset(refresh_loss);
}

enum { PINGPONG = 2000 };

static void pingpong(const struct dram_device *d) {
  struct dram_trace_request *r = xcalloc(PINGPONG, sizeof *r);
  uint64_t stride = dram_device_bytes(d) / d->rows; /* the row is the top of the address */
  for (size_t i = 0; i < PINGPONG; i++)
    r[i].address = i % d->rows * stride;
  struct run x = drive(d, "sluice", DRAM_REFRESH_NONE, r, PINGPONG, NULL);
  uint64_t period = larger(d->t.rc, d->t.rcd_rd + d->t.rtp + d->t.rp);
  period = larger(period, (uint64_t)d->t.ras + d->t.rp);
  uint64_t last = d->t.rcd_rd + d->t.cl + d->burst_cycles;
  assert_int_equal(x.n.activates, PINGPONG);
  assert_in_range(x.cycles, (PINGPONG - 1) * period + last, (PINGPONG - 1) * period + last + 2);
  free(r);
}

static void rows_of_one_bank_alternate_every_trc(void **state) {
  (void)state;
  for_each_preset(pingpong);
}

/* Every request another row, banks in turn: ACTs come as fast as tRRD, tFAW, tAW32 and tRC let them. */
static void activation_rate(const struct dram_device *d) {
  enum { N = 4000 };
  struct dram_trace_request *r = xcalloc(N, sizeof *r);
  struct dram *m = fresh(d, "sluice", DRAM_REFRESH_NONE);
  uint32_t banks = d->bank_groups * d->banks;
  for (uint32_t i = 0; i < N; i++)
    r[i].address =
        at(m, i % d->bank_groups, i / d->bank_groups % d->banks, (uint32_t)(i / banks % d->rows), 0);
  dram_free(m);
  struct dram_options o = {.device = d, .channels = 1};
  struct error err = {0};
  m = dram_new(&o, &err);
  assert_non_null(m);
  uint64_t cycles = dram_drive(m, r, N, &(struct dram_driver){0});
  dram_free(m);
  double four = (double)larger(d->t.faw, 4ull * d->t.rrd_s);
  double gap = four / 4;
  if (d->t.aw32 / 32.0 > gap)
    gap = d->t.aw32 / 32.0;
  if ((double)d->t.rc / banks > gap)
    gap = (double)d->t.rc / banks;
  if (d->bank_groups == 1 && d->t.rrd_l > gap)
    gap = d->t.rrd_l;
  if ((double)stream_period(d) > gap)
    gap = (double)stream_period(d);
  /* An ACT, a PRE and an RD share the command bus where there is one. */
  if (!d->row_and_column_bus && gap < 3)
    gap = 3;
  if ((double)cycles < gap * (N - 40) || (double)cycles > 1.10 * gap * N + 500)
    fail_msg("%s: %llu cycles for %d rows; at %.2f each", d->name, (unsigned long long)cycles, N, gap);
  free(r);
}

static void rows_open_no_faster_and_hardly_slower_than_rrd_and_faw_allow(void **state) {
  (void)state;
  for_each_preset(activation_rate);
}

static void turnarounds(const struct dram_device *d) {
  struct seen s = {0};
  struct error err = {0};
  struct dram_profile p = *dram_profile_default();
  p.write_queue = 0; /* one queue: in order of age */
  p.write_high = p.write_low = 0;
  struct dram *m = dram_new(
      &(struct dram_options){.device = d, .profile = &p, .channels = 1, .log = see, .log_ctx = &s}, &err);
  if (!m)
    fail_msg("%s", err.text);
  one(m, at(m, 0, 0, 1, 0), false); /* opens the row */
  dram_advance(m, dram_cycle(m) + 1000);
  s = (struct seen){0};
  assert_true(dram_push(m, &(struct dram_request){.address = at(m, 0, 0, 1, 1)}));
  dram_tick(m);
  assert_true(dram_push(m, &(struct dram_request){.address = at(m, 0, 0, 1, 2), .write = true}));
  dram_tick(m);
  assert_true(dram_push(m, &(struct dram_request){.address = at(m, 0, 0, 1, 3)}));
  dram_advance(m, dram_cycle(m) + 1000);
  uint64_t bus =
      (uint64_t)d->t.cl + d->burst_cycles > d->t.wl ? (uint64_t)d->t.cl + d->burst_cycles - d->t.wl : 1;
  assert_int_equal(s.count[DRAM_RD], 2);
  assert_int_equal(s.count[DRAM_WR], 1);
  /* The younger read overtakes the write where the turn-around is longer than tCCD_L. */
  uint64_t rtw = larger(d->t.rtw, bus), ccd = larger(d->t.ccd_l, d->burst_cycles);
  if (ccd < rtw)
    assert_int_equal(s.last[DRAM_WR] - s.last[DRAM_RD], rtw);
  s = (struct seen){0};
  assert_true(dram_push(m, &(struct dram_request){.address = at(m, 0, 0, 1, 4), .write = true}));
  dram_tick(m);
  assert_true(dram_push(m, &(struct dram_request){.address = at(m, 0, 0, 1, 5)}));
  dram_advance(m, dram_cycle(m) + 1000);
  assert_int_equal(s.last[DRAM_RD] - s.last[DRAM_WR], d->t.wl + d->burst_cycles + d->t.wtr_l);
  dram_free(m);
}

static void a_write_follows_a_read_after_rtw_and_a_read_a_write_after_wl_burst_wtr(void **state) {
  (void)state;
  for_each_preset(turnarounds);
}

static void lock_step_channels_move_wider_blocks_in_the_same_time(void **state) {
  (void)state;
  struct dram_device d = device("ref-gddr5");
  struct error err = {0};
  for (uint32_t y = 1; y <= 4; y *= 2) {
    struct dram *m = dram_new(&(struct dram_options){.device = &d, .channels = 1, .lockstep = y}, &err);
    assert_non_null(m);
    assert_int_equal(dram_transaction(m), 32 * y);
    assert_int_equal(dram_capacity(m), dram_device_bytes(&d) * y);
    struct dram_trace_request *r = xcalloc(1000, sizeof *r);
    for (size_t i = 0; i < 1000; i++)
      r[i].address = i * dram_transaction(m);
    uint64_t cycles = dram_drive(m, r, 1000, &(struct dram_driver){0});
    assert_in_range(cycles, 2000, 2100);
    struct dram_counters n;
    dram_counters(m, &n);
    assert_int_equal(n.bytes, 1000 * 32 * y);
    free(r);
    dram_free(m);
  }
}

/* Every request another row of one bank, every second one a write where `mixed`. */
static struct run rows_of_one_bank(const struct dram_device *d, enum dram_ideal ideal, bool mixed) {
  enum { N = 2000 };
  struct dram_profile p;
  struct error err = {0};
  assert_true(dram_profile_load(&p, "frfcfs-64", &err));
  struct dram *m = dram_new(
      &(struct dram_options){.device = d, .profile = &p, .channels = 1, .mapping = "bglow", .ideal = ideal},
      &err);
  struct dram_trace_request *r = xcalloc(N, sizeof *r);
  for (uint32_t i = 0; i < N; i++)
    r[i] = (struct dram_trace_request){.address = at(m, 0, 0, (i * 7) % (uint32_t)d->rows, i % d->columns),
                                       .write = mixed && i % 2};
  struct run x = {.cycles = dram_drive(m, r, N, &(struct dram_driver){.as_fast_as_accepted = true})};
  dram_counters(m, &x.n);
  dram_free(m);
  free(r);
  x.cycles /= N;
  return x;
}

static void free_rows(const struct dram_device *d) {
  struct run x = rows_of_one_bank(d, DRAM_IDEAL_ROWS, false);
  assert_int_equal(x.cycles, larger(d->t.ccd_l, d->burst_cycles)); /* as if all were hits */
  assert_int_equal(x.n.activates, 1);
  assert_int_equal(x.n.row_conflicts, 0);
  assert_true(rows_of_one_bank(d, DRAM_IDEAL_NONE, false).cycles + 1 >= d->t.rc); /* N - 1 gaps of N */
}

static void with_free_rows_any_row_is_open(void **state) {
  (void)state;
  for_each_preset(free_rows);
}

static void free_order(const struct dram_device *d) {
  assert_int_equal(rows_of_one_bank(d, DRAM_IDEAL_ORDER, true).cycles, d->burst_cycles);
  assert_int_equal(rows_of_one_bank(d, DRAM_IDEAL_ORDER, false).cycles, d->burst_cycles);
}

static void with_free_order_only_the_data_bus_is_left(void **state) {
  (void)state;
  for_each_preset(free_order);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_unloaded_read_takes_rcd_cl_burst_a_hit_cl_burst_a_conflict_rp_rcd_cl_burst),
      cmocka_unit_test(a_stream_reaches_the_bus_bandwidth_less_what_bank_groups_cost),
      cmocka_unit_test(refresh_costs_a_stream_rfc_of_every_refi),
      cmocka_unit_test(rows_of_one_bank_alternate_every_trc),
      cmocka_unit_test(rows_open_no_faster_and_hardly_slower_than_rrd_and_faw_allow),
      cmocka_unit_test(a_write_follows_a_read_after_rtw_and_a_read_a_write_after_wl_burst_wtr),
      cmocka_unit_test(with_free_rows_any_row_is_open),
      cmocka_unit_test(with_free_order_only_the_data_bus_is_left),
      cmocka_unit_test(lock_step_channels_move_wider_blocks_in_the_same_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
