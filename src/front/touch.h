/* Which memory a run touches: the set of 32-byte sectors of global memory, from the stream. Costs time, so it
 * is done on request (front.touched). */
#ifndef SLUICE_FRONT_TOUCH_H
#define SLUICE_FRONT_TOUCH_H

#include "front/exec.h"

struct touch;
struct touch *touch_new(void);
void touch_free(struct touch *t);
void touch_see(struct touch *t, const struct exec *x, const struct sluice_segment *s);
uint64_t touch_sectors(const struct touch *t);

#endif
