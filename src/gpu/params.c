/* The parameters of a GPU as a whole; its parts have their own (core/config.h, l1/config.h, …). */
#include "conf/rows.h"
#include "energy/sram.h"
#include "gpu/config.h"

#define CONF_OF struct gpu_config

static const char *const deal_names[] = {"sm", "cluster", NULL};
static const char *const access_names[] = {"sequential", "parallel", NULL};

static const struct conf_param gpu_rows[] = {
    CONF_ROW_UINT("gpu.sms", sms, "15", 1, 1024, "SMs", "Streaming multiprocessors.", GTX480),
    CONF_ROW_UINT(
        "gpu.line_bytes", line_bytes, "128", 64, 128, "bytes",
        "Bytes of a line of the L1 data caches and of the L2: a power of two. Lanes are coalesced by it.",
        GTX480),
    CONF_ROW_UINT("gpu.core_mhz", core_mhz, "700", 1, 100000, "MHz", "Clock of the SMs.", GTX480),
    CONF_ROW_UINT("gpu.noc_mhz", noc_mhz, "700", 1, 100000, "MHz", "Clock of the network.", GTX480),
    CONF_ROW_UINT("gpu.l2_mhz", l2_mhz, "700", 1, 100000, "MHz", "Clock of the L2.", GTX480),
    CONF_ROW_UINT("gpu.dram_mhz", dram_mhz, "924", 1, 100000, "MHz", "Command clock of the DRAM.", GTX480),
    CONF_ROW_UINT("gpu.launch_cycles", launch_cycles, "0", 0, 1000000, "cycles",
                  "From the beginning of a launch to its first CTA.", "no source: 0, as GPGPU-Sim counts"),
    CONF_ROW_UINT("gpu.code_cycles", code_cycles, "0", 0, 1000000, "cycles",
                  "From the first CTA of a launch on an SM to its first instruction, where the L2 is empty "
                  "(l2.cold_launches, or the first launch without l2.warm): code and parameters come from "
                  "memory, too.",
                  "no source: 0"),
    CONF_ROW_FLOAT("gpu.code_interval", code_interval_cycles, "0", 0, 1000000, "cycles",
                   "From the first instruction of a launch on an SM to that on the next SM, as code and "
                   "parameters come to one after "
                   "the other: SM i waits i times as long, beside gpu.code_cycles.",
                   "no source: 0"),
    CONF_ROW_FLOAT(
        "gpu.cta_interval", cta_interval_cycles, "0", 0, 1000000, "cycles",
        "From the start of a CTA to that of the next one, GPU-wide; fractions count on average. 0: all that "
        "fit at once.",
        "no source: 0, as GPGPU-Sim counts"),
    CONF_ROW_ENUM("gpu.deal", deal, "sm", deal_names,
                  "CTAs go to SMs in the order of their numbers, or to clusters (noc.sms_per_link) in turn "
                  "and inside each to "
                  "its SMs in turn.",
                  "GPGPU-Sim's clusters of one SM; with larger ones it deals to clusters"),
    CONF_ROW_BOOL(
        "gpu.keep_data", keep_data, "false",
        "The L1 data caches, and the directory of their lines, stay as they are from one launch to the next.",
        "hardware empties them; true: Multi2Sim 4.2"),
    CONF_ROW_BOOL("gpu.keep_read_only", keep_read_only, "false",
                  "Instruction and constant caches keep their lines between launches; false: they are "
                  "flushed as L1 data "
                  "caches are.",
                  "an alternative: GPGPU-Sim, whose gpgpu_flush_l1_cache is of data caches"),
    CONF_ROW_BOOL(
        "gpu.locality", locality, "false",
        "Count requests to each 4 KB page in windows of requests, leaving stream caches and leaving the GPU.",
        "MARS, Fig. 2: an experiment"),
};
const struct conf_table gpu_params = {"GPU", gpu_rows, sizeof gpu_rows / sizeof *gpu_rows};

static const struct conf_param report_rows[] = {
    CONF_ROW_STRING("energy.table", energy_table, "gtx480",
                    "What events outside of memories cost, for energy of the whole GPU: a table of "
                    "presets/energy, a file, or none.",
                    "docs/energy.md"),
    CONF_ROW_UINT(
        "energy.node_nm", node_nm, "32", SRAM_NODE_LEAST, SRAM_NODE_MOST, "nm",
        "Technology of on-chip memories, for area and energy; CACTI's high-performance transistors.",
        "the FRC thesis, 6.6"),
    CONF_ROW_ENUM("energy.l1d_access", l1d_parallel, "sequential", access_names,
                  "How the L1 data cache's arrays are read, for area, energy and the least latency: data "
                  "after the tags, "
                  "or "
                  "of all ways together with the tags.",
                  "the FRC thesis, 6.6"),
    CONF_ROW_ENUM("energy.l2_access", l2_parallel, "sequential", access_names, "The same of the L2.",
                  "the FRC thesis, 6.6"),
    CONF_ROW_BOOL(
        "check.requests", check_requests, "false",
        "Follow every request, at some cost of time: answered once, and none of an SM passed by a later one "
        "for the "
        "same line where one of them changes it. A violated invariant ends the run.",
        "ours"),
    CONF_ROW_UINT("check.longest_wait", longest_wait, "0", 0, INT64_MAX, "cycles",
                  "check.requests: core cycles after which a request must have been answered; 0: no limit.",
                  "ours"),
};
const struct conf_table gpu_report_params = {"energy and checks", report_rows,
                                             sizeof report_rows / sizeof *report_rows};
