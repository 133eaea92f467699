/* Configuration: typed, ranged parameters declared in tables, and values in layers.
 *
 *   defaults in the tables  ◀─  --config FILE.yaml  ◀─  --set a.b=c and options of their own
 *
 * A row is all there is to say about a parameter; parsing, checking, help, documentation, the echo and
 * JSON follow from it. Every value remembers where it came from. */
#ifndef SLUICE_CONF_CONF_H
#define SLUICE_CONF_CONF_H

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum conf_type { CONF_BOOL, CONF_INT, CONF_UINT, CONF_FLOAT, CONF_STRING, CONF_ENUM };

struct conf_param {
  const char *name; /* dotted: "front.window" */
  enum conf_type type;
  const char *initial;              /* as a user would write it */
  int64_t min, max;                 /* int, uint; both 0: any */
  double fmin, fmax;                /* float; both 0: any finite */
  const char *const *choices;       /* enum: names, NULL at the end; value = index */
  bool (*valid)(const char *value); /* a rule beyond type and range, or NULL; `allowed` words it */
  const char *allowed;              /* what is allowed, where type and range do not say it */
  const char *unit;                 /* "", "bytes", "CTAs" */
  const char *help;                 /* one sentence */
  const char *source;               /* where the default comes from */
  size_t at, size; /* the field that conf_fill() writes the value to; size 0: none (conf/rows.h) */
};

struct conf_table {
  const char *owner; /* the part of the program that reads it */
  const struct conf_param *params;
  size_t n;
};

struct conf;

/* The tables must outlive it. A broken table (bad default, name used twice) is a panic. */
struct conf *conf_new(const struct conf_table *const *tables, size_t n);
void conf_free(struct conf *c);

/* Layers. All mistakes of a file are reported at once; the values of correct keys are kept. */
bool conf_load_file(struct conf *c, const char *path, struct error *err);
bool conf_load_text(struct conf *c, const char *name, const char *text, size_t n, struct error *err);
bool conf_set(struct conf *c, const char *assignment, struct error *err); /* "a.b=c" */
/* One value, with the origin to remember ("--memcheck"). */
bool conf_assign(struct conf *c, const char *name, const char *value, const char *origin, struct error *err);

/* Values. Asking for a name or type that no table declares is a panic. */
bool conf_bool(const struct conf *c, const char *name);
int64_t conf_i64(const struct conf *c, const char *name);
uint64_t conf_u64(const struct conf *c, const char *name);
double conf_f64(const struct conf *c, const char *name);
const char *conf_str(const struct conf *c, const char *name); /* string, or an enum's name */
int conf_enum(const struct conf *c, const char *name);
/* Writes the values of a table's rows to the fields of the struct that the table is of. Text lives as long as `c`. */
void conf_fill(const struct conf *c, const struct conf_table *t, void *into);
bool conf_has(const struct conf *c, const char *name);           /* does a table declare it? */
const char *conf_origin(const struct conf *c, const char *name); /* "default", "gpu.yaml:12", "--set" */

/* The resolved configuration: YAML with the origin of each value as a comment; members of a JSON object
 * (flat, dotted names) that the caller has open. */
void conf_echo(const struct conf *c, struct strbuf *to);
void conf_json(const struct conf *c, struct json *j);
/* The same of some parameters: those that `take` says yes to. */
typedef bool conf_take_fn(const struct conf *c, const char *owner, const char *name);
void conf_json_some(const struct conf *c, conf_take_fn *take, struct json *j);

/* Documentation of all parameters: a table for people, JSON, Markdown. */
void conf_list(const struct conf *c, struct strbuf *to);
void conf_list_json(const struct conf *c, struct json *j);
void conf_list_markdown(const struct conf *c, struct strbuf *to);

#endif
