/* Instructions: guard, opcode with its modifiers, operands. */
#include "front/ptx/parse.h"
#include <string.h>

enum { MAX_MNEMONIC = 200 };

static uint32_t opcode_of(const char *s, uint32_t len) {
  const char *dot = memchr(s, '.', len);
  size_t n = dot ? (size_t)(dot - s) : len;
  static const char *const special[] = {[PTX_OPCODE_CALL] = "call",
                                        [PTX_OPCODE_BRA] = "bra",
                                        [PTX_OPCODE_BRX] = "brx",
                                        [PTX_OPCODE_MOV] = "mov"};
  for (uint32_t i = PTX_OPCODE_CALL; i <= PTX_OPCODE_MOV; i++)
    if (strlen(special[i]) == n && memcmp(s, special[i], n) == 0)
      return i;
  return PTX_OPCODE_PLAIN;
}

/* The parts of a mnemonic may stand apart: `ld .global .u32`. */
static bool join_mnemonic(struct ptx_parser *p, const char **s, uint32_t *len) {
  p->joined.n = 0;
  for (;;) {
    const struct ptx_token *t = ptx_tok(p);
    for (uint32_t i = 0; i < t->len; i++)
      PUSH(p->joined) = t->s[i];
    if (ptx_lex_peek(&p->lx) != '.' || p->joined.n > MAX_MNEMONIC)
      break;
    ptx_lex_next(&p->lx);
    if (ptx_tok(p)->kind != TOK_DIR)
      return ptx_expected(p, "the rest of the opcode");
    ptx_lex_dotted(&p->lx);
  }
  *s = p->joined.v;
  *len = (uint32_t)p->joined.n;
  return true;
}

/* The opcode and its modifiers; what follows becomes the current token. */
static const struct ptx_name *parse_mnemonic(struct ptx_parser *p) {
  const struct ptx_token *t = ptx_tok(p);
  if (t->kind != TOK_WORD || !((t->s[0] | 0x20) >= 'a' && (t->s[0] | 0x20) <= 'z')) {
    ptx_expected(p, "an opcode");
    return NULL;
  }
  ptx_lex_dotted(&p->lx);
  const char *s = t->s;
  uint32_t len = t->len;
  if (ptx_lex_peek(&p->lx) == '.' && !join_mnemonic(p, &s, &len))
    return NULL;
  struct ptx_name *e = ptx_names_find(&p->mnemonics, s, len);
  if (!e) {
    if (len > MAX_MNEMONIC) {
      ptx_finding(p, t->line, "'%.20s...': an opcode of %u characters; at most %d are allowed", s, len,
                  MAX_MNEMONIC);
      return NULL;
    }
    const char *text = arena_strndup(p->arena, s, len);
    e = ptx_names_add(&p->mnemonics, NAME_MNEMONIC, text, len);
    e->index = (uint32_t)p->mnemonic_text.n;
    e->count = opcode_of(text, len);
    PUSH(p->mnemonic_text) = text;
  }
  ptx_lex_next(&p->lx);
  return e;
}

static bool parse_guard(struct ptx_parser *p, struct ptx_inst *inst) {
  ptx_lex_next(&p->lx);
  inst->guard_neg = ptx_accept(p, '!');
  uint32_t line = ptx_tok(p)->line;
  struct ptx_operand o = {0};
  if (ptx_tok(p)->kind != TOK_WORD)
    return ptx_expected(p, "a predicate register after '@'");
  if (!ptx_parse_name(p, &o, false))
    return false;
  if (o.kind != PTX_OP_REG || p->regs.v[o.id].type != PTX_PRED)
    return ptx_finding(p, line, "the guard after '@' must be a register of type .pred");
  inst->guard = o.id;
  return true;
}

static bool parse_operands(struct ptx_parser *p, struct ptx_inst *inst, uint32_t opcode) {
  if (ptx_tok(p)->kind == ';') {
    inst->first_op = (uint32_t)p->ops.n;
    return true;
  }
  do {
    struct ptx_operand o = {0};
    if (!ptx_parse_operand(p, &o, opcode, 0))
      return false;
    PUSH(p->stack) = o;
    if (opcode == PTX_OPCODE_BRX) /* an index, then labels */
      opcode = PTX_OPCODE_BRA;
  } while (ptx_accept(p, ','));
  if (ptx_tok(p)->kind != ';')
    return ptx_expected(p, "',' or ';'");
  if (p->stack.n > UINT8_MAX)
    return ptx_finding(p, inst->line, "more than %d operands", UINT8_MAX);
  inst->nops = (uint8_t)p->stack.n;
  inst->first_op = ptx_settle(p, 0);
  return true;
}

bool ptx_parse_inst(struct ptx_parser *p) {
  struct ptx_inst inst = {.line = ptx_tok(p)->line, .loc = p->loc, .guard = PTX_NONE};
  p->stack.n = 0;
  p->braces = 0;
  if (ptx_tok(p)->kind == '@') {
    if (!parse_guard(p, &inst))
      return false;
    inst.line = ptx_tok(p)->line;
  }
  const struct ptx_name *mnemonic = parse_mnemonic(p);
  if (!mnemonic)
    return false;
  inst.mnemonic = mnemonic->index;
  if (!parse_operands(p, &inst, mnemonic->count))
    return false;
  ptx_lex_next(&p->lx); /* ; */
  PUSH(p->insts) = inst;
  return true;
}
