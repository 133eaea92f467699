/* How a line of the L2 makes room for another.
 *
 *   at once                      miss ─▶ fetch; the victim is written back meanwhile
 *   conventional                 miss ─▶ victim transient ─▶ write it back ─▶ fetch ─▶ fill ─▶ line usable again
 *   (l2.evict_first)             nothing can use the line until then; what wants it waits
 *   beside the cache (frc)       miss ─▶ fetch ─▶ answer ─▶ swap with the victim ─▶ write that back from the entry
 *
 * The conventional way is the FRC thesis' (Figs. 5.2a and 6.2a). */
#ifndef SLUICE_MEM_REPLACE_H
#define SLUICE_MEM_REPLACE_H

#include "mem/cache.h"
#include "mem/partition.h"

static inline uint32_t slice_local(const struct partition *c, const struct l2_slice *s) {
  return s->index - c->index * c->nslices;
}

/* A miss cleared the way of a changed line, which goes first; then the sectors of `line` that it lacks are fetched. */
void replace_then_fetch(struct partition *c, struct l2_slice *s, const struct cache_result *miss,
                        uint64_t line);
/* A store is to take a line: true: not yet, as it is transient or what is in its way must be written back first. */
bool replace_before_store(struct partition *c, struct l2_slice *s, uint64_t line);
/* A block that was beside the cache is in a way now, and what was there is beside it. */
void replace_swap(struct partition *c, struct l2_slice *s, uint64_t line, const struct cache_result *fill);
/* Data has come, and is written into its line for l2.fill_latency cycles. */
void replace_hold(struct partition *c, struct l2_slice *s, uint64_t line);
/* Ends that where it is over; the cycle of the next end. */
uint64_t replace_release(struct partition *c, struct l2_slice *s);
/* All of a line that something waits for is written back. */
void replace_written(struct partition *c, struct l2_slice *s, const struct l2_fetch *f);

#endif
