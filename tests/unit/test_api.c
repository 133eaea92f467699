/* The public interface, used as a program that links libsluice would: sluice.h and nothing else. */
#include "check.h"
#include "sluice.h"

enum { N = 1000, BLOCK = 256, GRID = 4, WARP = 32 };

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .u32 answer = 42;\n"
    ".visible .entry vecadd(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"
    "  .reg .u64 %rd<8>; .reg .u32 %r<6>; .reg .f32 %f<4>; .reg .pred %p;\n"
    "  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];\n"
    "  ld.param.u32 %r1, [n];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "  mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "  setp.ge.u32 %p, %r5, %r1;\n"
    "  @%p bra DONE;\n"
    "  mul.wide.u32 %rd4, %r5, 4;\n"
    "  add.u64 %rd5, %rd1, %rd4; add.u64 %rd6, %rd2, %rd4; add.u64 %rd7, %rd3, %rd4;\n"
    "  ld.global.f32 %f1, [%rd5];\n"
    "  ld.global.f32 %f2, [%rd6];\n"
    "  add.f32 %f3, %f1, %f2;\n"
    "  st.global.f32 [%rd7], %f3;\n"
    "DONE: ret;\n}\n"
    /* every lane reads where the table says, odd ones only */
    ".visible .entry pick(.param .u64 at, .param .u64 out) {\n"
    "  .reg .u64 %rd<8>; .reg .u32 %r<6>; .reg .pred %p;\n"
    "  ld.param.u64 %rd1, [at]; ld.param.u64 %rd2, [out];\n"
    "  mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.ne.u32 %p, %r2, 0;\n"
    "  mul.wide.u32 %rd3, %r1, 8; add.u64 %rd4, %rd1, %rd3;\n"
    "  ld.global.u64 %rd5, [%rd4];\n"
    "  @%p ld.global.u32 %r3, [%rd5];\n"
    "  mul.wide.u32 %rd6, %r1, 4; add.u64 %rd7, %rd2, %rd6;\n"
    "  @%p st.global.u32 [%rd7], %r3;\n"
    "  ret;\n}\n"
    ".visible .entry forever() {\n"
    "  .reg .u32 %r;\n  mov.u32 %r, 0;\nL: add.u32 %r, %r, 1;\n  bra L;\n}\n"
    ".visible .entry nothing() { ret; }\n";

struct vecadd_params {
  uint64_t a, b, c;
  uint32_t n; /* and four bytes of padding */
};

struct fixture {
  struct sluice *s;
  struct sluice_module *m;
  struct vecadd_params p;
  struct sluice_launch l;
};

static float a[N], b[N], c[N];

static int open_fixture(void **state) {
  static struct fixture f;
  f = (struct fixture){.s = sluice_create()};
  *state = &f;
  if (!(f.m = sluice_load_text(f.s, text, sizeof text - 1, "api.ptx")))
    return -1;
  for (int i = 0; i < N; i++)
    a[i] = (float)i, b[i] = (float)(2 * i);
  f.p = (struct vecadd_params){.a = sluice_alloc(f.s, sizeof a, "a"),
                               .b = sluice_alloc(f.s, sizeof b, "b"),
                               .c = sluice_alloc(f.s, sizeof c, NULL),
                               .n = N};
  f.l = (struct sluice_launch){.kernel = "vecadd",
                               .grid = {GRID, 1, 1},
                               .block = {BLOCK, 1, 1},
                               .params = &f.p,
                               .param_bytes = sizeof f.p};
  return sluice_write(f.s, f.p.a, a, sizeof a) || sluice_write(f.s, f.p.b, b, sizeof b);
}

static int close_fixture(void **state) {
  struct fixture *f = *state;
  sluice_destroy(f->s);
  return 0;
}

static void check_sum(struct fixture *f) {
  memset(c, 0, sizeof c);
  assert_int_equal(sluice_read(f->s, f->p.c, c, sizeof c), 0);
  for (int i = 0; i < N; i++)
    assert_true(c[i] == (float)(3 * i));
}

static double stat_of(struct sluice *s, const char *name) {
  double v = -1;
  assert_true(sluice_stat(s, name, &v));
  return v;
}

static void version_is_three_numbers(void **state) {
  (void)state;
  unsigned x, y, z;
  assert_int_equal(sscanf(sluice_version(), "%u.%u.%u", &x, &y, &z), 3);
}

static void destroying_nothing_is_fine(void **state) {
  (void)state;
  sluice_destroy(NULL);
  sluice_close(NULL);
}

static void a_launch_computes_and_is_counted(void **state) {
  struct fixture *f = *state;
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 0);
  assert_string_equal(sluice_error(f->s), "");
  assert_int_equal(sluice_error_code(f->s), 0);
  check_sum(f);
  /* 1000 threads are 31 full warps and one of 8; the others leave at the branch */
  assert_true(stat_of(f->s, "loads") == 2 * GRID * BLOCK / WARP);
  assert_true(stat_of(f->s, "stores") == GRID * BLOCK / WARP);
  assert_true(stat_of(f->s, "atomics") == 0);
  const double once = stat_of(f->s, "warp_instructions");
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 0);
  assert_true(stat_of(f->s, "warp_instructions") == 2 * once);
  double v;
  assert_false(sluice_stat(f->s, "no_such_name", &v));
}

static void parameters_without_padding_are_taken_too(void **state) {
  struct fixture *f = *state;
  f->l.param_bytes = 28;
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 0);
  check_sum(f);
}

static void wrong_parameter_blocks_are_refused(void **state) {
  struct fixture *f = *state;
  static const size_t wrong[] = {0, 24, 27, 33, 64};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    f->l.param_bytes = wrong[i];
    assert_int_equal(sluice_launch(f->s, f->m, &f->l), 2);
    assert_contains(sluice_error(f->s), "takes 28 bytes of parameters");
  }
  f->l.param_bytes = 28;
  f->l.params = NULL;
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 2);
  assert_null(sluice_open(f->s, f->m, &f->l));
  struct sluice_launch none = {.kernel = "nothing", .grid = {1, 1, 1}, .block = {1, 1, 1}};
  assert_int_equal(sluice_launch(f->s, f->m, &none), 0);
}

static void an_unknown_kernel_names_the_nearest(void **state) {
  struct fixture *f = *state;
  f->l.kernel = "vecad";
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 2);
  assert_int_equal(sluice_error_code(f->s), 2);
  assert_contains(sluice_error(f->s), "vecad");
  assert_contains(sluice_error(f->s), "'vecadd'");
}

static void impossible_grids_and_blocks_are_refused(void **state) {
  struct fixture *f = *state;
  static const uint32_t blocks[][3] = {
      {0, 1, 1}, {1025, 1, 1}, {1024, 2, 1}, {1, 1, 65}, {65536, 65536, 0xffffffff}};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    memcpy(f->l.block, blocks[i], sizeof f->l.block);
    assert_int_equal(sluice_launch(f->s, f->m, &f->l), 2);
  }
  memcpy(f->l.block, (uint32_t[3]){BLOCK, 1, 1}, sizeof f->l.block);
  f->l.grid[1] = 0;
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 2);
}

static void parameters_can_be_set_and_mistakes_are_named(void **state) {
  (void)state;
  struct sluice *s = sluice_create();
  assert_int_equal(sluice_set(s, "memory.align", "4096"), 0);
  assert_int_equal(sluice_set(s, "front.windw", "3"), 2);
  assert_contains(sluice_error(s), "front.window");
  assert_int_equal(sluice_set(s, "front.warp_width", "65"), 2);
  assert_contains(sluice_error(s), "1..64");
  sluice_alloc(s, 1, "x");
  assert_int_equal(sluice_alloc(s, 1, "y") % 4096, 0);
  assert_int_equal(sluice_set(s, "memory.align", "512"), 2);
  assert_contains(sluice_error(s), "memory.align");
  assert_int_equal(sluice_set(s, "front.window", "3"), 0);
  sluice_destroy(s);
}

static void memory_outside_buffers_is_refused(void **state) {
  struct fixture *f = *state;
  char byte = 1;
  assert_int_equal(sluice_read(f->s, 16, &byte, 1), 2);
  assert_contains(sluice_error(f->s), "0x10");
  assert_int_equal(sluice_write(f->s, f->p.a + sizeof a, &byte, 1), 2);
  assert_contains(sluice_error(f->s), "'a'");
  assert_int_equal(sluice_write(f->s, f->p.a + sizeof a - 1, a, 2), 2);
  assert_int_equal(sluice_write(f->s, f->p.a + sizeof a - 1, a, 1), 0);
  assert_int_equal(sluice_free(f->s, f->p.a + 4), 2);
  assert_int_equal(sluice_free(f->s, f->p.a), 0);
  assert_int_equal(sluice_free(f->s, f->p.a), 2);
  assert_int_equal(sluice_read(f->s, f->p.a, &byte, 1), 2);
  assert_contains(sluice_error(f->s), "freed");
}

static void more_memory_than_there_is_gives_no_address(void **state) {
  struct fixture *f = *state;
  assert_int_equal(sluice_alloc(f->s, UINT64_C(1) << 60, "huge"), 0);
  assert_int_not_equal(sluice_error_code(f->s), 0);
  assert_contains(sluice_error(f->s), "huge");
}

static void a_bad_access_is_code_3_and_says_where(void **state) {
  struct fixture *f = *state;
  f->p.n = N + 1; /* one thread too many */
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 3);
  assert_int_equal(sluice_error_code(f->s), 3);
  assert_contains(sluice_error(f->s), "vecadd");
  assert_contains(sluice_error(f->s), "api.ptx:15");
  assert_contains(sluice_error(f->s), "thread (232,0,0)");
  assert_contains(sluice_error(f->s), "'a'");
  f->p.n = N; /* the next launch starts clean */
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 0);
  assert_string_equal(sluice_error(f->s), "");
  check_sum(f);
}

static void memcheck_can_be_off(void **state) {
  struct fixture *f = *state;
  assert_int_equal(sluice_set(f->s, "front.memcheck", "off"), 0);
  f->p.n = N + 1;
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 0);
  check_sum(f);
}

static void no_progress_is_code_4(void **state) {
  struct fixture *f = *state;
  struct sluice_launch l = {.kernel = "forever", .grid = {1, 1, 1}, .block = {64, 1, 1}};
  assert_int_equal(sluice_set(f->s, "front.max_instructions", "10000"), 0);
  assert_int_equal(sluice_launch(f->s, f->m, &l), 4);
  assert_int_equal(sluice_error_code(f->s), 4);
  assert_contains(sluice_error(f->s), "front.max_instructions");
}

static void modules_that_do_not_parse_are_refused(void **state) {
  struct fixture *f = *state;
  static const char bad[] =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { frob.u32; }\n";
  assert_null(sluice_load_text(f->s, bad, sizeof bad - 1, "bad.ptx"));
  assert_int_equal(sluice_error_code(f->s), 2);
  assert_contains(sluice_error(f->s), "bad.ptx:4");
  assert_null(sluice_load_text(f->s, bad, 5, NULL));
  assert_null(sluice_load_file(f->s, "no/such/file.ptx"));
  assert_contains(sluice_error(f->s), "no/such/file.ptx");
  assert_non_null(sluice_load_file(f->s, "examples/gpgpusim/kernels.ptx"));
}

static void module_variables_have_addresses(void **state) {
  struct fixture *f = *state;
  uint64_t address, bytes;
  uint32_t answer = 0;
  assert_int_equal(sluice_symbol(f->s, f->m, "answer", &address, &bytes), 0);
  assert_int_equal(bytes, 4);
  assert_int_equal(sluice_read(f->s, address, &answer, 4), 0);
  assert_int_equal(answer, 42);
  assert_int_equal(sluice_symbol(f->s, f->m, "question", &address, &bytes), 2);
  assert_contains(sluice_error(f->s), "question");
}

static void several_may_exist(void **state) {
  struct fixture *f = *state;
  struct sluice *other = sluice_create();
  struct sluice_module *m = sluice_load_text(other, text, sizeof text - 1, "other.ptx");
  assert_non_null(m);
  struct sluice_launch l = f->l;
  assert_int_equal(sluice_launch(other, m, &l), 3); /* none of these buffers exist there */
  assert_string_equal(sluice_error(f->s), "");
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), 0);
  sluice_destroy(other);
  check_sum(f);
}

static void units_have_names(void **state) {
  (void)state;
  assert_string_equal(sluice_unit_name(0), "int");
  assert_string_equal(sluice_unit_name(1000), "?");
}

/* Reading the stream as sluice.h describes it. */

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

/* Launches on a GPU: the sum is right, time passes, the second launch finds in the L2 what the first left, and the sums over launches
 * are the totals. */
static void launches_on_a_gpu_take_time(void **state) {
  struct fixture *f = *state;
  double first, second, stores, v;
  assert_int_equal(sluice_gpu(f->s, "gtx480"), SLUICE_OK);
  assert_int_equal(sluice_with(f->s, "cart"), SLUICE_OK);
  assert_false(sluice_stat(f->s, "cycles", &v));
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), SLUICE_OK);
  check_sum(f);
  assert_int_equal(sluice_launch(f->s, f->m, &f->l), SLUICE_OK);
  assert_int_equal(sluice_launches(f->s), 2);
  assert_string_equal(sluice_launch_kernel(f->s, 1), "vecadd");
  assert_null(sluice_launch_kernel(f->s, 2));
  assert_true(sluice_launch_stat(f->s, 0, "cycles", &first) &&
              sluice_launch_stat(f->s, 1, "cycles", &second));
  assert_false(sluice_launch_stat(f->s, 2, "cycles", &v));
  assert_true(first > 0 && second > 0 && stat_of(f->s, "cycles") == first + second);
  assert_true(sluice_launch_stat(f->s, 0, "stores", &stores) && stat_of(f->s, "stores") == 2 * stores);
  assert_true(stat_of(f->s, "cart.requests") > 0);
  assert_false(sluice_stat(f->s, "no.such", &v));
  assert_int_equal(sluice_set(f->s, "l2.warm", "false"), SLUICE_E_INPUT); /* it is built */
  char *text_ = sluice_text(f->s, SLUICE_JSON);
  assert_non_null(text_);
  assert_contains(text_, "\"cycles\"");
  sluice_text_free(text_);
}

struct watched {
  uint32_t intervals, after;
  double hits;
};

static bool watch(void *ctx, struct sluice *s, uint32_t launch, uint32_t interval, uint64_t cycle) {
  struct watched *w = ctx;
  double hits, so_far;
  assert_int_equal(launch, 0);
  assert_int_equal(interval, w->intervals++);
  assert_true(sluice_interval_end(s, launch, interval) == cycle);
  assert_true(sluice_interval_stat(s, launch, interval, "l2.hits", &hits));
  w->hits += hits;
  assert_true(sluice_stat(s, "l2.hits", &so_far) && so_far == w->hits);
  assert_true(sluice_stat(s, "cycles", &so_far) && so_far == (double)cycle);
  return w->intervals != w->after;
}

/* Intervals add up, to what the units count as well; a callback that says so ends the run, and what was counted is there. */
static void what_runs_can_be_watched_and_cancelled(void **state) {
  (void)state;
  for (uint32_t after = 0; after <= 3; after += 3) {
    struct sluice *s = sluice_create();
    struct sluice_options o = {.size = sizeof o, .interval = 500, .per_unit = true, .threads = 1};
    struct watched w = {.after = after};
    double sum = 0, v;
    assert_int_equal(sluice_gpu(s, "gtx480"), SLUICE_OK);
    assert_int_equal(sluice_options(s, &o), SLUICE_OK);
    assert_int_equal(sluice_on_interval(s, watch, &w), SLUICE_OK);
    assert_int_equal(sluice_run(s, "examples/gpgpusim/matmul_128.yaml", NULL),
                     after ? SLUICE_E_CANCELLED : SLUICE_OK);
    assert_true(after ? w.intervals >= after : w.intervals > 10);
    assert_int_equal(sluice_intervals(s, 0), w.intervals);
    assert_true(stat_of(s, "l2.hits") == w.hits || after);
    for (int i = 0; i < 12; i++) {
      char name[32];
      snprintf(name, sizeof name, "l2[%d].hits", i);
      assert_true(sluice_stat(s, name, &v));
      sum += v;
    }
    assert_true(sum == stat_of(s, "l2.hits"));
    assert_false(sluice_stat(s, "l2[12].hits", &v) || sluice_stat(s, "l2[x].hits", &v) ||
                 sluice_stat(s, "l2[].hits", &v));
    uint64_t bucket[SLUICE_BUCKETS], loads = 0;
    assert_true(sluice_histogram(s, "latency.sum", bucket));
    for (int i = 0; i < SLUICE_BUCKETS; i++)
      loads += bucket[i];
    assert_true(loads > 0);
    sluice_destroy(s);
  }
}

static bool never(void *ctx, const struct sluice_progress *p) {
  ++*(int *)ctx;
  assert_true(p->ctas_done <= p->ctas);
  return false;
}

static void progress_can_cancel(void **state) {
  (void)state;
  for (int functional = 0; functional < 2; functional++) {
    struct sluice *s = sluice_create();
    struct sluice_options o = {.size = sizeof o, .functional = functional};
    int calls = 0;
    assert_int_equal(sluice_gpu(s, "gtx480"), SLUICE_OK);
    assert_int_equal(sluice_options(s, &o), SLUICE_OK);
    assert_int_equal(sluice_on_progress(s, never, &calls), SLUICE_OK);
    assert_int_equal(sluice_run(s, "examples/gpgpusim/matmul_128.yaml", NULL), SLUICE_E_CANCELLED);
    assert_contains(sluice_error(s), "cancelled");
    assert_true(calls >= 1);
    sluice_destroy(s);
  }
}

static void mistakes_of_runs_have_names(void **state) {
  (void)state;
  struct sluice *s = sluice_create();
  struct sluice_options o = {.size = sizeof o, .threads = 65};
  struct sluice_input in = {.size = sizeof in, .scale = "smal"};
  assert_int_equal(sluice_gpu(s, "gtx48"), SLUICE_E_INPUT);
  assert_contains(sluice_error(s), "'gtx480'");
  assert_int_equal(sluice_with(s, "kart"), SLUICE_E_INPUT);
  assert_contains(sluice_error(s), "'cart'");
  assert_int_equal(sluice_options(s, &o), SLUICE_E_INPUT);
  assert_contains(sluice_error(s), "65");
  o.size = 0;
  assert_int_equal(sluice_options(s, &o), SLUICE_E_INPUT);
  assert_int_equal(sluice_run(s, "bsf", NULL), SLUICE_E_INPUT);
  assert_contains(sluice_error(s), "'bfs'");
  assert_int_equal(sluice_run(s, "bfs", &in), SLUICE_E_INPUT);
  assert_contains(sluice_error(s), "'small'");
  assert_int_equal(sluice_subject(s, "bfs"), SLUICE_WORKLOAD);
  assert_int_equal(sluice_subject(s, "x.yaml"), SLUICE_LAUNCH_FILE);
  assert_null(sluice_text(s, SLUICE_JSON));
  assert_string_equal(sluice_status_name(SLUICE_E_STALL), "SLUICE_E_STALL");
  sluice_destroy(s);
}

static void a_program_knows_what_statistics_there_are(void **state) {
  (void)state;
  struct sluice *s = sluice_create();
  struct sluice_stat_about about = {.size = sizeof about};
  bool ipc = false;
  uint32_t n = 0;
  for (; sluice_stat_about(s, n, &about); n++)
    ipc |= strcmp(about.name, "ipc") == 0 && *about.help;
  assert_true(ipc && n > 200);
  sluice_destroy(s);
}

#define IN_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_is_three_numbers),
      cmocka_unit_test(destroying_nothing_is_fine),
      IN_FIXTURE(a_launch_computes_and_is_counted),
      IN_FIXTURE(parameters_without_padding_are_taken_too),
      IN_FIXTURE(wrong_parameter_blocks_are_refused),
      IN_FIXTURE(an_unknown_kernel_names_the_nearest),
      IN_FIXTURE(impossible_grids_and_blocks_are_refused),
      cmocka_unit_test(parameters_can_be_set_and_mistakes_are_named),
      IN_FIXTURE(memory_outside_buffers_is_refused),
      IN_FIXTURE(more_memory_than_there_is_gives_no_address),
      IN_FIXTURE(a_bad_access_is_code_3_and_says_where),
      IN_FIXTURE(memcheck_can_be_off),
      IN_FIXTURE(no_progress_is_code_4),
      IN_FIXTURE(modules_that_do_not_parse_are_refused),
      IN_FIXTURE(module_variables_have_addresses),
      IN_FIXTURE(several_may_exist),
      cmocka_unit_test(units_have_names),
      IN_FIXTURE(the_stream_has_every_address_of_vecadd),
      IN_FIXTURE(the_stream_of_wide_warps_has_two_mask_words),
      IN_FIXTURE(the_stream_in_short_turns_is_the_same_work),
      IN_FIXTURE(the_stream_has_scattered_addresses),
      IN_FIXTURE(a_stream_ends_with_a_fault_too),
      IN_FIXTURE(a_stream_may_be_closed_early),
      IN_FIXTURE(launches_on_a_gpu_take_time),
      cmocka_unit_test(what_runs_can_be_watched_and_cancelled),
      cmocka_unit_test(progress_can_cancel),
      cmocka_unit_test(mistakes_of_runs_have_names),
      cmocka_unit_test(a_program_knows_what_statistics_there_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
