/* `sluice list techniques`. */
#ifndef SLUICE_CLI_LIST_TECHNIQUES_H
#define SLUICE_CLI_LIST_TECHNIQUES_H

#include "cli/list_ptx.h"

bool list_techniques(enum form form, const char *of, struct strbuf *to, struct error *err);

#endif
