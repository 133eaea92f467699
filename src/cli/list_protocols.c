#include "cli/list_protocols.h"
#include "base/json.h"
#include "coherence/protocol.h"

static const char *const asks[] = {"share", "write", "own", "atomic"};
static const char *const notices[] = {"gone", "no owner"};
static const char *const sharings[] = {"nobody else has the line", "others have it", "another L1 owns it"};

static bool known(const struct protocol *p, int state) {
  for (int e = 0; e < LINE_EVENTS; e++)
    if (p->l1[state][e].does != RULE_NEVER)
      return true;
  return false;
}

/* What an L1 does, as in "ask to own" or "tell: gone → I". */
static void say_rule(const struct line_rule *r, struct strbuf *to) {
  const char *next = line_state_names[r->next];
  switch (r->does) {
  case RULE_NEVER:
    strbuf_addf(to, "–");
    break;
  case RULE_HERE:
    strbuf_addf(to, "here → %s", next);
    break;
  case RULE_ASK:
    strbuf_addf(to, "ask to %s", asks[r->ask]);
    break;
  case RULE_FETCH:
    strbuf_addf(to, "fetch → %s", next);
    break;
  case RULE_THROUGH:
    strbuf_addf(to, "write through → %s", next);
    break;
  case RULE_NOTIFY:
    strbuf_addf(to, "tell: %s → %s", notices[r->notice], next);
    break;
  case RULE_ACKNOWLEDGE:
    strbuf_addf(to, "acknowledge → %s", next);
    break;
  case RULE_ACKNOWLEDGE_LINE:
    strbuf_addf(to, "acknowledge with the line → %s", next);
    break;
  }
}

static void say_directory(const struct directory_rule *r, struct strbuf *to) {
  static const char *const first[] = {"–", "", "downgrade the owner; ", "invalidate all others; "};
  strbuf_addf(to, "%s", first[r->does]);
  if (r->does == DIRECTORY_NEVER)
    return;
  if (r->state == LINE_I)
    strbuf_addf(to, "perform it");
  else
    strbuf_addf(to, "%s%s", line_state_names[r->state], r->owns ? ", as owner" : "");
}

/* A cell of a table in words, which the caller frees. */
static struct strbuf cell(const struct protocol *p, int row, int column, bool directory) {
  struct strbuf s = {0};
  if (directory)
    say_directory(&p->l2[row][column], &s);
  else
    say_rule(&p->l1[row][column], &s);
  return s;
}

static void table(const struct protocol *p, bool directory, bool markdown, struct strbuf *to) {
  int rows = directory ? LINE_ASKS : LINE_STATES, columns = directory ? LINE_SHARINGS : LINE_EVENTS;
  const char *const *names = directory ? sharings : line_event_names;
  if (markdown) {
    strbuf_addf(to, "\n| %s |", directory ? "the directory is asked for" : "state in an L1");
    for (int k = 0; k < columns; k++)
      strbuf_addf(to, " %s |", names[k]);
    strbuf_addf(to, "\n|");
    for (int k = 0; k <= columns; k++)
      strbuf_addf(to, " --- |");
    strbuf_addf(to, "\n");
  }
  for (int i = 0; i < rows; i++) {
    if (directory ? p->l2[i][0].does == DIRECTORY_NEVER : !known(p, i))
      continue;
    const char *name = directory ? asks[i] : line_state_names[i];
    if (markdown)
      strbuf_addf(to, "| %s |", name);
    for (int k = 0; k < columns; k++) {
      struct strbuf s = cell(p, i, k, directory);
      if (markdown)
        strbuf_addf(to, " %s |", strbuf_str(&s));
      else
        strbuf_addf(to, "  %-7s %-25s %s\n", k ? "" : name, names[k], strbuf_str(&s));
      strbuf_free(&s);
    }
    if (markdown)
      strbuf_addf(to, "\n");
  }
}

static void as_json(const struct protocol *p, bool directory, struct json *j) {
  int rows = directory ? LINE_ASKS : LINE_STATES, columns = directory ? LINE_SHARINGS : LINE_EVENTS;
  json_open(j, directory ? "directory" : "l1", '{');
  for (int i = 0; i < rows; i++) {
    if (directory ? p->l2[i][0].does == DIRECTORY_NEVER : !known(p, i))
      continue;
    json_open(j, directory ? asks[i] : line_state_names[i], '{');
    for (int k = 0; k < columns; k++) {
      struct strbuf s = cell(p, i, k, directory);
      json_str(j, directory ? sharings[k] : line_event_names[k], strbuf_str(&s));
      strbuf_free(&s);
    }
    json_close(j);
  }
  json_close(j);
}

bool list_protocols(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)of, (void)err;
  struct json j = {0};
  if (form == FORM_JSON)
    json_open(&j, NULL, '[');
  for (int i = COHERENCE_SI; i <= COHERENCE_NMOESI; i++) {
    const struct protocol *p = &protocols[i];
    if (form == FORM_JSON) {
      json_open(&j, NULL, '{');
      json_str(&j, "name", p->name);
      json_str(&j, "title", p->title);
      as_json(p, false, &j);
      if (p->directory)
        as_json(p, true, &j);
      json_close(&j);
      continue;
    }
    strbuf_addf(to, form == FORM_MARKDOWN ? "\n## `%s`: %s\n" : "%s: %s\n", p->name, p->title);
    table(p, false, form == FORM_MARKDOWN, to);
    if (p->directory)
      table(p, true, form == FORM_MARKDOWN, to);
  }
  if (form == FORM_JSON) {
    json_close(&j);
    strbuf_addf(to, "%s\n", strbuf_str(&j.out));
    strbuf_free(&j.out);
  }
  return true;
}
