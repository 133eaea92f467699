/* Functions that run in nearly every simulated cycle: they are put side by side in the program, where they get in each other's
 * way in the host's instruction cache less than scattered over it. */
#ifndef SLUICE_BASE_HOT_H
#define SLUICE_BASE_HOT_H

#define HOT __attribute__((hot))

#endif
