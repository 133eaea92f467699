/* Command logs: ours (cycle command rank group bank row column) and DRAMsim3's (a channel after the
 * command, rows and columns in hexadecimal). */
#include "dramcheck.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const kind_names[KINDS] = {"ACT", "PRE", "PREA",  "RD",  "RDA", "WR",
                                       "WRA", "REF", "REFPB", "PDE", "PDX"};
static const char *const dramsim3_names[KINDS] = {
    "activate", "precharge", "", "read", "read_p", "write", "write_p", "refresh", "refresh_bank", "", ""};

void log_open(struct log *l, const char *name, bool dramsim3) {
  *l = (struct log){.name = name, .dramsim3 = dramsim3};
  l->file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
  if (!l->file)
    bad_input("%s: cannot read the log", name);
}

void log_close(struct log *l) {
  if (l->file != stdin)
    fclose(l->file);
  free(l->text);
}

static char *skip(char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')
    p++;
  return p;
}

static char *word_end(char *p) {
  while (*p && *p != ' ' && *p != '\t' && *p != '\r' && *p != '\n')
    p++;
  return p;
}

static char *take_number(const struct log *l, char *p, uint64_t max, uint64_t *out) {
  char *end;
  p = skip(p);
  if (*p < '0' || *p > '9')
    bad_input("%s:%" PRIu64 ": a number is missing at '%.20s'", l->name, l->line, p);
  uint64_t v = 0;
  if (p[0] == '0' && p[1] == 'x')
    v = strtoull(p, &end, 16);
  else
    for (end = p; *end >= '0' && *end <= '9' && v < UINT64_MAX / 20; end++)
      v = v * 10 + (uint64_t)(*end - '0');
  if (end != word_end(p) || v > max)
    bad_input("%s:%" PRIu64 ": '%.*s' is not a number up to %" PRIu64, l->name, l->line,
              (int)(word_end(p) - p), p, max);
  *out = v;
  return end;
}

/* A field that the command does not have may be "-". */
static char *take_field(const struct log *l, char *p, bool has, uint64_t max, uint64_t *out) {
  p = skip(p);
  if (*p == '-' && word_end(p) == p + 1 && !has) {
    *out = 0;
    return p + 1;
  }
  return take_number(l, p, max, out);
}

static enum kind take_kind(const struct log *l, char **at) {
  char *p = skip(*at), *end = word_end(p);
  const char *const *names = l->dramsim3 ? dramsim3_names : kind_names;
  *at = end;
  for (int i = 0; i < KINDS; i++)
    if (strlen(names[i]) == (size_t)(end - p) && end > p && memcmp(names[i], p, (size_t)(end - p)) == 0)
      return (enum kind)i;
  bad_input("%s:%" PRIu64 ": '%.*s' is not a command", l->name, l->line, (int)(end - p), p);
}

/* "# key value", "# key: value" */
static void header(struct log *l, char *text) {
  char *key = skip(text + 1), *end = word_end(key), *value = skip(end), *value_end = word_end(value);
  if (end > key && end[-1] == ':')
    end--;
  size_t n = (size_t)(end - key);
  int shown = (int)(value_end - value);
  if (n == 6 && memcmp(key, "device", n) == 0)
    snprintf(l->device, sizeof l->device, "%.*s", shown, value);
  else if (n == 7 && memcmp(key, "refresh", n) == 0)
    snprintf(l->refresh, sizeof l->refresh, "%.*s", shown, value);
  else if (n == 7 && memcmp(key, "channel", n) == 0) {
    uint64_t v;
    take_number(l, value, 65535, &v);
    l->channel = (uint32_t)v;
  }
}

bool log_next(struct log *l, struct command *c) {
  for (;;) {
    ssize_t n = getline(&l->text, &l->cap, l->file);
    if (n < 0)
      break;
    l->line++;
    char *p = skip(l->text);
    if (!*p)
      continue;
    if (*p == '#') {
      header(l, p);
      continue;
    }
    uint64_t v;
    *c = (struct command){.line = l->line, .channel = l->channel};
    p = take_number(l, p, UINT64_MAX / 32, &c->cycle);
    c->kind = take_kind(l, &p);
    if (l->dramsim3) {
      p = take_number(l, p, 65535, &v);
      c->channel = (uint32_t)v;
    }
    p = take_number(l, p, UINT32_MAX, &v);
    c->rank = (uint32_t)v;
    p = take_field(l, p, has_bank(c->kind), UINT32_MAX, &v);
    c->group = (uint32_t)v;
    p = take_field(l, p, has_bank(c->kind), UINT32_MAX, &v);
    c->bank = (uint32_t)v;
    p = take_field(l, p, has_row(c->kind), UINT64_MAX / 32, &c->row);
    p = take_field(l, p, has_column(c->kind), UINT64_MAX / 32, &c->column);
    if (*skip(p))
      bad_input("%s:%" PRIu64 ": '%.20s' follows the command", l->name, l->line, skip(p));
    return true;
  }
  if (ferror(l->file))
    bad_input("%s: cannot be read to its end", l->name);
  return false;
}
