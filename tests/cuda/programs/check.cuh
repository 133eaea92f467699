// For programs that check their own results: OK(call) ends at an error of CUDA, finish(ok) prints PASSED or FAILED.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define OK(call)                                                                                                       \
  do {                                                                                                                 \
    cudaError_t e_ = (call);                                                                                           \
    if (e_ != cudaSuccess) {                                                                                           \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(e_), cudaGetErrorString(e_));            \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static inline bool near(double a, double b, double relative = 1e-5) {
  return fabs(a - b) <= relative * fmax(1.0, fmax(fabs(a), fabs(b)));
}
static inline int finish(bool ok) {
  puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
