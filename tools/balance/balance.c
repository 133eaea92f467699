#include "base/mem.h"
#include "engine/profiler.h"
#include "front/functional.h"
#include "gpu/machine.h"
#include "gpu/presets.h"
#include "instructions.h"
#include "tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "Usage: balance [--instructions] [--by-shard] SHARDS GPU FILE.yaml\n"
    "\n"
    "How far more threads could help: a GPU in parts (shards), and what each part does from one meeting of "
    "the\n"
    "threads to the next (window), measured on one thread. All work over the sum of the largest part of "
    "each\n"
    "window is what as many processors would gain if meeting cost nothing.\n"
    "\n"
    "  --instructions  count instructions instead of time: takes valgrind and about a hundred times as long; "
    "the\n"
    "                  same in every run. Otherwise the shortest time of three runs counts, of each part and "
    "window.\n"
    "  --by-shard       also what share of the work each shard has, and in how many windows it has most\n"
    "\n"
    "SHARDS is 1 to 254; what is done between windows is one thread's. Executing the kernel is not in it: of "
    "many\n"
    "threads, one does nothing else.\n"
    "\n"
    "Example:\n"
    "  balance --instructions 16 v100 examples/gpgpusim/tnaive_512.yaml\n";

enum { RUNS = 3, MOST_SHARDS = 254 };

struct options {
  bool instructions, by_shard;
  unsigned shards;
  const char *gpu, *file;
};

static uint64_t stopwatch(void *ctx) {
  (void)ctx;
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

static bool measure(const struct conf *conf, const struct options *o, struct profiler *profiler,
                    struct error *err) {
  struct machine_options options = {.threads = 1, .shards = o->shards, .profiler = profiler};
  struct functional_machine *m = machine_new(conf, &options, err);
  if (!m)
    return false;
  struct report report = {.workload = o->file, .conf = conf};
  struct functional_options f = {.machine = m, .progress = PROGRESS_NONE};
  bool ok = functional_run(o->file, conf, &f, &report, err);
  report_free(&report);
  machine_free(m);
  return ok;
}

/* The same is done every time: what else the machine does is left out of the shortest times. */
static bool measure_time(const struct conf *conf, const struct options *o, struct profiler *least,
                         struct error *err) {
  bool ok = measure(conf, o, least, err);
  for (int i = 1; ok && i < RUNS; i++) {
    struct profiler again = {.read = stopwatch};
    ok = measure(conf, o, &again, err);
    for (size_t k = 0; ok && k < least->n; k++)
      if (again.count[k] < least->count[k])
        least->count[k] = again.count[k];
    if (ok && again.apart < least->apart)
      least->apart = again.apart;
    free(again.count);
  }
  return ok;
}

struct sums {
  uint64_t between, all, largest;
  uint64_t *shard, *most; /* of each shard: all of its work, windows in which it has most */
  size_t windows;
};

static struct sums add_up(const struct profiler *m, unsigned shards) {
  struct sums s = {.shard = xcalloc(shards, sizeof *s.shard), .most = xcalloc(shards, sizeof *s.most)};
  for (const uint32_t *w = m->count; w < m->count + m->n; w += shards + 1) {
    unsigned most = 0;
    for (unsigned i = 0; i < shards; i++) {
      s.shard[i] += w[1 + i];
      s.all += w[1 + i];
      if (w[1 + i] > w[1 + most])
        most = i;
    }
    s.most[most]++;
    s.largest += w[1 + most];
    s.between += w[0];
    s.windows++;
  }
  return s;
}

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

static void print(const struct profiler *m, const struct options *o) {
  struct sums s = add_up(m, o->shards);
  printf("%s, %u shards, %zu windows: all work / largest shard of each window = %.2f\n", o->file, o->shards,
         s.windows, ratio(s.all, s.largest));
  printf(
      "  million %s: all %.1f, largest %.1f, between windows %.1f (counted as well: %.2f), executing %.1f\n",
      o->instructions ? "instructions" : "ticks", (double)s.all / 1e6, (double)s.largest / 1e6,
      (double)s.between / 1e6, ratio(s.all + s.between, s.largest + s.between), (double)m->apart / 1e6);
  for (unsigned i = 0; o->by_shard && i < o->shards; i++)
    printf("  shard %3u: %5.2f %% of the work, most in %5.2f %% of the windows\n", i,
           100 * ratio(s.shard[i], s.all), 100 * ratio(s.most[i], s.windows));
  free(s.shard), free(s.most);
}

static bool parse(struct options *o, int argc, char **argv, struct error *err) {
  const char *word[3];
  int n = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--instructions") == 0)
      o->instructions = true;
    else if (strcmp(argv[i], "--by-shard") == 0)
      o->by_shard = true;
    else if (argv[i][0] == '-' || n == 3)
      return error_set(err, EXIT_USAGE, "'%s' is not understood; see balance --help", argv[i]);
    else
      word[n++] = argv[i];
  }
  if (n < 3)
    return error_set(err, EXIT_USAGE, "SHARDS, GPU and FILE.yaml are needed; see balance --help");
  char *end;
  unsigned long shards = strtoul(word[0], &end, 10);
  if (*end || shards < 1 || shards > MOST_SHARDS)
    return error_set(err, EXIT_USAGE, "SHARDS is '%s'; 1 to %d are possible", word[0], MOST_SHARDS);
  o->shards = (unsigned)shards, o->gpu = word[1], o->file = word[2];
  return true;
}

static bool run(const struct options *o, char **argv, struct error *err) {
  int pipe = instructions_pipe();
  if (o->instructions && pipe < 0)
    return instructions_start(argv, err);
  struct conf *conf = tables_conf();
  struct profiler m = {.read = o->instructions ? instructions_read : stopwatch, .ctx = &pipe};
  bool ok = gpu_preset_load(conf, o->gpu, err) &&
            (o->instructions ? measure(conf, o, &m, err) : measure_time(conf, o, &m, err));
  if (ok)
    print(&m, o);
  free(m.count);
  conf_free(conf);
  return ok;
}

int main(int argc, char **argv) {
  struct error err = {0};
  struct options o = {0};
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    fputs(usage, stdout);
    return EXIT_OK;
  }
  if (!parse(&o, argc, argv, &err) || !run(&o, argv, &err))
    fprintf(stderr, "balance: %s\n", err.text ? err.text : "failed");
  int code = err.code;
  error_clear(&err);
  return code;
}
