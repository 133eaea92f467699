#include "energy/table.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "conf/yaml.h"
#include "energy/presets.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILE = 1 << 20 };

#define MUST true
#define ELSE false
const struct energy_row_about energy_rows[NROWS] = {
#define X(id, name, unit, part, need, counters, what) {name, UNIT_##unit, PART_##part, need, counters, what},
#include "energy/rows.def"
#undef X
};
const char *const energy_part_names[NPARTS] = {
#define X(id, name, what) name,
    ENERGY_PARTS(X)
#undef X
};

void energy_table_free(struct energy_table *t) {
  free(t->about);
  for (int i = 0; i < NROWS; i++)
    free(t->row[i].source);
  *t = (struct energy_table){0};
}

static void read_row(struct energy_table *t, enum energy_row r, const struct yaml_node *n,
                     struct error *err) {
  static const char *const keys[] = {"value", "source", "assumed"};
  const char *source;
  double value = 0;
  if (!yaml_check_kind(n, YAML_MAP, err) || !yaml_check_keys(n, keys, 3, err))
    return;
  const struct yaml_node *v = yaml_need(n, "value", err), *s = yaml_need(n, "source", err),
                         *a = yaml_get(n, "assumed");
  if (v && yaml_f64(v, &value, err) && !(isfinite(value) && value >= 0 && value <= 1e9))
    yaml_error(v, err, "'%.40s' is out of range (allowed: 0..1e9)", v->text);
  if (a)
    yaml_bool(a, &t->row[r].assumed, err);
  if (!s || !yaml_str(s, &source, err))
    return;
  if (!*source)
    yaml_error(s, err, "a figure without a source; one that has none says so and is 'assumed: true'");
  t->row[r].known = true;
  t->row[r].value = value;
  t->row[r].source = xstrdup(source);
}

static void read_rows(struct energy_table *t, const struct yaml_node *rows, struct error *err) {
  const char *names[NROWS];
  for (int i = 0; i < NROWS; i++)
    names[i] = energy_rows[i].name;
  if (!yaml_check_kind(rows, YAML_MAP, err) || !yaml_check_keys(rows, names, NROWS, err))
    return;
  for (int i = 0; i < NROWS; i++)
    if (yaml_get(rows, names[i]))
      read_row(t, (enum energy_row)i, yaml_get(rows, names[i]), err);
}

bool energy_table_parse(struct energy_table *t, const char *text, size_t n, const char *path,
                        struct error *err) {
  static const char *const keys[] = {"about", "rows"};
  struct error mine = {0};
  *t = (struct energy_table){0};
  struct yaml_doc *doc = yaml_parse_text(path, text, n, &mine);
  if (doc && !doc->root)
    error_add(&mine, EXIT_USAGE, "%s: an empty file is no table of energies", path);
  if (doc && doc->root && yaml_check_keys(doc->root, keys, 2, &mine)) {
    const struct yaml_node *about = yaml_need(doc->root, "about", &mine),
                           *rows = yaml_need(doc->root, "rows", &mine);
    const char *s;
    if (about && yaml_str(about, &s, &mine))
      t->about = xstrdup(s);
    if (rows)
      read_rows(t, rows, &mine);
  }
  yaml_close(doc);
  if (!mine.code)
    return true;
  error_add(err, mine.code, "%s", mine.text);
  error_clear(&mine);
  energy_table_free(t);
  return false;
}

static bool load_file(struct energy_table *t, const char *path, struct error *err) {
  size_t n;
  char *text = file_read(path, MAX_FILE, &n, err);
  bool ok = text && energy_table_parse(t, text, n, path, err);
  free(text);
  return ok;
}

/* The tables that are compiled in have one row a line, written alike; read so, they take a hundredth of what YAML takes, which
 * would be more than a small kernel's energy is worth. What is not written like that is left to YAML. */
static char *joined(const char *from, const char *end) { /* lines of a folded text */
  struct strbuf all = {0};
  while (from < end) {
    const char *to = memchr(from, '\n', (size_t)(end - from));
    while (from < to && *from == ' ')
      from++;
    strbuf_addf(&all, "%s%.*s", all.n ? " " : "", (int)(to - from), from);
    from = to + 1;
  }
  char *text = xstrdup(strbuf_str(&all));
  strbuf_free(&all);
  return text;
}

static int row_named(const char *name, size_t n) {
  for (int r = 0; r < NROWS; r++)
    if (strlen(energy_rows[r].name) == n && memcmp(energy_rows[r].name, name, n) == 0)
      return r;
  return NROWS;
}

/* `at` is moved behind `what`, which must be there. */
static bool takes(const char **at, const char *what) {
  size_t n = strlen(what);
  bool is = strncmp(*at, what, n) == 0;
  *at += is ? n : 0;
  return is;
}

static bool read_plain_row(struct energy_table *t, const char **at) {
  size_t n = strcspn(*at, ":\n");
  int r = row_named(*at, n);
  *at += n;
  if (r == NROWS || t->row[r].known || !takes(at, ": {value: "))
    return false;
  char *end;
  double value = strtod(*at, &end);
  *at = end;
  if (!(value >= 0 && value <= 1e9) || !takes(at, ", source: \""))
    return false;
  n = strcspn(*at, "\"\\\n");
  t->row[r].source = xstrndup(*at, n);
  t->row[r].value = value;
  t->row[r].known = true;
  *at += n;
  if (!n || !takes(at, "\""))
    return false;
  t->row[r].assumed = takes(at, ", assumed: true");
  return takes(at, "}\n");
}

bool energy_table_plain(struct energy_table *t, const char *text) {
  static const char first[] = "about: >-\n", then[] = "\nrows:\n";
  const char *at = text, *rows;
  *t = (struct energy_table){0};
  bool ok = takes(&at, first) && (rows = strstr(at, then));
  if (ok) {
    t->about = joined(at, rows + 1);
    at = rows + strlen(then);
  }
  while (ok && *at)
    ok = takes(&at, "  ") && read_plain_row(t, &at);
  if (!ok)
    energy_table_free(t);
  return ok;
}

static bool is_path(const char *s) {
  size_t n = strlen(s);
  return strchr(s, '/') || (n > 5 && strcmp(s + n - 5, ".yaml") == 0);
}

static bool unknown(const char *name, struct error *err) {
  const char *near = nearest_match(name, energy_preset_names, (int)energy_preset_count);
  if (near)
    return error_set(err, EXIT_USAGE,
                     "energy.table: no table '%.60s'; did you mean '%s'? (a file's name has a '/' or ends in "
                     ".yaml)",
                     name, near);
  struct strbuf all = {0};
  for (size_t i = 0; i < energy_preset_count; i++)
    strbuf_addf(&all, ", %s", energy_preset_names[i]);
  error_set(err, EXIT_USAGE, "energy.table: no table '%.60s' (a file, or one of: none%s)", name,
            strbuf_str(&all));
  strbuf_free(&all);
  return false;
}

bool energy_table_load(struct energy_table *t, const char *name_or_path, struct error *err) {
  bool ok = false, found = false;
  for (size_t i = 0; i < energy_preset_count && !found; i++) {
    const struct energy_preset *p = &energy_preset_files[i];
    char path[128];
    if (strcmp(p->name, name_or_path) != 0)
      continue;
    snprintf(path, sizeof path, "presets/energy/%s.yaml", p->name);
    ok = energy_table_plain(t, p->text) || energy_table_parse(t, p->text, p->n, path, err);
    found = true;
  }
  if (!found && is_path(name_or_path)) {
    ok = load_file(t, name_or_path, err);
    found = true;
  }
  struct strbuf installed = {0};
  strbuf_addf(&installed, "%s/%s.yaml", energy_preset_folder, name_or_path);
  if (!found && access(installed.s, R_OK) == 0) {
    ok = load_file(t, installed.s, err);
    found = true;
  }
  strbuf_free(&installed);
  if (!found)
    return unknown(name_or_path, err);
  if (ok)
    snprintf(t->name, sizeof t->name, "%s", name_or_path);
  return ok;
}

const char *energy_table_lacks(const struct energy_table *t) {
  for (int i = 0; i < NROWS; i++)
    if (energy_rows[i].must && !t->row[i].known)
      return energy_rows[i].name;
  return NULL;
}

void energy_row_terms(enum energy_row row, void (*term)(void *ctx, const char *name, size_t n, bool minus),
                      void *ctx) {
  bool minus = false;
  for (const char *s = energy_rows[row].counters; *s; s += strspn(s, " ")) {
    size_t n = strcspn(s, " ");
    if (n == 1 && (*s == '+' || *s == '-'))
      minus = *s == '-';
    else
      term(ctx, s, n, minus);
    s += n;
  }
}
