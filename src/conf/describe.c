/* The tables and values as text: echo, JSON, help, documentation. */
#include "base/num.h"
#include "conf/internal.h"
#include <inttypes.h>
#include <string.h>

/* Values in one spelling, however they were written: 64KiB as 65536. */
static void print_value(const struct conf_value *v, struct strbuf *to) {
  char buf[NUM_F64_MAX];
  switch (v->param->type) {
  case CONF_BOOL:
    strbuf_add(to, v->v.b ? "true" : "false");
    break;
  case CONF_INT:
    strbuf_addf(to, "%" PRId64, v->v.i);
    break;
  case CONF_UINT:
    strbuf_addf(to, "%" PRIu64, v->v.u);
    break;
  case CONF_FLOAT:
    strbuf_add(to, num_print_f64(buf, v->v.f));
    break;
  case CONF_ENUM:
    strbuf_add(to, v->param->choices[v->v.choice]);
    break;
  case CONF_STRING:
    json_quote(to, v->text);
    break;
  }
}

/* Nested maps: the parts of a name shared with the previous row are already open. */
static void open_maps(struct strbuf *to, const char *previous, const char *name, int *indent) {
  const char *at = name;
  bool shared = true;
  *indent = 0;
  for (const char *dot; (dot = strchr(at, '.')); at = dot + 1) {
    size_t upto = (size_t)(dot - name) + 1;
    shared = shared && previous && strncmp(previous, name, upto) == 0;
    if (!shared)
      strbuf_addf(to, "%*s%.*s:\n", *indent, "", (int)(dot - at), at);
    *indent += 2;
  }
}

void conf_echo(const struct conf *c, struct strbuf *to) {
  const char *previous = NULL;
  for (size_t i = 0; i < c->n; i++) {
    const struct conf_value *v = &c->values[i];
    const char *last = strrchr(v->param->name, '.');
    int indent;
    open_maps(to, previous, v->param->name, &indent);
    size_t start = to->n;
    strbuf_addf(to, "%*s%s: ", indent, "", last ? last + 1 : v->param->name);
    print_value(v, to);
    int pad = 36 - (int)(to->n - start);
    strbuf_addf(to, "%*s # %s\n", pad > 0 ? pad : 0, "", v->origin);
    previous = v->param->name;
  }
}

static void json_value(struct json *j, const char *key, const struct conf_value *v) {
  switch (v->param->type) {
  case CONF_BOOL:
    json_bool(j, key, v->v.b);
    break;
  case CONF_INT:
    json_i64(j, key, v->v.i);
    break;
  case CONF_UINT:
    json_u64(j, key, v->v.u);
    break;
  case CONF_FLOAT:
    json_f64(j, key, v->v.f);
    break;
  case CONF_STRING:
  case CONF_ENUM:
    json_str(j, key, v->text);
    break;
  }
}

void conf_json_some(const struct conf *c, conf_take_fn *take, struct json *j) {
  for (size_t i = 0; i < c->n; i++)
    if (!take || take(c, c->values[i].table->owner, c->names[i]))
      json_value(j, c->names[i], &c->values[i]);
}

void conf_json(const struct conf *c, struct json *j) {
  conf_json_some(c, NULL, j);
}

void conf_list(const struct conf *c, struct strbuf *to) {
  size_t width = 4;
  for (size_t i = 0; i < c->n; i++)
    if (strlen(c->names[i]) > width)
      width = strlen(c->names[i]);
  for (size_t i = 0; i < c->n; i++) {
    const struct conf_param *p = c->values[i].param;
    struct strbuf allowed = {0};
    conf_allowed(p, &allowed);
    strbuf_addf(to, "%-*s  %s\n", (int)width, p->name, p->help);
    strbuf_addf(to, "%*s  %s%s%s, default %s, allowed: %s\n", (int)width, "", conf_type_name(p->type),
                *p->unit ? ", " : "", p->unit, *p->initial ? p->initial : "(empty)", strbuf_str(&allowed));
    strbuf_addf(to, "%*s  source of the default: %s\n", (int)width, "", p->source);
    strbuf_free(&allowed);
  }
}

void conf_list_json(const struct conf *c, struct json *j) {
  json_open(j, NULL, '[');
  for (size_t i = 0; i < c->n; i++) {
    const struct conf_param *p = c->values[i].param;
    struct strbuf allowed = {0};
    conf_allowed(p, &allowed);
    json_open(j, NULL, '{');
    json_str(j, "name", p->name);
    json_str(j, "type", conf_type_name(p->type));
    json_value(j, "value", &c->values[i]);
    json_str(j, "default", p->initial);
    json_str(j, "allowed", strbuf_str(&allowed));
    json_str(j, "unit", p->unit);
    json_str(j, "help", p->help);
    json_str(j, "source", p->source);
    json_str(j, "owner", c->values[i].table->owner);
    json_close(j);
    strbuf_free(&allowed);
  }
  json_close(j);
}

void conf_list_markdown(const struct conf *c, struct strbuf *to) {
  const struct conf_table *table = NULL;
  for (size_t i = 0; i < c->n; i++) {
    const struct conf_param *p = c->values[i].param;
    if (c->values[i].table != table) {
      table = c->values[i].table;
      strbuf_addf(to, "\n## %s\n\n", table->owner);
      strbuf_add(to, "| name | type | default | allowed | unit | meaning | source of the default |\n"
                     "| --- | --- | --- | --- | --- | --- | --- |\n");
    }
    struct strbuf allowed = {0};
    conf_allowed(p, &allowed);
    strbuf_addf(to, "| `%s` | %s | `%s` | %s | %s | %s | %s |\n", p->name, conf_type_name(p->type),
                p->initial, strbuf_str(&allowed), p->unit, p->help, p->source);
    strbuf_free(&allowed);
  }
}
