/* `sluice list workloads`. */
#ifndef SLUICE_CLI_LIST_WORKLOADS_H
#define SLUICE_CLI_LIST_WORKLOADS_H

#include "cli/list_ptx.h"

bool list_workloads(enum form form, const char *of, struct strbuf *to, struct error *err);

#endif
