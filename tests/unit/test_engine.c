/* Time between mocks: edges at exact ratios, sleeping and waking, ports. */
#include "engine/engine.h"
#include "check.h"

struct ticker {
  struct engine *e;
  unsigned domain;
  uint64_t edges, last, period; /* period: runs by itself every so many cycles; NEVER: sleeps */
  bool exact;
};

static uint64_t tick(void *self, uint64_t cycle) {
  struct ticker *t = self;
  t->exact &= t->e->now == cycle * t->e->period[t->domain] && engine_cycle(t->e, t->domain) == cycle;
  t->edges++;
  t->last = cycle;
  return t->period == NEVER ? NEVER : cycle + t->period;
}

/* Edges of all domains up to an instant at which they coincide: as many as the frequencies say, none lost, none extra. */
static void check_ratio(const uint64_t *frequency, unsigned n, uint64_t times) {
  struct engine e;
  struct ticker t[ENGINE_DOMAINS];
  engine_init(&e, frequency, n);
  for (unsigned i = 0; i < n; i++) {
    t[i] = (struct ticker){.e = &e, .domain = i, .period = 1, .exact = true};
    engine_add(&e, "ticker", i, &t[i], tick);
    assert_int_equal(e.period[i] * frequency[i], e.period[0] * frequency[0]);
  }
  uint64_t until = e.period[0] * frequency[0] * times;
  while (engine_step(&e, until)) {
  }
  for (unsigned i = 0; i < n; i++) {
    assert_int_equal(t[i].edges, frequency[i] * times);
    assert_int_equal(t[i].last, frequency[i] * times - 1);
    assert_true(t[i].exact);
  }
  engine_destroy(&e);
}

static void clocks_never_drift(void **state) {
  (void)state;
  check_ratio((const uint64_t[]){700, 924}, 2, 1000);
  check_ratio((const uint64_t[]){1400, 700, 1150}, 3, 700);
  check_ratio((const uint64_t[]){700, 700, 700, 924}, 4, 500);
  check_ratio((const uint64_t[]){1, 1, 1, 1}, 4, 1000);
  check_ratio((const uint64_t[]){1447, 1441, 1433, 1753}, 4, 300); /* no common factor */
}

static void edges_of_a_million_ticks(void **state) {
  (void)state;
  static const uint64_t frequency[] = {1400, 700, 1150};
  struct engine e;
  struct ticker t[3];
  engine_init(&e, frequency, 3);
  for (unsigned i = 0; i < 3; i++) {
    t[i] = (struct ticker){.e = &e, .domain = i, .period = 1, .exact = true};
    engine_add(&e, "ticker", i, &t[i], tick);
  }
  while (engine_step(&e, 1000000)) {
  }
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(t[i].edges, (1000000 + e.period[i] - 1) / e.period[i]); /* the first is at 0 */
    assert_true(t[i].exact);
  }
  engine_destroy(&e);
}

/* Time that is skipped does not move the edges that follow. */
static void clocks_never_drift_while_asleep(void **state) {
  (void)state;
  static const uint64_t frequency[] = {700, 924};
  struct engine e;
  struct ticker t[2];
  engine_init(&e, frequency, 2);
  for (unsigned i = 0; i < 2; i++) {
    t[i] = (struct ticker){.e = &e, .domain = i, .period = i ? 9973 : 13, .exact = true};
    engine_add(&e, "ticker", i, &t[i], tick);
  }
  uint64_t until = e.period[0] * 700 * 2000;
  while (engine_step(&e, until)) {
  }
  assert_int_equal(t[0].edges, (1400000 + 12) / 13);
  assert_int_equal(t[1].edges, (1848000 + 9972) / 9973);
  assert_true(t[0].exact && t[1].exact);
  engine_destroy(&e);
}

static void sleepers_run_when_called(void **state) {
  (void)state;
  static const uint64_t frequency[] = {700, 924};
  struct engine e;
  struct ticker sleeper = {.e = &e, .domain = 1, .period = NEVER, .exact = true};
  engine_init(&e, frequency, 2);
  uint32_t u = engine_add(&e, "sleeper", 1, &sleeper, tick);
  assert_true(engine_step(&e, NEVER)); /* everybody runs at 0 */
  assert_false(engine_step(&e, NEVER));
  uint64_t p = e.period[1];
  engine_wake(&e, u, 10 * p); /* on an edge: at that one */
  engine_wake(&e, u, 12 * p); /* a later call does not replace an earlier one */
  assert_true(engine_step(&e, NEVER));
  assert_int_equal(sleeper.last, 10);
  engine_wake(&e, u, 20 * p + 1);        /* just missed: the next */
  assert_false(engine_step(&e, 21 * p)); /* `until` is not simulated */
  assert_true(engine_step(&e, 21 * p + 1));
  assert_int_equal(sleeper.last, 21);
  assert_int_equal(sleeper.edges, 3);
  engine_wake(&e, u, e.now + 1);
  assert_true(engine_step(&e, NEVER));
  assert_int_equal(sleeper.last, 22);
  assert_true(sleeper.exact);
  engine_destroy(&e);
}

/* Running earlier, by itself, does not use up a later call. */
static void a_call_outlasts_an_earlier_run(void **state) {
  (void)state;
  struct engine e;
  struct ticker t = {.e = &e, .period = 4, .exact = true};
  engine_init(&e, (const uint64_t[]){1}, 1);
  uint32_t u = engine_add(&e, "ticker", 0, &t, tick);
  assert_true(engine_step(&e, NEVER)); /* 0, wants 4 */
  engine_wake(&e, u, 6 * e.period[0]);
  assert_true(engine_step(&e, NEVER));
  assert_int_equal(t.last, 4);
  t.period = NEVER;
  assert_true(engine_step(&e, NEVER));
  assert_int_equal(t.last, 6);
  assert_false(engine_step(&e, NEVER));
  engine_destroy(&e);
}

static void a_port_takes_its_latency(void **state) {
  (void)state;
  struct port p;
  port_init(&p, 4, sizeof(uint32_t), 7, 3);
  assert_true(port_empty(&p));
  assert_int_equal(port_next_message(&p), NEVER);
  uint32_t v = 42;
  port_push(&p, 100, &v);
  assert_int_equal(port_next_message(&p), 107);
  assert_null(port_front(&p, 106));
  assert_int_equal(*(uint32_t *)port_front(&p, 107), 42);
  port_pop(&p, 110);
  assert_true(port_empty(&p));
  port_destroy(&p);
  port_init(&p, 1, sizeof(uint32_t), 0, 0); /* never in the same instant */
  port_push(&p, 5, &v);
  assert_null(port_front(&p, 5));
  assert_non_null(port_front(&p, 6));
  port_pop(&p, 6);
  assert_false(port_room(&p, 6));
  assert_true(port_room(&p, 7));
  port_destroy(&p);
}

static void slots_come_back_after_their_latency(void **state) {
  (void)state;
  struct port p;
  port_init(&p, 3, sizeof(uint32_t), 1, 5); /* three slots in a ring of four */
  for (uint32_t i = 0; i < 3; i++) {
    assert_true(port_room(&p, 0));
    port_push(&p, 0, &i);
  }
  assert_false(port_room(&p, 0));
  assert_int_equal(port_next_room(&p), NEVER); /* nobody has read */
  assert_false(port_room(&p, 1000));
  assert_int_equal(*(uint32_t *)port_front(&p, 1000), 0);
  port_pop(&p, 1000);
  assert_false(port_room(&p, 1004));
  assert_int_equal(port_next_room(&p), 1005);
  assert_true(port_room(&p, 1005));
  uint32_t v = 3;
  port_push(&p, 1005, &v);
  assert_false(port_room(&p, 1005));
  for (uint32_t i = 1; i < 4; i++) {
    assert_int_equal(*(uint32_t *)port_front(&p, 1006), i);
    port_pop(&p, 1006);
  }
  assert_true(port_empty(&p));
  port_destroy(&p);
}

/* A sender that fills every slot it sees gets capacity messages per round trip: data + credit, in cycles of both. */
static void credits_bound_the_rate(void **state) {
  (void)state;
  for (uint32_t capacity = 1; capacity <= 8; capacity++) {
    struct port p;
    uint32_t sent = 0, seen = 0;
    port_init(&p, capacity, sizeof(uint32_t), 6, 2);
    for (uint64_t now = 0; now < 8000; now++) {
      uint32_t *m = port_front(&p, now);
      if (m) {
        assert_int_equal(*m, seen);
        seen++;
        port_pop(&p, now);
      }
      if (port_room(&p, now)) {
        port_push(&p, now, &sent);
        sent++;
      }
    }
    assert_int_equal(sent, capacity * 1000);
    assert_in_range(seen, sent - capacity, sent);
    port_destroy(&p);
  }
}

/* The same between units that sleep: the sender until a slot comes back, as far as it knows, the receiver until a message. */
struct pair {
  struct engine e;
  struct port p;
  uint32_t sender, receiver, sent, seen;
};

static uint64_t fill(void *self, uint64_t cycle) {
  struct pair *t = self;
  (void)cycle;
  for (; port_room(&t->p, t->e.now); t->sent++) {
    port_push(&t->p, t->e.now, &t->sent);
    engine_wake(&t->e, t->receiver, t->e.now + t->p.data);
  }
  return engine_cycle_at(&t->e, 0, port_next_room(&t->p));
}

static uint64_t take(void *self, uint64_t cycle) {
  struct pair *t = self;
  (void)cycle;
  const uint32_t *m = port_front(&t->p, t->e.now);
  if (m) {
    assert_int_equal(*m, t->seen);
    t->seen++;
    engine_pop(&t->e, &t->p, t->sender);
  }
  uint64_t next = port_next_message(&t->p);
  return engine_cycle_at(&t->e, 0, next <= t->e.now ? t->e.now + 1 : next);
}

static void a_sender_without_room_is_called_when_there_is(void **state) {
  (void)state;
  for (uint32_t capacity = 1; capacity <= 8; capacity++) {
    struct pair t = {0};
    engine_init(&t.e, (const uint64_t[]){700}, 1);
    port_init(&t.p, capacity, sizeof(uint32_t), 6 * t.e.period[0], 2 * t.e.period[0]);
    t.receiver = engine_add(&t.e, "receiver", 0, &t, take);
    t.sender = engine_add(&t.e, "sender", 0, &t, fill);
    while (engine_step(&t.e, 8000 * t.e.period[0])) {
    }
    assert_int_equal(t.sent, capacity * 1000);
    assert_in_range(t.seen, t.sent - capacity, t.sent);
    port_destroy(&t.p);
    engine_destroy(&t.e);
  }
}

/* The same if a unit's cycles of a window follow each other, whoever comes first: no latency is shorter than the window. */
static void windows_by_unit_give_the_same(void **state) {
  (void)state;
  enum { WINDOW = 3, DATA = 5, CYCLES = 7992 };
  for (uint32_t capacity = 1; capacity <= 8; capacity++)
    for (int first = 0; first < 2; first++) {
      struct pair t = {0};
      engine_init(&t.e, (const uint64_t[]){700, 924}, 2);
      uint64_t period = t.e.period[0];
      t.e.by_unit = true;
      port_init(&t.p, capacity, sizeof(uint32_t), DATA * period, WINDOW * period);
      if (first)
        t.sender = engine_add(&t.e, "sender", 0, &t, fill);
      t.receiver = engine_add(&t.e, "receiver", 0, &t, take);
      if (!first)
        t.sender = engine_add(&t.e, "sender", 0, &t, fill);
      for (uint64_t end = WINDOW; end <= CYCLES; end += WINDOW)
        engine_run(&t.e, end * period);
      /* a burst of `capacity` messages, read one per cycle; the next burst's slots come back one per cycle */
      assert_int_equal(t.sent, capacity * (CYCLES / (DATA + WINDOW)));
      assert_in_range(t.seen, t.sent - capacity, t.sent);
      assert_int_equal(engine_cycle(&t.e, 1), t.e.now / t.e.period[1]); /* a clock without units keeps time */
      port_destroy(&t.p);
      engine_destroy(&t.e);
    }
}

/* Units of two clocks: whoever runs a window as a whole does the same in the same cycles as whoever goes cycle by cycle. */
struct crossing {
  struct engine e;
  struct port p;
  uint32_t sender, receiver, sent, seen;
  uint64_t hash;
};

static void note(struct crossing *t, uint64_t what, uint64_t cycle) {
  t->hash = t->hash * UINT64_C(0x100000001b3) + (what << 32 ^ cycle);
}

static uint64_t fill_across(void *self, uint64_t cycle) {
  struct crossing *t = self;
  if (port_room(&t->p, t->e.now)) {
    assert_int_equal(t->e.now, cycle * t->e.period[0]);
    port_push(&t->p, t->e.now, &cycle);
    engine_wake(&t->e, t->receiver, t->e.now + t->p.data);
    t->sent++;
    return cycle + 1;
  }
  return engine_cycle_at(&t->e, 0, port_next_room(&t->p));
}

static uint64_t take_across(void *self, uint64_t cycle) {
  struct crossing *t = self;
  const uint64_t *m = port_front(&t->p, t->e.now);
  if (m) {
    assert_int_equal(t->e.now, cycle * t->e.period[1]);
    note(t, *m, cycle);
    t->seen++;
    engine_pop(&t->e, &t->p, t->sender);
  }
  uint64_t next = port_next_message(&t->p);
  return engine_cycle_at(&t->e, 1, next <= t->e.now ? t->e.now + 1 : next);
}

static void windows_of_two_clocks_give_the_same(void **state) {
  (void)state;
  enum { WINDOW = 20, CYCLES = 5000 };
  for (uint32_t capacity = 1; capacity <= 16; capacity *= 4)
    for (int slow = 0; slow < 2; slow++) {
      struct crossing t[2] = {0};
      for (int by_unit = 0; by_unit < 2; by_unit++) {
        struct crossing *k = &t[by_unit];
        engine_init(&k->e, slow ? (const uint64_t[]){1980, 1700} : (const uint64_t[]){1700, 1980}, 2);
        uint64_t window = WINDOW * k->e.period[0];
        k->e.by_unit = by_unit;
        port_init(&k->p, capacity, sizeof(uint64_t), window, window);
        k->receiver = engine_add(&k->e, "receiver", 1, k, take_across);
        k->sender = engine_add(&k->e, "sender", 0, k, fill_across);
        for (uint64_t end = window; end <= CYCLES * k->e.period[0]; end += window)
          engine_run(&k->e, end);
        for (unsigned d = 0; d < 2; d++)
          assert_int_equal(engine_cycle(&k->e, d), k->e.now / k->e.period[d]);
        port_destroy(&k->p);
        engine_destroy(&k->e);
      }
      assert_true(t[0].seen >= capacity * (CYCLES / (3 * WINDOW))); /* there, back, and up to a cycle each */
      assert_int_equal(t[1].sent, t[0].sent);
      assert_int_equal(t[1].seen, t[0].seen);
      assert_int_equal(t[1].hash, t[0].hash);
    }
}

/* Who has room is left in peace. */
static void a_sender_with_room_is_not_called(void **state) {
  (void)state;
  struct engine e;
  struct ticker sender = {.e = &e, .period = NEVER, .exact = true};
  struct port p;
  uint32_t v = 1;
  engine_init(&e, (const uint64_t[]){700}, 1);
  port_init(&p, 2, sizeof v, 1, 1);
  uint32_t u = engine_add(&e, "sender", 0, &sender, tick);
  assert_true(engine_step(&e, NEVER));
  port_push(&p, e.now, &v);
  port_push(&p, e.now, &v);
  engine_pop(&e, &p, u); /* both slots were taken */
  assert_true(engine_step(&e, NEVER));
  engine_pop(&e, &p, u);
  assert_false(engine_step(&e, NEVER));
  port_destroy(&p);
  engine_destroy(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clocks_never_drift),
      cmocka_unit_test(edges_of_a_million_ticks),
      cmocka_unit_test(clocks_never_drift_while_asleep),
      cmocka_unit_test(sleepers_run_when_called),
      cmocka_unit_test(a_call_outlasts_an_earlier_run),
      cmocka_unit_test(a_port_takes_its_latency),
      cmocka_unit_test(slots_come_back_after_their_latency),
      cmocka_unit_test(credits_bound_the_rate),
      cmocka_unit_test(a_sender_without_room_is_called_when_there_is),
      cmocka_unit_test(windows_by_unit_give_the_same),
      cmocka_unit_test(windows_of_two_clocks_give_the_same),
      cmocka_unit_test(a_sender_with_room_is_not_called),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
