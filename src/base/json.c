#include "base/json.h"
#include "base/num.h"
#include <inttypes.h>
#include <math.h>

/* Length of the valid UTF-8 sequence at s, 0 if there is none. */
static int utf8_length(const unsigned char *s) {
  if (s[0] < 0x80)
    return 1;
  int n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4)
    return 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
      (s[0] == 0xf4 && s[1] > 0x8f))
    return 0;
  return n;
}

void json_quote(struct strbuf *b, const char *text) {
  strbuf_addc(b, '"');
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    int n = utf8_length(s);
    if (*s == '"' || *s == '\\')
      strbuf_addf(b, "\\%c", *s);
    else if (*s == '\n')
      strbuf_add(b, "\\n");
    else if (*s == '\t')
      strbuf_add(b, "\\t");
    else if (*s < 0x20 || *s == 0x7f)
      strbuf_addf(b, "\\u%04x", *s);
    else if (n == 0) /* a file name may hold any bytes; JSON may not */
      strbuf_add(b, "\\ufffd");
    else
      strbuf_addn(b, (const char *)s, (size_t)n);
    s += n ? n : 1;
  }
  strbuf_addc(b, '"');
}

/* Comma, new line, indentation and key: everything before a value. */
static void lead_in(struct json *j, const char *key) {
  if (j->depth) {
    bool *filled = &j->filled[j->depth - 1];
    strbuf_add(&j->out, *filled ? ",\n" : "\n");
    *filled = true;
    strbuf_addf(&j->out, "%*s", 2 * j->depth, "");
  }
  if (key) {
    json_quote(&j->out, key);
    strbuf_add(&j->out, ": ");
  }
}

void json_open(struct json *j, const char *key, char bracket) {
  if (j->depth == JSON_DEPTH)
    panic("JSON nested deeper than %d", JSON_DEPTH);
  lead_in(j, key);
  strbuf_addc(&j->out, bracket);
  j->closer[j->depth] = bracket == '{' ? '}' : ']';
  j->filled[j->depth++] = false;
}

void json_close(struct json *j) {
  if (!j->depth)
    panic("JSON closed too often");
  j->depth--;
  if (j->filled[j->depth])
    strbuf_addf(&j->out, "\n%*s", 2 * j->depth, "");
  strbuf_addc(&j->out, j->closer[j->depth]);
  if (!j->depth)
    strbuf_addc(&j->out, '\n');
}

void json_str(struct json *j, const char *key, const char *value) {
  if (!value) {
    json_null(j, key);
    return;
  }
  lead_in(j, key);
  json_quote(&j->out, value);
}

static void add_u64(struct strbuf *to, uint64_t value) {
  char digits[20];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  strbuf_addn(to, digits + at, sizeof digits - at);
}

void json_u64(struct json *j, const char *key, uint64_t value) {
  lead_in(j, key);
  add_u64(&j->out, value);
}

void json_u64s(struct json *j, const char *key, const uint64_t *values, size_t n) {
  lead_in(j, key);
  strbuf_addc(&j->out, '[');
  for (size_t i = 0; i < n; i++) {
    strbuf_add(&j->out, i ? ", " : "");
    add_u64(&j->out, values[i]);
  }
  strbuf_addc(&j->out, ']');
}

void json_i64(struct json *j, const char *key, int64_t value) {
  lead_in(j, key);
  strbuf_addf(&j->out, "%" PRId64, value);
}

void json_f64(struct json *j, const char *key, double value) {
  if (!isfinite(value)) {
    json_null(j, key);
    return;
  }
  char buf[NUM_F64_MAX];
  lead_in(j, key);
  strbuf_add(&j->out, num_print_f64(buf, value));
}

void json_bool(struct json *j, const char *key, bool value) {
  lead_in(j, key);
  strbuf_add(&j->out, value ? "true" : "false");
}

void json_null(struct json *j, const char *key) {
  lead_in(j, key);
  strbuf_add(&j->out, "null");
}
