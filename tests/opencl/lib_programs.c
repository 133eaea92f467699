/* Rule: programs written as benchmark suites write them give the results that another OpenCL implementation gives.
 * programs/NAME.cl holds a kernel NAME; programs/expected.txt what PoCL 3.1 computed:
 *
 *   NAME, a hash of the integers, sum and sum of squares of the floating-point numbers
 *
 *   lib_programs FOLDER [record]     with `record`, prints such lines instead */
#include "lib_run.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1024, MAX_SOURCE = 1 << 16 };

static const char *const names[] = {
    "align",   "cipher",   "digest",    "factor",  "flow",    "graph",    "local_arrays", "mixed",
    "option",  "particle", "poly",      "queue",   "records", "reduce",   "scan",         "sorting",
    "swizzle", "tile",     "transform", "twister", "nested",  "pointers", "wide",
};

static char *read_source(const char *folder, const char *name) {
  char path[512];
  static char text[MAX_SOURCE];
  snprintf(path, sizeof path, "%s/%s.cl", folder, name);
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f)
    fclose(f);
  text[n] = 0;
  return text;
}

/* The first line: "// range: DIMENSIONS GLOBAL... LOCAL..." */
static struct lib_range read_range(const char *text) {
  struct lib_range r = {0};
  int at = 0;
  if (sscanf(text, "// range: %u%n", &r.dims, &at) != 1 || r.dims > 3)
    return r;
  for (unsigned i = 0; i < 2 * r.dims; i++) {
    int n = 0;
    unsigned v = 0;
    sscanf(text + at, "%u%n", &v, &n);
    *(i < r.dims ? &r.global[i] : &r.local[i - r.dims]) = v;
    at += n;
  }
  return r;
}

struct result {
  uint32_t hash;
  double sum, squares;
};

static bool run(const char *folder, const char *name, const char *options, struct result *out) {
  static int32_t in[N], ints[N];
  static float fin[N], floats[N];
  uint32_t x = 2463534242u;
  for (unsigned i = 0; i < N; i++) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    in[i] = (int32_t)x;
    fin[i] = (float)((double)(x >> 8) * 0x1p-22 - 2);
    ints[i] = 0, floats[i] = 0;
  }
  int32_t n = N;
  const char *text = read_source(folder, name);
  struct lib_program *p = lib_build(text, options);
  bool legal = lib_run(p, name, read_range(text), LIB_BUF(in), LIB_BUF(fin), LIB_BUF(ints), LIB_BUF(floats),
                       LIB_VAL(n));
  lib_free(p);
  *out = (struct result){.hash = 2166136261u};
  for (unsigned i = 0; i < N; i++) {
    out->hash = (out->hash ^ (uint32_t)ints[i]) * 16777619u;
    out->sum += (double)floats[i];
    out->squares += (double)floats[i] * (double)floats[i];
  }
  return legal;
}

/* Sums of rounded numbers: both implementations may contract and order operations differently. */
static bool close_to(double a, double b, double scale) {
  return fabs(a - b) <= 2e-5 * (scale + fabs(b));
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : "tests/opencl/programs";
  char path[512], line[256];
  snprintf(path, sizeof path, "%s/expected.txt", folder);
  FILE *f = fopen(path, "r");
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    struct result got, plain, want = {0};
    char name[64] = "";
    bool legal = run(folder, names[i], "", &got);
    if (argc > 2) {
      printf("%s %08x %.9g %.9g\n", names[i], got.hash, got.sum, got.squares);
      continue;
    }
    if (f && fgets(line, sizeof line, f))
      sscanf(line, "%63s %x %lg %lg", name, &want.hash, &want.sum, &want.squares);
    lib_check(legal && strcmp(name, names[i]) == 0 && got.hash == want.hash &&
                  close_to(got.sum, want.sum, sqrt(want.squares)) && close_to(got.squares, want.squares, 0),
              "%s %08x %.9g %.9g instead of %s", names[i], got.hash, got.sum, got.squares, line);
    legal = run(folder, names[i], "-cl-opt-disable", &plain);
    lib_check(legal && plain.hash == want.hash && close_to(plain.sum, want.sum, sqrt(want.squares)),
              "%s without optimisation: %08x %.9g %.9g instead of %s", names[i], plain.hash, plain.sum,
              plain.squares, line);
  }
  if (f)
    fclose(f);
  return argc > 2 ? 0 : lib_done();
}
