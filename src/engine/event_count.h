/* A count that one thread raises by one at a time and others wait for. */
#ifndef SLUICE_ENGINE_EVENT_COUNT_H
#define SLUICE_ENGINE_EVENT_COUNT_H

#include <stdbool.h>
#include <stdint.h>

struct event_count {
  uint32_t said, sleepers;
};

/* Raises the count to `count`, its next value. A thread that awaited `count` sees everything written before. */
void event_count_signal(struct event_count *w, uint32_t count);
/* Is the count `count` or the value after, and not the value before? */
static inline bool event_count_reached(const struct event_count *w, uint32_t count) {
  return __atomic_load_n(&w->said, __ATOMIC_ACQUIRE) != count - 1;
}
/* Waits until the count is `count` or the value after: spins for `ns` nanoseconds, then sleeps. */
void event_count_await(struct event_count *w, uint32_t count, uint64_t ns);
uint64_t event_count_clock(void); /* nanoseconds */

#endif
