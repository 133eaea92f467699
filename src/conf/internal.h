/* Shared by the files of conf/. */
#ifndef SLUICE_CONF_INTERNAL_H
#define SLUICE_CONF_INTERNAL_H

#include "conf/conf.h"

union conf_payload {
  bool b;
  int64_t i;
  uint64_t u;
  double f;
  int choice;
};

struct conf_value {
  const struct conf_param *param;
  const struct conf_table *table;
  union conf_payload v;
  char *text; /* as it was written */
  char *origin;
  unsigned load; /* the file load that set it last: one file may set a value once */
};

struct conf {
  struct conf_value *values; /* in the order of the tables */
  const char **names;        /* the same order, for suggestions */
  uint32_t *place,
      mask; /* by hash of the name: 1 + place of the value; 0: none, as in half of them at least */
  size_t n;
  unsigned loads;
};

struct conf_value *conf_find(const struct conf *c, const char *name);
/* Checks text against the row. On failure adds "<where>: <what>: value ... allowed ..." to err. */
bool conf_parse(const struct conf_param *p, const char *text, union conf_payload *out, const char *where,
                struct error *err);
/* "1..64", "error, warn, off": what the row allows */
void conf_allowed(const struct conf_param *p, struct strbuf *to);
const char *conf_type_name(enum conf_type t);

#endif
