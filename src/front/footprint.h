/* Which memory a run touches: the set of 32-byte sectors of global memory, from the stream. Costs time, so it
 * is done on request (front.touched). */
#ifndef SLUICE_FRONT_FOOTPRINT_H
#define SLUICE_FRONT_FOOTPRINT_H

#include "front/exec.h"

struct footprint;
struct footprint *footprint_new(void);
void footprint_free(struct footprint *t);
void footprint_see(struct footprint *t, const struct exec *x, const struct sluice_segment *s);
uint64_t footprint_sectors(const struct footprint *t);

#endif
