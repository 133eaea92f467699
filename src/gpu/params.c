/* The parameters of a GPU. */
#include "gpu/config.h"
#include "dram/dram.h"
#include "energy/sram.h"

static const char *const access_names[] = {"sequential", "parallel", NULL};
static const char *const model_names[] = {"simt", "gcn", NULL};
static const char *const scheduler_names[] = {"gto", "lrr", "two-level", "oldest", NULL};
static const char *const index_names[] = {"modulo", "xor", "hashed", "bits", "fermi", NULL};
static const char *const replacement_names[] = {"lru", "fifo", "srrip", NULL};
static const char *const allocate_names[] = {"on-miss", "on-fill", NULL};
static const char *const write_miss_names[] = {"no-allocate", "fetch", "validate", NULL};
static const char *const write_names[] = {"through", "back", "around", NULL};
static const char *const coherence_names[] = {"none", "si", "moesi", "nmoesi", NULL};
static const char *const allocator_names[] = {"round-robin", "islip", "ideal", NULL};
static const char *const memory_names[] = {"commands", "fixed", NULL};
static const char *const refresh_names[] = {"none", "allbank", "perbank", NULL};

#define GTX480 "GPGPU-Sim 4.2, SM2_GTX480"
#define N(name, initial, lo, hi, unit_, help_, source_)                                                      \
  { name, CONF_UINT, initial, .min = lo, .max = hi, .unit = unit_, .help = help_, .source = source_ }
#define E(name, initial, choices_, help_, source_)                                                           \
  { name, CONF_ENUM, initial, .choices = choices_, .unit = "", .help = help_, .source = source_ }
#define F(name, initial, lo, hi, unit_, help_, source_)                                                      \
  { name, CONF_FLOAT, initial, .fmin = lo, .fmax = hi, .unit = unit_, .help = help_, .source = source_ }
#define B(name, initial, help_, source_)                                                                     \
  { name, CONF_BOOL, initial, .unit = "", .help = help_, .source = source_ }
#define S(name, initial, help_, source_)                                                                     \
  { name, CONF_STRING, initial, .unit = "", .help = help_, .source = source_ }
#define CACHE_LINES(c, sets, ways, index, alloc, mshrs, merges, source)                                      \
  N(c ".sets", sets, 1, 1 << 20, "sets", "Sets of the cache.", source),                                      \
      N(c ".ways", ways, 1, 65536, "ways", "Lines per set.", source),                                        \
      E(c ".index", index, index_names, "How a line finds its set.", source),                                \
      S(c ".index_bits", "", "Index `bits`: the set's number, as in 11^19,10^17,9,8,7.", "an alternative"),  \
      E(c ".replacement", "lru", replacement_names, "Which line of a set makes room.", source),              \
      E(c ".allocate", alloc, allocate_names, "When a line is reserved.", source),                           \
      N(c ".mshrs", mshrs, 1, 1 << 20, "entries", "Misses that can be outstanding.", source),                \
      N(c ".merges", merges, 1, 4096, "requests", "Requests one miss can serve.", source)
#define CACHE(c, sets, ways, sector, index, alloc, mshrs, merges, bysector, source)                          \
  CACHE_LINES(c, sets, ways, index, alloc, mshrs, merges, source),                                           \
      N(c ".sector_bytes", sector, 32, 128, "bytes", "Bytes fetched at a time; a line: no sectors.",         \
        source),                                                                                             \
      B(c ".mshr_by_sector", bysector, "A miss register is for a sector, not for a line.", source)
/* unit, what it does, issue to result, issue to next issue */
#define UNITS(X)                                                                                             \
  X("int", "integer addition", "4", "1", GTX480 ", ADD")                                                     \
  X("imul", "integer multiplication", "4", "2", GTX480 ", MUL")                                              \
  X("idiv", "integer division", "145", "8", GTX480 ", DIV")                                                  \
  X("fp32", "f32 arithmetic", "4", "1", GTX480 ", ADD and MUL")                                              \
  X("fp16", "f16 arithmetic", "4", "1", "assumed: as f32")                                                   \
  X("fp64", "f64 arithmetic", "8", "8", GTX480 ", ADD")                                                      \
  X("fdiv", "f32 division", "39", "4", GTX480 ", DIV")                                                       \
  X("ddiv", "f64 division", "330", "130", GTX480 ", DIV")                                                    \
  X("sfu", "approximate functions", "39", "4", "assumed: as f32 division")                                   \
  X("cvt", "conversions", "4", "1", "assumed: as integer addition")                                          \
  X("shuffle", "warp-wide operations", "32", "4", GTX480 ", SHFL")                                           \
  X("tensor", "matrices of a warp (mma.sync)", "33", "4",                                                    \
    "assumed: 2048 multiply-adds of f16 at 512 a cycle in each quarter of an H100's SM")
/* finer kinds, which have the cost of another unit unless they have their own */
#define KINDS(X)                                                                                             \
  X("logic", "moves, logic, shifts, comparisons, selections", "int")                                         \
  X("imad", "integer multiplication and addition", "imul")                                                   \
  X("imax", "integer minimum and maximum", "int")                                                            \
  X("fma", "f32 multiplication and addition", "fp32")                                                        \
  X("fmax", "f32 minimum and maximum", "fp32")                                                               \
  X("froot", "f32 square root and reciprocal", "fdiv")                                                       \
  X("droot", "f64 square root and reciprocal", "ddiv")
#define KIND_LATENCY(name, what, as)                                                                         \
  N("sm.latency." name, "0", 0, 10000, "cycles", "Issue to result: " what "; 0: as sm.latency." as ".",      \
    "an alternative"),
#define KIND_INTERVAL(name, what, as)                                                                        \
  N("sm.interval." name, "0", 0, 10000, "cycles",                                                            \
    "Issue to next issue of a unit: " what "; 0: as sm.interval." as ".", "an alternative"),
#define LATENCY(name, what, latency, interval, source)                                                       \
  N("sm.latency." name, latency, 1, 10000, "cycles", "Issue to result: " what ".", source),
#define INTERVAL(name, what, latency, interval, source)                                                      \
  N("sm.interval." name, interval, 1, 10000, "cycles", "Issue to next issue of a unit: " what ".", source),

static const struct conf_param rows[] = {
    N("gpu.sms", "15", 1, 1024, "SMs", "Streaming multiprocessors.", GTX480),
    N("gpu.line_bytes", "128", 64, 128, "bytes",
      "Bytes of a line of the L1 data caches and of the L2: a power of two. Lanes are coalesced by it.",
      GTX480),
    N("gpu.core_mhz", "700", 1, 100000, "MHz", "Clock of the SMs.", GTX480),
    N("gpu.noc_mhz", "700", 1, 100000, "MHz", "Clock of the network.", GTX480),
    N("gpu.l2_mhz", "700", 1, 100000, "MHz", "Clock of the L2.", GTX480),
    N("gpu.dram_mhz", "924", 1, 100000, "MHz", "Command clock of the DRAM.", GTX480),
    N("gpu.launch_cycles", "0", 0, 1000000, "cycles", "From the beginning of a launch to its first CTA.",
      "no source: 0, as GPGPU-Sim counts"),
    F("gpu.cta_interval", "0", 0, 1000000, "cycles",
      "From the start of a CTA to that of the next one, GPU-wide; fractions count on average. 0: all that "
      "fit at once.",
      "no source: 0, as GPGPU-Sim counts"),
    B("gpu.keep_read_only", "false",
      "Instruction and constant caches keep their lines between launches; false: they are flushed as L1 data "
      "caches are.",
      "an alternative: GPGPU-Sim, whose gpgpu_flush_l1_cache is of data caches"),
    B("gpu.locality", "false",
      "Count requests to each 4 KB page in windows of requests, leaving stream caches and leaving the GPU.",
      "MARS, Fig. 2: an experiment"),
    N("sm.threads", "1536", 1, 65536, "threads", "Threads an SM holds.", GTX480),
    N("sm.ctas", "8", 1, 256, "CTAs", "CTAs an SM holds.", GTX480),
    N("sm.registers", "32768", 1, 1 << 24, "registers", "32-bit registers of an SM.", GTX480),
    N("sm.register_unit", "4", 1, 512, "registers", "Registers per thread are rounded up to this.", GTX480),
    N("sm.register_parts", "1", 1, 64, "parts",
      "Parts of the register file, one for each sub-core: the registers of a warp are in one of them.",
      GTX480),
    N("sm.shared_bytes", "49152", 0, 1 << 24, "bytes", "Shared memory of an SM.", GTX480),
    N("sm.shared_unit", "1", 1, 65536, "bytes", "Shared memory of a CTA is rounded up to a multiple of this.",
      GTX480),
    N("sm.shared_reserved", "0", 0, 65536, "bytes", "Shared memory that each CTA takes beside its own.",
      GTX480),
    E("sm.model", "simt", model_names,
      "How an SM issues: each scheduler from one warp per cycle, or as a GCN compute unit (docs/gcn.md).",
      GTX480),
    N("sm.schedulers", "2", 1, 16, "schedulers",
      "Warp schedulers; each issues from one warp per cycle. gcn: SIMDs, whose wavefronts have every such "
      "cycle in turn.",
      GTX480),
    B("sm.cta_on_simd", "false",
      "gcn: all wavefronts of a CTA are on one SIMD, if it has as many places; else dealt out.",
      "an alternative: Multi2Sim 4.2"),
    N("sm.scalar_latency", "4", 1, 10000, "cycles", "gcn: issue to result of the scalar unit.",
      "assumed: as integer addition"),
    E("sm.scheduler", "gto", scheduler_names, "Which ready warp issues.", GTX480),
    N("sm.issue_width", "1", 1, 8, "instructions",
      "Instructions a scheduler issues in a cycle, in a row and of one warp.",
      GTX480 ", gpgpu_max_insn_issue_per_warp"),
    N("sm.active_warps", "8", 1, 256, "warps", "two-level: warps in the active set of a scheduler.",
      "Narasiman et al., MICRO 2011: groups of 8"),
    N("sm.sp_units", "2", 1, 16, "units", "simt: pipelines for integer and f32 arithmetic.", GTX480),
    N("sm.sfu_units", "1", 1, 16, "units", "simt: pipelines for division, square roots and approximations.",
      GTX480),
    N("sm.mem_queue", "2", 1, 64, "instructions", "Memory instructions waiting in the load/store unit.",
      "assumed"),
    N("sm.vmb", "0", 0, 4096, "instructions",
      "Memory instructions from issue to the end of their last access, which leave in order; 0: no limit.",
      "an alternative: the FRC thesis' vector-memory buffer"),
    B("sm.vmb_stores", "true", "A store keeps its entry until it is acknowledged, not only until it is sent.",
      "Multi2Sim 4.2: blocking stores"),
    B("sm.merge_loads", "false",
      "Lanes of a load share a line access within groups only (merging), not all of them (coalescing).",
      "an alternative: FRC thesis, section 3.5.2"),
    B("sm.merge_stores", "false", "The same for stores and atomics.",
      "an alternative: FRC thesis, section 3.5.2"),
    N("sm.merge_lanes", "16", 1, 64, "lanes",
      "Lanes of such a group: those that go through a SIMD together; 1: every lane has its own access.",
      "FRC thesis, section 4.5.3: a SIMD has 16 lanes"),
    UNITS(LATENCY) KINDS(KIND_LATENCY)
        N("sm.latency.ctrl", "1", 1, 10000, "cycles",
          "Issue of a branch, call or return to the next instruction of its warp, at least.",
          "GPGPU-Sim 4.2: a branch is resolved when it issues"),
    UNITS(INTERVAL) KINDS(KIND_INTERVAL) N(
        "sm.interval.ctrl", "1", 1, 10000, "cycles",
        "simt: issue to next issue of a unit: branches, calls and returns.", "assumed: as integer addition"),
    N("sm.fetch_width", "2", 1, 64, "instructions", "Instructions fetched for a warp at a time.",
      "assumed: after the fetch stage of GPGPU-Sim"),
    N("sm.fetch_warps", "1", 1, 64, "warps", "Warps of an SM that instructions are fetched for in a cycle.",
      "assumed: after the fetch stage of GPGPU-Sim"),
    N("sm.fetch_latency", "2", 1, 100, "cycles", "From fetch to issue: instruction cache and decode.",
      "assumed: after the pipeline of GPGPU-Sim"),
    B("sm.fetch_ahead", "false",
      "Instructions are fetched in a row, whatever the warp waits for: at a barrier, past the end of a line, "
      "and past a jump before it is known, which costs that fetch.",
      "an alternative: the fetch stage of GPGPU-Sim"),
    B("sm.rotate_schedulers", "false",
      "Which scheduler issues first rotates by cycle; false: always the same.",
      "an alternative: GPGPU-Sim 4.2"),
    N("sm.stages", "5", 0, 100, "cycles",
      "Pipeline stages around execution: issue, operand collection (two), dispatch, write back.",
      "assumed: after the pipeline of GPGPU-Sim"),
    N("sm.load_stages", "0", 0, 100, "cycles",
      "From data that comes from memory or shared memory to registers, with collectors 1 or more; 0: "
      "sm.stages, from hits in the L1s too.",
      "an alternative"),
    N("sm.collectors", "0", 0, 32, "collectors",
      "simt: collectors that gather operands for the units of sm.sp_units; 0: operands are there in time "
      "(docs/timing.md).",
      "an alternative: GPGPU-Sim"),
    N("sm.collectors_sfu", "0", 0, 32, "collectors", "The same for the units of sm.sfu_units.",
      "an alternative: GPGPU-Sim"),
    N("sm.register_banks", "0", 0, 64, "banks",
      "With collectors: banks of the register file, each read or written once per cycle, a power of two; 0: "
      "no "
      "limit.",
      "an alternative: GPGPU-Sim"),
    N("sm.result_buses", "0", 0, 16, "buses",
      "With collectors: results that the units of sm.sp_units can write back in a cycle; 0: no limit.",
      "an alternative: GPGPU-Sim"),
    N("sm.shared_latency", "26", 1, 10000, "cycles", "Shared-memory load without conflicts.", GTX480),
    B("l1i.on", "true", "Instructions come through an instruction cache; false: fetches never miss.", GTX480),
    CACHE_LINES("l1i", "4", "4", "modulo", "on-fill", "2", "32", GTX480),
    N("l1i.line_bytes", "128", 32, 128, "bytes", "Bytes of a line: a power of two.", GTX480),
    N("l1i.miss_queue", "4", 1, 4096, "requests", "Requests waiting for the network.", GTX480),
    N("l1i.instruction_bytes", "8", 1, 32, "bytes", "Bytes of an instruction: a power of two.",
      "GPGPU-Sim 4.2: size of a PTX instruction"),
    B("l1d.on", "true", "Global loads use the L1 data cache.", GTX480),
    CACHE("l1d", "32", "4", "128", "fermi", "on-miss", "64", "8", "false", GTX480),
    E("l1d.write_global", "around", write_names,
      "Stores to global memory: through to the L2, kept until evicted, or past the L1, dropping the line.",
      GTX480 ", write-evict"),
    E("l1d.write_global_miss", "no-allocate", write_miss_names, "What such a store does that misses.",
      GTX480),
    E("l1d.write_local", "back", write_names, "The same for local memory.", GTX480),
    E("l1d.write_local_miss", "no-allocate", write_miss_names, "What such a store does that misses.", GTX480),
    E("l1d.coherence", "none", coherence_names,
      "Protocol of the L1 data caches: none, stores follow l1d.write_*; si, that of Southern Islands; moesi "
      "and "
      "nmoesi with a directory in the L2 (docs/thesis-memory.md).",
      GTX480 ", none"),
    B("l1d.evict_first", "false",
      "With a directory, a line is asked for when it has answered that the one in its way is gone.",
      "an alternative: Multi2Sim 4.2"),
    N("l1d.ports", "1", 1, 8, "ports", "Line accesses of an instruction per cycle.", GTX480 ", one bank"),
    N("l1d.port_bytes", "128", 1, 4096, "bytes", "Bytes that pass a data port in a cycle.",
      GTX480 ", a line"),
    N("l1d.latency", "35", 1, 10000, "cycles", "Load that hits.", GTX480),
    B("l1d.latency_first", "false",
      "Accesses wait l1d.latency in a row before the tags are looked up: those that miss do so too.",
      "an alternative: GPGPU-Sim 4.2"),
    N("l1d.retry_latency", "2", 1, 10000, "cycles",
      "From a load that the L2 sent back (l2.nack) to its next attempt at the L1.",
      "Multi2Sim 4.2: between one and two times the L1's latency, by chance"),
    N("l1d.miss_queue", "8", 1, 4096, "requests", "Requests waiting for the network.", GTX480),
    B("l1c.on", "true", "Constants come through a constant cache; false: they never miss.", GTX480),
    CACHE_LINES("l1c", "64", "2", "modulo", "on-fill", "2", "32", GTX480),
    N("l1c.line_bytes", "64", 32, 128, "bytes", "Bytes of a line: a power of two.", GTX480),
    N("l1c.miss_queue", "4", 1, 4096, "requests", "Requests waiting for the network.", GTX480),
    N("l1c.latency", "35", 0, 10000, "cycles", "Constant load that hits; gcn: at least 1.", "assumed"),
    B("l1c.params", "false",
      "simt: parameters of kernels come through the constant cache, all from one line; false: they are at "
      "hand.",
      "an alternative: GPGPU-Sim"),

    N("l1c.caches", "0", 0, 1024, "caches",
      "gcn: scalar caches of the GPU, each of as many compute units as the others or one more; 0: each its "
      "own.",
      "an alternative: GCN"),
    N("l1c.ports", "1", 1, 8, "ports", "gcn: loads a scalar cache looks up in a cycle.", "assumed"),
    N("noc.flit_bytes", "40", 1, 4096, "bytes", "A link carries one flit per cycle.", GTX480),
    N("noc.response_flit_bytes", "0", 0, 4096, "bytes", "The same on the way back; 0: as noc.flit_bytes.",
      GTX480 ", one size"),
    N("noc.latency", "5", 1, 10000, "cycles", "From the last flit in to the message out.", "assumed"),
    N("noc.inject_latency", "0", 0, 10000, "cycles",
      "From an SM, link or slice to its input of the crossbar; 0: the next cycle. With noc.latency and "
      "noc.credit_latency it "
      "bounds how long parts of the GPU are simulated apart (sim.window_cycles).",
      "assumed"),
    N("noc.credit_latency", "1", 1, 10000, "cycles",
      "From a message that leaves a buffer of the network to the use of its slot, in cycles of the sender.",
      "assumed"),
    N("noc.in", "64", 1, 4096, "messages", "Buffer of each input.", GTX480 ", vc_buf_size, in flits"),
    N("noc.out", "32", 1, 4096, "messages", "Buffer behind each output to an SM or link.",
      GTX480 ", ejection buffer"),
    E("noc.allocator", "round-robin", allocator_names,
      "Who passes: heads of FIFOs in rotation; queues for each output matched by iSLIP; all at once.",
      "assumed: " GTX480 " matches the heads of FIFOs by iSLIP in one round"),
    N("noc.iterations", "1", 1, 64, "rounds", "islip: rounds of grants and accepts per cycle.",
      GTX480 ", alloc_iters"),
    N("noc.speedup", "1", 1, 8, "flits",
      "round-robin: flits that pass inside a crossbar in a cycle, where links carry one; if more than 1, the "
      "allocation of its output takes a message the time of another flit.",
      "an alternative: BookSim's internal_speedup with one virtual channel"),
    B("noc.sector_packets", "false",
      "round-robin: an answer is a packet for each sector, and so is an acknowledgement; packets of several "
      "slices pass in turn.",
      "an alternative: GPGPU-Sim, whose L2 has a request for each sector"),
    N("noc.sms_per_link", "1", 1, 1024, "SMs",
      "SMs that share a link in each direction; sharing costs a core cycle each way.", GTX480),
    N("l2.channels", "6", 1, 256, "channels", "Memory channels.", GTX480),
    N("l2.slices_per_channel", "2", 1, 16, "slices", "L2 slices in front of each channel.", GTX480),
    N("l2.interleave", "256", 64, 1 << 20, "bytes", "Bytes that stay in one channel.", GTX480),
    S("l2.channel_bits", "",
      "The channel from address bits, as in 10^16,9^15,8; empty: blocks of l2.interleave in turn.",
      "an alternative"),
    S("l2.slice_bits", "",
      "The slice from bits of the address within the channel; empty: blocks of l2.interleave in turn.",
      "an alternative"),
    CACHE("l2", "64", "8", "32", "modulo", "on-miss", "256", "4", "true", GTX480),
    N("l2.rop_latency", "120", 0, 10000, "cycles", "Fixed delay in front of the L2.", GTX480),
    N("l2.port_bytes", "32", 1, 4096, "bytes", "Bytes that pass a slice's data port in a cycle.", GTX480),
    N("l2.latency", "1", 1, 10000, "cycles", "L2 hit to the response queue.", "assumed"),
    N("l2.in", "64", 1, 4096, "requests",
      "Incoming buffer of a slice, behind l2.rop_latency: while it is full, nothing comes from the network.",
      GTX480 ", partition queues"),
    N("l2.out", "64", 1, 4096, "requests", "Response queue of a slice.", GTX480 ", partition queues"),
    N("l2.miss_queue", "4", 1, 4096, "requests", "Requests waiting for the DRAM.", GTX480),
    N("l2.edge_queue", "0", 0, 65536, "requests",
      "One buffer for what all slices ask of memory, oldest first, unless a technique takes its place; 0: "
      "slices ask their channel.",
      GTX480),
    N("l2.atomic_interval", "1", 1, 1000, "cycles", "Cycles an atomic keeps the slice busy.", "assumed"),
    N("l2.store_interval", "1", 1, 1000, "cycles", "Cycles a store of a whole sector keeps the slice busy.",
      "assumed"),
    N("l2.partial_store_interval", "1", 1, 1000, "cycles", "The same of a part of a sector.", "assumed"),
    E("l2.write_miss", "validate", write_miss_names, "What a store that misses does.", GTX480),
    N("l2.fill_latency", "0", 0, 10000, "cycles",
      "Data that comes from memory is written into its line, which serves nobody meanwhile.", "assumed"),
    B("l2.evict_first", "false",
      "A changed line is written back before the one that takes its place is fetched or stored.",
      "the FRC thesis' conventional replacement; GPGPU-Sim fetches at once"),
    N("l2.evict_clean", "0", 0, 10000, "cycles",
      "With l2.evict_first, an unchanged line takes so long to make room; a changed one until memory has it.",
      "the FRC thesis leaves open whether it takes any; Fig. 6.2 has 80 for an eviction"),
    B("l2.evict_posted", "false",
      "With l2.evict_first, nobody waits until memory has a changed line: it makes room as an unchanged one.",
      "an alternative: Multi2Sim, whose main memory acknowledges evictions at once"),
    B("l2.inclusive", "false",
      "The L2 has every line that an L1 data cache has: one that it replaces is taken back from those.",
      "the FRC thesis: evictions invalidate copies in the L1s"),
    B("l2.nack", "false",
      "A load for which there is no miss register, or no line that is not transient, is sent back to its L1, "
      "which "
      "tries again; false: it waits in the L2.",
      "the FRC thesis, 3.5.1 and 4.5.1"),
    B("l2.join_writes", "false",
      "Sectors of a line that leave together and lie in one burst of the DRAM are one write; false: one "
      "each.",
      "an alternative: GPGPU-Sim writes a line back as one request"),
    B("l2.warm", "true", "Buffers filled before the first launch lie in the L2 as far as they fit.",
      GTX480 ", perf_sim_memcpy"),
    B("l2.cold_launches", "false",
      "The L2 is empty at the beginning of every launch, as profilers that control caches leave it.",
      "no GPU: a way of measuring"),
    E("dram.model", "commands", memory_names,
      "Memory behind the L2: DRAM at the level of commands, or a fixed latency.", GTX480),
    N("dram.controllers", "1", 1, 64, "controllers",
      "Independent controllers behind each channel of the L2: a power of two. The mapping has bits `h` for "
      "them; of a fixed latency, lines in turn.",
      GTX480),
    N("dram.lockstep", "1", 1, 16, "channels",
      "Physical channels that a controller drives as one wide one: a power of two.", GTX480),
    N("dram.fixed_latency", "100", 1, 100000, "cycles",
      "Model `fixed`: DRAM cycles from a read at its controller to the data.", "the FRC thesis, Table 2.1"),
    N("dram.fixed_write_latency", "100", 1, 100000, "cycles", "The same for a write, to its acknowledgement.",
      "Multi2Sim 4.2: memory answers writes like reads"),
    N("dram.fixed_interval", "1", 1, 1000, "cycles",
      "Model `fixed`: DRAM cycles from a request (an L2 sector) to the next of a controller.",
      "Multi2Sim 4.2: its link carries a block per cycle"),
    S("dram.device", "gddr5-gtx480", "Preset or file of the DRAM device.", GTX480),
    S("dram.mapping", "r12b2g1c4g1c2", "Address bits within a channel; empty: the device's.",
      GTX480 "; bank-group indexing policy 1, the low bank bits"),
    S("dram.controller", "frfcfs-64", "Preset or file of the controller's rules.",
      GTX480 ", FR-FCFS over 64 requests"),
    E("dram.refresh", "none", refresh_names, "Refresh of the DRAM.", GTX480),
    E("dram.free", "none", dram_ideal_names,
      "An idealisation: `rows`: every row of a bank is open; `order`: neither rows nor bank groups nor "
      "turnarounds "
      "cost anything, only the data bus is left.",
      "no DRAM: the most that an order of requests can gain"),
    N("dram.latency", "100", 0, 10000, "cycles", "Fixed delay in front of the controller, in DRAM cycles.",
      GTX480),
    N("dram.queue", "64", 1, 4096, "requests", "Requests on their way to the controller, per channel.",
      GTX480),
    N("energy.node_nm", "32", SRAM_NODE_LEAST, SRAM_NODE_MOST, "nm",
      "Technology of on-chip memories, for area and energy; CACTI's high-performance transistors.",
      "the FRC thesis, 6.6"),
    E("energy.l1d_access", "sequential", access_names,
      "How the L1 data cache's arrays are read, for area, energy and the least latency: data after the tags, "
      "or "
      "of all ways together with the tags.",
      "the FRC thesis, 6.6"),
    E("energy.l2_access", "sequential", access_names, "The same of the L2.", "the FRC thesis, 6.6"),
    B("check.requests", "false",
      "Follow every request, at some cost of time: answered once, and none of an SM passed by a later one "
      "for the "
      "same line where one of them changes it. A broken law ends the run.",
      "ours"),
    N("check.longest_wait", "0", 0, INT64_MAX, "cycles",
      "check.requests: core cycles after which a request must have been answered; 0: no limit.", "ours"),
};
const struct conf_table gpu_params = {"GPU", rows, sizeof rows / sizeof *rows};
