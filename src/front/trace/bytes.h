/* Numbers and texts into bytes and back; reading past the end gives zeros and is remembered. */
#ifndef SLUICE_FRONT_TRACE_BYTES_H
#define SLUICE_FRONT_TRACE_BYTES_H

#include "base/mem.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  CHUNK_MEMORY = 1,
  CHUNK_LAUNCH,
  CHUNK_SEGMENTS,
  CHUNK_END,
  CHUNK_BLOCKS,
  CHUNK_INDEX,
  CHUNK_LIMIT = 1 << 26, /* bytes of one, unpacked */
  CHUNK_TARGET = 1 << 20,
};
#define TRACE_MAGIC "SLUICEST"

static inline void put_u32(struct strbuf *b, uint32_t v) {
  char c[4];
  memcpy(c, &v, 4);
  strbuf_addn(b, c, 4);
}
static inline void put_u64(struct strbuf *b, uint64_t v) {
  char c[8];
  memcpy(c, &v, 8);
  strbuf_addn(b, c, 8);
}
static inline void put_text(struct strbuf *b, const char *s) {
  put_u32(b, (uint32_t)strlen(s));
  strbuf_addn(b, s, strlen(s));
}

struct bytes {
  const uint8_t *p;
  size_t n;
  bool bad;
};
static inline bool take(struct bytes *b, void *to, size_t n) {
  if (b->bad || b->n < n) {
    b->bad = true;
    memset(to, 0, n);
    return false;
  }
  memcpy(to, b->p, n);
  b->p += n, b->n -= n;
  return true;
}
static inline uint32_t get_u32(struct bytes *b) {
  uint32_t v;
  take(b, &v, 4);
  return v;
}
static inline uint64_t get_u64(struct bytes *b) {
  uint64_t v;
  take(b, &v, 8);
  return v;
}
static inline char *get_text(struct bytes *b) {
  uint32_t n = get_u32(b);
  if (b->bad || n > b->n || n > 65536) {
    b->bad = true;
    return xstrdup("");
  }
  char *s = xstrndup((const char *)b->p, n);
  b->p += n, b->n -= n;
  return s;
}

#endif
