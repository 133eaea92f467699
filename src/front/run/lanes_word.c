/* See lanes_word.h. Compiled with the other lane functions, for AVX-512 only. */
#include "front/run/lanes_word.h"
#include "sluice.h"
#include <immintrin.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

enum { LINE_SHIFT = 7, SECTOR_SHIFT = 5, CACHED_BYTES = 512 << 10 };

/* Offsets into the buffer, lanes 0-15 and 16-31, and what they look like. */
struct places {
  __m512i o0, o1;
  __mmask16 k0, k1;
  unsigned n, first, last;
  bool affine; /* offset of lane i = base + stride * i */
  int32_t stride;
  int64_t base;
  alignas(64) uint32_t off[32];
};

static inline bool find_places(const struct lane_word *w, uint32_t mask, struct places *p) {
  const __m512i shift = _mm512_set1_epi64((long long)(w->imm - w->begin)), low = _mm512_set1_epi64(3),
                end = _mm512_set1_epi64((long long)(w->size - 4));
  __m512i a[4];
  __mmask8 bad = 0;
  for (int i = 0; i < 4; i++) {
    __mmask8 m = (__mmask8)(mask >> 8 * i);
    a[i] = _mm512_add_epi64(_mm512_load_si512(w->reg + 8 * i), shift);
    bad |= _mm512_mask_cmpgt_epu64_mask(m, a[i], end) | _mm512_mask_test_epi64_mask(m, a[i], low);
  }
  if (bad)
    return false;
  p->o0 =
      _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(a[0])), _mm512_cvtepi64_epi32(a[1]), 1);
  p->o1 =
      _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(a[2])), _mm512_cvtepi64_epi32(a[3]), 1);
  p->k0 = (__mmask16)mask, p->k1 = (__mmask16)(mask >> 16);
  _mm512_store_si512(p->off, p->o0);
  _mm512_store_si512(p->off + 16, p->o1);
  p->n = (unsigned)__builtin_popcount(mask);
  p->first = (unsigned)__builtin_ctz(mask);
  p->last = 31u - (unsigned)__builtin_clz(mask);
  return true;
}

/* The first two active lanes suggest the line; the last one, checked without wrapping, keeps those
 * between in range. */
static inline bool find_line(struct places *p, uint32_t mask) {
  int32_t at = (int32_t)p->off[p->first];
  p->stride = 0, p->base = at;
  if (p->n == 1)
    return true;
  unsigned second = (unsigned)__builtin_ctz(mask & (mask - 1));
  int32_t step = (int32_t)p->off[second] - at, gap = (int32_t)(second - p->first);
  if (gap > 1 && step) {
    if (step % gap)
      return false;
    step /= gap;
  }
  p->stride = step;
  p->base = at - (int64_t)step * p->first;
  if (p->base + (int64_t)step * p->last != (int64_t)p->off[p->last])
    return false;
  const __m512i s = _mm512_set1_epi32(step), b = _mm512_set1_epi32((int)p->base),
                lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i e0 = _mm512_add_epi32(b, _mm512_mullo_epi32(s, lane)),
                e1 = _mm512_add_epi32(e0, _mm512_slli_epi32(s, 4));
  return !(_mm512_mask_cmpneq_epi32_mask(p->k0, p->o0, e0) | _mm512_mask_cmpneq_epi32_mask(p->k1, p->o1, e1));
}

/* How many blocks of 2^shift bytes lanes on a line touch. */
static inline unsigned blocks_on_line(const struct places *p, unsigned shift) {
  uint32_t a = p->off[p->first], b = p->off[p->last], lo = (a < b ? a : b) >> shift,
           hi = (a < b ? b : a) >> shift, step = (uint32_t)(p->stride < 0 ? -p->stride : p->stride);
  if (hi - lo <= 1)
    return hi - lo + 1;
  if (step >> shift)
    return p->n;
  if (p->n == 32)
    return hi - lo + 1;
  /* lanes are less than a block apart: at most 32 blocks */
  const __m512i one = _mm512_set1_epi32(1), from = _mm512_set1_epi32((int)lo);
  const __m128i by = _mm_cvtsi32_si128((int)shift);
  __m512i b0 = _mm512_maskz_sllv_epi32(p->k0, one, _mm512_sub_epi32(_mm512_srl_epi32(p->o0, by), from));
  __m512i b1 = _mm512_maskz_sllv_epi32(p->k1, one, _mm512_sub_epi32(_mm512_srl_epi32(p->o1, by), from));
  return (unsigned)__builtin_popcount((unsigned)_mm512_reduce_or_epi32(_mm512_or_si512(b0, b1)));
}

/* Lanes of b that no earlier one in mask equals. */
static inline unsigned unlike_earlier(__m512i b, __mmask16 mask) {
  return _mm512_mask_testn_epi32_mask(mask, _mm512_conflict_epi32(b), _mm512_set1_epi32(mask));
}

/* How many blocks scattered lanes touch; `packed` holds the active lanes if there are at most 16. */
static inline unsigned blocks_scattered(const struct places *p, __m512i packed, unsigned shift) {
  const __m128i by = _mm_cvtsi32_si128((int)shift);
  if (p->n <= 16)
    return (unsigned)__builtin_popcount(
        unlike_earlier(_mm512_srl_epi32(packed, by), (__mmask16)((1u << p->n) - 1)));
  const __m512i none = _mm512_set1_epi32(-1);
  __m512i b0 = _mm512_srl_epi32(p->o0, by), b1 = _mm512_srl_epi32(p->o1, by);
  alignas(64) int32_t each[16];
  _mm512_store_si512(each, _mm512_mask_mov_epi32(none, p->k0, b0));
  unsigned met = 0;
  for (int i = 0; i < 16; i++)
    met |= _mm512_cmpeq_epi32_mask(b1, _mm512_set1_epi32(each[i]));
  return (unsigned)__builtin_popcount(unlike_earlier(b0, p->k0) | (unlike_earlier(b1, p->k1) & ~met) << 16);
}

static inline unsigned write_line(const struct lane_word *w, const struct places *p, uint32_t *out) {
  unsigned lines = blocks_on_line(p, LINE_SHIFT), sectors = lines;
  if (lines != p->n)
    sectors = blocks_on_line(p, SECTOR_SHIFT);
  uint64_t base = w->begin + (uint64_t)p->base;
  out[0] = w->head | SLUICE_AFFINE | lines << 6 | sectors << 14;
  out[1] = (uint32_t)base;
  out[2] = (uint32_t)(base >> 32);
  out[3] = (uint32_t)p->stride;
  return 4;
}

static inline unsigned write_list(const struct lane_word *w, const struct places *p, uint32_t *out) {
  const __m512i none = _mm512_set1_epi32(-1);
  uint32_t lo = _mm512_reduce_min_epu32(
      _mm512_min_epu32(_mm512_mask_mov_epi32(none, p->k0, p->o0), _mm512_mask_mov_epi32(none, p->k1, p->o1)));
  const __m512i from = _mm512_set1_epi32((int)lo);
  const unsigned n0 = (unsigned)__builtin_popcount(p->k0);
  __m512i c0 = _mm512_maskz_compress_epi32(p->k0, p->o0), c1 = _mm512_maskz_compress_epi32(p->k1, p->o1);
  _mm512_storeu_si512(out + 3, _mm512_sub_epi32(c0, from));
  _mm512_storeu_si512(out + 3 + n0, _mm512_sub_epi32(c1, from));
  /* c0's lanes, then c1's */
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i packed = _mm512_mask_permutexvar_epi32(c0, (__mmask16)(0xffffu << n0),
                                                 _mm512_sub_epi32(lane, _mm512_set1_epi32((int)n0)), c1);
  unsigned lines = blocks_scattered(p, packed, LINE_SHIFT), sectors = lines;
  if (lines != p->n)
    sectors = blocks_scattered(p, packed, SECTOR_SHIFT);
  uint64_t base = w->begin + lo;
  out[0] = w->head | SLUICE_LIST32 | lines << 6 | sectors << 14;
  out[1] = (uint32_t)base;
  out[2] = (uint32_t)(base >> 32);
  return 3 + p->n;
}

static inline unsigned write_words(const struct lane_word *w, struct places *p, uint32_t mask,
                                   uint32_t *out) {
  p->affine = find_line(p, mask);
  if (p->affine)
    return write_line(w, p, out);
  if (w->size > CACHED_BYTES) /* scattered lanes miss the host's caches: ask for all at once */
    for (uint32_t m = mask; m; m &= m - 1)
      __builtin_prefetch(w->host + p->off[__builtin_ctz(m)], 0, 2);
  return write_list(w, p, out);
}

/* A few lanes are not worth the vectors: bounds, distinct blocks and stride one by one. */
enum { FEW = 3 };
struct few {
  unsigned n, lane[FEW];
  uint32_t off[FEW];
};

static inline bool find_few(const struct lane_word *w, uint32_t mask, struct few *f) {
  f->n = 0;
  f->off[0] = 0;
  for (; mask; mask &= mask - 1) {
    unsigned lane = (unsigned)__builtin_ctz(mask);
    uint64_t at = w->reg[lane] + w->imm - w->begin;
    if (at > w->size - 4 || at & 3)
      return false;
    f->lane[f->n] = lane;
    f->off[f->n++] = (uint32_t)at;
  }
  return true;
}

static inline unsigned few_blocks(const struct few *f, unsigned shift) {
  uint32_t a = f->off[0] >> shift;
  if (f->n == 1)
    return 1;
  uint32_t b = f->off[1] >> shift, c = f->off[f->n - 1] >> shift;
  return 1u + (b != a) + (c != a && c != b);
}

static inline bool few_on_line(const struct few *f, int64_t *stride) {
  *stride = 0;
  if (f->n == 1)
    return true;
  int32_t step = (int32_t)(f->off[1] - f->off[0]), gap = (int32_t)(f->lane[1] - f->lane[0]);
  if (step % gap)
    return false;
  *stride = step / gap;
  return f->n == 2 || f->off[0] + *stride * (int64_t)(f->lane[2] - f->lane[0]) == (int64_t)f->off[2];
}

static inline unsigned write_few(const struct lane_word *w, const struct few *f, uint32_t *out) {
  int64_t stride;
  uint64_t base;
  out[0] = w->head | few_blocks(f, LINE_SHIFT) << 6 | few_blocks(f, SECTOR_SHIFT) << 14;
  bool affine = few_on_line(f, &stride);
  if (affine) {
    base = w->begin + f->off[0] - (uint64_t)stride * f->lane[0];
    out[0] |= SLUICE_AFFINE;
    out[3] = (uint32_t)stride;
  } else {
    uint32_t lo = f->off[0];
    for (unsigned i = 1; i < f->n; i++)
      lo = f->off[i] < lo ? f->off[i] : lo;
    base = w->begin + lo;
    out[0] |= SLUICE_LIST32;
    for (unsigned i = 0; i < f->n; i++)
      out[3 + i] = f->off[i] - lo;
  }
  out[1] = (uint32_t)base;
  out[2] = (uint32_t)(base >> 32);
  return affine ? 4 : 3 + f->n;
}

static unsigned load_few(const struct lane_word *w, uint32_t *data, uint32_t mask, uint32_t *out) {
  struct few f;
  if (!find_few(w, mask, &f))
    return 0;
  __m512i d[2] = {_mm512_load_si512(data), _mm512_load_si512(data + 16)};
  for (unsigned i = 0; i < f.n; i++) {
    int32_t v;
    memcpy(&v, w->host + f.off[i], 4);
    uint32_t bit = UINT32_C(1) << f.lane[i];
    d[0] = _mm512_mask_set1_epi32(d[0], (__mmask16)bit, v);
    d[1] = _mm512_mask_set1_epi32(d[1], (__mmask16)(bit >> 16), v);
  }
  /* whole registers again, because the next instruction reads them so */
  _mm512_store_si512(data, d[0]);
  _mm512_store_si512(data + 16, d[1]);
  return write_few(w, &f, out);
}

static unsigned store_few(const struct lane_word *w, const uint32_t *data, uint32_t mask, uint32_t *out) {
  struct few f;
  if (!find_few(w, mask, &f))
    return 0;
  for (unsigned i = 0; i < f.n; i++)
    memcpy(w->host + f.off[i], data + f.lane[i], 4);
  return write_few(w, &f, out);
}

lane_word_fn lane_load_word, lane_store_word;

unsigned lane_load_word(const struct lane_word *w, uint32_t *data, uint32_t mask, uint32_t *out) {
  struct places p;
  if (__builtin_popcount(mask) <= FEW)
    return load_few(w, data, mask, out);
  if (!find_places(w, mask, &p))
    return 0;
  unsigned words = write_words(w, &p, mask, out);
  __m512i d0 = _mm512_load_si512(data), d1 = _mm512_load_si512(data + 16);
  if (p.affine && p.stride == 0) {
    int32_t v;
    memcpy(&v, w->host + p.base, 4);
    d0 = _mm512_mask_set1_epi32(d0, p.k0, v);
    d1 = _mm512_mask_set1_epi32(d1, p.k1, v);
  } else if (p.affine && p.stride == 4 && p.base >= 0 && (uint64_t)p.base + 128 <= w->size) {
    d0 = _mm512_mask_mov_epi32(d0, p.k0, _mm512_loadu_si512(w->host + p.base));
    d1 = _mm512_mask_mov_epi32(d1, p.k1, _mm512_loadu_si512(w->host + p.base + 64));
  } else {
    if (p.k0)
      d0 = _mm512_mask_i32gather_epi32(d0, p.k0, p.o0, w->host, 1);
    if (p.k1)
      d1 = _mm512_mask_i32gather_epi32(d1, p.k1, p.o1, w->host, 1);
  }
  _mm512_store_si512(data, d0);
  _mm512_store_si512(data + 16, d1);
  return words;
}

/* Where lanes meet, the last one's value stays. */
unsigned lane_store_word(const struct lane_word *w, uint32_t *data, uint32_t mask, uint32_t *out) {
  struct places p;
  if (__builtin_popcount(mask) <= FEW)
    return store_few(w, data, mask, out);
  if (!find_places(w, mask, &p))
    return 0;
  unsigned words = write_words(w, &p, mask, out);
  if (p.affine && p.stride == 4 && p.n == 32)
    memcpy(w->host + p.base, data, 128);
  else if (p.affine && p.stride == 0)
    memcpy(w->host + p.base, data + p.last, 4);
  else
    for (uint32_t m = mask; m; m &= m - 1)
      memcpy(w->host + p.off[__builtin_ctz(m)], data + __builtin_ctz(m), 4);
  return words;
}
