/* Accesses of an L1 that wait without holding up others (l1d.refused = aside). */
#ifndef SLUICE_L1_ASIDE_H
#define SLUICE_L1_ASIDE_H

#include <stdint.h>

struct sm;
struct l1_of;
struct sm_access;
struct l1_aside;

struct l1_aside *aside_new(uint32_t sets, uint32_t ways);
void aside_free(struct l1_aside *a);
void aside_enqueue(struct sm *s, const struct l1_of *of, const struct sm_access *access);
/* A fetch of the line, at `place` of the cache (UINT32_MAX: at none), has ended, or the line has left: those that wait for it look up
 * again, and one that waits for the way. */
void aside_changed(struct sm *s, uint64_t line, uint32_t place);
/* An instruction is through: those that wait for their turn look up again (l1d.coherent_store = all). */
void aside_turn(struct sm *s);
/* Hands accesses to the L1, one for each port; returns the next cycle with work. */
uint64_t aside_drain(struct sm *s);

#endif
