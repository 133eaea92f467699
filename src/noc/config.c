#include "noc/config.h"
#include "conf/rows.h"

#define CONF_OF struct noc_config

static const char *const allocator_names[] = {"round-robin", "islip", "ideal", NULL};

static const struct conf_param rows[] = {
    CONF_ROW_UINT("noc.flit_bytes", flit_bytes[0], "40", 1, 4096, "bytes",
                  "A link carries one flit per cycle.", GTX480),
    CONF_ROW_UINT("noc.response_flit_bytes", flit_bytes[1], "0", 0, 4096, "bytes",
                  "The same on the way back; 0: as noc.flit_bytes.", GTX480 ", one size"),
    CONF_ROW_UINT(
        "noc.mask_bytes", mask_bytes, "0", 0, 64, "bytes",
        "What a store of parts of sectors carries beside its data: which bytes they are; 0: in the header.",
        GTX480),
    CONF_ROW_UINT("noc.latency", latency, "5", 1, 10000, "cycles",
                  "From the last flit in to the message out.", "assumed"),
    CONF_ROW_UINT(
        "noc.inject_latency", inject, "0", 0, 10000, "cycles",
        "From an SM, link or slice to its input of the crossbar; 0: the next cycle. With noc.latency and "
        "noc.credit_latency it "
        "bounds how long parts of the GPU are simulated apart (sim.window_cycles).",
        "assumed"),
    CONF_ROW_UINT(
        "noc.credit_latency", credit, "1", 1, 10000, "cycles",
        "From a message that leaves a buffer of the network to the use of its slot, in cycles of the sender.",
        "assumed"),
    CONF_ROW_UINT("noc.in", in, "64", 1, 4096, "messages", "Buffer of each input.",
                  GTX480 ", vc_buf_size, in flits"),
    CONF_ROW_UINT("noc.out", out, "32", 1, 4096, "messages", "Buffer behind each output to an SM or link.",
                  GTX480 ", ejection buffer"),
    CONF_ROW_ENUM(
        "noc.allocator", allocator, "round-robin", allocator_names,
        "Who passes: heads of FIFOs in rotation; queues for each output matched by iSLIP; all at once.",
        "assumed: " GTX480 " matches the heads of FIFOs by iSLIP in one round"),
    CONF_ROW_UINT("noc.iterations", iterations, "1", 1, 64, "rounds",
                  "islip: rounds of grants and accepts per cycle.", GTX480 ", alloc_iters"),
    CONF_ROW_UINT("noc.speedup", speedup, "1", 1, 8, "flits",
                  "round-robin: flits that pass inside a crossbar in a cycle, where links carry one; if more "
                  "than 1, the "
                  "allocation of its output takes a message the time of another flit.",
                  "an alternative: BookSim's internal_speedup with one virtual channel"),
    CONF_ROW_BOOL("noc.sector_packets", packets, "false",
                  "round-robin: an answer is a packet for each sector, and so is an acknowledgement; packets "
                  "of several "
                  "slices pass in turn.",
                  "an alternative: GPGPU-Sim, whose L2 has a request for each sector"),
    CONF_ROW_UINT("noc.sms_per_link", sms_per_link, "1", 1, 1024, "SMs",
                  "SMs that share a link in each direction; sharing costs a core cycle each way.", GTX480),
};
const struct conf_table noc_params = {"network", rows, sizeof rows / sizeof *rows};

bool noc_config_finish(struct noc_config *k, struct error *err) {
  bool ok = true;
  if (!k->flit_bytes[1])
    k->flit_bytes[1] = k->flit_bytes[0];
  if (k->allocator != NOC_ROUND_ROBIN && k->speedup > 1)
    ok = error_add(err, EXIT_USAGE, "noc.speedup: %u; of noc.allocator round-robin only", k->speedup);
  if (k->allocator != NOC_ROUND_ROBIN && k->packets)
    ok = error_add(err, EXIT_USAGE, "noc.sector_packets: of noc.allocator round-robin only");
  return ok;
}
