/* frfcfs: the memory controller prefers requests to open rows (first ready, first come first served). */
#include "tech/declare.h"

const struct sluice_technique technique_frfcfs = {
    TECH_HEAD,
    .name = "frfcfs",
    .summary =
        "The memory controller serves ready column commands first, then ready row commands, oldest first.",
    .paper = "Rixner et al., ISCA 2000",
    .dram_scheduler = "frfcfs",
};
