/* How a line of the L2 makes room for another.
 *
 *   at once                      miss ─▶ fetch; the victim is written back meanwhile
 *   conventional                 miss ─▶ victim transient ─▶ invalidate it in the L1s ─▶ write it back ─▶ fetch ─▶ fill
 *   (l2.evict_first)             nothing can use the line until then; what wants it waits
 *   beside the cache (frc)       miss ─▶ fetch ─▶ answer ─▶ swap with the victim ─▶ write that back from the entry
 *
 * The conventional way is the FRC thesis' (Figs. 5.2a and 6.2a). L1s have to be asked only where the L2 includes them
 * (l2.inclusive): an invalidation to each that may have the line, behind the answers that are on their way to it, and an
 * acknowledgement from each, through a network that carries nothing else. */
#ifndef SLUICE_L2_EVICT_H
#define SLUICE_L2_EVICT_H

#include "cache/cache.h"
#include "l2/partition.h"

/* An access took the way of another line for `line`, where the slice is careful: what that needs to go. True: the fetch
 * of `line` waits until it is gone, and follows by itself. */
bool evict_victim(struct partition *c, struct l2_slice *s, const struct cache_result *miss, uint64_t line);
/* The line needs an entry of the side buffer: a line that stays there may have to leave. */
void evict_displace(struct partition *c, struct l2_slice *s, uint64_t line);
/* `line` made another line leave, and nobody waits for that: L1s that may have it give it back, changed data is written. */
void evict_unwaited(struct partition *c, struct l2_slice *s, const struct cache_result *r, uint64_t line);
/* Evicts a line that stays in the side buffer. */
void evict_remove(struct partition *c, struct l2_slice *s, uint64_t line);
/* Is the line being evicted? No access can have the line then. */
bool evict_leaving(const struct partition *c, const struct l2_slice *s, uint64_t line);
/* An L1 has acknowledged an invalidation. */
void evict_acknowledged(struct partition *c, struct l2_slice *s, const struct mem_request *r);
/* The L2 gave an L1 a line that the L2 does not keep: begins to take the line back. */
void evict_take_back(struct partition *c, struct l2_slice *s, const struct mem_request *r);
/* A store is to take a line: true: not yet, as it is transient or what is in its way must be written back first. */
bool evict_before_store(struct partition *c, struct l2_slice *s, uint64_t line);
/* A line of the side buffer is in a way now, and the replaced line is in the side buffer. */
void evict_swap(struct partition *c, struct l2_slice *s, uint64_t line, const struct cache_result *fill);
/* The line is being exchanged with the side buffer until a cycle: accesses that find the line wait. */
void evict_exchanging(struct partition *c, struct l2_slice *s, uint64_t line, uint64_t until);
/* Cycles until the exchange of the line with the side buffer ends; 0: no exchange. */
uint32_t evict_swapping(const struct partition *c, struct l2_slice *s, uint64_t line);
/* A fill is being written into the line for l2.fill_latency cycles. */
void evict_hold(struct partition *c, struct l2_slice *s, uint64_t line);
/* The cycle at which the next clean line has been evicted (l2.evict_clean). */
uint64_t evict_next(const struct l2_slice *s);
/* Ends fills and evictions that are over; returns the cycle of the next. */
uint64_t evict_release(struct partition *c, struct l2_slice *s);
/* All of a line that something waits for is written back; it was the fetch of that number. */
void evict_written(struct partition *c, struct l2_slice *s, uint32_t number, const struct l2_fetch *f);

#endif
