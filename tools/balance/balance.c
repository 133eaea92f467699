/* How far more threads could help: a GPU dealt to lanes, the time of each lane in each window measured on one
 * thread. All work over the sum of the largest lane of each window is what as many processors would gain if
 * meeting cost nothing.
 *
 *   balance LANES GPU FILE.yaml
 *
 * The same instructions run every time, so of several runs the shortest time of each lane and window counts:
 * what else the machine does is left out. Executing the kernel is not in it. */
#include "base/mem.h"
#include "front/functional.h"
#include "gpu/gpu.h"
#include "gpu/machine.h"
#include "gpu/presets.h"
#include "tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3 };

static bool measure(const struct conf *conf, unsigned lanes, const char *path, uint32_t **least, size_t *n,
                    struct error *err) {
  struct machine_options o = {.threads = 1, .lanes = lanes, .weigh = true};
  struct functional_machine *m = machine_new(conf, &o, err);
  if (!m)
    return false;
  struct report report = {.workload = path, .conf = conf};
  struct functional_options f = {.machine = m, .progress = PROGRESS_NONE};
  bool ok = functional_run(path, conf, &f, &report, err);
  const struct crew *c = machine_crew(m);
  if (ok && !*least) {
    *n = c->nweights;
    *least = xmalloc((*n + 1) * sizeof **least);
    memcpy(*least, c->weight, *n * sizeof **least);
  }
  for (size_t i = 0; ok && i < *n && i < c->nweights; i++)
    if (c->weight[i] < (*least)[i])
      (*least)[i] = c->weight[i];
  report_free(&report);
  machine_free(m);
  return ok;
}

static void print(const uint32_t *t, size_t n, unsigned lanes) {
  uint64_t all = 0, largest = 0;
  for (size_t w = 0; w < n; w += lanes) {
    uint32_t most = 0;
    for (unsigned i = 0; i < lanes; i++) {
      all += t[w + i];
      most = t[w + i] > most ? t[w + i] : most;
    }
    largest += most;
  }
  printf("%u lanes, %zu windows: all work / largest lane of each window = %.2f\n", lanes, n / lanes,
         largest ? (double)all / (double)largest : 0);
}

int main(int argc, char **argv) {
  struct error err = {0};
  unsigned lanes = argc == 4 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
  if (lanes < 1 || lanes > 255) {
    fprintf(stderr, "usage: balance LANES GPU FILE.yaml    (1 to 255 lanes)\n");
    return EXIT_USAGE;
  }
  struct conf *conf = tables_conf();
  uint32_t *least = NULL;
  size_t n = 0;
  bool ok = gpu_preset_load(conf, argv[2], &err);
  for (int i = 0; ok && i < RUNS; i++)
    ok = measure(conf, lanes, argv[3], &least, &n, &err);
  if (ok)
    print(least, n, lanes);
  else
    fprintf(stderr, "%s\n", err.text ? err.text : "failed");
  free(least);
  conf_free(conf);
  int code = err.code;
  error_clear(&err);
  return code;
}
