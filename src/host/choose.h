/* Which launches of a program are timed; the others are executed only.
 *
 *   SLUICE_LAUNCHES=10-20,every:50    numbers from 1, ranges with either end left out, every N-th
 *   SLUICE_KERNELS=mm*,reduce?        names, with the shell's * ? [...]
 *
 * With both, a launch must be chosen by both. */
#ifndef SLUICE_HOST_CHOOSE_H
#define SLUICE_HOST_CHOOSE_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

/* Checks both; either may be NULL or "": everything. */
bool choose_check(const char *launches, const char *kernels, struct error *err);
/* `number` counts all launches, from 1. */
bool choose(const char *launches, const char *kernels, uint64_t number, const char *kernel);

#endif
