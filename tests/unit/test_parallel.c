/* Windows, shards and serial points between mocks. */
#include "engine/parallel.h"
#include "check.h"

enum { NODES = 6, LATENCY = 3, HOPS = 2000 };

/* Nodes in a ring pass tokens on. What each saw, and when, must not depend on shards and threads. */
struct node {
  struct engine *e;
  struct port in, *out;
  uint32_t next_unit, prev_unit;
  uint64_t seen, hash;
  bool *halt; /* to be set when it has seen some; NULL: not */
};

struct ring {
  struct parallel_engine c;
  struct node n[NODES];
  uint32_t unit[NODES];
  uint64_t points, calls;
};

static uint64_t pass(void *self, uint64_t cycle) {
  struct node *n = self;
  uint64_t now = n->e->now, *token = port_front(&n->in, now);
  if (token && port_room(n->out, now)) {
    uint64_t t = *token + 1;
    if (++n->seen == 100 && n->halt)
      __atomic_store_n(n->halt, true, __ATOMIC_RELAXED);
    n->hash = (n->hash ^ t ^ cycle << 20) * UINT64_C(0x100000001b3);
    if (t < HOPS) {
      port_push(n->out, now, &t);
      engine_wake(n->e, n->next_unit, now + n->out->data);
    } else {
      n->e->asked = true;
    }
    port_pop(&n->in, now);
    engine_wake(n->e, n->prev_unit, now + n->in.credit);
  }
  uint64_t at = engine_cycle_at(n->e, 0, port_next_message(&n->in));
  return at == NEVER || at > cycle ? at : cycle + 1;
}

static bool done(void *ctx) {
  ((struct ring *)ctx)->calls++;
  return true;
}

static uint64_t point(void *ctx, uint64_t tick) {
  struct ring *r = ctx;
  uint64_t period = r->c.shard[0].period[0];
  for (unsigned i = 0; i < r->c.nshards; i++) /* all before it is simulated, nothing of it */
    assert_true(r->c.shard[i].now < tick);
  assert_int_equal(tick, (r->points + 1) * 100 * period);
  r->points++;
  return tick + 100 * period;
}

static void make_ring(struct ring *r, unsigned shards, unsigned threads, bool no_skip) {
  *r = (struct ring){0};
  parallel_init(&r->c, (const uint64_t[]){1}, 1, shards, threads);
  uint64_t period = r->c.shard[0].period[0];
  for (unsigned i = 0; i < NODES; i++) {
    struct engine *e = &r->c.shard[i * shards / NODES];
    e->no_skip = no_skip;
    r->n[i].e = e;
    r->unit[i] = engine_add(e, "node", 0, &r->n[i], pass);
    port_init(&r->n[i].in, 4, sizeof(uint64_t), LATENCY * period, LATENCY * period);
    parallel_border(&r->c, &r->n[i].in);
  }
  for (unsigned i = 0; i < NODES; i++) {
    r->n[i].out = &r->n[(i + 1) % NODES].in;
    r->n[i].next_unit = r->unit[(i + 1) % NODES];
    r->n[i].prev_unit = r->unit[(i + NODES - 1) % NODES];
  }
  parallel_ready(&r->c);
  assert_int_equal(r->c.window, LATENCY * period);
  for (uint64_t i = 0; i < 3; i++) { /* three tokens, not at the same place */
    port_push(&r->n[2 * i].in, i * period, &i);
    engine_wake(r->n[2 * i].e, r->unit[2 * i], port_next_message(&r->n[2 * i].in));
  }
  parallel_point(&r->c, 100 * period, point, r);
}

static void run_made(struct ring *r, bool no_skip) {
  uint64_t period = r->c.shard[0].period[0];
  enum parallel_end how = parallel_run(&r->c, 10000 * period, done, r, NULL);
  assert_int_equal(how, no_skip ? PARALLEL_LIMIT : PARALLEL_ASLEEP);
}

static void run_ring(struct ring *r, unsigned shards, unsigned threads, bool no_skip) {
  make_ring(r, shards, threads, no_skip);
  run_made(r, no_skip);
}

static void free_ring(struct ring *r) {
  for (unsigned i = 0; i < NODES; i++)
    port_destroy(&r->n[i].in);
  parallel_destroy(&r->c);
}

/* A token takes LATENCY cycles for each hop, so the last one of HOPS ends that many cycles later. */
static void lanes_threads_and_skipping_change_nothing(void **state) {
  (void)state;
  static const unsigned how[][3] = {{1, 1, 1}, {2, 1, 0}, {2, 2, 0}, {3, 3, 0}, {6, 2, 0}, {6, 6, 1}};
  static const struct {
    bool adapts;
    uint64_t delay;
  } also[] = {
      {false, 0}, {true, 0}, {false, 1}, {false, 2}}; /* all threads run, some, any number with delays */
  struct ring one, other;
  run_ring(&one, 1, 1, false);
  uint64_t seen = 0;
  for (unsigned i = 0; i < NODES; i++)
    seen += one.n[i].seen;
  assert_int_equal(seen, 3 * HOPS - 3); /* they start at 0, 1 and 2 */
  assert_int_equal(one.calls, 3);
  assert_int_equal(one.points, HOPS * LATENCY / 100);
  for (size_t n = 0; n < sizeof how / sizeof *how * 4; n++) {
    size_t k = n / 4;
    make_ring(&other, how[k][0], how[k][1], how[k][2]);
    other.c.adapts = also[n % 4].adapts, other.c.delay = also[n % 4].delay;
    run_made(&other, how[k][2]);
    for (unsigned i = 0; i < NODES; i++) {
      assert_int_equal(other.n[i].seen, one.n[i].seen);
      assert_int_equal(other.n[i].hash, one.n[i].hash);
    }
    assert_int_equal(other.calls, one.calls);
    free_ring(&other);
  }
  free_ring(&one);
}

/* Threads rest between runs: a run in pieces is the same run. */
static void runs_follow_each_other(void **state) {
  (void)state;
  struct ring one, r;
  run_ring(&one, 1, 1, false);
  for (uint64_t delay = 0; delay < 3; delay++) {
    make_ring(&r, 6, 4, false);
    r.c.delay = delay;
    uint64_t period = r.c.shard[0].period[0], until = 0;
    do
      until += 501 * period;
    while (parallel_run(&r.c, until, done, &r, NULL) == PARALLEL_LIMIT);
    for (unsigned i = 0; i < NODES; i++)
      assert_int_equal(r.n[i].hash, one.n[i].hash);
    free_ring(&r);
  }
  free_ring(&one);
}

/* Another thread comes and goes: while it is there, one of the threads rests, and the numbers stay. */
struct guest {
  struct ring r;
  uint64_t asked;
  bool there;
};
static bool comes_and_goes(void *guest) {
  struct guest *g = guest;
  return g->there = g->asked++ % 2 == 0;
}
static uint64_t look(void *guest, uint64_t tick) {
  struct guest *g = guest;
  assert_true(g->r.c.own.active <= 4u - g->there);
  g->r.points++;
  return tick + 100 * g->r.c.shard[0].period[0];
}
static unsigned much_room(unsigned ours) {
  (void)ours;
  return 64;
}

static void a_guest_has_a_processor(void **state) {
  (void)state;
  struct ring one;
  struct guest g = {0};
  run_ring(&one, 1, 1, false);
  make_ring(&g.r, 6, 4, false);
  parallel_forget(&g.r.c);
  parallel_point(&g.r.c, 1, look, &g);
  g.r.c.adapts = true;
  g.r.c.pace.room = much_room;
  g.r.c.pace.level = g.r.c.pace.levels - 1, g.r.c.pace.threads = 4; /* as if four had been found to be best */
  g.r.c.guest = comes_and_goes, g.r.c.guest_ctx = &g;
  run_made(&g.r, false);
  assert_true(g.asked > 0 && g.r.points > 1);
  for (unsigned i = 0; i < NODES; i++)
    assert_int_equal(g.r.n[i].hash, one.n[i].hash);
  free_ring(&g.r);
  free_ring(&one);
}

/* A shard that wants to stop stops all of them, after the same window. */
static void any_lane_can_stop_all(void **state) {
  (void)state;
  static const unsigned how[][2] = {{1, 1}, {3, 1}, {2, 2}, {3, 3}, {6, 6}};
  uint64_t windows = 0;
  for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
    struct ring r;
    bool halted = false;
    make_ring(&r, how[k][0], how[k][1], false);
    r.n[NODES - 1].halt = &halted;
    assert_int_equal(parallel_run(&r.c, NEVER, done, &r, &halted), PARALLEL_STOPPED);
    windows = k ? windows : r.c.own.windows;
    assert_int_equal(r.c.own.windows, windows);
    free_ring(&r);
  }
}

/* A profiler that counts its readings sees one between two of them: of every shard in every window, and before it. */
static uint64_t readings(void *ctx) {
  return ++*(uint64_t *)ctx;
}

static void every_lane_and_window_is_metered(void **state) {
  (void)state;
  for (unsigned shards = 1; shards <= 6; shards += 5) {
    struct ring r;
    uint64_t n = 0;
    struct profiler m = {.read = readings, .ctx = &n};
    make_ring(&r, shards, 1, false);
    r.c.profiler = &m;
    parallel_run(&r.c, NEVER, done, &r, NULL);
    assert_int_equal(m.n, r.c.own.windows * (shards + 1));
    for (size_t i = 0; i < m.n; i++)
      assert_int_equal(m.count[i], 1);
    assert_int_equal(m.between, 1); /* after the last */
    free(m.count);
    free_ring(&r);
  }
}

/* Where clocks are the same, a border of less than a cycle still leaves a window of one. */
static void windows_follow_from_the_borders(void **state) {
  (void)state;
  static const uint64_t same[] = {700, 700}, different[] = {700, 924};
  for (int i = 0; i < 2; i++) {
    struct parallel_engine c;
    struct port p;
    struct node n = {0};
    parallel_init(&c, i ? different : same, 2, 1, 1);
    engine_add(&c.shard[0], "a", 0, &n, pass);
    engine_add(&c.shard[0], "b", 1, &n, pass);
    port_init(&p, 4, 8, 1, c.shard[0].period[0]);
    parallel_border(&c, &p);
    parallel_ready(&c);
    assert_int_equal(c.window, i ? 1 : c.shard[0].period[0]);
    port_destroy(&p);
    parallel_destroy(&c);
  }
}

/* Beyond the ring and back: calls and wishes hundreds of cycles away are kept, whoever comes first. */
static uint64_t doze(void *self, uint64_t cycle) {
  uint64_t *log = self;
  log[++log[0]] = cycle;
  return cycle < 2000 ? cycle + 700 : NEVER;
}

static void far_events_come_in_time(void **state) {
  (void)state;
  struct engine e;
  uint64_t log[16] = {0};
  engine_init(&e, (const uint64_t[]){1}, 1);
  uint32_t u = engine_add(&e, "dozer", 0, log, doze);
  assert_true(engine_step(&e, NEVER)); /* 0, wants 700 */
  engine_wake(&e, u, 300 * e.period[0]);
  engine_wake(&e, u, 200 * e.period[0]);
  while (engine_step(&e, NEVER)) {
  }
  static const uint64_t expected[] = {0, 200, 900, 1600, 2300};
  assert_int_equal(log[0], 5);
  for (int i = 0; i < 5; i++)
    assert_int_equal(log[i + 1], expected[i]);
  engine_destroy(&e);
}

/* Units with random steps, some beyond the ring, each at the cycles it asked for and in no others. */
struct walker {
  uint64_t seed, expects, runs;
};

static uint64_t walk(void *self, uint64_t cycle) {
  struct walker *w = self;
  assert_int_equal(cycle, w->expects);
  w->seed ^= w->seed << 13, w->seed ^= w->seed >> 7, w->seed ^= w->seed << 17;
  w->runs++;
  w->expects = w->runs < 300 ? cycle + 1 + w->seed % 400 : NEVER;
  return w->expects;
}

static void nobody_near_passes_somebody_far(void **state) {
  (void)state;
  struct engine e;
  struct walker w[5];
  engine_init(&e, (const uint64_t[]){700, 924}, 2);
  for (uint32_t i = 0; i < 5; i++) {
    w[i] = (struct walker){.seed = 88172645463325252u + i};
    engine_add(&e, "walker", i % 2, &w[i], walk);
  }
  uint64_t before = 0;
  while (engine_step(&e, NEVER)) {
    assert_true(e.now >= before);
    before = e.now;
  }
  for (int i = 0; i < 5; i++)
    assert_int_equal(w[i].runs, 300);
  engine_destroy(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_threads_and_skipping_change_nothing),
      cmocka_unit_test(runs_follow_each_other),
      cmocka_unit_test(a_guest_has_a_processor),
      cmocka_unit_test(any_lane_can_stop_all),
      cmocka_unit_test(every_lane_and_window_is_metered),
      cmocka_unit_test(windows_follow_from_the_borders),
      cmocka_unit_test(far_events_come_in_time),
      cmocka_unit_test(nobody_near_passes_somebody_far),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
