// For programs with many checks: CHECK(condition) and OK(call of the runtime) name what fails and go on; `bad` counts. A program of the
// driver API defines an OK() of its own first.
#pragma once
#include <cstdio>

static int bad;
#define CHECK(c)                                                                                             \
  do {                                                                                                       \
    if (!(c)) {                                                                                              \
      printf("FAILED line %d: %s\n", __LINE__, #c);                                                          \
      bad++;                                                                                                 \
    }                                                                                                        \
  } while (0)
#ifndef OK
#define OK(c)                                                                                                \
  do {                                                                                                       \
    cudaError_t e_ = (c);                                                                                    \
    if (e_) {                                                                                                \
      printf("FAILED line %d: %s -> %s\n", __LINE__, #c, cudaGetErrorString(e_));                            \
      bad++;                                                                                                 \
    }                                                                                                        \
  } while (0)
#endif
