/* Runs one point: what the processes do that a launcher starts. */
#ifndef SLUICE_LAB_WORK_H
#define SLUICE_LAB_WORK_H

#include "base/error.h"

/* Reads a spec (lab/spec.h) and writes the result, whatever it is, to a file ("-": standard output). False: not
 * even a result could be made. */
bool lab_work(const char *spec, const char *result, struct error *err);

#endif
