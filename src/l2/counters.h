/* What an L2 slice counts: S(id, field of struct l2_stats, name, unit, definition); X(id, name, unit, definition, where), s being
 * the slice and c its cache's statistics. */
#ifndef SLUICE_L2_COUNTERS_H
#define SLUICE_L2_COUNTERS_H

#define L2_COUNTERS(X, S)                                                                                    \
  S(l2_accesses, accesses, "l2.accesses", "accesses", "Sector accesses the L2 accepted.")                    \
  S(l2_hits, hits, "l2.hits", "accesses",                                                                    \
    "Of those, found: by a load all of the sector, by a store that fetches nothing at least some bytes.")    \
  S(l2_misses, misses, "l2.misses", "accesses", "Of those, not found.")                                      \
  S(l2_merges, merges, "l2.merges", "accesses", "Of those, joined to a miss under way.")                     \
  S(l2_atomics, atomics, "l2.atomics", "accesses", "Sectors that atomics changed in the L2.")                \
  S(spin_taken, taken, "spin.taken", "accesses", "Of l2.atomics, those of a CAS that succeeded.")            \
  S(spin_early, taken_early, "spin.early", "accesses",                                                       \
    "Of spin.taken, sooner than an unloaded round trip from the L2 to an SM and back after another warp's "  \
    "on the same word: a CAS that succeeds only because the functional order is replayed.")                  \
  S(spin_again, again, "spin.again", "accesses",                                                             \
    "Of l2.atomics, those of a CAS that failed because another warp was quicker, and that its SM repeats "   \
    "(sm.cas_retry).")                                                                                       \
  S(l2_requests, requests, "l2.requests", "requests",                                                        \
    "Requests that arrived at the L2; each is one or more accesses.")                                        \
  S(l2_answers, answers, "l2.answers", "requests", "Requests the L2 answered.")                              \
  S(l2_joined, joined, "l2.joined", "requests",                                                              \
    "Of l2.requests, those that joined an earlier one on its way to the tags (l2.join_sms).")                \
  S(l2_bypasses, bypasses, "l2.bypasses", "accesses", "Sector reads that a technique sent past the L2.")     \
  X(l2_fail_ways, "l2.reservation_fails.ways", "times",                                                      \
    "Attempts refused because every way of the set was reserved.", s->stats.fails[SLUICE_FAIL_WAYS])         \
  X(l2_fail_mshr, "l2.reservation_fails.mshr", "times", "Attempts refused for want of a miss register.",     \
    s->stats.fails[SLUICE_FAIL_MSHR])                                                                        \
  X(l2_fail_merge, "l2.reservation_fails.merge", "times",                                                    \
    "Attempts refused because a miss register was full.", s->stats.fails[SLUICE_FAIL_MERGE])                 \
  X(l2_fail_queue, "l2.reservation_fails.queue", "times",                                                    \
    "Attempts refused because the queue to memory was full.", s->stats.fails[SLUICE_FAIL_QUEUE])             \
  X(l2_fail_response, "l2.reservation_fails.response", "times",                                              \
    "Attempts refused because the response queue was full.", s->stats.fails[SLUICE_FAIL_RESPONSE])           \
  X(l2_cycles_ways, "l2.reservation_cycles.ways", "cycles",                                                  \
    "L2 cycles from such a refusal to the slice's next attempt.", s->stats.fail_cycles[SLUICE_FAIL_WAYS])    \
  X(l2_cycles_mshr, "l2.reservation_cycles.mshr", "cycles", "The same for want of a miss register.",         \
    s->stats.fail_cycles[SLUICE_FAIL_MSHR])                                                                  \
  X(l2_cycles_merge, "l2.reservation_cycles.merge", "cycles", "The same for a full miss register.",          \
    s->stats.fail_cycles[SLUICE_FAIL_MERGE])                                                                 \
  X(l2_cycles_queue, "l2.reservation_cycles.queue", "cycles", "The same for a full queue to memory.",        \
    s->stats.fail_cycles[SLUICE_FAIL_QUEUE])                                                                 \
  X(l2_cycles_response, "l2.reservation_cycles.response", "cycles", "The same for a full response queue.",   \
    s->stats.fail_cycles[SLUICE_FAIL_RESPONSE])                                                              \
  S(l2_wait, stall_cycles, "l2.wait_cycles", "cycles",                                                       \
    "L2 cycles from when a request could be looked up to when it was, summed.")                              \
  S(l2_fetches, reads, "l2.fetches", "sectors", "Sectors the L2 asked the DRAM for.")                        \
  S(l2_part_reads, part_reads, "l2.part_reads", "sectors",                                                   \
    "Sectors changed in part that the L2 read before it wrote them (l2.partial_lines); not of l2.fetches.")  \
  S(l2_system_reads, system_reads, "coherence.system_reads", "sectors",                                      \
    "Sectors read past all caches (SLC, l1d.coherence si).")                                                 \
  S(l2_system_writes, system_writes, "coherence.system_writes", "sectors",                                   \
    "Sectors written past all caches.")                                                                      \
  S(dir_locked, locked, "coherence.locked", "times",                                                         \
    "Attempts refused because the directory's entry of the line was locked.")                                \
  S(dir_downgrades, downgrades, "coherence.downgrades", "messages",                                          \
    "Owners that the directory asked to let others read: loads served with their data.")                     \
  S(dir_invalidations, store_invalidations, "coherence.invalidations", "messages",                           \
    "Of l2.invalidations, those for stores and atomics; the others are for lines the L2 replaced.")          \
  S(dir_upgrades, upgrades, "coherence.upgrades", "requests",                                                \
    "Stores that were let own a line that they had: answers without data.")                                  \
  S(dir_wait_cycles, wait_cycles, "coherence.wait_cycles", "cycles",                                         \
    "L2 cycles that requests waited for downgrades and invalidations of stores.")                            \
  S(dir_told, noticed, "coherence.heard", "messages", "The same, as it came to the directory.")              \
  S(dir_bytes_merged, bytes_merged, "coherence.bytes_merged", "bytes",                                       \
    "The same, as they came to the L2: each once, told or acknowledged.")                                    \
  S(dir_told_late, late_notices, "coherence.told_late", "messages",                                          \
    "Of those, of lines that the directory had taken back meanwhile.")                                       \
  S(l2_prefetch_issued, prefetch_issued, "l2.prefetch.issued", "lines",                                      \
    "Lines that the L2 began to fetch before anybody asked for them.")                                       \
  S(l2_prefetch_useful, prefetch_useful, "l2.prefetch.useful", "lines",                                      \
    "Of those, there when a read or atomic first asked.")                                                    \
  S(l2_prefetch_late, prefetch_late, "l2.prefetch.late", "lines",                                            \
    "Of those, still under way then, at least the sector that was asked for.")                               \
  S(l2_prefetch_useless, prefetch_useless, "l2.prefetch.useless", "lines",                                   \
    "Of those, replaced before a read or atomic asked. Lines that are there at the end of a run are in "     \
    "none of the three.")                                                                                    \
  S(l2_prefetch_polluting, prefetch_polluting, "l2.prefetch.polluting", "accesses",                          \
    "Reads and atomics that missed a line which a prefetch had replaced (of a slice, the last 1024 such "    \
    "lines by hash).")                                                                                       \
  S(l2_prefetch_redundant, prefetch_redundant, "l2.prefetch.redundant", "lines",                             \
    "Lines that a prefetcher named and that were there, under way or queued.")                               \
  S(l2_prefetch_dropped, prefetch_dropped, "l2.prefetch.dropped", "lines",                                   \
    "Lines that it named and that found the queue full, or waited there when a launch ended.")               \
  S(l2_nacks, nacks, "l2.nacks", "requests", "Loads that were sent back to their L1 (l2.nack).")             \
  S(l2_invalidations, invalidations, "l2.invalidations", "messages",                                         \
    "Lines taken back from an L1 (l2.inclusive).")                                                           \
  S(l2_acknowledgements, acknowledgements, "l2.acknowledgements", "messages",                                \
    "L1s that said a line is gone, or that others may read it.")                                             \
  S(l2_invalidate_cycles, invalidate_cycles, "l2.invalidate_cycles", "cycles",                               \
    "L2 cycles that fetches and stores waited for L1s to give a line back (l2.evict_first).")                \
  S(l2_evict_first, evictions_first, "l2.evicted_first", "times",                                            \
    "Fetches and stores that waited until the line before them had gone (l2.evict_first).")                  \
  S(l2_evict_cycles, evict_cycles, "l2.evict_cycles", "cycles", "L2 cycles that those waited for it.")       \
  S(l2_fetch_cycles, fetch_cycles, "l2.fetch_cycles", "cycles",                                              \
    "L2 cycles from asking memory for a sector to its data, all l2.fetches.")                                \
  S(l2_writes, writes, "l2.writes", "sectors", "Sectors the L2 sent to the DRAM.")                           \
  X(l2_fills, "l2.fills", "sectors", "Sectors that came back from the DRAM.", c->fills)                      \
  X(l2_data_reads, "l2.data_reads", "sectors", "Loads that read the data array of the L2.", c->data_reads)   \
  X(l2_data_writes, "l2.data_writes", "sectors", "Stores that wrote into it.", c->data_writes)               \
  X(l2_evictions, "l2.evictions", "lines", "Lines replaced in the L2.", c->evictions)                        \
  X(l2_writebacks, "l2.writebacks", "lines", "Of those, with changed bytes.", c->writebacks)

#endif
