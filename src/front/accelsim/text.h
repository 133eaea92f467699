/* Lines of a text file, plain or packed by xz, read in pieces: memory does not grow with the file. */
#ifndef SLUICE_FRONT_ACCELSIM_TEXT_H
#define SLUICE_FRONT_ACCELSIM_TEXT_H

#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

struct text;
struct text *text_open(const char *path, struct error *err); /* .xz: packed */
void text_close(struct text *t);
/* 1: a line of n bytes without its end, valid until the next call, and followed by a newline or NUL; 0: no more;
 * -1: failed. */
int text_line(struct text *t, const char **line, size_t *n, struct error *err);
uint64_t text_number(const struct text *t);   /* of that line, from 1 */
uint64_t text_consumed(const struct text *t); /* bytes of the file */
uint64_t text_unpacked(const struct text *t); /* bytes of text */
const char *text_path(const struct text *t);
/* Fills err with file, line and what is wrong there; false. */
bool text_error(const struct text *t, struct error *err, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
