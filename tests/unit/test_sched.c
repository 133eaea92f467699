/* Warp schedulers on scripted warps: which one issues next, by the rule of each. */
#include "core/sched/sched.h"
#include "check.h"
#include <string.h>

static void setup(struct sched *s, enum sm_scheduler kind, uint32_t warps, uint32_t active) {
  sched_init(s, kind, warps, active, false);
  for (uint32_t w = 0; w < warps; w++) {
    sched_add(s, w);
    if (kind == SM_TWO_LEVEL)
      sched_able(s, w);
  }
}

/* One cycle for each step: which warps could issue ("013"), and which does ('-': none). */
struct step {
  const char *open;
  char chosen;
};

static void play(struct sched *s, const struct step *step, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t open[SCHED_WORDS] = {0};
    for (const char *c = step[i].open; *c; c++)
      if (sched_among(s->may, (uint32_t)(*c - '0')))
        open[0] |= UINT64_C(1) << (*c - '0');
    uint32_t w = sched_pick(s, open);
    assert_int_equal(w == SCHED_NONE ? '-' : (int)('0' + w), step[i].chosen);
  }
}
#define PLAY(s, ...)                                                                                         \
  play(s, (const struct step[]){__VA_ARGS__},                                                                \
       sizeof((const struct step[]){__VA_ARGS__}) / sizeof(struct step))

static void gto_stays_with_a_warp_and_then_takes_the_oldest(void **state) {
  (void)state;
  struct sched s;
  setup(&s, SM_GTO, 4, 0);
  PLAY(&s, {"0123", '0'}, {"0123", '0'}, {"123", '1'}, {"0123", '1'}, {"3", '3'}, {"023", '3'}, {"02", '0'},
       {"", '-'}, {"0123", '0'}, {"23", '2'}, {"12", '2'});
  /* slot 0 is taken over by a younger warp: it comes last now */
  sched_remove(&s, 0);
  sched_add(&s, 0);
  PLAY(&s, {"013", '1'}, {"03", '3'}, {"0", '0'}, {"0123", '0'}, {"123", '1'});
  sched_destroy(&s);
}

static void oldest_comes_first_every_time(void **state) {
  (void)state;
  struct sched s;
  setup(&s, SM_OLDEST, 4, 0);
  PLAY(&s, {"123", '1'}, {"0123", '0'}, {"123", '1'}, {"23", '2'}, {"", '-'}, {"3", '3'}, {"13", '1'});
  sched_remove(&s, 1); /* its slot goes to a younger warp */
  sched_add(&s, 1);
  PLAY(&s, {"13", '3'}, {"1", '1'}, {"0123", '0'});
  sched_destroy(&s);
}

static void lrr_rotates_among_those_that_can(void **state) {
  (void)state;
  struct sched s;
  setup(&s, SM_LRR, 4, 0);
  PLAY(&s, {"0123", '0'}, {"0123", '1'}, {"0123", '2'}, {"0123", '3'}, {"0123", '0'}, {"023", '2'},
       {"0123", '3'}, {"12", '1'}, {"1", '1'}, {"", '-'}, {"01", '0'});
  sched_destroy(&s);
}

/* A warp that ends neither costs another its turn nor gives it a second one. */
static void rotation_survives_departures(void **state) {
  (void)state;
  struct sched s;
  setup(&s, SM_LRR, 4, 0);
  PLAY(&s, {"0123", '0'}, {"0123", '1'});
  sched_remove(&s, 1); /* had its turn: next is 2 all the same */
  PLAY(&s, {"023", '2'});
  sched_remove(&s, 3); /* was next */
  PLAY(&s, {"02", '0'}, {"02", '2'});
  sched_destroy(&s);
}

static void everybody_has_an_equal_part_in_rotation(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= SCHED_MAX_WARPS; n += 51) {
    struct sched s;
    uint32_t got[SCHED_MAX_WARPS] = {0};
    setup(&s, SM_LRR, n, 0);
    for (uint32_t i = 0; i < 7 * n; i++)
      got[sched_pick(&s, s.may)]++;
    for (uint32_t w = 0; w < n; w++)
      assert_int_equal(got[w], 7);
    sched_destroy(&s);
  }
}

/* An active set of two of five warps. */
static void the_active_set_turns_over_when_warps_wait(void **state) {
  (void)state;
  struct sched s;
  setup(&s, SM_TWO_LEVEL, 5, 2);
  assert_int_equal(s.may[0], 3); /* the first two; 2, 3 and 4 are in line */
  PLAY(&s, {"01234", '0'}, {"01234", '1'}, {"01234", '0'}, {"234", '-'}, {"01234", '1'});
  sched_stalled(&s, 0); /* 2 comes in behind 1 */
  assert_int_equal(s.may[0], 6);
  PLAY(&s, {"1234", '2'}, {"1234", '1'}, {"1234", '2'});
  sched_stalled(&s, 2);
  sched_stalled(&s, 1);
  assert_int_equal(s.may[0], 24); /* 3 and 4 */
  sched_able(&s, 1);              /* in line, before 0 */
  sched_able(&s, 0);
  PLAY(&s, {"0134", '3'}, {"0134", '4'}, {"0134", '3'});
  sched_stalled(&s, 3);
  assert_int_equal(s.may[0], 18); /* 4 and 1 */
  sched_stalled(&s, 0);           /* leaves the line */
  sched_remove(&s, 4);
  assert_int_equal(s.may[0], 2);
  PLAY(&s, {"1", '1'}, {"1", '1'});
  sched_able(&s, 3); /* there is room: at once */
  assert_int_equal(s.may[0], 10);
  sched_destroy(&s);
}

/* As long as nobody waits, others never come in: the set's warps run ahead of them together. */
static void the_active_set_runs_ahead(void **state) {
  (void)state;
  struct sched s;
  uint32_t got[32] = {0};
  setup(&s, SM_TWO_LEVEL, 32, 8);
  for (int i = 0; i < 800; i++)
    got[sched_pick(&s, s.may)]++;
  for (uint32_t w = 0; w < 32; w++)
    assert_int_equal(got[w], w < 8 ? 100 : 0);
  sched_destroy(&s);
}

static void a_large_active_set_is_a_rotation(void **state) {
  (void)state;
  struct sched a, b;
  setup(&a, SM_TWO_LEVEL, 6, 6);
  setup(&b, SM_LRR, 6, 0);
  uint64_t x = 88172645463325252u;
  for (int i = 0; i < 10000; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    uint64_t open[SCHED_WORDS] = {x & 63};
    assert_int_equal(sched_pick(&a, open), sched_pick(&b, open));
  }
  sched_destroy(&a);
  sched_destroy(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gto_stays_with_a_warp_and_then_takes_the_oldest),
      cmocka_unit_test(oldest_comes_first_every_time),
      cmocka_unit_test(lrr_rotates_among_those_that_can),
      cmocka_unit_test(rotation_survives_departures),
      cmocka_unit_test(everybody_has_an_equal_part_in_rotation),
      cmocka_unit_test(the_active_set_turns_over_when_warps_wait),
      cmocka_unit_test(the_active_set_runs_ahead),
      cmocka_unit_test(a_large_active_set_is_a_rotation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
