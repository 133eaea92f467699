#include "base/num.h"
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool digit(char c) {
  return c >= '0' && c <= '9';
}

static int hex_value(char c) {
  if (digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

static enum num_result scale(uint64_t v, uint64_t by, uint64_t *out) {
  return __builtin_mul_overflow(v, by, out) ? NUM_RANGE : NUM_OK;
}

static enum num_result suffix(const char *s, uint64_t v, uint64_t *out) {
  static const char letters[] = "kMGT";
  const char *at = *s ? strchr(s[1] == 'i' ? "KMGT" : letters, *s) : NULL;
  if (!at)
    return NUM_SYNTAX;
  int power = 1;
  uint64_t unit = 1000;
  for (const char *c = letters; *c && *c != *s && !(*s == 'K' && *c == 'k'); c++)
    power++;
  s++;
  if (*s == 'i') {
    unit = 1024;
    s++;
  }
  if (*s == 'B')
    s++;
  if (*s)
    return NUM_SYNTAX;
  uint64_t by = 1;
  while (power--)
    by *= unit;
  return scale(v, by, out);
}

static enum num_result exponent(const char *s, uint64_t v, uint64_t *out) {
  unsigned e = 0;
  if (!digit(*s))
    return NUM_SYNTAX;
  for (; digit(*s); s++)
    if (e < 100)
      e = e * 10 + (unsigned)(*s - '0');
  if (*s)
    return NUM_SYNTAX;
  enum num_result r = NUM_OK;
  for (; v && e && r == NUM_OK; e--)
    r = scale(v, 10, &v);
  *out = v;
  return r;
}

enum num_result num_u64(const char *s, uint64_t *out) {
  uint64_t v = 0;
  bool over = false;
  if (*s == '+')
    s++;
  if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    s += 2;
    if (!*s)
      return NUM_SYNTAX;
    for (; *s; s++) {
      int h = hex_value(*s);
      if (h < 0)
        return NUM_SYNTAX;
      over |= v >> 60 != 0;
      v = v << 4 | (uint64_t)h;
    }
    *out = v;
    return over ? NUM_RANGE : NUM_OK;
  }
  if (!digit(*s))
    return NUM_SYNTAX;
  for (; digit(*s); s++) {
    over |= __builtin_mul_overflow(v, UINT64_C(10), &v);
    over |= __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v);
  }
  enum num_result r = NUM_OK;
  if (*s == 'e' || *s == 'E')
    r = exponent(s + 1, v, &v);
  else if (*s)
    r = suffix(s, v, &v);
  if (r == NUM_OK && over)
    r = NUM_RANGE;
  if (r == NUM_OK)
    *out = v;
  return r;
}

enum num_result num_i64(const char *s, int64_t *out) {
  bool minus = *s == '-';
  if (minus && s[1] == '+')
    return NUM_SYNTAX;
  uint64_t v;
  enum num_result r = num_u64(s + minus, &v);
  if (r != NUM_OK)
    return r;
  if (v > (uint64_t)INT64_MAX + minus)
    return NUM_RANGE;
  *out = minus ? (int64_t)(UINT64_C(0) - v) : (int64_t)v;
  return NUM_OK;
}

/* strtod takes leading blanks and the locale's decimal point; we take neither. */
enum num_result num_f64(const char *s, double *out) {
  if (!*s || strspn(s, " \t\n\v\f\r") || strchr(s, '('))
    return NUM_SYNTAX;
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c)
    return NUM_SYNTAX;
  char *end;
  errno = 0;
  double v = strtod_l(s, &end, c);
  int why = errno;
  freelocale(c);
  if (*end)
    return NUM_SYNTAX;
  if (why == ERANGE && isinf(v))
    return NUM_RANGE;
  *out = v;
  return NUM_OK;
}

enum num_result num_bool(const char *s, bool *out) {
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
  for (int i = 0; i < 6; i++)
    if (strcasecmp(s, words[i]) == 0) {
      *out = i & 1;
      return NUM_OK;
    }
  return NUM_SYNTAX;
}

char *num_print_f64(char *buf, double v) {
  if (isnan(v))
    return strcpy(buf, "nan");
  if (isinf(v))
    return strcpy(buf, v < 0 ? "-inf" : "inf");
  if (fabs(v) < 1e15 && v == (double)(int64_t)v && !(v == 0 && signbit(v))) { /* %g would print 10 as 1e+01 */
    snprintf(buf, NUM_F64_MAX, "%" PRId64, (int64_t)v);
    return buf;
  }
  snprintf(buf, NUM_F64_MAX, "%.15g", v);
  for (int p = strtod(buf, NULL) == v ? 1 : 16; p <= 17;
       p++) { /* quotients have 15 digits or more, as a rule */
    snprintf(buf, NUM_F64_MAX, "%.*g", p, v);
    if (p == 17 || strtod(buf, NULL) == v) /* same locale both ways */
      break;
  }
  char *to = buf;
  for (const char *from = buf; *from; from++) {
    if (strchr("0123456789+-e", *from))
      *to++ = *from;
    else if (to == buf || to[-1] != '.') /* a decimal point of one or more bytes */
      *to++ = '.';
  }
  *to = '\0';
  return buf;
}
