#include "base/cachedir.h"
#include "base/file.h"
#include "base/mem.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { UNFINISHED_S = 3600 };

bool cachedir_find(const char *name, struct strbuf *path) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (xdg && *xdg == '/')
    strbuf_add(path, xdg);
  else if (home && *home == '/')
    strbuf_addf(path, "%s/.cache", home);
  else
    return false;
  const char *const parts[] = {"", "/sluice", "/"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    strbuf_addf(path, "%s%s", parts[i], i == 2 ? name : "");
    if (mkdir(strbuf_str(path), 0700) != 0 && errno != EEXIST)
      return false;
  }
  return access(strbuf_str(path), W_OK) == 0;
}

void cachedir_touch(const char *path) {
  utimensat(AT_FDCWD, path, NULL, 0);
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
void cachedir_shrink(const char *path, uint64_t limit) {
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
