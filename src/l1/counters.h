/* What an SM's L1s count: S(id, field of struct sm_stats, name, unit, definition); X(id, name, unit, definition, where) for
 * counters of the caches themselves: s is the SM, d, c, t and i are the statistics of its data, constant, texture and instruction cache. */
#ifndef SLUICE_L1_COUNTERS_H
#define SLUICE_L1_COUNTERS_H

#define L1_COUNTERS(X, S)                                                                                    \
  S(l1_cache_fail, l1_fail_stall_cycles, "l1.refused_cycles", "cycles",                                      \
    "Cycles in which an L1, data or constant, refused the load/store unit's access.")                        \
  X(l1d_accesses, "l1d.accesses", "accesses", "Line accesses the L1 data caches accepted.", d->accesses)     \
  X(l1d_hits, "l1d.hits", "accesses", "Of those, found.", d->hits)                                           \
  X(l1d_misses, "l1d.misses", "accesses",                                                                    \
    "Of those, not found; stores that go through count by whether the line was there.", d->misses)           \
  X(l1d_merges, "l1d.merges", "accesses", "Of those, joined to a miss under way.", d->merges)                \
  S(l1d_repeated, repeated_stores, "l1d.repeated_stores", "accesses",                                        \
    "Line accesses of stores that were not sent, since the L1 had sent their bytes before "                  \
    "(l1d.store_lines).")                                                                                    \
  X(l1d_fail_ways, "l1d.reservation_fails.ways", "times",                                                    \
    "Attempts refused because every way of the set was reserved.", d->fails[SLUICE_FAIL_WAYS])               \
  X(l1d_fail_mshr, "l1d.reservation_fails.mshr", "times", "Attempts refused for want of a miss register.",   \
    d->fails[SLUICE_FAIL_MSHR])                                                                              \
  X(l1d_fail_merge, "l1d.reservation_fails.merge", "times",                                                  \
    "Attempts refused because a miss register was full.", d->fails[SLUICE_FAIL_MERGE])                       \
  X(l1d_fail_queue, "l1d.reservation_fails.queue", "times",                                                  \
    "Attempts refused because the miss queue was full.", d->fails[SLUICE_FAIL_QUEUE])                        \
  X(l1_cycles_ways, "l1.reservation_cycles.ways", "cycles",                                                  \
    "L1 cycles in which an access was refused because every way of the set was reserved.",                   \
    s->stats.l1_fail_cycles[SLUICE_FAIL_WAYS])                                                               \
  X(l1_cycles_mshr, "l1.reservation_cycles.mshr", "cycles", "The same for want of a miss register.",         \
    s->stats.l1_fail_cycles[SLUICE_FAIL_MSHR])                                                               \
  X(l1_cycles_merge, "l1.reservation_cycles.merge", "cycles", "The same because a miss register was full.",  \
    s->stats.l1_fail_cycles[SLUICE_FAIL_MERGE])                                                              \
  X(l1_cycles_queue, "l1.reservation_cycles.queue", "cycles", "The same because the miss queue was full.",   \
    s->stats.l1_fail_cycles[SLUICE_FAIL_QUEUE])                                                              \
  S(l1_nacked, nacked, "l1d.nacks", "requests",                                                              \
    "Loads that the L2 sent back and the L1 tried again (l2.nack).")                                         \
  S(l1_invalidated, invalidated, "l1d.invalidated", "lines", "Lines that the L2 took back (l2.inclusive).")  \
  S(l1_si_kept, si_kept, "coherence.si_kept", "accesses",                                                    \
    "Stores of whole lines that also stay in the L1 (l1d.coherence si).")                                    \
  S(l1_si_dropped, si_dropped, "coherence.si_dropped", "lines",                                              \
    "Lines that a partial or GLC store dropped from its L1 (l1d.coherence si).")                             \
  S(l1_store_asks, store_asks, "coherence.store_asks", "requests",                                           \
    "Stores that asked the directory for their line (moesi: to own it; nmoesi: to write parts of it).")      \
  S(l1_upgrade_asks, upgrade_asks, "coherence.upgrade_asks", "requests",                                     \
    "Of those, of a line that the L1 could read.")                                                           \
  S(l1_downgraded, downgraded, "coherence.downgraded", "messages", "Downgrades that L1s answered.")          \
  S(l1_clean_told, clean_notices, "coherence.clean_told", "lines",                                           \
    "Unchanged lines that L1s replaced and told the directory of.")                                          \
  S(l1_no_owner_told, no_owner_notices, "coherence.no_owner_told", "lines",                                  \
    "Exclusive lines that turned N by a store, of which L1s told the directory (nmoesi).")                   \
  S(l1_told, notice, "coherence.told", "messages",                                                           \
    "What L1s told the directory: lines replaced, changed or not, and no longer owned.")                     \
  S(l1_bytes_left, bytes_left, "coherence.bytes_left", "bytes",                                              \
    "Changed bytes that left an L1 with their line: replaced, taken back or at the end of a launch.")        \
  S(l1_bypasses, l1_bypasses, "l1d.bypasses", "accesses", "Loads that a technique sent past the L1.")        \
  S(prefetch_issued, prefetch_issued, "prefetch.issued", "lines",                                            \
    "Lines that L1s fetched before anybody asked for them.")                                                 \
  S(prefetch_useful, prefetch_useful, "prefetch.useful", "lines",                                            \
    "Of those, there when a load first asked.")                                                              \
  S(prefetch_late, prefetch_late, "prefetch.late", "lines", "Of those, still under way then.")               \
  S(prefetch_useless, prefetch_useless, "prefetch.useless", "lines",                                         \
    "Of those, gone before a load asked: replaced, dropped, or there at the end of a launch.")               \
  S(prefetch_polluting, prefetch_polluting, "prefetch.polluting", "accesses",                                \
    "Loads that missed a line which a prefetch had replaced (of an SM, the last 1024 such lines by hash).")  \
  S(prefetch_redundant, prefetch_redundant, "prefetch.redundant", "lines",                                   \
    "Lines that a prefetcher named and that were there, under way or queued.")                               \
  S(prefetch_dropped, prefetch_dropped, "prefetch.dropped", "lines",                                         \
    "Lines that it named and that found the queue full, or waited there when a launch ended.")               \
  X(l1d_fills, "l1d.fills", "sectors", "Sectors that came back to the L1 data caches.", d->fills)            \
  X(l1d_data_reads, "l1d.data_reads", "accesses", "Loads that read the data array of an L1 data cache.",     \
    d->data_reads)                                                                                           \
  X(l1d_data_writes, "l1d.data_writes", "accesses", "Stores that wrote into it.", d->data_writes)            \
  X(l1d_evictions, "l1d.evictions", "lines",                                                                 \
    "Lines of the L1 data caches that others replaced; not those that stores drop.", d->evictions)           \
  X(l1d_writebacks, "l1d.writebacks", "lines", "Dirty lines the L1 data caches wrote back.", d->writebacks)  \
  X(l1c_accesses, "l1c.accesses", "accesses", "Line accesses of the constant caches.", c->accesses)          \
  X(l1c_hits, "l1c.hits", "accesses", "Of those, found.", c->hits)                                           \
  X(l1c_misses, "l1c.misses", "accesses", "Of those, not found.", c->misses)                                 \
  X(l1c_merges, "l1c.merges", "accesses", "Of those, joined to a miss under way.", c->merges)                \
  X(l1t_accesses, "l1t.accesses", "accesses", "Line accesses of the texture caches.", t->accesses)           \
  X(l1t_hits, "l1t.hits", "accesses", "Of those, found.", t->hits)                                           \
  X(l1t_misses, "l1t.misses", "accesses", "Of those, not found.", t->misses)                                 \
  X(l1t_merges, "l1t.merges", "accesses", "Of those, joined to a miss under way.", t->merges)                \
  X(l1i_accesses, "l1i.accesses", "accesses", "Fetches the instruction caches accepted.", i->accesses)       \
  X(l1i_hits, "l1i.hits", "accesses", "Of those, found.", i->hits)                                           \
  X(l1i_misses, "l1i.misses", "accesses", "Of those, not found.", i->misses)                                 \
  X(l1i_merges, "l1i.merges", "accesses", "Of those, joined to a miss under way.", i->merges)

#endif
