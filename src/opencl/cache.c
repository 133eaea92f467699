/* Compiled programs on disk. A file appears whole (file_write_atomic), so that processes may share the folder; its
 * name is a hash of all that went in, so that it never needs to be brought up to date. Reading marks it as used;
 * beyond the limit those unused for longest go. */
#include "base/cachedir.h"
#include "base/file.h"
#include "base/mem.h"
#include "opencl/compiler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_MB = 256, MAX_FILE = 256 << 20 };

/* SLUICE_CACHE_MB: the limit; 0 switches the cache off. */
static uint64_t limit_bytes(void) {
  const char *s = getenv("SLUICE_CACHE_MB");
  char *end;
  unsigned long mb = s && *s ? strtoul(s, &end, 10) : DEFAULT_MB;
  return (s && *s && *end ? DEFAULT_MB : (uint64_t)mb) << 20;
}

char *cache_path(const char *key) {
  struct strbuf path = {0};
  if (limit_bytes() && cachedir_find("opencl", &path)) {
    strbuf_addf(&path, "/%s", key);
    return strbuf_take(&path);
  }
  strbuf_free(&path);
  return NULL;
}

char *cache_read(const char *key, size_t *n) {
  char *path = cache_path(key), *data = NULL;
  struct error ignored = {0};
  if (path && access(path, R_OK) == 0)
    data = file_read(path, MAX_FILE, n, &ignored);
  if (data)
    cachedir_touch(path);
  error_clear(&ignored);
  free(path);
  return data;
}

/* A cache that cannot be written is slower, not an error. */
void cache_write(const char *key, const void *data, size_t n) {
  struct strbuf path = {0};
  uint64_t limit = limit_bytes();
  if (limit && n <= limit && cachedir_find("opencl", &path)) {
    cachedir_shrink(strbuf_str(&path), limit - n);
    strbuf_addf(&path, "/%s", key);
    struct error ignored = {0};
    file_write_atomic(strbuf_str(&path), data, n, &ignored);
    error_clear(&ignored);
  }
  strbuf_free(&path);
}
