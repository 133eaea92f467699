/* Declarations: .reg .param .shared .local .const .global, at module level, in heads and in bodies. */
#include "front/ptx/parse.h"
#include <string.h>

static enum ptx_space space_of(enum ptx_keyword k) {
  switch (k) {
  case KW_REG: return PTX_REG;
  case KW_PARAM: return PTX_PARAM;
  case KW_SHARED: return PTX_SHARED;
  case KW_LOCAL: return PTX_LOCAL;
  case KW_CONST: return PTX_CONST;
  case KW_GLOBAL: return PTX_GLOBAL;
  case KW_TEX: return PTX_TEX;
  default: return PTX_GENERIC;
  }
}

static bool parse_align(struct ptx_parser *p, uint32_t *out) {
  uint32_t line = ptx_tok(p)->line;
  if (!ptx_parse_u32(p, "an alignment", out))
    return false;
  if (*out == 0 || (*out & (*out - 1)) != 0)
    return ptx_finding(p, line, "an alignment of %u: it must be a power of two", *out);
  return true;
}

/* `.attribute(.managed)`, `.attribute(.unified(19, 95))`: of no consequence here. */
static bool skip_parentheses(struct ptx_parser *p) {
  if (!ptx_expect(p, '('))
    return false;
  for (unsigned depth = 1; depth > 0; ptx_lex_next(&p->lx)) {
    if (ptx_tok(p)->kind == TOK_EOF || ptx_tok(p)->kind == ';' || ptx_tok(p)->kind == TOK_BAD)
      return ptx_expected(p, "')'");
    depth += ptx_tok(p)->kind == '(';
    depth -= ptx_tok(p)->kind == ')';
  }
  return true;
}

static bool parse_spec_space(struct ptx_parser *p, struct ptx_spec *spec, enum ptx_space space, bool ptr) {
  if (ptr) {
    spec->ptr_space = space;
    return true;
  }
  if (spec->space != PTX_GENERIC)
    return ptx_finding(p, ptx_tok(p)->line, "two state spaces in one declaration: .%s and .%s",
                       ptx_space_name(spec->space), ptx_space_name(space));
  spec->space = (uint8_t)space;
  uint32_t bank;
  if (space == PTX_CONST && ptx_accept(p, '[')) /* .const[2], from before constant banks were dropped */
    return ptx_parse_u32(p, "a bank number", &bank) && ptx_expect(p, ']');
  return true;
}

bool ptx_parse_spec(struct ptx_parser *p, struct ptx_spec *spec) {
  bool ptr = false;
  *spec = (struct ptx_spec){.vec = 1};
  while (ptx_tok(p)->kind == TOK_DIR) {
    enum ptx_type type = PTX_NOTYPE;
    enum ptx_keyword k = ptx_keyword(p, &type);
    if (k == KW_NONE)
      return ptx_unknown_directive(p);
    ptx_lex_next(&p->lx);
    bool ok = true;
    switch (k) {
    case KW_VISIBLE: spec->is_visible = true; break;
    case KW_EXTERN: spec->is_extern = true; break;
    case KW_WEAK: spec->is_weak = true; break;
    case KW_COMMON: spec->is_common = true; break;
    case KW_ENTRY: spec->is_entry = spec->is_func = true; break;
    case KW_FUNC: spec->is_func = true; break;
    case KW_NORETURN: spec->noreturn = true; break;
    case KW_ATTRIBUTE: ok = skip_parentheses(p); break;
    case KW_ALIGN: ok = parse_align(p, ptr ? &spec->ptr_align : &spec->align); break;
    case KW_PTR: ptr = true; break;
    case KW_V2: spec->vec = 2; break;
    case KW_V4: spec->vec = 4; break;
    case KW_V8: spec->vec = 8; break;
    case KW_TYPE: spec->type = (uint8_t)type; break;
    case KW_TEXREF: case KW_SAMPLERREF: case KW_SURFREF:
      spec->is_ref = true;
      spec->type = PTX_U64;
      break;
    case KW_REG: case KW_PARAM: case KW_SHARED: case KW_LOCAL: case KW_CONST: case KW_GLOBAL: case KW_TEX:
      ok = parse_spec_space(p, spec, space_of(k), ptr);
      break;
    default:
      return ptx_finding(p, ptx_tok(p)->line, "a directive that has no place in a declaration");
    }
    if (!ok)
      return false;
  }
  return true;
}

/* What has this very name already, in this scope or from PTX itself. A range's prefix is no name. */
static struct ptx_name *taken(const struct ptx_parser *p, const struct ptx_token *name) {
  struct ptx_name *e = ptx_names_find(&p->local, name->s, name->len);
  while (e && (e->kind == NAME_RANGE || e->kind == NAME_SREGS || e->kind == NAME_LOWEST))
    e = ptx_names_older(&p->local, e);
  return e && e->scope != p->scope && e->scope != 0 ? NULL : e;
}

/* ---- registers ---- */

/* Members are 0..count-1, so a plain `%r5` clashes with `%r<n>` if the lowest such number is below n. */
static struct ptx_name *lowest_plain(struct ptx_parser *p, const char *s, uint32_t len) {
  struct ptx_name *e = ptx_names_find(&p->local, s, len);
  for (; e; e = ptx_names_older(&p->local, e))
    if (e->kind == NAME_LOWEST && e->scope == p->scope)
      return e;
  return NULL;
}

static struct ptx_name *range_in_scope(struct ptx_parser *p, const char *s, uint32_t len) {
  struct ptx_name *e = ptx_names_find(&p->local, s, len);
  for (; e; e = ptx_names_older(&p->local, e))
    if (e->kind == NAME_RANGE && e->scope == p->scope)
      return e;
  return NULL;
}

/* Splits "%r12"; false for names that cannot be a range's member. */
static bool split_number(const struct ptx_token *t, uint32_t *prefix, uint32_t *num) {
  uint32_t d = t->len;
  while (d > 0 && t->len - d < 8 && t->s[d - 1] >= '0' && t->s[d - 1] <= '9')
    d--;
  if (d == t->len || d == 0 || (t->s[d] == '0' && d + 1 < t->len))
    return false;
  *num = 0;
  for (uint32_t i = d; i < t->len; i++)
    *num = *num * 10 + (uint32_t)(t->s[i] - '0');
  *prefix = d;
  return true;
}

static struct ptx_name *add_local(struct ptx_parser *p, enum ptx_name_kind kind, const char *s, uint32_t len,
                                  uint32_t line) {
  struct ptx_name *e = ptx_names_add(&p->local, kind, s, len);
  e->line = line;
  e->scope = p->scope;
  return e;
}

static bool room_for_regs(struct ptx_parser *p, uint32_t line, uint64_t more) {
  if (p->regs.n + more > PTX_MAX_REGS)
    return ptx_finding(p, line, "more than %d registers in one function", PTX_MAX_REGS);
  if (p->regs_total + more > p->regs_limit)
    return ptx_finding(p, line, "more registers in this module than a text of its size can use (%llu)",
                       (unsigned long long)p->regs_limit);
  p->regs_total += more;
  return true;
}

static bool declare_range(struct ptx_parser *p, const struct ptx_token *name, const struct ptx_spec *spec) {
  uint64_t count;
  uint32_t line = ptx_tok(p)->line;
  if (ptx_tok(p)->kind != TOK_INT)
    return ptx_expected(p, "the number of registers");
  count = ptx_tok(p)->u;
  if (count > PTX_MAX_REGS)
    return ptx_finding(p, line, "%llu registers; at most %d are allowed in a function", (unsigned long long)count,
                       PTX_MAX_REGS);
  ptx_lex_next(&p->lx);
  if (!ptx_expect(p, '>'))
    return false;
  struct ptx_name *first = range_in_scope(p, name->s, name->len);
  struct ptx_name *low = lowest_plain(p, name->s, name->len);
  if (!first && low && low->count < count)
    first = low;
  if (first)
    return ptx_duplicate(p, name, first);
  if (!room_for_regs(p, line, count))
    return false;
  struct ptx_name *e = add_local(p, NAME_RANGE, name->s, name->len, name->line);
  e->index = (uint32_t)p->regs.n;
  e->count = (uint32_t)count;
  char last = name->s[name->len - 1];
  p->odd_ranges += last >= '0' && last <= '9';
  const char *text = ptx_copy_name(p, name);
  for (uint32_t i = 0; i < count; i++)
    PUSH(p->regs) = (struct ptx_reg){.name = text, .num = (int32_t)i, .type = spec->type, .vec = spec->vec};
  return true;
}

bool ptx_declare_reg(struct ptx_parser *p, const struct ptx_token *name, const struct ptx_spec *spec) {
  if (ptx_accept(p, '<'))
    return declare_range(p, name, spec);
  struct ptx_name *first = taken(p, name);
  uint32_t prefix, num;
  bool numbered = split_number(name, &prefix, &num);
  if (!first && numbered) {
    first = range_in_scope(p, name->s, prefix);
    if (first && num >= first->count)
      first = NULL;
  }
  if (first)
    return ptx_duplicate(p, name, first);
  if (!room_for_regs(p, name->line, 1))
    return false;
  if (numbered) {
    struct ptx_name *low = lowest_plain(p, name->s, prefix);
    if (!low) {
      low = add_local(p, NAME_LOWEST, name->s, prefix, name->line);
      low->count = num;
    } else if (num < low->count) {
      low->count = num;
      low->line = name->line;
    }
    p->plain_numbered++;
  }
  struct ptx_name *e = add_local(p, NAME_REG, name->s, name->len, name->line);
  e->index = (uint32_t)p->regs.n;
  e->count = numbered;
  PUSH(p->regs) =
      (struct ptx_reg){.name = ptx_copy_name(p, name), .num = -1, .type = spec->type, .vec = spec->vec};
  return true;
}

/* ---- variables ---- */

static bool parse_dimensions(struct ptx_parser *p, struct ptx_shape *shape, bool *unsized) {
  *unsized = false;
  while (ptx_accept(p, '[')) {
    uint64_t n = 0;
    if (shape->ndims == PTX_MAX_DIMS)
      return ptx_finding(p, ptx_tok(p)->line, "an array of more than %d dimensions", PTX_MAX_DIMS);
    if (ptx_tok(p)->kind == ']' && shape->ndims == 0)
      *unsized = true;
    else if (!ptx_parse_count(p, "an array's size", PTX_MAX_VAR_BYTES, &n))
      return false;
    shape->dim[shape->ndims++] = n;
    if (!ptx_expect(p, ']'))
      return false;
  }
  return true;
}

/* One declared name with its array dimensions and initialiser; its name is the current token. */
static bool parse_declarator(struct ptx_parser *p, const struct ptx_spec *spec, struct ptx_var *v,
                             struct ptx_token *name) {
  *name = *ptx_tok(p);
  if (name->kind != TOK_WORD)
    return ptx_expected(p, "a variable's name");
  ptx_lex_next(&p->lx);
  unsigned bytes = ptx_type_bits(spec->type) / 8;
  *v = (struct ptx_var){.name = ptx_copy_name(p, name), .space = spec->is_ref ? PTX_TEX : spec->space,
                        .type = spec->type, .vec = spec->vec, .is_extern = spec->is_extern,
                        .is_weak = spec->is_weak, .is_visible = spec->is_visible, .is_common = spec->is_common,
                        .align = spec->align ? spec->align : bytes * spec->vec, .line = name->line,
                        .ptr_space = spec->ptr_space, .ptr_align = spec->ptr_align};
  if (spec->space == PTX_REG)
    return true;
  if (bytes == 0)
    return ptx_finding(p, name->line, "a variable in .%s cannot be of type .%s", ptx_space_name(spec->space),
                       ptx_type_name(spec->type));
  struct ptx_shape shape = {0};
  if (!parse_dimensions(p, &shape, &v->unsized))
    return false;
  uint64_t size = (uint64_t)bytes * spec->vec;
  for (unsigned i = 0; i < shape.ndims; i++) {
    if (v->unsized && i == 0)
      continue;
    if (shape.dim[i] && size > PTX_MAX_VAR_BYTES / shape.dim[i])
      return ptx_finding(p, name->line, "a variable of more than 2^40 bytes");
    size *= shape.dim[i];
  }
  v->size = v->unsized ? 0 : size;
  if (!ptx_accept(p, '='))
    return true;
  if (spec->is_ref) /* a sampler's modes: textures are refused where they are used */
    return ptx_tok(p)->kind == '{' ? ptx_lex_skip_block(&p->lx) || ptx_expected(p, "'}'") : ptx_expected(p, "'{'");
  if (spec->space != PTX_GLOBAL && spec->space != PTX_CONST)
    return ptx_finding(p, name->line, "a variable in .%s cannot have an initialiser", ptx_space_name(spec->space));
  if (spec->vec > 1)
    shape.dim[shape.ndims++] = spec->vec;
  return ptx_parse_init(p, v, &shape);
}

static bool declare_local(struct ptx_parser *p, const struct ptx_var *v, const struct ptx_token *name) {
  struct ptx_name *first = taken(p, name);
  if (first)
    return ptx_duplicate(p, name, first);
  struct ptx_name *e = add_local(p, NAME_SYM, name->s, name->len, name->line);
  e->sym_kind = PTX_SYM_LOCALVAR;
  e->index = (uint32_t)p->fvars.n;
  PUSH(p->fvars) = *v;
  return true;
}

/* `.extern` declarations may be repeated, before or after the definition. */
static bool declare_global(struct ptx_parser *p, const struct ptx_var *v, const struct ptx_token *name) {
  struct ptx_name *first = ptx_names_find(&p->module, name->s, name->len);
  if (first) {
    bool same = first->sym_kind == PTX_SYM_VAR && p->vars.v[first->index].space == v->space;
    if (!same || (!v->is_extern && !p->vars.v[first->index].is_extern))
      return ptx_duplicate(p, name, first);
    if (!v->is_extern)
      p->vars.v[first->index] = *v;
    return true;
  }
  struct ptx_name *e = ptx_names_add(&p->module, NAME_SYM, name->s, name->len);
  e->line = name->line;
  e->sym_kind = PTX_SYM_VAR;
  e->index = (uint32_t)p->vars.n;
  PUSH(p->vars) = *v;
  return true;
}

static bool check_spec(struct ptx_parser *p, const struct ptx_spec *spec) {
  if (spec->space == PTX_GENERIC)
    return ptx_expected(p, "a state space such as .global");
  if (spec->type == PTX_NOTYPE)
    return ptx_expected(p, "a type such as .b32");
  return true;
}

bool ptx_parse_vars(struct ptx_parser *p, const struct ptx_spec *spec) {
  if (!check_spec(p, spec))
    return false;
  if (!p->in_func && (spec->space == PTX_REG || spec->space == PTX_PARAM || spec->space == PTX_LOCAL))
    return ptx_finding(p, ptx_tok(p)->line, ".%s variables at module level are not supported",
                       ptx_space_name(spec->space));
  do {
    struct ptx_var v;
    struct ptx_token name;
    if (!parse_declarator(p, spec, &v, &name))
      return false;
    if (spec->space == PTX_REG) {
      if (!ptx_declare_reg(p, &name, spec))
        return false;
      continue;
    }
    if (v.unsized && v.size == 0 && !v.is_extern && !v.init)
      return ptx_finding(p, name.line, "'%s' has no size: only .extern arrays may leave it out", v.name);
    if (!(p->in_func ? declare_local(p, &v, &name) : declare_global(p, &v, &name)))
      return false;
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';');
}

/* ---- parameters ---- */

static bool declare_param(struct ptx_parser *p, const struct ptx_spec *spec, const struct ptx_var *v,
                          const struct ptx_token *name, enum ptx_param_role role) {
  if (role == PTX_ROLE_NONE)
    return true;
  uint32_t index = (uint32_t)(role == PTX_ROLE_RET ? p->frets.n : p->fparams.n);
  if (role == PTX_ROLE_RET)
    PUSH(p->frets) = *v;
  else
    PUSH(p->fparams) = *v;
  if (spec->space == PTX_REG)
    return ptx_declare_reg(p, name, spec);
  if (ptx_tok_is(name, "_"))
    return true;
  struct ptx_name *first = taken(p, name);
  if (first)
    return ptx_duplicate(p, name, first);
  struct ptx_name *e = add_local(p, NAME_SYM, name->s, name->len, name->line);
  e->sym_kind = role == PTX_ROLE_RET ? PTX_SYM_RET : PTX_SYM_PARAM;
  e->index = index;
  return true;
}

bool ptx_parse_params(struct ptx_parser *p, enum ptx_param_role role) {
  if (!ptx_expect(p, '('))
    return false;
  if (ptx_accept(p, ')'))
    return true;
  do {
    struct ptx_spec spec;
    struct ptx_var v;
    struct ptx_token name;
    if (!ptx_parse_spec(p, &spec))
      return false;
    if (spec.space != PTX_PARAM && spec.space != PTX_REG)
      return ptx_expected(p, "a parameter in .param or .reg");
    if (!check_spec(p, &spec) || !parse_declarator(p, &spec, &v, &name) ||
        !declare_param(p, &spec, &v, &name, role))
      return false;
  } while (ptx_accept(p, ','));
  if (ptx_tok(p)->kind != ')')
    return ptx_expected(p, "',' or ')'");
  ptx_lex_next(&p->lx);
  return true;
}
