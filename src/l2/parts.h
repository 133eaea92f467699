/* Sectors that stores changed in part (l2.partial_lines): memory takes whole bursts only, so the rest of such a sector is read before the
 * sector is written. A slice keeps so many lines with them; the one that was the first of them is completed then: its sectors are
 * read and merged, and count as valid at once. They are written then, or with the line where changed lines are limited (l2/dirty.h). */
#ifndef SLUICE_L2_PARTS_H
#define SLUICE_L2_PARTS_H

#include "l2/slice.h"

void parts_init(struct l2_slice *s, const struct l2_config *k);
/* Would a store that begins another line of this kind find no room for what it makes the slice send? */
bool parts_blocked(const struct partition *c, const struct l2_slice *s);
/* A store has changed sectors of a line, none of which was changed in part before. */
void parts_begin(struct partition *c, struct l2_slice *s, uint64_t line);
/* Reads the rest of sectors that stores changed in part; they are valid at once. Not `stay_dirty`: they are written then, and clean. */
void parts_complete(struct partition *c, struct l2_slice *s, uint64_t line, bool stay_dirty);
/* Writes back what a miss evicted. */
void parts_evict(struct partition *c, struct l2_slice *s, const struct cache_result *k);

#endif
