/* Stream caches between a link that pushes what it is told, and a memory that answers after a while. */
#include "l1/graphics.h"
#include "base/rng.h"
#include "check.h"

enum { MOST = 4096, LATENCY = 50, HIT = 10 };

struct sent {
  struct mem_request request;
  uint64_t at;
};

struct bench {
  struct engine e;
  struct stream_config k;
  struct addrmap map;
  struct stream_caches level[STREAM_LEVELS];
  unsigned levels;
  struct port out, in;
  uint32_t below, above;
  /* what is pushed from below, one per cycle, and what comes back */
  struct sent todo[MOST], back[MOST];
  uint32_t ntodo, pushed, nback;
  uint32_t take; /* takes an answer in each cycle that this divides */
  /* what arrives above, and is answered */
  struct sent asked[MOST];
  uint32_t nasked, answered, serve; /* takes a request in each cycle that this divides */
};

static uint64_t below_run(void *self, uint64_t cycle) {
  struct bench *b = self;
  struct stream_caches *s = &b->level[0];
  if (b->pushed < b->ntodo && b->todo[b->pushed].at <= cycle && port_room(&s->from, b->e.now)) {
    b->todo[b->pushed].request.born = cycle;
    b->todo[b->pushed].at = cycle;
    port_push(&s->from, b->e.now, &b->todo[b->pushed++].request);
    engine_wake(&b->e, s->unit, b->e.now + s->from.data);
  }
  const struct mem_request *r = port_front(&s->to, b->e.now);
  if (r && cycle % b->take == 0) {
    b->back[b->nback++] = (struct sent){*r, cycle};
    port_pop(&s->to, b->e.now);
    engine_wake(&b->e, s->unit, b->e.now + s->to.credit);
  }
  return cycle + 1;
}

static uint64_t above_run(void *self, uint64_t cycle) {
  struct bench *b = self;
  uint32_t unit = b->level[b->levels - 1].unit;
  const struct mem_request *r = port_front(&b->out, b->e.now);
  if (r && cycle % b->serve == 0) {
    b->asked[b->nasked++] = (struct sent){*r, cycle};
    port_pop(&b->out, b->e.now);
    engine_wake(&b->e, unit, b->e.now + b->out.credit);
  }
  if (b->answered < b->nasked && b->asked[b->answered].at + LATENCY <= cycle && port_room(&b->in, b->e.now)) {
    struct mem_request a = b->asked[b->answered++].request;
    a.flags |= MEM_ANSWERED;
    port_push(&b->in, b->e.now, &a);
    engine_wake(&b->e, unit, b->e.now + b->in.data);
  }
  return cycle + 1;
}

static struct cache_config lines(uint32_t sets, uint32_t ways, uint32_t mshrs) {
  return (struct cache_config){.sets = sets,
                               .ways = ways,
                               .line_bytes = 128,
                               .sector_bytes = 64,
                               .allocate = CACHE_ON_FILL,
                               .mshrs = mshrs,
                               .merges = 4};
}

static void setup(struct bench *b, unsigned levels, uint32_t sets, uint32_t mshrs) {
  *b = (struct bench){.levels = levels, .take = 1, .serve = 1};
  b->k = (struct stream_config){.levels = levels, .queue = 4};
  struct error err = {0};
  assert_true(addr_stage_init(&b->map.channel, 2, 256, "", 128, "channel", &err));
  assert_true(addr_stage_init(&b->map.slice, 1, 256, "", 128, "slice", &err));
  engine_init(&b->e, (const uint64_t[]){1000}, 1);
  uint64_t period = b->e.period[0];
  port_init(&b->out, 2, sizeof(struct mem_request), period, period);
  port_init(&b->in, 2, sizeof(struct mem_request), period, period);
  b->below = engine_add(&b->e, "below", 0, b, below_run);
  b->above = engine_add(&b->e, "above", 0, b, above_run);
  for (unsigned l = 0; l < levels; l++) {
    b->k.level[l].latency = HIT, b->k.level[l].miss_queue = 4;
    for (unsigned i = 0; i < NSTREAMS; i++)
      b->k.level[l].cache[i] = lines(sets << l, 2, mshrs);
  }
  for (unsigned l = 0; l < levels; l++) {
    struct stream_caches *s = &b->level[l];
    stream_init(s, &b->e, 0, &b->k, &b->map, l + 1, 0, false);
    s->unit = engine_add(&b->e, "stream caches", 0, s, stream_cycle);
  }
  for (unsigned l = 0; l < levels; l++) {
    struct stream_caches *s = &b->level[l], *next = l + 1 < levels ? s + 1 : NULL;
    s->below_unit = l ? s[-1].unit : b->below;
    s->out = next ? &next->from : &b->out;
    s->in = next ? &next->to : &b->in;
    s->out_unit = s->in_unit = next ? next->unit : b->above;
  }
}

static void teardown(struct bench *b) {
  for (unsigned l = 0; l < b->levels; l++)
    stream_destroy(&b->level[l]);
  port_destroy(&b->out);
  port_destroy(&b->in);
  engine_destroy(&b->e);
}

static void run_until(struct bench *b, uint64_t cycle) {
  while (engine_step(&b->e, cycle * b->e.period[0])) {
  }
}

/* From cycle `at` on, a request for `sectors` (of 32 bytes) of a line. */
static void ask(struct bench *b, uint64_t at, enum mem_kind kind, int stream, uint64_t line,
                uint8_t sectors) {
  struct mem_request r = {.line = line * 128,
                          .kind = (uint8_t)kind,
                          .stream = (uint8_t)(stream + 1),
                          .sectors = sectors,
                          .waiter = b->ntodo};
  for (unsigned i = 0; kind == MEM_WRITE && i < 4; i++)
    if (sectors >> i & 1)
      r.bytes[i / 2] |= UINT64_C(0xffffffff) << i % 2 * 32;
  b->todo[b->ntodo++] = (struct sent){r, at};
}
enum { NO_STREAM = -1 };

static void a_miss_fetches_sectors_and_a_hit_takes_the_latency(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 1, 4, 8);
  ask(&b, 0, MEM_READ, STREAM_TEXTURE, 5, 0x1);
  ask(&b, 200, MEM_READ, STREAM_TEXTURE, 5, 0x2);
  run_until(&b, 300);
  assert_int_equal(b.nasked, 1);
  assert_int_equal(b.asked[0].request.sectors, 0x3); /* 64 bytes */
  assert_int_equal(b.asked[0].request.owner, 1);
  assert_int_equal(b.asked[0].at, 3); /* there in 1, looked up in 2, and sent */
  assert_int_equal(b.nback, 2);
  assert_int_equal(b.back[0].at, 3 + LATENCY + 3); /* through a port, filled, answered, through a port */
  assert_int_equal(b.back[1].at, 200 + 2 + HIT + 1);
  assert_int_equal(b.back[1].request.waiter, 1);
  assert_true(stream_drained(&b.level[0]));
  teardown(&b);
}

static void loads_of_a_line_under_way_share_its_fetch(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 1, 4, 8);
  for (int i = 0; i < 4; i++)
    ask(&b, 0, MEM_READ, STREAM_DEPTH, 9, 0xc);
  run_until(&b, 200);
  assert_int_equal(b.nasked, 1);
  assert_int_equal(b.nback, 4);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(b.back[i].request.waiter, i); /* oldest first */
  teardown(&b);
}

static void streams_wait_for_themselves_only(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 1, 4, 1); /* one miss at a time */
  for (uint64_t i = 0; i < 4; i++)
    ask(&b, 0, MEM_READ, STREAM_COLOUR, i, 0x1);
  ask(&b, 0, MEM_READ, STREAM_HIZ, 100, 0x1);
  run_until(&b, 400);
  assert_int_equal(b.nasked, 5);
  assert_int_equal(b.asked[1].request.stream, STREAM_HIZ + 1); /* before the second of the others */
  for (uint32_t i = 2; i < 5; i++)
    assert_true(b.asked[i].at >= b.asked[0].at + (i - 1) * LATENCY);
  assert_int_equal(b.nback, 5);
  teardown(&b);
}

static void what_is_stored_stays_until_the_launch_ends(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 2, 4, 8);
  for (unsigned i = 0; i < 4; i++)
    ask(&b, 0, MEM_WRITE, STREAM_COLOUR, 3, (uint8_t)(1u << i));
  run_until(&b, 200);
  assert_int_equal(b.nback, 4);
  assert_int_equal(b.nasked, 0);
  for (unsigned l = 0; l < 2; l++) { /* into the next level, and from there to memory, in one piece */
    assert_true(stream_flush(&b.level[l]));
    engine_wake(&b.e, b.level[l].unit, b.e.now + 1);
    run_until(&b, 400 + 200 * l);
    assert_int_equal(b.nasked, l);
    assert_false(stream_flush(&b.level[l]));
  }
  assert_int_equal(b.asked[0].request.kind, MEM_WRITE);
  assert_int_equal(b.asked[0].request.sectors, 0xf);
  assert_true(b.asked[0].request.bytes[0] == UINT64_MAX && b.asked[0].request.bytes[1] == UINT64_MAX);
  assert_int_equal(b.nback, 4); /* who wrote it back is not who stored it */
  assert_true(stream_drained(&b.level[0]) && stream_drained(&b.level[1]));
  teardown(&b);
}

static void a_dirty_line_that_makes_room_is_written(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 1, 1, 8);
  for (uint64_t i = 0; i < 3; i++) /* one set of two ways */
    ask(&b, 20 * i, MEM_WRITE, STREAM_STENCIL, i, 0x2);
  ask(&b, 100, MEM_READ, STREAM_STENCIL, 7, 0x1);
  run_until(&b, 300);
  assert_int_equal(b.nback, 4);
  assert_int_equal(b.nasked, 3);
  assert_int_equal(b.asked[0].request.line, 0);
  assert_int_equal(b.asked[0].request.sectors, 0x2);
  assert_int_equal(b.asked[1].request.kind, MEM_READ);
  assert_int_equal(b.asked[2].request.line, 128); /* when the data is there, not when it was missed */
  assert_true(b.asked[2].at > b.asked[1].at + LATENCY);
  teardown(&b);
}

static void all_else_passes_by(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 2, 4, 8);
  ask(&b, 0, MEM_READ, NO_STREAM, 1, 0x1);
  ask(&b, 0, MEM_WRITE, NO_STREAM, 1, 0x1);
  ask(&b, 0, MEM_ATOMIC, STREAM_COLOUR, 1, 0x1);
  run_until(&b, 200);
  assert_int_equal(b.nasked, 3);
  assert_int_equal(b.nback, 3);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(b.asked[i].request.owner, 0);
    assert_int_equal(b.asked[i].request.sectors, 0x1);
    assert_int_equal(b.back[i].request.waiter, i);
  }
  assert_int_equal(b.level[0].answers + b.level[1].answers, 0);
  teardown(&b);
}

/* Small caches, slow neighbours, with and without skipping. */
static void every_request_is_answered_once(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    uint32_t asked[2];
    uint64_t last[2];
    for (int skip = 0; skip < 2; skip++) {
      struct bench b;
      uint64_t r = seed;
      setup(&b, 1 + seed % 2, 2, 1 + (uint32_t)(seed % 5));
      b.e.no_skip = !skip;
      b.take = 1 + (uint32_t)(seed % 3), b.serve = 1 + (uint32_t)(seed % 4);
      for (int i = 0; i < 1000; i++)
        ask(&b, 0, (enum mem_kind)(rng_below(&r, 3)), (int)(rng_below(&r, NSTREAMS + 1)) - 1,
            rng_below(&r, 24), (uint8_t)(1 + rng_below(&r, 15)));
      run_until(&b, 40000);
      bool seen[1000] = {false};
      assert_int_equal(b.nback, 1000);
      for (uint32_t i = 0; i < b.nback; i++) {
        assert_false(seen[b.back[i].request.waiter]);
        seen[b.back[i].request.waiter] = true;
      }
      uint64_t sent = 0, ended = 0;
      for (unsigned l = 0; l < b.levels; l++) {
        assert_true(stream_drained(&b.level[l]));
        sent += b.level[l].sent, ended += b.level[l].answers;
      }
      assert_int_equal(1000 + sent, b.nasked + ended);
      asked[skip] = b.nasked, last[skip] = b.back[999].at;
      teardown(&b);
    }
    assert_int_equal(asked[0], asked[1]);
    assert_int_equal(last[0], last[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_miss_fetches_sectors_and_a_hit_takes_the_latency),
      cmocka_unit_test(loads_of_a_line_under_way_share_its_fetch),
      cmocka_unit_test(streams_wait_for_themselves_only),
      cmocka_unit_test(what_is_stored_stays_until_the_launch_ends),
      cmocka_unit_test(a_dirty_line_that_makes_room_is_written),
      cmocka_unit_test(all_else_passes_by),
      cmocka_unit_test(every_request_is_answered_once),
  };
  return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
