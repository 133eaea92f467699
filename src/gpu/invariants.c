#include "gpu/invariants.h"
#include "cache/cache.h"

#define T(id) ((unsigned long long)total[C_##id])
#define INVARIANT(condition, ...)                                                                            \
  if (!(condition))                                                                                          \
  ok = error_add(err, EXIT_RUNTIME, "conservation law violated: " __VA_ARGS__)

/* A counter this large is one from which more was taken than it had. */
static bool counters(const uint64_t *total, struct error *err) {
  bool ok = true;
  for (unsigned i = 0; i < NCOUNTERS; i++)
    INVARIANT(total[i] < UINT64_C(1) << 63, "%s is %llu, which no counter can be", counter_rows[i]->name,
              (unsigned long long)total[i]);
  return ok;
}

/* Each cache answers every access in one of three ways. */
static bool caches(const uint64_t *total, struct error *err) {
  bool ok = true;
#define CACHE(c)                                                                                             \
  INVARIANT(T(c##_accesses) == T(c##_hits) + T(c##_misses) + T(c##_merges),                                  \
            #c ".accesses %llu are not hits %llu + misses %llu + merges %llu", T(c##_accesses), T(c##_hits), \
            T(c##_misses), T(c##_merges))
  CACHE(l1d);
  CACHE(l1c);
  CACHE(l1t);
  CACHE(l1i);
  CACHE(stream1);
  CACHE(stream2);
  CACHE(l2);
#undef CACHE
  return ok;
}

/* What leaves a unit arrives at the next, and comes back once. */
static bool borders(const struct gpu *g, const uint64_t *total, struct error *err) {
  uint32_t bursts = g->partition->bursts;
  bool ok = true;
  INVARIANT(
      T(requests) + T(stream_requests) == T(request_messages) + T(link_answers) + T(stream_answers),
      "the SMs sent %llu requests and stream caches %llu; the network carried %llu, other L1s answered %llu "
      "and "
      "stream caches %llu",
      T(requests), T(stream_requests), T(request_messages), T(link_answers), T(stream_answers));
  INVARIANT(T(request_messages) <= T(response_messages) &&
                T(response_messages) <= T(request_messages) + T(l2_invalidations) + T(dir_downgrades),
            "%llu requests, but %llu answers, %llu invalidations and %llu downgrades", T(request_messages),
            T(response_messages), T(l2_invalidations), T(dir_downgrades));
  INVARIANT(T(l2_acknowledgements) <= T(l2_invalidations) + T(dir_downgrades),
            "%llu invalidations and %llu downgrades, but %llu acknowledgements", T(l2_invalidations),
            T(dir_downgrades), T(l2_acknowledgements));
  INVARIANT(T(spin_early) <= T(spin_taken) && T(spin_taken) <= T(l2_atomics),
            "%llu atomics, %llu by a CAS that succeeded, %llu too early", T(l2_atomics), T(spin_taken),
            T(spin_early));
  INVARIANT(T(l2_nacks) == T(l1_nacked), "the L2 sent %llu loads back, L1s tried %llu again", T(l2_nacks),
            T(l1_nacked));
  INVARIANT(T(request_messages) == T(l2_requests), "the network carried %llu requests, the L2 received %llu",
            T(request_messages), T(l2_requests));
  INVARIANT(T(l2_requests) == T(l2_answers), "the L2 received %llu requests and answered %llu",
            T(l2_requests), T(l2_answers));
  INVARIANT(T(l2_fetches) == T(l2_fills) + T(l2_bypasses) + T(l2_system_reads),
            "the L2 fetched %llu sectors, %llu came back", T(l2_fetches),
            T(l2_fills) + T(l2_bypasses) + T(l2_system_reads));
  /* reads of sectors changed in part may still be on their way: nobody waits for them */
  INVARIANT(T(l2_fetches) * bursts <= T(dram_read_requests) &&
                T(dram_read_requests) <= (T(l2_fetches) + T(l2_part_reads)) * bursts,
            "the L2 fetched %llu sectors of %u bursts and read %llu in part, the DRAM answered %llu reads",
            T(l2_fetches), bursts, T(l2_part_reads), T(dram_read_requests));
  INVARIANT(T(dram_read_requests) == T(dram_reads) + T(dram_forwarded) + T(dram_merged_reads),
            "DRAM: %llu reads answered by %llu commands, %llu from writes, %llu with others",
            T(dram_read_requests), T(dram_reads), T(dram_forwarded), T(dram_merged_reads));
  INVARIANT(T(dram_writes) + T(dram_merged_writes) <= T(l2_writes) * bursts,
            "the DRAM wrote %llu bursts; the L2 sent it %llu sectors of %u",
            T(dram_writes) + T(dram_merged_writes), T(l2_writes), bursts);
  return ok;
}

/* What the directory and the L1s say to each other. */
static bool coherence(const uint64_t *total, struct error *err) {
  bool ok = true;
  INVARIANT(T(dir_downgrades) == T(l1_downgraded), "%llu downgrades, L1s answered %llu", T(dir_downgrades),
            T(l1_downgraded));
  INVARIANT(T(dir_invalidations) <= T(l2_invalidations), "%llu of %llu invalidations were for stores",
            T(dir_invalidations), T(l2_invalidations));
  INVARIANT(T(dir_upgrades) <= T(l1_upgrade_asks), "%llu stores were let own a line they had, %llu asked",
            T(dir_upgrades), T(l1_upgrade_asks));
  INVARIANT(T(l1_told) == T(dir_told), "L1s told the directory %llu times, it heard %llu", T(l1_told),
            T(dir_told));
  INVARIANT(T(l1_clean_told) + T(l1_no_owner_told) <= T(l1_told),
            "%llu unchanged and %llu no longer exclusive lines are more than %llu that L1s told of",
            T(l1_clean_told), T(l1_no_owner_told), T(l1_told));
  INVARIANT(T(l1_bytes_left) == T(dir_bytes_merged), "%llu changed bytes left the L1s, %llu came to the L2",
            T(l1_bytes_left), T(dir_bytes_merged));
  INVARIANT(T(dir_told_late) <= T(dir_told), "%llu of %llu lines were told of late", T(dir_told_late),
            T(dir_told));
  return ok;
}

/* Every request is answered once, unit by unit. */
static bool units(const struct gpu *g, struct error *err) {
  bool ok = true;
  for (uint32_t i = 0; i < g->k.sms; i++) {
    const struct sm_stats *n = &g->sm[i].stats;
    INVARIANT(n->requests == n->answers, "SM %u sent %llu requests and took %llu answers", i,
              (unsigned long long)n->requests, (unsigned long long)n->answers);
  }
  for (uint32_t i = 0; i < g->k.l2.channels; i++) {
    const struct partition *c = &g->partition[i];
    struct dram_counters n;
    uint64_t fetched = 0, parts = 0;
    dram_counts(c->memory.dram, &n);
    for (uint32_t k = 0; k < c->nslices; k++) {
      const struct l2_stats *s = &c->slice[k].stats;
      INVARIANT(s->requests == s->answers, "L2 slice %u received %llu requests and answered %llu",
                c->slice[k].index, (unsigned long long)s->requests, (unsigned long long)s->answers);
      fetched += s->reads;
      parts += s->part_reads;
    }
    INVARIANT(fetched * c->bursts <= n.read_requests && n.read_requests <= (fetched + parts) * c->bursts,
              "channel %u answered %llu reads; its slices fetched %llu sectors of %u and read %llu in part",
              i, (unsigned long long)n.read_requests, (unsigned long long)fetched, c->bursts,
              (unsigned long long)parts);
  }
  return ok;
}

/* Every cycle of a warp, of a read and of a scheduler is booked once. */
static bool times(const struct gpu *g, const uint64_t *total, struct error *err) {
  bool ok = true;
  unsigned long long turns =
      g->k.core.model == SM_GCN ? 1 : g->k.core.schedulers; /* a SIMD's turn is every fourth cycle */
  INVARIANT(
      T(issued) - T(more_issued) + T(sched_scoreboard) + T(sched_pipe) + T(sched_idle) ==
          turns * T(active_cycles),
      "schedulers issued in %llu cycles, waited for registers in %llu, for pipelines in %llu and for warps "
      "in "
      "%llu; SMs with a CTA x cycles x schedulers are %llu",
      T(issued) - T(more_issued), T(sched_scoreboard), T(sched_pipe), T(sched_idle),
      turns * T(active_cycles));
  unsigned long long stalls = 0, stages = 0;
  for (int i = 0; i < NSTALLS; i++)
    stalls += total[C_stall_ISSUED + i];
  for (int i = 0; i < NSTAGES; i++)
    stages += total[C_stage_QUEUE + i];
  INVARIANT(stalls == T(warp_cycles),
            "the causes of warp cycles add up to %llu, resident warps x cycles are %llu", stalls,
            T(warp_cycles));
  INVARIANT(stages == T(latency_sum), "the stages of reads add up to %llu cycles, their latencies to %llu",
            stages, T(latency_sum));
  return ok;
}

/* The warp gate, the order and the bypass of an SM were notified of all that the SM counts. */
static bool sm_hooks(const struct sm *s, struct error *err) {
  const struct l1_hooks *h = &s->l1;
  const struct tech_calls *n = &h->calls;
  const struct sluice_gate *g = h->gate.ops;
  const struct cache_stats *d = cache_stats(s->l1d);
  /* stores that ask a directory may ask again */
  bool every_store = s->l1.k->d_on && !(s->l1.k->coherence && s->l1.k->coherence != COHERENCE_SI);
  bool ok = true;
#define SAME(told, counted, what)                                                                            \
  INVARIANT((told) == (counted), "the technique of SM %u was notified of %llu " what ", the SM has %llu",    \
            s->id, (unsigned long long)(told), (unsigned long long)(counted))
  SAME(n->starts, n->exits, "starts of warps; ends of them");
  SAME(n->waits, n->releases, "warps at barriers; released ones");
  SAME(n->inserted, n->took, "accesses for its order; accepted ones");
  SAME(n->taken - n->dropped, n->swapped, "blocks beside the L1; exchanged ones");
  SAME(n->exchanged, n->written, "victims in entries beside the L1; gone ones");
  if (g && g->issued)
    SAME(n->issued, s->stats.issued, "instructions");
  if (g && g->evicted)
    SAME(n->evicted, d->evictions, "evictions of the L1");
  if (g && g->loaded)
    SAME(n->gate_hits, d->data_reads, "loads that hit the L1");
  if (g && g->loaded && g->stored && every_store)
    SAME(n->loaded + n->stored, d->accesses, "loads and stores at the L1");
  if (h->bypass.ops && h->bypass.ops->loaded)
    SAME(n->bypass_hits, d->data_reads, "loads that hit the L1");
#undef SAME
  return ok;
}

/* The same of an L2 slice. Reads that are sent back to their L1 count as refused, and leave the order. */
static bool slice_hooks(const struct l2_slice *s, struct error *err) {
  const struct tech_calls *n = &s->calls;
  uint64_t refused = 0;
  bool ok = true;
  for (int i = 0; i < SLUICE_NFAILS; i++)
    refused += s->stats.fails[i];
#define SAME(condition, told, counted, what)                                                                 \
  INVARIANT(condition, "the technique of L2 slice %u was notified of %llu " what ", the slice has %llu",     \
            s->index, (unsigned long long)(told), (unsigned long long)(counted))
  if (!s->fifo) {
    SAME(n->inserted == s->stats.requests, n->inserted, s->stats.requests, "requests");
    SAME(n->took == s->stats.requests, n->took, s->stats.requests, "accepted requests");
    SAME(n->refused <= refused && refused <= n->refused + s->stats.nacks, n->refused, refused, "refusals");
  }
  uint64_t evictions = cache_stats(s->cache)->evictions;
  if (s->side_buffer.victim)
    SAME(n->kept + n->partial == evictions, n->kept + n->partial, evictions, "evictions");
  SAME(n->taken - n->dropped == n->swapped, n->taken - n->dropped, n->swapped,
       "blocks beside the L2; exchanged ones");
  uint64_t victims = n->exchanged + n->sheltered - n->stayed, leaving = 0;
  for (size_t i = 0; i < s->nleaving; i++) /* a launch does not wait for what is written to memory */
    leaving += s->owner->fetch[s->leaving[i]].to_side_buffer;
  SAME(s->evicts_first ? victims == n->written + leaving : victims >= n->written, victims,
       n->written + leaving, "victims in entries beside the L2; gone ones");
#undef SAME
  return ok;
}

/* Techniques are notified of every event: as often as the units that notify them count it. */
static bool hooks(const struct gpu *g, struct error *err) {
  bool ok = true;
  uint64_t bursts = 0, waiting = 0;
  for (uint32_t i = 0; i < g->k.sms; i++)
    ok = sm_hooks(&g->sm[i], err) && ok;
  for (uint32_t i = 0; i < g->k.l2.channels; i++) {
    const struct partition *c = &g->partition[i];
    waiting += c->missing;
    for (uint32_t k = 0; k < c->nslices; k++) {
      ok = slice_hooks(&c->slice[k], err) && ok;
      const struct l2_stats *n = &c->slice[k].stats;
      bursts += (n->reads + n->part_reads + n->writes) * c->bursts - c->slice[k].unwritten;
    }
  }
  const struct memory_side *m = g->memory_side;
  if (m && m->source.ops)
    INVARIANT(m->calls.inserted + waiting == bursts,
              "the memory source was notified of %llu requests; L2 slices made %llu, and %llu wait there",
              (unsigned long long)m->calls.inserted, (unsigned long long)bursts, (unsigned long long)waiting);
  return ok;
}

/* Nothing is under way any more. */
static bool empty(const struct gpu *g, struct error *err) {
  bool ok = true;
  for (uint32_t i = 0; i < g->k.sms; i++) {
    const struct sm *s = &g->sm[i];
    INVARIANT(!cache_mshrs_used(s->l1d) && !cache_mshrs_used(s->l1c) && !cache_mshrs_used(s->l1t) &&
                  !cache_mshrs_used(s->l1i),
              "a miss of the L1 of SM %u was never answered", i);
    INVARIANT(port_empty(s->in) && port_empty(s->out), "a message was left between SM %u and the network", i);
    INVARIANT(!s->mem_count && !s->delay_count && !s->miss.at.count && !s->cmiss.at.count &&
                  !s->imiss.at.count && !s->writebacks && !s->live_warps,
              "SM %u is not empty", i);
  }
  for (uint32_t i = 0; i < g->nscalars; i++) {
    const struct scalar *c = &g->scalar[i];
    INVARIANT(!c->miss.at.count && port_empty(c->in) && port_empty(c->out), "scalar cache %u is not empty",
              i);
    for (uint32_t k = 0; k < c->n; k++)
      INVARIANT(port_empty(&c->ask[k]) && port_empty(&c->reply[k]),
                "scalar cache %u has a load of SM %u left", i, c->first + k);
  }
  for (uint32_t i = 0; g->link && i < g->nlinks; i++)
    INVARIANT(!g->link[i].route || !g->link[i].route->used, "a load was left between the SMs of link %u", i);
  for (uint32_t i = 0; i < g->nstreams; i++)
    INVARIANT(stream_drained(&g->stream[i]), "something was left in the stream caches of link %u",
              i % g->nlinks);
  for (uint32_t i = 0; i < g->nslices; i++) {
    const struct l2_slice *s =
        &g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel];
    INVARIANT(!cache_mshrs_used(s->cache) && !s->fills.registers, "a miss of L2 slice %u was never answered",
              i);
    INVARIANT(!s->delay_count && !s->done_count, "a request was left in L2 slice %u", i);
    INVARIANT(port_empty(s->in) && port_empty(s->out),
              "a message was left between L2 slice %u and the network", i);
  }
  return ok;
}

/* What only following requests one by one shows. */
static bool followed(const struct gpu *g, struct error *err) {
  bool ok = true;
  for (uint32_t i = 0; i < g->k.sms; i++) {
    const struct checker *f = g->sm[i].checker;
    INVARIANT(!checker_violation(f), "%s", checker_violation(f));
    INVARIANT(!g->k.longest_wait || checker_longest(f) <= g->k.longest_wait,
              "a request of SM %u waited %llu cycles; check.longest_wait allows %llu", i,
              (unsigned long long)checker_longest(f), (unsigned long long)g->k.longest_wait);
  }
  for (uint32_t i = 0; i < g->nslices; i++) {
    const struct l2_slice *s =
        &g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel];
    INVARIANT(!checker_violation(s->checker), "%s", checker_violation(s->checker));
  }
  return ok;
}

bool invariants_hold(const struct gpu *g, const uint64_t total[NCOUNTERS], struct error *err) {
  bool ok = counters(total, err);
  ok = caches(total, err) && ok;
  ok = borders(g, total, err) && ok;
  ok = coherence(total, err) && ok;
  ok = units(g, err) && ok;
  ok = times(g, total, err) && ok;
  ok = hooks(g, err) && ok;
  ok = (!g->k.check_requests || followed(g, err)) && ok;
  return empty(g, err) && ok;
}
