/* A crossbar between mocks: senders that push what they are told, receivers that take what comes, at times slowly. */
#include "noc/xbar.h"
#include "check.h"
#include "engine/parallel.h"

enum { MAX = 32, LATENCY = 5, PLENTY = 1 << 20 };
static const enum noc_allocator both[] = {NOC_ROUND_ROBIN, NOC_ISLIP};

struct bench;
struct end {
  struct bench *b;
  uint32_t index;
  /* sender */
  uint32_t left, sent;
  struct mem_request message; /* .warp is the sender, .waiter the number of the message */
  bool spread;                /* to the outputs in turn, not always to the same one */
  uint64_t random;            /* not 0: to outputs at random */
  /* receiver */
  uint32_t every; /* takes a message in each cycle that this divides */
  uint32_t got, from[MAX], next[MAX];
  uint64_t first, last; /* cycles of the first and the last message */
};

struct bench {
  struct engine e;
  struct xbar x;
  struct engine_group group;
  uint32_t units[MAX]; /* of the crossbar's parts, by output */
  struct end in[MAX], out[MAX];
  uint32_t sender[MAX], receiver[MAX];
};

static uint64_t send(void *self, uint64_t cycle) {
  struct end *s = self;
  struct port *p = &s->b->x.in[s->index];
  if (s->left && port_room(p, s->b->e.now)) {
    struct mem_request m = s->message;
    m.warp = (uint16_t)s->index;
    m.waiter = s->sent++;
    if (s->random) {
      s->random ^= s->random << 13, s->random ^= s->random >> 7, s->random ^= s->random << 17;
      m.slice = m.sm = (uint16_t)(s->random % s->b->x.outputs);
    }
    if (s->spread)
      m.slice = m.sm = (uint16_t)(m.waiter % s->b->x.outputs);
    port_push(p, s->b->e.now, &m);
    engine_wake_one(&s->b->e, s->b->x.all, s->b->x.response ? m.sm : m.slice, s->b->e.now + p->data);
    s->left--;
  }
  return cycle + 1;
}

static uint64_t receive(void *self, uint64_t cycle) {
  struct end *r = self;
  struct port *p = &r->b->x.out[r->index];
  const struct mem_request *m = port_front(p, r->b->e.now);
  if (!m || cycle % r->every)
    return cycle + 1;
  if (!r->got++)
    r->first = cycle;
  r->last = cycle;
  r->from[m->warp]++;
  assert_int_equal(r->b->x.response ? m->sm : m->slice, r->index);
  assert_true(m->waiter >= r->next[m->warp]); /* in order, none twice */
  r->next[m->warp] = m->waiter + 1;
  port_pop(p, r->b->e.now);
  engine_wake(&r->b->e, r->b->x.unit_of[r->index], r->b->e.now + p->credit);
  return cycle + 1;
}

/* `held`: messages an input holds; `slots`: messages behind an output. */
static void setup_parts(struct bench *b, enum noc_allocator how, uint32_t inputs, uint32_t outputs,
                        bool response, unsigned flit_bytes, uint32_t held, uint32_t slots, uint32_t parts) {
  *b = (struct bench){0};
  engine_init(&b->e, (const uint64_t[]){700}, 1);
  xbar_init(&b->x, &b->e, 0, inputs, outputs, response, flit_bytes);
  b->x.allocator = how;
  if (how == NOC_ISLIP)
    xbar_use_islip(&b->x, 1, held);
  uint64_t period = b->e.period[0];
  if (parts > 1)
    xbar_split(&b->x, parts, (struct engine *[]){&b->e, &b->e, &b->e, &b->e});
  xbar_add(&b->x, "network");
  if (parts > 1) {
    b->group = (struct engine_group){b->units, outputs};
    memcpy(b->units, b->x.unit_of, outputs * sizeof *b->units);
    b->e.group = &b->group;
    b->x.all = (uint32_t)UNIT_GROUP << UNIT_SHARD_SHIFT;
  }
  for (uint32_t i = 0; i < inputs; i++) {
    b->in[i] = (struct end){.b = b, .index = i, .message = {.sectors = 1, .kind = MEM_READ}};
    b->sender[i] = engine_add(&b->e, "sender", 0, &b->in[i], send);
    xbar_input(&b->x, i, held, 1, period);
  }
  for (uint32_t i = 0; i < outputs; i++) {
    b->out[i] = (struct end){.b = b, .index = i, .every = 1};
    b->receiver[i] = engine_add(&b->e, "receiver", 0, &b->out[i], receive);
    port_init(&b->x.out[i], slots, sizeof(struct mem_request), LATENCY * period, period);
  }
  xbar_ends(&b->x, b->sender, b->receiver);
}

static void setup_with(struct bench *b, enum noc_allocator how, uint32_t inputs, uint32_t outputs,
                       bool response, unsigned flit_bytes, uint32_t held, uint32_t slots) {
  setup_parts(b, how, inputs, outputs, response, flit_bytes, held, slots, 1);
}

static void setup(struct bench *b, enum noc_allocator how, uint32_t inputs, uint32_t outputs, bool response,
                  unsigned flit_bytes, uint32_t slots) {
  setup_with(b, how, inputs, outputs, response, flit_bytes, 8, slots);
}

static void run_for(struct bench *b, uint64_t cycles) {
  while (engine_step(&b->e, cycles * b->e.period[0])) {
  }
}

static void teardown(struct bench *b) {
  xbar_destroy(&b->x);
  engine_destroy(&b->e);
}

/* A message sent in cycle 0 is in the network in 1, has passed whole after its flits, and arrives LATENCY later. */
static void flits_take_their_time(void **state) {
  (void)state;
  static const struct {
    enum mem_kind kind;
    bool response;
    uint8_t sectors;
    unsigned flit_bytes, flits;
  } rows[] = {
      /* a header of 8 bytes, and 32 for each sector of data: stores out, loads back, atomics both ways */
      {MEM_READ, false, 15, 40, 1},  {MEM_READ, true, 1, 40, 1},   {MEM_READ, true, 3, 40, 2},
      {MEM_READ, true, 15, 40, 4},   {MEM_WRITE, false, 1, 40, 1}, {MEM_WRITE, false, 9, 40, 2},
      {MEM_WRITE, false, 15, 40, 4}, {MEM_WRITE, true, 15, 40, 1}, {MEM_ATOMIC, false, 1, 40, 1},
      {MEM_ATOMIC, true, 15, 40, 4}, {MEM_READ, true, 15, 136, 1}, {MEM_READ, true, 15, 135, 2},
      {MEM_READ, true, 15, 17, 8},   {MEM_READ, false, 15, 4, 2},  {MEM_READ, true, 15, 4, 34},
      {MEM_READ, false, 1, 1, 8},
  };
  for (size_t n = 0; n < 2 * sizeof rows / sizeof *rows; n++) {
    size_t i = n / 2, a = n % 2;
    struct bench b;
    setup(&b, both[a], 1, 1, rows[i].response, rows[i].flit_bytes, 8);
    b.in[0].message.kind = (uint8_t)rows[i].kind;
    b.in[0].message.sectors = rows[i].sectors;
    b.in[0].left = 2;
    run_for(&b, 200);
    assert_int_equal(b.out[0].got, 2);
    assert_int_equal(b.x.flits, 2 * rows[i].flits);
    assert_int_equal(b.out[0].first, 1 + rows[i].flits - 1 + LATENCY);
    uint64_t second = rows[i].flits == 1 ? 1 : rows[i].flits; /* the links are busy until then */
    assert_int_equal(b.out[0].last, b.out[0].first + second);
    teardown(&b);
  }
}

static void inputs_share_an_output_equally(void **state) {
  (void)state;
  for (uint32_t k = 2; k <= 31; k++)
    for (unsigned flits = 1; flits <= 4; flits += 3) {
      struct bench b;
      uint32_t n = k / 2;
      setup(&b, both[k % 2], n, 3, true, 40, 8);
      for (uint32_t i = 0; i < n; i++) {
        b.in[i].left = PLENTY;
        b.in[i].message.sm = 1;
        b.in[i].message.sectors = flits == 1 ? 1 : 15;
      }
      run_for(&b, 6000 + LATENCY + flits);
      /* every slot of the link is used, and everybody has an equal part of them */
      assert_int_equal(b.out[1].got, 6000 / flits);
      for (uint32_t i = 0; i < n; i++)
        assert_in_range(b.out[1].from[i], 6000 / flits / n, 6000 / flits / n + 1);
      assert_int_equal(b.out[0].got + b.out[2].got, 0);
      teardown(&b);
    }
}

/* Who does not always want the output loses nothing to those who do. */
static void a_rare_sender_waits_a_turn_at_most_by(enum noc_allocator how) {
  struct bench b;
  setup(&b, how, 4, 1, false, 40, 8);
  for (uint32_t i = 0; i < 3; i++)
    b.in[i].left = PLENTY;
  run_for(&b, 1000);
  b.in[3].left = 1; /* sent in 1000, in the network in 1001, its turn in 1004 at the latest */
  run_for(&b, 1005 + LATENCY);
  assert_int_equal(b.out[0].from[3], 1);
  teardown(&b);
}

static void a_rare_sender_waits_a_turn_at_most(void **state) {
  (void)state;
  for (int a = 0; a < 2; a++)
    a_rare_sender_waits_a_turn_at_most_by(both[a]);
}

static void different_outputs_do_not_disturb_each_other_by(enum noc_allocator how) {
  struct bench b;
  setup(&b, how, 8, 8, false, 40, 8);
  for (uint32_t i = 0; i < 8; i++) {
    b.in[i].left = PLENTY;
    b.in[i].message.slice = (uint16_t)((i * 3 + 1) % 8);
  }
  run_for(&b, 1000 + LATENCY + 1);
  for (uint32_t i = 0; i < 8; i++)
    assert_int_equal(b.out[i].got, 1000);
  assert_int_equal(b.x.wait_cycles, 0);
  teardown(&b);
}

static void different_outputs_do_not_disturb_each_other(void **state) {
  (void)state;
  for (int a = 0; a < 2; a++)
    different_outputs_do_not_disturb_each_other_by(both[a]);
}

/* Receivers that take a message every 1, 4, 7 … cycles, with few slots: all arrive once, in order. */
static void a_full_output_loses_nothing(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++)
    for (uint32_t slots = 1; slots <= 8; slots += 3) {
      struct bench b;
      int skipping = k % 2;
      setup(&b, (enum noc_allocator)(k / 2), 5, 4, false, 40, slots);
      b.e.no_skip = !skipping;
      for (uint32_t i = 0; i < 5; i++)
        b.in[i].left = 400, b.in[i].spread = true;
      for (uint32_t o = 0; o < 4; o++)
        b.out[o].every = 1 + 3 * o;
      run_for(&b, 500 * (10 + LATENCY));
      uint32_t got = 0;
      for (uint32_t o = 0; o < 4; o++) {
        got += b.out[o].got;
        for (uint32_t i = 0; i < 5; i++)
          assert_int_equal(b.out[o].from[i], 100);
        assert_true(port_empty(&b.x.out[o]));
      }
      assert_int_equal(got, 2000);
      assert_int_equal(b.x.messages, 2000);
      for (uint32_t i = 0; i < 5; i++)
        assert_true(port_empty(&b.x.in[i]));
      teardown(&b);
    }
}

/* A receiver that takes one in ten cycles gets exactly that, from everybody alike. */
static void a_slow_receiver_sets_the_pace_by(enum noc_allocator how) {
  struct bench b;
  setup(&b, how, 4, 1, false, 40, 2);
  for (uint32_t i = 0; i < 4; i++)
    b.in[i].left = PLENTY;
  b.out[0].every = 10;
  run_for(&b, 10001);
  assert_int_equal(b.out[0].got, 1000);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(b.out[0].from[i], 250);
  teardown(&b);
}

static void a_slow_receiver_sets_the_pace(void **state) {
  (void)state;
  for (int a = 0; a < 2; a++)
    a_slow_receiver_sets_the_pace_by(both[a]);
}

/* Without contention all messages take the latency, however many and however long. */
static void an_ideal_network_only_delays(void **state) {
  (void)state;
  for (unsigned flit_bytes = 4; flit_bytes <= 136; flit_bytes += 132) {
    struct bench b;
    setup(&b, NOC_IDEAL, 8, 1, true, flit_bytes, 64);
    for (uint32_t i = 0; i < 8; i++)
      b.in[i].left = 1, b.in[i].message.sectors = 15;
    run_for(&b, 2 + LATENCY);
    assert_int_equal(b.out[0].first, 1 + LATENCY);
    assert_int_equal(b.x.messages, 8);
    run_for(&b, 50);
    assert_int_equal(b.out[0].last, 1 + LATENCY + 7); /* all are there; this receiver takes one per cycle */
    assert_int_equal(b.x.wait_cycles, 0);
    teardown(&b);
  }
}

/* Everybody always has something to send, to anybody with equal probability: parts of the outputs' time used. */
static double saturated(enum noc_allocator how, uint32_t n, uint32_t held, uint8_t sectors) {
  struct bench b;
  setup_with(&b, how, n, n, true, 40, held, 8);
  for (uint32_t i = 0; i < n; i++) {
    b.in[i].left = PLENTY;
    b.in[i].random = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
    b.in[i].message.sectors = sectors;
  }
  run_for(&b, 20000); /* fill up */
  uint64_t before = b.x.flits;
  run_for(&b, 30000);
  double used = (double)(b.x.flits - before) / (10000.0 * n);
  teardown(&b);
  return used;
}

/* Karol, Hluchyj and Morgan, IEEE Trans. Comm. 1987, Table I: what FIFOs at the inputs let through when
 * saturated. Theirs chooses at random among the heads; a rotation lies within a percent or two. */
static void fifos_reach_what_theory_says(void **state) {
  (void)state;
  static const struct {
    uint32_t n;
    double throughput;
  } rows[] = {{1, 1.0}, {2, 0.7500}, {3, 0.6825}, {4, 0.6553}, {8, 0.6184}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double got = saturated(NOC_ROUND_ROBIN, rows[i].n, 8, 1);
    assert_true(got > rows[i].throughput - 0.01 && got < rows[i].throughput + 0.02);
  }
  double got = saturated(NOC_ROUND_ROBIN, 32, 8, 1); /* 2 - sqrt(2) for many inputs */
  assert_true(got > 0.575 && got < 0.605);
}

/* McKeown 1999: iSLIP with virtual output queues serves all of a uniform load, given room to queue. */
static void islip_reaches_everything(void **state) {
  (void)state;
  for (uint32_t n = 2; n <= 32; n *= 4) {
    assert_true(saturated(NOC_ISLIP, n, 64 * n, 1) > 0.98);
    assert_true(saturated(NOC_ISLIP, n, 64 * n, 15) > 0.95); /* four flits: the match lasts for all of them */
  }
}

/* An input with one message for a free output beside many for a busy one. */
static void a_queue_for_each_output_is_not_held_up(void **state) {
  (void)state;
  for (int a = 0; a < 2; a++) {
    struct bench b;
    setup(&b, both[a], 2, 2, false, 40, 2);
    b.out[0].every = 1000; /* nobody takes anything there for long */
    b.in[0].left = 5;      /* 2 pass into the output's buffer, 3 stay */
    run_for(&b, 20);
    b.in[0].message.slice = 1;
    b.in[0].left = 1;
    run_for(&b, 60);
    assert_int_equal(b.out[1].got, both[a] == NOC_ISLIP);
    teardown(&b);
  }
}

/* One round may leave pairs unmatched; as many rounds as there are inputs never do. */
static void more_rounds_match_more(void **state) {
  (void)state;
  double flits[2];
  for (uint32_t k = 0; k < 2; k++) {
    struct bench b;
    setup_with(&b, NOC_ROUND_ROBIN, 16, 16, false, 40, 32, 8);
    xbar_use_islip(&b.x, k ? 16 : 1, 32);
    for (uint32_t i = 0; i < 16; i++)
      b.in[i].left = PLENTY, b.in[i].random = UINT64_C(0x9e3779b97f4a7c15) * (i + 7);
    run_for(&b, 400); /* queues are short: what a round finds matters */
    flits[k] = (double)b.x.flits;
    teardown(&b);
  }
  assert_true(flits[1] > flits[0]);
}

/* Random traffic to receivers of different speed: in how many parts the outputs are dealt changes nothing. */
static void parts_pass_messages_as_one_does(void **state) {
  (void)state;
  static struct bench one, b;
  for (unsigned flit_bytes = 8; flit_bytes <= 40; flit_bytes += 32)
    for (uint32_t shuffle = 0; shuffle < 2; shuffle++) {
      for (uint32_t parts = 1; parts <= 4; parts++) {
        struct bench *k = parts == 1 ? &one : &b;
        setup_parts(k, NOC_ROUND_ROBIN, 9, 7, true, flit_bytes, 4, 3, parts);
        k->e.shuffle = shuffle * 77;
        for (uint32_t i = 0; i < 9; i++)
          k->in[i].left = 500, k->in[i].random = i + 1, k->in[i].message.sectors = (uint8_t)(i % 15 + 1);
        for (uint32_t o = 0; o < 7; o++)
          k->out[o].every = 1 + o % 3 * 2;
        run_for(k, 20000);
        struct xbar_counts n = xbar_counts(&k->x), all = xbar_counts(&one.x);
        assert_int_equal(n.messages, 9 * 500);
        assert_int_equal(n.flits, all.flits);
        assert_int_equal(n.wait_cycles, all.wait_cycles);
        for (uint32_t o = 0; o < 7; o++) {
          assert_int_equal(k->out[o].got, one.out[o].got);
          assert_int_equal(k->out[o].first, one.out[o].first);
          assert_int_equal(k->out[o].last, one.out[o].last);
        }
        if (k != &one)
          teardown(k);
      }
      teardown(&one);
    }
}

/* A part that sleeps while so many messages pass from an input to another that their count comes round again still sees the
 * first that is its own. */
static void a_part_that_slept_long_misses_nothing(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 4; k++) {
    struct bench b;
    setup_parts(&b, NOC_ROUND_ROBIN, 2, 2, false, 40, 8, 8, 2);
    b.in[1].left = 1, b.in[1].message.slice = 1; /* the other part looks at input 0 as well, once */
    b.in[0].left = (1 << 16) + k;
    run_for(&b, (1 << 16) + 100);
    assert_int_equal(b.out[0].got, (1 << 16) + k);
    b.in[0].left = 1, b.in[0].message.slice = 1;
    run_for(&b, (1 << 16) + 200);
    assert_int_equal(b.out[1].got, 2);
    teardown(&b);
  }
}

/* Two parts on two shards, in the order of a host with many cores, where what one core writes is for a moment seen by itself
 * alone. In cycle 1 the sender pushes message 1 of input 0, for B, while A moves message 0:
 *
 *   shard 0   cycle 0: 0 into input 0, for A; another into input 1, for B   cycle 1: 1 into input 0 ─ B: the head is A's
 *   shard 1                                                                 cycle 1: A moves 0, does not see 1 yet
 *
 * Both parts have looked at input 0 when its head becomes B's; B moves it in cycle 2 all the same. */
struct pair {
  struct parallel_engine c;
  struct xbar x;
  uint32_t sender[2], receiver[2];
};

static void push_for(struct pair *p, uint32_t input, uint16_t slice) {
  struct engine *e = &p->c.shard[0];
  struct mem_request m = {.sectors = 1, .kind = MEM_READ, .slice = slice};
  port_push(&p->x.in[input], e->now, &m);
  engine_wake_one(e, p->x.all, slice, e->now + p->x.in[input].data);
}

static uint64_t send_in_turn(void *self, uint64_t cycle) {
  if (cycle == 0)
    push_for(self, 0, 0), push_for(self, 1, 1);
  if (cycle == 1)
    push_for(self, 0, 1);
  return cycle < 1 ? cycle + 1 : NEVER;
}

/* Run before and after A: what the sender wrote in this cycle is not seen in between. */
static uint64_t hide(void *self, uint64_t cycle) {
  if (cycle == 1)
    ((struct pair *)self)->x.sent[0]--;
  return cycle < 1 ? cycle + 1 : NEVER;
}
static uint64_t show(void *self, uint64_t cycle) {
  if (cycle == 1)
    ((struct pair *)self)->x.sent[0]++;
  return cycle < 1 ? cycle + 1 : NEVER;
}
static uint64_t sleep_on(void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return NEVER;
}

static void a_call_that_comes_while_a_part_is_due_is_not_lost(void **state) {
  (void)state;
  struct pair p = {0};
  parallel_init(&p.c, (const uint64_t[]){700}, 1, 2, 1);
  struct engine *b = &p.c.shard[0], *a = &p.c.shard[1];
  uint64_t period = b->period[0];
  xbar_init(&p.x, a, 0, 2, 2, false, 40);
  xbar_split(&p.x, 2, (struct engine *[]){a, b});
  for (uint32_t i = 0; i < 2; i++) {
    xbar_input(&p.x, i, 8, 1, period);
    port_init(&p.x.out[i], 8, sizeof(struct mem_request), LATENCY * period, period);
    parallel_border(&p.c, &p.x.in[i]);
    parallel_border(&p.c, &p.x.out[i]);
  }
  p.sender[0] = p.sender[1] = engine_add(b, "sender", 0, &p, send_in_turn);
  engine_add(a, "hide", 0, &p, hide);
  xbar_add(&p.x, "network");
  engine_add(a, "show", 0, &p, show);
  for (uint32_t i = 0; i < 2; i++)
    p.receiver[i] = engine_add(b, "receiver", 0, &p, sleep_on);
  xbar_ends(&p.x, p.sender, p.receiver);
  p.x.all = parallel_group(&p.c, p.x.unit_of, 2);
  parallel_ready(&p.c);
  p.c.delay = 1; /* calls go through boxes, as between threads */
  assert_int_equal(p.c.window, period);
  assert_int_equal(parallel_run(&p.c, NEVER, NULL, NULL, NULL), PARALLEL_ASLEEP);
  assert_int_equal(p.x.taken[0], 2);
  assert_int_equal(p.x.taken[1], 1);
  assert_int_equal(p.x.out[0].when[0], (1 + LATENCY) * period);
  assert_int_equal(p.x.out[1].when[0], (1 + LATENCY) * period);
  assert_int_equal(p.x.out[1].when[1], (2 + LATENCY) * period);
  xbar_destroy(&p.x);
  parallel_destroy(&p.c);
}

/* Answers of one packet for each sector take turns at an output: of A with three sectors and B with two, A, B, A, B, A pass, one in each
 * cycle; C, of one sector, asks when A and B have passed one each, and it is its turn. Counters show every packet in its cycle. */
static void packets_take_turns(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t third = k % 2;
    struct bench b;
    setup(&b, NOC_ROUND_ROBIN, 3, 1, true, 40, 8);
    b.x.packets = true;
    b.x.speedup = 2;
    b.e.general = k < 2; /* no form for crossbars of the usual kind */
    xbar_ends(&b.x, b.sender, b.receiver);
    assert_int_equal(b.x.usual, k >= 2);
    const uint8_t sectors[] = {7, 3, 1};
    for (uint32_t i = 0; i < 3; i++)
      b.in[i].message.sectors = sectors[i];
    b.in[0].left = b.in[1].left = 1;
    run_for(&b, 1);
    uint64_t begun = 1; /* sent in cycle 0 */
    for (uint64_t cycle = begun; cycle < begun + 6; cycle++) {
      b.in[2].left = third && cycle == begun + 1;
      run_for(&b, cycle + 1);
      xbar_settle(&b.x, cycle);
      uint64_t passed = cycle - begun + 1, all = 5 + third;
      assert_int_equal(xbar_counts(&b.x).flits, passed < all ? passed : all);
    }
    run_for(&b, 100);
    assert_int_equal(b.out[0].got, 2 + third);
    assert_int_equal(b.out[0].last, begun + 4 + third + LATENCY); /* A */
    assert_int_equal(b.out[0].first, begun + (third ? 2 : 3) + LATENCY);
    assert_int_equal(xbar_counts(&b.x).wait_cycles, third ? 3 + 3 : 2 + 2);
    teardown(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flits_take_their_time),
      cmocka_unit_test(inputs_share_an_output_equally),
      cmocka_unit_test(a_rare_sender_waits_a_turn_at_most),
      cmocka_unit_test(different_outputs_do_not_disturb_each_other),
      cmocka_unit_test(a_full_output_loses_nothing),
      cmocka_unit_test(a_slow_receiver_sets_the_pace),
      cmocka_unit_test(an_ideal_network_only_delays),
      cmocka_unit_test(fifos_reach_what_theory_says),
      cmocka_unit_test(islip_reaches_everything),
      cmocka_unit_test(a_queue_for_each_output_is_not_held_up),
      cmocka_unit_test(more_rounds_match_more),
      cmocka_unit_test(packets_take_turns),
      cmocka_unit_test(parts_pass_messages_as_one_does),
      cmocka_unit_test(a_part_that_slept_long_misses_nothing),
      cmocka_unit_test(a_call_that_comes_while_a_part_is_due_is_not_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
