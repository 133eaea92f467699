#include "lab/store.h"
#include "lab/schema.h"
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

const char *const lab_state_names[] = {"missing", "planned", "done", "failed", "stalled", "cut", NULL};

enum statement {
  ADD_CONFIG,
  ADD_POINT,
  CLEAR_SWEEP,
  ADD_MEMBER,
  END_POINT,
  CLEAR_STATS,
  ADD_STAT,
  OUTCOME,
  STAT,
  NSTATEMENTS
};

static const char *const sql[NSTATEMENTS] = {
    [ADD_CONFIG] = "INSERT OR IGNORE INTO config (id, json) VALUES (?, ?)",
    [ADD_POINT] =
        "INSERT OR IGNORE INTO point (id, workload, size, seed, input, params, gpu, \"with\", \"set\", "
        "max_cycles, config, model, state, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "'planned', '')",
    [CLEAR_SWEEP] = "DELETE FROM member WHERE sweep = ?",
    [ADD_MEMBER] = "INSERT INTO member (sweep, number, point, workload, gpu, label, best_param, best_by, "
                   "\"with\", \"set\", params) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [END_POINT] = "UPDATE point SET state = ?, reason = ?, wall_s = ?, cpu_s = ?, peak_kib = ?, finished = ? "
                  "WHERE id = ?",
    [CLEAR_STATS] = "DELETE FROM stat WHERE point = ?",
    [ADD_STAT] = "INSERT INTO stat (point, name, value) VALUES (?, ?, ?)",
    [OUTCOME] = "SELECT state, reason, wall_s, cpu_s, peak_kib FROM point WHERE id = ?",
    [STAT] = "SELECT value FROM stat JOIN point ON point.id = stat.point WHERE point.id = ? AND name = ? AND "
             "state = 'done'",
};

struct lab_store {
  char *path;
  sqlite3 *db;
  int lock; /* file descriptor, -1: not held */
  sqlite3_stmt *made[NSTATEMENTS];
};

static bool trouble(const struct lab_store *s, const char *what, struct error *err) {
  int code = s->db ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM;
  const char *text = s->db ? sqlite3_errmsg(s->db) : "out of memory";
  const char *more = code == SQLITE_FULL ? "; what was finished before is kept" : "";
  return error_add(err, code == SQLITE_NOTADB || code == SQLITE_CANTOPEN ? EXIT_USAGE : EXIT_RUNTIME,
                   "%s: cannot %s: %s%s", s->path, what, text, more);
}

static bool execute(struct lab_store *s, const char *text, const char *what, struct error *err) {
  return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK || trouble(s, what, err);
}

/* The prepared statement, with text arguments bound: NULL is SQL's. */
static sqlite3_stmt *ready(struct lab_store *s, enum statement which) {
  if (!s->made[which] && sqlite3_prepare_v2(s->db, sql[which], -1, &s->made[which], NULL) != SQLITE_OK)
    return NULL;
  sqlite3_reset(s->made[which]);
  sqlite3_clear_bindings(s->made[which]);
  return s->made[which];
}

static void text(sqlite3_stmt *q, int at, const char *value) {
  sqlite3_bind_text(q, at, value, -1, SQLITE_STATIC);
}

static bool step(struct lab_store *s, sqlite3_stmt *q) {
  bool ok = q && sqlite3_step(q) == SQLITE_DONE;
  if (q)
    sqlite3_reset(q);
  return ok && s;
}

static int64_t number_of(struct lab_store *s, const char *pragma) {
  sqlite3_stmt *q;
  int64_t v = -1;
  if (sqlite3_prepare_v2(s->db, pragma, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
    v = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return v;
}

/* Another process that writes the same database holds the lock; the file stays, its content says who. */
static bool take_lock(struct lab_store *s, struct error *err) {
  struct strbuf path = {0};
  strbuf_addf(&path, "%s.lock", s->path);
  s->lock = open(path.s, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  bool ok = true;
  if (s->lock < 0) {
    ok = error_add(err, EXIT_RUNTIME, "%s: cannot write: %s", path.s, strerror(errno));
  } else if (flock(s->lock, LOCK_EX | LOCK_NB) != 0) {
    char who[80] = "";
    ssize_t n = pread(s->lock, who, sizeof who - 1, 0);
    who[n > 0 ? n : 0] = '\0';
    who[strcspn(who, "\n")] = '\0';
    ok = error_add(err, EXIT_RUNTIME, "%s: another sweep%s%s%s writes it; wait for it, or give another --db",
                   s->path, *who ? " (" : "", who, *who ? ")" : "");
  } else {
    char who[80], host[48] = "";
    gethostname(host, sizeof host - 1);
    int n = snprintf(who, sizeof who, "process %ld on %s\n", (long)getpid(), host);
    if (ftruncate(s->lock, 0) != 0 || pwrite(s->lock, who, (size_t)n, 0) != n)
      ok = error_add(err, EXIT_RUNTIME, "%s: cannot write: %s", path.s, strerror(errno));
  }
  strbuf_free(&path);
  return ok;
}

static bool check_schema(struct lab_store *s, struct error *err) {
  int64_t id = number_of(s, "PRAGMA application_id"), version = number_of(s, "PRAGMA user_version");
  if (id < 0)
    return trouble(s, "read", err);
  if (id != LAB_APPLICATION_ID)
    return error_add(err, EXIT_USAGE, "%s: not a database of results", s->path);
  return (version >= 1 && version <= LAB_SCHEMA_VERSION) ||
         error_add(err, EXIT_USAGE, "%s: version %lld of the tables; this program reads 1 to %d", s->path,
                   (long long)version, LAB_SCHEMA_VERSION);
}

static bool make_schema(struct lab_store *s, struct error *err) {
  const char *make = lab_schema;
  if (number_of(s, "SELECT count(*) FROM sqlite_master") != 0) {
    if (!check_schema(s, err) || number_of(s, "PRAGMA user_version") == LAB_SCHEMA_VERSION)
      return !err->code;
    make = lab_schema_from_1;
  }
  return execute(s, "BEGIN IMMEDIATE", "write", err) && execute(s, make, "write", err) &&
         execute(s, "COMMIT", "write", err);
}

struct lab_store *lab_store_open(const char *path, enum lab_access access, struct error *err) {
  if (!*path) { /* for SQLite, a database that goes away with the process */
    error_set(err, EXIT_USAGE, "a database needs a name: the path is empty");
    return NULL;
  }
  struct lab_store *s = xcalloc(1, sizeof *s);
  s->path = xstrdup(path);
  s->lock = -1;
  bool write = access == LAB_WRITE;
  int flags = SQLITE_OPEN_READWRITE | (write ? SQLITE_OPEN_CREATE : 0); /* a reader may have to roll back */
  bool ok = !write || take_lock(s, err);
  if (ok && sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
    ok = trouble(s, write ? "write" : "read", err);
  if (ok) {
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, 60 * 1000); /* readers and the writer wait for each other */
    ok = write ? execute(s, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL", "write", err) &&
                     make_schema(s, err)
               : execute(s, "PRAGMA query_only = ON", "read", err) && check_schema(s, err);
  }
  if (ok)
    return s;
  lab_store_close(s);
  return NULL;
}

void lab_store_close(struct lab_store *s) {
  if (!s)
    return;
  for (int i = 0; i < NSTATEMENTS; i++)
    sqlite3_finalize(s->made[i]);
  sqlite3_close(s->db);
  if (s->lock >= 0)
    close(s->lock);
  free(s->path);
  free(s);
}

struct sqlite3 *lab_store_handle(const struct lab_store *s) {
  return s->db;
}

static bool add_point(struct lab_store *s, const struct lab_point *p) {
  sqlite3_stmt *q = ready(s, ADD_CONFIG);
  text(q, 1, p->config_id);
  text(q, 2, p->config);
  if (!step(s, q) || !(q = ready(s, ADD_POINT)))
    return false;
  char *params = lab_pairs_json(&p->workload.params), *set = lab_pairs_json(&p->set);
  text(q, 1, p->id);
  text(q, 2, p->workload.label);
  text(q, 3, p->workload.size);
  sqlite3_bind_int64(q, 4, (int64_t)p->workload.seed);
  text(q, 5, p->workload.input);
  text(q, 6, params);
  text(q, 7, p->gpu_label);
  text(q, 8, p->with);
  text(q, 9, set);
  sqlite3_bind_int64(q, 10, (int64_t)p->max_cycles);
  text(q, 11, p->config_id);
  text(q, 12, lab_model());
  bool ok = step(s, q);
  free(params), free(set);
  return ok;
}

static bool add_member(struct lab_store *s, const char *sweep, size_t i, const struct lab_point *p) {
  sqlite3_stmt *q = ready(s, ADD_MEMBER);
  if (!q)
    return false;
  text(q, 1, sweep);
  sqlite3_bind_int64(q, 2, (int64_t)i);
  text(q, 3, p->id);
  text(q, 4, p->workload.label);
  text(q, 5, p->gpu_label);
  text(q, 6, p->label);
  text(q, 7, p->best_param);
  text(q, 8, p->best_by);
  char *set = lab_pairs_json(&p->set), *params = lab_pairs_json(&p->workload.params);
  text(q, 9, p->with);
  text(q, 10, set);
  text(q, 11, params);
  bool ok = step(s, q);
  free(set), free(params);
  return ok;
}

static bool finish(struct lab_store *s, bool ok, struct error *err) {
  if (ok && sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
    return true;
  trouble(s, "write", err);
  sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
  return false;
}

bool lab_store_plan(struct lab_store *s, const struct lab_points *p, struct error *err) {
  if (!execute(s, "BEGIN IMMEDIATE", "write", err))
    return false;
  bool ok = true;
  sqlite3_stmt *q = ready(s, CLEAR_SWEEP);
  if (p->sweep) {
    text(q, 1, p->sweep);
    ok = step(s, q);
  }
  for (size_t i = 0; ok && i < p->n; i++)
    ok = add_point(s, &p->at[i]) && (!p->sweep || add_member(s, p->sweep, i, &p->at[i]));
  return finish(s, ok, err);
}

static bool put_stats(struct lab_store *s, const char *id, const struct lab_value *v, size_t n) {
  for (size_t i = 0; i < n; i++) {
    sqlite3_stmt *q = ready(s, ADD_STAT);
    if (!q)
      return false;
    text(q, 1, id);
    text(q, 2, v[i].name);
    if (v[i].real)
      sqlite3_bind_double(q, 3, v[i].f);
    else
      sqlite3_bind_int64(q, 3, v[i].i);
    if (!step(s, q))
      return false;
  }
  return true;
}

bool lab_store_put(struct lab_store *s, const char *id, const struct lab_outcome *o,
                   const struct lab_value *values, size_t n, struct error *err) {
  char when[32];
  time_t now = time(NULL);
  struct tm utc;
  strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  if (!execute(s, "BEGIN IMMEDIATE", "write", err))
    return false;
  sqlite3_stmt *q = ready(s, CLEAR_STATS);
  text(q, 1, id);
  bool ok = step(s, q) && (q = ready(s, END_POINT));
  if (ok) {
    text(q, 1, lab_state_names[o->state]);
    text(q, 2, o->reason);
    sqlite3_bind_double(q, 3, o->wall_s);
    sqlite3_bind_double(q, 4, o->cpu_s);
    sqlite3_bind_int64(q, 5, (int64_t)o->peak_kib);
    text(q, 6, when);
    text(q, 7, id);
    ok = step(s, q) && put_stats(s, id, values, n);
  }
  return finish(s, ok, err);
}

struct lab_outcome lab_store_outcome(struct lab_store *s, const char *id, struct arena *mem) {
  struct lab_outcome o = {.state = LAB_MISSING, .reason = ""};
  sqlite3_stmt *q = ready(s, OUTCOME);
  text(q, 1, id);
  if (q && sqlite3_step(q) == SQLITE_ROW) {
    const char *state = (const char *)sqlite3_column_text(q, 0),
               *why = (const char *)sqlite3_column_text(q, 1);
    for (int i = 0; lab_state_names[i]; i++)
      if (state && strcmp(state, lab_state_names[i]) == 0)
        o.state = (enum lab_state)i;
    if (why && mem)
      o.reason = arena_strndup(mem, why, strlen(why));
    o.wall_s = sqlite3_column_double(q, 2);
    o.cpu_s = sqlite3_column_double(q, 3);
    o.peak_kib = (uint64_t)sqlite3_column_int64(q, 4);
  }
  sqlite3_reset(q);
  return o;
}

bool lab_store_stat(struct lab_store *s, const char *id, const char *name, double *value) {
  sqlite3_stmt *q = ready(s, STAT);
  text(q, 1, id);
  text(q, 2, name);
  bool there = q && sqlite3_step(q) == SQLITE_ROW;
  if (there)
    *value = sqlite3_column_double(q, 0);
  sqlite3_reset(q);
  return there;
}
