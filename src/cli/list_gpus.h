/* `sluice list gpus`. */
#ifndef SLUICE_CLI_LIST_GPUS_H
#define SLUICE_CLI_LIST_GPUS_H

#include "cli/list_ptx.h"

bool list_gpus(enum form form, const char *of, struct strbuf *to, struct error *err);

#endif
