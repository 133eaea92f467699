/* How far a long run is: a bar on a terminal, or a line every ten seconds. On standard error only, and
 * only once two seconds have passed. */
#ifndef SLUICE_BASE_PROGRESS_H
#define SLUICE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_PLAIN, PROGRESS_NONE };

struct progress {
  enum progress_mode mode; /* never AUTO after progress_start: that picks the bar or NONE */
  bool bar, drawn;
  double start, last;
  const char *unit; /* of `work`, as in "warp instructions" */
  char note[160];
};

void progress_start(struct progress *p, enum progress_mode mode, const char *unit);
/* Cheap enough for every few thousand units of work. `total` 0: unknown. `work` gives the rate. */
void progress_update(struct progress *p, uint64_t done, uint64_t total, uint64_t work);
/* What is shown after the work from now on, as in ", IPC 3.2". */
void progress_note(struct progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the bar off the terminal. */
void progress_end(struct progress *p);

#endif
