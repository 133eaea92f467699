/* Delays for tests: threads dawdle at random where they meet and where they share state, so that a host of two cores shows
 * the orders of one with many. A test run that differs from one without delays has lost determinism.
 *
 * Spins, not yields: a thread that yields only lets another in at a place where the scheduler would do so anyway. What a core
 * writes is also seen by others with delay; the units that share state imitate that (noc/xbar.c), as no spin can. */
#ifndef SLUICE_ENGINE_DELAY_H
#define SLUICE_ENGINE_DELAY_H

#include <stdint.h>

#define DELAY_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t delay_mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Most numbers do not spin, some up to 2 microseconds, few up to 32. */
void delay_spin(uint64_t number);

/* `state` belongs to one thread at a time; 0: no delays. */
static inline void delay_here(uint64_t *state) {
  if (__builtin_expect(*state != 0, 0))
    delay_spin(*state += DELAY_STEP);
}

/* The same for threads that share the state. */
static inline void delay_shared(uint64_t *state) {
  if (__builtin_expect(__atomic_load_n(state, __ATOMIC_RELAXED) != 0, 0))
    delay_spin(__atomic_fetch_add(state, DELAY_STEP, __ATOMIC_RELAXED));
}

#endif
