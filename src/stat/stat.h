/* Statistics: declared in tables, set by their owners, printed by one emitter.
 *
 * A row gives name, unit and definition; `sluice list stats`, the documentation and every output format
 * use the same names. A `struct stats` holds values for the rows of some tables; a row that was never
 * put is not printed. What depends on the host lies under "sim.": everything else is reproducible. */
#ifndef SLUICE_STAT_STAT_H
#define SLUICE_STAT_STAT_H

#include "base/json.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stat_type { STAT_U64, STAT_F64, STAT_TEXT };

struct stat_row {
  const char *name; /* dotted path */
  enum stat_type type;
  const char *unit;
  const char *help; /* the definition, one sentence */
};

struct stat_table {
  const char *owner; /* the part of the program that counts it */
  const struct stat_row *rows;
  size_t n;
};

/* sim.cpu_seconds, sim.wall_seconds, sim.peak_rss_mb */
extern const struct stat_table host_stats;

struct stats;
struct stats *stats_new(const struct stat_table *const *tables, size_t n);
void stats_free(struct stats *s);

/* A name or type that no table declares is a panic. */
void stats_put_u64(struct stats *s, const char *name, uint64_t v);
void stats_put_f64(struct stats *s, const char *name, double v);
void stats_put_text(struct stats *s, const char *name, const char *v); /* a copy is kept */
bool stats_get(const struct stats *s, const char *name, double *v);    /* false: never put, or a text */

/* Fills the rows of host_stats. `wall_start` comes from stats_wall_clock(). */
double stats_wall_clock(void);
double stats_cpu_clock(void); /* of the whole process */
void stats_put_host(struct stats *s, double wall_start);

/* Walks the rows that have values, in table order. */
struct stat_value {
  const struct stat_row *row;
  uint64_t u;
  double f;
  const char *text;
};
size_t stats_count(const struct stats *s);
bool stats_at(const struct stats *s, size_t i, struct stat_value *out); /* false: never put */
void stat_print(const struct stat_value *v, struct strbuf *to);
void stat_csv_text(const char *s, struct strbuf *to); /* quoted where CSV needs it */

/* Definitions of all rows, with or without values. */
void stats_list(const struct stats *s, struct strbuf *to);
void stats_list_json(const struct stats *s, struct json *j);
void stats_list_markdown(const struct stats *s, struct strbuf *to);

#endif
