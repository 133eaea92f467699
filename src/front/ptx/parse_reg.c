/* Registers: plain names, and ranges such as `%r<8>` that declare %r0 to %r7 in one go. */
#include "front/ptx/parse.h"

struct ptx_name *ptx_taken(const struct ptx_parser *p, const struct ptx_token *name) {
  struct ptx_name *e = ptx_names_find(&p->local, name->s, name->len);
  while (e && (e->kind == NAME_RANGE || e->kind == NAME_SREGS || e->kind == NAME_LOWEST))
    e = ptx_names_older(&p->local, e);
  return e && e->scope != p->scope && e->scope != 0 ? NULL : e;
}

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

struct ptx_name *ptx_add_local(struct ptx_parser *p, enum ptx_name_kind kind, const char *s, uint32_t len,
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
    return ptx_finding(p, line, "%llu registers; at most %d are allowed in a function",
                       (unsigned long long)count, PTX_MAX_REGS);
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
  struct ptx_name *e = ptx_add_local(p, NAME_RANGE, name->s, name->len, name->line);
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
  struct ptx_name *first = ptx_taken(p, name);
  uint32_t prefix = 0, num = 0;
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
      low = ptx_add_local(p, NAME_LOWEST, name->s, prefix, name->line);
      low->count = num;
    } else if (num < low->count) {
      low->count = num;
      low->line = name->line;
    }
    p->plain_numbered++;
  }
  struct ptx_name *e = ptx_add_local(p, NAME_REG, name->s, name->len, name->line);
  e->index = (uint32_t)p->regs.n;
  e->count = numbered;
  PUSH(p->regs) =
      (struct ptx_reg){.name = ptx_copy_name(p, name), .num = -1, .type = spec->type, .vec = spec->vec};
  return true;
}
