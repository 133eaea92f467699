#include "opencl/params.h"

static const char *const layouts[] = {"pitch", "block_linear", "tiles", NULL}; /* enum texture_layout */

static const struct conf_param rows[] = {
    {"host.bandwidth", CONF_FLOAT, "8", .fmin = 0.001, .fmax = 1000, .unit = "GB/s",
     .help = "Rate at which OpenCL and CUDA transfers between host and GPU take simulated time.",
     .source = "PCI Express 2.0, 16 lanes at 5 GT/s with 8b/10b coding; the GTX480's bus"},
    {"host.latency", CONF_FLOAT, "0", .fmin = 0, .fmax = 1e9, .unit = "ns",
     .help = "Simulated time that every such transfer takes beside.",
     .source = "left out: it depends on the host and its driver, which are not modelled"},
    {"host.cuda_capability", CONF_UINT, "0", .max = 999, .unit = "",
     .help = "CUDA's compute capability times 10 (90: 9.0), which chooses the PTX of a program that brings "
             "several; 0: "
             "the newest of them. A program whose PTX is all newer sees that of its oldest.",
     .source = "CUDA programming guide, compute capabilities"},
    {"host.image_layout", CONF_ENUM, "block_linear", .choices = layouts, .unit = "",
     .help = "How texels of images and CUDA arrays lie in memory: in rows (pitch), in NVIDIA's blocks of 64 "
             "bytes by 8 "
             "rows (block_linear), or in AMD's tiles of 8 by 8 texels (tiles).",
     .source = "Tegra X1 reference manual, 20.1; AMD's addrlib, ADDR_TM_1D_TILED_THIN1"},
};
const struct conf_table host_params = {"Host", rows, sizeof rows / sizeof *rows};
