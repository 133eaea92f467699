#include "dram/params.h"
#include "dram/dram.h"

static const char *const paces[] = {"trace-cycles", "as-fast-as-accepted", NULL};

static const struct conf_param rows[] = {
    {.name = "dram.device", .type = CONF_STRING, .initial = "ref-ddr4", .unit = "",
     .help = "A device preset or file.", .source = "the device of most published comparisons"},
    {.name = "dram.mapping", .type = CONF_STRING, .initial = "device", .unit = "",
     .help = "bglow, collow or a bit string; device: what the device file says.", .source = "the device"},
    {.name = "dram.controller", .type = CONF_STRING, .initial = "sluice", .unit = "",
     .help = "A controller profile or file.", .source = "docs/dram.md"},
    {.name = "dram.refresh", .type = CONF_ENUM, .initial = "allbank", .choices = dram_refresh_names, .unit = "",
     .help = "Refresh mode.", .source = "what every device supports"},
    {.name = "dram.channels", .type = CONF_UINT, .initial = "1", .min = 1, .max = 1024, .unit = "channels",
     .help = "Independent channels.", .source = "one channel is what most traces are made for"},
    {.name = "dram.lockstep", .type = CONF_UINT, .initial = "1", .min = 1, .max = 64, .unit = "channels",
     .help = "Physical channels that act as one wide channel.", .source = "off"},
    {.name = "dram.pace", .type = CONF_ENUM, .initial = "trace-cycles", .choices = paces, .unit = "",
     .help = "When requests are presented: not before the trace's cycles, or as fast as they are accepted.",
     .source = "the trace"},
};
const struct conf_table dram_params = {"DRAM", rows, sizeof rows / sizeof *rows};
