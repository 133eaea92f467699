/* Register allocation: liveness of virtual registers, then slots of the frame by linear scan. Done twice: for
 * the program as it was written, whose registers the stream names, and for what is executed of it.
 *
 * Lanes never share bytes and every write is masked, so liveness is that of a single thread, in
 * whatever order diverged lanes run; but slots of different lane widths must not share memory. */
#include "front/ptx/lower.h"
#include <stdlib.h>
#include <string.h>

void uop_visit(struct uop *u, uop_visit_fn *fn, void *ctx) {
  if (u->flags & UF_GUARD)
    fn(ctx, &u->guard, UOP_USE);
  fn(ctx, &u->a, UOP_USE);
  fn(ctx, &u->b, UOP_USE);
  fn(ctx, &u->c, UOP_USE);
  bool e_written =
      (u->kind == U_ALU || u->kind == U_ALU_ROUND) ? u->aux2 & 1 : u->kind >= U_SHFL && u->kind <= U_WARPSYNC;
  bool e_read = (u->kind == U_ALU || u->kind == U_ALU_ROUND) && (u->aux2 & 2 || !(u->aux2 & 1));
  if (e_read)
    fn(ctx, &u->e, UOP_USE);
  if (u->x) {
    struct uop_ext *x = u->x;
    unsigned sources = u->kind == U_UNPACK || u->kind == U_LD                              ? 0
                       : u->kind == U_ATOM                                                 ? ATOM_RESULT
                       : u->kind == U_MMA || u->kind == U_LDMATRIX || u->kind == U_TEXTURE ? x->nregs - x->vec
                                                                                           : x->nregs;
    for (unsigned i = 0; i < sources; i++)
      fn(ctx, &x->regs[i], UOP_USE);
    for (unsigned i = 0; i < x->nargs; i++)
      if (x->args[i].from_reg)
        fn(ctx, &x->args[i].reg, UOP_USE);
    for (unsigned i = sources; i < x->nregs; i++)
      fn(ctx, &x->regs[i], UOP_DEF);
    for (unsigned i = 0; i < x->nrets; i++)
      if (x->rets[i].from_reg)
        fn(ctx, &x->rets[i].reg, UOP_DEF);
  }
  fn(ctx, &u->d, UOP_DEF);
  if (e_written)
    fn(ctx, &u->e, UOP_DEF_EARLY);
}

struct live {
  struct lower *l;
  uint32_t first, nblocks, nv;
  uint32_t *stamp;  /* last block that defined it, while scanning */
  uint32_t *global; /* number among registers live across blocks, or PTX_NONE */
  uint32_t *of_global;
  uint32_t nglobal, words;
  uint64_t *in, *out, *gen, *kill;
  uint32_t *start, *end; /* interval; start > end: never occurs */
  uint32_t block, pos;
  bool guarded;
  int pass;
};

/* A guarded write leaves the old value in other lanes, so it does not end a life; temporaries live
 * within one instruction, under one guard, and need no such care. */
static bool partial(const struct live *v, uint32_t r) {
  return v->guarded && (r < v->l->ast->nregs || r == v->l->cc);
}

static void scan_exposed(void *ctx, slot_t *s, enum uop_role role) {
  struct live *v = ctx;
  if (SLOT_AREA(*s) != SLOT_REG)
    return;
  uint32_t r = SLOT_OFFSET(*s);
  bool keeps = partial(v, r);
  if ((role == UOP_USE || keeps) && v->stamp[r] != v->block && v->global[r] == PTX_NONE)
    v->global[r] = v->nglobal++;
  if (role != UOP_USE && !keeps)
    v->stamp[r] = v->block;
}

static void scan_sets(void *ctx, slot_t *s, enum uop_role role) {
  struct live *v = ctx;
  if (SLOT_AREA(*s) != SLOT_REG)
    return;
  uint32_t r = SLOT_OFFSET(*s), g = v->global[r];
  uint64_t *gen = v->gen + (size_t)(v->block - v->first) * v->words,
           *kill = v->kill + (size_t)(v->block - v->first) * v->words;
  if (g != PTX_NONE) {
    uint64_t bit = UINT64_C(1) << (g & 63);
    bool keeps = partial(v, r);
    if ((role == UOP_USE || keeps) && !(kill[g >> 6] & bit))
      gen[g >> 6] |= bit;
    if (role != UOP_USE && !keeps)
      kill[g >> 6] |= bit;
  }
  uint32_t at = v->pos * 2 + (role == UOP_DEF ? 1 : 0);
  if (at < v->start[r])
    v->start[r] = at;
  if (v->end[r] == PTX_NONE || at > v->end[r])
    v->end[r] = at;
  if (role == UOP_DEF_EARLY && (v->end[r] < at + 1))
    v->end[r] = at + 1;
}

static void scan(struct live *v, uop_visit_fn *fn) {
  for (uint32_t b = v->first; b < v->l->nblocks; b++) {
    const struct block *k = &v->l->blocks[b];
    v->block = b;
    for (uint32_t i = k->first; i < k->end; i++) {
      v->pos = i;
      v->guarded = v->l->uops[i].flags & UF_GUARD;
      uop_visit(&v->l->uops[i], fn, v);
      if (v->l->uops[i].kind == U_RET) {
        v->guarded = false;
        for (uint32_t r = 0; r < v->l->ast->nrets; r++)
          fn(v, &v->l->f->ret_reg[r], UOP_USE);
      }
    }
  }
}

static void solve(struct live *v) {
  size_t total = (size_t)v->nblocks * v->words;
  v->in = xcalloc(total + 1, 8), v->out = xcalloc(total + 1, 8);
  uint32_t cap = 4;
  for (uint32_t b = v->first; b < v->l->nblocks; b++) {
    const struct block *k = &v->l->blocks[b];
    if (k->end > k->first && v->l->uops[k->end - 1].kind == U_BRX &&
        v->l->uops[k->end - 1].x->ntargets + 2 > cap)
      cap = v->l->uops[k->end - 1].x->ntargets + 2;
  }
  uint32_t *to = xmalloc(cap * sizeof *to);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = v->nblocks; b-- > 0;) {
      uint32_t n = block_successors(v->l, &v->l->blocks[v->first + b], to, cap);
      uint64_t *in = v->in + (size_t)b * v->words, *out = v->out + (size_t)b * v->words;
      const uint64_t *gen = v->gen + (size_t)b * v->words, *kill = v->kill + (size_t)b * v->words;
      for (uint32_t i = 0; i < n; i++) {
        if (to[i] == PC_NONE)
          continue;
        const uint64_t *succ = v->in + (size_t)(to[i] - v->first) * v->words;
        for (uint32_t w = 0; w < v->words; w++)
          out[w] |= succ[w];
      }
      for (uint32_t w = 0; w < v->words; w++) {
        uint64_t x = gen[w] | (out[w] & ~kill[w]);
        if (x != in[w])
          in[w] = x, changed = true;
      }
    }
  }
  free(to);
}

static void extend(struct live *v, const uint64_t *set, uint32_t at) {
  for (uint32_t w = 0; w < v->words; w++)
    for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
      uint32_t r = v->of_global[w * 64 + (uint32_t)__builtin_ctzll(bits)];
      if (at < v->start[r])
        v->start[r] = at;
      if (v->end[r] == PTX_NONE || at > v->end[r])
        v->end[r] = at;
    }
}

struct interval {
  uint32_t reg, start, end;
};
static int by_start(const void *a, const void *b) {
  const struct interval *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->reg < y->reg ? -1 : x->reg > y->reg;
}

/* Linear scan of the registers of one kind (by register: kind[]); returns how many slots it took, index[reg] tells which. */
static uint32_t linear_scan(struct live *v, const uint8_t *kind, unsigned one, uint32_t *index) {
  struct interval *list = xmalloc((v->nv + 1) * sizeof *list);
  uint32_t n = 0, slots = 0, nfree = 0, nheap = 0;
  for (uint32_t r = 0; r < v->nv; r++)
    if (kind[r] == one && v->end[r] != PTX_NONE)
      list[n++] = (struct interval){r, v->start[r], v->end[r]};
  qsort(list, n, sizeof *list, by_start);
  uint32_t *freed = xmalloc((n + 1) * sizeof *freed);
  struct {
    uint32_t end, slot;
  } *heap = xmalloc((n + 1) * sizeof *heap), swap;
  for (uint32_t i = 0; i < n; i++) {
    while (nheap && heap[0].end < list[i].start) { /* expired: the root leaves */
      freed[nfree++] = heap[0].slot;
      heap[0] = heap[--nheap];
      for (uint32_t p = 0, c; (c = 2 * p + 1) < nheap; p = c) {
        if (c + 1 < nheap && heap[c + 1].end < heap[c].end)
          c++;
        if (heap[p].end <= heap[c].end)
          break;
        swap = heap[p], heap[p] = heap[c], heap[c] = swap;
      }
    }
    uint32_t slot = nfree ? freed[--nfree] : slots++;
    index[list[i].reg] = slot;
    heap[nheap].end = list[i].end;
    heap[nheap].slot = slot;
    for (uint32_t c = nheap++; c && heap[c].end < heap[(c - 1) / 2].end; c = (c - 1) / 2)
      swap = heap[c], heap[c] = heap[(c - 1) / 2], heap[(c - 1) / 2] = swap;
  }
  free(list), free(freed), free(heap);
  return slots;
}

/* Where virtual registers lie in the frame, in bytes. */
struct placing {
  uint32_t *offset;
};

static void place(struct live *v, struct placing *p) {
  static const unsigned widths[] = {16, 8, 4, 2, 0};
  struct func *f = v->l->f;
  uint32_t *index = xmalloc((v->nv + 1) * sizeof *index), at = 0;
  p->offset = xcalloc(v->nv + 1, sizeof *p->offset);
  f->registers = 0;
  for (unsigned w = 0; w < 5; w++) {
    uint32_t slots = linear_scan(v, v->l->vwidth, widths[w], index);
    uint32_t each = widths[w] ? 32 * widths[w] : 4;
    for (uint32_t r = 0; r < v->nv; r++)
      if (v->l->vwidth[r] == widths[w] && v->end[r] != PTX_NONE)
        p->offset[r] = at + index[r] * each;
    at += slots * each;
    f->registers += widths[w] >= 4 ? slots * widths[w] / 4 : widths[w] ? slots : 0;
  }
  f->frame_bytes = (at + 63) / 64 * 64;
  free(index);
}

/* The number in a register's name, modulo SLUICE_BANKS, or SLUICE_BANKS if it has none. */
static uint8_t name_number(const struct lower *l, uint32_t r) {
  if (r >= l->ast->nregs)
    return SLUICE_BANKS;
  const struct ptx_reg *g = &l->ast->regs[r];
  const char *digits = g->name + strcspn(g->name, "0123456789");
  if (!*digits && g->num < 0)
    return SLUICE_BANKS;
  unsigned long long n = *digits ? strtoull(digits, NULL, 10) : (unsigned long long)g->num;
  return (uint8_t)(n % SLUICE_BANKS);
}

/* Which registers of the stream virtual registers are: those that live at different times share one, if they are of one bank. */
static uint32_t *number_registers(struct live *v) {
  enum { ROUNDS = SLUICE_UNBANKED / SLUICE_BANKS };
  uint32_t *number = xcalloc(v->nv + 1, sizeof *number), *index = xmalloc((v->nv + 1) * sizeof *index);
  uint8_t *bank = xmalloc(v->nv + 1);
  uint64_t some[SLUICE_BANKS / 64 + 1] = {0};
  for (uint32_t r = 0; r < v->nv; r++) {
    bank[r] = name_number(v->l, r);
    some[bank[r] / 64] |= UINT64_C(1) << bank[r] % 64;
  }
  for (unsigned b = 0; b <= SLUICE_BANKS; b++) {
    if (!(some[b / 64] >> b % 64 & 1))
      continue;
    linear_scan(v, bank, b, index);
    for (uint32_t r = 0; r < v->nv; r++)
      if (bank[r] == b && v->end[r] != PTX_NONE)
        number[r] = b < SLUICE_BANKS ? b + index[r] % ROUNDS * SLUICE_BANKS : SLUICE_UNBANKED + index[r];
  }
  free(index), free(bank);
  return number;
}

struct describe {
  struct lower *l;
  const uint32_t *number;
  struct sluice_inst *inst;
};

static void note_register(void *ctx, slot_t *slot, enum uop_role role) {
  struct describe *d = ctx;
  uint32_t r = SLOT_OFFSET(*slot);
  if (SLOT_AREA(*slot) != SLOT_REG || (r >= d->l->ast->nregs && r != d->l->cc))
    return;
  struct sluice_inst *s = d->inst;
  uint16_t reg = (uint16_t)d->number[r], *list = role == UOP_USE ? s->src : s->dst;
  uint8_t *n = role == UOP_USE ? &s->nsrc : &s->ndst;
  d->l->f->named[reg % PTX_NAMES / 64] |= UINT64_C(1) << reg % 64;
  for (unsigned i = 0; i < *n; i++)
    if (list[i] == reg)
      return;
  if (*n < SLUICE_MAX_REGS)
    list[(*n)++] = reg;
}

struct rewrite {
  const uint32_t *offset;
  const slot_t *both, *done; /* the operand that is read and written is visited twice */
};

static void rewrite_slot(void *ctx, slot_t *s, enum uop_role role) {
  struct rewrite *w = ctx;
  (void)role;
  if (SLOT_AREA(*s) != SLOT_REG || s == w->done)
    return;
  *s = SLOT_MAKE(SLOT_REG, w->offset[SLOT_OFFSET(*s)]);
  if (w->both == s)
    w->done = s;
}

static struct live_slot *slots_of(struct live *v, const uint64_t *set, const uint32_t *offset, uint32_t *n) {
  *n = 0;
  for (uint32_t w = 0; w < v->words; w++)
    *n += (uint32_t)__builtin_popcountll(set[w]);
  struct live_slot *list = arena_alloc(&v->l->p->arena, (*n + 1) * sizeof *list);
  uint32_t k = 0;
  for (uint32_t w = 0; w < v->words; w++)
    for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
      uint32_t r = v->of_global[w * 64 + (uint32_t)__builtin_ctzll(bits)];
      list[k++] = (struct live_slot){SLOT_MAKE(SLOT_REG, offset[r]), v->l->vwidth[r]};
    }
  return list;
}

/* Registers of old-style `.reg` parameters hold values before the first instruction. */
static void keep_formals(struct live *v, slot_t *regs, uint32_t n, uint32_t at) {
  for (uint32_t i = 0; i < n; i++) {
    if (SLOT_AREA(regs[i]) != SLOT_REG)
      continue;
    uint32_t r = SLOT_OFFSET(regs[i]);
    v->start[r] = at;
    if (v->end[r] == PTX_NONE)
      v->end[r] = at;
  }
}

static void analyse(struct live *v, struct lower *l, uint32_t first) {
  *v = (struct live){.l = l, .first = first, .nblocks = (uint32_t)l->nblocks - first, .nv = (uint32_t)l->nv};
  size_t nv = v->nv + 1;
  v->stamp = xmalloc(nv * 4), v->global = xmalloc(nv * 4), v->start = xmalloc(nv * 4),
  v->end = xmalloc(nv * 4);
  memset(v->stamp, 0xff, nv * 4), memset(v->global, 0xff, nv * 4), memset(v->start, 0xff, nv * 4),
      memset(v->end, 0xff, nv * 4);
  scan(v, scan_exposed);
  v->words = (v->nglobal + 63) / 64;
  v->of_global = xmalloc((v->nglobal + 1) * sizeof *v->of_global);
  for (uint32_t r = 0; r < v->nv; r++)
    if (v->global[r] != PTX_NONE)
      v->of_global[v->global[r]] = r;
  size_t total = (size_t)v->nblocks * v->words + 1;
  v->gen = xcalloc(total, 8), v->kill = xcalloc(total, 8);
  scan(v, scan_sets);
  solve(v);
  for (uint32_t b = 0; b < v->nblocks; b++) {
    extend(v, v->in + (size_t)b * v->words, l->blocks[first + b].first * 2);
    extend(v, v->out + (size_t)b * v->words, l->blocks[first + b].end * 2);
  }
  keep_formals(v, l->f->param_reg, l->ast->nparams, l->blocks[first].first * 2);
  keep_formals(v, l->f->ret_reg, l->ast->nrets, l->blocks[first].first * 2);
}

static void forget(struct live *v, struct placing *p) {
  free(v->stamp), free(v->global), free(v->start), free(v->end), free(v->of_global);
  free(v->gen), free(v->kill), free(v->in), free(v->out), free(p->offset);
}

void slots_describe(struct lower *l, uint32_t first) {
  struct live v;
  struct placing p;
  analyse(&v, l, first);
  place(&v, &p);
  struct liveness known = {first, v.nblocks, v.words, v.in, v.global, v.of_global};
  uniform_mark(l, &known);
  contend_mark(l, &known);
  uint32_t *number = number_registers(&v);
  struct describe d = {.l = l, .number = number};
  for (uint32_t i = l->blocks[first].first; i < l->nuops; i++) {
    d.inst = &l->f->insts[l->uops[i].inst];
    uop_visit(&l->uops[i], note_register, &d);
  }
  free(number);
  unread_mark(l, &known);
  simplify(l, &known);
  forget(&v, &p);
}

void slots_assign(struct lower *l, uint32_t first) {
  struct func *f = l->f;
  struct live v;
  struct placing p;
  const uint32_t registers = f->registers;
  analyse(&v, l, first);
  place(&v, &p);
  f->registers = registers; /* the program's, not what is left of them */
  struct rewrite rw = {.offset = p.offset};
  for (uint32_t i = l->blocks[first].first; i < l->nuops; i++) {
    rw.both = &l->uops[i].e;
    rw.done = NULL;
    uop_visit(&l->uops[i], rewrite_slot, &rw);
  }
  rw.both = rw.done = NULL;
  f->zero = slots_of(&v, v.in, p.offset, &f->nzero);
  uint32_t nlive = 0;
  for (uint32_t b = 0; b < v.nblocks; b++) {
    struct block *k = &l->blocks[first + b];
    if (!(k->flags & BF_SPIN))
      continue;
    uint32_t n;
    struct live_slot *list = slots_of(&v, v.in + (size_t)b * v.words, p.offset, &n);
    f->live = xrealloc(f->live, (nlive + n + 1) * sizeof *f->live);
    memcpy(f->live + nlive, list, n * sizeof *list);
    k->live_first = nlive, k->live_n = n;
    nlive += n;
  }
  f->nlive = nlive;
  for (uint32_t i = 0; i < l->ast->nparams; i++)
    rewrite_slot(&rw, &f->param_reg[i], UOP_USE);
  for (uint32_t i = 0; i < l->ast->nrets; i++)
    rewrite_slot(&rw, &f->ret_reg[i], UOP_USE);
  forget(&v, &p);
}
