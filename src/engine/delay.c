#include "engine/delay.h"
#include <time.h>

static uint64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void delay_spin(uint64_t number) {
  enum { SOME = 8, FEW = 512, SHORT = 2048, LONG = 32768 };
  uint64_t x = delay_mix(number), length = x >> 32;
  if (x % SOME)
    return;
  length %= x / SOME % (FEW / SOME) ? SHORT : LONG;
  uint64_t start = nanoseconds();
  while (nanoseconds() - start < length) {
  }
}
