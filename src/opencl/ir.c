/* LLVM's intermediate text between optimiser and back end: keeps kernels and what they reach, drops helper functions
 * that were inlined everywhere, names functions nobody defines, and writes down what PTX cannot hold.
 *
 *   @table = internal addrspace(4) constant …          a variable: one line
 *   define … @name(…) … !kernel_arg_type !15 … {       a function: to the line "}"
 *   declare … @name(…)
 *   !15 = !{!"float*", !"int"}                         a node: one line */
#include "base/mem.h"
#include "opencl/compiler.h"
#include "opencl/ir.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { OTHER, VARIABLE, DEFINED, DECLARED };
struct piece {
  enum kind kind;
  const char *s, *end; /* whole lines */
  const char *name;    /* after the '@' */
  size_t nname;
  bool kernel, local; /* local: internal or private */
  bool kept, seen, called;
};
struct module {
  struct piece *p;
  size_t n, cap;
};

static void split(struct module *m, const char *s, const char *end) {
  while (s < end) {
    const char *e = line_end(s, end), *at;
    struct piece p = {.s = s, .kind = OTHER};
    if (*s == '@')
      p.kind = VARIABLE;
    else if (starts(s, e, "define "))
      p.kind = DEFINED;
    else if (starts(s, e, "declare "))
      p.kind = DECLARED;
    if (p.kind != OTHER && (at = memchr(s, '@', (size_t)(e - s)))) {
      p.name = at + 1;
      p.nname = name_length(at + 1, e);
      p.local = memmem(s, (size_t)(e - s), " internal ", 10) || memmem(s, (size_t)(e - s), " private ", 9);
    }
    if (p.kind == DEFINED) {
      p.kernel = memmem(s, (size_t)(e - s), " !kernel_arg_type ", 18);
      while (e < end && *e != '}')
        e = line_end(e, end);
      e = e < end ? line_end(e, end) : end;
    }
    p.end = s = e;
    VEC_PUSH(m->p, m->n, m->cap) = p;
  }
}

static struct piece *find(const struct module *m, const char *name, size_t n) {
  for (size_t i = 0; i < m->n; i++)
    if (m->p[i].kind != OTHER && m->p[i].nname == n && memcmp(m->p[i].name, name, n) == 0)
      return &m->p[i];
  return NULL;
}

/* Marks what a piece refers to, directly or not. */
static void reach(const struct module *m, struct piece *p) {
  if (p->seen)
    return;
  p->seen = true;
  for (const char *at = p->s; (at = memchr(at, '@', (size_t)(p->end - at)));) {
    size_t n = name_length(++at, p->end);
    struct piece *q = n ? find(m, at, n) : NULL;
    if (q)
      reach(m, q);
    at += n;
  }
}

/* The operands of "!15 = !{…}", as text; n of them. NULL: no such node. */
static const char *node(const char *s, const char *end, unsigned id, const char **node_end) {
  char head[32];
  int n = snprintf(head, sizeof head, "\n!%u = ", id);
  const char *at = memmem(s, (size_t)(end - s), head, (size_t)n);
  if (!at)
    return NULL;
  const char *e = line_end(at + 1, end), *open = memchr(at, '{', (size_t)(e - at));
  if (!open)
    return NULL;
  *node_end = e;
  return open + 1;
}

/* The value of the attachment !KEY of a function. */
static const char *attached(const struct module *m, const struct piece *p, const char *key,
                            const char **end) {
  char word[64];
  int n = snprintf(word, sizeof word, " !%s !", key);
  const char *e = line_end(p->s, p->end), *at = memmem(p->s, (size_t)(e - p->s), word, (size_t)n);
  if (!at || !m->n)
    return NULL;
  return node(m->p[0].s, m->p[m->n - 1].end, (unsigned)strtoul(at + n, NULL, 10), end);
}

/* The next !"…" of a node, with \xx resolved; NULL at its end. */
static char *next_string(const char **at, const char *end) {
  const char *s = memmem(*at, (size_t)(end - *at), "!\"", 2);
  if (!s)
    return NULL;
  struct strbuf out = {0};
  strbuf_add(&out, "");
  for (s += 2; s < end && *s != '"'; s++) {
    unsigned code;
    if (*s == '\\' && s + 2 < end && sscanf(s + 1, "%2x", &code) == 1) {
      strbuf_addc(&out, (char)code);
      s += 2;
    } else {
      strbuf_addc(&out, *s);
    }
  }
  *at = s < end ? s + 1 : end;
  return strbuf_take(&out);
}

/* The next i32 of a node. */
static bool next_number(const char **at, const char *end, unsigned *v) {
  const char *s = memmem(*at, (size_t)(end - *at), "i32 ", 4);
  if (!s)
    return false;
  *v = (unsigned)strtoul(s + 4, NULL, 10);
  *at = s + 4;
  return true;
}

/* What a kernel is compiled against and nobody defines. */
static bool undefined(const struct piece *q) {
  static const char *const runtime[] = {"printf", "vprintf"};
  if (q->kind != DECLARED || !q->seen || starts(q->name, q->end, "llvm."))
    return false;
  for (size_t i = 0; i < sizeof runtime / sizeof *runtime; i++)
    if (q->nname == strlen(runtime[i]) && memcmp(q->name, runtime[i], q->nname) == 0)
      return false;
  return true;
}

/* Reads a mangled function name, _Z3foof: its plain part. */
static void plain(struct strbuf *out, const struct piece *q) {
  if (q->nname > 2 && memcmp(q->name, "_Z", 2) == 0 && isdigit((unsigned char)q->name[2])) {
    char *at;
    unsigned long n = strtoul(q->name + 2, &at, 10);
    if (at + n <= q->name + q->nname) {
      strbuf_addn(out, at, n);
      return;
    }
  }
  strbuf_addn(out, q->name, q->nname);
}

/* Decides about one kernel: kept with all it reaches, or an error. */
static bool judge(const struct module *m, struct piece *k, struct strbuf *log) {
  for (size_t i = 0; i < m->n; i++)
    m->p[i].seen = false;
  reach(m, k);
  bool ok = true;
  for (size_t i = 0; i < m->n; i++) {
    m->p[i].kept |= m->p[i].seen;
    if (undefined(&m->p[i])) {
      strbuf_add(log, "error: undefined function '");
      plain(log, &m->p[i]);
      strbuf_addf(log, "', called by kernel '%.*s'\n", (int)k->nname, k->name);
      ok = false;
    }
  }
  return ok;
}

static void put_size(struct strbuf *to, struct strbuf *attributes, const struct module *m,
                     const struct piece *k, const char *key, const char *mark) {
  const char *end, *at = attached(m, k, key, &end);
  unsigned v[3];
  if (!at || !next_number(&at, end, &v[0]) || !next_number(&at, end, &v[1]) || !next_number(&at, end, &v[2]))
    return;
  if (mark)
    strbuf_addf(to, "// %s %u %u %u\n", mark, v[0], v[1], v[2]);
  strbuf_addf(attributes, "%s%s(%u,%u,%u)", attributes->n ? " " : "", key, v[0], v[1], v[2]);
}

/* !{<4 x float> undef, i32 0}: the type, and whether an integer one is signed. */
static void put_vec_type(struct strbuf *attributes, const struct module *m, const struct piece *k) {
  static const struct {
    const char *ir, *plain, *sign;
  } types[] = {{"i8", "uchar", "char"},  {"i16", "ushort", "short"},  {"i32", "uint", "int"},
               {"i64", "ulong", "long"}, {"float", "float", "float"}, {"double", "double", "double"},
               {"half", "half", "half"}};
  const char *end, *at = attached(m, k, "vec_type_hint", &end), *from = at;
  unsigned sign = 0, width = 1;
  char type[16];
  if (!at || !next_number(&from, end, &sign))
    return;
  if (sscanf(at, "<%u x %15[a-z0-9]>", &width, type) != 2 && sscanf(at, "%15[a-z0-9]", type) != 1)
    return;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].ir, type) == 0) {
      strbuf_addf(attributes, "%svec_type_hint(%s", attributes->n ? " " : "",
                  sign ? types[i].sign : types[i].plain);
      if (width > 1)
        strbuf_addf(attributes, "%u", width);
      strbuf_addc(attributes, ')');
    }
}

/* One line for each argument; info.c reads them. */
static void put_kernel(struct strbuf *to, const struct module *m, const struct piece *k) {
  const char *e[5], *at[5];
  static const char *const keys[5] = {"kernel_arg_addr_space", "kernel_arg_access_qual",
                                      "kernel_arg_type_qual", "kernel_arg_type", "kernel_arg_name"};
  struct strbuf attributes = {0};
  strbuf_addf(to, "// ocl.kernel %.*s\n", (int)k->nname, k->name);
  put_vec_type(&attributes, m, k);
  put_size(to, &attributes, m, k, "work_group_size_hint", NULL);
  put_size(to, &attributes, m, k, "reqd_work_group_size", "ocl.size");
  if (attributes.n)
    strbuf_addf(to, "// ocl.attributes %s\n", strbuf_str(&attributes));
  strbuf_free(&attributes);
  for (int i = 0; i < 5; i++)
    at[i] = attached(m, k, keys[i], &e[i]);
  for (unsigned space; at[0] && next_number(&at[0], e[0], &space);) {
    strbuf_addf(to, "// ocl.arg %u", space);
    for (int i = 1; i < 5; i++) {
      char *s = at[i] ? next_string(&at[i], e[i]) : NULL;
      for (char *c = s; c && *c; c++)
        if ((unsigned char)*c < ' ' || *c == '|')
          *c = ' ';
      strbuf_addf(to, "|%s", s ? s : "");
      free(s);
    }
    strbuf_addc(to, '\n');
  }
}

/* !nvvm.annotations lists nodes that name kernels: those of kernels left out must go. */
static void put_other(struct strbuf *out, const struct module *m, const struct piece *p) {
  if (*p->s == '%' && memmem(p->s, (size_t)(p->end - p->s), " = type ", 8)) {
    ir_put_type(out, p->s, p->end);
    return;
  }
  const char *ref = memmem(p->s, (size_t)(p->end - p->s), "{ptr @", 6);
  if (*p->s == '!' && ref && memmem(p->s, (size_t)(p->end - p->s), "!\"kernel\"", 9)) {
    const struct piece *k = find(m, ref + 6, name_length(ref + 6, p->end));
    if (!k || !k->kept)
      return;
  }
  if (!starts(p->s, p->end, "!nvvm.annotations = ")) {
    strbuf_addn(out, p->s, (size_t)(p->end - p->s));
    return;
  }
  const char *sep = "";
  strbuf_add(out, "!nvvm.annotations = !{");
  for (const char *at = memchr(p->s, '{', (size_t)(p->end - p->s));
       at && (at = memchr(at, '!', (size_t)(p->end - at)));) {
    unsigned id = (unsigned)strtoul(++at, NULL, 10);
    const char *e, *text = node(m->p[0].s, m->p[m->n - 1].end, id, &e);
    const struct piece *k =
        text && starts(text, e, "ptr @") ? find(m, text + 5, name_length(text + 5, e)) : NULL;
    if (!k || !k->kept)
      continue;
    strbuf_addf(out, "%s!%u", sep, id);
    sep = ", ";
  }
  strbuf_add(out, "}\n");
}

/* Whether a kernel is called by another function that is kept. PTX cannot call an entry. */
static bool is_called(const struct module *m, const struct piece *k) {
  for (size_t i = 0; i < m->n; i++) {
    const struct piece *p = &m->p[i];
    for (const char *at = p->s;
         p != k && p->kept && p->kind == DEFINED && (at = memchr(at, '@', (size_t)(p->end - at)));) {
      size_t n = name_length(++at, p->end);
      if (n == k->nname && memcmp(at, k->name, n) == 0)
        return true;
    }
  }
  return false;
}

/* Takes out `, !dbg !12` and ` !dbg !12`: a subprogram belongs to one function. */
static void drop_locations(struct strbuf *text) {
  struct strbuf out = {0};
  const char *s = text->s, *end = s + text->n;
  for (const char *at; (at = memmem(s, (size_t)(end - s), " !dbg !", 7));) {
    strbuf_addn(&out, s, (size_t)(at - s) - (at > s && at[-1] == ','));
    for (s = at + 7; s < end && isdigit((unsigned char)*s);)
      s++;
  }
  strbuf_addn(&out, s, (size_t)(end - s));
  strbuf_free(text);
  *text = out;
}

/* A function; calls of kernels go to copies of them, "NAME$body". With `copy`, it is such a copy itself. */
static void put_function(struct strbuf *out, const struct module *m, const struct piece *p, bool copy,
                         unsigned *serial) {
  struct strbuf text = {0};
  const char *s = p->s;
  for (const char *at = s; (at = memchr(at, '@', (size_t)(p->end - at)));) {
    size_t n = name_length(++at, p->end);
    const struct piece *k = find(m, at, n);
    if (!k || !k->called || (at == p->name && !copy))
      continue;
    bool quoted = n && at[n - 1] == '"';
    strbuf_addn(&text, s, (size_t)(at + n - quoted - s));
    strbuf_add(&text, "$body");
    s = at + n - quoted;
  }
  strbuf_addn(&text, s, (size_t)(p->end - s));
  if (copy)
    drop_locations(&text);
  ir_put_function(out, text.s, text.s + text.n, serial);
  strbuf_free(&text);
}

static void put(struct strbuf *out, const struct module *m) {
  unsigned serial = 0;
  for (size_t i = 0; i < m->n; i++)
    m->p[i].called = m->p[i].kernel && m->p[i].kept && is_called(m, &m->p[i]);
  for (size_t i = 0; i < m->n; i++) {
    const struct piece *p = &m->p[i];
    if (p->kind == OTHER)
      put_other(out, m, p);
    else if (p->kind == VARIABLE && (p->kept || !p->local))
      ir_put_variable(out, p->s, p->end);
    else if (p->kept && p->kind == DEFINED)
      put_function(out, m, p, false, &serial);
    else if (p->kept)
      strbuf_addn(out, p->s, (size_t)(p->end - p->s));
    if (p->called)
      put_function(out, m, p, true, &serial);
  }
}

bool ir_reduce(const char *ll, size_t n, struct strbuf *out, struct strbuf *info, struct strbuf *log) {
  struct module m = {0};
  split(&m, ll, ll + n);
  bool ok = true;
  for (size_t i = 0; i < m.n; i++)
    if (m.p[i].kernel)
      ok &= judge(&m, &m.p[i], log);
  for (size_t i = 0; ok && i < m.n; i++)
    if (m.p[i].kernel && m.p[i].kept)
      put_kernel(info, &m, &m.p[i]);
  if (ok)
    put(out, &m);
  free(m.p);
  return ok;
}
