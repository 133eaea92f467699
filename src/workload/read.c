/* Graphs and matrices from files: Matrix Market, DIMACS, edge lists. Line by line; a count in the header is
 * never trusted with memory. */
#include "base/file.h"
#include "base/mem.h"
#include "workload/triplets.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_FILE (UINT64_C(1) << 36)

struct reader {
  const char *path;
  const char *at, *end;  /* what is left */
  uint64_t line;         /* of the current line, from 1 */
  const char *from, *to; /* the current line */
  struct triplets *t;
  struct error *err;
};

static bool fail(struct reader *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool fail(struct reader *r, const char *fmt, ...) {
  char message[256];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  return error_add(r->err, EXIT_USAGE, "%s:%" PRIu64 ": %s", r->path, r->line, message);
}

/* The next line that is neither empty nor begins with `comment`. */
static bool next_line(struct reader *r, char comment) {
  while (r->at < r->end) {
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->from = r->at;
    r->to = newline ? newline : r->end;
    r->at = newline ? newline + 1 : r->end;
    r->line++;
    while (r->from < r->to && isspace((unsigned char)*r->from))
      r->from++;
    while (r->to > r->from && isspace((unsigned char)r->to[-1]))
      r->to--;
    if (r->from < r->to && *r->from != comment)
      return true;
  }
  return false;
}

/* The next word of the line, copied; false at its end. */
static bool word(struct reader *r, char *to, size_t n) {
  size_t k = 0;
  while (r->from < r->to && isspace((unsigned char)*r->from))
    r->from++;
  while (r->from < r->to && !isspace((unsigned char)*r->from)) {
    if (k + 1 < n)
      to[k++] = *r->from;
    r->from++;
  }
  to[k] = 0;
  return k > 0;
}

static bool whole(struct reader *r, const char *what, uint64_t min, uint64_t max, uint64_t *out) {
  char text[32], *end;
  if (!word(r, text, sizeof text))
    return fail(r, "%s is missing", what);
  for (const char *c = text + (*text == '-' || *text == '+'); *c; c++)
    if (!isdigit((unsigned char)*c))
      return fail(r, "%s '%s' is not a whole number", what, text);
  unsigned long long v = strtoull(text, &end, 10);
  if (end == text || *text == '-' || strlen(text) > 19 || v < min || v > max)
    return fail(r, "%s %s (allowed: %" PRIu64 " to %" PRIu64 ")", what, text, min, max);
  *out = v;
  return true;
}

static bool real(struct reader *r, const char *what, double *out) {
  char text[64], *end;
  if (!word(r, text, sizeof text))
    return fail(r, "%s is missing", what);
  *out = strtod(text, &end);
  if (end == text || *end || !isfinite(*out))
    return fail(r, "%s '%s' is not a finite number", what, text);
  return true;
}

static bool line_ends(struct reader *r) {
  char more[32];
  return !word(r, more, sizeof more) || fail(r, "'%s' is too much on this line", more);
}

static bool truncated(struct reader *r, uint64_t wanted, uint64_t got) {
  return fail(r, "the file ends after %" PRIu64 " of %" PRIu64 " entries", got, wanted);
}

struct market {
  bool pattern, symmetric, skew;
  uint64_t rows, columns, entries;
};

static bool market_banner(struct reader *r, struct market *m) {
  char words[5][24];
  for (int i = 0; i < 5; i++)
    if (!word(r, words[i], sizeof words[i]))
      return fail(r, "the banner needs five words: %%%%MatrixMarket matrix coordinate FIELD SYMMETRY");
  if (strcasecmp(words[1], "matrix") != 0 || strcasecmp(words[2], "coordinate") != 0)
    return fail(r, "'%s %s' (allowed: matrix coordinate)", words[1], words[2]);
  m->pattern = strcasecmp(words[3], "pattern") == 0;
  if (!m->pattern && strcasecmp(words[3], "real") != 0 && strcasecmp(words[3], "integer") != 0 &&
      strcasecmp(words[3], "double") != 0)
    return fail(r, "field '%s' (allowed: real, integer, pattern)", words[3]);
  m->skew = strcasecmp(words[4], "skew-symmetric") == 0;
  m->symmetric = m->skew || strcasecmp(words[4], "symmetric") == 0;
  if (!m->symmetric && strcasecmp(words[4], "general") != 0)
    return fail(r, "symmetry '%s' (allowed: general, symmetric, skew-symmetric)", words[4]);
  return true;
}

static bool market_entry(struct reader *r, const struct market *m) {
  uint64_t i, j;
  double v = 1;
  if (!whole(r, "row", 1, m->rows, &i) || !whole(r, "column", 1, m->columns, &j) ||
      !(m->pattern || real(r, "value", &v)) || !line_ends(r))
    return false;
  triplets_add(r->t, (uint32_t)(i - 1), (uint32_t)(j - 1), v);
  if (m->symmetric && i != j)
    triplets_add(r->t, (uint32_t)(j - 1), (uint32_t)(i - 1), m->skew ? -v : v);
  return true;
}

static bool read_market(struct reader *r) {
  struct market m;
  if (!next_line(r, 0) || !market_banner(r, &m))
    return false;
  if (!next_line(r, '%'))
    return fail(r, "the line with rows, columns and entries is missing");
  if (!whole(r, "rows", 1, TRIPLETS_MAX_ROWS, &m.rows) ||
      !whole(r, "columns", 1, TRIPLETS_MAX_ROWS, &m.columns) ||
      !whole(r, "entries", 0, TRIPLETS_MAX_ENTRIES / 2, &m.entries) || !line_ends(r))
    return false;
  if (m.symmetric && m.rows != m.columns)
    return fail(r, "a symmetric matrix of %" PRIu64 " rows and %" PRIu64 " columns", m.rows, m.columns);
  r->t->rows = (uint32_t)m.rows;
  r->t->columns = (uint32_t)m.columns;
  for (uint64_t e = 0; e < m.entries; e++) {
    if (!next_line(r, '%'))
      return truncated(r, m.entries, e);
    if (!market_entry(r, &m))
      return false;
  }
  return !next_line(r, '%') || fail(r, "more than the %" PRIu64 " entries announced", m.entries);
}

/* Shortest-path files have arcs (a FROM TO WEIGHT), colouring files edges (e A B), from 1. */
static bool dimacs_entry(struct reader *r, uint64_t nodes, bool arc) {
  uint64_t i, j, weight = 1;
  if (!whole(r, "node", 1, nodes, &i) || !whole(r, "node", 1, nodes, &j) ||
      (arc && !whole(r, "weight", 0, INT32_MAX, &weight)) || !line_ends(r))
    return false;
  triplets_add(r->t, (uint32_t)(i - 1), (uint32_t)(j - 1), (double)weight);
  if (!arc)
    triplets_add(r->t, (uint32_t)(j - 1), (uint32_t)(i - 1), 1);
  return true;
}

static bool read_dimacs(struct reader *r) {
  char kind[16];
  uint64_t nodes = 0, edges = 0, got = 0;
  while (next_line(r, 'c')) {
    word(r, kind, sizeof kind);
    bool arc = strcmp(kind, "a") == 0;
    if (strcmp(kind, "p") == 0) {
      if (nodes)
        return fail(r, "a second line 'p'");
      if (!word(r, kind, sizeof kind) || !whole(r, "nodes", 1, TRIPLETS_MAX_ROWS, &nodes) ||
          !whole(r, "edges", 0, TRIPLETS_MAX_ENTRIES / 2, &edges) || !line_ends(r))
        return r->err->code ? false : fail(r, "'p KIND NODES EDGES' is wanted");
    } else if (arc || strcmp(kind, "e") == 0) {
      if (!nodes)
        return fail(r, "an edge before the line 'p KIND NODES EDGES'");
      if (got++ == edges)
        return fail(r, "more than the %" PRIu64 " edges announced", edges);
      if (!dimacs_entry(r, nodes, arc))
        return false;
    } else {
      return fail(r, "a line '%s' (allowed: c, p, a, e)", kind);
    }
  }
  r->t->rows = r->t->columns = (uint32_t)nodes;
  return got == edges || truncated(r, edges, got);
}

static bool read_edges(struct reader *r) {
  uint64_t most = 0;
  while (next_line(r, '#')) {
    uint64_t i, j;
    double v = 1;
    if (!whole(r, "node", 0, TRIPLETS_MAX_ROWS - 1, &i) || !whole(r, "node", 0, TRIPLETS_MAX_ROWS - 1, &j))
      return false;
    if (r->from < r->to && !real(r, "weight", &v))
      return false;
    if (v < 0)
      return fail(r, "weight %g (allowed: 0 and more)", v);
    if (!line_ends(r))
      return false;
    if (r->t->n >= TRIPLETS_MAX_ENTRIES / 2)
      return fail(r, "more than %d edges", TRIPLETS_MAX_ENTRIES / 2);
    triplets_add(r->t, (uint32_t)i, (uint32_t)j, v);
    most = i > most ? i : most;
    most = j > most ? j : most;
  }
  r->t->rows = r->t->columns = (uint32_t)(most + 1);
  return r->t->n || fail(r, "no edge in the file");
}

static bool is_dimacs(const struct reader *r) {
  struct reader look = *r;
  char kind[4];
  return next_line(&look, 'c') && word(&look, kind, sizeof kind) && strcmp(kind, "p") == 0;
}

bool triplets_parse(struct triplets *t, const char *path, const char *text, size_t n, struct error *err) {
  static const char banner[] = "%%MatrixMarket";
  struct reader r = {.path = path, .at = text, .end = text + n, .t = t, .err = err};
  *t = (struct triplets){0};
  bool ok;
  if (n >= sizeof banner - 1 && strncasecmp(text, banner, sizeof banner - 1) == 0)
    ok = read_market(&r);
  else
    ok = is_dimacs(&r) ? read_dimacs(&r) : read_edges(&r);
  if (!ok)
    triplets_free(t);
  return ok;
}

bool triplets_read(struct triplets *t, const char *path, struct error *err) {
  size_t n;
  char *text = file_read(path, MAX_FILE, &n, err);
  bool ok = text && triplets_parse(t, path, text, n, err);
  free(text);
  return ok;
}
