/* The workloads, as their about.yaml describes them, with the counts of measured.yaml. */
#include "cli/list_workloads.h"
#include "base/json.h"
#include "workload/workload.h"
#include <inttypes.h>
#include <string.h>

static void join_papers(const struct workload_about *a, struct strbuf *to) {
  for (size_t i = 0; i < a->npapers; i++)
    strbuf_addf(to, "%s%s: %s", i ? ", " : "", a->papers[i], a->paper_names[i]);
}

static void join_size(const struct workload_about *a, int size, struct strbuf *to) {
  for (size_t i = 0; i < a->nparams; i++)
    strbuf_addf(to, "%s%s=%s", i ? " " : "", a->params[i].name, a->params[i].sizes[size]);
}

static void amount(struct strbuf *to, uint64_t v, uint64_t step, const char *const *units) {
  double d = (double)v;
  int u = 0;
  while (d >= (double)step && units[u + 1])
    d /= (double)step, u++;
  strbuf_addf(to, u ? "%.1f %s" : "%.0f %s", d, units[u]);
}

static void measured_text(struct strbuf *to, const struct workload_measured *m) {
  static const char *const counts[] = {"", "k", "M", "G", NULL}, *const bytes[] = {"B", "KiB", "MiB", "GiB",
                                                                                   NULL};
  amount(to, m->instructions, 1000, counts);
  strbuf_add(to, " warp instructions, ");
  amount(to, m->footprint, 1024, bytes);
}

static void as_table(struct strbuf *to, const struct workload *k, const struct workload_about *a) {
  struct strbuf s = {0};
  strbuf_addf(to, "%s: %s\n  %-8s %s", k->name, a->what, "suite", a->suite);
  join_papers(a, &s);
  if (s.n)
    strbuf_addf(to, " (%s)", s.s);
  strbuf_addf(to, "\n  %-8s %s\n", "access", a->access);
  for (int i = 0; i < SIZE_COUNT; i++) {
    struct workload_measured m;
    strbuf_free(&s);
    join_size(a, i, &s);
    if (workload_measured_read(k, (enum workload_size)i, &m)) {
      strbuf_add(&s, ": ");
      measured_text(&s, &m);
    }
    strbuf_addf(to, "  %-8s %s\n", workload_size_names[i], strbuf_str(&s));
  }
  strbuf_free(&s);
}

static void json_params(struct json *j, const struct workload_about *a) {
  json_open(j, "params", '[');
  for (size_t i = 0; i < a->nparams; i++) {
    const struct workload_param *p = &a->params[i];
    json_open(j, NULL, '{');
    json_str(j, "name", p->name);
    json_str(j, "help", p->help);
    if (p->type == PARAM_INTEGER) {
      json_u64(j, "min", p->min);
      json_u64(j, "max", p->max);
      json_u64(j, "multiple", p->multiple);
    }
    if (p->type == PARAM_CHOICE) {
      json_open(j, "values", '[');
      for (size_t v = 0; v < p->nvalues; v++)
        json_str(j, NULL, p->values[v]);
      json_close(j);
    }
    json_close(j);
  }
  json_close(j);
}

static void as_json(struct json *j, const struct workload *k, const struct workload_about *a) {
  json_open(j, NULL, '{');
  json_str(j, "name", k->name);
  json_str(j, "what", a->what);
  json_str(j, "suite", a->suite);
  json_open(j, "papers", '{');
  for (size_t i = 0; i < a->npapers; i++)
    json_str(j, a->papers[i], a->paper_names[i]);
  json_close(j);
  json_str(j, "access", a->access);
  if (a->input)
    json_str(j, "input", a->input);
  json_params(j, a);
  json_open(j, "sizes", '{');
  for (int i = 0; i < SIZE_COUNT; i++) {
    struct workload_measured m;
    json_open(j, workload_size_names[i], '{');
    json_open(j, "params", '{');
    for (size_t p = 0; p < a->nparams; p++)
      json_str(j, a->params[p].name, a->params[p].sizes[i]);
    json_close(j);
    if (workload_measured_read(k, (enum workload_size)i, &m)) {
      json_u64(j, "warp_instructions", m.instructions);
      json_u64(j, "footprint_bytes", m.footprint);
    }
    json_close(j);
  }
  json_close(j);
  json_close(j);
}

static void as_markdown(struct strbuf *to, const struct workload *k, const struct workload_about *a) {
  strbuf_addf(to, "| `%s` | %s | ", k->name, a->suite);
  join_papers(a, to);
  strbuf_addf(to, " | %s | %s |\n", a->what, a->access);
}

/* A field in quotes: commas are likely. */
static void quoted(struct strbuf *to, const char *s) {
  strbuf_addc(to, '"');
  for (; *s; s++)
    strbuf_add(to, *s == '"' ? "\"\"" : (const char[]){*s, 0});
  strbuf_addc(to, '"');
}

static void as_csv(struct strbuf *to, const struct workload *k, const struct workload_about *a) {
  for (int i = 0; i < SIZE_COUNT; i++) {
    struct strbuf papers = {0}, params = {0};
    struct workload_measured m;
    join_papers(a, &papers);
    join_size(a, i, &params);
    strbuf_addf(to, "%s,%s,%s,", k->name, workload_size_names[i], a->suite);
    quoted(to, strbuf_str(&papers));
    strbuf_addc(to, ',');
    quoted(to, strbuf_str(&params));
    if (workload_measured_read(k, (enum workload_size)i, &m))
      strbuf_addf(to, ",%" PRIu64 ",%" PRIu64 ",", m.instructions, m.footprint);
    else
      strbuf_add(to, ",,,");
    quoted(to, a->what);
    strbuf_addc(to, '\n');
    strbuf_free(&papers);
    strbuf_free(&params);
  }
}

bool list_workloads(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)of;
  struct json j = {0};
  bool ok = true;
  if (form == FORM_JSON)
    json_open(&j, NULL, '[');
  if (form == FORM_CSV)
    strbuf_add(to, "name,size,suite,papers,params,warp_instructions,footprint_bytes,what\n");
  if (form == FORM_MARKDOWN)
    strbuf_add(to, "| name | suite | named in | what it computes | memory accesses |\n| --- | --- | --- | "
                   "--- | --- |\n");
  for (size_t i = 0; i < workload_count; i++) {
    const struct workload *k = workload_all[i];
    struct workload_about a;
    if (!workload_about_read(&a, k, err)) {
      ok = false;
      continue;
    }
    switch (form) {
    case FORM_JSON:
      as_json(&j, k, &a);
      break;
    case FORM_CSV:
      as_csv(to, k, &a);
      break;
    case FORM_MARKDOWN:
      as_markdown(to, k, &a);
      break;
    case FORM_TABLE:
      as_table(to, k, &a);
      break;
    }
    workload_about_free(&a);
  }
  if (form == FORM_JSON) {
    json_close(&j);
    *to = j.out;
  }
  return ok;
}
