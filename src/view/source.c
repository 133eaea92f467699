#include "view/source.h"
#include "base/file.h"
#include "base/mem.h"
#include "lab/store.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static bool walk_timeline(void *self, const struct timeline_visit *v, struct error *err) {
  return timeline_walk(self, v, err);
}

static void close_timeline(void *self) {
  timeline_free(self);
}

static sqlite3_stmt *prepare(struct lab_store *s, const char *sql) {
  sqlite3_stmt *q = NULL;
  return sqlite3_prepare_v2(lab_store_handle(s), sql, -1, &q, NULL) == SQLITE_OK ? q : NULL;
}

static const char *column(sqlite3_stmt *q, int i) {
  const char *text = (const char *)sqlite3_column_text(q, i);
  return text ? text : "";
}

/* {workload, status, config, stats, kernels: []} of a point, as a run would have written it. */
static bool point_json(struct lab_store *s, const char *file, const char *id, struct strbuf *to,
                       struct error *err) {
  sqlite3_stmt *q =
      prepare(s, "SELECT p.id, p.workload, c.json FROM point p JOIN config c ON c.id = p.config "
                 "WHERE p.id LIKE ?1 || '%' LIMIT 2");
  if (!q)
    return error_set(err, EXIT_USAGE, "%s: no database of `sluice sweep`", file);
  sqlite3_bind_text(q, 1, id, -1, SQLITE_STATIC);
  struct json j = {0};
  char *full = NULL, *config = NULL;
  bool found = sqlite3_step(q) == SQLITE_ROW;
  if (found) {
    full = xstrdup(column(q, 0));
    config = xstrdup(column(q, 2));
    json_open(&j, NULL, '{');
    json_str(&j, "workload", column(q, 1));
  }
  bool more = found && sqlite3_step(q) == SQLITE_ROW;
  sqlite3_finalize(q);
  if (found && !more) {
    json_str(&j, "status", "complete");
    json_open(&j, "stats", '{');
    q = prepare(s, "SELECT name, value FROM stat WHERE point = ?1");
    for (sqlite3_bind_text(q, 1, full, -1, SQLITE_STATIC); sqlite3_step(q) == SQLITE_ROW;) {
      if (sqlite3_column_type(q, 1) == SQLITE_INTEGER)
        json_i64(&j, column(q, 0), sqlite3_column_int64(q, 1));
      else
        json_f64(&j, column(q, 0), sqlite3_column_double(q, 1));
    }
    sqlite3_finalize(q);
    json_close(&j);
    json_open(&j, "kernels", '[');
    json_close(&j);
    json_close(&j);
    size_t end = j.out.n;
    while (end && j.out.s[end - 1] != '}')
      end--;
    strbuf_addn(to, j.out.s, end - 1);
    strbuf_addf(to, ",\n\"config\": %s}\n", config);
  }
  strbuf_free(&j.out);
  free(full), free(config);
  if (!found)
    return error_set(err, EXIT_USAGE,
                     "%s: no point begins with '%.40s' (`sluice query %s 'SELECT id, workload, gpu, "
                     "\"with\" FROM point'` lists them)",
                     file, id, file);
  return !more ||
         error_set(err, EXIT_USAGE, "%s: several points begin with '%.40s'; give more of one's id", file, id);
}

static bool open_point(struct view_source *s, const char *name, const char *hash, struct error *err) {
  char *file = xstrndup(name, (size_t)(hash - name));
  struct lab_store *store = lab_store_open(file, LAB_READ, err);
  struct strbuf text = {0};
  bool ok = store && point_json(store, file, hash + 1, &text, err);
  if (store)
    lab_store_close(store);
  free(file);
  if (ok)
    return view_result_open(s, name, "point", text.s, text.n, err);
  strbuf_free(&text);
  return false;
}

bool view_source_open(struct view_source *s, const char *name, struct error *err) {
  *s = (struct view_source){.name = name, .form = "timeline"};
  const char *hash = strrchr(name, '#');
  if (hash && strstr(name, ".db#"))
    return open_point(s, name, hash, err);
  size_t n = strlen(name);
  if (n > 3 && strcmp(name + n - 3, ".db") == 0)
    return error_set(
        err, EXIT_USAGE,
        "%s: a database has many points; name one as %s#ID (`sluice query %s 'SELECT id, workload, gpu, "
        "\"with\" FROM point'` lists them)",
        name, name, name);
  if (timeline_is(name)) {
    struct timeline_reader *r = timeline_open(name, err);
    if (!r)
      return false;
    s->self = r;
    s->head = timeline_head(r);
    s->walk = walk_timeline;
    s->close = close_timeline;
    return true;
  }
  size_t size;
  char *text = file_read(name, (uint64_t)1 << 30, &size, err);
  return text && view_result_open(s, name, "result", text, size, err);
}

void view_source_close(struct view_source *s) {
  if (s->self)
    s->close(s->self);
}
