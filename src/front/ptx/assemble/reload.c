/* A load of what the block has loaded already, with nothing between that may have changed it, is left out. */
#include "front/ptx/assemble/asm.h"
#include <stdlib.h>
#include <string.h>

enum { KNOWN_MOST = 64 };

struct known {
  struct asm_place place;
  uint32_t mnemonic, result;
  bool read_only;
};

struct reload {
  struct asm_fn *a;
  uint32_t *version, *writes;
  bool *partial;
  uint32_t *same_as; /* by register: one that holds the same wherever it is read */
  struct known known[KNOWN_MOST];
  size_t n;
};

static void count_writes(void *ctx, uint32_t r, enum asm_role role) {
  struct reload *s = ctx;
  s->writes[r] += role != ASM_USE;
  s->partial[r] |= role == ASM_DEF_PART;
}

static void note_version(void *ctx, uint32_t r, enum asm_role role) {
  struct reload *s = ctx;
  s->version[r] += role != ASM_USE;
}

static void read_other(void *ctx, uint32_t *r, enum asm_role role) {
  struct reload *s = ctx;
  if (role == ASM_USE)
    *r = s->same_as[*r];
}

static void forget(struct reload *s, const struct asm_place *written) {
  size_t to = 0;
  for (size_t i = 0; i < s->n; i++)
    if (written && (s->known[i].read_only || !asm_may_overlap(s->a, &s->known[i].place, written)))
      s->known[to++] = s->known[i];
  s->n = to;
}

static bool once(const struct reload *s, uint32_t r) {
  return s->writes[r] == 1 && !s->partial[r];
}

/* True: the load is not needed. */
static bool known(struct reload *s, const struct ptx_inst *in) {
  const struct ptx_operand *o = &s->a->ops[in->first_op];
  if (in->guard != PTX_NONE || in->nops != 2 || o->kind != PTX_OP_REG || o->comp || !once(s, o->id))
    return false;
  struct asm_place p = asm_place(s->a, in, s->version);
  if (!p.known)
    return false;
  for (size_t i = 0; i < s->n; i++) {
    const struct known *k = &s->known[i];
    if (k->mnemonic == in->mnemonic && k->place.is_symbol == p.is_symbol && k->place.base == p.base &&
        (p.is_symbol || k->place.version == p.version) && k->place.at == p.at && k->place.name == p.name &&
        s->a->regs[k->result].type == s->a->regs[o->id].type) {
      s->same_as[o->id] = k->result;
      return true;
    }
  }
  if (s->n == KNOWN_MOST)
    memmove(s->known, s->known + 1, --s->n * sizeof *s->known);
  s->known[s->n++] = (struct known){p, in->mnemonic, o->id, asm_traits(s->a, in)->read_only};
  return false;
}

static void look_through(struct reload *s, struct asm_block *k) {
  size_t to = 0;
  s->n = 0;
  for (size_t i = 0; i < k->n; i++) {
    struct ptx_inst in = k->v[i];
    enum asm_kind kind = asm_kind(s->a, &in);
    asm_visit_places(s->a, &in, read_other, s);
    if (kind == ASM_STORE) {
      struct asm_place p = asm_place(s->a, &in, s->version);
      forget(s, &p);
    } else if (kind == ASM_PIN || kind == ASM_FIXED || kind == ASM_ATOM) {
      forget(s, NULL);
    } else if (kind == ASM_LOAD && !asm_is_param(s->a, &in) && known(s, &in)) {
      continue;
    }
    asm_visit(s->a, &in, note_version, s);
    k->v[to++] = in;
  }
  size_t left = k->n - to;
  k->n = to;
  asm_account(k, left);
}

void asm_leave_reloads(struct asm_fn *a) {
  size_t n = a->nregs + 1;
  struct reload s = {.a = a};
  s.version = xcalloc(n, sizeof *s.version), s.writes = xcalloc(n, sizeof *s.writes),
  s.partial = xcalloc(n, sizeof *s.partial), s.same_as = xmalloc(n * sizeof *s.same_as);
  for (uint32_t r = 0; r < n; r++)
    s.same_as[r] = r;
  for (size_t b = 0; b < a->nblocks; b++)
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit(a, &a->blocks[b].v[i], count_writes, &s);
  for (size_t b = 0; b < a->nblocks; b++)
    look_through(&s, &a->blocks[b]);
  for (size_t b = 0; b < a->nblocks; b++) /* blocks before may read what later ones wrote, in a loop */
    for (size_t i = 0; i < a->blocks[b].n; i++)
      asm_visit_places(a, &a->blocks[b].v[i], read_other, &s);
  free(s.version), free(s.writes), free(s.partial), free(s.same_as);
}
