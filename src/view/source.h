/* Where a page's numbers come from: all of them in the form of a timeline's visits. */
#ifndef SLUICE_VIEW_SOURCE_H
#define SLUICE_VIEW_SOURCE_H

#include "timeline/timeline.h"

struct view_source {
  const char *name; /* as given */
  const char *form; /* "timeline", "result", "point" */
  const struct timeline_head *head;
  void *self;
  bool (*walk)(void *self, const struct timeline_visit *v, struct error *err);
  void (*close)(void *self);
};

bool view_source_open(struct view_source *s, const char *name, struct error *err);
void view_source_close(struct view_source *s);
/* result.c: the JSON of a run, as text; takes it. An interval of the result is a row; without them, a launch is. */
bool view_result_open(struct view_source *s, const char *name, const char *form, char *text, size_t n,
                      struct error *err);

#endif
