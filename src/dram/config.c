#include "dram/config.h"
#include "conf/rows.h"
#include "dram/dram.h"

#define CONF_OF struct memory_config

static const char *const memory_names[] = {"commands", "fixed", NULL};
static const char *const refresh_names[] = {"none", "allbank", "perbank", NULL};

static const struct conf_param rows[] = {
    CONF_ROW_ENUM("dram.model", model, "commands", memory_names,
                  "Memory behind the L2: DRAM at the level of commands, or a fixed latency.", GTX480),
    CONF_ROW_UINT(
        "dram.controllers", controllers, "1", 1, 64, "controllers",
        "Independent controllers behind each channel of the L2: a power of two. The mapping has bits `h` for "
        "them; of a fixed latency, lines in turn.",
        GTX480),
    CONF_ROW_UINT("dram.lockstep", lockstep, "1", 1, 16, "channels",
                  "Physical channels that a controller drives as one wide one: a power of two.", GTX480),
    CONF_ROW_UINT("dram.fixed_latency", fixed_latency, "100", 1, 100000, "cycles",
                  "Model `fixed`: DRAM cycles from a read at its controller to the data.",
                  "the FRC thesis, Table 2.1"),
    CONF_ROW_UINT("dram.fixed_write_latency", fixed_write_latency, "100", 1, 100000, "cycles",
                  "The same for a write, to its acknowledgement.",
                  "Multi2Sim 4.2: memory answers writes like reads"),
    CONF_ROW_UINT("dram.fixed_interval", fixed_interval, "1", 1, 1000, "cycles",
                  "Model `fixed`: DRAM cycles from a request (an L2 sector) to the next of a controller.",
                  "Multi2Sim 4.2: its link carries a block per cycle"),
    CONF_ROW_STRING("dram.device", device, "gddr5-gtx480", "Preset or file of the DRAM device.", GTX480),
    CONF_ROW_STRING("dram.mapping", mapping, "r12b2g1c4g1c2",
                    "Address bits within a channel; empty: the device's.",
                    GTX480 "; bank-group indexing policy 1, the low bank bits"),
    CONF_ROW_STRING("dram.controller", controller, "frfcfs-64", "Preset or file of the controller's rules.",
                    GTX480 ", FR-FCFS over 64 requests"),
    CONF_ROW_ENUM("dram.refresh", refresh, "none", refresh_names, "Refresh of the DRAM.", GTX480),
    CONF_ROW_ENUM(
        "dram.free", ideal, "none", dram_ideal_names,
        "An idealisation: `rows`: every row of a bank is open; `order`: neither rows nor bank groups nor "
        "turnarounds cost anything, only the data bus is left.",
        "no DRAM: the most that an order of requests can gain"),
    CONF_ROW_UINT(
        "dram.controller_queue", controller_queue, "0", 0, 4096, "requests",
        "Entries of each of the controller's queues in place of its own, thresholds of waiting writes in "
        "proportion; 0: its own.",
        "the controller"),
    CONF_ROW_STRING("dram.timing", timing, "",
                    "Timings in place of the device's, in cycles, as in `rrd_s=8,rrd_l=8,faw=32`.",
                    "the device"),
    CONF_ROW_BOOL("dram.forward", forward, "true",
                  "A read is answered from a write of its address that waits in the controller, and two such "
                  "writes are "
                  "one; false: each goes to the device.",
                  "what controllers do; GPGPU-Sim 3 does not"),
    CONF_ROW_UINT("dram.latency", latency, "100", 0, 10000, "cycles",
                  "Fixed delay in front of the controller, in DRAM cycles.", GTX480),
    CONF_ROW_UINT("dram.latency_spread", latency_spread, "0", 0, 10000, "cycles",
                  "Half of it is added to dram.latency in front of every other channel, and taken off in "
                  "front of the others.",
                  "no source: 0, all alike"),
    CONF_ROW_UINT("dram.queue", queue, "245", 1, 4096, "requests",
                  "Requests on their way to the controller, per channel.", GTX480),
};
const struct conf_table memory_config_params = {"DRAM", rows, sizeof rows / sizeof *rows};

bool memory_config_check(const struct memory_config *k, struct error *err) {
  bool ok = true;
  if (k->controllers & (k->controllers - 1))
    ok = error_add(err, EXIT_USAGE, "dram.controllers: %u is no power of two", k->controllers);
  if (k->latency_spread / 2 > k->latency)
    ok = error_add(err, EXIT_USAGE, "dram.latency_spread: %u; half of it is more than dram.latency: %u",
                   k->latency_spread, k->latency);
  if (k->lockstep & (k->lockstep - 1))
    ok = error_add(err, EXIT_USAGE, "dram.lockstep: %u is no power of two", k->lockstep);
  if (k->model == MEMORY_FIXED && (k->controller_queue || *k->timing))
    ok = error_add(err, EXIT_USAGE,
                   "%s: a memory of fixed latency (dram.model) has neither queues nor timings of a device",
                   k->controller_queue ? "dram.controller_queue" : "dram.timing");
  if (k->model == MEMORY_FIXED && !k->forward)
    ok = error_add(err, EXIT_USAGE,
                   "dram.forward: a memory of fixed latency (dram.model) has no writes that wait");
  if (k->model == MEMORY_FIXED && k->ideal)
    ok = error_add(err, EXIT_USAGE,
                   "dram.free: a memory of fixed latency (dram.model) has neither rows nor order");
  if (k->model == MEMORY_FIXED && k->lockstep > 1)
    ok =
        error_add(err, EXIT_USAGE,
                  "dram.lockstep: %u; a memory of fixed latency (dram.model) has dram.fixed_interval instead",
                  k->lockstep);
  return ok;
}
