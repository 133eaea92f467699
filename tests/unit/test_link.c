/* A shared link between SMs that push what they are told, and networks that take and give. */
#include "noc/link.h"
#include "check.h"

enum { SMS = 5, PLENTY = 1 << 20 };

struct bench;
struct end {
  struct bench *b;
  uint32_t index, left, sent; /* requests to send */
  uint32_t every;             /* takes an answer in each cycle that this divides */
  uint32_t got;
  uint64_t last;
};

struct bench {
  struct engine e;
  struct link l;
  struct port out, in;
  struct end sm[SMS];
  uint32_t unit[SMS];
  /* the request network */
  uint32_t taken, from[SMS], next[SMS], every;
  uint64_t first;
  /* the response network */
  uint32_t answers, answered;
  uint32_t to; /* SM that all answers are for; SMS: in turn */
};

static uint64_t sm_run(void *self, uint64_t cycle) {
  struct end *s = self;
  struct bench *b = s->b;
  struct port *p = &b->l.from[s->index], *q = &b->l.to[s->index];
  if (s->left && port_room(p, b->e.now)) {
    struct mem_request m = {.sm = (uint16_t)s->index, .waiter = s->sent++};
    port_push(p, b->e.now, &m);
    engine_wake(&b->e, b->l.unit, b->e.now + p->data);
    s->left--;
  }
  const struct mem_request *r = port_front(q, b->e.now);
  if (r && cycle % s->every == 0) {
    assert_int_equal(r->sm, s->index);
    assert_true(r->waiter >= s->got);
    s->got++;
    s->last = cycle;
    port_pop(q, b->e.now);
    engine_wake(&b->e, b->l.unit, b->e.now + q->credit);
  }
  return cycle + 1;
}

static uint64_t network_run(void *self, uint64_t cycle) {
  struct bench *b = self;
  const struct mem_request *r = port_front(&b->out, b->e.now);
  if (r && cycle % b->every == 0) {
    if (!b->taken++)
      b->first = cycle;
    assert_int_equal(r->waiter, b->next[r->sm]); /* in order, none lost, none twice */
    b->next[r->sm]++;
    b->from[r->sm]++;
    port_pop(&b->out, b->e.now);
    engine_wake(&b->e, b->l.unit, b->e.now + b->out.credit);
  }
  if (b->answers && port_room(&b->in, b->e.now)) {
    uint32_t to = b->to == SMS ? b->answered % SMS : b->to;
    struct mem_request m = {.sm = (uint16_t)to, .waiter = b->answered++};
    port_push(&b->in, b->e.now, &m);
    engine_wake(&b->e, b->l.unit, b->e.now + b->in.data);
    b->answers--;
  }
  return cycle + 1;
}

static void setup(struct bench *b, uint32_t slots) {
  *b = (struct bench){.every = 1, .to = SMS};
  engine_init(&b->e, (const uint64_t[]){700}, 1);
  link_init(&b->l, &b->e, 0, 0, SMS, 2);
  uint64_t period = b->e.period[0];
  port_init(&b->out, slots, sizeof(struct mem_request), 1, period);
  port_init(&b->in, slots, sizeof(struct mem_request), period, period);
  b->l.unit = engine_add(&b->e, "link", 0, &b->l, link_cycle);
  for (uint32_t i = 0; i < SMS; i++) {
    b->sm[i] = (struct end){.b = b, .index = i, .every = 1};
    b->unit[i] = engine_add(&b->e, "sm", 0, &b->sm[i], sm_run);
  }
  b->l.out_unit = b->l.in_unit = engine_add(&b->e, "network", 0, b, network_run);
  b->l.out = &b->out, b->l.in = &b->in, b->l.sm_unit = b->unit;
}

static void run_for(struct bench *b, uint64_t cycles) {
  while (engine_step(&b->e, cycles * b->e.period[0])) {
  }
}

static void teardown(struct bench *b) {
  link_destroy(&b->l);
  port_destroy(&b->out);
  port_destroy(&b->in);
  engine_destroy(&b->e);
}

static void a_lone_sm_has_the_whole_link(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 8);
  b.sm[3].left = PLENTY;
  run_for(&b, 1002); /* pushed in 0, taken in 1, in the network in 2 */
  assert_int_equal(b.first, 2);
  assert_int_equal(b.from[3], 1000);
  assert_int_equal(b.l.wait_cycles, 0);
  teardown(&b);
}

static void those_who_ask_share_equally(void **state) {
  (void)state;
  for (uint32_t busy = 1; busy < 1u << SMS; busy++) {
    struct bench b;
    uint32_t n = (uint32_t)__builtin_popcount(busy);
    setup(&b, 8);
    for (uint32_t i = 0; i < SMS; i++)
      b.sm[i].left = busy >> i & 1 ? PLENTY : 0;
    run_for(&b, 602);
    assert_int_equal(b.taken, 600);
    for (uint32_t i = 0; i < SMS; i++)
      if (busy >> i & 1)
        assert_in_range(b.from[i], 600 / n, 600 / n + 1);
    teardown(&b);
  }
}

static void a_full_network_holds_the_link_and_loses_nothing(void **state) {
  (void)state;
  for (int skipping = 0; skipping < 2; skipping++)
    for (uint32_t slots = 1; slots <= 4; slots++) {
      struct bench b;
      setup(&b, slots);
      b.e.no_skip = !skipping;
      b.every = 7;
      for (uint32_t i = 0; i < SMS; i++)
        b.sm[i].left = 20;
      run_for(&b, 350); /* one in seven cycles: fifty, ten from each */
      assert_in_range(b.taken, 48, 50);
      for (uint32_t i = 0; i < SMS; i++)
        assert_in_range(b.from[i], 9, 10);
      run_for(&b, 1000);
      assert_int_equal(b.taken, 100);
      teardown(&b);
    }
}

static void answers_go_to_their_sm_one_per_cycle(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 8);
  b.answers = 500;
  run_for(&b, 502); /* pushed in 0, given out in 1, taken in 2 */
  for (uint32_t i = 0; i < SMS; i++)
    assert_int_equal(b.sm[i].got, 100);
  teardown(&b);
}

/* The buffer is shared: an SM that does not take its answers holds up the others. */
static void a_slow_sm_holds_up_the_buffer(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 4);
  b.answers = 500;
  b.sm[2].every = 10;
  run_for(&b, 1001);
  assert_in_range(b.sm[2].got, 99, 100);
  for (uint32_t i = 0; i < SMS; i++)
    assert_in_range(b.sm[i].got, 99, 100); /* in turn: no further than the slow one, but for the buffers */
  teardown(&b);
}

/* Requests and answers have a link each. */
static void directions_do_not_disturb_each_other(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 8);
  for (uint32_t i = 0; i < SMS; i++)
    b.sm[i].left = PLENTY;
  b.answers = PLENTY;
  run_for(&b, 1002);
  assert_int_equal(b.taken, 1000);
  uint32_t got = 0;
  for (uint32_t i = 0; i < SMS; i++)
    got += b.sm[i].got;
  assert_int_equal(got, 1000);
  teardown(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lone_sm_has_the_whole_link),
      cmocka_unit_test(those_who_ask_share_equally),
      cmocka_unit_test(a_full_network_holds_the_link_and_loses_nothing),
      cmocka_unit_test(answers_go_to_their_sm_one_per_cycle),
      cmocka_unit_test(a_slow_sm_holds_up_the_buffer),
      cmocka_unit_test(directions_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
