#include "cuda/join.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "front/ptx/lex.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum item_kind { ITEM_VAR, ITEM_DECLARED, ITEM_FUNC, ITEM_ENTRY, ITEM_OTHER };
enum linkage { LINK_LOCAL, LINK_VISIBLE, LINK_WEAK, LINK_EXTERN };

struct item {
  enum item_kind kind;
  enum linkage linkage;
  const char *at, *body, *end; /* text; body: the `{` of a function */
  const char *name;
  uint32_t name_len;
  bool names_others; /* a variable whose initialiser names symbols */
  unsigned module;
  bool renamed, dropped;
};

struct join {
  char **texts;
  size_t *bytes;
  size_t n, cap, cap_bytes;
  struct item *items;
  size_t nitems, cap_items;
  double version;
  unsigned target;
  char suffix;
};

struct join *join_new(void) {
  return xcalloc(1, sizeof(struct join));
}

void join_free(struct join *j) {
  for (size_t i = 0; i < j->n; i++)
    free(j->texts[i]);
  free(j->texts);
  free(j->bytes);
  free(j->items);
  free(j);
}

void join_add(struct join *j, const char *ptx, size_t n) {
  size_t count = j->n;
  VEC_PUSH(j->texts, j->n, j->cap) = xstrndup(ptx, n);
  VEC_PUSH(j->bytes, count, j->cap_bytes) = n;
}

size_t join_count(const struct join *j) {
  return j->n;
}

bool join_is_device_runtime(const char *ptx) {
  return strstr(ptx, "_cuda_device_runtime_cu_") != NULL;
}

static bool is(const struct ptx_token *t, const char *word) {
  return strlen(word) == t->len && memcmp(t->s, word, t->len) == 0;
}

static bool same(const struct item *a, const struct item *b) {
  return a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0;
}

/* ---- taking a module apart ---- */

static bool broken(struct error *err, unsigned module, const struct ptx_lexer *lx) {
  return error_set(err, EXIT_USAGE, "part %u of the relocatable PTX, line %u: '%.*s' is not understood",
                   module + 1, lx->tok.line, (int)(lx->tok.len < 40 ? lx->tok.len : 40),
                   lx->tok.s ? lx->tok.s : "");
}

/* `.version 9.0`, `.target sm_90a, debug`, `.address_size 64`, `.file 1 "a.cu", 2, 3`, `.section .x {...}`: the head
 * of the module, and what is for debuggers. */
static bool skip_head(struct join *j, struct ptx_lexer *lx, bool *was, struct error *err, unsigned module) {
  struct ptx_token t = lx->tok;
  *was = true;
  if (is(&t, ".version")) {
    ptx_lex_next(lx);
    double v = strtod(lx->tok.s, NULL);
    j->version = v > j->version ? v : j->version;
    ptx_lex_next(lx);
  } else if (is(&t, ".target")) {
    do {
      ptx_lex_next(lx);
      if (lx->tok.len > 3 && memcmp(lx->tok.s, "sm_", 3) == 0) {
        unsigned arch = (unsigned)strtoul(lx->tok.s + 3, NULL, 10);
        char last = lx->tok.s[lx->tok.len - 1];
        j->suffix = last == 'a' || last == 'f' ? last : arch > j->target ? '\0' : j->suffix;
        j->target = arch > j->target ? arch : j->target;
      }
      ptx_lex_next(lx);
    } while (lx->tok.kind == ',');
  } else if (is(&t, ".address_size")) {
    ptx_lex_next(lx);
    ptx_lex_next(lx);
  } else if (is(&t, ".file")) {
    do
      ptx_lex_next(lx);
    while (lx->tok.kind == TOK_INT || lx->tok.kind == TOK_STR || lx->tok.kind == ',');
  } else if (is(&t, ".section")) {
    while (lx->tok.kind != '{' && lx->tok.kind != TOK_EOF && lx->tok.kind != TOK_BAD)
      ptx_lex_next(lx);
    if (lx->tok.kind != '{' || !ptx_lex_skip_block(lx))
      return broken(err, module, lx);
  } else {
    *was = false;
  }
  return true;
}

static void note_directive(struct item *it, const struct ptx_token *t) {
  if (is(t, ".visible"))
    it->linkage = LINK_VISIBLE;
  else if (is(t, ".weak") || is(t, ".common"))
    it->linkage = LINK_WEAK;
  else if (is(t, ".extern"))
    it->linkage = LINK_EXTERN;
  else if (is(t, ".func"))
    it->kind = ITEM_FUNC;
  else if (is(t, ".entry"))
    it->kind = ITEM_ENTRY;
  else if (is(t, ".pragma") || is(t, ".alias"))
    it->kind = ITEM_OTHER;
}

/* One declaration or definition, up to its `;` or `}`. */
static bool take_item(struct join *j, struct ptx_lexer *lx, unsigned module, struct error *err) {
  struct item it = {.kind = ITEM_VAR, .at = lx->tok.s, .module = module};
  int round = 0;
  bool initialiser = false;
  for (;; ptx_lex_next(lx)) {
    const struct ptx_token *t = &lx->tok;
    bool function = it.kind == ITEM_FUNC || it.kind == ITEM_ENTRY;
    if (t->kind == TOK_EOF || t->kind == TOK_BAD)
      return broken(err, module, lx);
    round += (t->kind == '(') - (t->kind == ')');
    initialiser |= t->kind == '=';
    if (t->kind == TOK_DIR && !round)
      note_directive(&it, t);
    else if (t->kind == TOK_WORD && initialiser)
      it.names_others = true;
    else if (t->kind == TOK_WORD && !round && !it.name)
      it.name = t->s, it.name_len = t->len;
    if (t->kind == '{' && function) {
      it.body = t->s;
      if (!ptx_lex_skip_block(lx))
        return broken(err, module, lx);
      it.end = it.body + 1; /* the end is what the lexer stopped behind: see below */
      break;
    }
    if (t->kind == ';') {
      it.end = t->s + 1;
      it.kind = function ? ITEM_DECLARED : it.kind;
      ptx_lex_next(lx);
      break;
    }
  }
  if (it.body) { /* up to the next token, but without its leading text: comments in between do no harm */
    const char *next = lx->tok.kind == TOK_EOF ? j->texts[module] + j->bytes[module] : lx->tok.s;
    while (next > it.body && next[-1] != '}')
      next--;
    it.end = next;
  }
  if (!it.name && it.kind != ITEM_OTHER)
    return broken(err, module, lx);
  VEC_PUSH(j->items, j->nitems, j->cap_items) = it;
  return true;
}

static bool take_apart(struct join *j, unsigned module, struct error *err) {
  struct ptx_lexer lx;
  ptx_lex_init(&lx, j->texts[module], j->bytes[module]);
  if (lx.tok.kind == TOK_EOF && !lx.tok.s)
    ptx_lex_next(&lx);
  while (lx.tok.kind != TOK_EOF) {
    bool head = false;
    if (lx.tok.kind == ';') {
      ptx_lex_next(&lx);
      continue;
    }
    if (lx.tok.kind != TOK_DIR)
      return broken(err, module, &lx);
    if (!skip_head(j, &lx, &head, err, module) || (!head && !take_item(j, &lx, module, err)))
      return false;
  }
  return true;
}

/* ---- who means whom ---- */

static bool defines(const struct item *it) {
  return it->linkage != LINK_EXTERN && it->kind != ITEM_DECLARED && it->kind != ITEM_OTHER;
}

/* Local names that another module uses too get one of their own; further definitions and declarations go. */
static bool resolve(struct join *j, struct error *err) {
  for (size_t a = 0; a < j->nitems; a++)
    for (size_t b = a + 1; b < j->nitems; b++) {
      struct item *x = &j->items[a], *y = &j->items[b];
      if (x->dropped || y->dropped || x->kind == ITEM_OTHER || y->kind == ITEM_OTHER || !same(x, y))
        continue;
      if (x->module != y->module && (x->linkage == LINK_LOCAL || y->linkage == LINK_LOCAL)) {
        (y->linkage == LINK_LOCAL ? y : x)->renamed = true;
        continue;
      }
      if (x->module != y->module && defines(x) && defines(y)) {
        if (x->linkage == LINK_VISIBLE && y->linkage == LINK_VISIBLE)
          return error_set(err, EXIT_USAGE, "relocatable PTX: '%.*s' is defined in parts %u and %u",
                           (int)x->name_len, x->name, x->module + 1, y->module + 1);
        (x->linkage == LINK_VISIBLE                              ? y
         : x->linkage == LINK_WEAK && y->linkage != LINK_VISIBLE ? y
                                                                 : x)
            ->dropped = true;
      } else {
        (defines(x) ? y : defines(y) ? x : y)->dropped = true; /* a declaration gives way */
      }
    }
  return true;
}

static const struct item *renamed(const struct join *j, unsigned module, const struct ptx_token *t) {
  for (size_t i = 0; i < j->nitems; i++) {
    const struct item *it = &j->items[i];
    if (it->renamed && it->module == module && it->name_len == t->len && memcmp(it->name, t->s, t->len) == 0)
      return it;
  }
  return NULL;
}

/* `.loc 1 22 3, function_name $L, inlined_at 1 5 2`: numbers of files are the module's own. */
static void skip_loc(struct ptx_lexer *lx) {
  do
    ptx_lex_next(lx);
  while (lx->tok.kind == TOK_INT || lx->tok.kind == ',' || is(&lx->tok, "function_name") ||
         is(&lx->tok, "inlined_at") || lx->tok.kind == '+' ||
         (lx->tok.kind == TOK_WORD && lx->tok.len > 6 && memcmp(lx->tok.s, "$L__in", 6) == 0));
}

static void copy(const struct join *j, unsigned module, const char *from, const char *to,
                 struct strbuf *out) {
  char *text = xstrndup(from, (size_t)(to - from));
  struct ptx_lexer lx;
  ptx_lex_init(&lx, text, (size_t)(to - from));
  if (lx.tok.kind == TOK_EOF && !lx.tok.s)
    ptx_lex_next(&lx);
  const char *done = text;
  while (lx.tok.kind != TOK_EOF && lx.tok.kind != TOK_BAD) {
    struct ptx_token t = lx.tok;
    const struct item *other = t.kind == TOK_WORD ? renamed(j, module, &t) : NULL;
    if (t.kind == TOK_DIR && is(&t, ".loc")) {
      strbuf_addn(out, done, (size_t)(t.s - done));
      skip_loc(&lx);
      done = lx.tok.kind == TOK_EOF ? text + (to - from) : lx.tok.s;
      strbuf_addc(out, '\n');
      continue;
    }
    if (other) {
      strbuf_addn(out, done, (size_t)(t.s + t.len - done));
      strbuf_addf(out, "$part%u", module + 1);
      done = t.s + t.len;
    }
    ptx_lex_next(&lx);
  }
  strbuf_add(out, done);
  strbuf_addc(out, '\n');
  free(text);
}

static void emit(const struct join *j, struct strbuf *out) {
  strbuf_addf(out, ".version %.1f\n.target sm_%u", j->version, j->target);
  if (j->suffix)
    strbuf_addc(out, j->suffix);
  strbuf_add(out, "\n.address_size 64\n");
  for (int names = 0; names < 2; names++)
    for (size_t i = 0; i < j->nitems; i++) {
      const struct item *it = &j->items[i];
      if (it->kind == ITEM_VAR && !it->dropped && it->names_others == (names == 1))
        copy(j, it->module, it->at, it->end, out);
    }
  for (size_t i = 0; i < j->nitems; i++) {
    const struct item *it = &j->items[i];
    if (it->dropped || (it->kind != ITEM_DECLARED && it->kind != ITEM_FUNC))
      continue;
    copy(j, it->module, it->at, it->kind == ITEM_FUNC ? it->body : it->end, out);
    if (it->kind == ITEM_FUNC)
      strbuf_add(out, ";\n");
  }
  for (size_t i = 0; i < j->nitems; i++) {
    const struct item *it = &j->items[i];
    if (!it->dropped && it->kind != ITEM_VAR && it->kind != ITEM_DECLARED)
      copy(j, it->module, it->at, it->end, out);
  }
}

char *join_text(struct join *j, size_t *n, struct error *err) {
  if (j->n == 1) {
    *n = j->bytes[0];
    return xstrndup(j->texts[0], *n);
  }
  for (unsigned i = 0; i < j->n; i++)
    if (!take_apart(j, i, err))
      return NULL;
  if (!resolve(j, err))
    return NULL;
  struct strbuf out = {0};
  emit(j, &out);
  *n = out.n;
  return strbuf_take(&out);
}
