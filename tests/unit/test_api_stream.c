/* The stream of a launch, read as a program that links libsluice would. */
#include "api.h"

struct access {
  const struct sluice_inst *inst;
  uint32_t warp;
  uint64_t mask;
  uint64_t address[64]; /* of the lanes in mask */
};

typedef void visit(void *to, const struct sluice_segment *g, const struct access *x);

static uint64_t take_mask(const uint32_t **w, const struct sluice_segment *g) {
  uint64_t m = *(*w)++;
  if (g->warp_width > 32)
    m |= (uint64_t) * (*w)++ << 32;
  return m;
}

static void take_addresses(const uint32_t **w, uint32_t form, struct access *x) {
  uint64_t base = 0;
  uint32_t stride = 0;
  if (form != SLUICE_LIST64) {
    base = (*w)[0] | (uint64_t)(*w)[1] << 32;
    *w += 2;
  }
  if (form == SLUICE_AFFINE)
    stride = *(*w)++;
  for (unsigned lane = 0; lane < 64; lane++) {
    if (!(x->mask >> lane & 1))
      continue;
    if (form == SLUICE_AFFINE) {
      x->address[lane] = base + (uint64_t)(int64_t)(int32_t)stride * lane;
    } else if (form == SLUICE_LIST32) {
      x->address[lane] = base + *(*w)++;
    } else {
      x->address[lane] = (*w)[0] | (uint64_t)(*w)[1] << 32;
      *w += 2;
    }
  }
}

/* Visits every global access of a segment; returns its warp instructions. */
static uint64_t read_segment(struct sluice_stream *t, const struct sluice_segment *g, visit *see, void *to) {
  uint64_t executed = 0;
  const uint32_t *w = g->words;
  while (w < g->words + g->n) {
    const struct sluice_block block = sluice_describe(t, w[0]);
    struct access x = {.warp = w[1]};
    w += 2;
    const uint64_t mask = take_mask(&w, g);
    assert_true(mask != 0);
    executed += block.ninst;
    for (uint32_t i = 0; i < block.ninst; i++) {
      x.inst = &block.insts[i];
      x.mask = mask;
      if (x.inst->flags & SLUICE_IF_GUARD && x.inst->klass != SLUICE_BRANCH)
        x.mask = take_mask(&w, g);
      assert_int_equal(x.mask & ~mask, 0);
      if (!(x.inst->flags & SLUICE_IF_ADDRESS) || !x.mask)
        continue;
      const uint32_t word = *w++;
      assert_false(word & SLUICE_ACCESS_MORE);
      assert_int_equal(SLUICE_ACCESS_SPACE(word), SLUICE_SP_GLOBAL);
      take_addresses(&w, SLUICE_ACCESS_FORM(word), &x);
      see(to, g, &x);
    }
  }
  assert_true(w == g->words + g->n);
  return executed;
}

struct vecadd_seen {
  const struct vecadd_params *p;
  unsigned accesses[3]; /* of a, b, c, per lane */
  unsigned instructions;
};

static void see_vecadd(void *to, const struct sluice_segment *g, const struct access *x) {
  struct vecadd_seen *seen = to;
  static const uint32_t lines[] = {15, 16, 18}; /* in the PTX text */
  const uint64_t bases[] = {seen->p->a, seen->p->b, seen->p->c};
  unsigned which = 0;
  while (which < 3 && x->inst->line != lines[which])
    which++;
  assert_true(which < 3);
  assert_int_equal(x->inst->klass, which == 2 ? SLUICE_STORE : SLUICE_LOAD);
  assert_int_equal(x->inst->bytes, 4);
  seen->instructions++;
  for (unsigned lane = 0; lane < g->warp_width; lane++)
    if (x->mask >> lane & 1) {
      const uint64_t thread = g->cta * BLOCK + x->warp * g->warp_width + lane;
      assert_true(thread < N);
      assert_int_equal(x->address[lane], bases[which] + 4 * thread);
      seen->accesses[which]++;
    }
}

static void stream_vecadd(struct fixture *f, unsigned warp_width) {
  struct vecadd_seen seen = {.p = &f->p};
  struct sluice_segment g;
  uint64_t executed = 0;
  unsigned last = 0;
  int more;
  struct sluice_stream *t = sluice_open(f->s, f->m, &f->l);
  assert_non_null(t);
  while ((more = sluice_next(t, &g)) > 0) {
    assert_int_equal(g.warp_width, warp_width);
    assert_true(g.cta < GRID);
    last += g.last;
    executed += read_segment(t, &g, see_vecadd, &seen);
  }
  assert_int_equal(more, 0);
  sluice_close(t);
  assert_int_equal(last, GRID);
  for (int i = 0; i < 3; i++)
    assert_int_equal(seen.accesses[i], N);
  assert_int_equal(seen.instructions, 3 * ((N + warp_width - 1) / warp_width));
  assert_true(stat_of(f->s, "warp_instructions") == (double)executed);
  check_sum(f);
}

static void the_stream_has_every_address_of_vecadd(void **state) {
  stream_vecadd(*state, WARP);
}

static void the_stream_of_wide_warps_has_two_mask_words(void **state) {
  struct fixture *f = *state;
  assert_int_equal(sluice_set(f->s, "front.warp_width", "64"), 0);
  stream_vecadd(f, 64);
}

static void the_stream_in_short_turns_is_the_same_work(void **state) {
  struct fixture *f = *state;
  assert_int_equal(sluice_set(f->s, "front.turn", "1"), 0);
  assert_int_equal(sluice_set(f->s, "front.window", "1"), 0);
  stream_vecadd(f, WARP);
}

struct pick_seen {
  uint64_t targets[WARP];
  unsigned picked;
};

static void see_pick(void *to, const struct sluice_segment *g, const struct access *x) {
  struct pick_seen *seen = to;
  if (x->inst->klass != SLUICE_LOAD || x->inst->bytes != 4)
    return;
  assert_int_equal(g->cta, 0);
  assert_int_equal(x->mask, 0xaaaaaaaa);
  for (unsigned lane = 1; lane < WARP; lane += 2)
    assert_int_equal(x->address[lane], seen->targets[lane]), seen->picked++;
}

/* Scattered addresses near each other, then farther apart than 32 bits reach. */
static void the_stream_has_scattered_addresses(void **state) {
  struct fixture *f = *state;
  const uint64_t far = sluice_alloc(f->s, UINT64_C(6) << 30, "far");
  const uint64_t out = sluice_alloc(f->s, 4 * WARP, "out"), at = sluice_alloc(f->s, 8 * WARP, "at");
  assert_true(far && out && at);
  for (int apart = 0; apart < 2; apart++) {
    struct pick_seen seen = {.picked = 0};
    for (unsigned lane = 0; lane < WARP; lane++)
      seen.targets[lane] = far + (apart ? (uint64_t)(lane * 7 % WARP) * 190000000 / 4 * 4 : lane * lane * 4);
    assert_int_equal(sluice_write(f->s, at, seen.targets, sizeof seen.targets), 0);
    const uint64_t params[] = {at, out};
    struct sluice_launch l = {.kernel = "pick",
                              .grid = {1, 1, 1},
                              .block = {WARP, 1, 1},
                              .params = params,
                              .param_bytes = sizeof params};
    struct sluice_stream *t = sluice_open(f->s, f->m, &l);
    assert_non_null(t);
    struct sluice_segment g;
    int more;
    while ((more = sluice_next(t, &g)) > 0)
      read_segment(t, &g, see_pick, &seen);
    assert_int_equal(more, 0);
    sluice_close(t);
    assert_int_equal(seen.picked, WARP / 2);
  }
}

static void a_stream_ends_with_a_fault_too(void **state) {
  struct fixture *f = *state;
  f->p.c = 0;
  struct sluice_stream *t = sluice_open(f->s, f->m, &f->l);
  struct sluice_segment g;
  int more;
  while ((more = sluice_next(t, &g)) > 0) {
  }
  assert_int_equal(more, -1);
  assert_int_equal(sluice_error_code(f->s), 3);
  sluice_close(t);
}

static void a_stream_may_be_closed_early(void **state) {
  struct fixture *f = *state;
  struct sluice_stream *t = sluice_open(f->s, f->m, &f->l);
  struct sluice_segment g;
  assert_int_equal(sluice_next(t, &g), 1);
  sluice_close(t);
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 0);
  check_sum(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FIXTURE(the_stream_has_every_address_of_vecadd),
      IN_FIXTURE(the_stream_of_wide_warps_has_two_mask_words),
      IN_FIXTURE(the_stream_in_short_turns_is_the_same_work),
      IN_FIXTURE(the_stream_has_scattered_addresses),
      IN_FIXTURE(a_stream_ends_with_a_fault_too),
      IN_FIXTURE(a_stream_may_be_closed_early),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
