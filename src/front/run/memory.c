/* Loads, stores, asynchronous copies and prefetches of a warp. */
#include "front/run/attempt.h"
#include <string.h>

/* One element of one lane, memory to register lane: zero- or sign-extended to the register. */
static void widen_to(void *lane, unsigned width, const void *from, unsigned size, bool is_signed) {
  if (size == width) {
    memcpy(lane, from, size);
    return;
  }
  uint64_t v = 0;
  memcpy(&v, from, size);
  if (is_signed)
    v = (uint64_t)((int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size));
  memset(lane, 0, width);
  memcpy(lane, &v, width < 8 ? width : 8);
}

static void *lane_of(const struct site *s, slot_t reg, unsigned width, unsigned lane) {
  return (uint8_t *)site_at(s, reg, lane >> 5) + (size_t)(lane & 31) * width;
}

static bool is_signed(const struct uop_ext *m) {
  return m->type >= PTX_S8 && m->type <= PTX_S64;
}

static void load_lane(const struct site *s, const struct uop_ext *m, unsigned lane, const uint8_t *from) {
  for (unsigned e = 0; e < m->vec; e++)
    if (m->regs[e] != SLOT_NONE)
      widen_to(lane_of(s, m->regs[e], m->width[e], lane), m->width[e], from + e * m->size, m->size,
               is_signed(m));
}

static void store_lane(const struct site *s, const struct uop_ext *m, unsigned lane, uint8_t *to) {
  for (unsigned e = 0; e < m->vec; e++)
    memcpy(to + e * m->size, lane_of(s, m->regs[e], m->width[e], lane), m->size);
}

static void zero_lanes(const struct site *s, const struct uop_ext *m, uint64_t mask) {
  static const uint8_t zeros[32];
  for (; mask; mask &= mask - 1)
    load_lane(s, m, (unsigned)__builtin_ctzll(mask), zeros);
}

/* Host memory of a device address: base is the difference of the two, and may be any number. */
#define HOST(base, at) ((uint8_t *)((base) + (uintptr_t)(at)))

#define LOAD_LOOP(T, D)                                                                                      \
  do {                                                                                                       \
    D *d = to;                                                                                               \
    for (uint32_t m = mask; m; m &= m - 1) {                                                                 \
      unsigned i = (unsigned)__builtin_ctz(m);                                                               \
      T v;                                                                                                   \
      memcpy(&v, HOST(base, addr[i]), sizeof v);                                                             \
      d[i] = (D)v;                                                                                           \
    }                                                                                                        \
  } while (0)

/* 32 lanes of one element; base + addr[i] is host memory. */
static void load_element(const struct lane_fns *fns, void *to, unsigned width, unsigned size, bool sign,
                         uintptr_t base, const uint64_t *addr, uint32_t mask) {
  if (size == 4 && width == 4) {
    if (mask == UINT32_MAX) {
      fns->gather32(to, base, addr);
      return;
    }
    LOAD_LOOP(uint32_t, uint32_t);
  } else if (size == 8) {
    LOAD_LOOP(uint64_t, uint64_t);
  } else if (size == 1 && width == 2) {
    if (sign)
      LOAD_LOOP(int8_t, int16_t);
    else
      LOAD_LOOP(uint8_t, uint16_t);
  } else if (size == 1 && width == 4) {
    if (sign)
      LOAD_LOOP(int8_t, int32_t);
    else
      LOAD_LOOP(uint8_t, uint32_t);
  } else if (size == 2 && width == 2) {
    LOAD_LOOP(uint16_t, uint16_t);
  } else {
    for (uint32_t m = mask; m; m &= m - 1) {
      unsigned i = (unsigned)__builtin_ctz(m);
      widen_to((uint8_t *)to + (size_t)i * width, width, HOST(base, addr[i]), size, sign);
    }
  }
}

/* All active lanes lie in one piece of host memory: base + address. */
static void load_all(const struct site *s, const struct uop_ext *m, const struct access *a, uintptr_t base) {
  const struct exec *x = s->x;
  bool sign = is_signed(m);
  for (unsigned e = 0; e < m->vec; e++) {
    if (m->regs[e] == SLOT_NONE)
      continue;
    for (unsigned h = 0; h < x->halves; h++) {
      uint32_t mask = (uint32_t)(a->mask >> 32 * h);
      if (!mask)
        continue;
      void *to = site_at(s, m->regs[e], h);
      uintptr_t from = base + e * m->size;
      if (a->scan.affine && m->size == m->width[e]) {
        uint64_t first = a->scan.base + (uint64_t)a->scan.stride * 32 * h;
        if (a->scan.stride == m->size && mask == UINT32_MAX) {
          memcpy(to, HOST(from, first), 32u * m->size);
          continue;
        }
        if (a->scan.stride == 0 && m->size == 4) {
          uint32_t v;
          memcpy(&v, HOST(from, first), 4);
          x->lanes->blend32(to, v, mask);
          continue;
        }
      }
      load_element(x->lanes, to, m->width[e], m->size, sign, from, a->addr + 32 * h, mask);
    }
  }
}

static void store_all(const struct site *s, const struct uop_ext *m, const struct access *a, uintptr_t base) {
  const struct exec *x = s->x;
  for (unsigned h = 0; h < x->halves; h++) {
    uint32_t mask = (uint32_t)(a->mask >> 32 * h);
    if (!mask)
      continue;
    const uint64_t *addr = a->addr + 32 * h;
    if (m->vec == 1 && m->size == m->width[0] && m->size <= 8) {
      const void *from = site_at(s, m->regs[0], h);
      if (mask == UINT32_MAX && a->scan.affine && a->scan.stride == m->size) {
        memcpy(HOST(base, addr[0]), from, 32u * m->size);
      } else if (m->size == 4) {
        for (uint32_t k = mask; k; k &= k - 1)
          memcpy(HOST(base, addr[__builtin_ctz(k)]), (const uint32_t *)from + __builtin_ctz(k), 4);
      } else if (m->size == 8) {
        for (uint32_t k = mask; k; k &= k - 1)
          memcpy(HOST(base, addr[__builtin_ctz(k)]), (const uint64_t *)from + __builtin_ctz(k), 8);
      } else {
        for (uint32_t k = mask; k; k &= k - 1)
          memcpy(HOST(base, addr[__builtin_ctz(k)]), (const uint16_t *)from + __builtin_ctz(k), 2);
      }
      continue;
    }
    for (uint32_t k = mask; k; k &= k - 1)
      store_lane(s, m, 32 * h + (unsigned)__builtin_ctz(k), HOST(base, addr[__builtin_ctz(k)]));
  }
}

/* While nothing else moves, a store counts as progress only if it changes something. */
static void note_store(struct exec *x, const struct site *s, const struct uop_ext *m, unsigned lane,
                       const uint8_t *to) {
  uint8_t value[64];
  store_lane(s, m, lane, value);
  if (memcmp(value, to, (size_t)m->size * m->vec))
    x->progress++;
}

/* A store of an attempt, lane by lane, or all at once if they follow each other. */
static void attempt_store(struct site *s, const struct uop *u, const struct access *a) {
  const struct uop_ext *m = u->x;
  unsigned bytes = (unsigned)m->size * m->vec;
  uint8_t value[64];
  for (uint64_t k = a->mask; k && !s->x->failed; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k);
    const struct hint *h = &s->x->hints[m->id];
    bool known = a->addr[lane] - h->buf.begin < h->buf.size &&
                 bytes <= h->buf.size - (a->addr[lane] - h->buf.begin) && !(a->addr[lane] & (bytes - 1)) &&
                 !h->read_only;
    uint8_t *host = known ? h->buf.host + (a->addr[lane] - h->buf.begin)
                          : access_host(s, u, lane, a->addr[lane], bytes, true);
    if (!host)
      return;
    if (lane == 0 && a->mask == UINT32_MAX && a->scan.affine && a->scan.stride == m->size && m->vec == 1 &&
        m->size == m->width[0] && known && 32 * bytes <= h->buf.size - (a->addr[0] - h->buf.begin)) {
      attempt_stores(s->x, host, site_at(s, m->regs[0], 0), 32 * (size_t)bytes);
      return;
    }
    store_lane(s, m, lane, value);
    attempt_stores(s->x, host, value, bytes);
  }
}

static void one_by_one(struct site *s, const struct uop *u, const struct access *a, bool write) {
  const struct uop_ext *m = u->x;
  unsigned bytes = (unsigned)m->size * m->vec;
  for (uint64_t k = a->mask; k && !s->x->failed; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k);
    uint8_t *host = access_host(s, u, lane, a->addr[lane], bytes, write);
    if (!host) {
      if (!write)
        zero_lanes(s, m, UINT64_C(1) << lane);
    } else if (write) {
      if (s->x->watch_stores)
        note_store(s->x, s, m, lane, host);
      store_lane(s, m, lane, host);
    } else {
      load_lane(s, m, lane, host);
    }
  }
}

static void global_access(struct site *s, const struct uop *u, const struct access *a, bool write) {
  struct exec *x = s->x;
  const struct uop_ext *m = u->x;
  if (SELDOM(x->attempt && write)) {
    attempt_store(s, u, a);
    return;
  }
  unsigned bytes = (unsigned)m->size * m->vec;
  const struct hint *h = &x->hints[m->id];
  bool fits = a->scan.lo >= h->buf.begin && a->scan.hi - h->buf.begin + bytes <= h->buf.size &&
              a->scan.hi >= h->buf.begin && h->buf.size >= bytes && !(a->scan.ors & (bytes - 1)) &&
              !(write && (h->read_only || x->watch_stores));
  if (!fits) {
    one_by_one(s, u, a, write);
    return;
  }
  uintptr_t base = (uintptr_t)h->buf.host - (uintptr_t)h->buf.begin;
  if (write) {
    store_all(s, m, a, base);
  } else {
    load_all(s, m, a, base);
  }
}

static void shared_access(struct site *s, const struct uop *u, const struct access *a, bool write) {
  struct exec *x = s->x;
  const struct uop_ext *m = u->x;
  unsigned bytes = (unsigned)m->size * m->vec;
  if (x->shared_bytes >= bytes && a->scan.hi <= x->shared_bytes - bytes && !(a->scan.ors & (bytes - 1)) &&
      !(write && x->watch_stores)) {
    if (write) {
      store_all(s, m, a, (uintptr_t)s->cta->shared);
    } else {
      load_all(s, m, a, (uintptr_t)s->cta->shared);
    }
    return;
  }
  for (uint64_t k = a->mask; k && !x->failed; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k);
    uint64_t at = a->addr[lane];
    if (at & (bytes - 1) || x->shared_bytes < bytes || at > x->shared_bytes - bytes) {
      fault(s, u, lane, at & (bytes - 1) ? FAULT_ALIGN : FAULT_SHARED, at, bytes, NULL);
      if (!write)
        zero_lanes(s, m, UINT64_C(1) << lane);
    } else if (write) {
      if (x->watch_stores)
        note_store(x, s, m, lane, s->cta->shared + at);
      store_lane(s, m, lane, s->cta->shared + at);
    } else {
      load_lane(s, m, lane, s->cta->shared + at);
    }
  }
}

static void local_access(struct site *s, const struct uop *u, const struct access *a, bool write) {
  struct exec *x = s->x;
  const struct uop_ext *m = u->x;
  unsigned bytes = (unsigned)m->size * m->vec;
  /* the whole stack below the current frame's end is addressable: pointers to callers' variables are legal */
  uint64_t end = s->frame->local_at + (uint64_t)s->func->local_bytes;
  /* arguments of variadic functions are packed without padding */
  unsigned align = m->space == PTX_PARAM ? 0 : bytes - 1;
  bool bad = a->scan.ors & (bytes - 1) || end < bytes || a->scan.hi > end - bytes;
  if (!bad && m->size == 4 && m->width[0] == 4 && a->scan.affine &&
      a->scan.stride == 0) { /* the same word of every lane */
    for (unsigned e = 0; e < m->vec; e++) {
      if (m->regs[e] == SLOT_NONE)
        continue;
      for (unsigned h = 0; h < x->halves; h++) {
        uint32_t mask = (uint32_t)(a->mask >> 32 * h),
                 *row = (uint32_t *)(void *)local_word(x, s->w, a->scan.base + 4u * e, 32 * h);
        uint32_t *reg = site_at(s, m->regs[e], h);
        if (!write) {
          for (unsigned i = 0; i < 32; i++)
            reg[i] = mask >> i & 1 ? row[i] : reg[i];
        } else {
          for (unsigned i = 0; i < 32; i++)
            row[i] = mask >> i & 1 ? reg[i] : row[i];
        }
      }
    }
    return;
  }
  for (uint64_t k = a->mask; k && !x->failed; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k);
    uint64_t at = a->addr[lane];
    uint8_t value[64];
    if (at & align || end < bytes || at > end - bytes) {
      fault(s, u, lane, at & align ? FAULT_ALIGN : FAULT_LOCAL, at, bytes, NULL);
      if (!write)
        zero_lanes(s, m, UINT64_C(1) << lane);
    } else if (write) {
      store_lane(s, m, lane, value);
      local_write(x, s->w, at, lane, value, bytes);
    } else {
      local_read(x, s->w, at, lane, value, bytes);
      load_lane(s, m, lane, value);
    }
  }
}

static void param_access(struct site *s, const struct uop *u, const struct access *a) {
  const struct uop_ext *m = u->x;
  unsigned bytes = (unsigned)m->size * m->vec;
  uint32_t limit = s->x->kernel->info.param_bytes;
  for (uint64_t k = a->mask; k && !s->x->failed; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k);
    uint64_t at = a->addr[lane];
    if (limit < bytes || at > limit - bytes) {
      fault(s, u, lane, FAULT_PARAM, at, bytes, NULL);
      zero_lanes(s, m, UINT64_C(1) << lane);
    } else {
      load_lane(s, m, lane, s->x->params + at);
    }
  }
}

/* A generic access, one space at a time: *rest loses the lanes handled. */
static enum ptx_space take_space(struct site *s, const struct uop *u, struct access *all, struct access *part,
                                 uint64_t *rest) {
  unsigned first = (unsigned)__builtin_ctzll(*rest);
  uint64_t window = all->addr[first] >> WINDOW_SHIFT;
  *part = *all;
  part->mask = 0;
  for (uint64_t k = *rest; k; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k);
    if (all->addr[lane] >> WINDOW_SHIFT == window)
      part->mask |= UINT64_C(1) << lane;
  }
  *rest &= ~part->mask;
  if (window != 1 && window != 2 && window != 3) {
    access_scan(s->x, part);
    return PTX_GLOBAL;
  }
  uint64_t keep = part->mask;
  for (uint64_t k = part->mask; k; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k);
    uint64_t at = part->addr[lane] & ((UINT64_C(1) << WINDOW_SHIFT) - 1);
    if (window == 1) {
      if (at >> SHARED_CTA_SHIFT != s->cta->linear) {
        fault(s, u, lane, FAULT_OTHER_CTA, part->addr[lane], 0, NULL);
        keep &= ~(UINT64_C(1) << lane);
      }
      at &= (UINT64_C(1) << SHARED_CTA_SHIFT) - 1;
    }
    part->addr[lane] = at;
  }
  part->mask = keep;
  if (keep)
    access_scan(s->x, part);
  return window == 1 ? PTX_SHARED : window == 2 ? PTX_LOCAL : PTX_PARAM;
}

/* Scattered lanes miss the host's caches: ask for them all while the stream is written. */
static void prefetch_lanes(const struct exec *x, const struct uop *u, const struct access *a) {
  const struct hint *h = &x->hints[u->x->id];
  if (a->scan.lo < h->buf.begin || a->scan.hi - h->buf.begin >= h->buf.size)
    return;
  for (uint64_t k = a->mask; k; k &= k - 1)
    __builtin_prefetch(h->buf.host + (a->addr[__builtin_ctzll(k)] - h->buf.begin));
}

/* Inactive lanes make a part of their own, of their last accesses. */
static void emit_with_left(struct exec *x, const struct uop *u, struct warp *w, const struct access *a,
                           enum sluice_space space, bool more, bool own_mask) {
  struct access left = {.mask = 0};
  if (x->o.lanes == LANES_ALL && space == SLUICE_SP_GLOBAL && !more && !own_mask)
    lanes_left(w, a, &left);
  emit_global(x, u, a, space, more || left.mask, own_mask || left.mask);
  if (!left.mask)
    return;
  access_scan(x, &left);
  emit_global(x, u, &left, space, false, true);
}

static void access_space(struct site *s, const struct uop *u, struct access *a, enum ptx_space space,
                         bool write, bool item, bool more, bool own_mask) {
  unsigned bytes = (unsigned)u->x->size * u->x->vec;
  switch (space) {
  case PTX_SHARED:
    if (item && s->w->last)
      emit_shared_as(s->x, u, s->w, a, write, u->x->size, u->x->vec, more, own_mask);
    else if (item)
      emit_shared(s->x, u, a, bytes, more, own_mask);
    shared_access(s, u, a, write);
    break;
  case PTX_LOCAL:
    if (item)
      emit_local(s->x, u, a, bytes, more, own_mask);
    local_access(s, u, a, write);
    break;
  case PTX_PARAM:
    if (item)
      emit_global(s->x, u, a, SLUICE_SP_PARAM, more, own_mask);
    if (!write)
      param_access(s, u, a);
    else
      fault(s, u, (unsigned)__builtin_ctzll(a->mask), FAULT_READONLY, a->addr[__builtin_ctzll(a->mask)],
            bytes, NULL);
    break;
  default:
    if (!a->scan.affine && a->scan.hi - a->scan.lo > 4096)
      prefetch_lanes(s->x, u, a);
    if (item && s->w->last)
      emit_with_left(s->x, u, s->w, a, space == PTX_CONST ? SLUICE_SP_CONST : SLUICE_SP_GLOBAL, more,
                     own_mask);
    else if (item)
      emit_global(s->x, u, a, space == PTX_CONST ? SLUICE_SP_CONST : SLUICE_SP_GLOBAL, more, own_mask);
    global_access(s, u, a, write);
    break;
  }
}

static void run_access(struct site *s, const struct uop *u, uint64_t mask, bool write) {
  const struct uop_ext *m = u->x;
  struct access a;
  access_of(s, u, mask, &a);
  if (m->space == PTX_PARAM && m->frame) { /* arguments of a call: no memory access of the program's */
    local_access(s, u, &a, write);
    return;
  }
  if (m->space != PTX_GENERIC) {
    access_space(s, u, &a, m->space, write, m->space != PTX_PARAM, false, false);
    return;
  }
  if (!((a.scan.lo | a.scan.hi) >> WINDOW_SHIFT)) { /* the usual case: all global */
    access_space(s, u, &a, PTX_GLOBAL, write, true, false, false);
    return;
  }
  bool several = false;
  for (uint64_t rest = mask; rest && !s->x->failed;) {
    struct access part;
    enum ptx_space space = take_space(s, u, &a, &part, &rest);
    several |= rest != 0;
    if (!part.mask) { /* every lane of it was refused: an empty part keeps the stream well formed */
      part.mask = 0;
      emit_access(s->x, u, SLUICE_SHARED | SLUICE_SP_SHARED << 2 | SLUICE_ACCESS_MORE, 0);
      emit_mask(s->x, 0);
      several = true;
      if (!rest) {
        emit_access(s->x, u, SLUICE_SHARED | SLUICE_SP_SHARED << 2, 0);
        emit_mask(s->x, 0);
      }
      continue;
    }
    access_space(s, u, &part, space, write, true, rest != 0, several);
  }
}

void run_load(struct site *s, const struct uop *u, uint64_t mask) {
  run_access(s, u, mask, false);
}
void run_store(struct site *s, const struct uop *u, uint64_t mask) {
  run_access(s, u, mask, true);
}

/* cp.async completes at once: a program may not look at the destination before it waited anyway. */
void run_copy_async(struct site *s, const struct uop *u, uint64_t mask) {
  struct exec *x = s->x;
  const struct uop_ext *m = u->x;
  struct access from, to;
  access_addresses(s, u->a, m->addr64 & 1, (uint64_t)m->imm, mask, &from);
  access_addresses(s, u->b, m->addr64 >> 1, (uint64_t)m->imm2, mask, &to);
  emit_global(x, u, &from, SLUICE_SP_GLOBAL, false, false);
  emit_shared(x, u, &to, m->size, false, false);
  for (uint64_t k = mask; k && !x->failed; k &= k - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(k), n = m->size;
    if (u->c != SLOT_NONE && u->aux)
      n = site_pred(s, u->c) >> lane & 1 ? 0 : n;
    else if (u->c != SLOT_NONE)
      n = site_u32(s, u->c, lane) < n ? site_u32(s, u->c, lane) : n;
    uint8_t value[16] = {0};
    if (n) {
      const uint8_t *host = access_host(s, u, lane, from.addr[lane], m->size, false);
      if (host)
        memcpy(value, host, n);
    }
    uint64_t at = to.addr[lane];
    if (at & (m->size - 1u) || x->shared_bytes < m->size || at > x->shared_bytes - m->size) {
      fault(s, u, lane, at & (m->size - 1u) ? FAULT_ALIGN : FAULT_SHARED, at, m->size, NULL);
    } else {
      memcpy(s->cta->shared + at, value, m->size);
    }
  }
}

void run_prefetch(struct site *s, const struct uop *u, uint64_t mask) {
  struct access a;
  access_addresses(s, u->a, u->x->addr64, (uint64_t)u->x->imm, mask, &a);
  emit_global(s->x, u, &a, SLUICE_SP_GLOBAL, false, false); /* a bad address does nothing */
}
