/* Compiled once per instruction set; LANES_ISA names the table. See lanes.h. */
#include "front/run/lanes.h"
#include <string.h>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

static void address64(uint64_t *restrict out, const uint64_t *restrict reg, uint64_t imm) {
  for (int i = 0; i < 32; i++) out[i] = reg[i] + imm;
}

static void address32(uint64_t *restrict out, const uint32_t *restrict reg, uint64_t imm) {
  for (int i = 0; i < 32; i++) out[i] = (uint32_t)(reg[i] + (uint32_t)imm);
}

static uint64_t affine_error(const uint64_t *addr, uint64_t base, uint64_t stride) {
  uint64_t diff = 0;
  for (int i = 0; i < 32; i++) diff |= addr[i] ^ (base + stride * (uint64_t)i);
  return diff;
}

/* A larger stride could wrap around the address space and hide what lies between the ends. */
static bool sane(int64_t stride) { return stride > -(INT64_C(1) << 40) && stride < INT64_C(1) << 40; }

static void extremes(const uint64_t *addr, struct lane_scan *r) {
  uint64_t lo = addr[0], hi = addr[0], ors = 0;
  for (int i = 0; i < 32; i++) {
    lo = addr[i] < lo ? addr[i] : lo;
    hi = addr[i] > hi ? addr[i] : hi;
    ors |= addr[i];
  }
  r->lo = lo, r->hi = hi, r->ors = ors;
}

static void affine_extremes(struct lane_scan *r, unsigned first, unsigned last) {
  uint64_t a = r->base + (uint64_t)r->stride * first, b = r->base + (uint64_t)r->stride * last;
  r->lo = r->stride < 0 ? b : a;
  r->hi = r->stride < 0 ? a : b;
  r->ors = a | (uint64_t)r->stride;
  r->affine = true;
}

static void scan(const uint64_t *addr, uint32_t mask, struct lane_scan *r) {
  if (mask == UINT32_MAX) {
    r->base = addr[0];
    r->stride = (int64_t)(addr[1] - addr[0]);
    if (sane(r->stride) && !affine_error(addr, r->base, (uint64_t)r->stride)) {
      affine_extremes(r, 0, 31);
      return;
    }
    r->affine = false;
    extremes(addr, r);
    return;
  }
  unsigned first = (unsigned)__builtin_ctz(mask), last = 31u - (unsigned)__builtin_clz(mask);
  uint64_t full[32];
  uint64_t fallback = addr[first];
  uint32_t rest = mask & (mask - 1);
  r->stride = 0;
  if (rest) {
    unsigned second = (unsigned)__builtin_ctz(rest);
    int64_t step = (int64_t)(addr[second] - addr[first]), gap = (int64_t)(second - first);
    r->stride = step % gap ? 0 : step / gap;
  }
  r->base = addr[first] - (uint64_t)r->stride * first;
  for (int i = 0; i < 32; i++) full[i] = mask >> i & 1 ? addr[i] : r->base + (uint64_t)r->stride * (uint64_t)i;
  if (sane(r->stride) && !affine_error(full, r->base, (uint64_t)r->stride)) {
    affine_extremes(r, first, last);
    return;
  }
  r->affine = false;
  for (int i = 0; i < 32; i++) full[i] = mask >> i & 1 ? addr[i] : fallback;
  extremes(full, r);
}

static void gather32(uint32_t *restrict d, const uint8_t *base, const uint64_t *restrict addr) {
  for (int i = 0; i < 32; i++) memcpy(&d[i], base + addr[i], 4);
}

static void blend32(uint32_t *d, uint32_t v, uint32_t mask) {
  for (int i = 0; i < 32; i++) d[i] = mask >> i & 1 ? v : d[i];
}

static void blend64(uint64_t *d, uint64_t v, uint32_t mask) {
  for (int i = 0; i < 32; i++) d[i] = mask >> i & 1 ? v : d[i];
}

const struct lane_fns CAT(lane_fns_, LANES_ISA) = {address64, address32, scan, gather32, blend32, blend64};
