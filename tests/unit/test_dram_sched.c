/* Schedulers of the memory controller: the order that each one's rule gives, worked by hand. Row conflicts of one bank follow each
 * other, so that the order of answers is the order in which the controller chose. */
#include "check.h"

#include "dram/dram.h"
#include "tech.h"

extern const struct sluice_technique technique_parbs, technique_bliss, technique_frfcfs, technique_fcfs;

struct request {
  const char *name;
  uint32_t sm, bank, row, column;
};

struct bench {
  struct rig rig;
  struct dram_device device;
  struct dram *dram;
  void *state; /* of the only controller */
};

static void *open_state(void *ctx, uint32_t channel, const struct sluice_dram_queue *queue) {
  struct bench *b = ctx;
  assert_int_equal(channel, 0);
  b->state = b->rig.t->dram_scheduler->open(&b->rig.env, queue);
  return b->state;
}

/* Call rig_init() first. */
static void bench_open(struct bench *b, const char *profile, enum dram_refresh refresh, bool no_skip) {
  struct dram_profile p;
  struct error err = {0};
  const char *text = strchr(profile, '{');
  assert_true(dram_device_load(&b->device, refresh ? "ref-gddr5" : "gddr5-gtx480", &err));
  assert_true(text ? dram_profile_parse(&p, text, strlen(text), "profile", &err)
                   : dram_profile_load(&p, profile, &err));
  b->state = NULL;
  b->dram = dram_new(&(struct dram_options){.device = &b->device,
                                            .profile = &p,
                                            .mapping = "bglow",
                                            .channels = 1,
                                            .refresh = refresh,
                                            .no_skip = no_skip,
                                            .scheduler = {b->rig.t->dram_scheduler, open_state, b}},
                     &err);
  if (!b->dram)
    fail_msg("%s", err.text);
}

static void bench_close(struct bench *b) {
  dram_free(b->dram);
  if (b->state)
    b->rig.t->dram_scheduler->close(b->state);
}

static void push(struct bench *b, const struct request *r, uint64_t tag) {
  struct dram_place p = {.bank = 0};
  p.field[DRAM_BANK] = r->bank;
  p.field[DRAM_ROW] = r->row;
  p.field[DRAM_COLUMN] = r->column;
  assert_true(dram_push(
      b->dram, &(struct dram_request){
                   .address = dram_map_address(dram_mapping(b->dram), &p), .tag = tag, .sm = r->sm}));
}

/* Hands all of them over at once; the names of those of bank 0, in the order of their answers. */
static const char *served(struct bench *b, const struct request *r, size_t n) {
  static char names[200];
  size_t left = n;
  names[0] = '\0';
  for (size_t i = 0; i < n; i++)
    push(b, &r[i], i);
  for (int k = 0; left && k < 100000; k++) {
    struct dram_completion c;
    dram_tick(b->dram);
    for (; dram_pop(b->dram, &c); left--)
      if (r[c.tag].bank == 0)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? " " : "",
                 r[c.tag].name);
  }
  assert_int_equal(left, 0);
  return names;
}

#define COUNT(a) (sizeof(a) / sizeof *(a))
enum { A, B, C, D };

/* Threads A, B and C, one bank. The letter is the thread's, rows as given. */
static const struct request mixed[] = {{"a0", A, 0, 1, 0}, {"b1", B, 0, 2, 0}, {"a2", A, 0, 1, 1},
                                       {"a3", A, 0, 1, 2}, {"a4", A, 0, 1, 3}, {"c5", C, 0, 3, 0},
                                       {"b6", B, 0, 2, 1}, {"c7", C, 0, 1, 4}};

static void frfcfs_serves_hits_first_then_the_oldest(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_frfcfs);
  bench_open(&b, "frfcfs-64", DRAM_REFRESH_NONE, false);
  assert_string_equal(served(&b, mixed, COUNT(mixed)), "a0 a2 a3 a4 c7 b1 b6 c5");
  bench_close(&b);
}

static void fcfs_serves_the_oldest(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_fcfs);
  bench_open(&b, "frfcfs-64", DRAM_REFRESH_NONE, false);
  assert_string_equal(served(&b, mixed, COUNT(mixed)), "a0 b1 a2 a3 a4 c5 b6 c7");
  bench_close(&b);
}

/* Marking-Cap 2. a0 comes alone and is a batch. With its end the next is formed: b1, a2, a3, c5, b6, c7; a4 is A's third. All threads
 * have two requests, so that A ranks before B before C. Marked hits of row 1 by rank: a2, a3, c7; then by rank b1 and, now a
 * hit, b6; then c5. The last batch is a4. */
static void parbs_serves_batches_of_at_most_the_cap_per_thread_and_bank(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_parbs);
  rig_set(&b.rig, "cap", 2);
  bench_open(&b, "frfcfs-64", DRAM_REFRESH_NONE, false);
  assert_string_equal(served(&b, mixed, COUNT(mixed)), "a0 a2 a3 c7 b1 b6 c5 a4");
  assert_int_equal(rig_count(&b.rig, "batches"), 3);
  assert_int_equal(rig_count(&b.rig, "marked"), 8);
  assert_int_equal(rig_count(&b.rig, "threads"), 1 + 3 + 1);
  assert_int_equal(rig_count(&b.rig, "served_unmarked"), 0);
  bench_close(&b);
}

/* Shortest job first. Of the batch behind d0, thread A has two requests to bank 0 (max 2, total 2), B one to each of three banks (max 1,
 * total 3), C one (max 1, total 1): C ranks first by its total, B before A by its max. */
static void parbs_ranks_threads_by_max_then_total(void **state) {
  (void)state;
  static const struct request r[] = {{"d0", D, 0, 1, 0}, {"a1", A, 0, 2, 0}, {"a2", A, 0, 3, 0},
                                     {"b3", B, 0, 4, 0}, {"c4", C, 0, 5, 0}, {"b5", B, 1, 1, 0},
                                     {"b6", B, 2, 1, 0}};
  struct bench b;
  rig_init(&b.rig, &technique_parbs);
  bench_open(&b, "frfcfs-64", DRAM_REFRESH_NONE, false);
  assert_string_equal(served(&b, r, COUNT(r)), "d0 c4 b3 a1 a2");
  bench_close(&b);
}

/* Warps of one SM are threads of their own. */
static void parbs_can_take_warps_as_threads(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_parbs);
  rig_choose(&b.rig, "thread", "warp");
  const struct sluice_dram_scheduler *s = b.rig.t->dram_scheduler;
  void *p = s->open(&b.rig.env, &(struct sluice_dram_queue){.banks = 4, .entries = 8});
  struct sluice_dram_entry first = {.sm = 1, .warp = 2}, more[] = {{.age = 1, .sm = 1, .warp = 3},
                                                                   {.age = 2, .sm = 1, .warp = 3},
                                                                   {.age = 3, .sm = 1, .warp = 5}};
  assert_true(s->arrived(p, &first, 0));
  for (int i = 0; i < 3; i++)
    assert_false(s->arrived(p, &more[i], 0));
  assert_true(s->order(p, &first, false) < s->order(p, &more[0], true)); /* marked before hits */
  assert_true(s->served(p, &first, 9));
  assert_true(s->order(p, &more[2], false) < s->order(p, &more[0], false)); /* one request before two */
  assert_true(s->order(p, &more[0], true) < s->order(p, &more[2], false));  /* hits before ranks */
  s->close(p);
}

/* Where writes have a queue of their own, only reads are marked; else write-backs are a thread. */
static void parbs_marks_writes_only_where_they_share_the_queue(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_parbs);
  const struct sluice_dram_scheduler *s = b.rig.t->dram_scheduler;
  for (int apart = 0; apart < 2; apart++) {
    void *p =
        s->open(&b.rig.env, &(struct sluice_dram_queue){.banks = 4, .entries = 8, .writes_apart = apart});
    struct sluice_dram_entry w = {.sm = SLUICE_NONE, .warp = SLUICE_NONE, .write = true};
    assert_int_equal(s->arrived(p, &w, 0), !apart);
    assert_int_equal(w.mark, !apart);
    s->close(p);
  }
}

/* The counter is 0 at A's first request and exceeds 4 at the sixth in a row: then B goes first although A's row is open, and A again
 * when nobody else waits. */
static void bliss_blacklists_a_thread_after_a_run_of_requests(void **state) {
  (void)state;
  static const struct request r[] = {
      {"a1", A, 0, 1, 0}, {"b1", B, 0, 2, 0}, {"a2", A, 0, 1, 1}, {"a3", A, 0, 1, 2}, {"a4", A, 0, 1, 3},
      {"a5", A, 0, 1, 4}, {"a6", A, 0, 1, 5}, {"a7", A, 0, 1, 6}, {"a8", A, 0, 1, 7}, {"b2", B, 0, 2, 1}};
  static const struct request again[] = {{"a", A, 0, 7, 0}, {"b", B, 0, 8, 0}, {"c", C, 0, 9, 0}};
  struct bench b;
  rig_init(&b.rig, &technique_bliss);
  bench_open(&b, "frfcfs-64", DRAM_REFRESH_NONE, false);
  assert_string_equal(served(&b, r, COUNT(r)), "a1 a2 a3 a4 a5 a6 b1 b2 a7 a8");
  assert_int_equal(rig_count(&b.rig, "blacklisted"), 1);
  assert_int_equal(rig_count(&b.rig, "served_listed"), 2);
  /* up to cycle 10,000 A is on the list; then it is cleared, and the oldest goes first again */
  dram_advance(b.dram, 9000);
  assert_string_equal(served(&b, again, COUNT(again)), "b c a");
  dram_advance(b.dram, 10000);
  assert_string_equal(served(&b, again, COUNT(again)), "a b c");
  assert_int_equal(rig_count(&b.rig, "clears"), 1);
  bench_close(&b);
}

/* A write-back ends no run of requests. Every 10,000 cycles nobody is on the list any more. */
static void bliss_clears_the_list_every_interval(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_bliss);
  const struct sluice_dram_scheduler *s = b.rig.t->dram_scheduler;
  void *p = s->open(&b.rig.env, &(struct sluice_dram_queue){.banks = 4, .entries = 8});
  struct sluice_dram_entry a = {.sm = A}, other = {.sm = B}, write = {.sm = SLUICE_NONE, .write = true};
  for (int i = 0; i < 5; i++) {
    assert_false(s->served(p, &a, 0));
    assert_false(s->served(p, &write, 0)); /* of no thread: it does not end the run */
  }
  assert_true(s->served(p, &a, 0));
  assert_true(s->order(p, &other, false) < s->order(p, &a, true));
  assert_int_equal(s->next(p, 0), 10000);
  s->elapsed(p, 10000);
  assert_true(s->order(p, &a, true) < s->order(p, &other, false));
  assert_int_equal(s->next(p, 10000), 20000);
  s->close(p);
}

/* Random requests of four threads; the sum over answers of tag x time of the answer. */
static uint64_t traffic(const struct sluice_technique *t, const char *profile, enum dram_refresh refresh,
                        bool no_skip) {
  struct bench b;
  rig_init(&b.rig, t);
  if (t == &technique_bliss)
    rig_set(&b.rig, "interval", 300);
  bench_open(&b, profile, refresh, no_skip);
  enum { N = 600 };
  uint64_t x = 88172645463325252u, sum = 0, got = 0;
  for (uint64_t i = 0; got < N; dram_tick(b.dram)) {
    struct dram_completion c;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    if (i < N && x % 3 == 0 &&
        dram_push(b.dram, &(struct dram_request){.address = (x >> 8) % 4096 * 64,
                                                 .tag = i,
                                                 .write = x >> 32 & 1,
                                                 .sm = (uint32_t)(x >> 40 & 3)}))
      i++;
    if (i == N)
      dram_flush(b.dram);
    for (; dram_pop(b.dram, &c); got++)
      sum += (c.tag + 1) * c.done;
    assert_true(dram_cycle(b.dram) < 100000);
  }
  bench_close(&b);
  return sum;
}

static void results_do_not_depend_on_skipped_cycles(void **state) {
  (void)state;
  static const struct sluice_technique *const all[] = {&technique_parbs, &technique_bliss};
  static const char *const profiles[] = {"frfcfs-64", "sluice", "sluice-single",
                                         "{base: sluice, page: timeout, page_timeout: 30, row_hit_cap: 2}",
                                         "{base: frfcfs-16, page: closed, age_limit: 200, row_hit_cap: 3}"};
  for (size_t i = 0; i < COUNT(all); i++)
    for (size_t k = 0; k < COUNT(profiles); k++)
      for (int refresh = 0; refresh < 2; refresh++)
        assert_int_equal(traffic(all[i], profiles[k], (enum dram_refresh)refresh, false),
                         traffic(all[i], profiles[k], (enum dram_refresh)refresh, true));
}

static void controllers_that_pin_requests_are_refused(void **state) {
  (void)state;
  static const char *const names[] = {"like-dramsim3", "like-ramulator2"};
  static const struct sluice_technique *const all[] = {&technique_parbs, &technique_bliss, &technique_fcfs};
  struct dram_device d;
  struct error err = {0};
  assert_true(dram_device_load(&d, "gddr5-gtx480", &err));
  for (size_t i = 0; i < 6; i++) {
    struct dram_profile p;
    assert_true(dram_profile_load(&p, names[i % 2], &err));
    assert_null(dram_new(
        &(struct dram_options){.device = &d, .profile = &p, .scheduler = {.ops = all[i / 2]->dram_scheduler}},
        &err));
    assert_contains(err.text, names[i % 2]);
    error_clear(&err);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frfcfs_serves_hits_first_then_the_oldest),
      cmocka_unit_test(fcfs_serves_the_oldest),
      cmocka_unit_test(parbs_serves_batches_of_at_most_the_cap_per_thread_and_bank),
      cmocka_unit_test(parbs_ranks_threads_by_max_then_total),
      cmocka_unit_test(parbs_can_take_warps_as_threads),
      cmocka_unit_test(parbs_marks_writes_only_where_they_share_the_queue),
      cmocka_unit_test(bliss_blacklists_a_thread_after_a_run_of_requests),
      cmocka_unit_test(bliss_clears_the_list_every_interval),
      cmocka_unit_test(results_do_not_depend_on_skipped_cycles),
      cmocka_unit_test(controllers_that_pin_requests_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
