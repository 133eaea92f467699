/* The page of a validation: Markdown, with a plot beside it. */
#ifndef SLUICE_VALIDATE_PAGE_H
#define SLUICE_VALIDATE_PAGE_H

#include "validate/validate.h"

/* Replaces what lies between the lines `<!-- results -->` and `<!-- end of results -->` of an existing page, or writes a new one;
 * the plot goes to FILE with .svg in place of .md. */
bool validate_page(const struct validate_set *s, const char *gpu, const char *path, struct error *err);

#endif
