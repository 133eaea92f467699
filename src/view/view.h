/* A run, or two beside each other, as one page of HTML that needs nothing else. */
#ifndef SLUICE_VIEW_VIEW_H
#define SLUICE_VIEW_VIEW_H

#include "base/error.h"
#include <stddef.h>

enum { VIEW_MOST_RUNS = 2 };

/* Each source is a timeline, the JSON of a run, or a point of a database (FILE.db#POINT, the beginning of its id). */
bool view_write(const char *const *sources, size_t n, const char *path, struct error *err);

#endif
