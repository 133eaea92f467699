#include "base/error.h"
#include "base/mem.h"
#include "base/rescue.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *format(const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  if (n < 0)
    n = 0;
  char *s = xmalloc((size_t)n + 1);
  s[0] = '\0';
  vsnprintf(s, (size_t)n + 1, fmt, again);
  va_end(again);
  return s;
}

bool error_set(struct error *e, int code, const char *fmt, ...) {
  if (!e)
    return false;
  va_list ap;
  va_start(ap, fmt);
  char *s = format(fmt, ap); /* before the old text goes: it may be an argument */
  va_end(ap);
  free(e->text);
  e->text = s;
  e->code = code;
  return false;
}

bool error_add(struct error *e, int code, const char *fmt, ...) {
  if (!e)
    return false;
  va_list ap;
  va_start(ap, fmt);
  char *s = format(fmt, ap);
  va_end(ap);
  if (!e->text) {
    e->text = s;
  } else {
    size_t old = strlen(e->text), more = strlen(s);
    e->text = xrealloc(e->text, old + more + 2);
    e->text[old] = '\n';
    memcpy(e->text + old + 1, s, more + 1);
    free(s);
  }
  if (!e->code)
    e->code = code;
  return false;
}

void error_clear(struct error *e) {
  free(e->text);
  e->text = NULL;
  e->code = 0;
}

/* Optimal string alignment distance (a swap of neighbours counts one), cut off above `limit`. */
enum { LONGEST_WORD = 95 };
static int edit_distance(const char *a, size_t na, const char *b, size_t nb, int limit) {
  int row[3][LONGEST_WORD + 1];
  for (size_t j = 0; j <= nb; j++)
    row[0][j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
    int best = now[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      int d = up[j - 1] + (a[i - 1] != b[j - 1]);
      if (up[j] + 1 < d)
        d = up[j] + 1;
      if (now[j - 1] + 1 < d)
        d = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && up2[j - 2] + 1 < d)
        d = up2[j - 2] + 1;
      now[j] = d;
      if (d < best)
        best = d;
    }
    if (best > limit)
      return limit + 1;
  }
  return row[na % 3][nb];
}

const char *nearest_match(const char *word, const char *const *candidates, int n) {
  size_t len = strlen(word);
  if (len == 0 || len > LONGEST_WORD)
    return NULL;
  const char *best = NULL;
  /* A third of the letters may differ; beyond that a suggestion confuses more than it helps. */
  int limit = len < 3 ? 1 : (int)(len + 1) / 3;
  for (int i = 0; i < n; i++) {
    const char *c = candidates[i];
    size_t m = strlen(c);
    if (m > LONGEST_WORD)
      continue;
    int d = edit_distance(word, len, c, m, limit);
    if (d <= limit && d < (int)(len > m ? len : m)) {
      best = c;
      limit = d - 1;
      if (limit < 0)
        break;
    }
  }
  return best;
}

void panic(const char *fmt, ...) {
  char text[1000];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  rescue_raise(RESCUE_PANIC, text);
}
