/* What a clock of the GPU is worth right now: SM frequency, and the cost of launching nothing. */
#ifndef SLUICE_HW_TIMER_H
#define SLUICE_HW_TIMER_H

#include <cuda.h>

struct hwtimer {
  double sm_mhz;   /* SM cycles per microsecond, measured under a running kernel */
  double empty_us; /* least event time around an empty kernel */
};

/* Needs a current context. */
CUresult hwtimer_measure(struct hwtimer *t);

#endif
