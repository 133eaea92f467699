/* A count that one thread raises by one at a time and others wait for. */
#ifndef SLUICE_ENGINE_WORD_H
#define SLUICE_ENGINE_WORD_H

#include <stdint.h>

struct word {
  uint32_t said, sleepers;
};

/* `count` is the next one. What was written before is seen by whoever awaited it. */
void word_say(struct word *w, uint32_t count);
/* Until `count` is said, or the one after it; sleeps after so many nanoseconds. */
void word_await(struct word *w, uint32_t count, uint64_t ns);
uint64_t word_clock(void); /* nanoseconds */

#endif
