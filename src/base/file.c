#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Temporaries that exist right now. The one piece of process-wide state: an interrupt ends the whole
 * process, whichever part of it was writing. */
enum { MAX_TEMPORARIES = 16 };
static struct {
  pthread_mutex_t lock;
  const char *path[MAX_TEMPORARIES];
  unsigned serial;
} temporaries = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The write cannot go on, nor can who began it. */
static void temporary_end(void *name) {
  pthread_mutex_lock(&temporaries.lock);
  for (int i = 0; i < MAX_TEMPORARIES; i++)
    if (temporaries.path[i] == name) {
      unlink(name);
      temporaries.path[i] = NULL;
    }
  pthread_mutex_unlock(&temporaries.lock);
}

/* Names the temporary and enters it; NULL if too many writes are in progress. */
static char *temporary_new(const char *target, int *slot) {
  size_t n = strlen(target) + 40;
  char *name = xmalloc(n);
  pthread_mutex_lock(&temporaries.lock);
  snprintf(name, n, "%s.tmp-%ld-%u", target, (long)getpid(), temporaries.serial++);
  for (*slot = 0; *slot < MAX_TEMPORARIES && temporaries.path[*slot];)
    ++*slot;
  if (*slot < MAX_TEMPORARIES)
    temporaries.path[*slot] = name;
  pthread_mutex_unlock(&temporaries.lock);
  if (*slot < MAX_TEMPORARIES) {
    pool_ends(temporary_end, name);
    return name;
  }
  free(name);
  return NULL;
}

static void temporary_forget(char *name, int slot) {
  pool_ended(name);
  pthread_mutex_lock(&temporaries.lock);
  temporaries.path[slot] = NULL;
  pthread_mutex_unlock(&temporaries.lock);
  free(name);
}

void file_remove_temporaries(void) {
  pthread_mutex_lock(&temporaries.lock);
  for (int i = 0; i < MAX_TEMPORARIES; i++)
    if (temporaries.path[i])
      unlink(temporaries.path[i]);
  /* The lock is kept: no write may complete after this. */
}

static bool failed(struct error *err, const char *path) {
  return error_set(err, EXIT_RUNTIME, "%s: cannot write: %s", path, strerror(errno));
}

static bool write_all(int fd, const char *data, size_t n) {
  while (n) {
    ssize_t w = write(fd, data, n);
    if (w < 0 && errno == EINTR)
      continue;
    if (w <= 0) {
      if (w == 0)
        errno = ENOSPC;
      return false;
    }
    data += w;
    n -= (size_t)w;
  }
  return true;
}

static bool write_direct(const char *path, const void *data, size_t n, struct error *err) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return failed(err, path);
  bool ok = write_all(fd, data, n);
  if (!ok)
    failed(err, path);
  if (close(fd) != 0 && ok)
    ok = failed(err, path);
  return ok;
}

static bool write_temporary(const char *path, const char *temp, mode_t mode, const void *data, size_t n) {
  int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0)
    return false;
  bool ok = write_all(fd, data, n) && fsync(fd) == 0;
  int why = errno;
  if (close(fd) != 0 && ok) {
    ok = false;
    why = errno;
  }
  if (ok && rename(temp, path) != 0) {
    ok = false;
    why = errno;
  }
  if (!ok)
    unlink(temp);
  errno = why;
  return ok;
}

bool file_write_atomic(const char *path, const void *data, size_t n, struct error *err) {
  if (strcmp(path, "-") == 0) {
    if (n && fwrite(data, 1, n, stdout) != n)
      return failed(err, "standard output");
    return file_flush_stdout(err);
  }
  struct stat st;
  mode_t mode = 0666;
  bool exists = stat(path, &st) == 0;
  if (exists && S_ISDIR(st.st_mode)) {
    errno = EISDIR;
    return failed(err, path);
  }
  if (exists && !S_ISREG(st.st_mode))
    return write_direct(path, data, n, err);
  if (exists)
    mode = st.st_mode & 0777;
  /* A link keeps pointing: what it points at is replaced. */
  char *real = exists ? realpath(path, NULL) : NULL;
  int slot;
  char *temp = temporary_new(real ? real : path, &slot);
  if (!temp) {
    free(real);
    return error_set(err, EXIT_RUNTIME, "%s: cannot write: too many files are being written", path);
  }
  bool ok = write_temporary(real ? real : path, temp, mode, data, n);
  if (!ok)
    failed(err, path);
  temporary_forget(temp, slot);
  free(real);
  return ok;
}

bool file_stream_open(struct file_stream *s, const char *path, struct error *err) {
  struct stat st;
  *s = (struct file_stream){0};
  if (strcmp(path, "-") == 0) {
    s->to = stdout;
  } else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
    s->to = pool_file(fopen(path, "w"));
  } else {
    s->temp = temporary_new(path, &s->slot);
    s->to = s->temp ? pool_file(fopen(s->temp, "wx")) : NULL;
  }
  if (s->to) {
    s->path = xstrdup(path);
    return true;
  }
  failed(err, path);
  if (s->temp)
    temporary_forget(s->temp, s->slot);
  return false;
}

bool file_stream_commit(struct file_stream *s, struct error *err) {
  bool ok = fflush(s->to) == 0 && !ferror(s->to) && (!s->temp || fsync(fileno(s->to)) == 0);
  if (s->to != stdout && pool_fclose(s->to) != 0)
    ok = false;
  if (ok && s->temp && rename(s->temp, s->path) != 0)
    ok = false;
  if (!ok)
    failed(err, s->path);
  if (!ok && s->temp)
    unlink(s->temp);
  if (s->temp)
    temporary_forget(s->temp, s->slot);
  free(s->path);
  return ok;
}

void file_stream_abort(struct file_stream *s) {
  if (s->to != stdout)
    pool_fclose(s->to);
  if (s->temp) {
    unlink(s->temp);
    temporary_forget(s->temp, s->slot);
  }
  free(s->path);
}

bool file_flush_stdout(struct error *err) {
  if (fflush(stdout) != 0)
    return failed(err, "standard output");
  if (ferror(stdout))
    return error_set(err, EXIT_RUNTIME, "standard output: cannot write");
  return true;
}

static bool unreadable(struct error *err, const char *path) {
  return error_set(err, EXIT_USAGE, "%s: cannot read: %s", path, strerror(errno));
}

char *file_read(const char *path, uint64_t max, size_t *n, struct error *err) {
  FILE *f = pool_file(fopen(path, "rb"));
  if (!f) {
    unreadable(err, path);
    return NULL;
  }
  struct stat st;
  size_t cap = 65536, have = 0;
  if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size <= max)
    cap = (size_t)st.st_size + 2; /* one byte more than there is, so that the end is seen at once */
  char *data = xmalloc(cap);
  for (size_t got; (got = fread(data + have, 1, cap - 1 - have, f)) > 0;) {
    have += got;
    if (have > max)
      break;
    if (have == cap - 1)
      data = xrealloc(data, cap *= 2);
  }
  bool bad = ferror(f) != 0;
  if (bad)
    unreadable(err, path);
  else if (have > max)
    error_set(err, EXIT_USAGE, "%s: larger than the %llu bytes allowed", path, (unsigned long long)max);
  pool_fclose(f);
  if (bad || have > max) {
    free(data);
    return NULL;
  }
  data[have] = '\0';
  *n = have;
  return data;
}

bool file_make_folder(const char *path, struct error *err) {
  size_t n = strlen(path);
  char *part = xmalloc(n + 1);
  memcpy(part, path, n + 1);
  bool ok = n || error_set(err, EXIT_RUNTIME, "a folder without a name cannot be made");
  for (size_t i = 1; ok && i <= n; i++) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    part[i] = '\0';
    ok = mkdir(part, 0777) == 0 || errno == EEXIST ||
         error_set(err, EXIT_RUNTIME, "%s: cannot make the folder: %s", part, strerror(errno));
    part[i] = path[i];
  }
  free(part);
  return ok;
}
