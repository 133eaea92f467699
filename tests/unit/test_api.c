/* The public interface, used as a program that links libsluice would: sluice.h and nothing else. */
#include "api.h"

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
      IN_FIXTURE(launches_on_a_gpu_take_time),
      cmocka_unit_test(what_runs_can_be_watched_and_cancelled),
      cmocka_unit_test(progress_can_cancel),
      cmocka_unit_test(mistakes_of_runs_have_names),
      cmocka_unit_test(a_program_knows_what_statistics_there_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
