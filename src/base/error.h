/* A user-visible failure: what went wrong, where, and the exit code it deserves.
 *
 * Functions that can fail on user input take a `struct error *` last and return
 * false (or NULL) after filling it. Several findings may be collected in one
 * error, one line each. Broken invariants of Sluice itself use `panic()`. */
#ifndef SLUICE_BASE_ERROR_H
#define SLUICE_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

enum exit_code {
  EXIT_OK = 0,
  EXIT_RUNTIME = 1,     /* a file cannot be written, memory exhausted, a comparison failed */
  EXIT_USAGE = 2,       /* bad command line, configuration, PTX, launch file, trace */
  EXIT_FAULT = 3,       /* the simulated program did something illegal */
  EXIT_STALL = 4,       /* the simulated program or machine makes no progress */
  EXIT_CANCELLED = 130, /* 128 + SIGINT; more than 128: a signal */
};

struct error {
  int code;   /* 0: no error */
  char *text; /* one or more lines, no trailing newline; owned */
};

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define PRINTF_LIKE(f, a)
#endif

/* Replaces what is there. Returns false, so that `return error_set(...)` reads well. */
bool error_set(struct error *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Appends a line; keeps the first code. */
bool error_add(struct error *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
void error_clear(struct error *e);

/* A broken invariant: to the boundary of the thread (base/rescue.h), or the end of the process. */
_Noreturn void panic(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* The candidate closest to `word` by edit distance, or NULL if none is near. */
const char *nearest_match(const char *word, const char *const *candidates, int n);

#endif
