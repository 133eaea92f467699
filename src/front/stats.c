/* The front end's statistics: its counters, and ratios that are read often. */
#include "front/count.h"
#include "front/registers.h"

static const struct stat_row rows[] = {
#define X(field, name, unit, help) {name, STAT_U64, unit, help},
    FRONT_COUNTERS(X)
#undef X
        {"lanes_per_instruction", STAT_F64, "lanes", "thread_instructions / warp_instructions."},
    {"footprint", STAT_U64, "bytes",
     "Buffers in device memory at the end of the run, module variables among them."},
    {"registers", STAT_U64, "registers", "Registers per thread that occupancy counts with; of a launch."},
    {"registers.from", STAT_TEXT, "",
     "Where that number comes from: builtin, ptxas or ptx (the source that front.registers names), launch "
     "(the launch file or the workload states "
     "it), "
     "option (a number in front.registers), generator, recording, trace (an imported one)."},
    {"touched.bytes", STAT_U64, "bytes",
     "Different 32-byte sectors of global memory accessed in the run, times 32 (front.touched)."},
    {"touched.reuse", STAT_F64, "",
     "global.sectors / different sectors: how often a sector is accessed in the mean (front.touched)."},
    {"global.lines_per_access", STAT_F64, "lines",
     "global.lines / global.accesses; 1 is perfectly coalesced."},
    {"global.sectors_per_access", STAT_F64, "sectors", "global.sectors / global.accesses."},
    {"shared.bank_cycles_per_access", STAT_F64, "cycles",
     "shared.bank_cycles / shared.accesses; 1 is free of conflicts."},
};
const struct stat_table front_stats = {"Functional execution", rows, sizeof rows / sizeof *rows};

void front_counters_add(struct front_counters *to, const struct front_counters *from) {
#define X(field, name, unit, help) to->field += from->field;
  FRONT_COUNTERS(X)
#undef X
}

/* A ratio without a base is left out rather than shown as 0. */
static void ratio(struct stats *s, const char *name, uint64_t a, uint64_t b) {
  if (b)
    stats_put_f64(s, name, (double)a / (double)b);
}

void front_registers_put(const struct kernel_info *k, struct stats *s) {
  stats_put_u64(s, "registers", k->registers);
  stats_put_text(s, "registers.from", registers_from_names[k->registers_from]);
}

void front_counters_put(const struct front_counters *c, struct stats *s) {
#define X(field, name, unit, help) stats_put_u64(s, name, c->field);
  FRONT_COUNTERS(X)
#undef X
  ratio(s, "lanes_per_instruction", c->thread_instructions, c->warp_instructions);
  ratio(s, "global.lines_per_access", c->global_lines, c->global_accesses);
  ratio(s, "global.sectors_per_access", c->global_sectors, c->global_accesses);
  ratio(s, "shared.bank_cycles_per_access", c->shared_cycles, c->shared_accesses);
}
