/* A YAML file as a tree of nodes that remember where they stood.
 *
 * The part of YAML that configuration needs: one document of maps, sequences and scalars. Aliases,
 * anchors, tags, duplicate keys, several documents and excessive depth or size are refused with
 * file and line.
 *
 * Getters add a line to `err` (code EXIT_USAGE) and go on being usable, so that a loader can read
 * everything and report all mistakes at once:
 *
 *   saxpy.yaml:12: launches[0].grid: 'x' is not a whole number (allowed: 1..65535)  */
#ifndef SLUICE_CONF_YAML_H
#define SLUICE_CONF_YAML_H

#include "base/error.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum yaml_kind { YAML_SCALAR, YAML_MAP, YAML_SEQ };

/* libyaml exports yaml_free and other internal names to the linker: none may be used here. */
struct yaml_node {
  enum yaml_kind kind;
  bool quoted;              /* scalar: in quotes or a block; never null, bool or number by itself */
  unsigned line, col;       /* from 1 */
  const char *text;         /* scalar: its value, no NUL inside */
  size_t n;                 /* entries of a map or sequence */
  struct yaml_node **items; /* values, in file order */
  const char **keys;        /* map: key of items[i]; NULL in a sequence */
  unsigned *key_lines;      /* map: where the key stood */
  const struct yaml_node *parent;
  size_t index; /* in parent->items */
  const struct yaml_doc *doc;
};

struct yaml_doc {
  const char *file;
  struct yaml_node *root; /* NULL for an empty document */
};

struct yaml_doc *yaml_parse_file(const char *path, struct error *err);
struct yaml_doc *yaml_parse_text(const char *name, const char *text, size_t n, struct error *err);
void yaml_close(struct yaml_doc *d);

/* "launches[0].grid"; "" for the root */
void yaml_path(const struct yaml_node *n, struct strbuf *to);
/* Adds "file:line: path: " and the message. Returns false. */
bool yaml_error(const struct yaml_node *n, struct error *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

bool yaml_is_null(const struct yaml_node *n); /* NULL, an empty plain scalar, ~ or null */
/* Value of a key, or NULL (also when `map` is NULL or no map). */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);
/* The same, with an error when it is missing. */
const struct yaml_node *yaml_need(const struct yaml_node *map, const char *key, struct error *err);
/* Checks that the node is a map and has no key outside `names`; reports each with the nearest name. */
bool yaml_check_keys(const struct yaml_node *map, const char *const *names, int n, struct error *err);
bool yaml_check_kind(const struct yaml_node *n, enum yaml_kind kind, struct error *err);

/* Typed values. False after adding an error; *out is then unchanged. Integers take the suffixes of
 * base/num.h (k M G Ki Mi Gi, 1e9, 0x...). */
bool yaml_u64(const struct yaml_node *n, uint64_t min, uint64_t max, uint64_t *out, struct error *err);
bool yaml_i64(const struct yaml_node *n, int64_t min, int64_t max, int64_t *out, struct error *err);
bool yaml_f64(const struct yaml_node *n, double *out, struct error *err);
bool yaml_bool(const struct yaml_node *n, bool *out, struct error *err);
bool yaml_str(const struct yaml_node *n, const char **out, struct error *err); /* lives as long as the doc */
bool yaml_enum(const struct yaml_node *n, const char *const *names, int count, int *out, struct error *err);

#endif
