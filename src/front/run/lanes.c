/* Compiled once per instruction set; LANES_ISA names the table. See lanes.h. */
#include "front/run/lanes.h"
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define CAT_(a, b) a##b
#define CAT(a, b)  CAT_(a, b)

static void address64(uint64_t *restrict out, const uint64_t *restrict reg, uint64_t imm) {
  for (int i = 0; i < 32; i++)
    out[i] = reg[i] + imm;
}

static void address32(uint64_t *restrict out, const uint32_t *restrict reg, uint64_t imm) {
  for (int i = 0; i < 32; i++)
    out[i] = (uint32_t)(reg[i] + (uint32_t)imm);
}

static void address_index(uint64_t *restrict out, const int32_t *restrict reg, unsigned step, uint64_t imm) {
  for (unsigned i = 0; i < 32; i++)
    out[i] = imm + (uint64_t)((int64_t)reg[i * step] * 4);
}

#ifndef __AVX512F__
/* 0 if neighbours are all one stride apart. */
static uint64_t affine_error(const uint64_t *addr, uint64_t stride) {
  uint64_t diff = 0;
  for (int i = 0; i < 31; i++)
    diff |= (addr[i + 1] - addr[i]) ^ stride;
  return diff;
}
#endif

/* A larger stride could wrap around the address space and hide what lies between the ends. */
static bool sane(int64_t stride) {
  return stride > -(INT64_C(1) << 40) && stride < INT64_C(1) << 40;
}

static void affine_extremes(struct lane_scan *r, unsigned first, unsigned last) {
  uint64_t a = r->base + (uint64_t)r->stride * first, b = r->base + (uint64_t)r->stride * last;
  r->lo = r->stride < 0 ? b : a;
  r->hi = r->stride < 0 ? a : b;
  r->ors = a | (uint64_t)r->stride;
  r->affine = true;
}

/* The stride that the first two active lanes suggest; false if no whole number fits. */
static bool suggest_stride(const uint64_t *addr, unsigned first, unsigned second, int64_t *stride) {
  int64_t step = (int64_t)(addr[second] - addr[first]);
  int32_t gap = (int32_t)(second - first);
  *stride = step;
  if (gap == 1)
    return sane(step);
  if (!sane(step))
    return false;
  if (step == (int32_t)step) { /* a short division is a fast one */
    *stride = (int32_t)step / gap;
    return (int32_t)step % gap == 0;
  }
  *stride = step / gap;
  return step % gap == 0;
}

#ifdef __AVX512F__
/* Whether all active lanes lie on the line, eight at a time. */
static bool on_line(const uint64_t *addr, uint32_t mask, uint64_t base, uint64_t stride) {
  __m512i at = _mm512_add_epi64(
      _mm512_set1_epi64((long long)base),
      _mm512_mullo_epi64(_mm512_set1_epi64((long long)stride), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)));
  const __m512i next = _mm512_set1_epi64((long long)(stride * 8));
  __mmask8 off = 0;
  for (int i = 0; i < 4; i++) {
    off |= _mm512_mask_cmpneq_epi64_mask((__mmask8)(mask >> 8 * i), _mm512_loadu_si512(addr + 8 * i), at);
    at = _mm512_add_epi64(at, next);
  }
  return !off;
}

static void extremes(const uint64_t *addr, uint32_t mask, unsigned first, struct lane_scan *r) {
  const __m512i any = _mm512_set1_epi64((long long)addr[first]);
  __m512i lo = any, hi = any, ors = any;
  for (int i = 0; i < 4; i++) {
    __m512i a = _mm512_mask_mov_epi64(any, (__mmask8)(mask >> 8 * i), _mm512_loadu_si512(addr + 8 * i));
    lo = _mm512_min_epu64(lo, a);
    hi = _mm512_max_epu64(hi, a);
    ors = _mm512_or_si512(ors, a);
  }
  r->lo = _mm512_reduce_min_epu64(lo);
  r->hi = _mm512_reduce_max_epu64(hi);
  r->ors = (uint64_t)_mm512_reduce_or_epi64(ors);
}
#else
static bool on_line(const uint64_t *addr, uint32_t mask, uint64_t base, uint64_t stride) {
  if (mask == UINT32_MAX)
    return !affine_error(addr, stride);
  uint64_t off = 0;
  for (int i = 0; i < 32; i++)
    off |= mask >> i & 1 ? addr[i] ^ (base + stride * (uint64_t)i) : 0;
  return !off;
}

static void extremes(const uint64_t *addr, uint32_t mask, unsigned first, struct lane_scan *r) {
  uint64_t lo = addr[first], hi = lo, ors = lo, any = lo;
  for (int i = 0; i < 32; i++) {
    uint64_t a = mask >> i & 1 ? addr[i] : any;
    lo = a < lo ? a : lo;
    hi = a > hi ? a : hi;
    ors |= a;
  }
  r->lo = lo, r->hi = hi, r->ors = ors;
}
#endif

static void scan(const uint64_t *addr, uint32_t mask, struct lane_scan *r) {
  unsigned first = (unsigned)__builtin_ctz(mask), last = 31u - (unsigned)__builtin_clz(mask);
  if (first == last) {
    *r = (struct lane_scan){
        .lo = addr[first], .hi = addr[first], .ors = addr[first], .base = addr[first], .affine = true};
    return;
  }
  unsigned second = (unsigned)__builtin_ctz(mask & (mask - 1));
  if (suggest_stride(addr, first, second, &r->stride)) {
    r->base = addr[first] - (uint64_t)r->stride * first;
    if (addr[last] == r->base + (uint64_t)r->stride * last &&
        on_line(addr, mask, r->base, (uint64_t)r->stride)) {
      affine_extremes(r, first, last);
      return;
    }
  }
  r->affine = false;
  extremes(addr, mask, first, r);
}

static uint64_t blocks(const uint64_t *addr, uint32_t mask, unsigned shift, uint64_t lowest) {
  uint64_t seen = 0;
  for (int i = 0; i < 32; i++)
    seen |= (uint64_t)(mask >> i & 1) << (((addr[i] >> shift) - lowest) & 63);
  return seen;
}

#ifdef __AVX512F__
/* Two registers hold the 128 bytes from the lowest address on; a permutation picks each lane's word. */
static bool load_near(uint32_t *d, const uint8_t *shared, uint64_t limit, const void *reg, bool wide,
                      uint64_t imm, uint32_t mask) {
  __mmask16 k0 = (__mmask16)mask, k1 = (__mmask16)(mask >> 16);
  __m512i v0, v1;
  if (wide) {
    __m512i add = _mm512_set1_epi64((long long)imm), high = _mm512_set1_epi64((long long)0xffffffff00000000),
            part[4];
    __mmask8 far = 0;
    for (int i = 0; i < 4; i++) {
      part[i] = _mm512_add_epi64(_mm512_loadu_si512((const uint64_t *)reg + 8 * i), add);
      far |= _mm512_mask_test_epi64_mask((__mmask8)(mask >> 8 * i), part[i], high);
    }
    if (far)
      return false;
    v0 = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(part[0])),
                            _mm512_cvtepi64_epi32(part[1]), 1);
    v1 = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(part[2])),
                            _mm512_cvtepi64_epi32(part[3]), 1);
  } else {
    __m512i add = _mm512_set1_epi32((int)(uint32_t)imm);
    v0 = _mm512_add_epi32(_mm512_loadu_si512(reg), add);
    v1 = _mm512_add_epi32(_mm512_loadu_si512((const uint32_t *)reg + 16), add);
  }
  __m512i none = _mm512_set1_epi32(-1);
  uint32_t lo = _mm512_reduce_min_epu32(
      _mm512_min_epu32(_mm512_mask_mov_epi32(none, k0, v0), _mm512_mask_mov_epi32(none, k1, v1)));
  __m512i base = _mm512_set1_epi32((int)lo), three = _mm512_set1_epi32(3), span = _mm512_set1_epi32(128);
  __m512i o0 = _mm512_sub_epi32(v0, base), o1 = _mm512_sub_epi32(v1, base);
  __mmask16 bad = _mm512_mask_test_epi32_mask(k0, v0, three) | _mm512_mask_test_epi32_mask(k1, v1, three) |
                  _mm512_mask_cmpge_epu32_mask(k0, o0, span) | _mm512_mask_cmpge_epu32_mask(k1, o1, span);
  if (bad)
    return false;
  if ((uint64_t)lo + 128 > limit) { /* near the end: the highest decides */
    uint32_t most = _mm512_reduce_max_epu32(
        _mm512_max_epu32(_mm512_maskz_mov_epi32(k0, o0), _mm512_maskz_mov_epi32(k1, o1)));
    if ((uint64_t)lo + most + 4 > limit)
      return false;
  }
  __m512i t0 = _mm512_loadu_si512(shared + lo), t1 = _mm512_loadu_si512(shared + lo + 64);
  _mm512_mask_storeu_epi32(d, k0, _mm512_permutex2var_epi32(t0, _mm512_srli_epi32(o0, 2), t1));
  _mm512_mask_storeu_epi32(d + 16, k1, _mm512_permutex2var_epi32(t0, _mm512_srli_epi32(o1, 2), t1));
  return true;
}
#elif defined __AVX2__
/* All bits of the words of those of eight lanes that are in the mask, whose first bit is the first lane's. */
static inline __m256i lanes_in(uint32_t mask) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)mask), bit), bit);
}

static inline uint32_t word_of(__m256i v, bool most) {
  __m128i a = _mm256_castsi256_si128(v), b = _mm256_extracti128_si256(v, 1);
  a = most ? _mm_max_epu32(a, b) : _mm_min_epu32(a, b);
  b = _mm_unpackhi_epi64(a, a);
  a = most ? _mm_max_epu32(a, b) : _mm_min_epu32(a, b);
  b = _mm_srli_epi64(a, 32);
  return (uint32_t)_mm_cvtsi128_si32(most ? _mm_max_epu32(a, b) : _mm_min_epu32(a, b));
}

/* Words of lanes that lie near each other, by a gather for each eight of them. */
static bool load_near(uint32_t *d, const uint8_t *shared, uint64_t limit, const void *reg, bool wide,
                      uint64_t imm, uint32_t mask) {
  if (!mask)
    return true;
  const __m256i halves = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7), none = _mm256_set1_epi32(-1);
  __m256i a[4], in[4], lo = none, hi = _mm256_setzero_si256(), odd = hi, far = hi;
  for (int i = 0; i < 4; i++) {
    in[i] = lanes_in(mask >> 8 * i);
    if (wide) {
      __m256i add = _mm256_set1_epi64x((long long)imm);
      const __m256i *r = (const __m256i *)reg + 2 * i;
      __m256i v0 = _mm256_permutevar8x32_epi32(_mm256_add_epi64(_mm256_loadu_si256(r), add), halves),
              v1 = _mm256_permutevar8x32_epi32(_mm256_add_epi64(_mm256_loadu_si256(r + 1), add), halves);
      a[i] = _mm256_permute2x128_si256(v0, v1, 0x20);
      far = _mm256_or_si256(far, _mm256_and_si256(in[i], _mm256_permute2x128_si256(v0, v1, 0x31)));
    } else {
      a[i] = _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)reg + i), _mm256_set1_epi32((int)imm));
    }
    lo = _mm256_min_epu32(lo, _mm256_blendv_epi8(none, a[i], in[i]));
    hi = _mm256_max_epu32(hi, _mm256_and_si256(a[i], in[i]));
    odd = _mm256_or_si256(odd, _mm256_and_si256(a[i], in[i]));
  }
  uint32_t least = word_of(lo, false), most = word_of(hi, true);
  if (!_mm256_testz_si256(far, far) || !_mm256_testz_si256(odd, _mm256_set1_epi32(3)) ||
      most - least >= 128 || limit < 4 || most > limit - 4)
    return false;
  for (int i = 0; i < 4; i++) { /* from the first of them on: offsets are signed */
    __m256i at = _mm256_sub_epi32(a[i], _mm256_set1_epi32((int)least));
    __m256i *to = (__m256i *)(void *)d + i;
    _mm256_storeu_si256(to, _mm256_mask_i32gather_epi32(_mm256_loadu_si256(to),
                                                        (const int *)(const void *)(shared + least), at,
                                                        in[i], 1));
  }
  return true;
}
#else
static bool load_near(uint32_t *d, const uint8_t *shared, uint64_t limit, const void *reg, bool wide,
                      uint64_t imm, uint32_t mask) {
  uint32_t a[32], lo = UINT32_MAX, hi = 0, ors = 0;
  uint64_t high = 0;
  if (wide) {
    const uint64_t *r = reg;
    for (int i = 0; i < 32; i++) {
      uint64_t v = r[i] + imm;
      high |= mask >> i & 1 ? v : 0;
      a[i] = (uint32_t)v;
    }
  } else {
    const uint32_t *r = reg;
    for (int i = 0; i < 32; i++)
      a[i] = r[i] + (uint32_t)imm;
  }
  for (int i = 0; i < 32; i++) {
    uint32_t l = mask >> i & 1 ? a[i] : UINT32_MAX, h = mask >> i & 1 ? a[i] : 0;
    lo = l < lo ? l : lo;
    hi = h > hi ? h : hi;
    ors |= h;
  }
  if (high >> 32 || ors & 3 || hi - lo >= 128 || limit < 4 || hi > limit - 4)
    return false;
  for (uint32_t m = mask; m; m &= m - 1) {
    int i = __builtin_ctz(m);
    memcpy(&d[i], shared + a[i], 4);
  }
  return true;
}
#endif

static void gather32(uint32_t *restrict d, uintptr_t base, const uint64_t *restrict addr) {
  for (int i = 0; i < 32; i++)
    memcpy(&d[i], (const void *)(base + (uintptr_t)addr[i]), 4);
}

static void blend32(uint32_t *d, uint32_t v, uint32_t mask) {
  for (int i = 0; i < 32; i++)
    d[i] = mask >> i & 1 ? v : d[i];
}

static void blend64(uint64_t *d, uint64_t v, uint32_t mask) {
  for (int i = 0; i < 32; i++)
    d[i] = mask >> i & 1 ? v : d[i];
}

#ifdef __AVX512F__
#define WORD_FNS &lane_word_fns
#else
#define WORD_FNS NULL
#endif

extern path_fn *const CAT(path_fns_, LANES_ISA)[];

const struct lane_fns CAT(lane_fns_, LANES_ISA) = {address64,
                                                   address32,
                                                   address_index,
                                                   scan,
                                                   blocks,
                                                   load_near,
                                                   gather32,
                                                   blend32,
                                                   blend64,
                                                   WORD_FNS,
                                                   CAT(path_fns_, LANES_ISA)};
