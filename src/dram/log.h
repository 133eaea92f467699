/* Writes commands as text; docs/dram.md has the format. */
#ifndef SLUICE_DRAM_LOG_H
#define SLUICE_DRAM_LOG_H

#include "dram/dram.h"
#include <stdio.h>

void dram_log_header(FILE *to, const struct dram_device *d, uint32_t channel, enum dram_refresh refresh,
                     uint32_t lockstep);
void dram_log_line(FILE *to, const struct dram_issue *i);

#endif
