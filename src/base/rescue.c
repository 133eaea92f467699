#include "base/rescue.h"
#include "base/error.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local struct rescue *innermost;

/* Nothing of this frame changes between setjmp and longjmp but what `r` points to. */
bool rescue_run(struct rescue *r, void (*work)(void *ctx), void *ctx) {
  r->outer = innermost;
  if (setjmp(r->out) == 0) {
    innermost = r;
    work(ctx);
    innermost = r->outer;
    return true;
  }
  innermost = r->outer;
  return false;
}

void rescue_push(struct rescue *r) {
  r->outer = innermost;
  innermost = r;
}

void rescue_pop(struct rescue *r) {
  innermost = r->outer;
}

bool rescue_here(void) {
  return innermost;
}

void rescue_raise(enum rescue_cause cause, const char *text) {
  if (innermost) {
    innermost->cause = cause;
    snprintf(innermost->text, sizeof innermost->text, "%s", text);
    longjmp(innermost->out, 1);
  }
  fflush(stdout);
  fprintf(stderr, "sluice: %s%s\n", cause == RESCUE_PANIC ? "internal error: " : "", text);
  if (cause == RESCUE_PANIC)
    abort();
  exit(EXIT_RUNTIME);
}
