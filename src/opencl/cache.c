/* Compiled programs on disk. A file appears whole (file_write_atomic), so that processes may share the folder; its
 * name is a hash of all that went in, so that it never needs to be brought up to date. Reading marks it as used;
 * beyond the limit those unused for longest go. */
#include "base/file.h"
#include "base/mem.h"
#include "opencl/compiler.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_MB = 256, MAX_FILE = 256 << 20, UNFINISHED_S = 3600 };

/* SLUICE_CACHE_MB: the limit; 0 switches the cache off. */
static uint64_t limit_bytes(void) {
  const char *s = getenv("SLUICE_CACHE_MB");
  char *end;
  unsigned long mb = s && *s ? strtoul(s, &end, 10) : DEFAULT_MB;
  return (s && *s && *end ? DEFAULT_MB : (uint64_t)mb) << 20;
}

static bool folder(struct strbuf *path) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (xdg && *xdg == '/')
    strbuf_add(path, xdg);
  else if (home && *home == '/')
    strbuf_addf(path, "%s/.cache", home);
  else
    return false;
  static const char *const parts[] = {"", "/sluice", "/opencl"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    strbuf_add(path, parts[i]);
    if (mkdir(strbuf_str(path), 0700) != 0 && errno != EEXIST)
      return false;
  }
  return access(strbuf_str(path), W_OK) == 0;
}

char *cache_path(const char *key) {
  struct strbuf path = {0};
  if (limit_bytes() && folder(&path)) {
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
    utimensat(AT_FDCWD, path, NULL, 0);
  error_clear(&ignored);
  free(path);
  return data;
}

struct entry {
  char *name;
  int64_t used;
  uint64_t bytes;
};

static int by_use(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return (x->used > y->used) - (x->used < y->used);
}

/* Another process may be doing the same: what is already gone is fine. */
static void shrink(const char *path, uint64_t limit) {
  DIR *d = opendir(path);
  if (!d)
    return;
  struct entry *list = NULL;
  size_t n = 0, cap = 0;
  uint64_t total = 0;
  int64_t now = (int64_t)time(NULL);
  for (struct dirent *e; (e = readdir(d));) {
    struct stat st;
    if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
      continue;
    if (strstr(e->d_name, ".tmp-") && now - (int64_t)st.st_mtime > UNFINISHED_S) {
      unlinkat(dirfd(d), e->d_name, 0);
      continue;
    }
    total += (uint64_t)st.st_size;
    VEC_PUSH(list, n, cap) = (struct entry){
        .name = xstrdup(e->d_name), .used = (int64_t)st.st_mtime, .bytes = (uint64_t)st.st_size};
  }
  if (total > limit)
    qsort(list, n, sizeof *list, by_use);
  for (size_t i = 0; i < n; i++) {
    if (total > limit && now - list[i].used > 1 && unlinkat(dirfd(d), list[i].name, 0) == 0)
      total -= list[i].bytes;
    free(list[i].name);
  }
  free(list);
  closedir(d);
}

/* A cache that cannot be written is slower, not an error. */
void cache_write(const char *key, const void *data, size_t n) {
  struct strbuf path = {0};
  uint64_t limit = limit_bytes();
  if (limit && n <= limit && folder(&path)) {
    shrink(strbuf_str(&path), limit - n);
    strbuf_addf(&path, "/%s", key);
    struct error ignored = {0};
    file_write_atomic(strbuf_str(&path), data, n, &ignored);
    error_clear(&ignored);
  }
  strbuf_free(&path);
}
