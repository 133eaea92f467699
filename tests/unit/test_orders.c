/* Every order of requests (before the L1, before the L2's tags, before memory) under random traffic: what enters leaves,
 * once; requests of an SM for a line keep their order; questions change nothing; whoever waits is served. */
#include "base/rng.h"
#include "tech.h"

extern const struct sluice_technique technique_fifo, technique_nonblocking, technique_bankqueue,
    technique_cart, technique_mrpb, technique_mars;

enum { HANDLES = 1024, CYCLES = 20000 };

struct held {
  bool here;
  struct sluice_request r;
  uint64_t number;
};

struct traffic {
  struct rig g;
  const struct sluice_order *o;
  void *self;
  bool by_warp; /* the order kept is a warp's, not an SM's */
  uint64_t rng, entered, left;
  struct held held[HANDLES];
  bool would_pass[HANDLES];
};

static enum sluice_fail would_fail(void *ctx, uint32_t handle) {
  const struct traffic *t = ctx;
  return t->would_pass[handle] ? SLUICE_NFAILS : SLUICE_FAIL_MSHR;
}

static void begin(struct traffic *t, const struct sluice_technique *k, uint64_t seed) {
  memset(t, 0, sizeof *t);
  rig_init(&t->g, k);
  t->rng = seed;
  t->o = k->l1_order ? k->l1_order : k->l2_order ? k->l2_order : k->source;
  t->by_warp = k->l1_order;
  t->g.env.would_fail = would_fail;
  t->g.env.unit_state = t;
}

static uint32_t unused(const struct traffic *t) {
  uint32_t h = 0;
  while (t->held[h].here)
    h++;
  return h;
}

static bool offer(struct traffic *t, const struct sluice_request *r, uint64_t cycle) {
  uint32_t h = unused(t);
  assert_true(h < HANDLES);
  if (!t->o->insert(t->self, h, r, cycle))
    return false;
  t->held[h] = (struct held){true, *r, t->entered++};
  t->would_pass[h] = true;
  return true;
}

/* Few banks, rows and lines, so that they meet. */
static struct sluice_request anything(struct traffic *t) {
  struct sluice_request r =
      at((uint32_t)rng_below(&t->rng, 4), (uint32_t)rng_below(&t->rng, 6), (uint32_t)rng_below(&t->rng, 3));
  r.sm = (uint32_t)rng_below(&t->rng, 3);
  r.warp = (uint32_t)rng_below(&t->rng, 5);
  r.kind = (uint8_t)rng_below(&t->rng, 3);
  return r;
}

/* The unit asks, twice, and accepts or not. */
static bool try(struct traffic *t, bool accept, uint64_t cycle) {
  uint32_t h = t->o->pick(t->self, cycle);
  assert_int_equal(t->o->pick(t->self, cycle), h);
  if (h == SLUICE_NONE)
    return false;
  assert_true(h < HANDLES && t->held[h].here);
  if (!accept || !t->would_pass[h]) {
    t->o->refused(t->self, h, SLUICE_FAIL_MSHR, cycle);
    return true;
  }
  for (uint32_t i = 0; i < HANDLES; i++)
    if (t->held[i].here && t->held[i].number < t->held[h].number && t->held[i].r.line == t->held[h].r.line &&
        (t->by_warp ? t->held[i].r.warp == t->held[h].r.warp : t->held[i].r.sm == t->held[h].r.sm))
      fail_msg("%s: a request for line 0x%llx was passed by a later one", t->g.t->name,
               (unsigned long long)t->held[i].r.line);
  t->o->took(t->self, h, cycle);
  t->held[h].here = false;
  t->left++;
  return true;
}

/* pick() may change by itself at next() only. */
static void nothing_before_next(const struct traffic *t, uint64_t cycle) {
  uint64_t next = t->o->next(t->self, cycle);
  assert_true(next > cycle);
  for (uint64_t c = cycle + 1; c < next && c < cycle + 40; c++)
    assert_int_equal(t->o->pick(t->self, c), SLUICE_NONE);
}

static void random_traffic(const struct sluice_technique *k, uint64_t seed,
                           void (*configure)(struct rig *g, uint64_t choice)) {
  static struct traffic t;
  begin(&t, k, seed);
  if (configure)
    configure(&t.g, seed);
  t.self = t.o->open(&t.g.env);
  struct sluice_request waiting = anything(&t);
  bool offered = true;
  uint64_t cycle = 1;
  for (; cycle < CYCLES; cycle++) {
    for (uint32_t i = 0; i < HANDLES / 16; i++)
      t.would_pass[i] = rng_below(&t.rng, 3) != 0;
    if (offered && rng_below(&t.rng, 8)) {
      if (offer(&t, &waiting, cycle))
        waiting = anything(&t);
      else
        offered = false;
    }
    uint64_t left = t.left;
    if (!try(&t, rng_below(&t.rng, 4) != 0, cycle))
      nothing_before_next(&t, cycle);
    offered |= t.left > left; /* as a unit does: after the next that left */
  }
  memset(t.would_pass, true, sizeof t.would_pass);
  for (; t.left < t.entered && cycle < 2 * CYCLES; cycle++) /* one per cycle, but for stages in between */
    try(&t, true, cycle);
  assert_int_equal(t.left, t.entered);
  if (t.entered < CYCLES / 10)
    fail_msg("%s: only %llu requests in %d cycles", k->name, (unsigned long long)t.entered, CYCLES);
  t.o->close(t.self);
}

static void cart_kind(struct rig *g, uint64_t choice) {
  static const char *const drains[] = {"rotating", "greedy", "longest", "roundrobin"};
  rig_choose(g, "drain", drains[choice % 4]);
  rig_choose(g, "replay", choice % 8 < 4 ? "rotate" : "hold");
  rig_set(g, "columns", 1 + choice % 3);
}
static void mrpb_kind(struct rig *g, uint64_t choice) {
  static const char *const drains[] = {"fixed", "greedy", "longest", "roundrobin"};
  rig_choose(g, "drain", drains[choice % 4]);
  rig_set(g, "queues", choice % 8 < 4 ? 48 : 3);
  rig_set(g, "age_limit", 100);
}
static void mars_kind(struct rig *g, uint64_t choice) {
  rig_set(g, "entries", 32);
  rig_set(g, "pages", 8);
  rig_set(g, "burst", 1 + choice % 5);
  rig_set(g, "min_occupancy", choice % 2 ? 4 : 0);
  rig_set(g, "timeout", 4);
}

static void all_orders_keep_the_laws(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 16; seed++) {
    random_traffic(&technique_fifo, seed, NULL);
    random_traffic(&technique_nonblocking, seed, NULL);
    random_traffic(&technique_bankqueue, seed, NULL);
    random_traffic(&technique_cart, seed, cart_kind);
    random_traffic(&technique_mrpb, seed, mrpb_kind);
    random_traffic(&technique_mars, seed, mars_kind);
  }
}

/* One request of a row that nobody else wants, among an endless stream for another: it leaves within `most` cycles. */
static void leaves_a_flood(const struct sluice_technique *k, uint64_t most) {
  static struct traffic t;
  begin(&t, k, 1);
  t.self = t.o->open(&t.g.env);
  struct sluice_request lone = at(0, 1, 0), hot = at(0, 2, 0);
  lone.warp = 1; /* whose queue is not the first */
  uint64_t cycle = 1;
  offer(&t, &hot, cycle++);
  while (!offer(&t, &lone, cycle))
    try(&t, true, cycle++);
  const uint64_t number = t.entered - 1, since = cycle;
  for (bool here = true; here; cycle++) {
    here = false;
    for (uint32_t i = 0; i < HANDLES; i++)
      here |= t.held[i].here && t.held[i].number == number;
    if (cycle - since > most)
      fail_msg("%s: a request waited more than %llu cycles", k->name, (unsigned long long)most);
    offer(&t, &hot, cycle);
    try(&t, true, cycle);
  }
  t.o->close(t.self);
}

static void a_flood_starves_nobody(void **state) {
  (void)state;
  leaves_a_flood(&technique_fifo, 4);
  leaves_a_flood(&technique_nonblocking, 64);
  leaves_a_flood(&technique_bankqueue, 32);
  leaves_a_flood(&technique_mars, 512);
  leaves_a_flood(&technique_mrpb, 10000 + 8);
  leaves_a_flood(&technique_cart, 10000 + 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_orders_keep_the_laws),
      cmocka_unit_test(a_flood_starves_nobody),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
