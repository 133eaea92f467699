#include "stat/stat.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct slot {
  struct stat_value value;
  const struct stat_table *table;
  char *text; /* the statistics' own copy */
  bool set;
};

struct stats {
  struct slot *slots;
  size_t n;
  uint32_t *by_name; /* open hash table: slot + 1, 0 where there is none */
  size_t mask;
};

/* Where a name is in the table, or would be. */
static uint32_t *place(const struct stats *s, const char *name) {
  size_t i = hash_str(name) & s->mask;
  while (s->by_name[i] && strcmp(s->slots[s->by_name[i] - 1].value.row->name, name) != 0)
    i = (i + 1) & s->mask;
  return &s->by_name[i];
}

static struct slot *find(const struct stats *s, const char *name) {
  uint32_t at = *place(s, name);
  return at ? &s->slots[at - 1] : NULL;
}

struct stats *stats_new(const struct stat_table *const *tables, size_t n) {
  struct stats *s = xcalloc(1, sizeof *s);
  size_t total = 0;
  for (size_t t = 0; t < n; t++)
    total += tables[t]->n;
  s->slots = xcalloc(total, sizeof *s->slots);
  while (s->mask < 2 * total)
    s->mask = 2 * s->mask + 1;
  s->by_name = xcalloc(s->mask + 1, sizeof *s->by_name);
  for (size_t t = 0; t < n; t++)
    for (size_t i = 0; i < tables[t]->n; i++) {
      const struct stat_row *row = &tables[t]->rows[i];
      uint32_t *at = place(s, row->name);
      if (*at)
        panic("statistic %s is declared twice", row->name);
      s->slots[s->n++] = (struct slot){.value.row = row, .table = tables[t]};
      *at = (uint32_t)s->n;
    }
  return s;
}

void stats_free(struct stats *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->n; i++)
    free(s->slots[i].text);
  free(s->slots), free(s->by_name);
  free(s);
}

static struct slot *need(struct stats *s, const char *name, enum stat_type t) {
  struct slot *p = find(s, name);
  if (!p || p->value.row->type != t)
    panic("no statistic %s of this type", name);
  p->set = true;
  return p;
}

void stats_put_u64(struct stats *s, const char *name, uint64_t v) {
  need(s, name, STAT_U64)->value.u = v;
}

void stats_put_f64(struct stats *s, const char *name, double v) {
  need(s, name, STAT_F64)->value.f = v;
}

void stats_put_text(struct stats *s, const char *name, const char *v) {
  struct slot *at = need(s, name, STAT_TEXT);
  free(at->text);
  at->value.text = at->text = xstrdup(v);
}

bool stats_get(const struct stats *s, const char *name, double *v) {
  const struct slot *p = find(s, name);
  if (!p || !p->set || p->value.row->type == STAT_TEXT)
    return false;
  *v = p->value.row->type == STAT_U64 ? (double)p->value.u : p->value.f;
  return true;
}

size_t stats_count(const struct stats *s) {
  return s->n;
}

bool stats_at(const struct stats *s, size_t i, struct stat_value *out) {
  *out = s->slots[i].value;
  return s->slots[i].set;
}

void stat_print(const struct stat_value *v, struct strbuf *to) {
  char buf[NUM_F64_MAX];
  if (v->row->type == STAT_U64)
    strbuf_addf(to, "%" PRIu64, v->u);
  else if (v->row->type == STAT_TEXT)
    stat_csv_text(v->text, to);
  else
    strbuf_add(to, num_print_f64(buf, v->f));
}

void stat_csv_text(const char *s, struct strbuf *to) {
  if (!strpbrk(s, ",\"\r\n")) {
    strbuf_add(to, s);
    return;
  }
  strbuf_addc(to, '"');
  for (; *s; s++)
    strbuf_add(to, *s == '"' ? "\"\"" : (const char[]){*s, 0});
  strbuf_addc(to, '"');
}

void stats_list(const struct stats *s, struct strbuf *to) {
  size_t name = 4, unit = 4;
  for (size_t i = 0; i < s->n; i++) {
    const struct stat_row *r = s->slots[i].value.row;
    name = strlen(r->name) > name ? strlen(r->name) : name;
    unit = strlen(r->unit) > unit ? strlen(r->unit) : unit;
  }
  for (size_t i = 0; i < s->n; i++) {
    const struct stat_row *r = s->slots[i].value.row;
    strbuf_addf(to, "%-*s  %-*s  %s\n", (int)name, r->name, (int)unit, r->unit, r->help);
  }
}

void stats_list_json(const struct stats *s, struct json *j) {
  json_open(j, NULL, '[');
  for (size_t i = 0; i < s->n; i++) {
    const struct stat_row *r = s->slots[i].value.row;
    json_open(j, NULL, '{');
    json_str(j, "name", r->name);
    json_str(j, "unit", r->unit);
    json_str(j, "definition", r->help);
    json_str(j, "owner", s->slots[i].table->owner);
    json_close(j);
  }
  json_close(j);
}

void stats_list_markdown(const struct stats *s, struct strbuf *to) {
  const struct stat_table *table = NULL;
  for (size_t i = 0; i < s->n; i++) {
    const struct stat_row *r = s->slots[i].value.row;
    if (s->slots[i].table != table) {
      table = s->slots[i].table;
      strbuf_addf(to, "\n## %s\n\n| name | unit | definition |\n| --- | --- | --- |\n", table->owner);
    }
    strbuf_addf(to, "| `%s` | %s | %s |\n", r->name, r->unit, r->help);
  }
}
