/* See lanes_word.h. Compiled with the other lane functions, for AVX-512 only. */
#include "front/run/lanes_word.h"
#include "base/specialized.h"
#include "sluice_stream.h"
#include <immintrin.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

enum { LINE_SHIFT = 7, SECTOR_SHIFT = 5, CACHED_BYTES = 512 << 10 };

/* Offsets into the buffer, lanes 0-15 and 16-31, and what they look like. */
struct places {
  __m512i o0, o1;
  __mmask16 k0, k1;
  unsigned n, n0, first, last; /* active lanes, and those of the lower half */
  __m512i packed;              /* by pack(), if n <= 16: active lanes side by side */
  bool affine;                 /* offset of lane i = base + stride * i */
  int32_t stride;
  int64_t base;
  alignas(64) uint32_t off[32];
};

/* SPECIALIZED functions are made once for each kind of index. */
/* Offsets by 64-bit lanes; false: some active lane is outside or misaligned. */
static inline bool offsets_wide(const struct lane_buffer *b, const uint64_t *reg, uint64_t imm,
                                struct places *p) {
  const __m512i shift = _mm512_set1_epi64((long long)(imm - b->begin)),
                last = _mm512_set1_epi32((int)(b->size / 4 - 1)),
                even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
                odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  __m512i a0 = _mm512_add_epi64(_mm512_load_si512(reg), shift),
          a1 = _mm512_add_epi64(_mm512_load_si512(reg + 8), shift),
          a2 = _mm512_add_epi64(_mm512_load_si512(reg + 16), shift),
          a3 = _mm512_add_epi64(_mm512_load_si512(reg + 24), shift);
  __m512i h0 = _mm512_permutex2var_epi32(a0, odd, a1), h1 = _mm512_permutex2var_epi32(a2, odd, a3);
  p->o0 = _mm512_permutex2var_epi32(a0, even, a1);
  p->o1 = _mm512_permutex2var_epi32(a2, even, a3);
  /* what is not aligned is beyond every end once it is turned by two bits */
  __m512i upper = _mm512_maskz_mov_epi32(p->k0, h0), turned = _mm512_maskz_ror_epi32(p->k0, p->o0, 2);
  upper = _mm512_mask_or_epi32(upper, p->k1, upper, h1);
  turned = _mm512_mask_max_epu32(turned, p->k1, turned, _mm512_ror_epi32(p->o1, 2));
  return _mm512_kortestz(_mm512_test_epi32_mask(upper, upper), _mm512_cmpgt_epu32_mask(turned, last));
}

/* Offsets by indices of words. The sum of two numbers, of 32 and 31 bits with sign, that seems to lie in the
 * buffer does: if it wraps, it is still beyond 2^29. */
SPECIALIZED bool offsets_index(const struct lane_buffer *b, const uint32_t *reg, uint64_t imm,
                               enum uop_index index, struct places *p) {
  const int64_t from = (int64_t)(imm - b->begin);
  if (from & 3 || from < -(INT64_C(1) << 31) || from > INT64_C(1) << 31)
    return false;
  __m512i i0 = _mm512_load_si512(reg), i1 = _mm512_load_si512(reg + 16);
  if (index == INDEX_LOW) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    i0 = _mm512_permutex2var_epi32(i0, even, i1);
    i1 = _mm512_permutex2var_epi32(_mm512_load_si512(reg + 32), even, _mm512_load_si512(reg + 48));
  }
  const __m512i first = _mm512_set1_epi32((int)(from / 4)), last = _mm512_set1_epi32((int)(b->size / 4 - 1));
  i0 = _mm512_add_epi32(i0, first);
  i1 = _mm512_add_epi32(i1, first);
  p->o0 = _mm512_slli_epi32(i0, 2);
  p->o1 = _mm512_slli_epi32(i1, 2);
  return !(_mm512_mask_cmpgt_epu32_mask(p->k0, i0, last) | _mm512_mask_cmpgt_epu32_mask(p->k1, i1, last));
}

SPECIALIZED bool find_places(const struct lane_buffer *b, const void *reg, uint64_t imm, enum uop_index index,
                             uint32_t mask, struct places *p) {
  p->k0 = (__mmask16)mask, p->k1 = (__mmask16)(mask >> 16);
  if (!(index == INDEX_NONE ? offsets_wide(b, reg, imm, p) : offsets_index(b, reg, imm, index, p)))
    return false;
  _mm512_store_si512(p->off, p->o0);
  _mm512_store_si512(p->off + 16, p->o1);
  p->affine = false, p->stride = 0, p->base = 0;
  p->n = (unsigned)__builtin_popcount(mask);
  p->first = (unsigned)__builtin_ctz(mask);
  p->last = 31u - (unsigned)__builtin_clz(mask);
  return true;
}

/* The first two active lanes suggest the line; the last one, checked without wrapping, keeps those
 * between in range. That check comes first, without a division: scattered lanes fail it as good as always,
 * while whether a distance happens to be divisible is anybody's guess. */
SPECIALIZED bool find_line(struct places *p, uint32_t mask) {
  const uint32_t at = p->off[p->first], more = mask & (mask - 1);
  const unsigned second = (unsigned)__builtin_ctz(more);
  const int64_t far = (int64_t)p->off[p->last] - at;
  int32_t step = (int32_t)(p->off[second] - at), gap = (int32_t)(second - p->first);
  if (far * gap != (int64_t)step * (p->last - p->first))
    return false;
  if (gap > 1) {
    if (step % gap)
      return false;
    step /= gap;
  }
  p->stride = step;
  p->base = at - (int64_t)step * p->first;
  const __m512i s = _mm512_set1_epi32(step), b = _mm512_set1_epi32((int)p->base),
                lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i e0 = _mm512_add_epi32(b, _mm512_mullo_epi32(s, lane)),
                e1 = _mm512_add_epi32(e0, _mm512_slli_epi32(s, 4));
  return !(_mm512_mask_cmpneq_epi32_mask(p->k0, p->o0, e0) | _mm512_mask_cmpneq_epi32_mask(p->k1, p->o1, e1));
}

/* Up to 16 active lanes in one register. */
static inline void pack(struct places *p) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  p->n0 = (unsigned)__builtin_popcount(p->k0);
  p->packed = _mm512_mask_permutexvar_epi32(
      _mm512_maskz_compress_epi32(p->k0, p->o0), (__mmask16)(0xffffu << p->n0),
      _mm512_sub_epi32(lane, _mm512_set1_epi32((int)p->n0)), _mm512_maskz_compress_epi32(p->k1, p->o1));
}

/* How many groups of 2^shift bits have a bit set. */
static inline unsigned groups_hit(uint64_t bits, unsigned shift) {
  static const uint64_t lowest[] = {UINT64_MAX,
                                    UINT64_C(0x5555555555555555),
                                    UINT64_C(0x1111111111111111),
                                    UINT64_C(0x0101010101010101),
                                    UINT64_C(0x0001000100010001),
                                    UINT64_C(0x0000000100000001)};
  for (unsigned k = 0; k < shift; k++)
    bits |= bits >> (1u << k);
  return (unsigned)__builtin_popcountll(bits & lowest[shift]);
}

/* How many blocks of 2^shift bytes lanes on a line touch. */
static inline unsigned blocks_on_line(const struct places *p, uint32_t mask, unsigned shift) {
  uint32_t a = p->off[p->first], b = p->off[p->last], lo = (a < b ? a : b) >> shift,
           hi = (a < b ? b : a) >> shift, step = (uint32_t)(p->stride < 0 ? -p->stride : p->stride);
  if (hi - lo <= 1)
    return hi - lo + 1;
  if (step >> shift)
    return p->n;
  if (p->n == 32)
    return hi - lo + 1;
  if (p->stride > 0 && !(step & (step - 1))) { /* whole lanes to a block */
    unsigned by = (unsigned)__builtin_ctz(step), group = shift - by;
    return groups_hit((uint64_t)mask << ((uint64_t)p->base >> by & ((1u << group) - 1)), group);
  }
  /* lanes are less than a block apart: at most 32 blocks */
  const __m512i one = _mm512_set1_epi32(1), from = _mm512_set1_epi32((int)lo);
  const __m128i to = _mm_cvtsi32_si128((int)shift);
  __m512i b0 = _mm512_maskz_sllv_epi32(p->k0, one, _mm512_sub_epi32(_mm512_srl_epi32(p->o0, to), from));
  __m512i b1 = _mm512_maskz_sllv_epi32(p->k1, one, _mm512_sub_epi32(_mm512_srl_epi32(p->o1, to), from));
  return (unsigned)__builtin_popcount((unsigned)_mm512_reduce_or_epi32(_mm512_or_si512(b0, b1)));
}

/* Lanes of b that no earlier one in mask equals. */
static inline unsigned unlike_earlier(__m512i b, __mmask16 mask) {
  return _mm512_mask_testn_epi32_mask(mask, _mm512_conflict_epi32(b), _mm512_set1_epi32(mask));
}

/* How many blocks scattered lanes touch. */
static inline unsigned blocks_scattered(const struct places *p, unsigned shift) {
  const __m128i by = _mm_cvtsi32_si128((int)shift);
  if (p->n <= 16)
    return (unsigned)__builtin_popcount(
        unlike_earlier(_mm512_srl_epi32(p->packed, by), (__mmask16)((1u << p->n) - 1)));
  const __m512i none = _mm512_set1_epi32(-1);
  __m512i b0 = _mm512_srl_epi32(p->o0, by), b1 = _mm512_srl_epi32(p->o1, by);
  alignas(64) int32_t each[16];
  _mm512_store_si512(each, _mm512_mask_mov_epi32(none, p->k0, b0));
  unsigned met = 0;
  for (int i = 0; i < 16; i++)
    met |= _mm512_cmpeq_epi32_mask(b1, _mm512_set1_epi32(each[i]));
  return (unsigned)__builtin_popcount(unlike_earlier(b0, p->k0) | (unlike_earlier(b1, p->k1) & ~met) << 16);
}

SPECIALIZED unsigned write_line(const struct lane_buffer *b, const struct places *p, uint32_t mask,
                                uint32_t *out) {
  unsigned lines = blocks_on_line(p, mask, LINE_SHIFT), sectors = lines;
  if (lines != p->n)
    sectors = blocks_on_line(p, mask, SECTOR_SHIFT);
  uint64_t base = b->begin + (uint64_t)p->base;
  out[0] = b->head | SLUICE_AFFINE | lines << 6 | sectors << 14;
  out[1] = (uint32_t)base;
  out[2] = (uint32_t)(base >> 32);
  out[3] = (uint32_t)p->stride;
  return 4;
}

SPECIALIZED unsigned write_list(const struct lane_buffer *b, const struct places *p, uint32_t *out) {
  const __m512i none = _mm512_set1_epi32(-1);
  uint32_t lo = _mm512_reduce_min_epu32(
      _mm512_min_epu32(_mm512_mask_mov_epi32(none, p->k0, p->o0), _mm512_mask_mov_epi32(none, p->k1, p->o1)));
  const __m512i from = _mm512_set1_epi32((int)lo);
  if (p->n <= 16) {
    _mm512_storeu_si512(out + 3, _mm512_sub_epi32(p->packed, from));
  } else {
    __m512i c0 = _mm512_maskz_compress_epi32(p->k0, p->o0), c1 = _mm512_maskz_compress_epi32(p->k1, p->o1);
    _mm512_storeu_si512(out + 3, _mm512_sub_epi32(c0, from));
    _mm512_storeu_si512(out + 3 + p->n0, _mm512_sub_epi32(c1, from));
  }
  unsigned lines = blocks_scattered(p, LINE_SHIFT), sectors = lines;
  if (lines != p->n)
    sectors = blocks_scattered(p, SECTOR_SHIFT);
  uint64_t base = b->begin + lo;
  out[0] = b->head | SLUICE_LIST32 | lines << 6 | sectors << 14;
  out[1] = (uint32_t)base;
  out[2] = (uint32_t)(base >> 32);
  return 3 + p->n;
}

SPECIALIZED unsigned write_words(const struct lane_buffer *b, struct places *p, uint32_t mask,
                                 uint32_t *out) {
  p->affine = find_line(p, mask);
  if (p->affine)
    return write_line(b, p, mask, out);
  pack(p);
  if (b->size > CACHED_BYTES) /* scattered lanes miss the host's caches: ask for all at once */
    for (uint32_t m = mask; m; m &= m - 1)
      __builtin_prefetch(b->host + p->off[__builtin_ctz(m)], 0, 2);
  return write_list(b, p, out);
}

/* What one lane adds to the address. */
SPECIALIZED uint64_t lane_part(const void *reg, unsigned lane, enum uop_index index) {
  if (index == INDEX_NONE)
    return ((const uint64_t *)reg)[lane];
  return (uint64_t)((int64_t)((const int32_t *)reg)[index == INDEX_LOW ? 2 * lane : lane] * 4);
}

/* A single lane lies on a line of stride 0. */
static inline bool find_one(const struct lane_buffer *b, uint64_t address, uint32_t *out, uint32_t *off) {
  uint64_t at = address - b->begin;
  if (at > b->size - 4 || at & 3)
    return false;
  *off = (uint32_t)at;
  out[0] = b->head | SLUICE_AFFINE | 1u << 6 | 1u << 14;
  out[1] = (uint32_t)address;
  out[2] = (uint32_t)(address >> 32);
  out[3] = 0;
  return true;
}

static inline unsigned load_one(const struct lane_buffer *b, uint64_t address, uint32_t *data, unsigned lane,
                                uint32_t *out) {
  uint32_t off, *half = data + (lane & 16);
  int32_t v;
  if (!find_one(b, address, out, &off))
    return 0;
  memcpy(&v, b->host + off, 4);
  /* a whole register again, because the next instruction reads it so */
  _mm512_store_si512(half,
                     _mm512_mask_set1_epi32(_mm512_load_si512(half), (__mmask16)(1u << (lane & 15)), v));
  return 4;
}

static inline unsigned store_one(const struct lane_buffer *b, uint64_t address, uint32_t value,
                                 uint32_t *out) {
  uint32_t off;
  if (!find_one(b, address, out, &off))
    return 0;
  memcpy(b->host + off, &value, 4);
  return 4;
}

/* Values side by side into the lanes of a mask. */
static inline void spread(uint32_t *data, __m512i values, __mmask16 k0, __mmask16 k1) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i rest =
      _mm512_permutexvar_epi32(_mm512_add_epi32(lane, _mm512_set1_epi32(__builtin_popcount(k0))), values);
  _mm512_store_si512(data, _mm512_mask_expand_epi32(_mm512_load_si512(data), k0, values));
  _mm512_store_si512(data + 16, _mm512_mask_expand_epi32(_mm512_load_si512(data + 16), k1, rest));
}

/* Two or three lanes are not worth the vectors. A missing third repeats the second, which changes nothing and
 * spares branches that nobody could foresee. */
enum { FEW = 3 };
struct few {
  unsigned n, lane[FEW];
  uint32_t off[FEW];
};

SPECIALIZED bool find_few(const struct lane_buffer *b, const void *reg, uint64_t imm, enum uop_index index,
                          uint32_t mask, struct few *f) {
  const uint32_t m1 = mask & (mask - 1), third = m1 & (m1 - 1);
  f->n = (unsigned)__builtin_popcount(mask);
  f->lane[0] = (unsigned)__builtin_ctz(mask);
  f->lane[1] = (unsigned)__builtin_ctz(m1);
  f->lane[2] = (unsigned)__builtin_ctz(third ? third : m1);
  const uint64_t shift = imm - b->begin, end = b->size - 4;
  uint64_t o0 = lane_part(reg, f->lane[0], index) + shift, o1 = lane_part(reg, f->lane[1], index) + shift,
           o2 = lane_part(reg, f->lane[2], index) + shift;
  f->off[0] = (uint32_t)o0, f->off[1] = (uint32_t)o1, f->off[2] = (uint32_t)o2;
  return !((o0 > end) | (o1 > end) | (o2 > end) | (((o0 | o1 | o2) & 3) != 0));
}

/* Aligned blocks are the same where no bit above the shift differs. */
static inline unsigned few_blocks(const struct few *f, unsigned shift) {
  uint32_t a = f->off[0] ^ f->off[1], b = f->off[0] ^ f->off[2], c = f->off[1] ^ f->off[2],
           size = 1u << shift;
  return 1u + (a >= size) + ((b >= size) & (c >= size));
}

static inline unsigned write_few(const struct lane_buffer *b, const struct few *f, uint32_t *out) {
  const uint32_t o0 = f->off[0], o1 = f->off[1], o2 = f->off[2];
  const int32_t step = (int32_t)(o1 - o0), by = (int32_t)(f->lane[1] - f->lane[0]);
  const int32_t stride = step / by;
  const bool affine =
      (step - stride * by == 0) & (o0 + stride * (int64_t)(f->lane[2] - f->lane[0]) == (int64_t)o2);
  const uint32_t least = o0 < o1 ? o0 : o1, lo = least < o2 ? least : o2;
  const uint64_t base = b->begin + (affine ? o0 - (uint64_t)((int64_t)stride * f->lane[0]) : lo);
  out[0] = b->head | few_blocks(f, LINE_SHIFT) << 6 | few_blocks(f, SECTOR_SHIFT) << 14 |
           (affine ? SLUICE_AFFINE : SLUICE_LIST32);
  out[1] = (uint32_t)base;
  out[2] = (uint32_t)(base >> 32);
  out[3] = affine ? (uint32_t)stride : o0 - lo;
  out[4] = o1 - lo;
  out[5] = o2 - lo;
  return affine ? 4 : 3 + f->n;
}

SPECIALIZED unsigned load_few(const struct lane_buffer *b, const void *reg, uint64_t imm,
                              enum uop_index index, uint32_t *data, uint32_t mask, uint32_t *out) {
  struct few f;
  if (!find_few(b, reg, imm, index, mask, &f))
    return 0;
  int32_t v[FEW];
  for (unsigned i = 0; i < FEW; i++)
    memcpy(&v[i], b->host + f.off[i], 4);
  /* whole registers again, because the next instruction reads them so */
  const __m512i all = _mm512_castsi128_si512(_mm_setr_epi32(v[0], v[1], v[2], 0));
  spread(data, all, (__mmask16)mask, (__mmask16)(mask >> 16));
  return write_few(b, &f, out);
}

SPECIALIZED unsigned store_few(const struct lane_buffer *b, const void *reg, uint64_t imm,
                               enum uop_index index, const uint32_t *data, uint32_t mask, uint32_t *out) {
  struct few f;
  if (!find_few(b, reg, imm, index, mask, &f))
    return 0;
  for (unsigned i = 0; i < FEW; i++)
    memcpy(b->host + f.off[i], data + f.lane[i], 4);
  return write_few(b, &f, out);
}

static inline __m128i collect4(const uint8_t *host, const uint32_t *off) {
  int32_t v[4];
  for (unsigned i = 0; i < 4; i++)
    memcpy(&v[i], host + off[i], 4);
  return _mm_setr_epi32(v[0], v[1], v[2], v[3]);
}

/* Up to 16 values. Loads of their own are done in little more than half the time of a gather, and as few as
 * can be; lanes that are not there read offset 0. */
static inline __m512i collect(const uint8_t *host, __m512i packed, unsigned n) {
  alignas(64) uint32_t off[16];
  _mm512_store_si512(off, packed);
  __m256i low = _mm256_castsi128_si256(collect4(host, off));
  if (n > 4)
    low = _mm256_inserti128_si256(low, collect4(host, off + 4), 1);
  if (n <= 8)
    return _mm512_castsi256_si512(low);
  __m256i high = _mm256_castsi128_si256(collect4(host, off + 8));
  if (n > 12)
    high = _mm256_inserti128_si256(high, collect4(host, off + 12), 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

SPECIALIZED unsigned load_many(const struct lane_buffer *b, const void *reg, uint64_t imm,
                               enum uop_index index, uint32_t *data, uint32_t mask, uint32_t *out) {
  struct places p;
  if (!find_places(b, reg, imm, index, mask, &p))
    return 0;
  unsigned words = write_words(b, &p, mask, out);
  if (p.n <= 16 && !(p.affine && (p.stride == 0 || p.stride == 4))) {
    if (p.affine)
      pack(&p);
    __m512i values = collect(b->host, p.packed, p.n);
    spread(data, values, p.k0, p.k1);
    return words;
  }
  __m512i d0 = _mm512_load_si512(data), d1 = _mm512_load_si512(data + 16);
  if (p.affine && p.stride == 0) {
    int32_t v;
    memcpy(&v, b->host + p.base, 4);
    d0 = _mm512_mask_set1_epi32(d0, p.k0, v);
    d1 = _mm512_mask_set1_epi32(d1, p.k1, v);
  } else if (p.affine && p.stride == 4 && p.base >= 0 && (uint64_t)p.base + 128 <= b->size) {
    d0 = _mm512_mask_mov_epi32(d0, p.k0, _mm512_loadu_si512(b->host + p.base));
    d1 = _mm512_mask_mov_epi32(d1, p.k1, _mm512_loadu_si512(b->host + p.base + 64));
  } else if (p.affine || b->size <= CACHED_BYTES) {
    d0 = _mm512_mask_mov_epi32(d0, p.k0, collect(b->host, _mm512_maskz_mov_epi32(p.k0, p.o0), 16));
    d1 = _mm512_mask_mov_epi32(d1, p.k1, collect(b->host, _mm512_maskz_mov_epi32(p.k1, p.o1), 16));
  } else {
    d0 = _mm512_mask_i32gather_epi32(d0, p.k0, p.o0, b->host, 1);
    d1 = _mm512_mask_i32gather_epi32(d1, p.k1, p.o1, b->host, 1);
  }
  _mm512_store_si512(data, d0);
  _mm512_store_si512(data + 16, d1);
  return words;
}

/* Where lanes meet, the last one's value stays. */
SPECIALIZED unsigned store_many(const struct lane_buffer *b, const void *reg, uint64_t imm,
                                enum uop_index index, const uint32_t *data, uint32_t mask, uint32_t *out) {
  struct places p;
  if (!find_places(b, reg, imm, index, mask, &p))
    return 0;
  unsigned words = write_words(b, &p, mask, out);
  if (p.affine && p.stride == 4 && p.n == 32)
    memcpy(b->host + p.base, data, 128);
  else if (p.affine && p.stride == 0)
    memcpy(b->host + p.base, data + p.last, 4);
  else
    for (uint32_t m = mask; m; m &= m - 1)
      memcpy(b->host + p.off[__builtin_ctz(m)], data + __builtin_ctz(m), 4);
  return words;
}

#define WORD_FNS(kind, index)                                                                                \
  static __attribute__((noinline)) lane_word_fn load_many_##kind, store_many_##kind;                         \
  static unsigned load_many_##kind(const struct lane_buffer *b, const void *reg, uint64_t imm,               \
                                   uint32_t *data, uint32_t mask, uint32_t *out) {                           \
    return load_many(b, reg, imm, index, data, mask, out);                                                   \
  }                                                                                                          \
  static unsigned store_many_##kind(const struct lane_buffer *b, const void *reg, uint64_t imm,              \
                                    uint32_t *data, uint32_t mask, uint32_t *out) {                          \
    return store_many(b, reg, imm, index, data, mask, out);                                                  \
  }                                                                                                          \
  static unsigned load_##kind(const struct lane_buffer *b, const void *reg, uint64_t imm, uint32_t *data,    \
                              uint32_t mask, uint32_t *out) {                                                \
    unsigned lane = (unsigned)__builtin_ctz(mask);                                                           \
    if (!(mask & (mask - 1)))                                                                                \
      return load_one(b, lane_part(reg, lane, index) + imm, data, lane, out);                                \
    return __builtin_popcount(mask) <= FEW ? load_few(b, reg, imm, index, data, mask, out)                   \
                                           : load_many_##kind(b, reg, imm, data, mask, out);                 \
  }                                                                                                          \
  static unsigned store_##kind(const struct lane_buffer *b, const void *reg, uint64_t imm, uint32_t *data,   \
                               uint32_t mask, uint32_t *out) {                                               \
    unsigned lane = (unsigned)__builtin_ctz(mask);                                                           \
    if (!(mask & (mask - 1)))                                                                                \
      return store_one(b, lane_part(reg, lane, index) + imm, data[lane], out);                               \
    return __builtin_popcount(mask) <= FEW ? store_few(b, reg, imm, index, data, mask, out)                  \
                                           : store_many_##kind(b, reg, imm, data, mask, out);                \
  }
WORD_FNS(wide, INDEX_NONE)
WORD_FNS(index, INDEX_32)
WORD_FNS(low, INDEX_LOW)

const struct lane_word_fns lane_word_fns = {{load_wide, load_index, load_low},
                                            {store_wide, store_index, store_low}};
