/* What the reference programs share: the kernels' input hash and a writer of expected/NAME.bin. */
#ifndef TESTS_KERNELS_EXPECTED_H
#define TESTS_KERNELS_EXPECTED_H
#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

static inline u32 mix(u32 x) {
  x *= 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return x;
}
void save(const char *name, const void *data, size_t bytes);
void expect_control(void); /* divergence, calls, warps, barriers */
void expect_memory(void);  /* state spaces, atomics, carries */
void expect_apps(void);    /* whole algorithms */
void expect_ops(void);     /* rare opcodes, numerics, the device runtime */
void expect_cl(void);      /* OpenCL */
#endif
