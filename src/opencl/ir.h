/* Lines of LLVM's intermediate text: taking them apart (ir.c), and putting them out with what LLVM 16 and libclc get
 * wrong set right (ir_repair.c). */
#ifndef SLUICE_OPENCL_IR_H
#define SLUICE_OPENCL_IR_H

#include "base/strbuf.h"
#include <ctype.h>
#include <string.h>

static inline bool starts(const char *s, const char *end, const char *with) {
  size_t n = strlen(with);
  return (size_t)(end - s) >= n && memcmp(s, with, n) == 0;
}

static inline const char *line_end(const char *s, const char *end) {
  const char *nl = memchr(s, '\n', (size_t)(end - s));
  return nl ? nl + 1 : end;
}

/* The name after '@' or '%': plain or in quotation marks, which belong to it. */
static inline size_t name_length(const char *s, const char *end) {
  if (s < end && *s == '"') {
    const char *q = memchr(s + 1, '"', (size_t)(end - s - 1));
    return q ? (size_t)(q + 1 - s) : 0;
  }
  const char *p = s;
  while (p < end && (isalnum((unsigned char)*p) || strchr("-$._", *p)))
    p++;
  return (size_t)(p - s);
}

/* A type "%name = type …", a variable "@name = …", a function: whole lines from s to end. */
void ir_put_type(struct strbuf *out, const char *s, const char *end);
void ir_put_variable(struct strbuf *out, const char *s, const char *end);
void ir_put_function(struct strbuf *out, const char *s, const char *end, unsigned *serial);

#endif
