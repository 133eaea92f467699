/* Energy of a repeated launch, from the card's own counter (NVML, loaded when asked for). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct hwenergy {
  double watts;   /* mean power of the card while the launch was repeated */
  double us;      /* of one launch, launches queued one behind the other */
  double seconds; /* how long was measured, from step to step of the counter */
  uint64_t count; /* launches timed */
  unsigned sm_mhz, memory_mhz;
};

/* False where NVML or the counter is missing. */
bool hwenergy_open(int device);

/* Calls `launch` over and over: half a second to warm up, then `seconds` measured. The counter moves in steps of about 100 ms:
 * both ends of the measurement lie on a step. */
void hwenergy_measure(void (*launch)(void *), void *arg, double seconds, struct hwenergy *out);

/* The same of a card that has a context and nothing to do. */
void hwenergy_rest(double seconds, struct hwenergy *out);
