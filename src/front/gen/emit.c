#include "front/gen/emit.h"
#include "base/mem.h"
#include "sluice_stream.h"

static void put(struct emit *e, uint32_t word) {
  VEC_PUSH(e->words, e->n, e->cap) = word;
}

void emit_mask(struct emit *e, uint64_t mask) {
  put(e, (uint32_t)mask);
  if (e->warp_width > 32)
    put(e, (uint32_t)(mask >> 32));
}

void emit_head(struct emit *e, uint32_t block, uint32_t warp, uint64_t mask) {
  put(e, block);
  put(e, warp);
  emit_mask(e, mask);
}

/* Different values of offset >> shift; neighbours mostly share theirs. */
static uint32_t distinct(const uint32_t *offset, uint64_t mask, unsigned shift) {
  uint32_t seen[64], n = 0;
  for (; mask; mask &= mask - 1) {
    uint32_t v = offset[__builtin_ctzll(mask)] >> shift, i = n;
    while (i && seen[i - 1] != v)
      i--;
    if (!i)
      seen[n++] = v;
  }
  return n;
}

/* Do all lanes lie on a line? Its start is where lane 0 would be. */
static bool affine(const uint32_t *offset, uint64_t mask, int64_t *start, int64_t *stride) {
  int first = __builtin_ctzll(mask);
  uint64_t rest = mask & (mask - 1);
  *stride = 0;
  if (rest) {
    int64_t far = (int64_t)offset[__builtin_ctzll(rest)] - offset[first];
    int64_t lanes = __builtin_ctzll(rest) - first;
    if (far % lanes)
      return false;
    *stride = far / lanes;
  }
  *start = (int64_t)offset[first] - *stride * first;
  for (; rest; rest &= rest - 1)
    if (offset[__builtin_ctzll(rest)] != *start + *stride * __builtin_ctzll(rest))
      return false;
  return *stride >= INT32_MIN && *stride <= INT32_MAX;
}

void emit_access(struct emit *e, uint64_t base, const uint32_t *offset, uint64_t mask) {
  int64_t start, stride;
  bool line = affine(offset, mask, &start, &stride);
  uint32_t form = line ? SLUICE_AFFINE : SLUICE_LIST32;
  put(e, form | SLUICE_SP_GLOBAL << 2 | distinct(offset, mask, 7) << 6 | distinct(offset, mask, 5) << 14);
  uint64_t from = line ? base + (uint64_t)start : base;
  put(e, (uint32_t)from);
  put(e, (uint32_t)(from >> 32));
  if (line)
    put(e, (uint32_t)stride);
  else
    for (; mask; mask &= mask - 1)
      put(e, offset[__builtin_ctzll(mask)]);
}
