#include "validate/csv.h"
#include "base/file.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

enum { FILE_MAX = 64 << 20 };

static size_t split(char *line, char **to) {
  size_t n = 0;
  for (char *p = line; p && n < CSV_FIELDS; n++) {
    to[n] = p;
    if ((p = strchr(p, ',')))
      *p++ = '\0';
  }
  return n;
}

bool csv_next(struct csv *c) {
  if (!c->next || !*c->next)
    return false;
  char *line = c->next, *end = strchr(line, '\n');
  c->next = end ? end + 1 : NULL;
  if (end)
    *end = '\0';
  c->line++;
  c->n = split(line, c->field);
  return true;
}

bool csv_open(struct csv *c, const char *path, struct error *err) {
  size_t n;
  *c = (struct csv){.path = path};
  if (!(c->text = c->next = file_read(path, FILE_MAX, &n, err)))
    return false;
  char *header = NULL;
  if (csv_next(c)) {
    c->nheader = c->n;
    memcpy(c->header, c->field, sizeof c->header);
    header = c->header[0];
  }
  return header || error_add(err, EXIT_USAGE, "%s: an empty file", path);
}

const char *csv_get(struct csv *c, const char *name, struct error *err) {
  for (size_t i = 0; i < c->nheader; i++)
    if (strcmp(c->header[i], name) == 0) {
      if (i < c->n)
        return c->field[i];
      error_add(err, EXIT_USAGE, "%s:%zu: the line has %zu fields, the header %zu", c->path, c->line, c->n,
                c->nheader);
      return NULL;
    }
  error_add(err, EXIT_USAGE, "%s: there is no column '%s'", c->path, name);
  return NULL;
}

bool csv_number(struct csv *c, const char *name, double *to, struct error *err) {
  const char *text = csv_get(c, name, err);
  if (!text)
    return false;
  if (num_f64(text, to) != NUM_OK || !isfinite(*to) || *to < 0)
    return error_add(err, EXIT_USAGE, "%s:%zu: %s '%.40s': a number from 0 up is wanted", c->path, c->line,
                     name, text);
  return true;
}
