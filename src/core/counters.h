/* What an SM counts, in the order of the statistics: S(id, field of struct sm_stats, name, unit, definition); X(id, name, unit,
 * definition, where), s being the SM (l1/counters.h). w sums of its work. Behind them come its own lists: lanes by class of
 * instruction (core/work.h), warp cycles by cause and latency by stage (core/stall.h). */
#ifndef SLUICE_CORE_COUNTERS_H
#define SLUICE_CORE_COUNTERS_H

#include "l1/counters.h"

#define SM_ISSUE_COUNTERS(X, S)                                                                              \
  S(issued, issued, "sm.issued", "instructions", "Warp instructions issued by the schedulers.")              \
  S(thread_issued, thread_issued, "sm.thread_issued", "instructions", "The same, weighted by active lanes.") \
  S(operations, operations, "sm.operations", "operations",                                                   \
    "The same, where an instruction of a scalar or branch unit is one (sm.model gcn).")                      \
  S(more_issued, more_issued, "sm.more_issued", "instructions",                                              \
    "Of sm.issued, those beyond the first of a scheduler in a cycle (sm.issue_width).")                      \
  S(more_slots, more_slots, "sm.more_slots", "slots",                                                        \
    "Issue slots that instructions took beyond one each: machine code has several for one (sm.slots).")      \
  X(issued_operands, "sm.issued_operands", "instructions",                                                   \
    "Of sm.issued, loads of parameters and moves of constants: operands of other instructions in machine "   \
    "code.",                                                                                                 \
    w.operands)                                                                                              \
  X(register_reads, "registers.reads", "lanes",                                                              \
    "Registers of 32 bits that instructions read, one for each active lane; not those that hold a "          \
    "constant.",                                                                                             \
    w.register_reads)                                                                                        \
  X(register_reused, "registers.reused", "lanes",                                                            \
    "Of registers.reads, those that the instruction before in the same block read, too.", w.register_reused) \
  X(register_writes, "registers.writes", "lanes", "The same of registers that they write.",                  \
    w.register_writes)                                                                                       \
  X(other_operands, "registers.others", "lanes",                                                             \
    "Operands that are no registers, one for each active lane: immediates, constants, parameters, "          \
    "addresses "                                                                                             \
    "of memory accesses; as many as instructions of the class have, less the registers that they read.",     \
    w.other_operands)                                                                                        \
  S(active_cycles, active_cycles, "sm.active_cycles", "cycles",                                              \
    "Cycles with a CTA resident, summed over SMs.")                                                          \
  S(warp_cycles, warp_cycles, "sm.warp_cycles", "warps × cycles",                                            \
    "Cycles times the warps resident in each.")                                                              \
  S(ctas, ctas, "sm.ctas", "CTAs", "CTAs completed.")                                                        \
  S(sched_scoreboard, stall_scoreboard, "sched.scoreboard", "cycles",                                        \
    "Scheduler cycles in which all warps waited for registers, instructions or barriers.")                   \
  S(sched_pipe, stall_pipe, "sched.pipe", "cycles",                                                          \
    "Scheduler cycles in which warps were ready and their pipelines busy.")                                  \
  S(sched_idle, idle_cycles, "sched.idle", "cycles",                                                         \
    "Scheduler cycles without a warp, on an SM with a CTA.")                                                 \
  S(shared_cycles, shared_cycles, "sm.shared_cycles", "cycles", "Cycles shared memory was busy.")            \
  S(mem_instructions, mem_instructions, "ldst.instructions", "instructions",                                 \
    "Memory instructions with accesses beyond shared memory.")                                               \
  S(mem_accesses, mem_accesses, "ldst.accesses", "accesses",                                                 \
    "Line accesses that their lanes were combined to (sm.merge_loads, sm.merge_stores).")                    \
  S(vmb_full, vmb_full_cycles, "ldst.vmb_full_cycles", "cycles",                                             \
    "Cycles in which the buffer of memory instructions under way was full (sm.vmb).")

#define SM_REQUEST_COUNTERS(X, S)                                                                            \
  S(requests, requests, "noc.requests", "messages", "Requests the SMs sent.")                                \
  S(answers, answers, "noc.answers", "messages", "Answers the SMs took.")                                    \
  S(latency_sum, latency_sum, "latency.sum", "cycles",                                                       \
    "Core cycles from request to answer, summed over reads of the SMs.")                                     \
  S(latency_count, latency_count, "latency.count", "requests", "Reads answered to the SMs.")                 \
  S(latency_fetched, fetched, "latency.fetched", "requests", "Of those, fetched from memory.")

#define SM_COUNTERS(X, S) SM_ISSUE_COUNTERS(X, S) L1_COUNTERS(X, S) SM_REQUEST_COUNTERS(X, S)
#define WORK_HELP(what)   "Of sm.thread_issued, lanes of " what "."
#define STALL_HELP(help)  "Of the cycles of resident warps (sm.warp_cycles): " help
#define STAGE_HELP(help)  "Of latency.sum, cycles " help "."

#endif
