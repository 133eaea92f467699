#include "lab/streams.h"
#include "base/cachedir.h"
#include "base/file.h"
#include "front/trace/trace.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

char *lab_streams_default(void) {
  struct strbuf path = {0};
  if (cachedir_find("streams", &path))
    return strbuf_take(&path);
  strbuf_free(&path);
  return NULL;
}

void lab_streams_path(const struct lab_streams *c, const char *id, struct strbuf *to) {
  strbuf_addf(to, "%s/%s.stream", c->folder, id);
}

bool lab_streams_has(const struct lab_streams *c, const char *id) {
  if (!c->folder)
    return false;
  struct strbuf path = {0};
  lab_streams_path(c, id, &path);
  bool there = access(path.s, R_OK) == 0;
  strbuf_free(&path);
  return there;
}

/* Reads the whole of a stream as a run would. */
static bool intact(const char *path) {
  struct error err = {0};
  struct trace_reader *t = trace_open(path, &err);
  struct trace_head h = {0};
  if (t)
    h = trace_head(t);
  for (size_t i = 0; !err.code && i < h.launches; i++) {
    struct exec *x = trace_exec(t, i);
    struct sluice_segment s;
    while (exec_next(x, &s, &err) > 0)
      continue;
    exec_close(x);
  }
  trace_free(t);
  bool ok = !err.code;
  error_clear(&err);
  return ok;
}

/* The file that is locked goes when the stream is there; one who still waits for it finds the stream. */
bool lab_streams_need(const struct lab_streams *c, const char *id,
                      bool (*record)(void *ctx, const char *path), void *ctx) {
  struct strbuf path = {0}, lock = {0};
  struct error ignored = {0}; /* that there is no folder shows when the stream is written */
  file_make_folder(c->folder, &ignored);
  error_clear(&ignored);
  lab_streams_path(c, id, &path);
  bool ok = access(path.s, R_OK) == 0;
  if (!ok) {
    strbuf_addf(&lock, "%s/%s.lock", c->folder, id);
    int fd = open(lock.s, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0 && flock(fd, LOCK_EX) == 0) {
      ok = access(path.s, R_OK) == 0 || record(ctx, path.s);
      unlink(lock.s);
      if (ok)
        cachedir_shrink(c->folder, c->limit);
    }
    if (fd >= 0)
      close(fd);
  }
  if (ok)
    cachedir_touch(path.s);
  strbuf_free(&path), strbuf_free(&lock);
  return ok;
}

bool lab_streams_damaged(const struct lab_streams *c, const char *id) {
  struct strbuf path = {0};
  lab_streams_path(c, id, &path);
  bool damaged = !intact(path.s);
  if (damaged)
    unlink(path.s);
  strbuf_free(&path);
  return damaged;
}
