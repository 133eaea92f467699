/* Functions that run in nearly every simulated cycle: they are put side by side in the program, where they get in each other's
 * way in the host's instruction cache less than scattered over it. */
#ifndef SLUICE_BASE_HOT_H
#define SLUICE_BASE_HOT_H

#define HOT __attribute__((hot))

/* A condition that seldom holds in functions of nearly every cycle: the code for it comes behind the rest of the function, and not between
 * what runs, so that lines of the host's instruction cache are full of what runs. */
#define RARELY(condition) __builtin_expect_with_probability(!!(condition), 0, 0.999)

#endif
