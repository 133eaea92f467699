#include "l2/config.h"
#include "cache/params.h"
#include <string.h>

#define CONF_OF struct l2_config

static const char *const write_miss_names[] = {"no-allocate", "fetch", "validate", "write-and-fetch", NULL};
static const char *const edge_stop_names[] = {"all", "slice", NULL};

static const struct conf_param rows[] = {
    CONF_ROW_UINT("l2.channels", channels, "6", 1, 256, "channels", "Memory channels.", GTX480),
    CONF_ROW_UINT("l2.slices_per_channel", slices_per_channel, "2", 1, 16, "slices",
                  "L2 slices in front of each channel.", GTX480),
    CONF_ROW_UINT("l2.interleave", interleave, "256", 64, 1 << 20, "bytes", "Bytes that stay in one channel.",
                  GTX480),
    CONF_ROW_STRING("l2.channel_bits", channel_bits, "",
                    "The channel from address bits, as in 10^16,9^15,8; empty: blocks of l2.interleave in "
                    "turn; hashed: in turn, but every l2.channels of them in another order; hashed2: "
                    "likewise, after blocks side "
                    "by side have exchanged halves.",
                    "an alternative"),
    CONF_ROW_STRING(
        "l2.slice_bits", slice_bits, "",
        "The slice from bits of the address within the channel; empty: blocks of l2.interleave in turn; "
        "together: l2.channel_bits chooses among the slices of all channels.",
        "an alternative"),
    CACHE_ROWS("l2", cache, "64", "8", "32", "modulo", "on-miss", "256", "4", "true", GTX480),
    CONF_ROW_UINT("l2.rop_latency", rop_latency, "120", 0, 10000, "cycles", "Fixed delay in front of the L2.",
                  GTX480),
    CONF_ROW_UINT("l2.rop_spread", rop_spread, "0", 0, 10000, "cycles",
                  "Difference between the slices with the longest and the shortest l2.rop_latency; others "
                  "lie evenly between.",
                  "no source: 0, all alike"),
    CONF_ROW_UINT("l2.port_bytes", port_bytes, "32", 1, 4096, "bytes",
                  "Bytes that pass a slice's data port in a cycle.", GTX480),
    CONF_ROW_BOOL("l2.evict_port", evict_port, "true",
                  "The sectors of a changed line that a store replaces pass the data port, too, before the "
                  "slice looks up another request; not with l2.evict_first, l2.inclusive or l2.write_miss: "
                  "write-and-fetch.",
                  GTX480 ", baseline_cache::bandwidth_management"),
    CONF_ROW_UINT("l2.latency", latency, "1", 1, 10000, "cycles", "L2 hit to the response queue.", "assumed"),
    CONF_ROW_UINT("l2.in", in, "64", 1, 4096, "sectors or requests",
                  "Incoming buffer of a slice, behind l2.rop_latency: while it is full, nothing comes from "
                  "the network. Counts sectors where l2.in_sectors says so.",
                  GTX480 ", partition queues"),
    CONF_ROW_BOOL(
        "l2.in_sectors", in_sectors, "true",
        "The incoming buffer holds sectors, which come into it one per cycle, and takes nothing from "
        "the network unless a whole line would fit; false: it holds requests.",
        GTX480 ", memory_sub_partition::push, full"),
    CONF_ROW_UINT("l2.out", out, "64", 1, 4096, "requests", "Response queue of a slice.",
                  GTX480 ", partition queues"),
    CONF_ROW_UINT("l2.miss_queue", miss_queue, "4", 1, 4096, "requests", "Requests waiting for the DRAM.",
                  GTX480),
    CONF_ROW_UINT("l2.memory_ports", memory_ports, "1", 1, 16, "requests",
                  "Requests that leave the slices of a channel for the DRAM in a cycle.", "assumed"),
    CONF_ROW_UINT(
        "l2.edge_queue", edge_queue, "0", 0, 65536, "requests",
        "One buffer for what all slices ask of memory, oldest first, unless a technique takes its place; 0: "
        "slices ask their channel.",
        GTX480),
    CONF_ROW_ENUM(
        "l2.edge_stop", edge_stop, "all", edge_stop_names,
        "A request that the buffer at the GPU's edge does not take holds back those of all slices, or of "
        "its own.",
        "assumed: one way out"),
    CONF_ROW_FLOAT("l2.atomic_interval", atomic_cycles, "1", 0.1, 1000, "cycles",
                   "Cycles an atomic keeps the slice busy, on average.", "assumed"),
    CONF_ROW_UINT("l2.atomic_latency", atomic_latency, "0", 0, 10000, "cycles",
                  "What the answer of an atomic takes more than that of a load.", "an alternative"),
    CONF_ROW_FLOAT(
        "l2.atomic_word_interval", word_cycles, "0", 0, 1000, "cycles",
        "Lanes of one word take turns: cycles of each pass over a sector but the first, in which every "
        "word is changed once; of the first, too, if the last atomic was of the same sector. Each pass "
        "is an access; 0: lanes of one word at once.",
        "an alternative"),
    CONF_ROW_FLOAT("l2.atomic_line_interval", line_cycles, "0", 0, 1000, "cycles",
                   "Cycles of an atomic on a line that one of the last atomics changed, in place of "
                   "l2.atomic_interval; 0: the same.",
                   "an alternative"),
    CONF_ROW_FLOAT(
        "l2.atomic_words_interval", words_cycles, "0", 0, 1000, "cycles",
        "Cycles of each pass over a sector of an atomic whose lanes change several words, on a line "
        "that none of the last atomics changed; 0: as of one word. Whole lines, each word changed "
        "once, take no "
        "longer there.",
        "an alternative"),
    CONF_ROW_UINT("l2.atomic_lines", atomic_lines, "1", 1, L2_ATOMIC_LINES, "lines",
                  "Lines of a slice that atomics changed last, to which l2.atomic_line_interval applies.",
                  "an alternative"),
    CONF_ROW_UINT(
        "l2.atomic_words_lines", words_lines, "1", 1, L2_ATOMIC_LINES, "lines",
        "Lines of a slice that atomics changed last and that are known to an atomic whose lanes change "
        "several "
        "words: l2.atomic_words_interval does not apply there, and whole lines, each word changed once, take "
        "l2.atomic_line_interval.",
        "an alternative"),
    CONF_ROW_FLOAT("l2.atomic_float_interval", float_cycles, "0", 0, 1000, "cycles",
                   "Where all lanes have one word and add floating-point numbers to it: cycles by which sums "
                   "of the word follow each other; atomics of other words go on after "
                   "l2.atomic_word_interval for each lane; 0: as that.",
                   "an alternative"),
    CONF_ROW_FLOAT(
        "l2.atomic_double_interval", double_cycles, "0", 0, 1000, "cycles",
        "As l2.atomic_word_interval, of passes that add f64 to three words or more of a sector; 0: the "
        "same. Passes over fewer take l2.atomic_interval each.",
        "an alternative"),
    CONF_ROW_FLOAT("l2.atomic_double_line_interval", double_line_cycles, "0", 0, 1000, "cycles",
                   "Cycles of the first of such passes over a sector; 0: l2.atomic_interval.",
                   "an alternative"),
    CONF_ROW_FLOAT(
        "l2.atomic_result_interval", result_cycles, "0", 0, 1000, "cycles",
        "Cycles by which results of atomics that are used follow each other more slowly than atomics "
        "do, for each sector of another line than the last; reads go between them.",
        "an alternative"),
    CONF_ROW_BOOL(
        "l2.whole_requests", whole_requests, "false",
        "All sectors of a request are looked up in one cycle, and keep the slice busy for as long as the "
        "intervals of the L2 say, together; false: a sector in each cycle, or less often.",
        "an alternative: a slice that is wider than a sector"),
    CONF_ROW_FLOAT(
        "l2.read_interval", read_cycles, "1", 0.1, 1000, "cycles",
        "Cycles a read of one sector keeps the slice busy, on average; one of several takes a "
        "cycle for each, or with l2.whole_requests l2.read_more_interval for each beyond the first.",
        "assumed"),
    CONF_ROW_FLOAT(
        "l2.read_more_interval", read_more_cycles, "1", 0, 1000, "cycles",
        "With l2.whole_requests: cycles that each sector of a read beyond the first keeps the slice busy.",
        "assumed"),
    CONF_ROW_UINT(
        "l2.join_sms", join_sms, "0", 0, 4096, "SMs",
        "Of so many neighbouring SMs, those whose oldest request that waits for the tags is a read of the "
        "line which another of them reads, and of no other sectors, join that one when it is looked up, one "
        "request of each SM: looked up once, answered one after the other; not where a technique orders the "
        "requests of the L2; 0: none.",
        "an alternative: a unit between the SMs and the L2"),
    CONF_ROW_FLOAT("l2.store_interval", store_cycles[1], "1", 0.1, 1000, "cycles",
                   "Cycles a store of a whole sector keeps the slice busy, on average; with "
                   "l2.whole_requests the way into "
                   "the slice, and the slice as long as a read does.",
                   "assumed"),
    CONF_ROW_FLOAT("l2.partial_store_interval", store_cycles[0], "1", 0.1, 1000, "cycles",
                   "The same of a part of a sector.", "assumed"),
    CONF_ROW_FLOAT(
        "l2.store_request_interval", store_request_cycles, "0", 0, 1000, "cycles",
        "Cycles a request of stores keeps the slice, or the way into it, busy beside those of its sectors.",
        "an alternative"),
    CONF_ROW_FLOAT(
        "l2.fill_interval", fill_cycles, "0", 0, 1000, "cycles",
        "With l2.whole_requests: cycles that each sector which comes from memory keeps the slice busy.",
        "an alternative: one array of data"),
    CONF_ROW_FLOAT("l2.fill_port_interval", fill_port_cycles, "0", 0, 1000, "cycles",
                   "With l2.whole_requests: cycles that each sector which comes from memory takes of the way "
                   "into the slice, which stores take, too; 0: none.",
                   "an alternative: one port for all data that is written"),
    CONF_ROW_FLOAT(
        "l2.write_back_interval", write_back_cycles, "0", 0, 1000, "cycles",
        "With l2.whole_requests: cycles that each sector which goes to memory keeps the slice busy.",
        "an alternative: one array of data"),
    CONF_ROW_BOOL("l2.halves", halves, "false",
                  "SMs and slices lie in two halves of the GPU, of the two slices of a channel one in each. "
                  "Reads of an SM keep the slice of its half busy, atomics and stores that of the line. A "
                  "line that an SM of the other half reads or changes has a copy there, which takes a way "
                  "(without a technique that keeps lines beside the L2); false: a line has one slice and "
                  "one way.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("l2.dirty_lines", dirty_lines, "0", 0, 1 << 24, "lines",
                  "Changed lines of a slice; then the one that changed first is written to memory, and "
                  "stays. 0, and with a "
                  "technique that keeps lines beside the L2: all lines may have changed.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "l2.write_backs", write_backs, "0", 0, 1 << 20, "lines",
        "Lines of a channel that slices have written since others changed (l2.dirty_lines) and that "
        "memory does not have yet; then a store to another line waits. 0: any number, as far as queues "
        "have room.",
        "an alternative"),
    CONF_ROW_UINT("l2.partial_lines", partial_lines, "0", 0, 1 << 20, "lines",
                  "Memory takes whole bursts: of a sector that stores changed in part the rest is read "
                  "before it is written. A slice "
                  "keeps so many lines with such sectors, then the first of them is completed and written; "
                  "0, and with a technique that keeps "
                  "lines beside the L2: parts are written as they are, without a limit.",
                  "an alternative: memory with error correction"),
    CONF_ROW_ENUM("l2.write_miss", write_miss, "validate", write_miss_names,
                  "What a store that misses does. `write-and-fetch`: its bytes go to memory and its line is "
                  "fetched, also "
                  "if they are all of it; answered when memory has them.",
                  GTX480),
    CONF_ROW_BOOL("l2.wait_for_memory", wait_for_memory, "false",
                  "No look-up, not even one that would hit, while the queue to memory (dram.queue) is full.",
                  "an alternative: GPGPU-Sim 3, memory_sub_partition::cache_cycle"),
    CONF_ROW_BOOL("l2.worst_case_misses", worst_case_misses, "false",
                  "The miss queue has lines, and a read is looked up only if 2, a store only if 3 more of "
                  "them would fit, "
                  "whatever it needs; false: bursts, of which one must fit.",
                  "an alternative: GPGPU-Sim 3, baseline_cache::miss_queue_full"),
    CONF_ROW_BOOL(
        "l2.hold_misses", hold_misses, "false",
        "A miss register is kept until its last request is answered, one in a cycle if the response "
        "queue has room; false: until its line is filled.",
        "an alternative: GPGPU-Sim 3, mshr_table::next_access"),
    CONF_ROW_UINT(
        "l2.fetch_bytes", fetch_bytes, "0", 0, 128, "bytes",
        "What a read or atomic that misses brings from memory: sectors of its line that are not here are "
        "fetched "
        "with the one that is wanted, as far as they lie in the same so many bytes; 0: that sector.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("l2.fill_bytes", fill_bytes, "0", 0, 4096, "bytes",
                  "Bytes of a fill that pass a slice's fill port in a cycle; 0: fills take no time.",
                  "an alternative: GPGPU-Sim 3, baseline_cache::bandwidth_management"),
    CONF_ROW_UINT("l2.fill_latency", fill_latency, "0", 0, 10000, "cycles",
                  "Data that comes from memory is written into its line, which serves nobody meanwhile.",
                  "assumed"),
    CONF_ROW_BOOL("l2.evict_first", evict_first, "false",
                  "A changed line is written back before the one that takes its place is fetched or stored.",
                  "the FRC thesis' conventional replacement; GPGPU-Sim fetches at once"),
    CONF_ROW_UINT("l2.evict_clean", evict_clean, "0", 0, 10000, "cycles",
                  "With l2.evict_first, an unchanged line takes so long to make room; a changed one until "
                  "memory has it.",
                  "the FRC thesis leaves open whether it takes any; Fig. 6.2 has 80 for an eviction"),
    CONF_ROW_BOOL("l2.evict_posted", evict_posted, "false",
                  "With l2.evict_first, nobody waits until memory has a changed line: it makes room as an "
                  "unchanged one.",
                  "an alternative: Multi2Sim, whose main memory acknowledges evictions at once"),
    CONF_ROW_BOOL(
        "l2.inclusive", inclusive, "false",
        "The L2 has every line that an L1 data cache has: one that it replaces is taken back from those.",
        "the FRC thesis: evictions invalidate copies in the L1s"),
    CONF_ROW_BOOL("l2.nack", nack, "false",
                  "A load for which there is no miss register, or no line that is not transient, is sent "
                  "back to its L1, "
                  "which "
                  "tries again; false: it waits in the L2.",
                  "the FRC thesis, 3.5.1 and 4.5.1"),
    CONF_ROW_BOOL(
        "l2.join_writes", join_writes, "false",
        "Sectors of a line that leave together and lie in one burst of the DRAM are one write; false: one "
        "each.",
        "an alternative: GPGPU-Sim writes a line back as one request"),
    CONF_ROW_BOOL("l2.warm", warm, "true",
                  "Buffers filled before the first launch lie in the L2 as far as they fit.",
                  GTX480 ", perf_sim_memcpy"),
    CONF_ROW_BOOL(
        "l2.cold_launches", cold_launches, "false",
        "The L2 is empty at the beginning of every launch, as profilers that control caches leave it.",
        "no GPU: a way of measuring"),
};
const struct conf_table l2_params = {"L2", rows, sizeof rows / sizeof *rows};

bool l2_config_finish(struct l2_config *k, struct error *err) {
  bool ok = cache_config_finish(&k->cache, "l2", err);
  uint32_t line = k->cache.line_bytes;
  for (int i = 0; i < 2; i++)
    k->store_interval[i] = (uint32_t)(k->store_cycles[i] * 1024 + 0.5);
  k->store_request = (uint32_t)(k->store_request_cycles * 1024 + 0.5);
  k->read_interval = (uint32_t)(k->read_cycles * 1024 + 0.5);
  k->read_more = (uint32_t)(k->read_more_cycles * 1024 + 0.5);
  k->fill_interval = (uint32_t)(k->fill_cycles * 1024 + 0.5);
  k->fill_port = (uint32_t)(k->fill_port_cycles * 1024 + 0.5);
  k->write_back_interval = (uint32_t)(k->write_back_cycles * 1024 + 0.5);
  if (!k->whole_requests && (k->fill_interval || k->fill_port || k->write_back_interval))
    ok = error_add(err, EXIT_USAGE, "%s: modelled with l2.whole_requests",
                   k->fill_interval ? "l2.fill_interval"
                   : k->fill_port   ? "l2.fill_port_interval"
                                    : "l2.write_back_interval");
  if (!k->whole_requests && (k->read_cycles < 1 || k->read_more < 1024 || k->read_more > 1024))
    ok = error_add(err, EXIT_USAGE, "%s: %g; without l2.whole_requests a sector takes a cycle",
                   k->read_cycles < 1 ? "l2.read_interval" : "l2.read_more_interval",
                   k->read_cycles < 1 ? k->read_cycles : k->read_more_cycles);
  k->atomic_interval = (uint32_t)(k->atomic_cycles * 1024 + 0.5);
  k->word_interval[0] = (uint32_t)(k->word_cycles * 1024 + 0.5);
  k->known_lines = k->atomic_lines > k->words_lines ? k->atomic_lines : k->words_lines;
  k->words_interval = (uint32_t)(k->words_cycles * 1024 + 0.5);
  k->word_interval[1] = k->float_cycles > 0 ? (uint32_t)(k->float_cycles * 1024 + 0.5) : k->word_interval[0];
  k->result_interval = (uint32_t)(k->result_cycles * 1024 + 0.5);
  k->double_interval = k->double_cycles > 0 ? (uint32_t)(k->double_cycles * 1024 + 0.5) : k->word_interval[0];
  k->double_line_interval =
      k->double_line_cycles > 0 ? (uint32_t)(k->double_line_cycles * 1024 + 0.5) : k->atomic_interval;
  k->line_interval = k->line_cycles > 0 ? (uint32_t)(k->line_cycles * 1024 + 0.5) : k->atomic_interval;
  if (k->line_cycles > 0 && !k->word_interval[0])
    ok = error_add(err, EXIT_USAGE, "l2.atomic_line_interval: modelled with l2.atomic_word_interval");
  if (k->words_cycles > 0 && !k->word_interval[0])
    ok = error_add(err, EXIT_USAGE, "l2.atomic_words_interval: modelled with l2.atomic_word_interval");
  if (k->float_cycles > 0 && !k->word_interval[0])
    ok = error_add(err, EXIT_USAGE,
                   "l2.atomic_float_interval: without l2.atomic_word_interval lanes of one "
                   "word do not take turns");
  if (k->word_interval[0] && k->coherence)
    ok = error_add(err, EXIT_USAGE, "l2.atomic_word_interval: not modelled with a protocol (l1d.coherence)");
  if (k->partial_lines && (k->coherence || k->inclusive || k->evict_first || k->nack ||
                           k->write_miss != CACHE_WRITE_VALIDATE || k->cache.allocate == CACHE_ON_FILL))
    ok = error_add(err, EXIT_USAGE,
                   "l2.partial_lines: modelled with l2.write_miss validate and l2.allocate on-miss, without "
                   "l1d.coherence, "
                   "l2.inclusive, l2.evict_first and l2.nack");
  if (k->dirty_lines && (k->coherence || k->inclusive || k->evict_first || k->nack ||
                         k->write_miss != CACHE_WRITE_VALIDATE || k->cache.allocate == CACHE_ON_FILL))
    ok = error_add(err, EXIT_USAGE,
                   "l2.dirty_lines: modelled with l2.write_miss validate and l2.allocate on-miss, without "
                   "l1d.coherence, "
                   "l2.inclusive, l2.evict_first and l2.nack");
  if (k->write_backs && (!k->dirty_lines || k->join_writes))
    ok = error_add(err, EXIT_USAGE, "l2.write_backs: modelled with l2.dirty_lines, without l2.join_writes");
  if (k->halves &&
      (k->coherence || k->inclusive || k->evict_first || k->nack || k->hold_misses || k->fill_bytes ||
       !k->whole_requests || k->write_miss != CACHE_WRITE_VALIDATE || k->cache.allocate == CACHE_ON_FILL))
    ok = error_add(
        err, EXIT_USAGE,
        "l2.halves: modelled with l2.whole_requests, l2.write_miss validate and l2.allocate on-miss, without "
        "l1d.coherence, l2.inclusive, l2.evict_first, l2.nack, l2.hold_misses and l2.fill_bytes");
  if (k->halves && k->slices_per_channel != 2)
    ok = error_add(err, EXIT_USAGE,
                   "l2.halves: a channel has a slice in each; l2.slices_per_channel is %u, not 2",
                   k->slices_per_channel);
  if (k->fetch_bytes && (k->fetch_bytes & (k->fetch_bytes - 1) || k->fetch_bytes < k->cache.sector_bytes ||
                         k->fetch_bytes > line))
    ok = error_add(err, EXIT_USAGE,
                   "l2.fetch_bytes: %u; a power of two from a sector (%u) to a line (%u), or 0",
                   k->fetch_bytes, k->cache.sector_bytes, line);
  if (k->fetch_bytes && (k->coherence || k->inclusive || k->evict_first || k->nack || k->hold_misses ||
                         k->cache.allocate == CACHE_ON_FILL))
    ok = error_add(err, EXIT_USAGE,
                   "l2.fetch_bytes: modelled with l2.allocate on-miss, without l1d.coherence, l2.inclusive, "
                   "l2.evict_first, l2.nack and l2.hold_misses");
  if (k->join_sms && (k->coherence || k->inclusive || k->nack))
    ok = error_add(err, EXIT_USAGE, "l2.join_sms: not modelled with l1d.coherence, l2.inclusive and l2.nack");
  if (k->rop_spread / 2 > k->rop_latency)
    ok = error_add(err, EXIT_USAGE, "l2.rop_spread: %u; half of it is more than l2.rop_latency: %u",
                   k->rop_spread, k->rop_latency);
  if (k->cold_launches && k->inclusive)
    ok = error_add(err, EXIT_USAGE,
                   "l2.cold_launches: an L2 that includes the L1s (l2.inclusive) cannot be emptied alone");
  if (k->write_miss == CACHE_WRITE_AND_FETCH &&
      (k->evict_first || k->inclusive || k->nack || k->fill_latency || k->cache.allocate == CACHE_ON_FILL))
    ok = error_add(err, EXIT_USAGE,
                   "l2.write_miss: write-and-fetch; modelled without l2.evict_first, l2.inclusive, l2.nack, "
                   "l2.fill_latency and l2.allocate on-fill");
  if ((k->hold_misses || k->fill_bytes) && (k->evict_first || k->inclusive || k->nack || k->fill_latency ||
                                            k->coherence || k->cache.allocate == CACHE_ON_FILL))
    ok = error_add(
        err, EXIT_USAGE,
        "%s: modelled without l2.evict_first, l2.inclusive, l2.nack, l2.fill_latency, l1d.coherence "
        "and l2.allocate on-fill",
        k->hold_misses ? "l2.hold_misses" : "l2.fill_bytes");
  if (k->cas_age && k->coherence)
    ok = error_add(err, EXIT_USAGE, "sm.cas_retry: not modelled with a protocol (l1d.coherence)");
  if (k->hold_misses && k->cache.sector_bytes != line)
    ok = error_add(err, EXIT_USAGE,
                   "l2.hold_misses: modelled for lines without sectors (l2.sector_bytes: %u)", line);
  if (k->in_sectors && k->in < line / k->cache.sector_bytes)
    ok = error_add(err, EXIT_USAGE, "l2.in: %u; with l2.in_sectors a line of %u sectors must fit", k->in,
                   line / k->cache.sector_bytes);
  if (k->worst_case_misses && k->miss_queue < 3)
    ok = error_add(err, EXIT_USAGE, "l2.miss_queue: %u; with l2.worst_case_misses a store needs 3",
                   k->miss_queue);
  if (k->cache.allocate == CACHE_ON_FILL && (k->evict_first || k->inclusive))
    ok = error_add(
        err, EXIT_USAGE,
        "l2.allocate: on-fill; with l2.evict_first or l2.inclusive what leaves is known before the fetch: "
        "on-miss");
  if ((k->evict_clean || k->evict_posted) && !k->evict_first)
    ok = error_add(err, EXIT_USAGE, "%s: nobody waits for what is replaced; l2.evict_first: true",
                   k->evict_clean ? "l2.evict_clean" : "l2.evict_posted");
  bool together = strcmp(k->slice_bits, "together") == 0;
  k->map.together = together ? k->channels : 0;
  ok &= addr_stage_init(&k->map.channel, k->channels * (together ? k->slices_per_channel : 1), k->interleave,
                        k->channel_bits, line, "l2.channel_bits", err);
  ok &= addr_stage_init(&k->map.slice, k->slices_per_channel, k->interleave, together ? "" : k->slice_bits,
                        line, "l2.slice_bits", err);
  k->map.sms = k->halves ? k->sms : 0;
  return ok;
}
