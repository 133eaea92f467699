/* Somebody wants the run to end: a signal asks, whoever simulates looks now and then, ends the launch and reports what
 * was counted. A matter of the whole process, as signals are. */
#ifndef SLUICE_BASE_STOP_H
#define SLUICE_BASE_STOP_H

#include "base/error.h"
#include <stdbool.h>

void stop_ask(int sig); /* may be called by a signal handler */
int stop_asked(void);   /* the signal; 0: nobody asked */
/* False after filling err with 128 + signal, if somebody asked. */
bool stop_check(struct error *err);

#endif
