/* The techniques, as their files declare them. */
#include "cli/list_techniques.h"
#include "base/json.h"
#include "tech/tech.h"

static void allowed(const struct sluice_param *p, struct strbuf *to) {
  switch (p->type) {
  case SLUICE_P_UINT:
    strbuf_addf(to, "%lld..%lld", (long long)p->min, (long long)p->max);
    break;
  case SLUICE_P_FLOAT:
    strbuf_addf(to, "%g..%g", p->fmin, p->fmax);
    break;
  case SLUICE_P_BOOL:
    strbuf_add(to, "true, false");
    break;
  case SLUICE_P_ENUM:
    for (int i = 0; p->choices[i]; i++)
      strbuf_addf(to, "%s%s", i ? ", " : "", p->choices[i]);
    break;
  }
}

static void as_text(struct strbuf *to, const struct sluice_technique *t) {
  strbuf_addf(to, "%s: %s\n  %-8s ", t->name, t->summary, "hooks");
  tech_hooks(t, to);
  strbuf_addf(to, "\n  %-8s %s\n", "from", t->paper);
  for (uint32_t i = 0; i < t->nparams; i++) {
    const struct sluice_param *p = &t->params[i];
    struct strbuf range = {0};
    allowed(p, &range);
    strbuf_addf(to, "  %-8s %s.%s = %s%s%s (%s): %s\n", i ? "" : "params", t->name, p->name, p->initial,
                *p->unit ? " " : "", p->unit, strbuf_str(&range), p->help);
    strbuf_free(&range);
  }
  for (uint32_t i = 0; i < t->ncounters + t->nratios; i++) {
    bool r = i >= t->ncounters;
    uint32_t k = r ? i - t->ncounters : i;
    strbuf_addf(to, "  %-8s %s.%s: %s\n", i ? "" : "counts", t->name,
                r ? t->ratios[k].name : t->counters[k].name, r ? t->ratios[k].help : t->counters[k].help);
  }
}

static void as_json(struct json *j, const struct sluice_technique *t) {
  struct strbuf hooks = {0};
  tech_hooks(t, &hooks);
  json_open(j, NULL, '{');
  json_str(j, "name", t->name);
  json_str(j, "summary", t->summary);
  json_str(j, "paper", t->paper);
  json_str(j, "hooks", strbuf_str(&hooks));
  json_open(j, "params", '[');
  for (uint32_t i = 0; i < t->nparams; i++) {
    const struct sluice_param *p = &t->params[i];
    struct strbuf range = {0};
    allowed(p, &range);
    json_open(j, NULL, '{');
    json_str(j, "name", p->name);
    json_str(j, "default", p->initial);
    json_str(j, "allowed", strbuf_str(&range));
    json_str(j, "unit", p->unit);
    json_str(j, "help", p->help);
    json_str(j, "source", p->source);
    json_close(j);
    strbuf_free(&range);
  }
  json_close(j);
  json_open(j, "stats", '[');
  for (uint32_t i = 0; i < t->ncounters; i++)
    json_str(j, NULL, t->counters[i].name);
  for (uint32_t i = 0; i < t->nratios; i++)
    json_str(j, NULL, t->ratios[i].name);
  if (t->arrays)
    json_str(j, NULL, "storage_bits");
  json_close(j);
  json_close(j);
  strbuf_free(&hooks);
}

static void as_markdown(struct strbuf *to, const struct sluice_technique *t) {
  strbuf_addf(to, "\n## %s\n\n%s From: %s. Hooks: ", t->name, t->summary, t->paper);
  tech_hooks(t, to);
  strbuf_add(to, ".\n");
  if (t->nparams)
    strbuf_add(to, "\n| parameter | default | allowed | unit | meaning | source |\n| --- | --- | --- | --- | "
                   "--- | --- |\n");
  for (uint32_t i = 0; i < t->nparams; i++) {
    const struct sluice_param *p = &t->params[i];
    strbuf_addf(to, "| `%s.%s` | %s | ", t->name, p->name, p->initial);
    allowed(p, to);
    strbuf_addf(to, " | %s | %s | %s |\n", p->unit, p->help, p->source);
  }
  if (t->ncounters)
    strbuf_add(to, "\n| statistic | unit | definition |\n| --- | --- | --- |\n");
  for (uint32_t i = 0; i < t->ncounters; i++)
    strbuf_addf(to, "| `%s.%s` | %s | %s |\n", t->name, t->counters[i].name, t->counters[i].unit,
                t->counters[i].help);
  for (uint32_t i = 0; i < t->nratios; i++)
    strbuf_addf(to, "| `%s.%s` | %s | %s |\n", t->name, t->ratios[i].name, t->ratios[i].unit,
                t->ratios[i].help);
  if (t->arrays && t->ncounters)
    strbuf_addf(to, "| `%s.storage_bits` | bits | Storage it adds to the GPU, all units together. |\n",
                t->name);
}

bool list_techniques(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)of, (void)err;
  struct json j = {0};
  if (form == FORM_JSON)
    json_open(&j, NULL, '[');
  for (size_t i = 0; i < tech_count(); i++) {
    if (form == FORM_JSON)
      as_json(&j, tech_at(i));
    else if (form == FORM_MARKDOWN)
      as_markdown(to, tech_at(i));
    else
      as_text(to, tech_at(i));
    if (form == FORM_TABLE && i + 1 < tech_count())
      strbuf_addc(to, '\n');
  }
  if (form == FORM_JSON) {
    json_close(&j);
    *to = j.out;
  }
  return true;
}
