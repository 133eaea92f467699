/* One value against one row: type, range, rule. */
#include "base/num.h"
#include "conf/internal.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *conf_type_name(enum conf_type t) {
  static const char *const names[] = {"bool", "int", "uint", "float", "string", "enum"};
  return names[t];
}

static bool has_range(const struct conf_param *p) {
  return p->min || p->max;
}

void conf_allowed(const struct conf_param *p, struct strbuf *to) {
  char lo[NUM_F64_MAX], hi[NUM_F64_MAX];
  if (p->allowed) {
    strbuf_add(to, p->allowed);
    return;
  }
  switch (p->type) {
  case CONF_BOOL:
    strbuf_add(to, "true, false");
    break;
  case CONF_INT:
  case CONF_UINT:
    if (has_range(p))
      strbuf_addf(to, "%" PRId64 "..%" PRId64, p->min, p->max);
    else
      strbuf_add(to, p->type == CONF_UINT ? "any whole number from 0" : "any whole number");
    break;
  case CONF_FLOAT:
    if (p->fmin != 0 || p->fmax != 0)
      strbuf_addf(to, "%s..%s", num_print_f64(lo, p->fmin), num_print_f64(hi, p->fmax));
    else
      strbuf_add(to, "any number");
    break;
  case CONF_STRING:
    strbuf_add(to, "any text");
    break;
  case CONF_ENUM:
    for (int i = 0; p->choices[i]; i++)
      strbuf_addf(to, "%s%s", i ? ", " : "", p->choices[i]);
    break;
  }
}

static bool complain(const struct conf_param *p, const char *text, const char *where, const char *what,
                     const char *near, struct error *err) {
  struct strbuf allowed = {0};
  conf_allowed(p, &allowed);
  error_add(err, EXIT_USAGE, "%s: %s: '%.60s' %s (allowed: %s)%s%s%s", where, p->name, text, what,
            strbuf_str(&allowed), near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  strbuf_free(&allowed);
  return false;
}

static bool parse_enum(const struct conf_param *p, const char *text, int *out, const char *where,
                       struct error *err) {
  int n = 0;
  for (; p->choices[n]; n++)
    if (strcmp(p->choices[n], text) == 0) {
      *out = n;
      return true;
    }
  return complain(p, text, where, "is not one of its values", nearest_match(text, p->choices, n), err);
}

bool conf_parse(const struct conf_param *p, const char *text, union conf_payload *out, const char *where,
                struct error *err) {
  union conf_payload v = {0};
  enum num_result r = NUM_OK;
  bool in_range = true;
  const char *kind = "is not a whole number";
  switch (p->type) {
  case CONF_BOOL:
    r = num_bool(text, &v.b);
    kind = "is neither true nor false";
    break;
  case CONF_INT:
    r = num_i64(text, &v.i);
    in_range = !has_range(p) || (v.i >= p->min && v.i <= p->max);
    break;
  case CONF_UINT: {
    int64_t negative;
    r = num_u64(text, &v.u);
    if (r == NUM_SYNTAX && num_i64(text, &negative) == NUM_OK)
      r = NUM_RANGE;
    in_range = !has_range(p) || (v.u >= (uint64_t)p->min && v.u <= (uint64_t)p->max);
    break;
  }
  case CONF_FLOAT:
    r = num_f64(text, &v.f);
    kind = "is not a number";
    in_range = isfinite(v.f) && ((p->fmin == 0 && p->fmax == 0) || (v.f >= p->fmin && v.f <= p->fmax));
    break;
  case CONF_STRING:
    break;
  case CONF_ENUM:
    if (!parse_enum(p, text, &v.choice, where, err))
      return false;
    break;
  }
  if (r == NUM_SYNTAX)
    return complain(p, text, where, kind, NULL, err);
  if (r == NUM_RANGE || !in_range)
    return complain(p, text, where, "is out of range", NULL, err);
  if (p->valid && !p->valid(text))
    return complain(p, text, where, "is not allowed", NULL, err);
  *out = v;
  return true;
}
