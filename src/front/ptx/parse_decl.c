/* Declarations: .reg .param .shared .local .const .global, at module level, in heads and in bodies. */
#include "front/ptx/parse.h"
#include "front/texture/texture.h"
#include <string.h>

static enum ptx_space space_of(enum ptx_keyword k) {
  switch (k) {
  case KW_REG:
    return PTX_REG;
  case KW_PARAM:
    return PTX_PARAM;
  case KW_SHARED:
    return PTX_SHARED;
  case KW_LOCAL:
    return PTX_LOCAL;
  case KW_CONST:
    return PTX_CONST;
  case KW_GLOBAL:
    return PTX_GLOBAL;
  case KW_TEX:
    return PTX_TEX;
  default:
    return PTX_GENERIC;
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

/* `.attribute(.managed)`: memory that the host shares; `.attribute(.unified(19, 95))` is of no consequence here. */
static bool parse_attribute(struct ptx_parser *p, struct ptx_spec *spec) {
  if (!ptx_expect(p, '('))
    return false;
  for (unsigned depth = 1; depth > 0; ptx_lex_next(&p->lx)) {
    if (ptx_tok(p)->kind == TOK_EOF || ptx_tok(p)->kind == ';' || ptx_tok(p)->kind == TOK_BAD)
      return ptx_expected(p, "')'");
    spec->is_managed |= ptx_tok_is(ptx_tok(p), ".managed");
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
    struct ptx_token t = *ptx_tok(p);
    enum ptx_keyword k = ptx_keyword(p, &type);
    if (k == KW_NONE)
      return ptx_unknown_directive(p);
    ptx_lex_next(&p->lx);
    bool ok = true;
    switch (k) {
    case KW_VISIBLE:
      spec->is_visible = true;
      break;
    case KW_EXTERN:
      spec->is_extern = true;
      break;
    case KW_WEAK:
      spec->is_weak = true;
      break;
    case KW_COMMON:
      spec->is_common = true;
      break;
    case KW_ENTRY:
      spec->is_entry = spec->is_func = true;
      break;
    case KW_FUNC:
      spec->is_func = true;
      break;
    case KW_NORETURN:
      spec->noreturn = true;
      break;
    case KW_ATTRIBUTE:
      ok = parse_attribute(p, spec);
      break;
    case KW_ALIGN:
      ok = parse_align(p, ptr ? &spec->ptr_align : &spec->align);
      break;
    case KW_PTR:
      ptr = true;
      break;
    case KW_V2:
      spec->vec = 2;
      break;
    case KW_V4:
      spec->vec = 4;
      break;
    case KW_V8:
      spec->vec = 8;
      break;
    case KW_TYPE:
      spec->type = (uint8_t)type;
      break;
    case KW_TEXREF:
    case KW_SAMPLERREF:
    case KW_SURFREF:
      spec->is_ref = true;
      spec->type = PTX_U64;
      break;
    case KW_REG:
    case KW_PARAM:
    case KW_SHARED:
    case KW_LOCAL:
    case KW_CONST:
    case KW_GLOBAL:
    case KW_TEX:
      ok = parse_spec_space(p, spec, space_of(k), ptr);
      break;
    default:
      return ptx_finding(p, t.line, "'%.*s' has no place in a declaration", (int)t.len, t.s);
    }
    if (!ok)
      return false;
  }
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
  *v = (struct ptx_var){.name = ptx_copy_name(p, name),
                        .space = spec->space,
                        .type = spec->type,
                        .vec = spec->vec,
                        .is_extern = spec->is_extern,
                        .is_weak = spec->is_weak,
                        .is_visible = spec->is_visible,
                        .is_common = spec->is_common,
                        .is_managed = spec->is_managed,
                        .align = spec->align ? spec->align : bytes * spec->vec,
                        .line = name->line,
                        .ptr_space = spec->ptr_space,
                        .ptr_align = spec->ptr_align};
  if (spec->space == PTX_REG)
    return true;
  if (bytes == 0)
    return ptx_finding(p, name->line, "a variable in .%s cannot be of type .%s", ptx_space_name(spec->space),
                       ptx_type_name(spec->type));
  struct ptx_shape shape = {0};
  if (!parse_dimensions(p, &shape, &v->unsized))
    return false;
  uint64_t size = spec->is_ref ? sizeof(struct texture) : (uint64_t)bytes * spec->vec;
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
  if (spec->is_ref) /* modes, which the host program's binding sets anyway */
    return ptx_tok(p)->kind == '{' ? ptx_lex_skip_block(&p->lx) || ptx_expected(p, "'}'")
                                   : ptx_expected(p, "'{'");
  if (spec->space != PTX_GLOBAL && spec->space != PTX_CONST)
    return ptx_finding(p, name->line, "a variable in .%s cannot have an initialiser",
                       ptx_space_name(spec->space));
  if (spec->vec > 1)
    shape.dim[shape.ndims++] = spec->vec;
  return ptx_parse_init(p, v, &shape);
}

static bool declare_local(struct ptx_parser *p, const struct ptx_var *v, const struct ptx_token *name) {
  struct ptx_name *first = ptx_taken(p, name);
  if (first)
    return ptx_duplicate(p, name, first);
  struct ptx_name *e = ptx_add_local(p, NAME_SYM, name->s, name->len, name->line);
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
  struct ptx_name *first = ptx_taken(p, name);
  if (first)
    return ptx_duplicate(p, name, first);
  struct ptx_name *e = ptx_add_local(p, NAME_SYM, name->s, name->len, name->line);
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
