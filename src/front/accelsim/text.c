#include "front/accelsim/text.h"
#include "base/mem.h"
#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROOM = 1 << 18, MOST_LINE = 1 << 16, PACKED = 1 << 16 };
/* The largest dictionary of xz's presets (-9) takes 65 MiB. */
#define UNPACK_MEMORY (UINT64_C(80) << 20)

struct text {
  char *path;
  FILE *f;
  bool packed, ended;
  lzma_stream xz;
  uint8_t *in;
  char *buffer; /* bytes from `at` to `end` are not yet handed out */
  size_t at, end;
  uint64_t line, consumed, unpacked;
};

struct text *text_open(const char *path, struct error *err) {
  FILE *f = fopen(path, "rb");
  struct stat st;
  if (!f || fstat(fileno(f), &st) != 0 || S_ISDIR(st.st_mode)) {
    error_set(err, EXIT_USAGE, "%s: %s", path, f && S_ISDIR(st.st_mode) ? strerror(EISDIR) : strerror(errno));
    if (f)
      fclose(f);
    return NULL;
  }
  struct text *t = xcalloc(1, sizeof *t);
  t->path = xstrdup(path);
  t->f = f;
  t->buffer = xmalloc(ROOM + 1);
  size_t n = strlen(path);
  t->packed = n > 3 && strcmp(path + n - 3, ".xz") == 0;
  if (t->packed) {
    t->in = xmalloc(PACKED);
    if (lzma_stream_decoder(&t->xz, UNPACK_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
      panic("xz's decoder cannot be set up");
  }
  return t;
}

void text_close(struct text *t) {
  if (!t)
    return;
  if (t->packed)
    lzma_end(&t->xz);
  fclose(t->f);
  free(t->path), free(t->in), free(t->buffer);
  free(t);
}

uint64_t text_number(const struct text *t) {
  return t->line;
}
uint64_t text_consumed(const struct text *t) {
  return t->consumed;
}
uint64_t text_unpacked(const struct text *t) {
  return t->unpacked;
}
const char *text_path(const struct text *t) {
  return t->path;
}

bool text_error(const struct text *t, struct error *err, const char *format, ...) {
  char what[400];
  va_list ap;
  va_start(ap, format);
  vsnprintf(what, sizeof what, format, ap);
  va_end(ap);
  return error_set(err, EXIT_USAGE, "%s:%llu: %s", t->path, (unsigned long long)t->line, what);
}

static const char *why(lzma_ret r) {
  return r == LZMA_MEMLIMIT_ERROR  ? "its dictionary is too large"
         : r == LZMA_FORMAT_ERROR  ? "not packed by xz"
         : r == LZMA_BUF_ERROR     ? "cut off"
         : r == LZMA_OPTIONS_ERROR ? "packed in a way that is not known"
                                   : "the packed data is damaged";
}

/* Up to n bytes; 0: no more; -1: failed. */
static long read_plain(struct text *t, void *to, size_t n, struct error *err) {
  size_t got = fread(to, 1, n, t->f);
  if (!got && ferror(t->f)) {
    error_set(err, EXIT_USAGE, "%s: %s", t->path, strerror(errno));
    return -1;
  }
  t->consumed += got;
  return (long)got;
}

static long read_packed(struct text *t, char *to, size_t n, struct error *err) {
  t->xz.next_out = (uint8_t *)to;
  t->xz.avail_out = n;
  while (t->xz.avail_out == n) {
    bool end = false;
    if (!t->xz.avail_in) {
      long got = read_plain(t, t->in, PACKED, err);
      if (got < 0)
        return -1;
      t->xz.next_in = t->in;
      t->xz.avail_in = (size_t)got;
      end = !got;
    }
    lzma_ret r = lzma_code(&t->xz, end ? LZMA_FINISH : LZMA_RUN);
    if (r == LZMA_STREAM_END)
      break;
    if (r != LZMA_OK) {
      text_error(t, err, "%s", why(r));
      return -1;
    }
  }
  return (long)(n - t->xz.avail_out);
}

/* More bytes behind those that are there. */
static bool fill(struct text *t, struct error *err) {
  memmove(t->buffer, t->buffer + t->at, t->end - t->at);
  t->end -= t->at;
  t->at = 0;
  long got = t->packed ? read_packed(t, t->buffer + t->end, ROOM - t->end, err)
                       : read_plain(t, t->buffer + t->end, ROOM - t->end, err);
  if (got < 0)
    return false;
  t->ended = !got;
  t->unpacked += (uint64_t)got;
  t->end += (size_t)got;
  t->buffer[t->end] = '\0';
  return true;
}

static int too_long(struct text *t, struct error *err) {
  text_error(t, err, "a line of more than %d bytes: not a trace", MOST_LINE);
  return -1;
}

int text_line(struct text *t, const char **line, size_t *n, struct error *err) {
  char *newline;
  t->line++;
  while (!(newline = memchr(t->buffer + t->at, '\n', t->end - t->at)) && !t->ended) {
    if (t->end - t->at > MOST_LINE)
      return too_long(t, err);
    if (!fill(t, err))
      return -1;
  }
  if (!newline && t->at == t->end)
    return 0;
  *line = t->buffer + t->at;
  *n = newline ? (size_t)(newline - *line) : t->end - t->at;
  if (*n > MOST_LINE)
    return too_long(t, err);
  if (memchr(*line, '\0', *n)) {
    text_error(t, err, "a zero byte: not a trace");
    return -1;
  }
  t->at += *n + (newline ? 1 : 0);
  if (*n && (*line)[*n - 1] == '\r')
    --*n;
  return 1;
}
