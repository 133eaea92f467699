/* Findings: path, line, the token as written, what was expected, the nearest name. */
#include "front/ptx/parse.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ptx_quote(char buf[PTX_QUOTE_MAX], const char *s, size_t n) {
  size_t at = 0;
  for (size_t i = 0; i < n; i++) {
    if (at + 8 > PTX_QUOTE_MAX) {
      strcpy(buf + at, "...");
      return buf;
    }
    unsigned char c = (unsigned char)s[i];
    if (c < 0x20 || c == 0x7f)
      at += (size_t)snprintf(buf + at, PTX_QUOTE_MAX - at, "\\x%02x", c);
    else
      buf[at++] = (char)c;
  }
  buf[at] = '\0';
  return buf;
}

/* The rest of the text would only repeat the same trouble. */
static void give_up(struct ptx_parser *p) {
  p->lx.at = p->lx.end;
  p->lx.tok.kind = TOK_EOF;
}

bool ptx_finding(struct ptx_parser *p, uint32_t line, const char *fmt, ...) {
  if (p->findings >= PTX_MAX_FINDINGS)
    return false;
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  error_add(p->err, EXIT_USAGE, "%s:%u: %s", p->m->path, line, text);
  if (++p->findings == PTX_MAX_FINDINGS)
    give_up(p);
  return false;
}

bool ptx_expected(struct ptx_parser *p, const char *what) {
  const struct ptx_token *t = ptx_tok(p);
  char buf[PTX_QUOTE_MAX];
  if (t->kind == TOK_BAD)
    return ptx_finding(p, t->line, "'%s': %s", ptx_quote(buf, t->s, t->len), p->lx.why);
  if (t->kind == TOK_EOF)
    return ptx_finding(p, t->line, "expected %s, found the end of the file", what);
  return ptx_finding(p, t->line, "expected %s, found '%s'", what, ptx_quote(buf, t->s, t->len));
}

bool ptx_duplicate(struct ptx_parser *p, const struct ptx_token *t, const struct ptx_name *first) {
  char buf[PTX_QUOTE_MAX];
  if (first->line == 0)
    return ptx_finding(p, t->line, "'%s' is a name of PTX itself", ptx_quote(buf, t->s, t->len));
  return ptx_finding(p, t->line, "'%s' is already declared on line %u", ptx_quote(buf, t->s, t->len),
                     first->line);
}

enum { CANDIDATES = 512, CANDIDATE_LEN = 128 };

struct candidates {
  char text[CANDIDATES][CANDIDATE_LEN];
  const char *at[CANDIDATES];
  int n;
};

/* A range stands for the member with the number asked for, or its last. */
static void add_candidate(struct candidates *c, const struct ptx_name *e, uint32_t num) {
  if (c->n == CANDIDATES || e->len + 12 > CANDIDATE_LEN || e->kind == NAME_LOWEST || e->kind == NAME_KEYWORD)
    return;
  char *to = c->text[c->n];
  memcpy(to, e->s, e->len);
  to[e->len] = '\0';
  if (e->kind == NAME_RANGE || e->kind == NAME_SREGS) {
    if (e->count == 0)
      return;
    snprintf(to + e->len, CANDIDATE_LEN - e->len, "%u", num < e->count ? num : e->count - 1);
  }
  c->at[c->n++] = to;
}

bool ptx_undeclared(struct ptx_parser *p, uint32_t line, const char *what, const char *s, uint32_t len) {
  if (p->findings >= PTX_MAX_FINDINGS)
    return false;
  char buf[PTX_QUOTE_MAX];
  ptx_quote(buf, s, len);
  const char *near = NULL;
  struct candidates *c = NULL;
  if (len + 12 < CANDIDATE_LEN && len < PTX_QUOTE_MAX - 8) {
    uint32_t num = 0, digits = 0;
    while (digits < len && digits < 9 && s[len - 1 - digits] >= '0' && s[len - 1 - digits] <= '9')
      digits++;
    for (uint32_t i = len - digits; i < len; i++)
      num = num * 10 + (uint32_t)(s[i] - '0');
    c = xmalloc(sizeof *c);
    c->n = 0;
    for (size_t i = p->local.entries.n; i-- > 0;)
      add_candidate(c, &p->local.entries.v[i], num);
    for (size_t i = p->module.entries.n; i-- > 0;)
      add_candidate(c, &p->module.entries.v[i], num);
    near = nearest_match(buf, c->at, c->n);
  }
  if (near)
    ptx_finding(p, line, "'%s' is not declared: no such %s; did you mean '%s'?", buf, what, near);
  else
    ptx_finding(p, line, "'%s' is not declared: no such %s", buf, what);
  free(c);
  return false;
}
