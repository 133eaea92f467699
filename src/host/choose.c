#include "host/choose.h"
#include "base/mem.h"
#include "base/num.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* One part of the list: from, to, and every so many. */
struct part {
  uint64_t from, to, every;
};

static bool number(const char *s, uint64_t otherwise, uint64_t *out) {
  *out = otherwise;
  return !*s || (num_u64(s, out) == NUM_OK && *out > 0);
}

static bool read_part(const char *at, size_t n, struct part *p) {
  char *text = xstrndup(at, n), *dash = strchr(text, '-');
  bool ok;
  *p = (struct part){1, UINT64_MAX, 1};
  if (strncmp(text, "every:", 6) == 0) {
    ok = text[6] && number(text + 6, 1, &p->every);
    p->from = p->every;
  } else if (dash) {
    *dash = '\0';
    ok = (text[0] || dash[1]) && number(text, 1, &p->from) && number(dash + 1, UINT64_MAX, &p->to) &&
         p->from <= p->to;
  } else {
    ok = *text && number(text, 1, &p->from);
    p->to = p->from;
  }
  free(text);
  return ok;
}

static const char *next(const char *at, size_t *n) {
  *n = strcspn(at, ",");
  return at + *n + (at[*n] == ',');
}

bool choose_check(const char *launches, const char *kernels, struct error *err) {
  size_t n;
  struct part p;
  for (const char *at = launches ? launches : "", *to; *at; at = to) {
    to = next(at, &n);
    if (!read_part(at, n, &p))
      return error_add(
          err, EXIT_USAGE,
          "launches '%.60s': '%.*s' chooses none (allowed: numbers from 1, ranges like 10-20, 10- or -20, "
          "every:N, with commas between)",
          launches, (int)n, at);
  }
  for (const char *at = kernels ? kernels : "", *to; *at; at = to) {
    to = next(at, &n);
    if (!n)
      return error_add(err, EXIT_USAGE, "kernels '%.60s': an empty name", kernels);
  }
  return true;
}

static bool of_launches(const char *list, uint64_t i) {
  size_t n;
  struct part p;
  if (!list || !*list)
    return true;
  for (const char *at = list, *to; *at; at = to) {
    to = next(at, &n);
    if (read_part(at, n, &p) && i >= p.from && i <= p.to && (i - p.from) % p.every == 0)
      return true;
  }
  return false;
}

static bool of_kernels(const char *list, const char *kernel) {
  size_t n;
  if (!list || !*list)
    return true;
  for (const char *at = list, *to; *at; at = to) {
    to = next(at, &n);
    char *pattern = xstrndup(at, n);
    bool match = fnmatch(pattern, kernel, 0) == 0;
    free(pattern);
    if (match)
      return true;
  }
  return false;
}

bool choose(const char *launches, const char *kernels, uint64_t i, const char *kernel) {
  return of_launches(launches, i) && of_kernels(kernels, kernel);
}
