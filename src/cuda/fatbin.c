#include "cuda/fatbin.h"
#include "base/mem.h"
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { KIND_PTX = 1, KIND_MACHINE = 2, HEADER = 16, ENTRY_LEAST = 64 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
#define MOST_PTX ((size_t)1 << 30) /* bytes: a length beyond is no length */

static uint16_t get16(const uint8_t *p) {
  return (uint16_t)(p[0] | p[1] << 8);
}
static uint32_t get32(const uint8_t *p) {
  return get16(p) | (uint32_t)get16(p + 2) << 16;
}
static uint64_t get64(const uint8_t *p) {
  return get32(p) | (uint64_t)get32(p + 4) << 32;
}

size_t fatbin_bytes(const void *fat) {
  const uint8_t *p = fat;
  if (get32(p) != FATBIN_MAGIC || get16(p + 4) != 1 || get16(p + 6) < HEADER)
    return 0;
  uint64_t body = get64(p + 8);
  return body > SIZE_MAX / 2 ? 0 : get16(p + 6) + (size_t)body;
}

int fatbin_next(const uint8_t *fat, size_t n, size_t *at, struct fatbin_entry *e, struct error *err) {
  if (!*at) {
    if (n < HEADER || fatbin_bytes(fat) == 0 || fatbin_bytes(fat) > n)
      return error_set(err, EXIT_USAGE, "no fat binary: its header is broken"), -1;
    *at = get16(fat + 6);
  }
  n = fatbin_bytes(fat);
  if (*at >= n)
    return 0;
  const uint8_t *p = fat + *at;
  size_t left = n - *at;
  if (left < ENTRY_LEAST || get32(p + 4) < ENTRY_LEAST || get32(p + 4) > left ||
      get64(p + 8) > left - get32(p + 4))
    return error_set(err, EXIT_USAGE, "fat binary: the entry at byte %zu reaches beyond the end", *at), -1;
  uint32_t header = get32(p + 4), packed = get32(p + 16);
  uint64_t payload = get64(p + 8);
  *e = (struct fatbin_entry){.ptx = get16(p) == KIND_PTX,
                             .lto = get16(p) != KIND_PTX && get16(p) != KIND_MACHINE,
                             .arch = get32(p + 28),
                             .flags = get64(p + 40),
                             .payload = p + header,
                             .bytes = (size_t)payload};
  if (e->flags & (FLAG_LZ4 | FLAG_ZSTD)) {
    uint64_t unpacked = get64(p + 56);
    if (packed > payload || !unpacked || unpacked > MOST_PTX)
      return error_set(err, EXIT_USAGE, "fat binary: the entry at byte %zu has impossible sizes", *at), -1;
    e->bytes = packed;
    e->unpacked = (size_t)unpacked;
  }
  *at += header + (size_t)payload;
  return 1;
}

char *fatbin_unpack(const struct fatbin_entry *e, size_t *n, struct error *err) {
  if (!e->unpacked) {
    const uint8_t *end = memchr(e->payload, 0, e->bytes);
    *n = end ? (size_t)(end - e->payload) : e->bytes;
    return xstrndup((const char *)e->payload, *n);
  }
  char *to = xmalloc(e->unpacked + 1);
  bool ok;
  if (e->flags & FLAG_LZ4) {
    int got = LZ4_decompress_safe((const char *)e->payload, to, (int)e->bytes, (int)e->unpacked);
    ok = got >= 0 && (size_t)got == e->unpacked;
  } else {
    size_t got = ZSTD_decompress(to, e->unpacked, e->payload, e->bytes);
    ok = !ZSTD_isError(got) && got == e->unpacked;
  }
  if (!ok) {
    free(to);
    error_set(err, EXIT_USAGE, "fat binary: the %s-compressed PTX for sm_%u is damaged",
              e->flags & FLAG_LZ4 ? "LZ4" : "zstd", e->arch);
    return NULL;
  }
  to[e->unpacked] = '\0';
  *n = strlen(to);
  return to;
}

/* Whether PTX for `arch` suits better than what was found before. */
static bool better(unsigned arch, unsigned than, unsigned capability) {
  if (!than)
    return true;
  if (!capability)
    return arch > than;
  bool can = arch <= capability, could = than <= capability;
  return can != could ? can : can ? arch > than : arch < than;
}

bool fatbin_choose(const uint8_t *fat, size_t n, unsigned capability, struct fatbin_entry *e,
                   unsigned *machine, struct error *err) {
  struct fatbin_entry one;
  bool found = false;
  int more;
  *machine = 0;
  for (size_t at = 0; (more = fatbin_next(fat, n, &at, &one, err)) > 0;) {
    if (!one.ptx)
      *machine = one.arch;
    else if (!found || better(one.arch, e->arch, capability)) {
      found = true;
      *e = one;
    }
  }
  return found && more == 0;
}
