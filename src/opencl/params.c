#include "opencl/params.h"

static const struct conf_param rows[] = {
    {"host.bandwidth", CONF_FLOAT, "8", .fmin = 0.001, .fmax = 1000, .unit = "GB/s",
     .help = "Rate at which OpenCL transfers between host and GPU take simulated time.",
     .source = "PCI Express 2.0, 16 lanes at 5 GT/s with 8b/10b coding; the GTX480's bus"},
    {"host.latency", CONF_FLOAT, "0", .fmin = 0, .fmax = 1e9, .unit = "ns",
     .help = "Simulated time that every such transfer takes beside.",
     .source = "left out: it depends on the host and its driver, which are not modelled"},
};
const struct conf_table host_params = {"Host", rows, sizeof rows / sizeof *rows};
