/* `sluice list protocols`: the transition tables of coherence protocols. */
#ifndef SLUICE_CLI_LIST_PROTOCOLS_H
#define SLUICE_CLI_LIST_PROTOCOLS_H

#include "cli/list_ptx.h"

bool list_protocols(enum form form, const char *of, struct strbuf *to, struct error *err);

#endif
