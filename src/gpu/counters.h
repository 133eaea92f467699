/* What the units of a GPU count, in one list: name, unit, definition, and where the number lies.
 *
 * Units only add integers. A snapshot copies all their counters at one instant; a launch, or a stretch of
 * cycles, is the difference of two snapshots, and a total the sum over the units of a kind.
 *
 *   snapshot   gpu | sm 0, sm 1, … | network | stream caches | l2 0, l2 1, … | dram 0, … | techniques
 *              each: its kind's counters */
#ifndef SLUICE_GPU_COUNTERS_H
#define SLUICE_GPU_COUNTERS_H

#include "dram/stats.h"
#include "gpu/gpu.h"

/* X(id, name, unit, definition, where) */
#define COUNTERS_GPU(X)                                                                                      \
  X(cycles, "gpu.cycles", "cycles",                                                                          \
    "Core cycles from the first CTA's dispatch to the last one's end, summed over launches.", g->cycles)

#define COUNTERS_SM(X)                                                                                       \
  X(issued, "sm.issued", "instructions", "Warp instructions issued by the schedulers.", s->stats.issued)     \
  X(thread_issued, "sm.thread_issued", "instructions", "The same, weighted by active lanes.",                \
    s->stats.thread_issued)                                                                                  \
  X(operations, "sm.operations", "operations",                                                               \
    "The same, where an instruction of a scalar or branch unit is one (sm.model gcn).", s->stats.operations) \
  X(more_issued, "sm.more_issued", "instructions",                                                           \
    "Of sm.issued, those beyond the first of a scheduler in a cycle (sm.issue_width).",                      \
    s->stats.more_issued)                                                                                    \
  X(active_cycles, "sm.active_cycles", "cycles", "Cycles with a CTA resident, summed over SMs.",             \
    s->stats.active_cycles)                                                                                  \
  X(warp_cycles, "sm.warp_cycles", "warps × cycles", "Cycles times the warps resident in each.",             \
    s->stats.warp_cycles)                                                                                    \
  X(ctas, "sm.ctas", "CTAs", "CTAs completed.", s->stats.ctas)                                               \
  X(sched_scoreboard, "sched.scoreboard", "cycles",                                                          \
    "Scheduler cycles in which all warps waited for registers, instructions or barriers.",                   \
    s->stats.stall_scoreboard)                                                                               \
  X(sched_pipe, "sched.pipe", "cycles",                                                                      \
    "Scheduler cycles in which warps were ready and their pipelines busy.", s->stats.stall_pipe)             \
  X(sched_idle, "sched.idle", "cycles", "Scheduler cycles without a warp, on an SM with a CTA.",             \
    s->stats.idle_cycles)                                                                                    \
  X(shared_cycles, "sm.shared_cycles", "cycles", "Cycles shared memory was busy.", s->stats.shared_cycles)   \
  X(mem_instructions, "ldst.instructions", "instructions",                                                   \
    "Memory instructions with accesses beyond shared memory.", s->stats.mem_instructions)                    \
  X(mem_accesses, "ldst.accesses", "accesses",                                                               \
    "Line accesses that their lanes were combined to (sm.merge_loads, sm.merge_stores).",                    \
    s->stats.mem_accesses)                                                                                   \
  X(vmb_full, "ldst.vmb_full_cycles", "cycles",                                                              \
    "Cycles in which the buffer of memory instructions under way was full (sm.vmb).",                        \
    s->stats.vmb_full_cycles)                                                                                \
  X(l1_refused, "l1.refused_cycles", "cycles",                                                               \
    "Cycles in which an L1, data or constant, refused the load/store unit's access.",                        \
    s->stats.l1_stall_cycles)                                                                                \
  X(l1d_accesses, "l1d.accesses", "accesses", "Line accesses the L1 data caches accepted.", d->accesses)     \
  X(l1d_hits, "l1d.hits", "accesses", "Of those, found.", d->hits)                                           \
  X(l1d_misses, "l1d.misses", "accesses",                                                                    \
    "Of those, not found; stores that go through count by whether the line was there.", d->misses)           \
  X(l1d_merges, "l1d.merges", "accesses", "Of those, joined to a miss under way.", d->merges)                \
  X(l1d_fail_ways, "l1d.reservation_fails.ways", "times",                                                    \
    "Attempts refused because every way of the set was reserved.", d->fails[CACHE_FAIL_WAYS])                \
  X(l1d_fail_mshr, "l1d.reservation_fails.mshr", "times", "Attempts refused for want of a miss register.",   \
    d->fails[CACHE_FAIL_MSHR])                                                                               \
  X(l1d_fail_merge, "l1d.reservation_fails.merge", "times",                                                  \
    "Attempts refused because a miss register was full.", d->fails[CACHE_FAIL_MERGE])                        \
  X(l1d_fail_queue, "l1d.reservation_fails.queue", "times",                                                  \
    "Attempts refused because the miss queue was full.", d->fails[CACHE_FAIL_QUEUE])                         \
  X(l1_cycles_ways, "l1.reservation_cycles.ways", "cycles",                                                  \
    "L1 cycles in which an access was refused because every way of the set was reserved.",                   \
    s->stats.l1_fail_cycles[SLUICE_FAIL_WAYS])                                                               \
  X(l1_cycles_mshr, "l1.reservation_cycles.mshr", "cycles", "The same for want of a miss register.",         \
    s->stats.l1_fail_cycles[SLUICE_FAIL_MSHR])                                                               \
  X(l1_cycles_merge, "l1.reservation_cycles.merge", "cycles", "The same because a miss register was full.",  \
    s->stats.l1_fail_cycles[SLUICE_FAIL_MERGE])                                                              \
  X(l1_cycles_queue, "l1.reservation_cycles.queue", "cycles", "The same because the miss queue was full.",   \
    s->stats.l1_fail_cycles[SLUICE_FAIL_QUEUE])                                                              \
  X(l1_nacked, "l1d.nacks", "requests", "Loads that the L2 sent back and the L1 tried again (l2.nack).",     \
    s->stats.nacked)                                                                                         \
  X(l1_invalidated, "l1d.invalidated", "lines", "Lines that the L2 took back (l2.inclusive).",               \
    s->stats.invalidated)                                                                                    \
  X(l1_si_kept, "coherence.si_kept", "accesses",                                                             \
    "Stores of whole lines that also stay in the L1 (l1d.coherence si).", s->stats.si_kept)                  \
  X(l1_si_dropped, "coherence.si_dropped", "lines",                                                          \
    "Lines that a partial or GLC store dropped from its L1 (l1d.coherence si).", s->stats.si_dropped)        \
  X(l1_store_asks, "coherence.store_asks", "requests",                                                       \
    "Stores that asked the directory for their line (moesi: to own it; nmoesi: to write parts of it).",      \
    s->stats.store_asks)                                                                                     \
  X(l1_upgrade_asks, "coherence.upgrade_asks", "requests", "Of those, of a line that the L1 could read.",    \
    s->stats.upgrade_asks)                                                                                   \
  X(l1_downgraded, "coherence.downgraded", "messages", "Downgrades that L1s answered.", s->stats.downgraded) \
  X(l1_clean_told, "coherence.clean_told", "lines",                                                          \
    "Unchanged lines that L1s replaced and told the directory of.", s->stats.clean_told)                     \
  X(l1_no_owner_told, "coherence.no_owner_told", "lines",                                                    \
    "Exclusive lines that turned N by a store, of which L1s told the directory (nmoesi).",                   \
    s->stats.no_owner_told)                                                                                  \
  X(l1_told, "coherence.told", "messages",                                                                   \
    "What L1s told the directory: lines replaced, changed or not, and no longer owned.", s->stats.told)      \
  X(l1_bytes_left, "coherence.bytes_left", "bytes",                                                          \
    "Changed bytes that left an L1 with their line: replaced, taken back or at the end of a launch.",        \
    s->stats.bytes_left)                                                                                     \
  X(l1_bypasses, "l1d.bypasses", "accesses", "Loads that a technique sent past the L1.",                     \
    s->stats.l1_bypasses)                                                                                    \
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
  X(l1i_accesses, "l1i.accesses", "accesses", "Fetches the instruction caches accepted.", i->accesses)       \
  X(l1i_hits, "l1i.hits", "accesses", "Of those, found.", i->hits)                                           \
  X(l1i_misses, "l1i.misses", "accesses", "Of those, not found.", i->misses)                                 \
  X(l1i_merges, "l1i.merges", "accesses", "Of those, joined to a miss under way.", i->merges)                \
  X(requests, "noc.requests", "messages", "Requests the SMs sent.", s->stats.requests)                       \
  X(answers, "noc.answers", "messages", "Answers the SMs took.", s->stats.answers)                           \
  X(latency_sum, "latency.sum", "cycles",                                                                    \
    "Core cycles from request to answer, summed over reads of the SMs.", s->stats.latency_sum)               \
  X(latency_count, "latency.count", "requests", "Reads answered to the SMs.", s->stats.latency_count)        \
  X(latency_fetched, "latency.fetched", "requests", "Of those, fetched from memory.", s->stats.fetched)

/* and the SM's own lists: warp cycles by cause, latency by stage (core/stall.h) */
#define STALL_HELP(help) "Of the cycles of resident warps (sm.warp_cycles): " help
#define STAGE_HELP(help) "Of latency.sum, cycles " help "."

#define COUNTERS_NOC(X)                                                                                      \
  X(request_messages, "noc.request_messages", "messages", "Messages the request network carried.",           \
    xbar_counts(&g->request).messages)                                                                       \
  X(response_messages, "noc.response_messages", "messages", "Messages the response network carried.",        \
    xbar_counts(&g->response).messages)                                                                      \
  X(request_flits, "noc.request_flits", "flits", "Flits of the request network.",                            \
    xbar_counts(&g->request).flits)                                                                          \
  X(response_flits, "noc.response_flits", "flits", "Flits of the response network.",                         \
    xbar_counts(&g->response).flits)                                                                         \
  X(request_wait, "noc.request_wait_cycles", "cycles",                                                       \
    "Network cycles that requests waited at the head of an input, summed.",                                  \
    xbar_counts(&g->request).wait_cycles)                                                                    \
  X(response_wait, "noc.response_wait_cycles", "cycles",                                                     \
    "Network cycles that answers waited at the head of an input, summed.",                                   \
    xbar_counts(&g->response).wait_cycles)                                                                   \
  X(link_wait, "noc.link_wait_cycles", "cycles",                                                             \
    "Network cycles that messages waited at the head of a link shared by several SMs, summed.",              \
    links_wait(g))                                                                                           \
  X(link_answers, "noc.link_answers", "messages",                                                            \
    "Loads answered by another L1 behind the same link, which the networks did not carry.",                  \
    links_answers(g))                                                                                        \
  X(stream_requests, "noc.stream_requests", "messages",                                                      \
    "Requests of the stream caches' own: fetches, and lines written back.", streams_sum(g, false))           \
  X(stream_answers, "noc.stream_answers", "messages",                                                        \
    "Requests that ended in a stream cache, which answered them.", streams_sum(g, true))

/* A level of stream caches, one cache after the other. */
#define COUNTERS_STREAM(X, id, name)                                                                         \
  X(id##_accesses, name ".accesses", "accesses",                                                             \
    "Accesses the groups' stream caches of this level accepted; stores count by whether the line was "       \
    "there.",                                                                                                \
    c->accesses)                                                                                             \
  X(id##_hits, name ".hits", "accesses", "Of those, found.", c->hits)                                        \
  X(id##_misses, name ".misses", "accesses", "Of those, not found.", c->misses)                              \
  X(id##_merges, name ".merges", "accesses", "Of those, joined to a miss under way.", c->merges)             \
  X(id##_fails, name ".refused", "times", "Attempts refused for want of a way, a miss register or a queue.", \
    c->fails[0] + c->fails[1] + c->fails[2] + c->fails[3])                                                   \
  X(id##_fills, name ".fills", "sectors", "Sectors that came back.", c->fills)                               \
  X(id##_writebacks, name ".writebacks", "lines", "Dirty lines written back.", c->writebacks)
#define COUNTERS_STREAM1(X) COUNTERS_STREAM(X, stream1, "stream.l1")
#define COUNTERS_STREAM2(X) COUNTERS_STREAM(X, stream2, "stream.l2")

#define COUNTERS_L2(X)                                                                                       \
  X(l2_accesses, "l2.accesses", "accesses", "Sector accesses the L2 accepted.", s->stats.accesses)           \
  X(l2_hits, "l2.hits", "accesses",                                                                          \
    "Of those, found: by a load all of the sector, by a store that fetches nothing at least some bytes.",    \
    s->stats.hits)                                                                                           \
  X(l2_misses, "l2.misses", "accesses", "Of those, not found.", s->stats.misses)                             \
  X(l2_merges, "l2.merges", "accesses", "Of those, joined to a miss under way.", s->stats.merges)            \
  X(l2_atomics, "l2.atomics", "accesses", "Sectors that atomics changed in the L2.", s->stats.atomics)       \
  X(spin_taken, "spin.taken", "accesses", "Of l2.atomics, those of a CAS that succeeded.", s->stats.taken)   \
  X(spin_early, "spin.early", "accesses",                                                                    \
    "Of spin.taken, sooner than an unloaded round trip from the L2 to an SM and back after another warp's "  \
    "on the same word: a CAS that succeeds only because the functional order is replayed.",                  \
    s->stats.taken_early)                                                                                    \
  X(l2_requests, "l2.requests", "requests",                                                                  \
    "Requests that arrived at the L2; each is one or more accesses.", s->stats.requests)                     \
  X(l2_answers, "l2.answers", "requests", "Requests the L2 answered.", s->stats.answers)                     \
  X(l2_bypasses, "l2.bypasses", "accesses", "Sector reads that a technique sent past the L2.",               \
    s->stats.bypasses)                                                                                       \
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
  X(l2_wait, "l2.wait_cycles", "cycles",                                                                     \
    "L2 cycles from when a request could be looked up to when it was, summed.", s->stats.stall_cycles)       \
  X(l2_fetches, "l2.fetches", "sectors", "Sectors the L2 asked the DRAM for.", s->stats.reads)               \
  X(l2_system_reads, "coherence.system_reads", "sectors",                                                    \
    "Sectors read past all caches (SLC, l1d.coherence si).", s->stats.system_reads)                          \
  X(l2_system_writes, "coherence.system_writes", "sectors", "Sectors written past all caches.",              \
    s->stats.system_writes)                                                                                  \
  X(dir_locked, "coherence.locked", "times",                                                                 \
    "Attempts refused because the directory's entry of the line was locked.", s->stats.locked)               \
  X(dir_downgrades, "coherence.downgrades", "messages",                                                      \
    "Owners that the directory asked to let others read: loads served with their data.",                     \
    s->stats.downgrades)                                                                                     \
  X(dir_invalidations, "coherence.invalidations", "messages",                                                \
    "Of l2.invalidations, those for stores and atomics; the others are for lines the L2 replaced.",          \
    s->stats.store_invalidations)                                                                            \
  X(dir_upgrades, "coherence.upgrades", "requests",                                                          \
    "Stores that were let own a line that they had: answers without data.", s->stats.upgrades)               \
  X(dir_wait_cycles, "coherence.wait_cycles", "cycles",                                                      \
    "L2 cycles that requests waited for downgrades and invalidations of stores.", s->stats.wait_cycles)      \
  X(dir_told, "coherence.heard", "messages", "The same, as it came to the directory.", s->stats.told)        \
  X(dir_bytes_merged, "coherence.bytes_merged", "bytes",                                                     \
    "The same, as they came to the L2: each once, told or acknowledged.", s->stats.bytes_merged)             \
  X(dir_told_late, "coherence.told_late", "messages",                                                        \
    "Of those, of lines that the directory had taken back meanwhile.", s->stats.told_late)                   \
  X(l2_nacks, "l2.nacks", "requests", "Loads that were sent back to their L1 (l2.nack).", s->stats.nacks)    \
  X(l2_invalidations, "l2.invalidations", "messages", "Lines taken back from an L1 (l2.inclusive).",         \
    s->stats.invalidations)                                                                                  \
  X(l2_acknowledgements, "l2.acknowledgements", "messages",                                                  \
    "L1s that said a line is gone, or that others may read it.", s->stats.acknowledgements)                  \
  X(l2_invalidate_cycles, "l2.invalidate_cycles", "cycles",                                                  \
    "L2 cycles that fetches and stores waited for L1s to give a line back (l2.evict_first).",                \
    s->stats.invalidate_cycles)                                                                              \
  X(l2_evict_first, "l2.evicted_first", "times",                                                             \
    "Fetches and stores that waited until the line before them had gone (l2.evict_first).",                  \
    s->stats.evictions_first)                                                                                \
  X(l2_evict_cycles, "l2.evict_cycles", "cycles", "L2 cycles that those waited for it.",                     \
    s->stats.evict_cycles)                                                                                   \
  X(l2_fetch_cycles, "l2.fetch_cycles", "cycles",                                                            \
    "L2 cycles from asking memory for a sector to its data, all l2.fetches.", s->stats.fetch_cycles)         \
  X(l2_writes, "l2.writes", "sectors", "Sectors the L2 sent to the DRAM.", s->stats.writes)                  \
  X(l2_fills, "l2.fills", "sectors", "Sectors that came back from the DRAM.", c->fills)                      \
  X(l2_data_reads, "l2.data_reads", "sectors", "Loads that read the data array of the L2.", c->data_reads)   \
  X(l2_data_writes, "l2.data_writes", "sectors", "Stores that wrote into it.", c->data_writes)               \
  X(l2_evictions, "l2.evictions", "lines", "Lines replaced in the L2.", c->evictions)                        \
  X(l2_writebacks, "l2.writebacks", "lines", "Of those, with changed bytes.", c->writebacks)

/* the DRAM's list (dram/stats.h), and its bytes */
#define COUNTERS_DRAM(X, Y)                                                                                  \
  DRAM_COUNTERS(X)                                                                                           \
  Y(bytes, "dram.bytes", "bytes", "Bytes moved over the data buses.")

enum counter {
#define X(id, name, unit, help, where) C_##id,
  COUNTERS_GPU(X) COUNTERS_SM(X)
#undef X
#define X(id, name, help) C_stall_##id,
      STALLS(X)
#undef X
#define X(id, name, help) C_stage_##id,
          STAGES(X)
#undef X
#define X(id, name, unit, help, where) C_##id,
              COUNTERS_NOC(X) COUNTERS_STREAM1(X) COUNTERS_STREAM2(X) COUNTERS_L2(X)
#undef X
#define X(id, name, unit, help) C_dram_##id,
                  COUNTERS_DRAM(X, X)
#undef X
                      NCOUNTERS
};

enum counter_kind { KIND_GPU, KIND_SM, KIND_NOC, KIND_STREAM1, KIND_STREAM2, KIND_L2, KIND_DRAM, KINDS };

struct counter_group {
  const char *kind;
  const struct stat_row *rows;
  size_t nrows;
  enum counter first; /* of the rows */
};
extern const struct counter_group counter_groups[KINDS];
extern const struct stat_row *const counter_rows[NCOUNTERS];

size_t counters_units(const struct gpu *g, enum counter_kind k);
size_t counters_size(const struct gpu *g); /* numbers in a snapshot */
void counters_take(const struct gpu *g, uint64_t *snapshot);
/* Sums over units of `after` - `before`; before NULL: of `after` itself. */
void counters_total(const struct gpu *g, const uint64_t *after, const uint64_t *before,
                    uint64_t total[NCOUNTERS]);
/* What the techniques counted, tech_counters() numbers. */
void counters_techniques(const struct gpu *g, const uint64_t *after, const uint64_t *before, uint64_t *to);

#endif
