/* Reads what matters of a device file, straight from libyaml's events. */
#include "dramcheck.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct entry {
  const char *section, *key;
  bool required;
  size_t offset;
};
static const struct entry entries[] = {
#define X(section, key, required) {#section, #key, required, offsetof(struct device, key)},
    DEVICE_KEYS(X)
#undef X
};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* Values wait as text until the clock period is known. */
struct reading {
  const char *path;
  char value[ENTRIES][32];
  char tck_ps[32], two_buses[32];
};

static void keep(char *to, const struct reading *r, const char *key, const char *value) {
  if (strlen(value) >= 32)
    bad_input("%s: %s: '%.40s...' is too long", r->path, key, value);
  strcpy(to, value);
}

static void found(struct reading *r, const char *section, const char *key, const char *value) {
  for (int i = 0; i < ENTRIES; i++)
    if (strcmp(entries[i].section, section) == 0 && strcmp(entries[i].key, key) == 0)
      keep(r->value[i], r, key, value);
  if (strcmp(section, "clock") == 0 && strcmp(key, "tck_ps") == 0)
    keep(r->tck_ps, r, key, value);
  if (strcmp(section, "clock") == 0 && strcmp(key, "row_and_column_bus") == 0)
    keep(r->two_buses, r, key, value);
}

/* Maps of scalars, two levels deep; whatever lies deeper is passed over. */
static void read_events(struct reading *r, FILE *f) {
  yaml_parser_t parser;
  yaml_event_t e;
  char section[64] = "", key[64] = "";
  int depth = 0;
  bool is_key = true;
  if (!yaml_parser_initialize(&parser))
    bad_input("out of memory");
  yaml_parser_set_input_file(&parser, f);
  for (bool more = true; more;) {
    if (!yaml_parser_parse(&parser, &e))
      bad_input("%s:%zu: not valid YAML: %s", r->path, parser.problem_mark.line + 1, parser.problem);
    switch (e.type) {
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
      depth++;
      if (depth == 2)
        strcpy(section, key);
      is_key = true;
      break;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
      depth--;
      if (depth == 1)
        section[0] = 0;
      is_key = true;
      break;
    case YAML_SCALAR_EVENT: {
      const char *text = (const char *)e.data.scalar.value;
      if (depth <= 2 && is_key)
        snprintf(key, sizeof key, "%s", text);
      else if (depth <= 2)
        found(r, section, key, text);
      is_key = !is_key;
      break;
    }
    case YAML_ALIAS_EVENT:
      bad_input("%s:%zu: aliases are not supported", r->path, e.start_mark.line + 1);
    case YAML_STREAM_END_EVENT:
      more = false;
      break;
    default:
      break;
    }
    yaml_event_delete(&e);
  }
  yaml_parser_delete(&parser);
}

static uint64_t cycles(const struct reading *r, const char *key, const char *text) {
  char *end;
  double v = strtod(text, &end);
  while (*end == ' ')
    end++;
  if (end == text || !(v >= 0 && v < 1e15))
    bad_input("%s: %s: '%s' is not a number", r->path, key, text);
  if (strcmp(end, "ns") == 0) {
    double tck = strtod(r->tck_ps, NULL);
    if (!(tck > 0))
      bad_input("%s: tck_ps is missing, but %s is in ns", r->path, key);
    /* up to whole cycles; a millionth of a cycle is the rounding of the text */
    return (uint64_t)ceil(v * 1000 / tck - 1e-6);
  }
  if (*end || v != floor(v))
    bad_input("%s: %s: '%s' is neither cycles nor ns", r->path, key, text);
  return (uint64_t)v;
}

void device_read(struct device *d, const char *path) {
  struct reading *r = calloc(1, sizeof *r);
  FILE *f = fopen(path, "rb");
  if (!r || !f)
    bad_input("%s: cannot read the device", path);
  r->path = path;
  read_events(r, f);
  fclose(f);
  memset(d, 0, sizeof *d);
  for (int i = 0; i < ENTRIES; i++) {
    uint64_t *to = (uint64_t *)(void *)((char *)d + entries[i].offset);
    if (r->value[i][0])
      *to = cycles(r, entries[i].key, r->value[i]);
    else if (entries[i].required)
      bad_input("%s: %s.%s is missing", path, entries[i].section, entries[i].key);
  }
  if (!d->rc)
    d->rc = d->ras + d->rp;
  d->two_buses = strcmp(r->two_buses, "true") == 0;
  uint64_t banks = d->ranks * d->bank_groups * d->banks;
  if (!banks || banks > 65536 || d->ranks > 65536 || d->bank_groups > 65536 || d->banks > 65536)
    bad_input("%s: %llu banks are not possible", path, (unsigned long long)banks);
  free(r);
}
