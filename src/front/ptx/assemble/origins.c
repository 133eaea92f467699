/* Registers with one write, which every way to a reader passes: there, what that write read still is what it was, if it has one write, too. */
#include "front/ptx/assemble/origins.h"
#include <stdlib.h>
#include <string.h>

struct collect {
  struct asm_origins *s;
  const struct ptx_inst *at;
};

static void note_write(void *ctx, uint32_t r, enum asm_role role) {
  struct collect *c = ctx;
  struct asm_origins *s = c->s;
  if (role == ASM_USE)
    return;
  s->def[r] = *c->at;
  s->unclear[r] |= s->written[r] || role == ASM_DEF_PART;
  s->written[r] = true;
}

static void keep_formals(struct asm_origins *s, const struct ptx_var *v, uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t r = 0; v[k].space == PTX_REG && r < s->nregs; r++)
      if (s->a->regs[r].num < 0 && strcmp(s->a->regs[r].name, v[k].name) == 0)
        s->unclear[r] = true;
}

void asm_origins_find(struct asm_origins *s, const struct asm_fn *a) {
  size_t n = a->nregs + 1;
  *s = (struct asm_origins){.a = a, .nregs = a->nregs};
  s->written = xcalloc(n, sizeof *s->written), s->unclear = xcalloc(n, sizeof *s->unclear),
  s->def = xmalloc(n * sizeof *s->def);
  struct collect c = {.s = s};
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++) {
      c.at = &a->blocks[b].v[i];
      asm_visit(a, c.at, note_write, &c);
    }
  struct asm_live live;
  asm_liveness(a, &live);
  for (uint32_t w = 0; w < live.words; w++)
    for (uint64_t bits = live.in[w]; bits; bits &= bits - 1)
      s->unclear[live.of_number[w * 64 + (uint32_t)__builtin_ctzll(bits)]] = true;
  asm_live_free(&live);
  keep_formals(s, a->f->params, a->f->nparams);
  keep_formals(s, a->f->rets, a->f->nrets);
}

void asm_origins_free(struct asm_origins *s) {
  free(s->written), free(s->unclear), free(s->def);
}

const struct ptx_inst *asm_origin(const struct asm_origins *s, const struct ptx_operand *o) {
  return o->kind == PTX_OP_REG && o->id < s->nregs && !o->neg && !o->comp && !o->change &&
                 s->a->regs[o->id].vec <= 1 && s->written[o->id] && !s->unclear[o->id]
             ? &s->def[o->id]
             : NULL;
}
