/* What `sluice validate` is made of. */
#ifndef SLUICE_CLI_VALIDATE_H
#define SLUICE_CLI_VALIDATE_H

#include "cli/cli.h"
#include "validate/validate.h"

/* --energy: runs, tables, the page. */
bool cli_validate_energy(const struct cli_args *a, const struct validate_set *s,
                         const struct validate_options *o, struct strbuf *failed, struct error *err);

#endif
