/* Functions: the head with its parameters and performance directives, the body with its scopes.
 * Labels may be used before they stand; uses wait in p->pending until their scope closes. */
#include "front/ptx/parse.h"
#include <string.h>

/* ---- scopes ---- */

enum { BODY_SCOPE = 2 }; /* 0 holds the special registers, 1 the parameters */

static bool open_scope(struct ptx_parser *p) {
  if (p->scope + 1 >= PTX_MAX_SCOPES)
    return ptx_finding(p, ptx_tok(p)->line, "scopes nest deeper than %d", PTX_MAX_SCOPES - 1);
  p->scopes[++p->scope] =
      (struct ptx_scope){.names = p->local.entries.n, .pending = p->pending.n, .line = ptx_tok(p)->line};
  return true;
}

static const struct ptx_name *label_here(const struct ptx_parser *p, const struct ptx_pending *w) {
  const struct ptx_name *e = ptx_names_find(&p->local, w->s, w->len);
  while (e && e->kind != NAME_LABEL)
    e = ptx_names_older(&p->local, e);
  return e && e->scope == p->scope ? e : NULL;
}

static void settle_label(struct ptx_parser *p, const struct ptx_pending *w, uint32_t label) {
  if (w->is_target) {
    p->targets.v[w->at] = label;
  } else if (w->at != PTX_NONE) { /* else the instruction was refused */
    p->ops.v[w->at].id = label;
    p->ops.v[w->at].is_table = p->labels.v[label].pos == PTX_NONE;
  }
}

static void close_scope(struct ptx_parser *p) {
  const struct ptx_scope *s = &p->scopes[p->scope];
  size_t kept = s->pending;
  for (size_t i = s->pending; i < p->pending.n; i++) {
    const struct ptx_name *e = label_here(p, &p->pending.v[i]);
    if (e)
      settle_label(p, &p->pending.v[i], e->index);
    else
      p->pending.v[kept++] = p->pending.v[i];
  }
  p->pending.n = kept;
  for (size_t i = s->names; i < p->local.entries.n; i++) {
    const struct ptx_name *e = &p->local.entries.v[i];
    char last = e->s[e->len - 1];
    p->plain_numbered -= e->kind == NAME_REG && e->count;
    p->odd_ranges -= e->kind == NAME_RANGE && last >= '0' && last <= '9';
  }
  if (p->scope == BODY_SCOPE) {
    for (size_t i = 0; i < p->pending.n; i++)
      ptx_undeclared(p, p->pending.v[i].line, "label, variable or function", p->pending.v[i].s,
                     p->pending.v[i].len);
    p->pending.n = 0;
  }
  ptx_names_pop(&p->local, s->names);
  p->scope--;
}

/* ---- statements that are not instructions ---- */

static bool parse_loc(struct ptx_parser *p) {
  struct ptx_loc loc;
  ptx_lex_next(&p->lx);
  if (!ptx_parse_u32(p, "a file number", &loc.file) || !ptx_parse_u32(p, "a line number", &loc.line) ||
      !ptx_parse_u32(p, "a column", &loc.col))
    return false;
  p->loc = (uint32_t)p->locs.n;
  PUSH(p->locs) = loc;
  /* , function_name $L__info_string0+4, inlined_at 1 20 3 */
  while (ptx_accept(p, ',')) {
    if (ptx_tok_is(ptx_tok(p), "function_name")) {
      ptx_lex_next(&p->lx);
      if (ptx_tok(p)->kind != TOK_WORD)
        return ptx_expected(p, "a label in .debug_str");
      ptx_lex_next(&p->lx);
      struct ptx_value offset;
      if (ptx_accept(p, '+') && !ptx_parse_expr(p, &offset))
        return false;
    } else if (ptx_tok_is(ptx_tok(p), "inlined_at")) {
      ptx_lex_next(&p->lx);
      if (!ptx_parse_u32(p, "a file number", &loc.file) || !ptx_parse_u32(p, "a line number", &loc.line) ||
          !ptx_parse_u32(p, "a column", &loc.col))
        return false;
    } else {
      return ptx_expected(p, "function_name or inlined_at");
    }
  }
  return true;
}

static bool parse_branch_targets(struct ptx_parser *p, struct ptx_label *label) {
  label->first = (uint32_t)p->targets.n;
  do {
    if (ptx_tok(p)->kind != TOK_WORD)
      return ptx_expected(p, "a label");
    ptx_await_label(p, ptx_tok(p), (uint32_t)p->targets.n, true);
    PUSH(p->targets) = PTX_NONE;
    label->n++;
    ptx_lex_next(&p->lx);
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';');
}

static bool parse_call_targets(struct ptx_parser *p) {
  do {
    const struct ptx_token *t = ptx_tok(p);
    if (t->kind != TOK_WORD)
      return ptx_expected(p, "a function's name");
    if (!ptx_names_find(&p->module, t->s, t->len))
      return ptx_undeclared(p, t->line, "function", t->s, t->len);
    ptx_lex_next(&p->lx);
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';');
}

/* `.callprototype (.param .b32 _) _ (.param .b64 _) .noreturn ;` */
static bool parse_call_prototype(struct ptx_parser *p) {
  if (ptx_tok(p)->kind == '(' && !ptx_parse_params(p, PTX_ROLE_NONE))
    return false;
  if (!ptx_tok_is(ptx_tok(p), "_"))
    return ptx_expected(p, "'_'");
  ptx_lex_next(&p->lx);
  if (ptx_tok(p)->kind == '(' && !ptx_parse_params(p, PTX_ROLE_NONE))
    return false;
  while (ptx_tok(p)->kind == TOK_DIR || ptx_tok(p)->kind == TOK_INT)
    ptx_lex_next(&p->lx);
  return ptx_expect(p, ';');
}

static bool parse_label(struct ptx_parser *p) {
  struct ptx_token name = *ptx_tok(p);
  ptx_lex_next(&p->lx);
  ptx_lex_next(&p->lx); /* : */
  for (struct ptx_name *e = ptx_names_find(&p->local, name.s, name.len); e; e = ptx_names_older(&p->local, e))
    if (e->scope == p->scope && (e->kind == NAME_LABEL || e->kind == NAME_REG || e->kind == NAME_SYM))
      return ptx_duplicate(p, &name, e);
  struct ptx_name *e = ptx_names_add(&p->local, NAME_LABEL, name.s, name.len);
  e->line = name.line;
  e->scope = p->scope;
  e->index = (uint32_t)p->labels.n;
  struct ptx_label label = {.name = ptx_copy_name(p, &name), .pos = (uint32_t)p->insts.n, .line = name.line};
  bool ok = true;
  if (ptx_tok(p)->kind == TOK_DIR) {
    enum ptx_type type;
    enum ptx_keyword k = ptx_keyword(p, &type);
    if (k == KW_BRANCHTARGETS || k == KW_CALLTARGETS || k == KW_CALLPROTOTYPE) {
      label.pos = PTX_NONE;
      ptx_lex_next(&p->lx);
      ok = k == KW_BRANCHTARGETS ? parse_branch_targets(p, &label)
           : k == KW_CALLTARGETS ? parse_call_targets(p)
                                 : parse_call_prototype(p);
    }
  }
  PUSH(p->labels) = label;
  return ok;
}

static bool parse_directive(struct ptx_parser *p) {
  enum ptx_type type;
  struct ptx_spec spec;
  switch (ptx_keyword(p, &type)) {
  case KW_LOC:
    return parse_loc(p);
  case KW_PRAGMA:
    return ptx_parse_pragma(p);
  case KW_FILE:
    return ptx_parse_file_directive(p);
  case KW_BRANCHTARGETS:
  case KW_CALLTARGETS:
  case KW_CALLPROTOTYPE:
    return ptx_expected(p, "a label before the table");
  case KW_NONE:
    return ptx_unknown_directive(p);
  default:
    if (!ptx_parse_spec(p, &spec))
      return false;
    if (spec.is_func)
      return ptx_finding(p, ptx_tok(p)->line, "a function inside a function: is a '}' missing before it?");
    return ptx_parse_vars(p, &spec);
  }
}

/* After an error: on to what looks like the next statement. A brace behind a comma is a vector's. */
static void recover(struct ptx_parser *p) {
  unsigned open = p->braces;
  uint8_t before = 0;
  p->braces = 0;
  for (;; before = ptx_tok(p)->kind, ptx_lex_next(&p->lx)) {
    switch (ptx_tok(p)->kind) {
    case TOK_EOF:
      return;
    case ';':
      ptx_lex_next(&p->lx);
      return;
    case '{':
      if (open == 0 && before != ',')
        return;
      open++;
      break;
    case '}':
      if (open == 0)
        return;
      open--;
      break;
    }
  }
}

static bool parse_statement(struct ptx_parser *p) {
  switch (ptx_tok(p)->kind) {
  case TOK_WORD:
    if (*p->lx.at != '.' && ptx_lex_peek(&p->lx) == ':')
      return parse_label(p);
    return ptx_parse_inst(p);
  case '@':
    return ptx_parse_inst(p);
  case TOK_DIR:
    return parse_directive(p);
  case ';':
    ptx_lex_next(&p->lx);
    return true;
  default:
    ptx_expected(p, "an instruction, a label or a directive");
    if (ptx_tok(p)->kind != TOK_EOF)
      ptx_lex_next(&p->lx);
    return false;
  }
}

/* From the `{` to the `}` of the body. */
static void parse_body(struct ptx_parser *p) {
  do {
    if (ptx_tok(p)->kind == '{') {
      if (!open_scope(p))
        p->lx.at = p->lx.end; /* what follows cannot be matched any more */
      ptx_lex_next(&p->lx);
    } else if (ptx_tok(p)->kind == '}') {
      close_scope(p);
      ptx_lex_next(&p->lx);
    } else if (ptx_tok(p)->kind == TOK_EOF) {
      ptx_finding(p, ptx_tok(p)->line, "the file ends inside a function: the '{' on line %u has no '}'",
                  p->scopes[p->scope].line);
      while (p->scope >= BODY_SCOPE) {
        p->scopes[p->scope].pending = p->pending.n = 0; /* labels may stand in what is missing */
        close_scope(p);
      }
    } else if (!parse_statement(p)) {
      recover(p);
    }
  } while (p->scope >= BODY_SCOPE);
}

/* ---- heads ---- */

static bool parse_ntid(struct ptx_parser *p, uint32_t out[3]) {
  out[0] = out[1] = out[2] = 1;
  for (int i = 0; i < 3; i++) {
    if (!ptx_parse_u32(p, "a number of threads", &out[i]))
      return false;
    if (!ptx_accept(p, ','))
      break;
  }
  return true;
}

static bool parse_numbers(struct ptx_parser *p) {
  uint32_t n;
  do {
    if (!ptx_parse_u32(p, "a number", &n))
      return false;
  } while (ptx_accept(p, ','));
  return true;
}

/* What may stand between the parameters and the body. */
static bool parse_head_directive(struct ptx_parser *p, struct ptx_func *f) {
  enum ptx_type type;
  struct ptx_spec spec;
  enum ptx_keyword k = ptx_keyword(p, &type);
  switch (k) {
  case KW_NONE:
    return ptx_unknown_directive(p);
  case KW_PRAGMA:
    return ptx_parse_pragma(p);
  case KW_ATTRIBUTE:
  case KW_NORETURN:
    if (!ptx_parse_spec(p, &spec))
      return false;
    f->noreturn |= spec.noreturn;
    return true;
  default:
    break;
  }
  struct ptx_token t = *ptx_tok(p);
  ptx_lex_next(&p->lx);
  switch (k) {
  case KW_MAXNTID:
    return parse_ntid(p, f->maxntid);
  case KW_REQNTID:
    return parse_ntid(p, f->reqntid);
  case KW_MAXNREG:
    return ptx_parse_u32(p, "a number of registers", &f->maxnreg);
  case KW_MINNCTAPERSM:
    return ptx_parse_u32(p, "a number of blocks", &f->minnctapersm);
  case KW_REQNCTAPERCLUSTER:
    return parse_ntid(p, f->cluster);
  case KW_MAXNCTAPERSM:
  case KW_MAXCLUSTERRANK:
  case KW_ABI_PRESERVE:
  case KW_ABI_PRESERVE_CONTROL:
    return parse_numbers(p);
  case KW_EXPLICITCLUSTER:
  case KW_BLOCKSARECLUSTERS:
    return true;
  default:
    return ptx_finding(p, t.line, "'%.*s' has no place in a function's head", (int)(t.len < 80 ? t.len : 80),
                       t.s);
  }
}

static bool parse_head(struct ptx_parser *p, struct ptx_func *f, struct ptx_token *name) {
  if (!f->is_entry && ptx_tok(p)->kind == '(' && !ptx_parse_params(p, PTX_ROLE_RET))
    return false;
  *name = *ptx_tok(p);
  if (name->kind != TOK_WORD)
    return ptx_expected(p, "a function's name");
  ptx_lex_next(&p->lx);
  f->name = ptx_copy_name(p, name);
  f->line = name->line;
  if (ptx_tok(p)->kind == '(' && !ptx_parse_params(p, PTX_ROLE_PARAM))
    return false;
  while (ptx_tok(p)->kind == TOK_DIR)
    if (!parse_head_directive(p, f))
      return false;
  if (ptx_tok(p)->kind != '{' && ptx_tok(p)->kind != ';')
    return ptx_expected(p, "'{' or ';'");
  f->is_extern = ptx_tok(p)->kind == ';';
  return true;
}

/* Finds or makes the function's place. A declaration and one definition may share a name. */
static bool declare_function(struct ptx_parser *p, const struct ptx_func *f, const struct ptx_token *name) {
  struct ptx_name *e = ptx_names_find(&p->module, name->s, name->len);
  if (e) {
    if (e->sym_kind != PTX_SYM_FUNC || (!f->is_extern && !p->funcs.v[e->index].is_extern))
      return ptx_duplicate(p, name, e);
    p->func = e->index;
    return true;
  }
  e = ptx_names_add(&p->module, NAME_SYM, name->s, name->len);
  e->line = name->line;
  e->sym_kind = PTX_SYM_FUNC;
  e->index = p->func = (uint32_t)p->funcs.n;
  PUSH(p->funcs) = (struct ptx_func){.name = f->name, .is_extern = true};
  return true;
}

/* ---- from scratch space to the arena ---- */

static void *keep(struct ptx_parser *p, const void *from, size_t n, size_t size) {
  if (n == 0)
    return NULL;
  void *to = arena_alloc(p->arena, n * size);
  memcpy(to, from, n * size);
  return to;
}

#define KEEP(field, count, vec)                                                                              \
  (f->count = (uint32_t)p->vec.n, f->field = keep(p, p->vec.v, p->vec.n, sizeof *p->vec.v))

static void keep_function(struct ptx_parser *p, struct ptx_func *f) {
  KEEP(params, nparams, fparams);
  KEEP(rets, nrets, frets);
  KEEP(vars, nvars, fvars);
  KEEP(regs, nregs, regs);
  KEEP(labels, nlabels, labels);
  KEEP(insts, ninsts, insts);
  KEEP(ops, nops, ops);
  KEEP(locs, nlocs, locs);
  KEEP(syms, nsyms, fsyms);
  KEEP(targets, ntargets, targets);
}

static void reset_function(struct ptx_parser *p) {
  p->fparams.n = p->frets.n = p->fvars.n = p->regs.n = p->labels.n = p->insts.n = p->ops.n = 0;
  p->locs.n = p->fsyms.n = p->targets.n = p->pending.n = p->stack.n = 0;
  p->loc = PTX_NONE;
  p->func = PTX_NONE;
  p->body++;
  p->scope = 0;
  p->plain_numbered = p->odd_ranges = 0;
  p->braces = 0;
}

bool ptx_parse_function(struct ptx_parser *p, const struct ptx_spec *spec) {
  struct ptx_func f = {.is_entry = spec->is_entry,
                       .is_visible = spec->is_visible,
                       .is_weak = spec->is_weak,
                       .noreturn = spec->noreturn};
  struct ptx_token name;
  reset_function(p);
  open_scope(p); /* of the parameters; the body is inside it */
  p->in_func = true;
  bool ok = parse_head(p, &f, &name);
  /* With its name taken by another, the body is still worth checking. */
  bool placed = ok && declare_function(p, &f, &name);
  if (ok && !f.is_extern)
    parse_body(p);
  else if (ok)
    ptx_lex_next(&p->lx);
  close_scope(p);
  p->in_func = false;
  if (!placed)
    return ok;
  struct ptx_func *to = &p->funcs.v[p->func];
  bool was_visible = to->is_visible, was_weak = to->is_weak, was_noreturn = to->noreturn;
  if (f.is_extern && !to->is_extern) /* declared once more, after the definition */
    return true;
  keep_function(p, &f);
  *to = f;
  to->is_visible |= was_visible;
  to->is_weak |= was_weak;
  to->noreturn |= was_noreturn;
  return true;
}
