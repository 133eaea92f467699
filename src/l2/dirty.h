/* Changed lines (l2.dirty_lines): a slice has so many of them; then the line that changed first is written to memory and stays, clean. */
#ifndef SLUICE_L2_DIRTY_H
#define SLUICE_L2_DIRTY_H

#include "l2/slice.h"

void dirty_init(struct l2_slice *s, const struct l2_config *k);
/* Would a store that changes another line find no room for what it makes the slice send? */
bool dirty_blocked(const struct partition *c, const struct l2_slice *s);
/* A line that was clean has changed. */
void dirty_begin(struct partition *c, struct l2_slice *s, uint64_t line);
/* Memory has the last burst of a line that was written. */
void dirty_written(struct partition *c);
/* The cache is empty. */
void dirty_emptied(struct l2_slice *s);

#endif
