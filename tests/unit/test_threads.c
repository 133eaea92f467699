/* Any number of threads gives the same statistics, with random delays; and the delays show a wake-up that is lost. */
#include "base/strbuf.h"
#include "check.h"
#include "front/functional.h"
#include "gpu/machine.h"
#include "gpu/presets.h"
#include "tables.h"
#include <stdlib.h>

/* The report as JSON, without the lines of sim.*, which say how the host did. */
static char *result(const char *gpu, const char *file, const struct machine_options *o) {
  struct error err = {0};
  struct conf *conf = tables_conf();
  assert_true(gpu_preset_load(conf, gpu, &err));
  struct functional_machine *m = machine_new(conf, o, &err);
  assert_non_null(m);
  struct report report = {.workload = file, .conf = conf};
  struct functional_options f = {.machine = m, .progress = PROGRESS_NONE};
  functional_run(file, conf, &f, &report, &err); /* cut off at max_cycles: not complete, but all is counted */
  error_clear(&err);
  struct strbuf text = {0}, kept = {0};
  report_json(&report, &text);
  for (char *line = strtok(text.s, "\n"); line; line = strtok(NULL, "\n"))
    if (!strstr(line, "\"sim."))
      strbuf_addf(&kept, "%s\n", line);
  strbuf_free(&text);
  report_free(&report);
  machine_free(m);
  conf_free(conf);
  assert_non_null(strstr(kept.s, "\"cycles\""));
  return kept.s;
}

static const char gather[] = "examples/gpgpusim/gather_16K.yaml";
enum { CYCLES = 6000 };

static void delays_change_nothing(void **state) {
  (void)state;
  static const struct {
    const char *gpu, *file;
    unsigned threads;
  } rows[] = {
      {"gtx480", gather, 8},
      {"gtx480", "examples/gpgpusim/bfs_16K.yaml", 16},
      {"v100", gather, 16},
      {"h200", gather, 8}, /* the L2 has a clock of its own */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct machine_options one = {.threads = 1, .max_cycles = CYCLES};
    char *expected = result(rows[i].gpu, rows[i].file, &one);
    for (uint64_t seed = 1; seed <= 2; seed++) {
      struct machine_options many = {.threads = rows[i].threads, .delays = seed, .max_cycles = CYCLES};
      char *got = result(rows[i].gpu, rows[i].file, &many);
      if (strcmp(got, expected) != 0)
        fail_msg("%s on %s differs with %u threads and delays of seed %u", rows[i].file, rows[i].gpu,
                 rows[i].threads, (unsigned)seed);
      free(got);
    }
    free(expected);
  }
}

/* Parts of a crossbar forget what they know of their inputs every 2^15 cycles, for counts wrap: no message may take time on its
 * link twice. */
static void what_parts_of_a_crossbar_forget_changes_nothing(void **state) {
  (void)state;
  struct machine_options one = {.threads = 1}, four = {.threads = 1, .shards = 4};
  char *expected = result("gtx480", gather, &one), *got = result("gtx480", gather, &four);
  assert_string_equal(got, expected);
  free(got);
  free(expected);
}

/* With the calls forgotten that come while a part of a crossbar is due, as they once were, the delays give other numbers: on
 * threads, and on one thread that runs the shards one after the other. */
static void delays_show_a_lost_wake_up(void **state) {
  (void)state;
  struct machine_options one = {.threads = 1, .max_cycles = CYCLES};
  char *expected = result("gtx480", gather, &one);
  static const struct machine_options how[] = {
      {.threads = 8, .delays = 1, .forgets = true, .max_cycles = CYCLES},
      {.threads = 1, .shards = 8, .delays = 1, .forgets = true, .max_cycles = CYCLES},
  };
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
    char *got = result("gtx480", gather, &how[i]);
    if (strcmp(got, expected) == 0)
      fail_msg("%u threads: calls were lost and nobody noticed", how[i].threads);
    free(got);
  }
  free(expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(delays_change_nothing),
      cmocka_unit_test(what_parts_of_a_crossbar_forget_changes_nothing),
      cmocka_unit_test(delays_show_a_lost_wake_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
