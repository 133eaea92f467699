/* Bytes of a block: numbers of variable length (seven bits a byte, least first), strings, columns.
 *
 *   column   0                     every value is zero
 *            1 v                   every value is v
 *            2 v v v …             a value each */
#ifndef SLUICE_TIMELINE_BUFFER_H
#define SLUICE_TIMELINE_BUFFER_H

#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tl_out {
  uint8_t *at;
  size_t n, cap;
};
void tl_put(struct tl_out *b, uint64_t v);
/* Several, where room was made: n numbers of which `v` NULL only makes room. */
void tl_put_numbers(struct tl_out *b, const uint64_t *v, size_t n);
/* A difference as a small number whatever its sign. */
static inline uint64_t tl_signed(uint64_t d) {
  return d << 1 ^ (uint64_t)((int64_t)d >> 63);
}
static inline uint64_t tl_unsigned(uint64_t v) {
  return v >> 1 ^ (~(v & 1) + 1);
}
void tl_put_string(struct tl_out *b, const char *s, size_t n);
/* `stride`: from a value to the next, in numbers. */
void tl_put_column(struct tl_out *b, const uint64_t *v, size_t n, size_t stride);
void tl_out_free(struct tl_out *b);

/* What is read beyond the end, or is not a number, is 0 and sets `bad`. */
struct tl_in {
  const uint8_t *at, *end;
  bool bad;
};
uint64_t tl_get(struct tl_in *b);
uint64_t tl_get_most(struct tl_in *b, uint64_t most); /* more than that is bad */
char *tl_get_string(struct tl_in *b);                 /* never NULL; the caller frees */
void tl_get_column(struct tl_in *b, uint64_t *v, size_t n);

#endif
