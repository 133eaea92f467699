/* The papers that `sluice paper` knows by name, and their figures. */
#include "cli/list_papers.h"
#include "base/json.h"
#include "paper/paper.h"
#include "paper/presets.h"

static void as_table(const struct paper *p, struct strbuf *to) {
  strbuf_addf(to, "%s: %s\n", p->name, p->title);
  for (size_t i = 0; i < p->nfigures; i++)
    strbuf_addf(to, "  %-12s %s\n", p->figures[i].id, p->figures[i].title);
  for (size_t i = 0; i < p->nreadings && *p->readings[0].is.name; i++)
    strbuf_addf(to, "  reading %s%s\n", p->readings[i].is.name, i == p->chosen ? " (chosen)" : "");
  for (size_t i = 0; i < p->nabsent; i++)
    strbuf_addf(to, "  %-12s not here: %s; %s\n", p->absent[i].id, p->absent[i].what, p->absent[i].why);
}

static void as_markdown(const struct paper *p, struct strbuf *to) {
  strbuf_addf(to, "\n## %s\n\n%s. %s\n\n| figure | what |\n| --- | --- |\n", p->name, p->title, p->about);
  for (size_t i = 0; i < p->nfigures; i++)
    strbuf_addf(to, "| `%s` | %s |\n", p->figures[i].id, p->figures[i].title);
  for (size_t i = 0; i < p->nabsent; i++)
    strbuf_addf(to, "| %s, not here | %s: %s |\n", p->absent[i].id, p->absent[i].what, p->absent[i].why);
}

static void as_json(const struct paper *p, struct json *j) {
  json_open(j, NULL, '{');
  json_str(j, "name", p->name);
  json_str(j, "title", p->title);
  json_open(j, "figures", '[');
  for (size_t i = 0; i < p->nfigures; i++) {
    json_open(j, NULL, '{');
    json_str(j, "id", p->figures[i].id);
    json_str(j, "title", p->figures[i].title);
    json_bool(j, "quick", p->figures[i].quick);
    json_close(j);
  }
  json_close(j);
  json_open(j, "readings", '[');
  for (size_t i = 0; i < p->nreadings && *p->readings[0].is.name; i++) {
    json_open(j, NULL, '{');
    json_str(j, "name", p->readings[i].is.name);
    json_bool(j, "chosen", i == p->chosen);
    json_str(j, "basis", paper_basis_names[p->readings[i].basis]);
    json_str(j, "reason", p->readings[i].reason);
    json_close(j);
  }
  json_close(j);
  json_close(j);
}

bool list_papers(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)of;
  struct json j = {0};
  if (form == FORM_JSON)
    json_open(&j, NULL, '[');
  for (size_t i = 0; i < paper_preset_count; i++) {
    struct paper *p = paper_load(paper_preset_names[i], err);
    if (!p)
      return false;
    if (form == FORM_JSON)
      as_json(p, &j);
    else if (form == FORM_MARKDOWN)
      as_markdown(p, to);
    else
      as_table(p, to);
    paper_free(p);
  }
  if (form == FORM_JSON) {
    json_close(&j);
    *to = j.out;
  }
  return true;
}
