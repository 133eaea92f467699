/* A growing string. `s` is always terminated once something was added; NULL before. */
#ifndef SLUICE_BASE_STRBUF_H
#define SLUICE_BASE_STRBUF_H

#include "base/error.h"
#include <stddef.h>

struct strbuf {
  char *s;
  size_t n, cap;
};

void strbuf_add(struct strbuf *b, const char *s);
void strbuf_addn(struct strbuf *b, const char *s, size_t n);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
const char *strbuf_str(const struct strbuf *b); /* never NULL */
char *strbuf_take(struct strbuf *b);            /* the caller frees; the buffer is empty again */
void strbuf_free(struct strbuf *b);

#endif
