/* Files that appear whole or not at all.
 *
 * Output goes to a temporary beside the target, is synced, and takes the target's name when it is
 * complete. A device, pipe or "-" (standard output) is written directly. */
#ifndef SLUICE_BASE_FILE_H
#define SLUICE_BASE_FILE_H

#include "base/error.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* EXIT_RUNTIME with path and reason if anything fails, a full disk and a closed pipe included. */
bool file_write_atomic(const char *path, const void *data, size_t n, struct error *err);
/* The whole file; a NUL follows its n bytes. EXIT_USAGE if it cannot be read or is larger than max. */
char *file_read(const char *path, uint64_t max, size_t *n, struct error *err);
/* The same for output too large to be held: write to `to`, then commit. After a failed open or any commit
 * nothing needs to be released; file_stream_abort() gives up what was written. */
struct file_stream {
  FILE *to;
  char *path, *temp; /* temp NULL: written directly */
  int slot;
};
bool file_stream_open(struct file_stream *s, const char *path, struct error *err);
bool file_stream_commit(struct file_stream *s, struct error *err);
void file_stream_abort(struct file_stream *s);
/* Makes a folder, and those it lies in, where they are not there. EXIT_RUNTIME with path and reason. */
bool file_make_folder(const char *path, struct error *err);
/* Flushes standard output and reports what failed there since the start. */
bool file_flush_stdout(struct error *err);

/* Removes the temporaries of writes in progress: for a program that is about to end early. */
void file_remove_temporaries(void);

#endif
