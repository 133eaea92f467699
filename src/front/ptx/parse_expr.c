/* Constant expressions: 64-bit integers with C's operators and precedence, and floating literals.
 * Integers are signed unless a U suffix, their size or a cast makes them unsigned. */
#include "front/ptx/parse.h"
#include <string.h>

static bool parse_ternary(struct ptx_parser *p, struct ptx_value *out, unsigned depth);

/* .s64 or .u64 behind a `(`, which the caller has seen. */
static bool parse_cast(struct ptx_parser *p, bool *to_unsigned) {
  *to_unsigned = ptx_tok_is(ptx_tok(p), ".u64");
  if (!*to_unsigned && !ptx_tok_is(ptx_tok(p), ".s64"))
    return ptx_expected(p, "(.s64) or (.u64)");
  ptx_lex_next(&p->lx);
  return ptx_expect(p, ')');
}

static bool parse_primary(struct ptx_parser *p, struct ptx_value *out, unsigned depth) {
  const struct ptx_token *t = ptx_tok(p);
  *out = (struct ptx_value){.kind = PTX_OP_INT, .u = t->u};
  switch (t->kind) {
  case TOK_INT:
    out->is_unsigned = t->is_unsigned;
    break;
  case TOK_F32:
    out->kind = PTX_OP_F32;
    break;
  case TOK_F64:
    out->kind = PTX_OP_F64;
    break;
  case TOK_WORD:
    if (!ptx_tok_is(t, "WARP_SZ"))
      return ptx_expected(p, "a constant");
    out->u = 32;
    out->warp_sz = 1;
    break;
  case '(':
    ptx_lex_next(&p->lx);
    return parse_ternary(p, out, depth + 1) && ptx_expect(p, ')');
  default:
    return ptx_expected(p, "a constant");
  }
  ptx_lex_next(&p->lx);
  return true;
}

static bool negate(struct ptx_parser *p, struct ptx_value *v, uint8_t op) {
  if (v->kind == PTX_OP_INT) {
    v->u = op == '-' ? 0 - v->u : op == '~' ? ~v->u : (uint64_t)(v->u == 0);
    v->warp_sz = v->warp_sz ? 2 : 0;
    if (op == '!')
      v->is_unsigned = false;
    return true;
  }
  if (op != '-')
    return ptx_finding(p, ptx_tok(p)->line, "'%c' does not apply to a floating-point constant", op);
  v->u ^= v->kind == PTX_OP_F32 ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
  return true;
}

static bool parse_unary(struct ptx_parser *p, struct ptx_value *out, unsigned depth) {
  if (depth > PTX_MAX_DEPTH)
    return ptx_finding(p, ptx_tok(p)->line, "the expression nests deeper than %d", PTX_MAX_DEPTH);
  uint8_t op = ptx_tok(p)->kind;
  if (op == '-' || op == '~' || op == '!' || op == '+') {
    ptx_lex_next(&p->lx);
    if (!parse_unary(p, out, depth + 1))
      return false;
    return op == '+' || negate(p, out, op);
  }
  if (op == '(' && ptx_lex_peek(&p->lx) == '.') {
    ptx_lex_next(&p->lx);
    bool to_unsigned;
    if (ptx_tok(p)->kind == TOK_DIR) {
      if (!parse_cast(p, &to_unsigned) || !parse_unary(p, out, depth + 1))
        return false;
      if (out->kind != PTX_OP_INT)
        return ptx_finding(p, ptx_tok(p)->line, "a cast takes an integer constant");
      out->is_unsigned = to_unsigned;
      return true;
    }
    return parse_ternary(p, out, depth + 1) && ptx_expect(p, ')'); /* (.5) */
  }
  return parse_primary(p, out, depth);
}

/* Precedence of a binary operator; 0: not one. */
static int precedence(uint8_t op) {
  switch (op) {
  case '*':
  case '/':
  case '%':
    return 10;
  case '+':
  case '-':
    return 9;
  case TOK_SHL:
  case TOK_SHR:
    return 8;
  case '<':
  case '>':
  case TOK_LE:
  case TOK_GE:
    return 7;
  case TOK_EQ:
  case TOK_NE:
    return 6;
  case '&':
    return 5;
  case '^':
    return 4;
  case '|':
    return 3;
  case TOK_AND:
    return 2;
  case TOK_OR:
    return 1;
  default:
    return 0;
  }
}

static uint64_t divide(uint64_t a, uint64_t b, bool uns, bool rest) {
  if (uns)
    return rest ? a % b : a / b;
  if (b == UINT64_MAX) /* INT64_MIN / -1 wraps */
    return rest ? 0 : 0 - a;
  return (uint64_t)(rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static uint64_t shift_right(uint64_t a, uint64_t by, bool uns) {
  if (uns)
    return by < 64 ? a >> by : 0;
  uint64_t sign = 0 - (a >> 63);
  return by < 64 ? (a >> by) | (by ? sign << (64 - by) : 0) : sign;
}

static bool less(uint64_t a, uint64_t b, bool uns) {
  return uns ? a < b : (int64_t)a < (int64_t)b;
}

static bool apply(struct ptx_parser *p, uint8_t op, struct ptx_value *l, const struct ptx_value *r) {
  uint32_t line = ptx_tok(p)->line;
  if (l->kind != PTX_OP_INT || r->kind != PTX_OP_INT)
    return ptx_finding(p, line, "operators take integer constants, not floating-point ones");
  bool uns = l->is_unsigned || r->is_unsigned;
  uint64_t a = l->u, b = r->u, v = 0;
  bool truth = false; /* the result is an int, whatever the operands are */
  if ((op == '/' || op == '%') && b == 0)
    return ptx_finding(p, line, "division by zero in a constant expression");
  switch (op) {
  case '*':
    v = a * b;
    break;
  case '/':
    v = divide(a, b, uns, false);
    break;
  case '%':
    v = divide(a, b, uns, true);
    break;
  case '+':
    v = a + b;
    break;
  case '-':
    v = a - b;
    break;
  case TOK_SHL:
    v = b < 64 ? a << b : 0;
    uns = l->is_unsigned;
    break;
  case TOK_SHR:
    v = shift_right(a, b, l->is_unsigned);
    uns = l->is_unsigned;
    break;
  case '<':
    v = less(a, b, uns);
    truth = true;
    break;
  case '>':
    v = less(b, a, uns);
    truth = true;
    break;
  case TOK_LE:
    v = !less(b, a, uns);
    truth = true;
    break;
  case TOK_GE:
    v = !less(a, b, uns);
    truth = true;
    break;
  case TOK_EQ:
    v = a == b;
    truth = true;
    break;
  case TOK_NE:
    v = a != b;
    truth = true;
    break;
  case '&':
    v = a & b;
    break;
  case '^':
    v = a ^ b;
    break;
  case '|':
    v = a | b;
    break;
  case TOK_AND:
    v = a && b;
    truth = true;
    break;
  case TOK_OR:
    v = a || b;
    truth = true;
    break;
  }
  l->u = v;
  l->is_unsigned = uns && !truth;
  l->warp_sz = l->warp_sz || r->warp_sz ? 2 : 0;
  return true;
}

static bool parse_binary(struct ptx_parser *p, struct ptx_value *out, int lowest, unsigned depth) {
  if (!parse_unary(p, out, depth))
    return false;
  for (;;) {
    uint8_t op = ptx_tok(p)->kind;
    int prec = precedence(op);
    if (prec == 0 || prec < lowest)
      return true;
    ptx_lex_next(&p->lx);
    struct ptx_value r;
    if (!parse_binary(p, &r, prec + 1, depth + 1) || !apply(p, op, out, &r))
      return false;
  }
}

static bool parse_ternary(struct ptx_parser *p, struct ptx_value *out, unsigned depth) {
  if (!parse_binary(p, out, 1, depth))
    return false;
  if (ptx_tok(p)->kind != '?')
    return true;
  if (out->kind != PTX_OP_INT)
    return ptx_finding(p, ptx_tok(p)->line, "the condition of ?: must be an integer");
  ptx_lex_next(&p->lx);
  struct ptx_value a, b;
  if (!parse_ternary(p, &a, depth + 1) || !ptx_expect(p, ':') || !parse_ternary(p, &b, depth + 1))
    return false;
  uint8_t warp = out->warp_sz || a.warp_sz || b.warp_sz ? 2 : 0;
  *out = out->u ? a : b;
  out->warp_sz = warp;
  return true;
}

bool ptx_parse_expr(struct ptx_parser *p, struct ptx_value *out) {
  return parse_ternary(p, out, 0);
}

bool ptx_parse_count(struct ptx_parser *p, const char *what, uint64_t max, uint64_t *out) {
  struct ptx_value v;
  uint32_t line = ptx_tok(p)->line;
  if (ptx_tok(p)->kind == TOK_BAD)
    return ptx_expected(p, what);
  if (!ptx_parse_expr(p, &v))
    return false;
  if (v.kind != PTX_OP_INT || (!v.is_unsigned && (int64_t)v.u < 0))
    return ptx_finding(p, line, "%s must be a non-negative integer", what);
  if (v.u > max)
    return ptx_finding(p, line, "%s is %llu; at most %llu is allowed", what, (unsigned long long)v.u,
                       (unsigned long long)max);
  *out = v.u;
  return true;
}

bool ptx_parse_u32(struct ptx_parser *p, const char *what, uint32_t *out) {
  const struct ptx_token *t = ptx_tok(p);
  if (t->kind != TOK_INT)
    return ptx_expected(p, what);
  if (t->u > UINT32_MAX)
    return ptx_finding(p, t->line, "%s is %llu; at most 4294967295 is allowed", what,
                       (unsigned long long)t->u);
  *out = (uint32_t)t->u;
  ptx_lex_next(&p->lx);
  return true;
}
