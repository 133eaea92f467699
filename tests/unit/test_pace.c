/* How many threads run, on hosts made up; and how many processors there are for them. */
#include "base/cores.h"
#include "base/strbuf.h"
#include "check.h"
#include "engine/pace.h"
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Windows of `window` ns on one thread; n threads make them `speedup(n)` times as fast. Returns the time that so many windows
 * take, and how many threads ran last. */
struct host {
  double window;
  double (*speedup)(unsigned threads);
  uint64_t random; /* not 0: times are up to a tenth off */
  double spread;   /* not 0: in place of a tenth, of each window */
};

static double simulate(const struct host *h, struct pace *p, uint64_t windows) {
  double total = 0;
  uint64_t x = h->random;
  for (uint64_t done = 0; done < windows; done += p->windows) {
    double ns = h->window * (double)p->windows / h->speedup(p->threads);
    double sum = 0;
    for (uint64_t k = 0; h->spread > 0 && k < p->windows; k++) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      sum += 1 - h->spread + 2 * h->spread * (double)(x % 1000) / 1000;
    }
    if (h->spread > 0) {
      ns *= sum / (double)p->windows;
    } else if (x) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      ns *= 0.9 + 0.2 * (double)(x % 1000) / 1000;
    }
    total += ns;
    pace_next(p, 100 * p->windows, (uint64_t)ns, 0);
    if (p->threads > 64)
      fail_msg("%u threads", p->threads);
  }
  return total;
}

static double all_help(unsigned n) {
  return n;
}
static double none_help(unsigned n) {
  return n == 1 ? 1 : 0.05;
}
static double four_help(unsigned n) {
  return n <= 4 ? n : 4.0 / (n - 3);
}

/* A second's worth of windows of 3 us: at least nine tenths of the time with the best number that there is. */
static void as_many_run_as_help(void **state) {
  (void)state;
  static const struct {
    double (*speedup)(unsigned);
    unsigned most, expected;
  } rows[] = {{all_help, 16, 16}, {all_help, 15, 15}, {all_help, 3, 3},  {none_help, 16, 1},
              {four_help, 16, 4}, {four_help, 4, 4},  {four_help, 1, 1}, {all_help, 64, 64}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    struct pace p = {0};
    struct host h = {3000, rows[i / 2].speedup, i % 2 ? 88172645463325252u : 0, 0};
    pace_init(&p, rows[i / 2].most);
    assert_int_equal(p.threads, 1);
    uint64_t windows = (uint64_t)(330000 * h.speedup(rows[i / 2].expected));
    double ns = simulate(&h, &p, windows),
           best = h.window * (double)windows / h.speedup(rows[i / 2].expected);
    assert_int_equal(p.at[p.level], rows[i / 2].expected);
    if (ns > best * 1.15)
      fail_msg("row %zu: %.3f s instead of %.3f", i / 2, ns / 1e9, best / 1e9);
    assert_true(pace_average(&p) <= rows[i / 2].most);
  }
}

/* Windows of a large GPU take a millisecond on one thread, and one half or twice as long as another: 600 of them in
 * at most 1.3 times the best time, with all threads at the end. */
static void long_windows_differ(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct pace p = {0};
    struct host h = {1.3e6, all_help, seed * 88172645463325252u, 0.5};
    pace_init(&p, 15);
    double ns = simulate(&h, &p, 600), best = h.window * 600 / 15;
    if (p.at[p.level] != 15 || ns > 1.3 * best)
      fail_msg("seed %llu: %u threads, %.3f s instead of %.3f", (unsigned long long)seed, p.at[p.level],
               ns / 1e9, best / 1e9);
  }
}

/* Other processes come and go: one thread while they are there, all when they are not. */
static double crowd = 0;
static double beside_others(unsigned n) {
  return crowd > 0 ? none_help(n) : all_help(n);
}

static void others_are_noticed(void **state) {
  (void)state;
  struct pace p = {0};
  struct host h = {3000, beside_others, 0, 0};
  pace_init(&p, 8);
  crowd = 0;
  simulate(&h, &p, 1000000);
  assert_int_equal(p.at[p.level], 8);
  crowd = 1;
  double ns = simulate(&h, &p, 330000);
  assert_int_equal(p.at[p.level], 1);
  assert_true(ns < 1.3 * 330000 * 3000);
  crowd = 0;
  simulate(&h, &p, 3000000);
  assert_int_equal(p.at[p.level], 8);
}

/* Where no processor is free, no thread is tried. */
static unsigned no_room(unsigned ours) {
  (void)ours;
  return 1;
}

static void a_busy_host_is_left_alone(void **state) {
  (void)state;
  struct pace p = {.room = no_room};
  struct host h = {3000, all_help, 0, 0};
  pace_init(&p, 8);
  simulate(&h, &p, 100000);
  assert_int_equal(p.most, 1);
  assert_true(pace_average(&p) == 1);
}

/* Work changes: a phase of a kernel, or a launch, in which a unit's cycle takes three times as long follows another. Nobody else wants the
 * processors; one thread is not tried for long each time. */
static double phase = 1;
static double heavy_or_light(unsigned n) {
  return n / phase;
}
static unsigned much_room(unsigned ours) {
  (void)ours;
  return 64;
}

static void work_that_changes_is_no_other_process(void **state) {
  (void)state;
  struct pace p = {.room = much_room};
  struct host h = {9e5, heavy_or_light, 0, 0};
  double ns = 0, best = 0;
  pace_init(&p, 15);
  simulate(&h, &p, 3000);
  for (unsigned k = 0; k < 20; k++) { /* launches of 12 and 36 ms on 15 threads */
    phase = k % 2 ? 3 : 1;
    ns += simulate(&h, &p, 200);
    best += h.window * 200 * phase / 15;
  }
  phase = 1;
  assert_int_equal(p.at[p.level], 15);
  if (ns > 1.1 * best)
    fail_msg("%.3f s instead of %.3f", ns / 1e9, best / 1e9);
}

/* Threads that are at work nearly all the time do as much as they can: while nobody else wants the processors, fewer are not tried. */
static void threads_at_work_are_not_fewer(void **state) {
  (void)state;
  struct pace p = {.room = much_room};
  pace_init(&p, 16);
  pace_start_high(&p);
  assert_int_equal(p.threads, 16);
  for (unsigned k = 0; k < 1000; k++) { /* 0.2 s, of which each thread works for nine tenths */
    uint64_t ns = 20000 * p.windows;
    pace_next(&p, 100 * p.windows, ns, 16 * ns * 9 / 10);
    assert_int_equal(p.threads, 16);
  }
}

/* A launch ends with windows in which there is nothing for many threads to do; the next begins as the one before did. */
static double little(unsigned n) {
  return n == 1 ? 1 : 0.3;
}
static void a_launch_begins_as_the_last_one_did(void **state) {
  (void)state;
  struct pace p = {.room = much_room};
  struct host full = {3e5, all_help, 0, 0}, end = {3000, little, 0, 0};
  pace_init(&p, 16);
  pace_start_high(&p);
  simulate(&full, &p, 200000); /* 3.75 s on all threads */
  assert_int_equal(p.at[p.level], 16);
  simulate(&end, &p,
           400000); /* 1.2 s on one thread: what was known of one thread is forgotten after a second */
  assert_int_equal(p.at[p.level], 1);
  assert_true(pace_launch(&p));
  assert_int_equal(p.threads, 16);
  assert_false(pace_launch(&p));
}

static void fewer_threads_may_be_had(void **state) {
  (void)state;
  struct pace p = {0};
  struct host h = {3000, all_help, 0, 0};
  pace_init(&p, 16);
  simulate(&h, &p, 100000);
  pace_limit(&p, 5);
  assert_int_equal(p.threads, 4);
  simulate(&h, &p, 100000);
  assert_int_equal(p.at[p.level], 4);
}

static void put(const char *folder, const char *file, const char *text) {
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/%s", folder, file);
  FILE *f = fopen(path.s, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  strbuf_free(&path);
}

static void folder(const char *root, const char *name) {
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/%s", root, name);
  assert_int_equal(mkdir(path.s, 0700), 0);
  strbuf_free(&path);
}

/* Documentation/admin-guide/cgroup-v2.rst: cpu.max is "$MAX $PERIOD"; a group has no more than those above it.
 * Documentation/scheduler/sched-bwc.rst: cpu.cfs_quota_us is -1 without a quota. */
static void quotas_are_whole_processors(void **state) {
  (void)state;
  char root[] = "/tmp/sluice-cores-XXXXXX", self[sizeof root + 8];
  assert_non_null(mkdtemp(root));
  snprintf(self, sizeof self, "%s/self", root);
  folder(root, "a"), folder(root, "a/b"), folder(root, "cpu,cpuacct"), folder(root, "cpu,cpuacct/c");
  static const struct {
    const char *self, *top, *a, *b, *quota;
    unsigned expected;
  } rows[] = {
      {"0::/a/b\n", "", "max 100000\n", "max 100000\n", "-1\n", 0},
      {"0::/a/b\n", "", "max 100000\n", "250000 100000\n", "-1\n", 2},
      {"0::/a/b\n", "", "150000 100000\n", "800000 100000\n", "-1\n", 1},
      {"0::/a\n", "", "300000 100000\n", "100000 100000\n", "-1\n", 3},
      {"0::/\n", "50000 100000\n", "max 100000\n", "max 100000\n", "-1\n", 1},
      {"0::/\n", "", "300000 100000\n", "max 100000\n", "-1\n", 0},
      {"5:memory:/c\n3:cpu,cpuacct:/c\n", "", "max 100000\n", "max 100000\n", "400000\n", 4},
      {"3:cpu,cpuacct:/c\n", "", "max 100000\n", "max 100000\n", "-1\n", 0},
      {"5:cpuset:/c\n", "", "max 100000\n", "max 100000\n", "400000\n", 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    put(root, "self", rows[i].self);
    put(root, "cpu.max", rows[i].top);
    put(root, "a/cpu.max", rows[i].a);
    put(root, "a/b/cpu.max", rows[i].b);
    put(root, "cpu,cpuacct/c/cpu.cfs_quota_us", rows[i].quota);
    put(root, "cpu,cpuacct/c/cpu.cfs_period_us", "100000\n");
    if (cores_quota(root, self) != rows[i].expected)
      fail_msg("row %zu: %u processors instead of %u", i, cores_quota(root, self), rows[i].expected);
  }
  assert_int_equal(cores_quota(root, "/nonexistent"), 0);
  struct strbuf command = {0};
  strbuf_addf(&command, "rm -r %s", root);
  assert_int_equal(system(command.s), 0);
  strbuf_free(&command);
}

/* proc(5): the fourth field of /proc/loadavg is runnable / existing scheduling entities. */
static void running_threads_are_read(void **state) {
  (void)state;
  assert_int_equal(cores_running("0.20 0.18 0.12 3/480 11206\n"), 3);
  assert_int_equal(cores_running("17.00 9.50 1.00 33/1024 5\n"), 33);
  assert_int_equal(cores_running("nothing"), 0);
  assert_true(cores_allowed() >= 1);
  assert_true(cores_free(1) >= 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_many_run_as_help),
      cmocka_unit_test(others_are_noticed),
      cmocka_unit_test(long_windows_differ),
      cmocka_unit_test(a_busy_host_is_left_alone),
      cmocka_unit_test(work_that_changes_is_no_other_process),
      cmocka_unit_test(threads_at_work_are_not_fewer),
      cmocka_unit_test(a_launch_begins_as_the_last_one_did),
      cmocka_unit_test(fewer_threads_may_be_had),
      cmocka_unit_test(quotas_are_whole_processors),
      cmocka_unit_test(running_threads_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
