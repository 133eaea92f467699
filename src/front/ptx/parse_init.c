/* Initialisers: numbers, nested braces, strings, and addresses of symbols. */
#include "front/ptx/parse.h"
#include <string.h>

/* What is being filled. `data` is the final place if the size is known; else p->init grows. */
struct filling {
  struct ptx_parser *p;
  struct ptx_var *v;
  const struct ptx_shape *shape;
  uint8_t *data;
  uint32_t bytes; /* of an element */
  uint64_t limit; /* elements */
  uint64_t next;  /* one past the highest element written */
};

static void store(struct filling *f, uint64_t at, const uint8_t *from) {
  struct ptx_parser *p = f->p;
  uint64_t byte = at * f->bytes;
  if (f->data) {
    memcpy(f->data + byte, from, f->bytes);
  } else {
    while (p->init.n < byte)
      PUSH(p->init) = 0;
    for (uint32_t i = 0; i < f->bytes; i++)
      PUSH(p->init) = from[i];
  }
  f->next = at + 1;
}

static double as_double(const struct ptx_value *v) {
  double d;
  float s;
  if (v->kind == PTX_OP_F64) {
    memcpy(&d, &v->u, 8);
    return d;
  }
  if (v->kind == PTX_OP_F32) {
    uint32_t bits = (uint32_t)v->u;
    memcpy(&s, &bits, 4);
    return (double)s;
  }
  return v->is_unsigned ? (double)v->u : (double)(int64_t)v->u;
}

/* The element's bytes. Integers are cut to its width; floating constants are converted to
 * .f32 and .f64, and give their bits to untyped elements. */
static void encode(const struct ptx_value *v, enum ptx_type type, uint8_t out[16]) {
  memset(out, 0, 16);
  if (type == PTX_F64) {
    double d = as_double(v);
    memcpy(out, &d, 8);
  } else if (type == PTX_F32 && v->kind != PTX_OP_F32) {
    float s = (float)as_double(v);
    memcpy(out, &s, 4);
  } else {
    memcpy(out, &v->u, 8);
    if (v->kind == PTX_OP_INT && !v->is_unsigned && (int64_t)v->u < 0)
      memset(out + 8, 0xff, 8);
  }
}

/* sym, sym+4, generic(sym)+4: the address is known when the module is loaded. */
static bool parse_address_of(struct filling *f, uint64_t at) {
  struct ptx_parser *p = f->p;
  struct ptx_init_reloc r = {.at = at * f->bytes, .size = f->bytes};
  if (ptx_tok_is(ptx_tok(p), "generic") && ptx_lex_peek(&p->lx) == '(') {
    r.generic = true;
    ptx_lex_next(&p->lx);
    ptx_lex_next(&p->lx);
  }
  struct ptx_token t = *ptx_tok(p);
  if (t.kind != TOK_WORD)
    return ptx_expected(p, "a variable or function");
  const struct ptx_name *e = ptx_names_find(&p->module, t.s, t.len);
  if (!e)
    return ptx_undeclared(p, t.line, "variable or function", t.s, t.len);
  if (e->sym_kind == PTX_SYM_VAR && p->vars.v[e->index].space == PTX_SHARED)
    return ptx_finding(p, t.line, "'%.80s' is in .shared: its address is not known when the module is loaded",
                       p->vars.v[e->index].name);
  ptx_lex_next(&p->lx);
  if (r.generic && !ptx_expect(p, ')'))
    return false;
  if (ptx_tok(p)->kind == '+' || ptx_tok(p)->kind == '-') {
    struct ptx_value v;
    if (!ptx_parse_expr(p, &v))
      return false;
    if (v.kind != PTX_OP_INT)
      return ptx_finding(p, t.line, "an offset must be an integer");
    r.addend = (int64_t)v.u;
  }
  if (f->bytes != 8 && f->bytes != 4)
    return ptx_finding(p, t.line, "the address of '%.*s' does not fit in an element of type .%s; use .u64",
                       (int)(t.len < 80 ? t.len : 80), t.s, ptx_type_name(f->v->type));
  r.sym = (uint32_t)p->syms.n;
  PUSH(p->syms) = (struct ptx_symbol){.kind = e->sym_kind, .index = e->index};
  PUSH(p->relocs) = r;
  store(f, at, (const uint8_t[16]){0});
  return true;
}

static bool parse_element(struct filling *f, uint64_t at) {
  struct ptx_parser *p = f->p;
  if (at >= f->limit)
    return ptx_finding(p, ptx_tok(p)->line, "more values than '%s' has elements", f->v->name);
  if (ptx_tok(p)->kind == TOK_WORD && !ptx_tok_is(ptx_tok(p), "WARP_SZ")) {
    if (ptx_tok_is(ptx_tok(p), "mask") && ptx_lex_peek(&p->lx) == '(')
      return ptx_finding(p, ptx_tok(p)->line, "mask() of an address in an initialiser is not supported");
    return parse_address_of(f, at);
  }
  struct ptx_value v;
  uint32_t line = ptx_tok(p)->line;
  if (!ptx_parse_expr(p, &v))
    return false;
  if (ptx_tok(p)->kind == '(')
    return ptx_finding(p, ptx_tok(p)->line,
                       "a masked address in an initialiser, 0xFF(symbol), is not supported");
  uint32_t width = v.kind == PTX_OP_F32 ? 4 : 8;
  if (v.kind != PTX_OP_INT && f->v->type != PTX_F32 && f->v->type != PTX_F64 && f->bytes != width)
    return ptx_finding(p, line, "a floating-point constant of %u bytes in an element of type .%s", width,
                       ptx_type_name(f->v->type));
  uint8_t bytes[16];
  encode(&v, f->v->type, bytes);
  store(f, at, bytes);
  return true;
}

static uint64_t elements_below(const struct ptx_shape *shape, unsigned level) {
  uint64_t n = 1;
  for (unsigned i = level + 1; i < shape->ndims; i++)
    n *= shape->dim[i];
  return n;
}

/* { ... } of one dimension, elements from..to. An inner brace starts at the next whole row. */
static bool parse_braces(struct filling *f, unsigned level, uint64_t from, uint64_t to) {
  struct ptx_parser *p = f->p;
  uint64_t row = elements_below(f->shape, level), at = from;
  if (!ptx_expect(p, '{'))
    return false;
  while (ptx_tok(p)->kind != '}') {
    if (ptx_tok(p)->kind == '{') {
      if (level + 1 >= f->shape->ndims)
        return ptx_finding(p, ptx_tok(p)->line, "more nested braces than '%s' has dimensions", f->v->name);
      at = row ? from + (at - from + row - 1) / row * row : at;
      if (at >= to)
        return ptx_finding(p, ptx_tok(p)->line, "more values than '%s' has elements", f->v->name);
      if (!parse_braces(f, level + 1, at, at + row))
        return false;
      at += row;
      if (f->next < at && !f->data)
        f->next = at;
    } else {
      if (at >= to)
        return ptx_finding(p, ptx_tok(p)->line, "more values than '%s' has elements", f->v->name);
      if (!parse_element(f, at))
        return false;
      at++;
    }
    if (!ptx_accept(p, ','))
      break;
  }
  if (ptx_tok(p)->kind != '}')
    return ptx_expected(p, "',' or '}'");
  ptx_lex_next(&p->lx);
  return true;
}

static unsigned hex_value(char c) {
  return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

/* One character of a string from *at, escapes undone. */
static uint8_t unescape(const char *s, uint32_t end, uint32_t *at) {
  char c = s[(*at)++];
  if (c != '\\' || *at >= end)
    return (uint8_t)c;
  c = s[(*at)++];
  static const char from[] = "ntrabfv", to[] = "\n\t\r\a\b\f\v";
  const char *k = c ? strchr(from, c) : NULL;
  if (k)
    return (uint8_t)to[k - from];
  unsigned v = 0;
  if (c == 'x') {
    for (int i = 0; i < 2 && *at < end && strchr("0123456789abcdefABCDEF", s[*at]); i++)
      v = v * 16 + hex_value(s[(*at)++]);
    return (uint8_t)v;
  }
  if (c >= '0' && c <= '7') {
    v = (unsigned)(c - '0');
    for (int i = 0; i < 2 && *at < end && s[*at] >= '0' && s[*at] <= '7'; i++)
      v = v * 8 + (unsigned)(s[(*at)++] - '0');
    return (uint8_t)v;
  }
  return (uint8_t)c;
}

static bool parse_text(struct filling *f) {
  struct ptx_parser *p = f->p;
  struct ptx_token t = *ptx_tok(p);
  if (f->bytes != 1 || f->shape->ndims != 1)
    return ptx_finding(p, t.line, "a string initialises an array of 8-bit elements only");
  uint64_t n = 0;
  for (uint32_t at = 1; at + 1 < t.len; n++) {
    uint8_t c = unescape(t.s, t.len - 1, &at);
    if (n >= f->limit)
      return ptx_finding(p, t.line, "the string is longer than '%s'", f->v->name);
    store(f, n, &c);
  }
  if (!f->data)
    store(f, n, (const uint8_t[]){0});
  ptx_lex_next(&p->lx);
  return true;
}

bool ptx_parse_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_shape *shape) {
  struct filling f = {.p = p, .v = v, .shape = shape, .bytes = ptx_type_bits(v->type) / 8};
  uint64_t budget = PTX_MAX_INIT_BYTES - p->init_bytes;
  bool scalar = shape->ndims == 0;
  if (v->size > budget)
    return ptx_finding(p, v->line, "more than 2^30 bytes of initialised variables");
  uint64_t row = elements_below(shape, 0);
  if (v->unsized && row > budget / f.bytes)
    return ptx_finding(p, v->line, "more than 2^30 bytes of initialised variables");
  p->init.n = 0;
  p->relocs.n = 0;
  f.limit = (v->unsized ? budget / 4 : v->size) / f.bytes;
  if (!v->unsized) {
    p->init_bytes += v->size;
    f.data = arena_alloc(p->arena, v->size);
  }
  bool ok;
  if (ptx_tok(p)->kind == TOK_STR)
    ok = parse_text(&f);
  else if (scalar && ptx_tok(p)->kind != '{')
    ok = parse_element(&f, 0);
  else
    ok = parse_braces(&f, 0, 0, f.limit);
  if (!ok)
    return false;
  if (v->unsized) {
    if (row == 0 || f.next == 0)
      return ptx_finding(p, v->line, "'%s' has neither a size nor values", v->name);
    v->size = (f.next + row - 1) / row * row * f.bytes;
    if (v->size > budget)
      return ptx_finding(p, v->line, "more than 2^30 bytes of initialised variables");
    p->init_bytes += v->size;
    f.data = arena_alloc(p->arena, v->size);
    if (p->init.n)
      memcpy(f.data, p->init.v, p->init.n);
    v->unsized = false;
  }
  v->init = f.data;
  v->nrelocs = (uint32_t)p->relocs.n;
  if (p->relocs.n) {
    v->relocs = arena_alloc(p->arena, p->relocs.n * sizeof *v->relocs);
    memcpy(v->relocs, p->relocs.v, p->relocs.n * sizeof *v->relocs);
  }
  return true;
}
