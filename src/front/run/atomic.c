/* atom and red: lanes in ascending order, each a read, an operation and a write. */
#include "front/run/attempt.h"
#include <string.h>

typedef union {
  uint8_t b[16];
  uint16_t u16;
  uint32_t u32;
  int32_t s32;
  uint64_t u64;
  int64_t s64;
  float f32;
  double f64;
} word;

/* Two-operand arithmetic on packed halves uses the same rows as the instructions add, min and max. */
static void by_row(const char *row, word *r, const word *a, const word *b, unsigned width) {
  struct ptx_op_match m;
  _Alignas(64) uint8_t d[32 * 8], x[32 * 8], y[32 * 8];
  if (!ptx_op_resolve(row, &m))
    panic("no row '%s' in the operation table", row);
  memset(x, 0, sizeof x), memset(y, 0, sizeof y), memset(d, 0, sizeof d);
  memcpy(x, a->b, width), memcpy(y, b->b, width);
  m.op->fn(d, x, y, NULL, NULL, 1);
  memcpy(r->b, d, width);
}

static const char *half_row(enum atom_op op, enum ptx_type t) {
  static const char *const rows[3][4] = {{"add.f16", "add.f16x2", "add.bf16", "add.bf16x2"},
                                         {"min.f16", "min.f16x2", "min.bf16", "min.bf16x2"},
                                         {"max.f16", "max.f16x2", "max.bf16", "max.bf16x2"}};
  unsigned k = t == PTX_F16 ? 0 : t == PTX_F16X2 ? 1 : t == PTX_BF16 ? 2 : 3;
  return rows[op == ATOM_ADD ? 0 : op == ATOM_MIN ? 1 : 2][k];
}

static void combine_logic(enum atom_op op, word *r, const word *old, const word *b) {
  r->u64 = op == ATOM_AND ? old->u64 & b->u64 : op == ATOM_OR ? old->u64 | b->u64 : old->u64 ^ b->u64;
}

static void combine_minmax(enum atom_op op, enum ptx_type t, word *r, const word *old, const word *b) {
  bool less = t == PTX_S32   ? b->s32 < old->s32
              : t == PTX_U32 ? b->u32 < old->u32
              : t == PTX_S64 ? b->s64 < old->s64
                             : b->u64 < old->u64;
  bool more = t == PTX_S32   ? b->s32 > old->s32
              : t == PTX_U32 ? b->u32 > old->u32
              : t == PTX_S64 ? b->s64 > old->s64
                             : b->u64 > old->u64;
  if (op == ATOM_MIN ? less : more)
    *r = *b;
}

static void combine(enum atom_op op, enum ptx_type t, unsigned size, word *r, const word *old, const word *b,
                    const word *c) {
  *r = *old;
  switch (op) {
  case ATOM_EXCH:
    *r = *b;
    return;
  case ATOM_CAS:
    if (!memcmp(old->b, b->b, size))
      *r = *c;
    return;
  case ATOM_INC:
    r->u32 = old->u32 >= b->u32 ? 0 : old->u32 + 1;
    return;
  case ATOM_DEC:
    r->u32 = old->u32 == 0 || old->u32 > b->u32 ? b->u32 : old->u32 - 1;
    return;
  case ATOM_MBARRIER:
    r->u64 = mbarrier_next(old->u64, b->u64);
    return;
  case ATOM_AND:
  case ATOM_OR:
  case ATOM_XOR:
    combine_logic(op, r, old, b);
    return;
  default:
    break;
  }
  if (t == PTX_F16 || t == PTX_F16X2 || t == PTX_BF16 || t == PTX_BF16X2) {
    by_row(half_row(op, t), r, old, b, size);
  } else if (op != ATOM_ADD) {
    combine_minmax(op, t, r, old, b);
  } else if (t == PTX_F32) {
    by_row("add.f32", r, old, b, 4);
  } else if (t == PTX_F64) {
    by_row("add.f64", r, old, b, 8);
  } else if (size == 4) {
    r->u32 = old->u32 + b->u32;
  } else {
    r->u64 = old->u64 + b->u64;
  }
}

static void combine_add_f32(word *r, const word *old, const word *b) {
  r->f32 = old->f32 + b->f32;
  if (r->f32 != r->f32)
    r->u32 = 0x7fffffff;
}

static const void *reg_lane(const struct site *s, slot_t reg, unsigned width, unsigned lane) {
  return (const uint8_t *)site_at(s, reg, lane >> 5) +
         (SLOT_AREA(reg) == SLOT_NOTHING ? 0 : (size_t)(lane & 31) * width);
}

/* One lane: `at` is host memory. True: it changed. */
static bool atomic_lane(struct site *s, const struct uop *u, unsigned lane, uint8_t *at) {
  const struct uop_ext *m = u->x;
  bool changed = false;
  for (unsigned e = 0; e < m->vec; e++) {
    word old = {{0}}, b = {{0}}, c = {{0}}, r;
    memcpy(old.b, at + e * m->size, m->size);
    memcpy(b.b, reg_lane(s, m->regs[e], m->width[e], lane), m->size);
    if (u->c != SLOT_NONE)
      memcpy(c.b, reg_lane(s, u->c, m->width[e], lane), m->size);
    if (m->op == ATOM_ADD && m->type == PTX_F32) {
      combine_add_f32(&r, &old, &b);
    } else {
      combine(m->op, m->type, m->size, &r, &old, &b, &c);
    }
    if (memcmp(r.b, old.b, m->size)) {
      s->x->progress++;
      changed = true;
      memcpy(at + e * m->size, r.b, m->size);
    }
    slot_t d = m->regs[ATOM_RESULT + e];
    if (d != SLOT_NONE)
      memcpy((uint8_t *)site_at(s, d, lane >> 5) + (size_t)(lane & 31) * m->width[e], old.b,
             m->width[e] < 16 ? m->width[e] : 16);
  }
  return changed;
}

/* Whether every word that a lane names was changed by one of those in `by`. */
static bool all_taken(const struct access *a, uint64_t by) {
  for (uint64_t k = a->mask & ~by; k; k &= k - 1) {
    uint64_t j = by;
    while (j && a->addr[__builtin_ctzll(j)] != a->addr[__builtin_ctzll(k)])
      j &= j - 1;
    if (!j)
      return false;
  }
  return by;
}

static uint8_t *lane_memory(struct site *s, const struct uop *u, unsigned lane, uint64_t addr,
                            enum ptx_space space) {
  struct exec *x = s->x;
  unsigned bytes = (unsigned)u->x->size * u->x->vec;
  if (space == PTX_GENERIC && addr >> WINDOW_SHIFT == 1) {
    uint64_t at = addr & ((UINT64_C(1) << WINDOW_SHIFT) - 1);
    if (at >> SHARED_CTA_SHIFT != s->cta->linear) {
      fault(s, u, lane, FAULT_OTHER_CTA, addr, bytes, NULL);
      return NULL;
    }
    addr = at & ((UINT64_C(1) << SHARED_CTA_SHIFT) - 1);
    space = PTX_SHARED;
  }
  if (space != PTX_SHARED) {
    if (x->attempt) {
      attempt_ends(x);
      return NULL;
    }
    const struct hint *h = &x->hints[u->x->id];
    if (addr >= h->buf.begin && addr - h->buf.begin + bytes <= h->buf.size && !(addr & (bytes - 1)) &&
        !h->read_only)
      return h->buf.host + (addr - h->buf.begin);
    return access_host(s, u, lane, addr, bytes, true);
  }
  if (addr & (bytes - 1) || x->shared_bytes < bytes || addr > x->shared_bytes - bytes) {
    fault(s, u, lane, addr & (bytes - 1) ? FAULT_ALIGN : FAULT_SHARED, addr, bytes, NULL);
    return NULL;
  }
  return s->cta->shared + addr;
}

/* Local memory is private to a thread: an atomic there is an ordinary read and write. */
static void atomic_local(struct site *s, const struct uop *u, unsigned lane, uint64_t at) {
  unsigned bytes = (unsigned)u->x->size * u->x->vec;
  uint64_t end = s->frame->local_at + (uint64_t)s->func->local_bytes;
  uint8_t value[64];
  if (at & (bytes - 1) || end < bytes || at > end - bytes) {
    fault(s, u, lane, at & (bytes - 1) ? FAULT_ALIGN : FAULT_LOCAL, at, bytes, NULL);
    return;
  }
  local_read(s->x, s->w, at, lane, value, bytes);
  atomic_lane(s, u, lane, value);
  local_write(s->x, s->w, at, lane, value, bytes);
}

void run_atomic(struct site *s, const struct uop *u, uint64_t mask) {
  struct exec *x = s->x;
  const struct uop_ext *m = u->x;
  unsigned bytes = (unsigned)m->size * m->vec;
  struct access a;
  access_addresses(s, u->a, m->addr64, (uint64_t)m->imm + (m->frame ? s->frame->local_at : 0), mask, &a);
  bool shared = m->space == PTX_SHARED;
  if (m->space ==
      PTX_GENERIC) { /* described by where the first lane points; mixed atomics do not occur in practice */
    uint64_t window = a.addr[__builtin_ctzll(mask)] >> WINDOW_SHIFT;
    shared = window == 1;
    if (shared) {
      struct access flat = a;
      for (unsigned i = 0; i < x->nlanes; i++)
        flat.addr[i] &= (UINT64_C(1) << SHARED_CTA_SHIFT) - 1;
      access_scan(x, &flat);
      if (s->w->last)
        emit_shared_as(x, u, s->w, &flat, true, m->size, m->vec, false, false);
      else
        emit_shared(x, u, &flat, bytes, false, false);
    }
  } else if (shared) {
    if (s->w->last)
      emit_shared_as(x, u, s->w, &a, true, m->size, m->vec, false, false);
    else
      emit_shared(x, u, &a, bytes, false, false);
  }
  size_t item = x->nout;
  if (!shared)
    emit_global(x, u, &a, SLUICE_SP_GLOBAL, false, false);
  uint64_t changed = 0;
  for (uint64_t k = mask; k && !x->failed; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k);
    uint64_t at = a.addr[lane];
    if (m->space == PTX_LOCAL || (m->space == PTX_GENERIC && at >> WINDOW_SHIFT == 2)) {
      atomic_local(s, u, lane, at & ((UINT64_C(1) << WINDOW_SHIFT) - 1));
      continue;
    }
    uint8_t *host = lane_memory(s, u, lane, at, m->space);
    if (host && atomic_lane(s, u, lane, host))
      changed |= UINT64_C(1) << lane;
  }
  if (m->op == ATOM_CAS && !shared && !(x->contended && s->block->flags & BF_CONTENDED) &&
      all_taken(&a, changed))
    x->out[item] |= SLUICE_ACCESS_TAKEN;
}
