#include "front/params.h"
#include "base/num.h"
#include "front/ptxas.h"
#include "front/registers.h"
#include <string.h>

static const char *const memcheck_names[] = {"error", "warn", "off", "reads",
                                             NULL}; /* order of enum memcheck */

static const char *const shared_names[] = {"banks", "lanes", NULL}; /* order of enum front_shared */
static const char *const lanes_names[] = {"active", "all", NULL};   /* order of enum front_lanes */

static const char *const schedule_names[] = {"ptx", "assembler", "assembler9",
                                             NULL}; /* order of enum front_schedule */

static bool valid_cta_order(const char *s) {
  uint64_t seed;
  return strcmp(s, "ascending") == 0 || strcmp(s, "reversed") == 0 || num_u64(s, &seed) == NUM_OK;
}

static bool power_of_two(const char *s) {
  uint64_t v;
  return num_u64(s, &v) == NUM_OK && v && !(v & (v - 1));
}

static bool zero_or_power_of_two(const char *s) {
  uint64_t v;
  return num_u64(s, &v) == NUM_OK && !(v & (v - 1));
}

#define GIB (INT64_C(1) << 30)

static const struct conf_param front_rows[] = {
    {"front.warp_width", CONF_UINT, "32", .min = 1, .max = 64, .unit = "lanes",
     .help = "Threads that run in lock step.",
     .source = "PTX ISA, WARP_SZ on every NVIDIA GPU; GCN GPUs have 64"},
    {"front.window", CONF_UINT, "256", .min = 1, .max = 65536, .unit = "CTAs",
     .help = "Resident CTAs that functional execution interleaves.",
     .source = "design choice, not a property of a GPU; recorded with every result"},
    {"front.turn", CONF_UINT, "16384", .min = 1, .max = 1 << 30, .unit = "warp instructions",
     .help = "The most a CTA executes before the next resident one gets its turn.",
     .source = "design choice, not a property of a GPU; recorded with every result"},
    {"front.contend", CONF_UINT, "0", .min = 0, .max = 1 << 30, .unit = "threads",
     .help = "Threads that are resident at once where kernels read words that atomics change, change them by "
             "CAS, or share a queue (docs/timing.md): all of them read before the first changes a word, and "
             "take turns; the last warp of a CTA counts whole. 0: a CTA has done its turn before the next "
             "one reads.",
     .source = "a property of the GPU: how many threads it holds"},
    {"front.schedule", CONF_ENUM, "ptx", .choices = schedule_names, .unit = "",
     .help = "Order of instructions: as the PTX has them, or as an assembler puts them for the GPU "
             "(docs/scheduling.md); assembler9 also makes logic of three inputs one instruction and atomics "
             "without readers reductions, as for compute capability 9. Results are the same.",
     .source = "a property of the GPU's tool chain: PTX is assembled for every NVIDIA GPU, GPGPU-Sim runs "
               "PTX as it "
               "is"},
    {"front.shared", CONF_ENUM, "banks", .choices = shared_names, .unit = "",
     .help = "What an access to shared memory is: one that takes the cycles of its busiest bank, or one for "
             "every lane, joined in blocks of 64 bytes (sm.model gcn; docs/gcn.md).",
     .source = "hardware has banks; lanes: Multi2Sim 4.2"},
    {"front.lanes", CONF_ENUM, "active", .choices = lanes_names, .unit = "",
     .help = "Lanes that access memory: active ones, or all, where an inactive one repeats its last access "
             "(docs/gcn.md); results are the same.",
     .source = "hardware leaves inactive lanes out; all: Multi2Sim 4.2"},
    {"front.memcheck", CONF_ENUM, "error", .choices = memcheck_names, .unit = "",
     .help = "What an illegal memory access does: end the run, be reported, go unchecked; reads: end the run "
             "unless it is a read.",
     .source = "wrong results must not pass unseen"},
    {"front.cta_order", CONF_STRING, "ascending", .valid = valid_cta_order,
     .allowed = "ascending, reversed, or a number that seeds a shuffle", .unit = "",
     .help = "Order in which CTAs become resident; differing counts mark an order-sensitive kernel.",
     .source = "design choice: one fixed order makes runs repeatable"},
    {"front.max_instructions", CONF_UINT, "0", .unit = "warp instructions",
     .help = "Limit per launch after which the run ends as stalled; 0 is no limit.",
     .source = "a limit is the user's decision"},
    {"front.registers", CONF_STRING, "builtin", .valid = registers_valid,
     .allowed = "builtin, ptxas, ptx or a number from 1 to 255, and KERNEL=N for single kernels, separated "
                "by commas",
     .unit = "",
     .help =
         "Registers per thread, which limit the CTAs of an SM: a number, or where it comes from if neither "
         "the launch file nor the workload states it. builtin: an estimate that imitates ptxas; ptxas: an "
         "installed ptxas; ptx: virtual registers that are live at a time.",
     .source = "design choice; recorded with every result"},
    {"front.ptxas_target", CONF_STRING, "auto", .valid = ptxas_target_valid, .allowed = "auto or sm_NN",
     .unit = "",
     .help =
         "The architecture that front.registers = ptxas assembles for; auto: sm_90, or the PTX's own target "
         "where that is newer.",
     .source = "the architecture that the estimate imitates"},
    {"front.touched", CONF_BOOL, "false", .unit = "",
     .help = "Find out how many different bytes of global memory the run touches (touched.*).",
     .source = "costs time, so only on request"},
    {"front.heap_bytes", CONF_UINT, "8MiB", .min = 0, .max = 64 * GIB, .unit = "bytes",
     .help = "Memory that device-side malloc can hand out.", .source = "CUDA's cudaLimitMallocHeapSize"},
    {"front.stack_bytes", CONF_UINT, "512KiB", .min = 1024, .max = 16 << 20, .unit = "bytes",
     .help = "Call frames and local memory of one thread.",
     .source = "CUDA's limit of local memory per thread"},
};
const struct conf_table front_params = {"Functional execution", front_rows,
                                        sizeof front_rows / sizeof *front_rows};

static const struct conf_param memory_rows[] = {
    {"memory.guard", CONF_UINT, "256", .min = 0, .max = GIB, .unit = "bytes",
     .help = "Unused bytes between two device buffers, so that an overrun is noticed.",
     .source = "design choice; an overrun by more than this may reach the next buffer"},
    {"memory.align", CONF_UINT, "512", .min = 1, .max = GIB, .valid = power_of_two,
     .allowed = "a power of two up to 1073741824", .unit = "bytes",
     .help = "Alignment of every device buffer.", .source = "design choice; CUDA guarantees at least 256"},
    {"memory.big", CONF_UINT, "1MiB", .min = 1, .max = INT64_MAX, .unit = "bytes",
     .help = "Buffers of at least this size are aligned to memory.big_align.",
     .source = "design choice, meant to resemble cudaMalloc; not measured"},
    {"memory.big_align", CONF_UINT, "2MiB", .min = 1, .max = GIB, .valid = power_of_two,
     .allowed = "a power of two up to 1073741824", .unit = "bytes",
     .help = "Alignment of big device buffers.",
     .source = "design choice, meant to resemble cudaMalloc; not measured"},
    {"memory.small_page", CONF_UINT, "0", .min = 0, .max = GIB, .valid = zero_or_power_of_two,
     .allowed = "0 or a power of two up to 1073741824", .unit = "bytes",
     .help = "Buffers smaller than memory.big share pages of so many bytes with each other, and with no "
             "larger one; 0: "
             "each buffer follows the one before.",
     .source = "design choice; cudaMalloc has pages of 2 MiB for them"},
};
const struct conf_table memory_params = {"Device memory", memory_rows,
                                         sizeof memory_rows / sizeof *memory_rows};
