#ifndef SLUICE_DRAM_PARAMS_H
#define SLUICE_DRAM_PARAMS_H

#include "conf/conf.h"

/* What a run of `sluice dram` is made of. */
extern const struct conf_table dram_params;

#endif
