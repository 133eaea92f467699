/* Which atomics of global memory come after what other warps have read (BF_CONTENDED):
 *
 *   old = word; do new = f(old) while (!cas(word, old, new))    a CAS that expects what its loop has read
 *   a = word[i]; if (a > b) min(word[i], b)                     an atomic where plain loads read the same array
 *   while ((tile = add(next, 1)) < tiles) …                     an atomic in a loop whose result somebody reads
 *
 * On a GPU all resident warps come to the atomic before one of them has gone on for long: they have read the old values, and share a queue
 * evenly. Locks, whose CAS or exchange expects or leaves the same value always, are none of these: what matters is when the holder gives
 * the lock back (l2/spin.h). Arrays are told apart by the kernel's parameters that addresses follow from. */
#include "front/ptx/lower.h"
#include "base/mem.h"
#include <stdlib.h>

struct contend {
  struct lower *l;
  const struct liveness *v;
  /* by virtual register: parameters that a pointer follows from, as a set of numbers modulo 64 */
  uint64_t *arrays;
  uint64_t loaded;     /* the same of all addresses that plain loads read */
  bool *read;          /* by virtual register */
  struct around *loop; /* by block, from the function's first on */
  uint64_t from;       /* of the uop that is looked at */
  bool changed;
};

/* The pointer that a slot is among the launch's constants. */
static uint64_t array_of(const struct contend *k, slot_t s) {
  const struct func *f = k->l->f;
  uint32_t at = LAUNCH_FIRST;
  for (uint32_t i = 0; i < f->nlaunch_consts; i++) {
    const struct launch_const *c = &f->launch_consts[i];
    if (SLOT_OFFSET(s) == at)
      return c->bytes == 8 && !c->size ? UINT64_C(1) << c->at / 8 % 64 : 0;
    at += 32 * c->lane_bytes;
  }
  return 0;
}

static uint64_t arrays_of(const struct contend *k, slot_t s) {
  return SLOT_AREA(s) == SLOT_REG      ? k->arrays[SLOT_OFFSET(s)]
         : SLOT_AREA(s) == SLOT_LAUNCH ? array_of(k, s)
                                       : 0;
}

static void follow(void *ctx, slot_t *s, enum uop_role role) {
  struct contend *k = ctx;
  if (role == UOP_USE) {
    k->from |= arrays_of(k, *s);
    k->read[SLOT_AREA(*s) == SLOT_REG ? SLOT_OFFSET(*s) : k->l->nv] = true;
  } else if (SLOT_AREA(*s) == SLOT_REG && k->l->vwidth[SLOT_OFFSET(*s)] == 8) {
    uint64_t *to = &k->arrays[SLOT_OFFSET(*s)];
    k->changed |= (k->from & ~*to) != 0;
    *to |= k->from;
  }
}

static void follow_pointers(struct contend *k) {
  do {
    k->changed = false;
    for (uint32_t i = k->l->blocks[k->v->first].first; i < k->l->nuops; i++) {
      struct uop copy = k->l->uops[i];
      if (copy.kind == U_LD ||
          copy.kind == U_ATOM) /* what memory has is no pointer to the array it lies in */
        copy.d = SLOT_NONE;
      k->from = 0;
      uop_visit(&copy, follow, k);
    }
  } while (k->changed);
}

struct around *loops_around(const struct lower *l, const struct liveness *v) {
  struct around *loop = xcalloc(l->nblocks - v->first + 1, sizeof *loop);
  for (uint32_t t = (uint32_t)l->nblocks;
       t-- > v->first;) { /* inner loops replace outer ones, which end later */
    const struct block *last = &l->blocks[t];
    const struct uop *end = last->end > last->first ? &l->uops[last->end - 1] : NULL;
    if (end && end->kind == U_BRA && end->target >= v->first)
      for (uint32_t b = end->target; b <= t; b++)
        loop[b - v->first] = (struct around){end->target, t + 1};
  }
  return loop;
}

struct written {
  slot_t slot;
  bool any;
};

static void note_written(void *ctx, slot_t *s, enum uop_role role) {
  struct written *w = ctx;
  w->any |= role != UOP_USE && *s == w->slot;
}

static void note_read(void *ctx, slot_t *s, enum uop_role role) {
  *(bool *)ctx |= role == UOP_USE && SLOT_AREA(*s) == SLOT_REG;
}

/* Does the CAS expect a value that its loop reads? Not where the loop writes nothing but a number to the register: a free lock is always 0. */
static bool expects_what_it_read(const struct contend *k, const struct uop *op, struct around loop) {
  struct written w = {.slot = op->x->regs[0]};
  for (uint32_t i = k->l->blocks[loop.from].first;
       SLOT_AREA(w.slot) == SLOT_REG && i < k->l->blocks[loop.to - 1].end; i++) {
    struct uop *u = &k->l->uops[i];
    bool reads = u->kind == U_LD || u->kind == U_ATOM;
    uop_visit(u, note_read, &reads);
    if (reads)
      uop_visit(u, note_written, &w);
  }
  return w.any;
}

static bool is_global(const struct uop *op) {
  return op->x->space == PTX_GLOBAL || op->x->space == PTX_GENERIC;
}

static void find_loaded(struct contend *k) {
  for (uint32_t i = k->l->blocks[k->v->first].first; i < k->l->nuops; i++) {
    const struct uop *u = &k->l->uops[i];
    if (u->kind == U_LD && is_global(u) && u->x->cache_op != SLUICE_NC)
      k->loaded |= arrays_of(k, u->a) | (u->b == SLOT_NONE ? 0 : arrays_of(k, u->b));
  }
}

static bool contended(const struct contend *k, uint32_t b, const struct uop *op) {
  struct around loop = k->loop[b - k->v->first];
  slot_t result = op->x->regs[ATOM_RESULT];
  if (op->x->op == ATOM_MBARRIER || op->x->op == ATOM_EXCH)
    return false;
  if (op->x->op == ATOM_CAS)
    return loop.to && k->l->f->insts[op->inst].flags & SLUICE_IF_TRIES && expects_what_it_read(k, op, loop);
  return arrays_of(k, op->a) & k->loaded ||
         (loop.to && SLOT_AREA(result) == SLOT_REG && k->read[SLOT_OFFSET(result)]);
}

void contend_mark(struct lower *l, const struct liveness *v) {
  struct contend k = {.l = l, .v = v};
  bool any = false;
  for (uint32_t i = l->blocks[v->first].first; i < l->nuops; i++)
    any |= l->uops[i].kind == U_ATOM;
  if (!any)
    return;
  k.arrays = xcalloc(l->nv + 1, sizeof *k.arrays);
  k.read = xcalloc(l->nv + 1, sizeof *k.read);
  k.loop = loops_around(l, v);
  follow_pointers(&k);
  find_loaded(&k);
  for (uint32_t b = v->first; b < l->nblocks; b++)
    for (uint32_t i = l->blocks[b].first; i < l->blocks[b].end; i++)
      if (l->uops[i].kind == U_ATOM && is_global(&l->uops[i]) && contended(&k, b, &l->uops[i])) {
        l->blocks[b].flags |= l->uops[i].x->op == ATOM_CAS ? BF_CONTENDED | BF_ATTEMPTS : BF_CONTENDED;
        l->p->contended = true;
      }
  free(k.arrays), free(k.read), free(k.loop);
}
