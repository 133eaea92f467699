#include "timeline/buffer.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

static uint8_t *room(struct tl_out *b, size_t n) {
  if (b->cap - b->n < n) {
    b->cap = b->cap * 2 > b->n + n ? b->cap * 2 : b->n + n + 256;
    b->at = xrealloc(b->at, b->cap);
  }
  return b->at + b->n;
}

static inline uint8_t *put(uint8_t *to, uint64_t v) {
  while (v >= 0x80) {
    *to++ = (uint8_t)(v | 0x80);
    v >>= 7;
  }
  *to++ = (uint8_t)v;
  return to;
}

void tl_put(struct tl_out *b, uint64_t v) {
  b->n = (size_t)(put(room(b, 10), v) - b->at);
}

void tl_put_numbers(struct tl_out *b, const uint64_t *v, size_t n) {
  uint8_t *to = v ? b->at + b->n : room(b, n * 10);
  for (size_t i = 0; v && i < n; i++)
    to = put(to, v[i]);
  b->n = (size_t)(to - b->at);
}

void tl_put_string(struct tl_out *b, const char *s, size_t n) {
  tl_put(b, n);
  if (n)
    memcpy(room(b, n), s, n);
  b->n += n;
}

void tl_put_column(struct tl_out *b, const uint64_t *v, size_t n, size_t stride) {
  size_t same = 1;
  while (same < n && v[same * stride] == v[0])
    same++;
  if (same >= n) {
    tl_put(b, n && v[0] ? 1 : 0);
    if (n && v[0])
      tl_put(b, v[0]);
    return;
  }
  tl_put(b, 2);
  uint8_t *to = room(b, n * 10);
  for (size_t i = 0; i < n; i++)
    to = put(to, v[i * stride]);
  b->n = (size_t)(to - b->at);
}

void tl_out_free(struct tl_out *b) {
  free(b->at);
  *b = (struct tl_out){0};
}

uint64_t tl_get(struct tl_in *b) {
  uint64_t v = 0;
  for (unsigned shift = 0; shift < 64 && b->at < b->end; shift += 7) {
    uint8_t c = *b->at++;
    v |= (uint64_t)(c & 0x7f) << shift;
    if (!(c & 0x80))
      return v;
  }
  b->bad = true;
  return 0;
}

uint64_t tl_get_most(struct tl_in *b, uint64_t most) {
  uint64_t v = tl_get(b);
  if (v <= most)
    return v;
  b->bad = true;
  return 0;
}

char *tl_get_string(struct tl_in *b) {
  uint64_t n = tl_get_most(b, (uint64_t)(b->end - b->at));
  if (n > (uint64_t)(b->end - b->at)) { /* less is left now: the number itself was read */
    b->bad = true;
    n = 0;
  }
  char *s = xstrndup((const char *)b->at, (size_t)n);
  b->at += n;
  return s;
}

void tl_get_column(struct tl_in *b, uint64_t *v, size_t n) {
  uint64_t how = tl_get_most(b, 2), same = how == 1 ? tl_get(b) : 0;
  for (size_t i = 0; i < n; i++)
    v[i] = how == 2 ? tl_get(b) : same;
}
