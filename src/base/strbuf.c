#include "base/strbuf.h"
#include "base/mem.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct strbuf *b, size_t more) {
  if (more >= SIZE_MAX / 2 - b->n)
    panic("string of %zu + %zu bytes", b->n, more);
  size_t need = b->n + more + 1;
  if (need <= b->cap)
    return;
  size_t cap = b->cap ? b->cap : 64;
  while (cap < need)
    cap *= 2;
  b->s = xrealloc(b->s, cap);
  b->cap = cap;
}

void strbuf_addn(struct strbuf *b, const char *s, size_t n) {
  reserve(b, n);
  if (n)
    memcpy(b->s + b->n, s, n);
  b->n += n;
  b->s[b->n] = '\0';
}

void strbuf_add(struct strbuf *b, const char *s) {
  strbuf_addn(b, s, strlen(s));
}

void strbuf_addc(struct strbuf *b, char c) {
  strbuf_addn(b, &c, 1);
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  if (n > 0) {
    reserve(b, (size_t)n);
    vsnprintf(b->s + b->n, (size_t)n + 1, fmt, again);
    b->n += (size_t)n;
  }
  va_end(again);
}

const char *strbuf_str(const struct strbuf *b) {
  return b->s ? b->s : "";
}

char *strbuf_take(struct strbuf *b) {
  char *s = b->s ? b->s : xstrdup("");
  *b = (struct strbuf){0};
  return s;
}

void strbuf_free(struct strbuf *b) {
  free(b->s);
  *b = (struct strbuf){0};
}
