/* Names and operands. Most of a PTX text is these, so names are looked up without copying, and a member
 * of a register range costs one look at its prefix. */
#include "front/ptx/parse.h"
#include <string.h>

enum { MAX_OPERAND_DEPTH = 4 };

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* ---- names ---- */

static bool names_value(const struct ptx_name *e) {
  return e->kind == NAME_REG || e->kind == NAME_SREG || e->kind == NAME_SYM;
}

static struct ptx_name *find_plain(const struct ptx_parser *p, const char *s, uint32_t len) {
  struct ptx_name *e = ptx_names_find(&p->local, s, len);
  while (e && !names_value(e))
    e = ptx_names_older(&p->local, e);
  return e;
}

/* The range with prefix s[0..len) that has a member `num`. */
static struct ptx_name *find_range(const struct ptx_parser *p, const char *s, uint32_t len, uint32_t num) {
  struct ptx_name *e = ptx_names_find(&p->local, s, len);
  while (e && !((e->kind == NAME_RANGE || e->kind == NAME_SREGS) && num < e->count))
    e = ptx_names_older(&p->local, e);
  return e;
}

/* The newest declaration that covers the name. `num` is its member number, if it is a range. */
static struct ptx_name *find_local(const struct ptx_parser *p, const char *s, uint32_t len, uint32_t *num) {
  uint32_t digits = 0;
  while (digits < len && digits < 8 && is_digit(s[len - 1 - digits]))
    digits++;
  struct ptx_name *best = NULL;
  bool odd = p->plain_numbered || p->odd_ranges || s[0] != '%'; /* param0 may hide in `param<4>` */
  if (digits == 0 || odd)
    best = find_plain(p, s, len);
  /* Usually all digits at once; `%r1<20>` takes fewer. */
  for (uint32_t k = digits; k > 0; k--) {
    const char *d = s + len - k;
    if (d[0] != '0' || k == 1) { /* %r01 is not member 1 */
      uint32_t v = 0;
      for (uint32_t i = 0; i < k; i++)
        v = v * 10 + (uint32_t)(d[i] - '0');
      struct ptx_name *e = find_range(p, s, len - k, v);
      if (e && (!best || e > best)) {
        best = e;
        *num = v;
      }
    }
    if (!odd)
      break;
  }
  return best || digits == 0 || odd ? best : find_plain(p, s, len);
}

static int component(char c) {
  switch (c) {
  case 'x':
  case 'r':
    return 0;
  case 'y':
  case 'g':
    return 1;
  case 'z':
  case 'b':
    return 2;
  case 'w':
  case 'a':
    return 3;
  default:
    return -1;
  }
}

/* `.x` of a special or vector register, `.b3210` and `.h10` of the video instructions. */
static bool parse_suffix(struct ptx_parser *p, struct ptx_operand *o) {
  ptx_lex_next(&p->lx);
  const struct ptx_token *t = ptx_tok(p);
  bool ok = false;
  if (t->kind == TOK_DIR && t->len == 2 && component(t->s[1]) >= 0) {
    int c = component(t->s[1]);
    o->comp = (uint8_t)(o->kind == PTX_OP_REG ? c + 1 : c);
    ok = true;
  } else if (t->kind == TOK_DIR && o->kind == PTX_OP_REG && t->len >= 3 && t->len <= 6 &&
             (t->s[1] == 'b' || t->s[1] == 'h')) {
    ok = true;
    o->comp = (uint8_t)t->s[1];
    o->n = (uint16_t)(t->len - 2);
    for (uint32_t i = 2; i < t->len; i++) {
      ok = ok && t->s[i] >= '0' && t->s[i] <= '7';
      o->u = o->u << 4 | (uint64_t)(t->s[i] & 7);
    }
  }
  if (!ok)
    return ptx_expected(p, "a component such as .x");
  ptx_lex_next(&p->lx);
  return true;
}

static bool parse_sreg(struct ptx_parser *p, struct ptx_operand *o, const struct ptx_name *e, uint32_t num) {
  o->kind = PTX_OP_SREG;
  o->id = e->index;
  o->comp = (uint8_t)(e->kind == NAME_SREG ? e->count : num);
  if (*p->lx.at == '.')
    return parse_suffix(p, o);
  ptx_lex_next(&p->lx);
  return true;
}

/* Number in the function's syms[] for a declared name. */
static uint32_t symbol_of(struct ptx_parser *p, struct ptx_name *e) {
  if (e->sym_body != p->body) {
    e->sym_body = p->body;
    e->sym = (uint32_t)p->fsyms.n;
    PUSH(p->fsyms) = (struct ptx_symbol){.kind = e->sym_kind, .index = e->index};
  }
  return e->sym;
}

void ptx_await_label(struct ptx_parser *p, const struct ptx_token *t, uint32_t at, bool is_target) {
  PUSH(p->pending) = (struct ptx_pending){
      .s = t->s, .len = t->len, .line = t->line, .at = at, .label = PTX_NONE, .is_target = is_target};
}

static bool parse_label(struct ptx_parser *p, struct ptx_operand *o) {
  o->kind = PTX_OP_LABEL;
  o->id = (uint32_t)p->pending.n; /* replaced when the scope ends */
  ptx_await_label(p, ptx_tok(p), PTX_NONE, false);
  ptx_lex_next(&p->lx);
  return true;
}

bool ptx_parse_name(struct ptx_parser *p, struct ptx_operand *o, bool is_label) {
  const struct ptx_token *t = ptx_tok(p);
  if (t->kind != TOK_WORD)
    return ptx_expected(p, "a name");
  if (is_label && t->s[0] != '%')
    return parse_label(p, o);
  uint32_t num = 0;
  struct ptx_name *e = find_local(p, t->s, t->len, &num);
  if (!e) {
    e = ptx_names_find(&p->module, t->s, t->len);
    if (!e && t->s[0] == '%') {
      ptx_undeclared(p, t->line, "register", t->s, t->len);
      return false;
    }
    if (!e)
      return parse_label(p, o);
  }
  switch (e->kind) {
  case NAME_SREG:
  case NAME_SREGS:
    return parse_sreg(p, o, e, num);
  case NAME_SYM:
    o->kind = PTX_OP_SYM;
    o->id = symbol_of(p, e);
    break;
  default:
    o->kind = PTX_OP_REG;
    o->id = e->index + num;
    if (*p->lx.at == '.')
      return parse_suffix(p, o);
  }
  ptx_lex_next(&p->lx);
  return true;
}

/* ---- operands ---- */

uint32_t ptx_settle(struct ptx_parser *p, size_t mark) {
  uint32_t first = (uint32_t)p->ops.n;
  for (size_t i = mark; i < p->stack.n; i++) {
    if (p->stack.v[i].kind == PTX_OP_LABEL)
      p->pending.v[p->stack.v[i].id].at = (uint32_t)p->ops.n;
    PUSH(p->ops) = p->stack.v[i];
  }
  p->stack.n = mark;
  return first;
}

/* Elements up to and with `close`; the opening bracket is the current token. */
static bool parse_elements(struct ptx_parser *p, struct ptx_operand *o, uint8_t kind, char close,
                           unsigned depth) {
  size_t mark = p->stack.n;
  o->kind = kind;
  ptx_lex_next(&p->lx);
  if (ptx_tok(p)->kind != (uint8_t)close)
    do {
      struct ptx_operand e = {0};
      if (!ptx_parse_operand(p, &e, PTX_OPCODE_PLAIN, depth + 1))
        return false;
      PUSH(p->stack) = e;
      if (p->stack.n - mark > UINT16_MAX)
        return ptx_finding(p, ptx_tok(p)->line, "more than %d operands in one list", UINT16_MAX);
    } while (ptx_accept(p, ','));
  if (ptx_tok(p)->kind != (uint8_t)close)
    return ptx_expected(p, close == '}' ? "',' or '}'" : "',' or ')'");
  o->n = (uint16_t)(p->stack.n - mark);
  o->first = ptx_settle(p, mark);
  return true;
}

static bool is_warp_sz(const char *s) {
  return strncmp(s, "WARP_SZ", 7) == 0 && !ptx_lex_is_word(s[7]);
}

static bool parse_offset(struct ptx_parser *p, uint64_t *out) {
  struct ptx_value v;
  uint32_t line = ptx_tok(p)->line;
  if (!ptx_parse_expr(p, &v))
    return false;
  if (v.kind != PTX_OP_INT)
    return ptx_finding(p, line, "an offset must be an integer");
  *out = v.u;
  return true;
}

/* [%rd1+8]  [sym]  [4096]  [tex, sampler, {%f1, %f2}] */
static bool parse_address(struct ptx_parser *p, struct ptx_operand *o, unsigned depth) {
  size_t mark = p->stack.n;
  o->kind = PTX_OP_ADDR;
  ptx_lex_next(&p->lx);
  if (ptx_tok(p)->kind == TOK_WORD && !is_warp_sz(ptx_tok(p)->s)) {
    struct ptx_operand base = {0};
    if (!ptx_parse_name(p, &base, false))
      return false;
    PUSH(p->stack) = base;
    if ((ptx_tok(p)->kind == '+' || ptx_tok(p)->kind == '-') && !parse_offset(p, &o->u))
      return false;
  } else if (!parse_offset(p, &o->u)) {
    return false;
  } else if (ptx_tok(p)->kind == ',') {
    return ptx_expected(p, "']'");
  }
  while (ptx_accept(p, ',')) {
    struct ptx_operand e = {0};
    if (!ptx_parse_operand(p, &e, PTX_OPCODE_PLAIN, depth + 1))
      return false;
    PUSH(p->stack) = e;
  }
  if (p->stack.n - mark > 16)
    return ptx_finding(p, ptx_tok(p)->line, "more than 16 operands in an address");
  o->n = (uint16_t)(p->stack.n - mark);
  o->first = ptx_settle(p, mark);
  if (ptx_tok(p)->kind == ']') {
    ptx_lex_next(&p->lx);
    return true;
  }
  return ptx_expected(p, "']'");
}

static bool parse_constant(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_value v;
  if (!ptx_parse_expr(p, &v))
    return false;
  o->kind = v.kind;
  o->u = v.u;
  o->comp = v.warp_sz;
  return true;
}

static bool parse_string(struct ptx_parser *p, struct ptx_operand *o) {
  const struct ptx_token *t = ptx_tok(p);
  o->kind = PTX_OP_STR;
  o->id = (uint32_t)p->strings.n;
  for (uint32_t i = 1; i + 1 < t->len; i++)
    PUSH(p->strings) = t->s[i];
  PUSH(p->strings) = '\0';
  ptx_lex_next(&p->lx);
  return true;
}

/* The q of `p|q`; `a` is p. */
static bool parse_pair(struct ptx_parser *p, struct ptx_operand *a) {
  struct ptx_operand b = {0};
  ptx_lex_next(&p->lx);
  if (ptx_tok_is(ptx_tok(p), "_")) {
    b.kind = PTX_OP_SINK;
    ptx_lex_next(&p->lx);
  } else {
    uint32_t line = ptx_tok(p)->line;
    bool neg = ptx_accept(p, '!');
    if (!ptx_parse_name(p, &b, false))
      return false;
    if (b.kind != PTX_OP_REG)
      return ptx_finding(p, line, "both sides of '|' must be registers or '_'");
    b.neg = neg;
  }
  uint32_t first = (uint32_t)p->ops.n;
  PUSH(p->ops) = *a;
  PUSH(p->ops) = b;
  *a = (struct ptx_operand){.kind = PTX_OP_PAIR, .n = 2, .first = first};
  return true;
}

/* `a[2]`: an address for mov, what lies there for ld and st. */
static bool parse_index(struct ptx_parser *p, struct ptx_operand *o, uint32_t opcode) {
  const struct ptx_symbol *sym = &p->fsyms.v[o->id];
  uint32_t line = ptx_tok(p)->line;
  if (sym->kind == PTX_SYM_FUNC)
    return ptx_expected(p, "',' or ';'");
  const struct ptx_var *v = sym->kind == PTX_SYM_VAR        ? &p->vars.v[sym->index]
                            : sym->kind == PTX_SYM_LOCALVAR ? &p->fvars.v[sym->index]
                            : sym->kind == PTX_SYM_PARAM    ? &p->fparams.v[sym->index]
                                                            : &p->frets.v[sym->index];
  uint64_t bytes = (uint64_t)ptx_type_bits(v->type) / 8 * v->vec, index = 0;
  ptx_lex_next(&p->lx);
  if (!parse_offset(p, &index))
    return false;
  if (index > PTX_MAX_VAR_BYTES)
    return ptx_finding(p, line, "an index of '%.80s' out of all bounds", v->name);
  if (!ptx_expect(p, ']'))
    return false;
  if (opcode == PTX_OPCODE_MOV) {
    o->u = index * bytes;
    return true;
  }
  uint32_t first = (uint32_t)p->ops.n;
  PUSH(p->ops) = *o;
  *o = (struct ptx_operand){.kind = PTX_OP_ADDR, .n = 1, .first = first, .u = index * bytes};
  return true;
}

static bool parse_word(struct ptx_parser *p, struct ptx_operand *o, uint32_t opcode) {
  const struct ptx_token *t = ptx_tok(p);
  if (t->len == 1 && t->s[0] == '_') {
    o->kind = PTX_OP_SINK;
    ptx_lex_next(&p->lx);
  } else if (t->s[0] == 'W' && is_warp_sz(t->s)) {
    return parse_constant(p, o);
  } else if (!ptx_parse_name(p, o, opcode == PTX_OPCODE_BRA)) {
    return false;
  }
  uint8_t next = ptx_tok(p)->kind;
  if (next == '|' && (o->kind == PTX_OP_REG || o->kind == PTX_OP_SINK))
    return parse_pair(p, o);
  if ((next == '+' || next == '-') && o->kind == PTX_OP_SYM)
    return parse_offset(p, &o->u);
  if (next == '[' && o->kind == PTX_OP_SYM)
    return parse_index(p, o, opcode);
  return true;
}

/* `-%r1` or `!%p1`, and not the start of a constant. */
static bool negates_name(struct ptx_parser *p) {
  char c = ptx_lex_peek(&p->lx);
  return (c == '%' || (ptx_lex_is_word(c) && !is_digit(c))) && !is_warp_sz(p->lx.at);
}

bool ptx_parse_operand(struct ptx_parser *p, struct ptx_operand *o, uint32_t opcode, unsigned depth) {
  if (depth > MAX_OPERAND_DEPTH)
    return ptx_finding(p, ptx_tok(p)->line, "operands nest deeper than %d", MAX_OPERAND_DEPTH);
  switch (ptx_tok(p)->kind) {
  case TOK_WORD:
    return parse_word(p, o, opcode);
  case '[':
    return parse_address(p, o, depth);
  case '{':
    p->braces++;
    if (!parse_elements(p, o, PTX_OP_VEC, '}', depth))
      return false;
    p->braces--;
    ptx_lex_next(&p->lx);
    return true;
  case '(':
    if (opcode != PTX_OPCODE_CALL)
      return parse_constant(p, o);
    if (!parse_elements(p, o, PTX_OP_LIST, ')', depth))
      return false;
    ptx_lex_next(&p->lx);
    return true;
  case '-':
  case '!':
    if (!negates_name(p))
      return parse_constant(p, o);
    ptx_lex_next(&p->lx);
    if (!ptx_parse_name(p, o, false))
      return false;
    if (o->kind != PTX_OP_REG)
      return ptx_finding(p, ptx_tok(p)->line, "only a register or a constant can be negated");
    o->neg = 1;
    return ptx_tok(p)->kind == '|' ? parse_pair(p, o) : true;
  case TOK_STR:
    return parse_string(p, o);
  case TOK_INT:
  case TOK_F32:
  case TOK_F64:
  case '+':
  case '~':
    return parse_constant(p, o);
  default:
    return ptx_expected(p, "an operand");
  }
}
