/* about.yaml, and workloads by name.
 *
 *   what: One sentence.                   suite: where the computation is known from
 *   papers: {cart: bfs, bucl: bfs}        the name each document gives it
 *   access: How it reads and writes memory.
 *   input: graph                          what --input may name: graph or matrix
 *   registers: {bfs: 18}                  registers per thread of kernels, where they are known
 *   params:
 *     n: {help: words, min: 1, max: 100, multiple: 4}     a whole number
 *     x: {help: words, type: float}
 *     kind: {help: words, values: [uniform, rmat]}
 *   sizes:
 *     small: {n: 4, x: 0.5, kind: rmat}   every parameter at every size */
#include "base/mem.h"
#include "base/num.h"
#include "front/registers.h"
#include "workload/values.h"
#include "workload/workload.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const workload_size_names[] = {"small", "medium", "large", NULL};

const struct workload *workload_find(const char *name, struct error *err) {
  for (size_t i = 0; i < workload_count; i++)
    if (strcmp(workload_names[i], name) == 0)
      return workload_all[i];
  const char *near = nearest_match(name, workload_names, (int)workload_count);
  error_set(err, EXIT_USAGE, "there is no workload '%.60s'%s%s%s", name, near ? "; did you mean '" : "",
            near ? near : "; `sluice list workloads` shows them all", near ? "'?" : "");
  return NULL;
}

static bool ends_in(const char *s, const char *tail) {
  size_t n = strlen(s), k = strlen(tail);
  return n >= k && strcmp(s + n - k, tail) == 0;
}

const struct workload *workload_or_file(const char *what, struct error *err) {
  if (strchr(what, '/') || ends_in(what, ".yaml") || ends_in(what, ".yml"))
    return NULL;
  struct error why = {0};
  const struct workload *k = workload_find(what, &why);
  if (!k && access(what, F_OK) != 0)
    error_add(err, EXIT_USAGE, "%s", why.text);
  error_clear(&why);
  return k;
}

bool workload_size_read(const char *name, enum workload_size *out, struct error *err) {
  for (int i = 0; i < SIZE_COUNT; i++)
    if (strcmp(name, workload_size_names[i]) == 0) {
      *out = (enum workload_size)i;
      return true;
    }
  const char *near = nearest_match(name, workload_size_names, SIZE_COUNT);
  return error_add(err, EXIT_USAGE, "size '%.60s' (allowed: small, medium, large)%s%s%s", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool text(const struct yaml_node *map, const char *key, const char **out, struct error *err) {
  const struct yaml_node *n = yaml_need(map, key, err);
  return n && yaml_str(n, out, err);
}

static void read_values(const struct yaml_node *n, struct workload_param *p, struct error *err) {
  p->type = PARAM_CHOICE;
  if (!yaml_check_kind(n, YAML_SEQ, err))
    return;
  p->values = xcalloc(n->n, sizeof *p->values);
  p->nvalues = n->n;
  for (size_t i = 0; i < n->n; i++)
    if (!yaml_str(n->items[i], &p->values[i], err))
      p->values[i] = "";
}

static void read_param(const struct yaml_node *n, struct workload_param *p, struct error *err) {
  static const char *const keys[] = {"help", "min", "max", "multiple", "type", "values"};
  static const char *const types[] = {"integer", "float"};
  int type = 0;
  p->max = UINT32_MAX;
  p->multiple = 1;
  if (!yaml_check_keys(n, keys, 6, err))
    return;
  text(n, "help", &p->help, err);
  const struct yaml_node *min = yaml_get(n, "min"), *max = yaml_get(n, "max"), *t = yaml_get(n, "type");
  const struct yaml_node *multiple = yaml_get(n, "multiple"), *values = yaml_get(n, "values");
  if (t && yaml_enum(t, types, 2, &type, err) && type == 1)
    p->type = PARAM_FLOAT;
  if (min)
    yaml_u64(min, 0, UINT64_MAX, &p->min, err);
  if (max)
    yaml_u64(max, p->min, UINT64_MAX, &p->max, err);
  if (multiple)
    yaml_u64(multiple, 1, UINT32_MAX, &p->multiple, err);
  if (values)
    read_values(values, p, err);
}

static void read_params(const struct yaml_node *n, struct workload_about *a, struct error *err) {
  if (!yaml_check_kind(n, YAML_MAP, err))
    return;
  a->params = xcalloc(n->n, sizeof *a->params);
  a->nparams = n->n;
  for (size_t i = 0; i < n->n; i++) {
    a->params[i].name = n->keys[i];
    read_param(n->items[i], &a->params[i], err);
  }
}

static void read_size(const struct yaml_node *n, enum workload_size size, struct workload_about *a,
                      struct error *err) {
  const char **names = xcalloc(a->nparams + 1, sizeof *names);
  for (size_t i = 0; i < a->nparams; i++)
    names[i] = a->params[i].name;
  if (yaml_check_keys(n, names, (int)a->nparams, err))
    for (size_t i = 0; i < a->nparams; i++) {
      struct workload_param *p = &a->params[i];
      const struct yaml_node *v = yaml_need(n, p->name, err);
      struct error why = {0};
      if (v && yaml_str(v, &p->sizes[size], err) && !param_check(p, p->sizes[size], &why))
        yaml_error(v, err, "%s", why.text);
      error_clear(&why);
    }
  free(names);
}

static void read_papers(const struct yaml_node *n, struct workload_about *a, struct error *err) {
  static const char *const papers[] = {"cart", "bucl", "rata", "mars", "thesis"};
  if (!yaml_check_keys(n, papers, 5, err))
    return;
  a->papers = xcalloc(n->n, sizeof *a->papers);
  a->paper_names = xcalloc(n->n, sizeof *a->paper_names);
  a->npapers = n->n;
  for (size_t i = 0; i < n->n; i++) {
    a->papers[i] = n->keys[i];
    a->paper_names[i] = "";
    yaml_str(n->items[i], &a->paper_names[i], err);
  }
}

static void read_registers(const struct yaml_node *n, struct workload_about *a, struct error *err) {
  if (!yaml_check_kind(n, YAML_MAP, err))
    return;
  a->registers_of = xcalloc(n->n + 1, sizeof *a->registers_of);
  a->registers = xcalloc(n->n + 1, sizeof *a->registers);
  a->nregisters = n->n;
  for (size_t i = 0; i < n->n; i++) {
    uint64_t v = 0;
    a->registers_of[i] = n->keys[i];
    yaml_u64(n->items[i], 1, REGISTERS_MOST, &v, err);
    a->registers[i] = (uint32_t)v;
  }
}

static void read_root(const struct yaml_node *root, struct workload_about *a, struct error *err) {
  static const char *const keys[] = {"what",  "suite",     "papers", "access",
                                     "input", "registers", "params", "sizes"};
  static const char *const inputs[] = {"graph", "matrix"};
  if (!yaml_check_keys(root, keys, 8, err))
    return;
  text(root, "what", &a->what, err);
  text(root, "suite", &a->suite, err);
  text(root, "access", &a->access, err);
  const struct yaml_node *papers = yaml_get(root, "papers"), *input = yaml_get(root, "input");
  const struct yaml_node *registers = yaml_get(root, "registers");
  const struct yaml_node *params = yaml_need(root, "params", err), *sizes = yaml_need(root, "sizes", err);
  int which;
  if (papers)
    read_papers(papers, a, err);
  if (input && yaml_enum(input, inputs, 2, &which, err))
    a->input = inputs[which];
  if (registers)
    read_registers(registers, a, err);
  if (params)
    read_params(params, a, err);
  if (!err->code && sizes && yaml_check_keys(sizes, workload_size_names, SIZE_COUNT, err))
    for (int i = 0; i < SIZE_COUNT; i++) {
      const struct yaml_node *n = yaml_need(sizes, workload_size_names[i], err);
      if (n)
        read_size(n, (enum workload_size)i, a, err);
    }
}

bool workload_about_read(struct workload_about *a, const struct workload *k, struct error *err) {
  struct strbuf name = {0};
  struct error own = {0};
  *a = (struct workload_about){0};
  strbuf_addf(&name, "workloads/%s/about.yaml", k->name);
  a->doc = yaml_parse_text(name.s, k->about, k->about_n, &own);
  if (a->doc && a->doc->root)
    read_root(a->doc->root, a, &own);
  else if (!own.code)
    error_add(&own, EXIT_USAGE, "%s: empty", name.s);
  strbuf_free(&name);
  bool ok = !own.code;
  if (!ok) {
    error_add(err, own.code, "%s", own.text);
    workload_about_free(a);
  }
  error_clear(&own);
  return ok;
}

void workload_about_free(struct workload_about *a) {
  for (size_t i = 0; i < a->nparams; i++)
    free(a->params[i].values);
  free(a->params);
  free(a->registers_of);
  free(a->registers);
  free(a->papers);
  free(a->paper_names);
  if (a->doc)
    yaml_close(a->doc);
  *a = (struct workload_about){0};
}

bool workload_measured_read(const struct workload *k, enum workload_size size, struct workload_measured *m) {
  struct error err = {0};
  *m = (struct workload_measured){0};
  if (!k->measured_n)
    return false;
  struct yaml_doc *doc = yaml_parse_text("measured.yaml", k->measured, k->measured_n, &err);
  const struct yaml_node *n = doc ? yaml_get(doc->root, workload_size_names[size]) : NULL;
  const struct yaml_node *instructions = yaml_get(n, "warp_instructions");
  const struct yaml_node *footprint = yaml_get(n, "footprint");
  bool ok = instructions && footprint && yaml_u64(instructions, 0, UINT64_MAX, &m->instructions, &err) &&
            yaml_u64(footprint, 0, UINT64_MAX, &m->footprint, &err);
  if (doc)
    yaml_close(doc);
  error_clear(&err);
  return ok;
}
