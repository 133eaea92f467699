/* fcfs: the memory controller serves requests strictly in the order of arrival. */
#include "tech/declare.h"

const struct sluice_technique technique_fcfs = {
    TECH_HEAD,
    .name = "fcfs",
    .summary = "The memory controller serves the oldest request alone.",
    .paper = "the simplest scheduler there is",
    .dram_scheduler = "fcfs",
};
