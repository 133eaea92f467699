/* The module: what stands outside functions, and the way in and out. */
#include "front/ptx/expand.h"
#include "base/pool.h"
#include "front/ptx/parse.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keyword_text[] = {
#define X(e, text) text,
    PTX_KEYWORDS(X)
#undef X
};
enum { NKEYWORDS = sizeof keyword_text / sizeof *keyword_text };

/* ---- small things ---- */

bool ptx_expect(struct ptx_parser *p, char c) {
  if (ptx_accept(p, c))
    return true;
  return ptx_expected(p, (const char[]){'\'', c, '\'', '\0'});
}

bool ptx_tok_is(const struct ptx_token *t, const char *word) {
  return t->len == strlen(word) && memcmp(t->s, word, t->len) == 0;
}

char *ptx_copy_name(struct ptx_parser *p, const struct ptx_token *t) {
  return arena_strndup(p->arena, t->s, t->len);
}

enum ptx_keyword ptx_keyword(const struct ptx_parser *p, enum ptx_type *type) {
  const struct ptx_name *e = ptx_names_find(&p->keywords, ptx_tok(p)->s + 1, ptx_tok(p)->len - 1);
  if (!e)
    return KW_NONE;
  *type = (enum ptx_type)e->count;
  return (enum ptx_keyword)e->index;
}

bool ptx_unknown_directive(struct ptx_parser *p) {
  const struct ptx_token *t = ptx_tok(p);
  char buf[PTX_QUOTE_MAX];
  ptx_quote(buf, t->s, t->len);
  const char *near = nearest_match(buf + 1, keyword_text, NKEYWORDS);
  if (near)
    return ptx_finding(p, t->line, "'%s' is not a directive; did you mean '.%s'?", buf, near);
  return ptx_finding(p, t->line, "'%s' is not a directive", buf);
}

/* ---- directives of the module ---- */

static bool parse_version(struct ptx_parser *p) {
  ptx_lex_next(&p->lx);
  const struct ptx_token *t = ptx_tok(p);
  unsigned part[2] = {0, 0}, dots = 0;
  bool ok = t->kind == TOK_F64 && t->len <= 7;
  for (uint32_t i = 0; ok && i < t->len; i++) {
    if (t->s[i] == '.')
      ok = ++dots == 1;
    else if (t->s[i] >= '0' && t->s[i] <= '9')
      part[dots] = part[dots] * 10 + (unsigned)(t->s[i] - '0');
    else
      ok = false;
  }
  if (!ok || dots != 1 || part[0] == 0)
    return ptx_expected(p, "a version such as 7.5");
  p->m->version_major = part[0];
  p->m->version_minor = part[1];
  ptx_lex_next(&p->lx);
  return true;
}

static bool parse_target(struct ptx_parser *p) {
  do {
    ptx_lex_next(&p->lx);
    if (ptx_tok(p)->kind != TOK_WORD)
      return ptx_expected(p, "a target such as sm_75");
    if (!p->m->target)
      p->m->target = ptx_copy_name(p, ptx_tok(p));
    ptx_lex_next(&p->lx);
  } while (ptx_tok(p)->kind == ',');
  return true;
}

static bool parse_address_size(struct ptx_parser *p) {
  ptx_lex_next(&p->lx);
  uint32_t line = ptx_tok(p)->line, size;
  if (!ptx_parse_u32(p, "64", &size))
    return false;
  p->m->address_size = size;
  if (size != 64)
    return ptx_finding(p, line, ".address_size %u: only 64-bit modules are supported", size);
  return true;
}

/* "dir" "name" of clang 16 and later, or "path": dir is in force unless the name is absolute. */
static const char *parse_file_name(struct ptx_parser *p) {
  struct ptx_token dir = *ptx_tok(p);
  ptx_lex_next(&p->lx);
  struct ptx_token name = *ptx_tok(p);
  if (name.kind != TOK_STR)
    return arena_strndup(p->arena, dir.s + 1, dir.len - 2);
  ptx_lex_next(&p->lx);
  if (name.s[1] == '/' || dir.len == 2)
    return arena_strndup(p->arena, name.s + 1, name.len - 2);
  char *path = arena_alloc(p->arena, (size_t)dir.len + name.len);
  memcpy(path, dir.s + 1, dir.len - 2);
  path[dir.len - 2] = '/';
  memcpy(path + dir.len - 1, name.s + 1, name.len - 2);
  return path;
}

/* .file 1 "path" [, timestamp, size] */
bool ptx_parse_file_directive(struct ptx_parser *p) {
  ptx_lex_next(&p->lx);
  uint32_t line = ptx_tok(p)->line, number, ignored;
  if (!ptx_parse_u32(p, "a file number", &number))
    return false;
  if (number > PTX_MAX_FILE)
    return ptx_finding(p, line, "file number %u; at most %d is allowed", number, PTX_MAX_FILE);
  if (ptx_tok(p)->kind != TOK_STR)
    return ptx_expected(p, "a file name in quotes");
  while (p->files.n <= number)
    PUSH(p->files) = NULL;
  p->files.v[number] = parse_file_name(p);
  while (ptx_accept(p, ',')) {
    if (ptx_tok(p)->kind == TOK_INT) /* a timestamp may need 64 bits */
      ptx_lex_next(&p->lx);
    else if (!ptx_parse_u32(p, "a number", &ignored))
      return false;
  }
  return true;
}

bool ptx_parse_pragma(struct ptx_parser *p) {
  do {
    ptx_lex_next(&p->lx);
    if (ptx_tok(p)->kind != TOK_STR)
      return ptx_expected(p, "a pragma in quotes");
    const struct ptx_token *t = ptx_tok(p);
    if (p->func != PTX_NONE && p->labels.n && p->labels.v[p->labels.n - 1].pos == p->insts.n &&
        memmem(t->s, t->len, "nounroll", strlen("nounroll")))
      p->labels.v[p->labels.n - 1].nounroll = true;
    ptx_lex_next(&p->lx);
  } while (ptx_tok(p)->kind == ',');
  return ptx_expect(p, ';');
}

/* .section .debug_info { ... }: DWARF, which nothing here reads. */
static bool parse_section(struct ptx_parser *p) {
  ptx_lex_next(&p->lx);
  uint32_t line = ptx_tok(p)->line;
  if (ptx_tok(p)->kind != TOK_DIR && ptx_tok(p)->kind != TOK_WORD)
    return ptx_expected(p, "a section's name");
  ptx_lex_next(&p->lx);
  if (ptx_tok(p)->kind != '{')
    return ptx_expected(p, "'{'");
  if (ptx_lex_skip_block(&p->lx))
    return true;
  p->lx.at = p->lx.end;
  p->lx.tok.kind = TOK_EOF;
  return ptx_finding(p, line, "the section does not end: its '{' has no '}'");
}

/* .alias name, target; both are functions declared before. */
static bool parse_alias(struct ptx_parser *p) {
  uint32_t at[2] = {0, 0};
  ptx_lex_next(&p->lx);
  for (int i = 0; i < 2; i++) {
    const struct ptx_token *t = ptx_tok(p);
    if (t->kind != TOK_WORD)
      return ptx_expected(p, "a function's name");
    const struct ptx_name *e = ptx_names_find(&p->module, t->s, t->len);
    if (!e || e->sym_kind != PTX_SYM_FUNC)
      return ptx_undeclared(p, t->line, "function", t->s, t->len);
    at[i] = e->index;
    ptx_lex_next(&p->lx);
    if (i == 0 && !ptx_expect(p, ','))
      return false;
  }
  PUSH(p->aliases) = (struct ptx_alias){at[0], at[1]};
  return ptx_expect(p, ';');
}

static bool parse_declaration(struct ptx_parser *p) {
  struct ptx_spec spec;
  if (!ptx_parse_spec(p, &spec))
    return false;
  return spec.is_func ? ptx_parse_function(p, &spec) : ptx_parse_vars(p, &spec);
}

static bool parse_top(struct ptx_parser *p) {
  if (ptx_tok(p)->kind == ';') {
    ptx_lex_next(&p->lx);
    return true;
  }
  if (ptx_tok(p)->kind != TOK_DIR)
    return ptx_expected(p, "a directive such as .entry or .global");
  enum ptx_type type;
  switch (ptx_keyword(p, &type)) {
  case KW_VERSION:
    return parse_version(p);
  case KW_TARGET:
    return parse_target(p);
  case KW_ADDRESS_SIZE:
    return parse_address_size(p);
  case KW_FILE:
    return ptx_parse_file_directive(p);
  case KW_PRAGMA:
    return ptx_parse_pragma(p);
  case KW_SECTION:
    return parse_section(p);
  case KW_ALIAS:
    return parse_alias(p);
  default:
    return parse_declaration(p);
  }
}

/* After an error: past the next `;`, or past a whole body. */
static void recover(struct ptx_parser *p) {
  for (; ptx_tok(p)->kind != TOK_EOF; ptx_lex_next(&p->lx)) {
    if (ptx_tok(p)->kind == ';') {
      ptx_lex_next(&p->lx);
      return;
    }
    if (ptx_tok(p)->kind == '{') {
      if (!ptx_lex_skip_block(&p->lx)) {
        p->lx.at = p->lx.end;
        ptx_lex_next(&p->lx);
      }
      if (ptx_tok(p)->kind == ';')
        ptx_lex_next(&p->lx);
      return;
    }
  }
}

static void check_heading(struct ptx_parser *p) {
  if (p->m->version_major == 0)
    ptx_finding(p, 1, "no .version: this is not a PTX module");
  else if (!p->m->target)
    ptx_finding(p, 1, "no .target");
  else if (p->m->address_size == 0)
    ptx_finding(p, 1, "no .address_size: such a module is 32-bit, and only 64-bit ones are supported");
}

static void resolve_aliases(struct ptx_parser *p) {
  for (size_t i = 0; i < p->aliases.n; i++) {
    struct ptx_func *to = &p->funcs.v[p->aliases.v[i].alias];
    const struct ptx_func *from = &p->funcs.v[p->aliases.v[i].target];
    if (!to->is_extern || from->is_extern) {
      ptx_finding(p, to->line, "the alias '%.80s' must be a declaration, and its target '%.80s' a definition",
                  to->name, from->name);
      continue;
    }
    const char *name = to->name;
    *to = *from;
    to->name = name;
  }
}

/* ---- in and out ---- */

static void parser_init(struct ptx_parser *p, const char *text, size_t n) {
  ptx_lex_init(&p->lx, text, n);
  p->regs_limit = PTX_MAX_REGS + 4 * (uint64_t)n;
  ptx_names_init(&p->keywords, 256);
  ptx_names_init(&p->mnemonics, 1024);
  ptx_names_init(&p->module, 256);
  ptx_names_init(&p->local, 256);
  for (uint32_t i = 0; i < NKEYWORDS; i++)
    ptx_names_add(&p->keywords, NAME_KEYWORD, keyword_text[i], (uint32_t)strlen(keyword_text[i]))->index =
        i + 1;
  for (uint32_t t = PTX_NOTYPE + 1; t < PTX_NTYPES; t++) {
    const char *s = ptx_type_name((enum ptx_type)t);
    struct ptx_name *e = ptx_names_add(&p->keywords, NAME_KEYWORD, s, (uint32_t)strlen(s));
    e->index = KW_TYPE;
    e->count = t;
  }
  static const char *const sregs[] = {
#define X(e, text) text,
      PTX_SREGS(X)
#undef X
  };
  for (uint32_t i = 0; i < PTX_NSREGS; i++) {
    bool range = i == PTX_SREG_ENVREG || i == PTX_SREG_PM;
    struct ptx_name *e =
        ptx_names_add(&p->local, range ? NAME_SREGS : NAME_SREG, sregs[i], (uint32_t)strlen(sregs[i]));
    e->index = i;
    e->count = i == PTX_SREG_ENVREG ? 32 : range ? 8 : 0;
  }
  static const char pm64[8][8] = {"%pm0_64", "%pm1_64", "%pm2_64", "%pm3_64",
                                  "%pm4_64", "%pm5_64", "%pm6_64", "%pm7_64"};
  for (uint32_t i = 0; i < 8; i++) {
    struct ptx_name *e = ptx_names_add(&p->local, NAME_SREG, pm64[i], 7);
    e->index = PTX_SREG_PM;
    e->count = 8 + i;
  }
}

static void *keep(struct ptx_parser *p, const void *from, size_t n, size_t size) {
  void *to = arena_alloc(p->arena, n * size);
  if (n)
    memcpy(to, from, n * size);
  return to;
}

#define KEEP(field, vec) m->field = keep(p, p->vec.v, p->vec.n, sizeof *p->vec.v)

static void parser_finish(struct ptx_parser *p) {
  struct ptx_module *m = p->m;
  KEEP(vars, vars);
  KEEP(funcs, funcs);
  KEEP(mnemonics, mnemonic_text);
  KEEP(files, files);
  KEEP(syms, syms);
  KEEP(strings, strings);
  m->nvars = (uint32_t)p->vars.n;
  m->nfuncs = (uint32_t)p->funcs.n;
  m->nmnemonics = (uint32_t)p->mnemonic_text.n;
  m->nfiles = (uint32_t)p->files.n;
  m->nsyms = (uint32_t)p->syms.n;
}

static void parser_free(struct ptx_parser *p) {
  ptx_names_free(&p->keywords);
  ptx_names_free(&p->mnemonics);
  ptx_names_free(&p->module);
  ptx_names_free(&p->local);
  void *scratch[] = {p->vars.v,    p->funcs.v,  p->mnemonic_text.v, p->files.v,  p->syms.v,    p->aliases.v,
                     p->strings.v, p->joined.v, p->init.v,          p->relocs.v, p->fparams.v, p->frets.v,
                     p->fvars.v,   p->regs.v,   p->labels.v,        p->insts.v,  p->ops.v,     p->stack.v,
                     p->locs.v,    p->fsyms.v,  p->targets.v,       p->pending.v};
  for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
    free(scratch[i]);
  free(p);
}

/* text[n] is NUL. */
static struct ptx_module *parse_terminated(const char *text, size_t n, const char *path, struct error *err) {
  struct ptx_module *m = xcalloc(1, sizeof *m);
  struct ptx_parser *p = xcalloc(1, sizeof *p);
  p->m = m;
  p->arena = &m->arena;
  p->err = err;
  m->path = arena_strndup(&m->arena, path, strlen(path));
  m->text_hash = ptx_hash(text, n);
  parser_init(p, text, n);
  ptx_lex_next(&p->lx);
  while (ptx_tok(p)->kind != TOK_EOF)
    if (!parse_top(p))
      recover(p);
  if (p->findings == 0)
    check_heading(p);
  resolve_aliases(p);
  parser_finish(p);
  bool failed = p->findings > 0;
  parser_free(p);
  if (!failed)
    return m;
  ptx_module_free(m);
  return NULL;
}

static bool too_large(size_t n, const char *path, struct error *err) {
  if (n < (size_t)1 << 31)
    return false;
  error_set(err, EXIT_USAGE, "%s: a PTX text of %zu bytes; at most 2^31 are read", path, n);
  return true;
}

static struct ptx_module *parse_expanded(const char *text, size_t n, const char *path, struct error *err) {
  char *expanded = ptx_expand(text, n, &n);
  struct ptx_module *m = parse_terminated(expanded ? expanded : text, n, path, err);
  free(expanded);
  return m;
}

struct ptx_module *ptx_parse(const char *text, size_t n, const char *path, struct error *err) {
  if (too_large(n, path, err))
    return NULL;
  char *copy = xstrndup(text, n);
  struct ptx_module *m = parse_expanded(copy, n, path, err);
  free(copy);
  return m;
}

struct ptx_module *ptx_parse_file(const char *path, struct error *err) {
  FILE *in = pool_file(fopen(path, "rb"));
  if (!in) {
    error_set(err, EXIT_USAGE, "%s: %s", path, strerror(errno));
    return NULL;
  }
  char *text = NULL;
  size_t n = 0, cap = 0, got;
  do {
    if (n + 1 >= cap)
      text = xrealloc(text, cap = cap ? 2 * cap : 1 << 16);
    got = fread(text + n, 1, cap - n - 1, in);
    n += got;
  } while (got > 0 && n < (size_t)1 << 31);
  bool failed = ferror(in);
  int why = errno;
  pool_fclose(in);
  text[n] = '\0';
  struct ptx_module *m = NULL;
  if (failed)
    error_set(err, EXIT_USAGE, "%s: %s", path, strerror(why));
  else if (!too_large(n, path, err))
    m = parse_expanded(text, n, path, err);
  free(text);
  return m;
}

void ptx_module_free(struct ptx_module *m) {
  if (!m)
    return;
  arena_free(&m->arena);
  free(m);
}

const char *ptx_reg_name(const struct ptx_func *f, uint32_t reg, char *buf, size_t n) {
  const struct ptx_reg *r = &f->regs[reg];
  if (r->num < 0)
    snprintf(buf, n, "%s", r->name);
  else
    snprintf(buf, n, "%s%d", r->name, r->num);
  return buf;
}
