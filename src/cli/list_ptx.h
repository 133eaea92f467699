/* `sluice list ptx` and `sluice list kernels`. */
#ifndef SLUICE_CLI_LIST_PTX_H
#define SLUICE_CLI_LIST_PTX_H

#include "base/error.h"
#include "base/strbuf.h"

enum form { FORM_TABLE, FORM_JSON, FORM_MARKDOWN, FORM_CSV };

bool list_ptx(enum form form, const char *of, struct strbuf *to, struct error *err);
bool list_kernels(enum form form, const char *path, struct strbuf *to, struct error *err);

#endif
