/* A count that one thread raises by one at a time and others wait for. */
#ifndef SLUICE_ENGINE_EVENT_COUNT_H
#define SLUICE_ENGINE_EVENT_COUNT_H

#include <stdint.h>

struct event_count {
  uint32_t said, sleepers;
};

/* `count` is the next one. What was written before is seen by whoever awaited it. */
void event_count_signal(struct event_count *w, uint32_t count);
/* Until `count` is said, or the one after it; sleeps after so many nanoseconds. */
void event_count_await(struct event_count *w, uint32_t count, uint64_t ns);
uint64_t event_count_clock(void); /* nanoseconds */

#endif
