/* Text traces: read in large pieces, parsed in place, one pass over the bytes. */
#include "dram/trace.h"
#include "base/mem.h"
#include "dram/trace_gen.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20, MAX_LINE = 4096 };

struct dram_trace {
  char *name;
  struct dram_gen *gen; /* or text: */
  int fd;
  char *piece;          /* owned buffer; NULL when the text is the caller's */
  const char *at, *end; /* what is read and not parsed */
  bool all;             /* nothing follows `end` */
  uint64_t line, bytes, size;
  enum dram_trace_format format;
  uint32_t transaction;
};

const char *const dram_trace_format_names[DRAM_TRACE_FORMAT_COUNT + 1] = {
#define X(id, name, help) name,
    DRAM_TRACE_FORMATS(X)
#undef X
};
static const char *const shapes[DRAM_TRACE_FORMAT_COUNT] = {
#define X(id, name, help) help,
    DRAM_TRACE_FORMATS(X)
#undef X
};

bool dram_trace_format_parse(enum dram_trace_format *f, const char *name, struct error *err) {
  for (int i = 0; i < DRAM_TRACE_FORMAT_COUNT; i++)
    if (strcmp(name, dram_trace_format_names[i]) == 0) {
      *f = (enum dram_trace_format)i;
      return true;
    }
  const char *near = nearest_match(name, dram_trace_format_names, DRAM_TRACE_FORMAT_COUNT);
  return error_set(err, EXIT_USAGE,
                   "no trace format '%.60s' (allowed: auto, block, bytes, dramsim3, ramulator)%s%s%s", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* One line while it is parsed: the first mistake ends it. */
struct line {
  const char *at, *end;
  const char *what; /* the mistake */
  const char *word; /* where it stands */
};

static bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct line *l) {
  while (l->at < l->end && blank(*l->at))
    l->at++;
}

static bool wrong(struct line *l, const char *word, const char *what) {
  l->word = word;
  l->what = what;
  return false;
}

static bool ends_word(const struct line *l) {
  return l->at == l->end || blank(*l->at);
}

static bool decimal(struct line *l, uint64_t *out) {
  const char *word = l->at;
  uint64_t v = 0;
  for (; l->at < l->end && *l->at >= '0' && *l->at <= '9'; l->at++) {
    uint64_t digit = (uint64_t)(*l->at - '0');
    if (v > (UINT64_MAX - digit) / 10)
      return wrong(l, word, "more than 64 bits");
    v = v * 10 + digit;
  }
  if (l->at == word || !ends_word(l))
    return wrong(l, word, "not a decimal number");
  *out = v;
  return true;
}

static bool starts_hex(const struct line *l) {
  return l->end - l->at > 2 && l->at[0] == '0' && (l->at[1] | 32) == 'x';
}

static bool hexadecimal(struct line *l, uint64_t *out) {
  const char *word = l->at;
  uint64_t v = 0;
  if (!starts_hex(l))
    return wrong(l, word, "not a hexadecimal number with 0x");
  for (l->at += 2; l->at < l->end; l->at++) {
    unsigned c = (unsigned char)*l->at, digit;
    if (c - '0' < 10)
      digit = c - '0';
    else if ((c | 32) - 'a' < 6)
      digit = (c | 32) - 'a' + 10;
    else
      break;
    if (v >> 60)
      return wrong(l, word, "more than 64 bits");
    v = v << 4 | digit;
  }
  if (l->at == word + 2 || !ends_word(l))
    return wrong(l, word, "not a hexadecimal number");
  *out = v;
  return true;
}

static bool number(struct line *l, uint64_t *out) {
  return starts_hex(l) ? hexadecimal(l, out) : decimal(l, out);
}

/* Whether the next word is `upper`, in either case; if so it is taken. */
static bool take_word(struct line *l, const char *upper) {
  const char *p = l->at;
  while (*upper && p < l->end && (*p & ~32) == *upper)
    p++, upper++;
  if (*upper || (p < l->end && !blank(*p)))
    return false;
  l->at = p;
  return true;
}

static bool kind(struct line *l, const char *read, const char *write, bool *out, const char *else_what) {
  skip_blanks(l);
  if (take_word(l, read))
    *out = false;
  else if (take_word(l, write))
    *out = true;
  else
    return wrong(l, l->at, else_what);
  return true;
}

/* What follows the kind: a cycle, and a mask where the form has one. */
static bool rest(struct line *l, struct dram_trace_request *r, bool cycle, bool mask) {
  skip_blanks(l);
  if (cycle && l->at < l->end) {
    if (!decimal(l, &r->cycle))
      return false;
    skip_blanks(l);
  }
  if (mask && l->at < l->end) {
    const char *word = l->at;
    if (!hexadecimal(l, &r->mask))
      return false;
    if (!r->write || !r->mask)
      return wrong(l, word, r->write ? "a mask of no bytes" : "a mask on a read");
    skip_blanks(l);
  }
  return l->at == l->end || wrong(l, l->at, "more than a request");
}

static bool parse_request(const struct dram_trace *t, struct line *l, struct dram_trace_request *r) {
  const char *word = l->at;
  *r = (struct dram_trace_request){0};
  switch (t->format) {
  case DRAM_TRACE_BLOCK:
    if (!decimal(l, &r->address))
      return false;
    if (r->address > UINT64_MAX / t->transaction)
      return wrong(l, word, "beyond 64 bits of address");
    r->address *= t->transaction;
    return kind(l, "R", "W", &r->write, "neither R nor W") && rest(l, r, true, false);
  case DRAM_TRACE_BYTES:
    return hexadecimal(l, &r->address) && kind(l, "R", "W", &r->write, "neither R nor W") &&
           rest(l, r, true, true);
  case DRAM_TRACE_DRAMSIM3:
    return hexadecimal(l, &r->address) && kind(l, "READ", "WRITE", &r->write, "neither READ nor WRITE") &&
           rest(l, r, true, false);
  default:
    if (starts_hex(l))
      return hexadecimal(l, &r->address) && kind(l, "R", "W", &r->write, "neither R nor W") &&
             rest(l, r, false, false);
    if (!kind(l, "LD", "ST", &r->write, "neither LD, ST nor 0x..."))
      return false;
    skip_blanks(l);
    return number(l, &r->address) && rest(l, r, false, false);
  }
}

/* By the first word, and for addresses the second. */
static enum dram_trace_format detect(struct line l) {
  bool write;
  if (starts_hex(&l)) {
    while (!ends_word(&l))
      l.at++;
    return kind(&l, "READ", "WRITE", &write, "") ? DRAM_TRACE_DRAMSIM3 : DRAM_TRACE_BYTES;
  }
  if (take_word(&l, "LD") || take_word(&l, "ST"))
    return DRAM_TRACE_RAMULATOR;
  return DRAM_TRACE_BLOCK;
}

static bool at_line(const struct dram_trace *t, const struct line *l, struct error *err) {
  int n = (int)(l->end - l->word);
  for (int i = 0; i < n; i++)
    if (blank(l->word[i]))
      n = i;
  if (n > 40)
    n = 40;
  char shown[41];
  for (int i = 0; i < n; i++)
    shown[i] = l->word[i];
  for (int i = 0; i < n; i++)
    if ((unsigned char)shown[i] < 32 || (unsigned char)shown[i] > 126)
      shown[i] = '?';
  shown[n] = 0;
  return error_set(err, EXIT_USAGE, "%s:%" PRIu64 ": %s%s%s: %s (expected: %s)", t->name, t->line,
                   n ? "'" : "", n ? shown : "the line ends here", n ? "'" : "", l->what, shapes[t->format]);
}

/* Moves what is left to the front and reads more behind it. */
static bool refill(struct dram_trace *t, struct error *err) {
  size_t left = (size_t)(t->end - t->at);
  memmove(t->piece, t->at, left);
  t->at = t->piece;
  ssize_t got;
  do
    got = read(t->fd, t->piece + left, PIECE);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return error_set(err, EXIT_USAGE, "%s: cannot read: %s", t->name, strerror(errno));
  t->all = got == 0;
  t->end = t->piece + left + (size_t)got;
  t->bytes += (uint64_t)got;
  return true;
}

/* The next line without its end; false at the end of the text and after a mistake. */
static bool next_line(struct dram_trace *t, struct line *l, struct error *err) {
  for (;;) {
    size_t left = (size_t)(t->end - t->at);
    const char *newline = left ? memchr(t->at, '\n', left) : NULL;
    if (!newline && left > MAX_LINE)
      return error_set(err, EXIT_USAGE, "%s:%" PRIu64 ": a line of more than %d characters is no trace",
                       t->name, t->line + 1, MAX_LINE);
    if (newline || (t->all && left)) {
      l->at = t->at;
      l->end = newline ? newline : t->end;
      t->at = newline ? newline + 1 : t->end;
      t->line++;
      return true;
    }
    if (t->all || !refill(t, err))
      return false;
  }
}

size_t dram_trace_next(struct dram_trace *t, struct dram_trace_request *to, size_t max, struct error *err) {
  if (t->gen)
    return dram_gen_next(t->gen, to, max);
  size_t n = 0;
  struct line l = {0};
  while (n < max && next_line(t, &l, err)) {
    skip_blanks(&l);
    if (l.at == l.end || *l.at == '#')
      continue;
    if (t->format == DRAM_TRACE_AUTO)
      t->format = detect(l);
    if (!parse_request(t, &l, &to[n])) {
      at_line(t, &l, err);
      return 0;
    }
    n++;
  }
  return err->code ? 0 : n;
}

void dram_trace_position(const struct dram_trace *t, uint64_t *done, uint64_t *total) {
  if (t->gen) {
    dram_gen_position(t->gen, done, total);
    return;
  }
  *done = t->bytes - (uint64_t)(t->end - t->at);
  *total = t->size;
}

static struct dram_trace *trace_new(const char *name, const struct dram_trace_options *o) {
  struct dram_trace *t = xcalloc(1, sizeof *t);
  t->name = xstrdup(name);
  t->fd = -1;
  t->format = o->format;
  t->transaction = o->transaction ? o->transaction : 1;
  return t;
}

struct dram_trace *dram_trace_open_text(const char *name, const char *text, size_t n,
                                        const struct dram_trace_options *o, struct error *err) {
  (void)err;
  struct dram_trace *t = trace_new(name, o);
  t->at = text;
  t->end = text + n;
  t->all = true;
  t->bytes = t->size = n;
  return t;
}

struct dram_trace *dram_trace_open(const char *name, const struct dram_trace_options *o, struct error *err) {
  struct dram_trace *t = trace_new(name, o);
  struct stat st;
  if (strncmp(name, "gen:", 4) == 0) {
    t->gen = dram_gen_open(name + 4, t->transaction, err);
    if (t->gen)
      return t;
  } else if (strcmp(name, "-") == 0)
    t->fd = STDIN_FILENO;
  else if ((t->fd = open(name, O_RDONLY | O_CLOEXEC)) < 0)
    error_set(err, EXIT_USAGE, "%s: cannot read: %s", name, strerror(errno));
  if (t->fd < 0 || fstat(t->fd, &st) != 0) {
    dram_trace_close(t);
    return NULL;
  }
  if (S_ISDIR(st.st_mode)) {
    error_set(err, EXIT_USAGE, "%s: is a folder, not a trace", name);
    dram_trace_close(t);
    return NULL;
  }
  t->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
  t->piece = xmalloc(PIECE + MAX_LINE + 1);
  t->at = t->end = t->piece;
  return t;
}

void dram_trace_close(struct dram_trace *t) {
  if (!t)
    return;
  if (t->fd > STDIN_FILENO)
    close(t->fd);
  dram_gen_close(t->gen);
  free(t->piece);
  free(t->name);
  free(t);
}

bool dram_trace_load(const char *name, const struct dram_trace_options *o, struct dram_trace_request **out,
                     size_t *n, struct error *err) {
  struct dram_trace *t = dram_trace_open(name, o, err);
  if (!t)
    return false;
  size_t cap = 4096, have = 0, got;
  struct dram_trace_request *all = xmalloc(cap * sizeof *all);
  while ((got = dram_trace_next(t, all + have, cap - have, err))) {
    have += got;
    if (have == cap)
      all = xrealloc(all, (cap *= 2) * sizeof *all);
  }
  dram_trace_close(t);
  if (err->code) {
    free(all);
    return false;
  }
  *out = all;
  *n = have;
  return true;
}
