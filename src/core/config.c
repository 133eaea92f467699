#include "core/config.h"
#include "conf/rows.h"

#define CONF_OF struct core_config

static const char *const model_names[] = {"simt", "gcn", NULL};
static const char *const merge_names[] = {"lanes", "in-flight", NULL};
static const char *const pipes_names[] = {"shared", "split", "own", NULL};
static const char *const scheduler_names[] = {"gto", "lrr", "two-level", "oldest", "first-ready", NULL};

/* X(unit, name, what it does, issue to result, issue to next issue, source) */
#define UNITS(X)                                                                                             \
  X(INT, "int", "integer addition", "4", "1", GTX480 ", ADD")                                                \
  X(IMUL, "imul", "integer multiplication", "4", "2", GTX480 ", MUL")                                        \
  X(IDIV, "idiv", "integer division", "145", "8", GTX480 ", DIV")                                            \
  X(FP32, "fp32", "f32 arithmetic", "4", "1", GTX480 ", ADD and MUL")                                        \
  X(FP16, "fp16", "f16 arithmetic", "4", "1", "assumed: as f32")                                             \
  X(FP64, "fp64", "f64 arithmetic", "8", "8", GTX480 ", ADD")                                                \
  X(FDIV, "fdiv", "f32 division", "39", "4", GTX480 ", DIV")                                                 \
  X(DDIV, "ddiv", "f64 division", "330", "130", GTX480 ", DIV")                                              \
  X(SFU, "sfu", "approximate functions", "39", "4", "assumed: as f32 division")                              \
  X(CVT, "cvt", "conversions", "4", "1", "assumed: as integer addition")                                     \
  X(SHUFFLE, "shuffle", "warp-wide operations", "32", "4", GTX480 ", SHFL")                                  \
  X(TENSOR, "tensor", "matrices of a warp (mma.sync)", "33", "4",                                            \
    "assumed: 2048 multiply-adds of f16 at 512 a cycle in each quarter of an H100's SM")
/* Finer kinds, which have the cost of another unit unless they have their own: X(unit, name, what it does, the other) */
#define KINDS(X)                                                                                             \
  X(LOGIC, "logic", "moves, logic, shifts, comparisons, selections", INT, "int")                             \
  X(IMAD, "imad", "integer multiplication and addition", IMUL, "imul")                                       \
  X(IMAX, "imax", "integer minimum and maximum", INT, "int")                                                 \
  X(FMA, "fma", "f32 multiplication and addition", FP32, "fp32")                                             \
  X(FMAX, "fmax", "f32 minimum and maximum", FP32, "fp32")                                                   \
  X(FROOT, "froot", "f32 square root", FDIV, "fdiv")                                                         \
  X(DROOT, "droot", "f64 square root", DDIV, "ddiv")                                                         \
  X(FRCP, "frcp", "f32 reciprocal", FROOT, "froot")                                                          \
  X(DRCP, "drcp", "f64 reciprocal", DROOT, "droot")                                                          \
  X(SETP, "setp", "comparisons into predicates", LOGIC, "logic")                                             \
  X(ICVT, "icvt", "conversions between integers", CVT, "cvt")                                                \
  X(I2F, "i2f", "conversions of integers of up to 32 bits to f32", CVT, "cvt")                               \
  X(BITS, "bits", "counts and reversal of bits, the highest bit", LOGIC, "logic")                            \
  X(IMUL64, "imul64", "64-bit integer multiplication", IMUL, "imul")                                         \
  X(IMAD64, "imad64", "64-bit integer multiplication and addition", IMAD, "imad")                            \
  X(VOTE, "vote", "votes, matches and the choice of a lane", SHUFFLE, "shuffle")                             \
  X(REDUX, "redux", "reductions over a warp", SHUFFLE, "shuffle")                                            \
  X(TENSOR_HALF, "tensor_half",                                                                              \
    "matrices of a warp with half as many multiplications or fewer (m16n8k8 of f16, m16n8k16 of s8)",        \
    TENSOR, "tensor")                                                                                        \
  X(TENSOR_F64, "tensor_f64", "matrices of f64", TENSOR, "tensor")                                           \
  X(SFU_FULL, "sfu_full", "approximate functions with subnormal numbers", SFU, "sfu")                        \
  X(TRIG, "trig", "approximate sine and cosine", SFU, "sfu")                                                 \
  X(FP16X2, "fp16x2", "arithmetic of pairs of f16 (and bf16)", FP16, "fp16")                                 \
  X(HCVT, "hcvt", "conversions between f16 (or bf16) and f32", CVT, "cvt")                                   \
  X(GUARD, "guard", "comparisons that guard instructions: branches, others, votes", SETP, "setp")            \
  X(IDIV64, "idiv64", "64-bit integer division", IDIV, "idiv")
#define KIND_LATENCY(id, name, what, other, as)                                                              \
  CONF_ROW_UINT("sm.latency." name, unit[PTX_UNIT_##id].latency, "0", 0, 10000, "cycles",                    \
                "Issue to result: " what "; 0: as sm.latency." as ".", "an alternative"),
#define KIND_INTERVAL(id, name, what, other, as)                                                             \
  CONF_ROW_UINT("sm.interval." name, unit[PTX_UNIT_##id].interval, "0", 0, 10000, "cycles",                  \
                "Issue to next issue of a unit: " what "; 0: as sm.interval." as ".", "an alternative"),
#define LATENCY(id, name, what, latency_, interval_, source)                                                 \
  CONF_ROW_UINT("sm.latency." name, unit[PTX_UNIT_##id].latency, latency_, 1, 10000, "cycles",               \
                "Issue to result: " what ".", source),
#define INTERVAL(id, name, what, latency_, interval_, source)                                                \
  CONF_ROW_UINT("sm.interval." name, unit[PTX_UNIT_##id].interval, interval_, 1, 10000, "cycles",            \
                "Issue to next issue of a unit: " what ".", source),
/* Instructions that are several of machine code: X(unit, name, what it does) */
#define SEQUENCES(X)                                                                                         \
  X(IDIV, "idiv", "integer division")                                                                        \
  X(IDIV64, "idiv64", "64-bit integer division")                                                             \
  X(FDIV, "fdiv", "f32 division")                                                                            \
  X(FROOT, "froot", "f32 square root")                                                                       \
  X(DDIV, "ddiv", "f64 division")                                                                            \
  X(DROOT, "droot", "f64 square root")                                                                       \
  X(FRCP, "frcp", "f32 reciprocal")                                                                          \
  X(DRCP, "drcp", "f64 reciprocal")                                                                          \
  X(SFU_FULL, "sfu_full", "approximate functions with subnormal numbers")                                    \
  X(TRIG, "trig", "approximate sine and cosine")                                                             \
  X(IMUL64, "imul64", "64-bit integer multiplication")                                                       \
  X(IMAD64, "imad64", "64-bit integer multiplication and addition")
#define SLOTS(id, name, what)                                                                                \
  CONF_ROW_UINT("sm.slots." name, unit[PTX_UNIT_##id].slots, "1", 1, 200, "slots",                           \
                "simt: issue slots of its scheduler that an instruction takes, one for each instruction of " \
                "machine code: " what ".",                                                                   \
                "an alternative: recent NVIDIA GPUs"),

static const struct conf_param rows[] = {
    CONF_ROW_UINT("sm.threads", threads, "1536", 1, 65536, "threads", "Threads an SM holds.", GTX480),
    CONF_ROW_UINT("sm.ctas", ctas, "8", 1, 256, "CTAs", "CTAs an SM holds.", GTX480),
    CONF_ROW_UINT("sm.registers", registers, "32768", 1, 1 << 24, "registers", "32-bit registers of an SM.",
                  GTX480),
    CONF_ROW_UINT("sm.register_unit", register_unit, "4", 1, 512, "registers",
                  "Registers per thread are rounded up to this.", GTX480),
    CONF_ROW_UINT(
        "sm.register_parts", register_parts, "1", 1, 64, "parts",
        "Parts of the register file, one for each sub-core: the registers of a warp are in one of them.",
        GTX480),
    CONF_ROW_UINT("sm.shared_bytes", shared_bytes, "49152", 0, 1 << 24, "bytes", "Shared memory of an SM.",
                  GTX480),
    CONF_ROW_UINT("sm.shared_unit", shared_unit, "1", 1, 65536, "bytes",
                  "Shared memory of a CTA is rounded up to a multiple of this.", GTX480),
    CONF_ROW_UINT("sm.shared_reserved", shared_reserved, "0", 0, 65536, "bytes",
                  "Shared memory that each CTA takes beside its own.", GTX480),
    CONF_ROW_ENUM(
        "sm.model", model, "simt", model_names,
        "How an SM issues: each scheduler from one warp per cycle, or as a GCN compute unit (docs/gcn.md).",
        GTX480),
    CONF_ROW_UINT(
        "sm.schedulers", schedulers, "2", 1, 16, "schedulers",
        "Warp schedulers; each issues from one warp per cycle. gcn: SIMDs, whose wavefronts have every such "
        "cycle in turn.",
        GTX480),
    CONF_ROW_BOOL("sm.cta_on_simd", cta_on_simd, "false",
                  "gcn: all wavefronts of a CTA are on one SIMD, if it has as many places; else dealt out.",
                  "an alternative: Multi2Sim 4.2"),
    CONF_ROW_UINT("sm.scalar_latency", scalar_latency, "4", 1, 10000, "cycles",
                  "gcn: issue to result of the scalar unit.", "assumed: as integer addition"),
    CONF_ROW_UINT("sm.scalar_fetch", scalar_fetch, "0", 0, 1000, "cycles",
                  "gcn: issue of a scalar instruction to the next of its wavefront, at least; 0: as others "
                  "(sm.fetch_latency).",
                  "an alternative: Multi2Sim 4.2"),
    CONF_ROW_BOOL(
        "sm.scalar_in_order", scalar_in_order, "false",
        "gcn: the scalar unit completes its instructions in the order of issue, one per cycle, loads as "
        "well; the last one of a wavefront waits there for the wavefront's accesses.",
        "an alternative: Multi2Sim 4.2"),
    CONF_ROW_BOOL("sm.gcn_code", gcn_code, "false",
                  "gcn: the scalar unit also executes what GCN code has between the instructions of PTX: "
                  "waits for data, "
                  "loads of descriptors, masks of lanes (docs/gcn.md); the next instruction after a load of "
                  "a parameter is fetched at once.",
                  "an alternative: code of AMD's compiler"),
    CONF_ROW_ENUM("sm.scheduler", scheduler, "gto", scheduler_names,
                  "Which ready warp issues; first-ready (gcn): the one that has been ready longest.", GTX480),
    CONF_ROW_UINT("sm.issue_width", issue_width, "1", 1, 8, "instructions",
                  "Instructions a scheduler issues in a cycle, in a row and of one warp.",
                  GTX480 ", gpgpu_max_insn_issue_per_warp"),
    CONF_ROW_UINT("sm.active_warps", active_warps, "8", 1, 256, "warps",
                  "two-level: warps in the active set of a scheduler.",
                  "Narasiman et al., MICRO 2011: groups of 8"),
    CONF_ROW_UINT("sm.sp_units", sp_units, "2", 1, 16, "units",
                  "simt: pipelines for integer and f32 arithmetic.", GTX480),
    CONF_ROW_UINT("sm.sfu_units", sfu_units, "1", 1, 16, "units",
                  "simt: pipelines for division, square roots and approximations.", GTX480),
    CONF_ROW_ENUM(
        "sm.pipes", pipes, "shared", pipes_names,
        "simt: shared: f32, integer and control instructions use the units of sm.sp_units, f64 those of "
        "sm.sfu_units, and so do matrices of a warp. "
        "split: integer, f64, control and matrix instructions have as many units of their own; every other "
        "integer "
        "addition goes to those of f32, and conversions and counts of bits to those of sm.sfu_units. "
        "own: as split, and each scheduler has one unit of each kind for itself; a wait for it is one of "
        "stall.select.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.mem_queue", mem_queue, "2", 1, 64, "instructions",
                  "Memory instructions waiting in the load/store unit.", "assumed"),
    CONF_ROW_UINT(
        "sm.vmb", vmb, "0", 0, 4096, "instructions",
        "Memory instructions from issue to the end of their last access, which leave in order; 0: no limit.",
        "an alternative: the FRC thesis' vector-memory buffer"),
    CONF_ROW_BOOL("sm.vmb_stores", vmb_stores, "true",
                  "A store keeps its entry until it is acknowledged, not only until it is sent.",
                  "Multi2Sim 4.2: blocking stores"),
    CONF_ROW_BOOL(
        "sm.vmb_in_order", vmb_in_order, "false",
        "Data of a load reaches its registers, and a store is done, when it leaves that buffer, one per "
        "cycle; else when its last answer comes.",
        "an alternative: Multi2Sim 4.2"),
    CONF_ROW_BOOL(
        "sm.merge_loads", merge_loads, "false",
        "Lanes of a load share a line access within groups only (merging), not all of them (coalescing).",
        "an alternative: FRC thesis, section 3.5.2"),
    CONF_ROW_BOOL("sm.merge_stores", merge_stores, "false", "The same for stores and atomics.",
                  "an alternative: FRC thesis, section 3.5.2"),
    CONF_ROW_ENUM(
        "sm.merge", merge_how, "lanes", merge_names,
        "What such accesses share: those of the lanes of a group, or what waits or is under way in "
        "the L1, also of other "
        "instructions: a load any load since the last store, a store only the access just before it.",
        "FRC thesis, section 3.5.2; in-flight: Multi2Sim 4.2"),
    CONF_ROW_UINT(
        "sm.merge_lanes", merge_lanes, "16", 1, 64, "lanes",
        "Lanes of such a group: those that go through a SIMD together; 1: every lane has its own access.",
        "FRC thesis, section 4.5.3: a SIMD has 16 lanes"),
    CONF_ROW_BOOL(
        "sm.segments", segments, "false",
        "Lanes share accesses of 32 bytes to data of one byte, of 64 to data of two, else of a line; "
        "those of an atomic that name the same bytes share none; the highest address comes first.",
        "an alternative: GPGPU-Sim"),
    CONF_ROW_BOOL("sm.join_atomics", join_atomics, "false",
                  "simt: an atomic whose address an assembler knows to be the same for all lanes is done by "
                  "one of them (docs/scheduling.md): lanes do not take turns at the L2, and the warp waits "
                  "sm.latency.redux where their values differ.",
                  "an alternative: recent NVIDIA GPUs, whose assembler does that"),
    UNITS(LATENCY) KINDS(KIND_LATENCY)
        CONF_ROW_UINT("sm.latency.ctrl", unit[PTX_UNIT_CTRL].latency, "1", 1, 10000, "cycles",
                      "Issue of a branch, call or return to the next instruction of its warp, at least.",
                      "GPGPU-Sim 4.2: a branch is resolved when it issues"),
    CONF_ROW_UINT(
        "sm.latency.cross", cross_latency, "0", 0, 200, "cycles",
        "simt, sm.pipes=own: cycles more until the result of an instruction of the f32 or the integer "
        "pipeline can be read where an instruction of another pipeline is among the next readers.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.latency.not_taken", not_taken, "0", 0, 10000, "cycles",
                  "simt: the same of a branch that no lane takes; 0: as sm.latency.ctrl.", "an alternative"),
    CONF_ROW_UINT(
        "sm.latency.return", return_latency, "0", 0, 10000, "cycles",
        "simt: the same of a return to the caller, whose address is in a register; 0: as sm.latency.ctrl.",
        "an alternative"),
    CONF_ROW_UINT("sm.latency.diverge", diverge, "0", 0, 10000, "cycles",
                  "simt: cycles more before the next instruction of a warp whose lanes part at a branch.",
                  "an alternative"),
    CONF_ROW_UINT(
        "sm.latency.part_again", part_again, "0", 0, 10000, "cycles",
        "simt: the same of lanes that waited for other lanes of the warp to go first and part for the "
        "first time since, beside sm.latency.diverge.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "sm.latency.meet", meet, "0", 0, 10000, "cycles",
        "simt: cycles more before the next instruction of a warp where some of its lanes begin to "
        "wait for others, or where lanes meet again: each is an instruction of machine code (BSYNC). "
        "Lanes that begin to wait take an issue slot where sm.slots.may_part is set.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "sm.latency.joined", joined_wait, "0", 0, 100, "cycles",
        "simt: cycles more before the next instruction of a warp at such an atomic whose lanes' values "
        "differ, beside sm.latency.redux: a comparison chooses the lane.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "sm.latency.joined_result", joined_result, "0", 0, 100, "cycles",
        "simt: the same where lanes read its result: a vote and a comparison before it, a shuffle behind it.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "sm.latency.may_part", may_part, "0", 0, 200, "cycles",
        "simt: cycles more before the next instruction of a warp at a branch forward at which lanes "
        "could part, whether they do or not: an assembler says there where they meet. Not at branches out of "
        "a loop, to "
        "the kernel's end, or with the meeting point of an earlier branch.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_BOOL("sm.distances", distances, "false",
                  "simt, sm.pipes=own: an instruction that reads an older result of known latency comes as "
                  "many cycles behind "
                  "the instruction before it as if none had waited since that result: an assembler counts "
                  "these cycles.",
                  "an alternative: recent NVIDIA GPUs"),
    UNITS(INTERVAL) KINDS(KIND_INTERVAL) CONF_ROW_UINT(
        "sm.interval.ctrl", unit[PTX_UNIT_CTRL].interval, "1", 1, 10000, "cycles",
        "simt: issue to next issue of a unit: branches, calls and returns.", "assumed: as integer addition"),
    CONF_ROW_UINT("sm.interval.return", return_interval, "0", 0, 10000, "cycles",
                  "simt, sm.pipes=own: the same of returns to the caller; 0: as sm.interval.ctrl.",
                  "an alternative"),
    SEQUENCES(SLOTS) CONF_ROW_UINT(
        "sm.slots.may_part", part_slots, "0", 0, 200, "slots",
        "simt: issue slots more of a branch forward at which lanes could part: an assembler says where they "
        "meet, there and here; the same branches as of sm.latency.may_part.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.slots.long", long_slots, "1", 1, 200, "slots",
                  "simt: the same of sums, differences, comparisons, selections, shifts and logic of 64-bit "
                  "integers, whose "
                  "registers are two of 32 bits.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "sm.slots.begin", begin_slots, "0", 0, 16, "slots",
        "simt: issue slots that a warp takes where it begins: machine code sets the stack pointer and "
        "loads the descriptor of global memory first.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.slots.joined", joined_slots, "0", 0, 100, "slots",
                  "simt: issue slots more of an atomic that one lane does for all (sm.join_atomics).",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.slots.joined_result", joined_result_slots, "0", 0, 100, "slots",
                  "simt: the same, beside those, where lanes read its result.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.slots.shared_cas", shared_cas_slots, "1", 1, 200, "slots",
                  "simt: issue slots of such an atomic.", "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_BOOL(
        "sm.constant_operands", constant_operands, "false",
        "simt: a constant whose address an assembler knows is an operand: its load takes an issue slot and "
        "is done after sm.latency.int, without the load/store unit.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "sm.shared_cas", shared_cas, "0", 0, 250, "cycles",
        "simt: an atomic of shared memory that adds floating-point numbers or has 64 bits is a loop of a "
        "load, an "
        "operation and a CAS in machine code: so many cycles before the next instruction of the warp, and "
        "sm.slots.shared_cas; lanes and warps that contend for a word take no more; 0: an instruction as "
        "others.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.shared_cas_long", shared_cas_long, "0", 0, 250, "cycles",
                  "sm.shared_cas of 64 bits; 0: the same.", "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "sm.shared_cas_unit", shared_cas_unit, "1", 1, 16, "",
        "With sm.shared_cas: how many times as long as one access such a loop takes the load/store unit.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "sm.joined_sfu", joined_sfu, "0", 0, 16, "instructions",
        "With sm.join_atomics and sm.pipes own: special functions (counts of bits and the like) that "
        "an atomic whose result is used takes of its scheduler's pipeline, sm.interval.sfu each, where one "
        "lane does it for all.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.cas_retry", cas_retry, "0", 0, 10000, "cycles",
                  "A CAS of global memory, in a loop that its result decides, fails if another warp has "
                  "changed the word by CAS "
                  "since the warp last saw the word, and goes to the L2 again so many cycles after its "
                  "answer, until it succeeds; 0: a CAS that "
                  "succeeds in functional order succeeds whenever it comes.",
                  "an alternative"),
    CONF_ROW_BOOL(
        "sm.lock_holds", lock_holds, "false",
        "With sm.cas_retry and front.contend: a word that one lane of an instruction has taken by such a CAS "
        "is a lock, which no other warp takes before the L2 has seen a store to it or another "
        "atomic of the holder to its sector, or for 65,536 cycles; false: a round trip's time.",
        "an alternative"),
    CONF_ROW_UINT("sm.empty_interval", empty_interval, "0", 0, 100, "cycles",
                  "simt: what a store that no lane executes takes of the load/store unit; 0: nothing.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_BOOL(
        "sm.held_calls", held_calls, "false",
        "simt: a division, square root or reciprocal with the rounding of IEEE 754 keeps its warp until its "
        "result is there, for machine code of it has branches; false: other instructions of the warp go on.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.atomic_pass_interval", atomic_pass_interval, "0", 0, 255, "cycles",
                  "With l2.atomic_word_interval: cycles of the load/store unit for each pass of an atomic "
                  "over a sector beyond "
                  "the first, in which lanes that name the same word take turns; 0: none.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_BOOL(
        "sm.greedy_stores", greedy_stores, "false",
        "simt: a scheduler that has issued a store stays with its warp while another store follows, with at "
        "most two instructions of arithmetic between; with sm.rotate_schedulers it issues first until then; "
        "false: as sm.scheduler says.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_BOOL(
        "sm.stores_in_turn", stores_in_turn, "false",
        "simt: with sm.greedy_stores and sm.rotate_schedulers schedulers take turns at the load/store "
        "unit instruction by instruction; false: the scheduler of a row of stores issues first until its "
        "end.",
        "an alternative: an H200 (micro13)"),
    CONF_ROW_UINT("sm.fetch_width", fetch_width, "2", 1, 64, "instructions",
                  "Instructions fetched for a warp at a time.",
                  "assumed: after the fetch stage of GPGPU-Sim"),
    CONF_ROW_UINT("sm.fetch_warps", fetch_warps, "1", 1, 64, "warps",
                  "Warps of an SM that instructions are fetched for in a cycle.",
                  "assumed: after the fetch stage of GPGPU-Sim"),
    CONF_ROW_UINT("sm.fetch_latency", fetch_latency, "2", 1, 100, "cycles",
                  "From fetch to issue: instruction cache and decode.",
                  "assumed: after the pipeline of GPGPU-Sim"),
    CONF_ROW_FLOAT(
        "sm.fetch_interval", fetch_cycles, "0", 0, 100, "cycles",
        "simt: cycles a scheduler's fetch unit takes for each issue slot of a warp; 0: no limit beside "
        "sm.fetch_warps.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_FLOAT(
        "sm.fetch_wasted", fetch_wasted, "0", 0, 100, "instructions",
        "simt, sm.fetch_interval: instructions that are fetched in vain where a warp goes on elsewhere: at "
        "a branch that is taken, and where other lanes of the warp go on.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_BOOL("sm.fetch_ahead", fetch_ahead, "false",
                  "Instructions are fetched in a row, whatever the warp waits for: at a barrier, past the "
                  "end of a line, "
                  "and past a jump before it is known, which costs that fetch.",
                  "an alternative: the fetch stage of GPGPU-Sim"),
    CONF_ROW_BOOL("sm.rotate_schedulers", rotate_schedulers, "false",
                  "Which scheduler issues first rotates by cycle; false: always the same.",
                  "an alternative: GPGPU-Sim 4.2"),
    CONF_ROW_UINT("sm.stages", stages, "5", 0, 100, "cycles",
                  "Pipeline stages around execution: issue, operand collection (two), dispatch, write back.",
                  "assumed: after the pipeline of GPGPU-Sim"),
    CONF_ROW_UINT(
        "sm.load_stages", load_stages, "0", 0, 100, "cycles",
        "From data that comes from memory or shared memory to registers, with collectors 1 or more; 0: "
        "sm.stages, from hits in the L1s too.",
        "an alternative"),
    CONF_ROW_UINT(
        "sm.collectors", collectors, "0", 0, 32, "collectors",
        "simt: collectors that gather operands for the units of sm.sp_units; 0: operands are there in time "
        "(docs/timing.md).",
        "an alternative: GPGPU-Sim"),
    CONF_ROW_UINT("sm.collectors_sfu", collectors_sfu, "0", 0, 32, "collectors",
                  "The same for the units of sm.sfu_units.", "an alternative: GPGPU-Sim"),
    CONF_ROW_UINT("sm.register_banks", register_banks, "0", 0, 64, "banks",
                  "With collectors: banks of the register file, each read or written once per cycle, a power "
                  "of two; 0: "
                  "no "
                  "limit.",
                  "an alternative: GPGPU-Sim"),
    CONF_ROW_UINT(
        "sm.result_buses", result_buses, "0", 0, 16, "buses",
        "With collectors: results that the units of sm.sp_units can write back in a cycle; 0: no limit.",
        "an alternative: GPGPU-Sim"),
    CONF_ROW_UINT("sm.shared_latency", shared_latency, "26", 1, 10000, "cycles",
                  "Shared-memory load without conflicts.", GTX480),
    CONF_ROW_BOOL("sm.shared_conflicts", shared_conflicts, "true",
                  "Lanes that need different words of a bank of shared memory take turns; false: an access "
                  "takes a cycle.",
                  "every GPU; false is an idealisation, the most that another layout of the data can gain"),
    CONF_ROW_BOOL("sm.shared_pairs", shared_pairs, "false",
                  "Loads of more than a word a lane whose neighbouring lanes read the same words take half "
                  "the cycles of shared memory.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.shared_conflict_latency", shared_conflict_latency, "1", 1, 100, "cycles",
                  "What each further access of a load with conflicts adds to its latency; it keeps shared "
                  "memory for one "
                  "cycle.",
                  GTX480),
    CONF_ROW_UINT("sm.shared_atomic_latency", shared_atomic_latency, "0", 0, 10000, "cycles",
                  "What the result of an atomic of shared memory takes more than a load.", "an alternative"),
    CONF_ROW_UINT("sm.barrier_interval", barrier_interval, "0", 0, 1000, "cycles",
                  "From one arrival at a barrier to the next that an SM can take.", "an alternative"),
    CONF_ROW_UINT("sm.barrier_latency", barrier_latency, "0", 0, 10000, "cycles",
                  "From the last arrival at a barrier to the next instruction of those that waited.",
                  "an alternative"),
    CONF_ROW_UINT(
        "sm.fence_latency", fence_latency, "0", 0, 10000, "cycles",
        "simt: from the end of a warp's accesses (after as long a time at the least, if the warp has "
        "accessed memory since its last fence) to the instruction behind a fence of the GPU, "
        "which leaves nothing in "
        "the L1; fences of a CTA wait for no access then. 0: fences are nothing but their wait, "
        "whatever they are of.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.fence_again", fence_again, "0", 0, 10000, "cycles",
                  "The same, beside sm.fence_latency, where other warps of the SM have accesses under way.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.block_fence", block_fence, "0", 0, 1000, "cycles",
                  "With sm.fence_latency: cycles before the instruction behind a fence of a CTA, which waits "
                  "for no access.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.fence_interval", fence_interval, "0", 0, 1000, "cycles",
                  "With sm.fence_latency: what a fence of the GPU takes of the load/store unit.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("sm.barrier_unit", barrier_unit, "0", 0, 1000, "cycles",
                  "Cycles of the load/store unit that a warp's arrival at a barrier takes.",
                  "an alternative"),
};
const struct conf_table core_params = {"SM", rows, sizeof rows / sizeof *rows};

static void share_unit(struct core_config *k, enum ptx_unit of, enum ptx_unit as) {
  if (!k->unit[of].latency)
    k->unit[of].latency = k->unit[as].latency;
  if (!k->unit[of].interval)
    k->unit[of].interval = k->unit[as].interval;
}

static bool check_gcn(const struct core_config *k, struct error *err) {
  bool ok = true;
  if (k->schedulers > GCN_SIMDS)
    ok = error_add(err, EXIT_USAGE, "sm.schedulers: %u; sm.model gcn has 1 to %u SIMDs", k->schedulers,
                   GCN_SIMDS);
  if (k->issue_width != 1)
    ok = error_add(err, EXIT_USAGE, "sm.issue_width: %u; sm.model gcn issues one instruction of a wavefront",
                   k->issue_width);
  if (k->scheduler != SM_OLDEST && k->scheduler != SM_LRR && k->scheduler != SM_FIRST_READY)
    ok = error_add(err, EXIT_USAGE, "sm.scheduler: sm.model gcn takes oldest, lrr or first-ready");
  return ok;
}

/* Collectors of both kinds of pipeline or of none; without them there are no banks and buses to wait for. */
static bool check_collectors(const struct core_config *k, struct error *err) {
  bool ok = true;
  if (!k->collectors != !k->collectors_sfu)
    ok = error_add(err, EXIT_USAGE, "sm.collectors: %u, sm.collectors_sfu: %u; both or none", k->collectors,
                   k->collectors_sfu);
  if (k->register_banks & (k->register_banks - 1))
    ok = error_add(err, EXIT_USAGE, "sm.register_banks: %u is no power of two", k->register_banks);
  if (!k->collectors) {
    if (k->register_banks)
      ok = error_add(err, EXIT_USAGE, "sm.register_banks: %u; there are no collectors (sm.collectors)",
                     k->register_banks);
    if (k->result_buses)
      ok = error_add(err, EXIT_USAGE, "sm.result_buses: %u; there are no collectors (sm.collectors)",
                     k->result_buses);
    return ok;
  }
  if (k->model == SM_GCN)
    ok = error_add(err, EXIT_USAGE, "sm.collectors: %u; sm.model gcn has none", k->collectors);
  if (k->stages < 4)
    ok = error_add(err, EXIT_USAGE, "sm.stages: %u; with collectors at least 4, from issue to the unit",
                   k->stages);
  return ok;
}

bool core_config_finish(struct core_config *k, uint32_t warp_width, struct error *err) {
  bool ok = true;
#define X(id, name, what, other, as) share_unit(k, PTX_UNIT_##id, PTX_UNIT_##other);
  KINDS(X)
#undef X
  share_unit(k, PTX_UNIT_BAR, PTX_UNIT_CTRL);
  share_unit(k, PTX_UNIT_MEM, PTX_UNIT_INT);
  if (!k->not_taken)
    k->not_taken = k->unit[PTX_UNIT_CTRL].latency;
  if (!k->return_latency)
    k->return_latency = k->unit[PTX_UNIT_CTRL].latency;
  k->fetch_interval = (uint32_t)(k->fetch_cycles * 1024 + 0.5);
  k->redirect_fetch = (uint32_t)(k->fetch_cycles * k->fetch_wasted * 1024 + 0.5);
  if (!k->return_interval)
    k->return_interval = k->unit[PTX_UNIT_CTRL].interval;
  k->slots = k->pipes == PIPES_OWN || k->redirect_fetch || k->part_slots || k->long_slots > 1 ||
             k->begin_slots || k->joined_slots || k->joined_result_slots || k->constant_operands ||
             k->empty_interval || k->greedy_stores || k->shared_cas_slots > 1 || k->fence_latency;
  for (int i = 0; i < PTX_NUNITS; i++) {
    k->unit[i].slots = k->unit[i].slots ? k->unit[i].slots : 1;
    k->slots |= k->unit[i].slots > 1;
  }
  k->paths_cost = k->model == SM_SIMT && (k->diverge || k->may_part || k->redirect_fetch || k->join_atomics ||
                                          k->held_calls || k->fence_latency || k->shared_cas || k->meet ||
                                          k->not_taken != k->unit[PTX_UNIT_CTRL].latency ||
                                          k->return_latency != k->unit[PTX_UNIT_CTRL].latency ||
                                          k->return_interval != k->unit[PTX_UNIT_CTRL].interval);
  k->hit_stages = k->load_stages ? 0 : k->stages;
  if (!k->load_stages)
    k->load_stages = k->stages;
  enum { TO_SCALAR_UNIT = 2 }; /* issue and decode */
  k->scalar_complete = k->scalar_latency + TO_SCALAR_UNIT;
  bool by_lanes = k->merge_how == MERGE_LANES; /* loads of all lanes wait in the L1 together */
  k->merge[0] = k->merge_loads && by_lanes ? k->merge_lanes : 0;
  k->merge[1] = k->merge_stores && by_lanes ? k->merge_lanes : 0;
  k->store_runs = k->merge_stores && !by_lanes;
  k->warps = k->threads / (warp_width > 32 ? warp_width : 32);
  if (k->warps < 1 || k->warps > 256)
    ok = error_add(err, EXIT_USAGE, "sm.threads: %u threads are %u warps; 1 to 256 are allowed", k->threads,
                   k->warps);
  if (!by_lanes && !k->merge_loads && !k->merge_stores)
    ok = error_add(err, EXIT_USAGE, "sm.merge: nothing is merged (sm.merge_loads, sm.merge_stores: false)");
  if (!k->merge[0] && !k->merge[1] && k->merge_lanes != 16)
    ok = error_add(err, EXIT_USAGE,
                   "sm.merge_lanes: no lanes are merged (sm.merge_loads, sm.merge_stores: false)");
  if (k->pipes == PIPES_OWN && (k->sp_units != k->schedulers || k->sfu_units != k->schedulers))
    ok = error_add(err, EXIT_USAGE,
                   "sm.pipes: own; sm.sp_units and sm.sfu_units are as many as sm.schedulers then (%u)",
                   k->schedulers);
  if (k->pipes != PIPES_SHARED && k->collectors)
    ok = error_add(err, EXIT_USAGE, "sm.pipes: %s; not modelled with collectors (sm.collectors)",
                   k->pipes == PIPES_OWN ? "own" : "split");
  if (k->joined_sfu && (!k->join_atomics || k->pipes != PIPES_OWN))
    ok = error_add(err, EXIT_USAGE, "sm.joined_sfu: modelled with sm.join_atomics and sm.pipes own");
  if (k->block_fence && !k->fence_latency)
    ok = error_add(err, EXIT_USAGE, "sm.block_fence: fences take no time (sm.fence_latency: 0)");
  if (k->shared_cas_long && !k->shared_cas)
    ok = error_add(err, EXIT_USAGE, "sm.shared_cas_long: loops are an access as others (sm.shared_cas: 0)");
  if (k->shared_cas_unit > 1 && !k->shared_cas)
    ok = error_add(err, EXIT_USAGE, "sm.shared_cas_unit: loops are an access as others (sm.shared_cas: 0)");
  if (k->lock_holds && !k->cas_retry)
    ok = error_add(err, EXIT_USAGE, "sm.lock_holds: each CAS succeeds (sm.cas_retry: 0)");
  if (k->vmb_in_order && !k->vmb)
    ok = error_add(err, EXIT_USAGE, "sm.vmb_in_order: there is no buffer (sm.vmb: 0)");
  if (k->scalar_in_order && k->model != SM_GCN)
    ok = error_add(err, EXIT_USAGE, "sm.scalar_in_order: modelled for sm.model gcn");
  else if (k->scalar_in_order && k->scalar_fetch < k->scalar_complete)
    ok = error_add(err, EXIT_USAGE,
                   "sm.scalar_in_order: sm.scalar_fetch is %u, but an instruction completes after %u cycles "
                   "(sm.scalar_latency and 2)",
                   k->scalar_fetch, k->scalar_complete);
  if (k->scheduler == SM_FIRST_READY && k->model != SM_GCN)
    ok = error_add(err, EXIT_USAGE, "sm.scheduler: first-ready; modelled for sm.model gcn");
  if (k->gcn_code && k->model != SM_GCN)
    ok = error_add(err, EXIT_USAGE, "sm.gcn_code: modelled for sm.model gcn");
  if (k->model == SM_GCN)
    ok &= check_gcn(k, err);
  else if (k->lds_lanes)
    ok = error_add(err, EXIT_USAGE, "front.shared: lanes; modelled for sm.model gcn");
  if (!k->fence_latency && k->fence_again + k->fence_interval)
    ok = error_add(err, EXIT_USAGE,
                   "sm.fence_again, sm.fence_interval: fences take no time (sm.fence_latency: 0)");
  return check_collectors(k, err) && ok;
}
