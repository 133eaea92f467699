#include "lab/point.h"
#include "base/hash.h"
#include "base/json.h"
#include "conf/conf.h"
#include "front/trace/trace.h"
#include "gpu/presets.h"
#include "lab/model.h"
#include "tables.h"
#include "tech/tech.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *lab_model(void) {
  return SLUICE_VERSION "-" LAB_MODEL;
}

void lab_pairs_put(struct lab_pairs *p, const char *name, const char *value) {
  for (size_t i = 0; i < p->n; i++)
    if (strcmp(p->at[i].name, name) == 0) {
      p->at[i].value = value;
      return;
    }
  VEC_PUSH(p->at, p->n, p->cap) = (struct lab_pair){name, value};
}

const char *lab_pairs_get(const struct lab_pairs *p, const char *name) {
  for (size_t i = 0; i < p->n; i++)
    if (strcmp(p->at[i].name, name) == 0)
      return p->at[i].value;
  return NULL;
}

void lab_pairs_free(struct lab_pairs *p) {
  free(p->at);
  *p = (struct lab_pairs){0};
}

char *lab_pairs_json(const struct lab_pairs *p) {
  struct strbuf s = {0};
  strbuf_addc(&s, '{');
  for (size_t i = 0; i < p->n; i++) {
    strbuf_add(&s, i ? ", " : "");
    json_quote(&s, p->at[i].name);
    strbuf_add(&s, ": ");
    json_quote(&s, p->at[i].value);
  }
  strbuf_addc(&s, '}');
  return strbuf_take(&s);
}

void lab_hash(const void *bytes, size_t n, char out[LAB_HASH]) {
  snprintf(out, LAB_HASH, "%016llx%016llx", (unsigned long long)hash_bytes(bytes, n, 1),
           (unsigned long long)hash_bytes(bytes, n, 2));
}

static const char *keep(struct arena *mem, const char *s) {
  return s ? arena_strndup(mem, s, strlen(s)) : NULL;
}

static struct lab_pairs keep_pairs(struct arena *mem, const struct lab_pairs *p) {
  struct lab_pairs k = {arena_alloc(mem, (p->n + 1) * sizeof *k.at), p->n, p->n};
  for (size_t i = 0; i < p->n; i++)
    k.at[i] = (struct lab_pair){keep(mem, p->at[i].name), keep(mem, p->at[i].value)};
  return k;
}

static void configure(struct conf *c, const struct lab_point *p, struct error *err) {
  if (p->gpu)
    gpu_preset_load(c, p->gpu, err);
  if (p->with && *p->with)
    tech_with(c, p->with, err);
  for (size_t i = 0; i < p->set.n; i++)
    conf_assign(c, p->set.at[i].name, p->set.at[i].value, "set", err);
}

static bool in_use(const struct conf *c, const char *technique) {
  size_t n = strlen(technique);
  for (const char *at = conf_str(c, "tech.with"); *at;) {
    size_t k = strcspn(at, ",");
    if (k == n && memcmp(at, technique, n) == 0)
      return true;
    at += k + (at[k] == ',');
  }
  return false;
}

static bool has(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Parameters of a technique that does not take part determine nothing, nor does what tells of the host. */
static bool of_result(const struct conf *c, const char *owner, const char *name) {
  return !has(name, "host.") && (!tech_find(owner) || in_use(c, owner));
}

/* Parameters that may name a file, whose content matters and not its path. */
static const char *const files[] = {"dram.device", "dram.controller"};

static bool of_identity(const struct conf *c, const char *owner, const char *name) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (strcmp(name, files[i]) == 0)
      return false;
  return of_result(c, owner, name);
}

static bool hash_files(const struct conf *c, struct strbuf *to, struct error *err) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char *value = conf_str(c, files[i]);
    char h[LAB_HASH];
    if (!strchr(value, '/') && !strstr(value, ".yaml"))
      strbuf_addf(to, "%s %s\n", files[i], value);
    else if (lab_hash_file(value, h, err))
      strbuf_addf(to, "%s content %s\n", files[i], h);
    else
      return false;
  }
  return true;
}

static bool of_stream(const struct conf *c, const char *owner, const char *name) {
  (void)c, (void)owner;
  return has(name, "front.") || has(name, "memory.");
}

static char *config_json(const struct conf *c, conf_take_fn *take) {
  struct json j = {0};
  json_open(&j, NULL, '{');
  conf_json_some(c, take, &j);
  json_close(&j);
  return strbuf_take(&j.out);
}

static bool hash_plugins(const struct lab_point *p, struct strbuf *to, struct error *err) {
  for (size_t i = 0; i < p->nplugins; i++) {
    char h[LAB_HASH];
    if (!lab_hash_file(p->plugins[i], h, err))
      return false;
    strbuf_addf(to, "plugin %s\n", h);
  }
  return true;
}

static const char *hash_of(struct arena *mem, const struct strbuf *text) {
  char h[LAB_HASH];
  lab_hash(strbuf_str(text), text->n, h);
  return keep(mem, h);
}

static bool name_point(struct lab_points *all, struct lab_point *p, const struct conf *c, struct error *err) {
  struct strbuf text = {0};
  char *config = config_json(c, of_result), *result = config_json(c, of_identity);
  char *stream = config_json(c, of_stream);
  strbuf_addf(&text, "%s\n%s\n%s\nmax_cycles %llu\n", lab_model(), p->workload.identity, result,
              (unsigned long long)p->max_cycles);
  bool ok = hash_plugins(p, &text, err) && hash_files(c, &text, err);
  p->id = hash_of(&all->mem, &text);
  p->config = keep(&all->mem, config);
  char h[LAB_HASH];
  lab_hash(config, strlen(config), h);
  p->config_id = keep(&all->mem, h);
  text.n = 0;
  strbuf_addf(&text, "%s\n%s\n%s\nformat %d\n", lab_model(), p->workload.identity, stream, TRACE_VERSION);
  p->stream_id = has(p->workload.identity, "stream ") ? "" : hash_of(&all->mem, &text);
  strbuf_free(&text);
  free(config), free(result), free(stream);
  return ok;
}

static void copy_given(struct lab_points *all, struct lab_point *p) {
  struct arena *mem = &all->mem;
  struct lab_workload *w = &p->workload;
  w->name = keep(mem, w->name), w->label = keep(mem, w->label);
  w->size = keep(mem, w->size), w->input = keep(mem, w->input);
  w->identity = keep(mem, w->identity);
  w->params = keep_pairs(mem, &w->params);
  p->gpu = keep(mem, p->gpu), p->gpu_label = keep(mem, p->gpu_label ? p->gpu_label : p->gpu);
  p->with = keep(mem, p->with ? p->with : "");
  p->label = keep(mem, p->label ? p->label : *p->with ? p->with : "none");
  p->set = keep_pairs(mem, &p->set);
  p->best_param = keep(mem, p->best_param), p->best_by = keep(mem, p->best_by);
}

/* The files that the techniques in use were loaded from. */
static void find_plugins(struct lab_points *all, struct lab_point *p, const struct conf *c) {
  const char **plugins = arena_alloc(&all->mem, (tech_count() + 1) * sizeof *plugins);
  p->nplugins = 0;
  for (size_t i = 0; i < tech_count(); i++) {
    const char *file = tech_file(tech_at(i));
    if (file && in_use(c, tech_at(i)->name))
      plugins[p->nplugins++] = keep(&all->mem, file);
  }
  p->plugins = plugins;
}

bool lab_points_add(struct lab_points *all, const struct lab_point *given, struct error *err) {
  struct lab_point p = *given;
  struct error own = {0};
  if (!p.workload.identity && !lab_workload_identify(&p.workload, &all->mem, err))
    return false;
  struct conf *c = tables_conf();
  configure(c, &p, &own);
  copy_given(all, &p);
  find_plugins(all, &p, c);
  if (!own.code)
    name_point(all, &p, c, &own);
  conf_free(c);
  if (own.code)
    error_add(err, own.code, "%s with %s: %s", p.workload.label, p.label, own.text);
  else
    VEC_PUSH(all->at, all->n, all->cap) = p;
  bool ok = !own.code;
  error_clear(&own);
  return ok;
}

void lab_points_free(struct lab_points *p) {
  free(p->sweep);
  free(p->at);
  arena_free(&p->mem);
  *p = (struct lab_points){0};
}

static bool is(const char *wanted, const char *value) {
  return !wanted || strcmp(wanted, value) == 0;
}

size_t lab_points_find(const struct lab_points *p, const struct lab_filter *f, size_t from) {
  for (size_t i = from; i < p->n; i++) {
    const struct lab_point *k = &p->at[i];
    bool yes = is(f->workload, k->workload.label) && is(f->gpu, k->gpu_label) && is(f->label, k->label);
    for (size_t s = 0; yes && s < f->set.n; s++) {
      const char *v = lab_pairs_get(&k->set, f->set.at[s].name);
      yes = v && strcmp(v, f->set.at[s].value) == 0;
    }
    if (yes)
      return i;
  }
  return SIZE_MAX;
}
