/* sluice list papers */
#ifndef SLUICE_CLI_LIST_PAPERS_H
#define SLUICE_CLI_LIST_PAPERS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "cli/list_ptx.h"

bool list_papers(enum form form, const char *of, struct strbuf *to, struct error *err);

#endif
