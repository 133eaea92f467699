/* Options of clBuildProgram, clCompileProgram and clLinkProgram. Only what is listed here reaches the compiler:
 * its other options could run programs or write files. */
#include "base/mem.h"
#include "opencl/compiler.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void words_add(struct words *l, const char *word) {
  VEC_PUSH(l->w, l->n, l->cap) = word ? xstrdup(word) : NULL;
}

void words_addf(struct words *l, const char *fmt, ...) {
  va_list ap;
  char *text = NULL;
  va_start(ap, fmt);
  if (vasprintf(&text, fmt, ap) < 0)
    panic("out of memory");
  va_end(ap);
  words_add(l, text);
  free(text);
}

void words_free(struct words *l) {
  for (size_t i = 0; i < l->n; i++)
    free(l->w[i]);
  free(l->w);
  *l = (struct words){0};
}

/* Splits as a shell does, for blanks, both quotes and the backslash. */
static bool split(const char *s, struct words *out, struct strbuf *log) {
  for (;;) {
    while (isspace((unsigned char)*s))
      s++;
    if (!*s)
      return true;
    struct strbuf word = {0};
    char quote = 0;
    for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
      if (quote ? *s == quote : *s == '"' || *s == '\'') {
        quote = quote ? 0 : *s;
        continue;
      }
      if (*s == '\\' && quote != '\'' && s[1])
        s++;
      strbuf_addc(&word, *s);
    }
    words_add(out, strbuf_str(&word));
    strbuf_free(&word);
    if (quote) {
      strbuf_addf(log, "error: the build options end inside a quotation (%c)\n", quote);
      return false;
    }
  }
}

enum kind {
  PASS,     /* to the compiler as it is */
  VALUE,    /* with a value, in the same word or the next */
  MATH,     /* PASS, also for the linker */
  NOTHING,  /* has no effect here by its definition */
  LINES,    /* the PTX names the source's lines */
  VENDOR,   /* another vendor's: no effect, with a warning */
  VENDOR_V, /* the same with a value in the next word */
  LIBRARY,
  LINKING,
};
static const struct row {
  const char *name;
  enum kind kind;
} rows[] = {
    {"-D", VALUE},
    {"-I", VALUE},
    {"-w", PASS},
    {"-Werror", PASS},
    {"-g", LINES},
    {"-O0", PASS},
    {"-O1", PASS},
    {"-O2", PASS},
    {"-O3", PASS},
    {"-cl-single-precision-constant", PASS},
    {"-cl-denorms-are-zero", MATH},
    {"-cl-fp32-correctly-rounded-divide-sqrt", PASS},
    {"-cl-opt-disable", PASS},
    {"-cl-strict-aliasing", PASS},
    {"-cl-mad-enable", PASS},
    {"-cl-no-signed-zeros", MATH},
    {"-cl-no-signed-zeroes", MATH},
    {"-cl-unsafe-math-optimizations", MATH},
    {"-cl-finite-math-only", MATH},
    {"-cl-fast-relaxed-math", MATH},
    {"-cl-uniform-work-group-size", PASS},
    {"-cl-kernel-arg-info", NOTHING},
    {"-create-library", LIBRARY},
    {"-enable-link-options", LINKING},
    {"-cl-nv-verbose", VENDOR},
    {"-cl-nv-arch", VENDOR_V},
    {"-cl-nv-opt-level", VENDOR_V},
    {"-cl-nv-maxrregcount", VENDOR_V},
    {"-save-temps", VENDOR},
    {"--save-temps", VENDOR},
};

static const struct row *row_find(const char *word) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t n = strlen(rows[i].name);
    if (strncmp(word, rows[i].name, n) == 0 &&
        (!word[n] || rows[i].kind == VALUE || (rows[i].kind == VENDOR_V && word[n] == '=')))
      return &rows[i];
  }
  return NULL;
}

/* -Wall, -Wno-unused-value; a comma would hand words to other programs. */
static bool is_warning(const char *word) {
  return strncmp(word, "-W", 2) == 0 &&
         strspn(word + 2, "abcdefghijklmnopqrstuvwxyz0123456789-=+") == strlen(word + 2);
}

static bool refuse(struct options *o, struct strbuf *log, const char *word) {
  const char *names[sizeof rows / sizeof *rows];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    names[i] = rows[i].name;
  const char *near = nearest_match(word, names, (int)(sizeof rows / sizeof *rows));
  strbuf_addf(log, "error: unknown build option '%s'", word);
  if (near)
    strbuf_addf(log, "; did you mean %s?", near);
  strbuf_addc(log, '\n');
  o->invalid = true;
  return false;
}

static bool take(const struct words *l, size_t *i, bool link, struct options *o, struct strbuf *log) {
  const char *word = l->w[*i];
  if (!link && strncmp(word, "-cl-std=", 8) == 0)
    return language_choose(word + 8, o, log);
  if (!link && is_warning(word)) {
    words_add(&o->clang, word);
    return true;
  }
  const struct row *r = row_find(word);
  if (!r || (link && r->kind != MATH && r->kind != LIBRARY && r->kind != LINKING) ||
      (!link && (r->kind == LIBRARY || r->kind == LINKING)))
    return refuse(o, log, word);
  size_t n = strlen(r->name);
  switch (r->kind) {
  case VALUE:
    if (!word[n] && *i + 1 >= l->n) {
      strbuf_addf(log, "error: build option %s needs a value\n", word);
      o->invalid = true;
      return false;
    }
    words_addf(&o->clang, "%s%s", r->name, word[n] ? word + n : l->w[++*i]);
    break;
  case PASS:
  case MATH:
    if (strcmp(word, "-cl-opt-disable") == 0 || strcmp(word, "-O0") == 0)
      o->no_optimiser = true;
    words_add(&o->clang, strcmp(word, "-cl-no-signed-zeroes") == 0 ? "-cl-no-signed-zeros" : word);
    break;
  case VENDOR_V:
  case VENDOR:
    if (r->kind == VENDOR_V && !word[n] && *i + 1 < l->n)
      ++*i;
    strbuf_addf(log, "warning: build option %s has no effect on this device\n", r->name);
    break;
  case LIBRARY:
    o->library = true;
    break;
  case LINES:
    words_add(&o->clang, "-gline-directives-only");
    break;
  case NOTHING:
  case LINKING:
    break;
  }
  return true;
}

bool options_parse(const char *text, bool link, struct options *o, struct strbuf *log) {
  *o = (struct options){.standard = 120};
  struct words l = {0};
  bool ok = split(text ? text : "", &l, log);
  o->invalid = !ok;
  for (size_t i = 0; ok && i < l.n; i++)
    ok = take(&l, &i, link, o, log);
  words_free(&l);
  return ok;
}

void options_free(struct options *o) {
  words_free(&o->clang);
}

enum ocl_options_check ocl_options_check(const char *options, bool link, char **log) {
  struct options o;
  struct strbuf said = {0};
  enum ocl_options_check c =
      options_parse(options, link, &o, &said) || !o.invalid ? OCL_OPTIONS_OK : OCL_OPTIONS_BAD;
  options_free(&o);
  strbuf_add(&said, "");
  *log = strbuf_take(&said);
  return c;
}
