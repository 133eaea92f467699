/* Pieces of a memory access: lane addresses, what they look like to the memory system, and the
 * host memory behind them. */
#include "base/bits.h"
#include "front/run/attempt.h"
#include <stdlib.h>
#include <string.h>

void access_addresses(struct site *s, slot_t base, bool wide, uint64_t imm, uint64_t mask, struct access *a) {
  const struct exec *x = s->x;
  a->mask = mask;
  for (unsigned h = 0; h < x->halves; h++) {
    if (base == SLOT_NONE) {
      for (unsigned i = 0; i < 32; i++)
        a->addr[32 * h + i] = imm;
    } else if (wide) {
      x->lanes->address64(a->addr + 32 * h, site_at(s, base, h), imm);
    } else {
      x->lanes->address32(a->addr + 32 * h, site_at(s, base, h), imm);
    }
  }
  access_scan(x, a);
}

void access_of(struct site *s, const struct uop *u, uint64_t mask, struct access *a) {
  const struct uop_ext *m = u->x;
  uint64_t imm = access_start(s, u);
  if (!m->index) {
    access_addresses(s, u->a, m->addr64, imm, mask, a);
    return;
  }
  a->mask = mask;
  for (unsigned h = 0; h < s->x->halves; h++)
    s->x->lanes->address_index(a->addr + 32 * h, site_at(s, u->a, h), m->index == INDEX_LOW ? 2 : 1, imm);
  access_scan(s->x, a);
}

void access_scan(const struct exec *x, struct access *a) {
  uint32_t low = (uint32_t)a->mask, high = (uint32_t)(a->mask >> 32);
  struct lane_scan *r = &a->scan;
  if (low)
    x->lanes->scan(a->addr, low, r);
  if (!high)
    return;
  struct lane_scan t;
  x->lanes->scan(a->addr + 32, high, &t);
  t.base -= (uint64_t)t.stride * 32;
  if (!low) {
    *r = t;
    return;
  }
  /* a half with a single lane fits any stride */
  bool one = !(high & (high - 1)), first_one = !(low & (low - 1));
  if (r->affine && t.affine && first_one && !one) {
    unsigned lane = (unsigned)__builtin_ctz(low);
    if (t.base + (uint64_t)t.stride * lane == a->addr[lane])
      r->base = t.base, r->stride = t.stride;
  }
  unsigned lane = 32u + (unsigned)__builtin_ctz(high);
  bool agrees = r->base + (uint64_t)r->stride * lane == a->addr[lane] && (one || t.stride == r->stride);
  r->affine = r->affine && t.affine && agrees;
  r->lo = t.lo < r->lo ? t.lo : r->lo;
  r->hi = t.hi > r->hi ? t.hi : r->hi;
  r->ors |= t.ors;
}

/* Distinct aligned blocks of 2^shift bytes that the lanes touch (an access never straddles one:
 * it is aligned to its size). */
static unsigned distinct_blocks(const struct exec *x, const struct access *a, unsigned shift) {
  uint64_t lowest = a->scan.lo >> shift;
  if ((a->scan.hi >> shift) - lowest < 64) {
    uint64_t seen = x->lanes->blocks(a->addr, (uint32_t)a->mask, shift, lowest);
    if (a->mask >> 32)
      seen |= x->lanes->blocks(a->addr + 32, (uint32_t)(a->mask >> 32), shift, lowest);
    return count_bits(seen);
  }
  uint64_t table[128];
  unsigned n = 0;
  memset(table, 0xff, sizeof table);
  for (uint64_t m = a->mask; m; m &= m - 1) {
    uint64_t b = a->addr[__builtin_ctzll(m)] >> shift;
    unsigned h = (unsigned)((b * UINT64_C(0x9e3779b97f4a7c15)) >> 57);
    while (table[h] != UINT64_MAX && table[h] != b)
      h = (h + 1) & 127;
    n += table[h] != b;
    table[h] = b;
  }
  return n;
}

static unsigned count_blocks(const struct exec *x, const struct access *a, unsigned shift) {
  uint64_t all = x->halves > 1 ? UINT64_MAX : UINT32_MAX;
  if (a->scan.affine && a->mask == all) {
    int64_t step = a->scan.stride < 0 ? -a->scan.stride : a->scan.stride, block = INT64_C(1) << shift;
    if (step <= block)
      return (unsigned)((a->scan.hi >> shift) - (a->scan.lo >> shift)) + 1;
    return x->nlanes;
  }
  if (a->scan.lo >> shift == a->scan.hi >> shift)
    return 1;
  return distinct_blocks(x, a, shift);
}

static uint32_t clamp8(unsigned v) {
  return v > 255 ? 255 : v;
}

static void emit_addresses(struct exec *x, const struct uop *u, const struct access *a,
                           enum sluice_space space, unsigned lines, unsigned sectors, bool more,
                           bool own_mask) {
  uint32_t head =
      (uint32_t)space << 2 | (more ? SLUICE_ACCESS_MORE : 0) | clamp8(lines) << 6 | clamp8(sectors) << 14;
  int64_t stride = a->scan.stride;
  bool affine = a->scan.affine && stride >= INT32_MIN && stride <= INT32_MAX;
  bool near = a->scan.hi - a->scan.lo <= UINT32_MAX;
  emit_access(x, u, head | (affine ? SLUICE_AFFINE : near ? SLUICE_LIST32 : SLUICE_LIST64), a->mask);
  if (own_mask)
    emit_mask(x, a->mask);
  if (affine) {
    emit(x, (uint32_t)a->scan.base);
    emit(x, (uint32_t)(a->scan.base >> 32));
    emit(x, (uint32_t)stride);
    return;
  }
  if (near) {
    emit(x, (uint32_t)a->scan.lo);
    emit(x, (uint32_t)(a->scan.lo >> 32));
    for (uint64_t m = a->mask; m; m &= m - 1)
      emit(x, (uint32_t)(a->addr[__builtin_ctzll(m)] - a->scan.lo));
    return;
  }
  for (uint64_t m = a->mask; m; m &= m - 1) {
    uint64_t v = a->addr[__builtin_ctzll(m)];
    emit(x, (uint32_t)v);
    emit(x, (uint32_t)(v >> 32));
  }
}

void emit_global(struct exec *x, const struct uop *u, const struct access *a, enum sluice_space space,
                 bool more, bool own_mask) {
  /* an access is at most 32 bytes and aligned, so it lies in one sector */
  unsigned lines = count_blocks(x, a, 7);
  bool all_apart = lines == count_bits(a->mask);
  emit_addresses(x, u, a, space, lines, all_apart ? lines : count_blocks(x, a, 5), more, own_mask);
}

/* Cycles the 32 four-byte banks need: lanes that want different words of one bank wait for each
 * other; the same word is broadcast. Wider accesses go in phases of 128 bytes. */
static unsigned bank_cycles(const struct access *a, unsigned from, unsigned lanes, unsigned words) {
  uint32_t seen[64], first[32];
  uint8_t count[32] = {0};
  uint16_t next[64];
  unsigned n = 0, worst = 1;
  memset(first, 0xff, sizeof first);
  for (unsigned i = from; i < from + lanes; i++) {
    if (!(a->mask >> i & 1))
      continue;
    for (unsigned k = 0; k < words; k++) {
      uint32_t word = (uint32_t)(a->addr[i] >> 2) + k, bank = word & 31, j = first[bank];
      while (j != UINT32_MAX && seen[j] != word)
        j = next[j] == UINT16_MAX ? UINT32_MAX : next[j];
      if (j != UINT32_MAX)
        continue;
      seen[n] = word;
      next[n] = first[bank] == UINT32_MAX ? UINT16_MAX : (uint16_t)first[bank];
      first[bank] = n++;
      if (++count[bank] > worst)
        worst = count[bank];
    }
  }
  return worst;
}

static unsigned shared_cycles(const struct exec *x, const struct access *a, unsigned bytes) {
  unsigned words = bytes <= 4 ? 1 : bytes / 4, per_phase = 32 / words, cycles = 0;
  uint64_t all = x->halves > 1 ? UINT64_MAX : UINT32_MAX;
  if (words == 1 && (a->scan.hi >> 2) - (a->scan.lo >> 2) < 32)
    return x->halves > 1 && a->mask >> 32 && (uint32_t)a->mask ? 2 : 1;
  if (a->scan.affine && a->mask == all && words == 1 && a->scan.stride % 4 == 0) {
    uint64_t step = (uint64_t)(a->scan.stride < 0 ? -a->scan.stride : a->scan.stride) / 4;
    unsigned ways = 1;
    while (ways < 32 && !(step & ways))
      ways *= 2;
    return ways * x->halves;
  }
  if (a->scan.affine && a->mask == all && a->scan.stride == (int64_t)bytes)
    return words * x->halves;
  for (unsigned from = 0; from < x->nlanes; from += per_phase) {
    uint64_t part = (a->mask >> from) & ((UINT64_C(1) << per_phase) - 1);
    if (part)
      cycles += bank_cycles(a, from, per_phase, words);
  }
  return cycles;
}

void emit_shared_as(struct exec *x, const struct uop *u, struct warp *w, const struct access *a, bool write,
                    unsigned size, unsigned vec, bool more, bool own_mask) {
  if (x->o.shared != SHARED_LANES) {
    emit_shared(x, u, a, size * vec, more, own_mask);
    return;
  }
  emit_access(x, u, lds_word(x, w, a, write, size, vec) | (more ? SLUICE_ACCESS_MORE : 0), a->mask);
  if (own_mask)
    emit_mask(x, a->mask);
}

/* Do lanes 2 n and 2 n + 1 name the same words, whichever of them are active? */
static bool paired(const struct access *a) {
  if (a->scan.affine)
    return !a->scan.stride;
  for (uint64_t m = a->mask & a->mask >> 1 & UINT64_C(0x5555555555555555); m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctzll(m);
    if (a->addr[i] != a->addr[i + 1])
      return false;
  }
  return true;
}

void emit_shared(struct exec *x, const struct uop *u, const struct access *a, unsigned bytes, bool more,
                 bool own_mask) {
  unsigned cycles = shared_cycles(x, a, bytes);
  emit_access(x, u,
              SLUICE_SHARED | SLUICE_SP_SHARED << 2 | (more ? SLUICE_ACCESS_MORE : 0) |
                  (cycles > 0xffff ? 0xffff : cycles) << 6 |
                  (bytes > 4 && paired(a) ? SLUICE_ACCESS_PAIRED : 0),
              a->mask);
  if (own_mask)
    emit_mask(x, a->mask);
}

/* Local memory: word k of every lane lies side by side, so equal offsets coalesce. Addresses in the
 * stream count from the warp's own area; further words of an access lie one row (4 bytes × lanes) apart. */
void emit_local(struct exec *x, const struct uop *u, struct access *a, unsigned bytes, bool more,
                bool own_mask) {
  struct access flat;
  flat.mask = a->mask;
  for (unsigned i = 0; i < x->nlanes; i++)
    flat.addr[i] = ((a->addr[i] >> 2) * x->nlanes + i) * 4 + (a->addr[i] & 3);
  access_scan(x, &flat);
  unsigned words = bytes <= 4 ? 1 : bytes / 4;
  emit_addresses(x, u, &flat, SLUICE_SP_LOCAL, count_blocks(x, &flat, 7) * words,
                 count_blocks(x, &flat, 5) * words, more, own_mask);
}

void access_refresh(struct exec *x) {
  uint64_t now = devmem_generation(x->mem);
  if (x->generation != now)
    memset(x->hints, 0, (x->p->nmemops + 1) * sizeof *x->hints);
  x->generation = now;
}

bool local_reserve(struct exec *x, struct warp *w, size_t bytes) {
  if (bytes <= w->local_cap)
    return true;
  size_t cap = w->local_cap ? w->local_cap * 2 : 256;
  while (cap < bytes)
    cap *= 2;
  w->local = xrealloc(w->local, cap * x->nlanes);
  memset(w->local + w->local_cap * x->nlanes, 0, (cap - w->local_cap) * x->nlanes);
  w->local_cap = cap;
  return true;
}

void local_read(const struct exec *x, const struct warp *w, uint64_t offset, unsigned lane, void *to,
                unsigned bytes) {
  for (unsigned done = 0; done < bytes;) {
    unsigned in = (unsigned)(offset + done) & 3, n = 4 - in < bytes - done ? 4 - in : bytes - done;
    memcpy((uint8_t *)to + done, local_word(x, w, offset + done, lane) + in, n);
    done += n;
  }
}

void local_write(const struct exec *x, const struct warp *w, uint64_t offset, unsigned lane, const void *from,
                 unsigned bytes) {
  for (unsigned done = 0; done < bytes;) {
    unsigned in = (unsigned)(offset + done) & 3, n = 4 - in < bytes - done ? 4 - in : bytes - done;
    memcpy(local_word(x, w, offset + done, lane) + in, (const uint8_t *)from + done, n);
    done += n;
  }
}

/* From now on the short way, if the buffer allows it. */
static void hint_word(const struct site *s, const struct uop *u, struct hint *h) {
  struct exec *x = s->x;
  const struct uop_ext *m = u->x;
  const struct lane_word_fns *fns = x->lanes->word;
  bool write = u->kind == U_ST;
  if (x->halves > 1 || !fns || h->buf.size < WORD_MIN_BYTES || h->buf.size > WORD_MAX_BYTES ||
      h->buf.begin % WORD_ALIGN || (write && x->attempt) ||
      (write ? h->read_only : SLOT_AREA(m->regs[0]) != SLOT_REG))
    return;
  lane_word_fn *const *of = write ? fns->store : fns->load;
  h->word = of[m->index];
  h->how = HINT_WORD;
  h->start = access_start(s, u);
  h->address = u->a;
  h->data = m->regs[0];
  h->sum = &x->tally.of[m->kind][SLUICE_ACCESS_SPACE(h->buf.head)];
  h->global_load = m->kind == TALLY_LOAD && SLUICE_ACCESS_SPACE(h->buf.head) == SLUICE_SP_GLOBAL;
  if (!write && ahead_worth(m, &h->buf))
    h->how |= HINT_LEARNS;
}

uint8_t *access_host(struct site *s, const struct uop *u, unsigned lane, uint64_t addr, unsigned bytes,
                     bool write) {
  struct exec *x = s->x;
  if (addr & (bytes - 1)) {
    fault(s, u, lane, FAULT_ALIGN, addr, bytes, NULL);
    return NULL;
  }
  const struct devbuf *b = devmem_find(x->mem, addr);
  if (!b || b->size < bytes || addr - b->addr > b->size - bytes) {
    fault(s, u, lane, FAULT_OUTSIDE, addr, bytes, NULL);
    return NULL;
  }
  if (write && b->read_only) {
    fault(s, u, lane, FAULT_READONLY, addr, bytes, NULL);
    return NULL;
  }
  if (SELDOM(x->attempt) && !attempt_touches(x, b, write))
    return NULL;
  struct hint *h = &x->hints[u->x->id];
  *h = (struct hint){
      .buf = {.begin = b->addr,
              .size = b->size,
              .host = b->host,
              .head = (u->x->space == PTX_CONST ? SLUICE_SP_CONST + 0u : SLUICE_SP_GLOBAL + 0u) << 2},
      .read_only = b->read_only};
  if (u->flags & UF_WORD)
    hint_word(s, u, h);
  return b->host + (addr - b->addr);
}
