/* Names that options may take, for completion, and options that several commands have. */
#ifndef SLUICE_CLI_NAMES_H
#define SLUICE_CLI_NAMES_H

#include "base/error.h"

extern const char *const gpu_preset_names[],
    *const workload_size_names[], *const dram_refresh_names[],
                                      *const dram_ideal_names[],
                                          *const dram_trace_format_names[]; /* NULL at the end */

/* Rows of a table of options. */
#define CLI_WORKLOAD_OPTIONS                                                                                 \
  {"size", 0,    "SIZE", "Size of a workload: small (default), medium, large.", workload_size_names,         \
   false,  false},                                                                                           \
      {"seed", 0, "N", "Seed of a workload's random input (default 1).", NULL, false, false},                \
      {"param",      'p',                                                                                    \
       "NAME=VALUE", "Change a parameter of a workload; `sluice list workloads --json` shows them.",         \
       NULL,         false,                                                                                  \
       true},                                                                                                \
  {                                                                                                          \
    "input", 0, "FILE", "A graph or matrix (Matrix Market, DIMACS, edge list) for a workload.", NULL, true,  \
        false                                                                                                \
  }

/* False after an error that names the nearest; NULL is good. */
bool cli_workload_size(const char *command, const char *size, struct error *err);

#endif
