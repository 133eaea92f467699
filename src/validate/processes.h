/* Runs of `sluice run`, each in a process of its own, several at once. */
#ifndef SLUICE_VALIDATE_PROCESSES_H
#define SLUICE_VALIDATE_PROCESSES_H

#include "base/error.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include <stddef.h>

struct processes {
  const char *const *targets; /* launch files */
  size_t n;
  const char *const *arguments; /* of each run, behind the target; NULL at the end */
  unsigned jobs;
  enum progress_mode progress;
  /* what run i printed; not called of one that failed, which leaves a line in `failed` */
  void (*done)(void *ctx, size_t i, char *text);
  void *ctx;
  struct strbuf *failed;
};
bool processes_run(const struct processes *p, struct error *err);

#endif
