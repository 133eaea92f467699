/* A table of comma-separated values with a header, read line by line. */
#ifndef SLUICE_VALIDATE_CSV_H
#define SLUICE_VALIDATE_CSV_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

enum { CSV_FIELDS = 64 };

struct csv {
  char *text, *next; /* text: to be freed */
  const char *path;
  size_t line;
  char *header[CSV_FIELDS], *field[CSV_FIELDS];
  size_t nheader, n;
};

bool csv_open(struct csv *c, const char *path, struct error *err);
bool csv_next(struct csv *c); /* false: that was the last line */
const char *csv_get(struct csv *c, const char *column, struct error *err);
bool csv_number(struct csv *c, const char *column, double *to, struct error *err); /* from 0 up */

#endif
