/* Which accesses may touch the same bytes. An assembler knows little of pointers: another space, another
 * variable, or another distance from the same register. */
#include "front/ptx/assemble/asm.h"

static const struct ptx_var *variable(const struct asm_fn *a, uint32_t symbol) {
  const struct ptx_symbol *s = &a->f->syms[symbol];
  return s->kind == PTX_SYM_VAR        ? &a->m->vars[s->index]
         : s->kind == PTX_SYM_LOCALVAR ? &a->f->vars[s->index]
         : s->kind == PTX_SYM_PARAM    ? &a->f->params[s->index]
         : s->kind == PTX_SYM_RET      ? &a->f->rets[s->index]
                                       : NULL;
}

struct asm_place asm_place(const struct asm_fn *a, const struct ptx_inst *in, const uint32_t *version) {
  const struct asm_traits *t = asm_traits(a, in);
  struct asm_place p = {.space = t->space, .bytes = t->bytes, .name = PTX_NONE};
  if (in->nops <= t->has_result)
    return p;
  const struct ptx_operand *o = &a->ops[in->first_op + t->has_result];
  const bool named = o->kind == PTX_OP_ADDR && o->n == 2 && a->ops[o->first + 1].kind == PTX_OP_SYM;
  if (o->kind != PTX_OP_ADDR || (o->n != 1 && !named))
    return p;
  const struct ptx_operand *b = &a->ops[o->first];
  p.at = (int64_t)o->u;
  if (named)
    p.name = b[1].id, p.at += (int64_t)b[1].u;
  if (b->kind == PTX_OP_REG && !b->comp) {
    p.known = true;
    p.base = b->id;
    p.version = version[b->id];
  } else if (b->kind == PTX_OP_SYM) {
    const struct ptx_var *v = variable(a, b->id);
    p.at += (int64_t)b->u;
    /* beyond its variable it may be in the next one */
    p.known = v && !v->unsized && p.at >= 0 && (uint64_t)p.at + p.bytes <= v->size;
    p.is_symbol = true;
    p.base = b->id;
  }
  return p;
}

bool asm_may_overlap(const struct asm_fn *a, const struct asm_place *x, const struct asm_place *y) {
  if (x->space != y->space && x->space != PTX_GENERIC && y->space != PTX_GENERIC)
    return false;
  if (!x->known || !y->known || x->is_symbol != y->is_symbol || x->name != y->name)
    return true;
  if (x->is_symbol ? variable(a, x->base) != variable(a, y->base)
                   : x->base != y->base || x->version != y->version)
    return !x->is_symbol;
  return x->at < y->at + (int64_t)y->bytes && y->at < x->at + (int64_t)x->bytes;
}
