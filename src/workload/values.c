#include "workload/values.h"
#include "base/mem.h"
#include "base/num.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool check_integer(const struct workload_param *p, const char *value, struct error *err) {
  uint64_t v;
  if (num_u64(value, &v) == NUM_OK && v >= p->min && v <= p->max && v % p->multiple == 0)
    return true;
  if (p->multiple > 1)
    return error_add(err, EXIT_USAGE,
                     "%s: '%.60s' (allowed: multiples of %" PRIu64 " from %" PRIu64 " to %" PRIu64 ")",
                     p->name, value, p->multiple, p->min, p->max);
  return error_add(err, EXIT_USAGE, "%s: '%.60s' (allowed: whole numbers from %" PRIu64 " to %" PRIu64 ")",
                   p->name, value, p->min, p->max);
}

static bool check_choice(const struct workload_param *p, const char *value, struct error *err) {
  for (size_t i = 0; i < p->nvalues; i++)
    if (strcmp(p->values[i], value) == 0)
      return true;
  struct strbuf all = {0};
  for (size_t i = 0; i < p->nvalues; i++)
    strbuf_addf(&all, "%s%s", i ? ", " : "", p->values[i]);
  const char *near = nearest_match(value, p->values, (int)p->nvalues);
  error_add(err, EXIT_USAGE, "%s: '%.60s' (allowed: %s)%s%s%s", p->name, value, strbuf_str(&all),
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  strbuf_free(&all);
  return false;
}

bool param_check(const struct workload_param *p, const char *value, struct error *err) {
  double f;
  switch (p->type) {
  case PARAM_INTEGER:
    return check_integer(p, value, err);
  case PARAM_CHOICE:
    return check_choice(p, value, err);
  case PARAM_FLOAT:
    break;
  }
  return (num_f64(value, &f) == NUM_OK && isfinite(f)) ||
         error_add(err, EXIT_USAGE, "%s: '%.60s' (allowed: finite numbers)", p->name, value);
}

static const struct workload_param *param_named(const struct workload_about *a, const char *name, size_t n,
                                                size_t *index) {
  for (size_t i = 0; i < a->nparams; i++)
    if (strlen(a->params[i].name) == n && memcmp(a->params[i].name, name, n) == 0) {
      *index = i;
      return &a->params[i];
    }
  return NULL;
}

static bool unknown(const struct workload_about *a, const char *given, size_t n, struct error *err) {
  char *name = xstrndup(given, n);
  const char **names = xcalloc(a->nparams + 1, sizeof *names);
  struct strbuf all = {0};
  for (size_t i = 0; i < a->nparams; i++) {
    names[i] = a->params[i].name;
    strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = nearest_match(name, names, (int)a->nparams);
  error_add(err, EXIT_USAGE, "--param: there is no '%.60s' (allowed: %s)%s%s%s", name, strbuf_str(&all),
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  strbuf_free(&all);
  free(names);
  free(name);
  return false;
}

static bool assign(struct values *v, const char *given, struct error *err) {
  const char *equals = strchr(given, '=');
  size_t n = equals ? (size_t)(equals - given) : strlen(given), i;
  const struct workload_param *p = param_named(v->about, given, n, &i);
  if (!p)
    return unknown(v->about, given, n, err);
  if (!equals)
    return error_add(err, EXIT_USAGE, "--param %.60s: NAME=VALUE is wanted", given);
  struct error why = {0};
  if (!param_check(p, equals + 1, &why))
    error_add(err, EXIT_USAGE, "--param %s", why.text);
  error_clear(&why);
  v->text[i] = equals + 1;
  return !err->code;
}

bool values_read(struct values *v, const struct workload_about *a, const struct workload_request *q,
                 struct error *err) {
  v->about = a;
  v->text = xcalloc(a->nparams + 1, sizeof *v->text);
  for (size_t i = 0; i < a->nparams; i++)
    v->text[i] = a->params[i].sizes[q->size];
  for (size_t i = 0; i < q->nparams; i++)
    assign(v, q->params[i], err);
  if (q->input && !a->input)
    error_add(err, EXIT_USAGE, "--input %.200s: this workload makes its own input and takes no file",
              q->input);
  return !err->code;
}

void values_free(struct values *v) {
  free(v->text);
  v->text = NULL;
}

const struct workload_param *values_find(const struct values *v, const char *name, const char **text) {
  size_t i;
  const struct workload_param *p = param_named(v->about, name, strlen(name), &i);
  if (!p)
    panic("about.yaml of a workload declares no parameter '%s'", name);
  *text = v->text[i];
  return p;
}
