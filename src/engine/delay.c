#include "engine/delay.h"
#include "engine/event_count.h"

void delay_spin(uint64_t number) {
  enum { SOME = 8, FEW = 512, SHORT = 2048, LONG = 32768 };
  uint64_t x = delay_mix(number), length = x >> 32;
  if (x % SOME)
    return;
  length %= x / SOME % (FEW / SOME) ? SHORT : LONG;
  uint64_t start = event_count_clock();
  while (event_count_clock() - start < length) {
  }
}
