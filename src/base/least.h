/* The lesser and the greater of two numbers; the sooner and the later of two times. */
#ifndef SLUICE_BASE_LEAST_H
#define SLUICE_BASE_LEAST_H

#include <stdint.h>

static inline uint64_t min64(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}
static inline uint64_t max64(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}
/* `*next` becomes `t` if that is less. */
static inline void sooner(uint64_t *next, uint64_t t) {
  *next = t < *next ? t : *next;
}
/* `*at` becomes `t` if that is greater. */
static inline void later(uint64_t *at, uint64_t t) {
  *at = t > *at ? t : *at;
}

#endif
