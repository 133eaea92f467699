#include "lab/spec.h"
#include "base/json.h"
#include "base/num.h"
#include "sluice.h"
#include <stdlib.h>
#include <string.h>

static void put(struct json *j, const char *key, const char *value) {
  if (value)
    json_str(j, key, value);
}

void lab_spec_write(const struct lab_point *p, const struct lab_streams *streams, unsigned threads,
                    struct strbuf *to) {
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_str(&j, "model", lab_model());
  json_str(&j, "id", p->id);
  json_str(&j, "workload", p->workload.name);
  put(&j, "size", p->workload.size);
  put(&j, "input", p->workload.input);
  json_u64(&j, "seed", p->workload.seed);
  json_open(&j, "params", '{');
  for (size_t i = 0; i < p->workload.params.n; i++)
    json_str(&j, p->workload.params.at[i].name, p->workload.params.at[i].value);
  json_close(&j);
  json_u64(&j, "max_cycles", p->max_cycles);
  json_u64(&j, "threads", threads);
  json_open(&j, "plugins", '[');
  for (size_t i = 0; i < p->nplugins; i++)
    json_str(&j, NULL, p->plugins[i]);
  json_close(&j);
  json_str(&j, "stream", p->stream_id);
  put(&j, "cache", streams->folder);
  json_u64(&j, "cache_limit", streams->limit);
  json_str(&j, "config", p->config);
  json_close(&j);
  strbuf_addn(to, j.out.s, j.out.n);
  strbuf_free(&j.out);
}

static bool same_model(const struct yaml_node *root, struct error *err) {
  const struct yaml_node *n = yaml_need(root, "model", err);
  const char *model;
  if (!n || !yaml_str(n, &model, err))
    return false;
  return strcmp(model, lab_model()) == 0 ||
         error_add(err, EXIT_USAGE,
                   "the point is for model %s; this program is %s: use one build for a sweep", model,
                   lab_model());
}

static const char *optional(const struct yaml_node *root, const char *key, struct error *err) {
  const struct yaml_node *n = yaml_get(root, key);
  const char *v = NULL;
  if (n)
    yaml_str(n, &v, err);
  return v;
}

static const char *needed(const struct yaml_node *root, const char *key, struct error *err) {
  const char *v = NULL;
  const struct yaml_node *n = yaml_need(root, key, err);
  if (n)
    yaml_str(n, &v, err);
  return v;
}

static void number(const struct yaml_node *root, const char *key, uint64_t *out, struct error *err) {
  const struct yaml_node *n = yaml_need(root, key, err);
  if (n)
    yaml_u64(n, 0, UINT64_MAX, out, err);
}

bool lab_spec_read(const char *name, const char *text, size_t n, struct lab_spec *s, struct error *err) {
  *s = (struct lab_spec){0};
  s->doc = yaml_parse_text(name, text, n, err);
  const struct yaml_node *root = s->doc ? s->doc->root : NULL;
  if (!root || !yaml_check_kind(root, YAML_MAP, err))
    return err->code ? false : error_add(err, EXIT_USAGE, "%s: empty", name);
  if (!same_model(root, err))
    return false;
  struct lab_workload *w = &s->workload;
  s->id = needed(root, "id", err), s->config = needed(root, "config", err);
  w->name = needed(root, "workload", err);
  w->size = optional(root, "size", err), w->input = optional(root, "input", err);
  number(root, "seed", &w->seed, err);
  number(root, "max_cycles", &s->max_cycles, err);
  const struct yaml_node *threads = yaml_need(root, "threads", err);
  if (threads)
    yaml_u64(threads, 1, SLUICE_MAX_THREADS, &s->threads, err);
  number(root, "cache_limit", &s->streams.limit, err);
  s->streams.folder = optional(root, "cache", err);
  const struct yaml_node *v = yaml_need(root, "stream", err);
  s->stream_id = v && v->kind == YAML_SCALAR ? v->text : "";
  const struct yaml_node *params = yaml_need(root, "params", err), *plugins = yaml_need(root, "plugins", err);
  for (size_t i = 0; params && params->keys && i < params->n; i++)
    lab_pairs_put(&w->params, params->keys[i], params->items[i]->text ? params->items[i]->text : "");
  s->plugins = xcalloc(plugins ? plugins->n + 1 : 1, sizeof *s->plugins);
  for (size_t i = 0; plugins && i < plugins->n; i++)
    if (yaml_str(plugins->items[i], &s->plugins[i], err))
      s->nplugins++;
  return !err->code;
}

void lab_spec_free(struct lab_spec *s) {
  lab_pairs_free(&s->workload.params);
  free(s->plugins);
  if (s->doc)
    yaml_close(s->doc);
  *s = (struct lab_spec){0};
}

void lab_result_write(const struct lab_result *r, struct strbuf *to) {
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_str(&j, "id", r->id);
  json_str(&j, "state", lab_state_names[r->outcome.state]);
  json_str(&j, "reason", r->outcome.reason);
  json_f64(&j, "wall_s", r->outcome.wall_s);
  json_f64(&j, "cpu_s", r->outcome.cpu_s);
  json_u64(&j, "peak_kib", r->outcome.peak_kib);
  json_open(&j, "stats", '{');
  for (size_t i = 0; i < r->n; i++) {
    const struct lab_value *v = &r->values[i];
    if (v->real)
      json_f64(&j, v->name, v->f);
    else
      json_i64(&j, v->name, v->i);
  }
  json_close(&j);
  json_close(&j);
  strbuf_addn(to, j.out.s, j.out.n);
  strbuf_free(&j.out);
}

static const char *keep(struct lab_result *r, const char *s) {
  return arena_strndup(&r->mem, s ? s : "", s ? strlen(s) : 0);
}

static void read_value(struct lab_result *r, const char *name, const struct yaml_node *n, struct error *err) {
  struct lab_value v = {.name = keep(r, name)};
  v.real = n->kind == YAML_SCALAR && num_i64(n->text, &v.i) != NUM_OK;
  if (!v.real || yaml_f64(n, &v.f, err))
    VEC_PUSH(r->values, r->n, r->cap) = v;
}

static void read_result(struct lab_result *r, const struct yaml_node *root, struct error *err) {
  const struct yaml_node *state = yaml_need(root, "state", err), *stats = yaml_need(root, "stats", err), *n;
  int which = 0, count = 0;
  while (lab_state_names[count])
    count++;
  if (state && yaml_enum(state, lab_state_names, count, &which, err))
    r->outcome.state = (enum lab_state)which;
  r->id = keep(r, needed(root, "id", err));
  n = yaml_need(root, "reason", err);
  r->outcome.reason = keep(r, n && n->kind == YAML_SCALAR ? n->text : "");
  if ((n = yaml_need(root, "wall_s", err)))
    yaml_f64(n, &r->outcome.wall_s, err);
  if ((n = yaml_need(root, "cpu_s", err)))
    yaml_f64(n, &r->outcome.cpu_s, err);
  number(root, "peak_kib", &r->outcome.peak_kib, err);
  for (size_t i = 0; stats && stats->keys && i < stats->n; i++)
    read_value(r, stats->keys[i], stats->items[i], err);
}

bool lab_result_read(const char *name, const char *text, size_t n, struct lab_result *r, struct error *err) {
  *r = (struct lab_result){0};
  struct yaml_doc *doc = yaml_parse_text(name, text, n, err);
  if (!doc)
    return false;
  if (!doc->root || doc->root->kind != YAML_MAP)
    error_add(err, EXIT_USAGE, "%s: not a result", name);
  else
    read_result(r, doc->root, err);
  yaml_close(doc);
  return !err->code;
}

void lab_result_free(struct lab_result *r) {
  free(r->values);
  arena_free(&r->mem);
  *r = (struct lab_result){0};
}
