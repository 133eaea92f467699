/* Instructions that this process has executed, as valgrind's callgrind counts them: the same in every run. */
#ifndef SLUICE_BALANCE_INSTRUCTIONS_H
#define SLUICE_BALANCE_INSTRUCTIONS_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

/* Starts the program anew under callgrind, which answers through a pipe; does not come back then. */
bool instructions_start(char **argv, struct error *err);
/* Under callgrind: the end of the pipe, or -1 where the program runs by itself. */
int instructions_pipe(void);
/* So far, what this function does left out. */
uint64_t instructions_read(void *pipe);

#endif
