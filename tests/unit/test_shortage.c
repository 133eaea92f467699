/* The host's memory ends at every place where the library asks for some: each call says so, and a handle gives back all that it had.
 * malloc() and its like are replaced for what is linked here (tests/meson.build), and count what is not freed. */
#include "check.h"
#include "sluice.h"
#include <stdlib.h>
#include <unistd.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t align, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n);
void __wrap_free(void *p);

static long left = -1, live; /* how often memory is still to be had, -1: always; pieces that are not freed */

static bool none(void) {
  for (long n = __atomic_load_n(&left, __ATOMIC_RELAXED); n >= 0;)
    if (n == 0)
      return true;
    else if (__atomic_compare_exchange_n(&left, &n, n - 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return false;
  return false;
}
static void *counted(void *p) {
  if (p)
    __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  return p;
}
void *__wrap_malloc(size_t n) {
  return none() ? NULL : counted(__real_malloc(n));
}
void *__wrap_calloc(size_t n, size_t size) {
  return none() ? NULL : counted(__real_calloc(n, size));
}
void *__wrap_aligned_alloc(size_t align, size_t n) {
  return none() ? NULL : counted(__real_aligned_alloc(align, n));
}
void *__wrap_realloc(void *p, size_t n) {
  if (none())
    return NULL;
  return p ? __real_realloc(p, n) : counted(__real_realloc(p, n));
}
void __wrap_free(void *p) {
  if (p)
    __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
  __real_free(p);
}

/* Each returns whether all went well; what went wrong must be the memory. */
static bool well(struct sluice *s, enum sluice_status status) {
  if (status) {
    assert_int_equal(status, SLUICE_E_MEMORY);
    assert_true(strstr(sluice_error(s), "out of memory") ||
                strstr(sluice_error(s), "the host cannot supply"));
  }
  return status == SLUICE_OK;
}

static const char *const small[] = {"gpu.sms=2", "l2.channels=1", "l2.slices_per_channel=1", "l2.sets=8"};
static char recorded[] = "/tmp/sluice-shortage-XXXXXX";

/* A technique from outside, whose memory the program frees by close() alone. */
static void *begin(const struct sluice_env *env) {
  (void)env;
  return counted(__real_calloc(1, 8));
}
static void end(void *self) {
  __wrap_free(self);
}
static bool refuses(void *self, const struct sluice_request *r, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)r, (void)why, (void)cycle;
  return false;
}
static const struct sluice_l2_bypass bypass = {
    .size = sizeof bypass, .open = begin, .close = end, .access = refuses};
static const struct sluice_technique outside = {
    SLUICE_TECHNIQUE_HEAD, .name = "outside", .summary = "Nothing.", .paper = "a test", .l2_bypass = &bypass};

static bool workload(struct sluice *s, const char *gpu, uint32_t threads, bool writes) {
  const char *const n[] = {"n=512"};
  struct sluice_input in = {.size = sizeof in, .nparams = 1, .params = n};
  struct sluice_options o = {.size = sizeof o, .threads = threads, .interval = 500, .per_unit = true};
  o.record = writes ? recorded : NULL;
  o.delays = threads > 1;
  bool ok = well(s, sluice_gpu(s, gpu)) && well(s, sluice_options(s, &o));
  for (size_t i = 0; ok && threads == 1 && i < sizeof small / sizeof *small; i++)
    ok = well(s, sluice_assign(s, small[i]));
  if (!ok || !well(s, sluice_with(s, "cart,outside")) || !well(s, sluice_run(s, "asyncapi", &in)))
    return false;
  char *json = sluice_text(s, SLUICE_JSON);
  if (!json)
    return well(s, sluice_error_code(s));
  sluice_text_free(json);
  return true;
}

static bool runs_alone(struct sluice *s) {
  return workload(s, "gtx480", 1, false);
}
static bool runs_on_threads(struct sluice *s) {
  return workload(s, "v100", 3, false);
}
static bool records(struct sluice *s) {
  return workload(s, "gtx480", 1, true);
}
static bool replays(struct sluice *s) {
  return well(s, sluice_gpu(s, "gtx480")) && well(s, sluice_run(s, recorded, NULL));
}

static bool launches(struct sluice *s) {
  static const char ptx[] =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 p) {\n  .reg .u64 %rd<4>; .reg .u32 %r<4>;\n"
      "  ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
      "  add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3]; st.global.u32 [%rd3], %r2;\n"
      "  ret;\n}\n";
  struct sluice_module *m = sluice_load_text(s, ptx, sizeof ptx - 1, "k.ptx");
  if (!m)
    return well(s, sluice_error_code(s));
  uint64_t at = sluice_alloc(s, 1 << 20, "big");
  if (!at) /* of a buffer the handle can do without */
    return sluice_error_code(s) == SLUICE_E_HOST ? false : well(s, sluice_error_code(s));
  struct sluice_launch l = {"k", {2, 1, 1}, {64, 1, 1}, 0, &at, sizeof at};
  if (!well(s, sluice_launch(s, m, &l)))
    return false;
  struct sluice_stream *t = sluice_open(s, m, &l);
  struct sluice_segment segment;
  int more = t ? 1 : -1;
  while (more > 0)
    more = sluice_next(t, &segment);
  sluice_close(t);
  return well(s, sluice_error_code(s));
}

/* Memory for n requests of the scenario, n = 0, 1, …: until it succeeds. */
static void at_every(bool (*scenario)(struct sluice *s), long step) {
  long n = 0;
  struct sluice *s = sluice_create(); /* the list of techniques stays */
  sluice_destroy(s);
  for (bool through = false; !through; n += step) {
    long before = live;
    left = n;
    s = sluice_create();
    through = s && scenario(s);
    left = -1;
    sluice_destroy(s);
    if (live != before)
      fail_msg("%ld pieces are left of a run with memory for %ld requests", live - before, n);
  }
  print_message("%ld requests of memory\n", n - step);
  assert_true(n > 10 * step);
}

/* Every place with SLUICE_EVERY=1. */
static long step_of(long usual) {
  return getenv("SLUICE_EVERY") ? 1 : usual;
}

static void a_run_without_memory_leaves_nothing(void **state) {
  (void)state;
  at_every(runs_alone, step_of(53));
}
static void threads_end_when_memory_does(void **state) {
  (void)state;
  at_every(runs_on_threads, step_of(1009));
}
static void files_are_removed_when_memory_ends(void **state) {
  (void)state;
  int fd = mkstemp(recorded);
  assert_true(fd >= 0);
  close(fd);
  at_every(records, step_of(211));
  at_every(replays, step_of(211));
  unlink(recorded);
}
static void launches_without_memory_leave_nothing(void **state) {
  (void)state;
  at_every(launches, step_of(7));
}

static void a_dram_without_memory_leaves_nothing(void **state) {
  (void)state;
  struct sluice_dram_options o = {.size = sizeof o, .device = "hbm2-pc"};
  char why[200];
  long n = 0;
  for (bool through = false; !through; n++) {
    long before = live;
    left = n;
    struct sluice_dram *d = sluice_dram_open(&o, why, sizeof why);
    if (!d)
      assert_non_null(strstr(why, "out of memory"));
    through = d;
    for (uint64_t i = 0; d && i < 100; i++) {
      struct sluice_dram_request r = {i * 64, i, 0, false};
      sluice_dram_push(d, &r);
      sluice_dram_advance(d, sluice_dram_cycle(d) + 4);
      through = sluice_dram_status(d) == SLUICE_OK;
      assert_true(through || sluice_dram_status(d) == SLUICE_E_MEMORY);
    }
    left = -1;
    sluice_dram_close(d);
    assert_int_equal(live, before);
  }
  assert_true(n > 10);
}

/* The list of techniques is made by the first handle of a process, or not at all. */
static void techniques_without_memory_leave_nothing(void **state) {
  (void)state;
  struct sluice *s = NULL;
  long n = 0, lists = 0;
  for (; !s; n++) {
    long before = live;
    left = n;
    s = sluice_create();
    left = -1;
    lists += !s && live != before;
  }
  sluice_destroy(s);
  assert_true(n > 100);
  assert_int_equal(lists, 1);
  enum sluice_status status = SLUICE_E_MEMORY;
  char why[200];
  for (n = 0; status; n++) {
    long before = live;
    left = n;
    status = sluice_technique_register(&outside, why, sizeof why);
    left = -1;
    if (!status)
      break;
    assert_int_equal(status, SLUICE_E_MEMORY);
    assert_non_null(strstr(why, "out of memory"));
    assert_int_equal(live, before);
  }
  assert_true(n > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(techniques_without_memory_leave_nothing), /* first */
      cmocka_unit_test(a_run_without_memory_leaves_nothing),
      cmocka_unit_test(threads_end_when_memory_does),
      cmocka_unit_test(files_are_removed_when_memory_ends),
      cmocka_unit_test(launches_without_memory_leave_nothing),
      cmocka_unit_test(a_dram_without_memory_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
