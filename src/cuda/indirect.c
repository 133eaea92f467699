#include "cuda/indirect.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "front/ptx/lex.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS UINT64_C(0x0400000000000000) /* no memory is here: a function read as data is a fault */

struct function {
  struct ptx_token name;
  char *shape; /* what goes in and out: see shape() */
  bool taken;
};
struct prototype {
  struct ptx_token name;
  char *shape;
};
struct rewrite {
  struct function *f;
  size_t n, cap;
  struct prototype *p; /* of the function that is being rewritten, and of those before */
  size_t np, cap_p;
  struct strbuf out;
  const char *done; /* text before it is in `out` */
  unsigned calls;
};

static bool is(const struct ptx_token *t, const char *word) {
  return t->kind != TOK_EOF && strlen(word) == t->len && memcmp(t->s, word, t->len) == 0;
}
static bool same(const struct ptx_token *a, const struct ptx_token *b) {
  return a->len == b->len && (!a->len || memcmp(a->s, b->s, a->len) == 0);
}
static void start(struct ptx_lexer *lx, const char *text, size_t n) {
  ptx_lex_init(lx, text, n);
  ptx_lex_next(lx);
}
static bool over(const struct ptx_lexer *lx) {
  return lx->tok.kind == TOK_EOF || lx->tok.kind == TOK_BAD;
}

/* Bits of a type's name: .b32, .f32 and .u32 go through the same register. */
static unsigned bits(const struct ptx_token *t) {
  return t->len > 2 && strchr("bfus", t->s[1]) ? (unsigned)strtoul(t->s + 2, NULL, 10) : 0;
}

/* `( .param .align 8 .b8 p[16], .param .b32 q )` as "8[16],32,"; the lexer stands at `(` and ends behind `)`. */
static void shape(struct ptx_lexer *lx, struct strbuf *to) {
  strbuf_addc(to, '(');
  for (ptx_lex_next(lx); !over(lx) && lx->tok.kind != ')'; ptx_lex_next(lx)) {
    if (lx->tok.kind == TOK_DIR && is(&lx->tok, ".align"))
      ptx_lex_next(lx);
    else if (lx->tok.kind == TOK_DIR && bits(&lx->tok))
      strbuf_addf(to, "%u", bits(&lx->tok));
    else if (lx->tok.kind == TOK_INT)
      strbuf_addf(to, "[%llu]", (unsigned long long)lx->tok.u);
    else if (lx->tok.kind == ',')
      strbuf_addc(to, ',');
  }
  strbuf_addc(to, ')');
  if (!over(lx))
    ptx_lex_next(lx);
}

/* `[(rets)] name [(params)]` behind .func or .callprototype. */
static struct ptx_token signature(struct ptx_lexer *lx, char **to) {
  struct strbuf rets = {0}, params = {0};
  struct ptx_token name = {0};
  if (lx->tok.kind == '(')
    shape(lx, &rets);
  else
    strbuf_add(&rets, "()");
  while (lx->tok.kind == TOK_DIR) /* attributes */
    ptx_lex_next(lx);
  name = lx->tok;
  ptx_lex_next(lx);
  if (lx->tok.kind == '(')
    shape(lx, &params);
  else
    strbuf_add(&params, "()");
  strbuf_add(&rets, params.s);
  strbuf_free(&params);
  *to = strbuf_take(&rets);
  return name;
}

static struct function *function_named(const struct rewrite *r, const struct ptx_token *t) {
  for (size_t i = 0; t->kind == TOK_WORD && i < r->n; i++)
    if (same(&r->f[i].name, t))
      return &r->f[i];
  return NULL;
}

static void find_functions(struct rewrite *r, const char *ptx, size_t n) {
  struct ptx_lexer lx;
  for (start(&lx, ptx, n); !over(&lx);) {
    if (lx.tok.kind != TOK_DIR || !is(&lx.tok, ".func")) {
      ptx_lex_next(&lx);
      continue;
    }
    ptx_lex_next(&lx);
    struct function f = {0};
    f.name = signature(&lx, &f.shape);
    if (f.name.kind == TOK_WORD && !function_named(r, &f.name))
      VEC_PUSH(r->f, r->n, r->cap) = f;
    else
      free(f.shape);
  }
}

static uint64_t address(const struct rewrite *r, const struct function *f) {
  return ADDRESS + 16 * (uint64_t)(f - r->f + 1);
}

/* ---- calls ---- */

struct call {
  const char *begin, *end; /* with the `;` */
  bool indirect;
  const char *rets, *rets_end, *params, *params_end; /* with parentheses; rets may be NULL */
  struct ptx_token target, prototype;
};

static bool group(struct ptx_lexer *lx, const char **begin, const char **end) {
  *begin = lx->tok.s;
  while (!over(lx) && lx->tok.kind != ')' && lx->tok.kind != ';')
    ptx_lex_next(lx);
  if (lx->tok.kind != ')')
    return false;
  *end = lx->tok.s + 1;
  ptx_lex_next(lx);
  return true;
}

/* `call[.uni] [(rets),] target[, (params)][, prototype];`; the lexer stands at `call` and ends behind `;`. */
static bool read_call(struct ptx_lexer *lx, struct call *c) {
  *c = (struct call){.begin = lx->tok.s};
  ptx_lex_next(lx);
  if (lx->tok.kind == TOK_DIR)
    ptx_lex_next(lx);
  if (lx->tok.kind == '(') {
    if (!group(lx, &c->rets, &c->rets_end) || lx->tok.kind != ',')
      return false;
    ptx_lex_next(lx);
  }
  c->target = lx->tok;
  c->indirect = lx->tok.kind == TOK_WORD && lx->tok.s[0] == '%';
  ptx_lex_next(lx);
  if (lx->tok.kind == ',') {
    ptx_lex_next(lx);
    if (lx->tok.kind == '(') {
      if (!group(lx, &c->params, &c->params_end))
        return false;
      if (lx->tok.kind == ',')
        ptx_lex_next(lx);
    }
    if (lx->tok.kind == TOK_WORD) {
      c->prototype = lx->tok;
      ptx_lex_next(lx);
    }
  }
  if (lx->tok.kind != ';')
    return false;
  c->end = lx->tok.s + 1;
  ptx_lex_next(lx);
  return true;
}

static void emit_call(struct rewrite *r, const struct call *c, const char *shape_wanted) {
  struct strbuf *o = &r->out;
  unsigned k = r->calls++, i = 0;
  strbuf_addf(o, "{ .reg .pred %%indirect%u; ", k);
  for (size_t f = 0; f < r->n; f++) {
    if (!r->f[f].taken || strcmp(r->f[f].shape, shape_wanted) != 0)
      continue;
    strbuf_addf(o, "setp.ne.u64 %%indirect%u, %.*s, %llu; @%%indirect%u bra $indirect%u_%u; call ", k,
                (int)c->target.len, c->target.s, (unsigned long long)address(r, &r->f[f]), k, k, i);
    if (c->rets) {
      strbuf_addn(o, c->rets, (size_t)(c->rets_end - c->rets));
      strbuf_add(o, ", ");
    }
    strbuf_addn(o, r->f[f].name.s, r->f[f].name.len);
    if (c->params) {
      strbuf_add(o, ", ");
      strbuf_addn(o, c->params, (size_t)(c->params_end - c->params));
    }
    strbuf_addf(o, "; bra $indirect%u_end; $indirect%u_%u: ", k, k, i++);
  }
  strbuf_addf(o, "trap; $indirect%u_end: }", k);
  for (const char *s = c->begin; s < c->end; s++) /* later lines keep their numbers */
    if (*s == '\n')
      strbuf_addc(o, '\n');
}

static const char *prototype_shape(const struct rewrite *r, const struct ptx_token *name) {
  for (size_t i = r->np; i-- > 0;) /* the last one: names are a function's own */
    if (same(&r->p[i].name, name))
      return r->p[i].shape;
  return NULL;
}

/* One walk over the text: notes whose address is taken, or writes it anew. Head tokens of functions are skipped. */
static bool walk(struct rewrite *r, const char *ptx, size_t n, bool write) {
  struct ptx_lexer lx;
  struct ptx_token before = {0}; /* the label of a prototype */
  bool any = false;
  for (start(&lx, ptx, n); !over(&lx);) {
    struct ptx_token t = lx.tok;
    if (t.kind == TOK_DIR && (is(&t, ".func") || is(&t, ".callprototype"))) {
      char *text;
      ptx_lex_next(&lx);
      signature(&lx, &text);
      if (is(&t, ".callprototype"))
        VEC_PUSH(r->p, r->np, r->cap_p) = (struct prototype){before, text};
      else
        free(text);
      continue;
    }
    if (t.kind == TOK_WORD && is(&t, "call")) {
      struct call c;
      if (!read_call(&lx, &c))
        return false;
      const char *wanted = c.indirect ? prototype_shape(r, &c.prototype) : NULL;
      any |= c.indirect;
      if (write && wanted) {
        strbuf_addn(&r->out, r->done, (size_t)(c.begin - r->done));
        emit_call(r, &c, wanted);
        r->done = c.end;
      }
      continue;
    }
    struct function *f = function_named(r, &t);
    if (f && write) {
      strbuf_addn(&r->out, r->done, (size_t)(t.s - r->done));
      strbuf_addf(&r->out, "%llu", (unsigned long long)address(r, f));
      r->done = t.s + t.len;
    } else if (f) {
      f->taken = any = true;
    }
    before = t.kind == TOK_WORD ? t : before;
    ptx_lex_next(&lx);
  }
  return any && lx.tok.kind == TOK_EOF;
}

char *indirect_rewrite(const char *ptx, size_t n, size_t *to) {
  struct rewrite r = {.done = ptx};
  char *text = xstrndup(ptx, n), *result = NULL; /* the lexer wants a 0 at the end */
  r.done = text;
  find_functions(&r, text, n);
  if (r.n && walk(&r, text, n, false) && walk(&r, text, n, true)) {
    strbuf_add(&r.out, r.done);
    *to = r.out.n;
    result = strbuf_take(&r.out);
  }
  strbuf_free(&r.out);
  for (size_t i = 0; i < r.n; i++)
    free(r.f[i].shape);
  for (size_t i = 0; i < r.np; i++)
    free(r.p[i].shape);
  free(r.f);
  free(r.p);
  free(text);
  return result;
}
