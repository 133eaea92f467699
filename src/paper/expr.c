#include "paper/expr.h"
#include "base/num.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

struct expr {
  char op; /* + - * / : two operands; n number, s statistic, b best */
  double number;
  const char *name;
  struct expr *left, *right;
};

struct parser {
  const char *at, *text;
  struct arena *mem;
  bool (*known)(const char *, void *);
  void *self;
  struct error *why;
  int depth;
};

static struct expr *make(struct parser *p, char op, struct expr *left, struct expr *right) {
  struct expr *e = arena_alloc(p->mem, sizeof *e);
  *e = (struct expr){.op = op, .left = left, .right = right};
  return e;
}

static char peek(struct parser *p) {
  while (isspace((unsigned char)*p->at))
    p->at++;
  return *p->at;
}

static struct expr *bad(struct parser *p, const char *what) {
  if (!p->why->code)
    error_set(p->why, EXIT_USAGE, "'%.120s': %s at '%.20s'", p->text, what, *p->at ? p->at : "the end");
  return NULL;
}

static struct expr *sum(struct parser *p);

static bool expect(struct parser *p, char c) {
  if (peek(p) != c)
    return false;
  p->at++;
  return true;
}

static char *word(struct parser *p) {
  const char *start = p->at;
  while (isalnum((unsigned char)*p->at) || *p->at == '.' || *p->at == '_')
    p->at++;
  return arena_strndup(p->mem, start, (size_t)(p->at - start));
}

static struct expr *name(struct parser *p) {
  struct expr *e = make(p, 's', NULL, NULL);
  e->name = word(p);
  if (strcmp(e->name, "best") == 0) {
    e->op = 'b';
    if (!expect(p, '('))
      return bad(p, "( expected");
    peek(p);
    e->name = word(p);
    return expect(p, ')') ? e : bad(p, ") expected");
  }
  if (!p->known(e->name, p->self)) {
    error_set(p->why, EXIT_USAGE, "'%.60s' is no statistic; `sluice list stats` shows them", e->name);
    return NULL;
  }
  return e;
}

static struct expr *number(struct parser *p) {
  struct expr *e = make(p, 'n', NULL, NULL);
  char *text = word(p);
  return num_f64(text, &e->number) == NUM_OK ? e : bad(p, "not a number");
}

static struct expr *primary(struct parser *p) {
  char c = peek(p);
  if (c == '(') {
    p->at++;
    if (++p->depth > MAX_DEPTH)
      return bad(p, "too many parentheses");
    struct expr *e = sum(p);
    p->depth--;
    return !e ? NULL : expect(p, ')') ? e : bad(p, ") expected");
  }
  if (isdigit((unsigned char)c))
    return number(p);
  return isalpha((unsigned char)c) ? name(p) : bad(p, "a name, a number or ( expected");
}

static struct expr *product(struct parser *p) {
  struct expr *e = primary(p);
  while (e && (peek(p) == '*' || *p->at == '/')) {
    char op = *p->at++;
    struct expr *right = primary(p);
    e = right ? make(p, op, e, right) : NULL;
  }
  return e;
}

static struct expr *sum(struct parser *p) {
  struct expr *e = product(p);
  while (e && (peek(p) == '+' || *p->at == '-')) {
    char op = *p->at++;
    struct expr *right = product(p);
    e = right ? make(p, op, e, right) : NULL;
  }
  return e;
}

struct expr *expr_parse(const char *text, struct arena *mem, bool (*known)(const char *, void *), void *self,
                        struct error *why) {
  struct parser p = {.at = text, .text = text, .mem = mem, .known = known, .self = self, .why = why};
  struct expr *e = sum(&p);
  if (e && peek(&p))
    return bad(&p, "an operator expected");
  return e;
}

bool expr_value(const struct expr *e, const struct expr_values *v, double *out) {
  double a, b;
  switch (e->op) {
  case 'n':
    *out = e->number;
    return true;
  case 's':
    return v->stat(v->self, e->name, out);
  case 'b':
    return v->best(v->self, e->name, out);
  default:
    break;
  }
  if (!expr_value(e->left, v, &a) || !expr_value(e->right, v, &b))
    return false;
  *out = e->op == '+' ? a + b : e->op == '-' ? a - b : e->op == '*' ? a * b : b == 0 ? (double)NAN : a / b;
  return true;
}
