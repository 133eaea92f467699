#include "lab/query.h"
#include "base/json.h"
#include "stat/stat.h"
#include <ctype.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const char *cell(sqlite3_stmt *q, int i) {
  const char *s = (const char *)sqlite3_column_text(q, i);
  return s ? s : "";
}

static bool is_number(sqlite3_stmt *q, int i) {
  int t = sqlite3_column_type(q, i);
  return t == SQLITE_INTEGER || t == SQLITE_FLOAT;
}

/* All rows are kept until the widths are known. */
struct table {
  char **cell; /* [row][column], the first row has the names */
  size_t n, cap;
  int columns;
  size_t *width;
  bool *number; /* right-aligned */
};

static void put_cell(struct table *t, int i, const char *s) {
  size_t n = 0; /* characters, not bytes */
  for (const char *c = s; *c; c++)
    n += ((unsigned char)*c & 0xc0) != 0x80;
  VEC_PUSH(t->cell, t->n, t->cap) = xstrdup(s);
  t->width[i] = n > t->width[i] ? n : t->width[i];
}

static void put_padded(struct strbuf *to, const char *s, size_t width, bool right, bool last) {
  size_t n = 0;
  for (const char *c = s; *c; c++)
    n += ((unsigned char)*c & 0xc0) != 0x80;
  strbuf_addf(to, "%*s%s%*s", right ? (int)(width - n) : 0, "", s, right || last ? 0 : (int)(width - n), "");
}

static int as_table(sqlite3_stmt *q, struct strbuf *to) {
  struct table t = {.columns = sqlite3_column_count(q)};
  t.width = xcalloc((size_t)t.columns + 1, sizeof *t.width);
  t.number = xcalloc((size_t)t.columns + 1, sizeof *t.number);
  for (int i = 0; i < t.columns; i++)
    put_cell(&t, i, sqlite3_column_name(q, i));
  int code;
  while ((code = sqlite3_step(q)) == SQLITE_ROW)
    for (int i = 0; i < t.columns; i++) {
      t.number[i] |= is_number(q, i);
      put_cell(&t, i, cell(q, i));
    }
  for (size_t k = 0; k < t.n; k++) {
    int i = (int)(k % (size_t)t.columns);
    put_padded(to, t.cell[k], t.width[i], t.number[i], i + 1 == t.columns);
    strbuf_add(to, i + 1 == t.columns ? "\n" : "  ");
    free(t.cell[k]);
  }
  free(t.cell), free(t.width), free(t.number);
  return code;
}

static int as_csv(sqlite3_stmt *q, struct strbuf *to) {
  int n = sqlite3_column_count(q), code = SQLITE_ROW;
  for (bool head = true; code == SQLITE_ROW; head = false) {
    if (!head && (code = sqlite3_step(q)) != SQLITE_ROW)
      break;
    for (int i = 0; i < n; i++) {
      stat_csv_text(head ? sqlite3_column_name(q, i) : cell(q, i), to);
      strbuf_addc(to, i + 1 == n ? '\n' : ',');
    }
  }
  return code;
}

static int as_json(sqlite3_stmt *q, struct strbuf *to) {
  struct json j = {0};
  int n = sqlite3_column_count(q), code;
  json_open(&j, NULL, '[');
  while ((code = sqlite3_step(q)) == SQLITE_ROW) {
    json_open(&j, NULL, '{');
    for (int i = 0; i < n; i++) {
      const char *name = sqlite3_column_name(q, i);
      switch (sqlite3_column_type(q, i)) {
      case SQLITE_INTEGER:
        json_i64(&j, name, sqlite3_column_int64(q, i));
        break;
      case SQLITE_FLOAT:
        json_f64(&j, name, sqlite3_column_double(q, i));
        break;
      case SQLITE_NULL:
        json_null(&j, name);
        break;
      default:
        json_str(&j, name, cell(q, i));
      }
    }
    json_close(&j);
  }
  json_close(&j);
  strbuf_addf(to, "%s\n", strbuf_str(&j.out));
  strbuf_free(&j.out);
  return code;
}

bool lab_query(struct lab_store *s, const char *sql, enum lab_form form, struct strbuf *to,
               struct error *err) {
  static int (*const forms[])(sqlite3_stmt *, struct strbuf *) = {as_table, as_csv, as_json};
  sqlite3 *db = lab_store_handle(s);
  while (*sql) {
    sqlite3_stmt *q;
    if (sqlite3_prepare_v2(db, sql, -1, &q, &sql) != SQLITE_OK)
      return error_add(err, EXIT_USAGE, "SQL: %s", sqlite3_errmsg(db));
    int code = !q ? SQLITE_DONE : sqlite3_column_count(q) ? forms[form](q, to) : sqlite3_step(q);
    if (code != SQLITE_DONE)
      error_add(err, code == SQLITE_READONLY ? EXIT_USAGE : EXIT_RUNTIME, "SQL: %s", sqlite3_errmsg(db));
    sqlite3_finalize(q);
    if (code != SQLITE_DONE)
      return false;
    while (isspace((unsigned char)*sql))
      sql++;
  }
  return true;
}
