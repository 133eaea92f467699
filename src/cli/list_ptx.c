/* Opcodes from the tables the executor uses, and the kernels of a PTX file. */
#include "cli/list_ptx.h"
#include "base/json.h"
#include "base/mem.h"
#include "front/exec.h"
#include "front/ptx/ops.h"
#include <stdlib.h>
#include <string.h>

static size_t base_length(const char *name) {
  return strcspn(name, ".{");
}

static bool same_base(const char *a, const char *b) {
  return base_length(a) == base_length(b) && !strncmp(a, b, base_length(a));
}

static int by_name(const void *a, const void *b) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  if (same_base(x, y))
    return strcmp(x, y);
  size_t n = base_length(x), k = base_length(y);
  int c = strncmp(x, y, n < k ? n : k);
  return c ? c : n < k ? -1 : 1;
}

/* "add.f32" of a row that takes roundings becomes "add{.rn,.rz,.rm,.rp}.f32". */
static char *form_of(const struct ptx_op *op) {
  size_t base = strcspn(op->name, ".");
  struct strbuf b = {0};
  strbuf_addf(&b, "%.*s%s%s", (int)base, op->name, op->flags & PTX_OPF_ROUND ? "{.rn,.rz,.rm,.rp}" : "",
              op->name + base);
  return strbuf_take(&b);
}

struct forms {
  char **names;
  size_t n, cap;
};

static struct forms all_forms(void) {
  struct forms f = {0};
  const struct ptx_op_table *t = ptx_ops();
  for (size_t i = 0; i < t->n; i++)
    if (!(t->ops[i].flags & PTX_OPF_INTERNAL))
      VEC_PUSH(f.names, f.n, f.cap) = form_of(&t->ops[i]);
  qsort(f.names, f.n, sizeof *f.names, by_name);
  return f;
}

static void forms_json(const struct forms *f, struct strbuf *to) {
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_open(&j, "arithmetic", '[');
  for (size_t i = 0; i < f->n; i++)
    json_str(&j, NULL, f->names[i]);
  json_close(&j);
  json_open(&j, "other", '{');
  for (size_t i = 0; i < ptx_bases(); i++) {
    const char *mods, *base = ptx_base(i, &mods);
    json_str(&j, base, mods);
  }
  json_close(&j);
  json_close(&j);
  *to = j.out;
  strbuf_addf(to, "\n");
}

static void forms_text(const struct forms *f, bool markdown, struct strbuf *to) {
  if (markdown)
    strbuf_addf(to, "# Supported PTX\n\nMade by `sluice list ptx --markdown` from the tables the executor "
                    "uses. What is not here is "
                    "refused when a module\nis loaded.\n\n## Memory, control and warp-wide opcodes\n\n"
                    "| opcode | modifiers besides types |\n| --- | --- |\n");
  for (size_t i = 0; i < ptx_bases(); i++) {
    const char *mods, *base = ptx_base(i, &mods);
    strbuf_addf(to, markdown ? "| `%s` | %s |\n" : "%-15s %s\n", base, *mods ? mods : "–");
  }
  size_t rows = f->n;
  strbuf_addf(to,
              markdown ? "\n## Arithmetic: %zu forms\n\nBraces: one of these may stand there.\n"
                       : "\n%zu forms of arithmetic:\n",
              rows);
  for (size_t i = 0; i < f->n; i++) {
    bool first = !i || !same_base(f->names[i], f->names[i - 1]);
    if (first)
      strbuf_addf(to, markdown ? "\n**%.*s**:" : "%.*s:", (int)base_length(f->names[i]), f->names[i]);
    strbuf_addf(to, markdown ? " `%s`" : " %s", f->names[i]);
    if (i + 1 == f->n || !same_base(f->names[i], f->names[i + 1]))
      strbuf_addf(to, "\n");
  }
}

bool list_ptx(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)of, (void)err;
  struct forms f = all_forms();
  if (form == FORM_JSON)
    forms_json(&f, to);
  else
    forms_text(&f, form == FORM_MARKDOWN, to);
  for (size_t i = 0; i < f.n; i++)
    free(f.names[i]);
  free(f.names);
  return true;
}

static void kernel_json(const struct kernel_info *k, struct json *j) {
  json_open(j, NULL, '{');
  json_str(j, "name", k->name);
  if (k->refused)
    json_str(j, "refused", k->refused);
  json_u64(j, "registers", k->registers);
  json_u64(j, "shared_bytes", k->static_shared);
  json_u64(j, "local_bytes", k->local_bytes);
  json_open(j, "parameters", '[');
  for (uint32_t i = 0; i < k->nparams; i++) {
    json_open(j, NULL, '{');
    json_str(j, "name", k->params[i].name);
    json_str(j, "type", ptx_type_name(k->params[i].type));
    json_u64(j, "bytes", k->params[i].size);
    json_u64(j, "offset", k->param_offset[i]);
    json_close(j);
  }
  json_close(j);
  json_close(j);
}

static void kernel_text(const struct kernel_info *k, struct strbuf *to) {
  if (k->refused) {
    strbuf_addf(to, "%-40s cannot run\n", k->name);
    return;
  }
  strbuf_addf(to, "%-40s %4u registers, %llu bytes shared, %llu local; (", k->name, k->registers,
              (unsigned long long)k->static_shared, (unsigned long long)k->local_bytes);
  for (uint32_t i = 0; i < k->nparams; i++) {
    const struct ptx_var *v = &k->params[i];
    bool array = v->size != ptx_type_bits(v->type) / 8;
    strbuf_addf(to, "%s%s", i ? ", " : "", ptx_type_name(v->type));
    if (array)
      strbuf_addf(to, "[%llu]", (unsigned long long)(v->size / (ptx_type_bits(v->type) / 8)));
  }
  strbuf_addf(to, ")\n");
}

bool list_kernels(enum form form, const char *path, struct strbuf *to, struct error *err) {
  struct ptx_module *m = ptx_parse_file(path, err);
  if (!m)
    return false;
  struct devmem_options o = devmem_defaults();
  struct devmem *mem = devmem_create(&o);
  struct program *p = program_load(m, mem, err);
  struct json j = {0};
  if (p && form == FORM_JSON)
    json_open(&j, NULL, '[');
  for (size_t i = 0; p && i < program_kernels(p); i++) {
    if (form == FORM_JSON)
      kernel_json(program_kernel_at(p, i), &j);
    else
      kernel_text(program_kernel_at(p, i), to);
  }
  if (p && form == FORM_JSON) {
    json_close(&j);
    *to = j.out;
    strbuf_addf(to, "\n");
  }
  if (p)
    program_refusals(p, err);
  program_free(p);
  devmem_destroy(mem);
  return p != NULL;
}
