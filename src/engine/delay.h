/* Random delays for tests: threads spin where they meet and where they share state, so that a host with two cores shows the
 * orders of events that a host with many cores shows. A run whose results differ from a run without delays is not deterministic.
 *
 * A delay spins, as a thread that yields lets another thread in only where the scheduler would do so anyway. A core of the host
 * also sees the stores of other cores late; no spin can imitate that, so the units that share state do (noc/xbar.c). */
#ifndef SLUICE_ENGINE_DELAY_H
#define SLUICE_ENGINE_DELAY_H

#include <stdint.h>

#define DELAY_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t delay_mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Spins for a time that depends on `number`: most numbers do not spin, 1 in 8 for up to 2 microseconds, 1 in 512 for up to 33. */
void delay_spin(uint64_t number);

/* Delays the calling thread at random. `state`: of the random numbers, used by one thread at a time; 0: no delays. */
static inline void delay_here(uint64_t *state) {
  if (__builtin_expect(*state != 0, 0))
    delay_spin(*state += DELAY_STEP);
}

/* Delays the calling thread at random, with a `state` that several threads share; 0: no delays. */
static inline void delay_shared(uint64_t *state) {
  if (__builtin_expect(__atomic_load_n(state, __ATOMIC_RELAXED) != 0, 0))
    delay_spin(__atomic_fetch_add(state, DELAY_STEP, __ATOMIC_RELAXED));
}

#endif
