/* Writes JSON into a string: indented, keys in the order they are given, numbers that read back exactly.
 *
 *   struct json j = {0};
 *   json_open(&j, NULL, '{');
 *   json_u64(&j, "loads", 12);
 *   json_close(&j);
 *   ... j.out.s ...; strbuf_free(&j.out);
 *
 * `key` is NULL inside arrays and at the top. */
#ifndef SLUICE_BASE_JSON_H
#define SLUICE_BASE_JSON_H

#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH = 32 };

struct json {
  struct strbuf out;
  int depth;
  char closer[JSON_DEPTH];
  bool filled[JSON_DEPTH]; /* has an element already */
};

void json_open(struct json *j, const char *key, char bracket); /* '{' or '[' */
void json_close(struct json *j);                               /* the last one opened */
void json_str(struct json *j, const char *key, const char *value);
void json_u64(struct json *j, const char *key, uint64_t value);
void json_i64(struct json *j, const char *key, int64_t value);
void json_f64(struct json *j, const char *key, double value); /* inf and nan become null */
void json_bool(struct json *j, const char *key, bool value);
/* an array of numbers, on one line */
void json_u64s(struct json *j, const char *key, const uint64_t *values, size_t n);
void json_null(struct json *j, const char *key);

/* Just a string with its quotes; what JSON escapes, YAML reads too. */
void json_quote(struct strbuf *b, const char *text);

#endif
