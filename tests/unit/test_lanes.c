/* A warp's 4-byte access done in one go gives the words and the data that the format of the stream and
 * the lanes taken one after the other give. The expected side is written from include/sluice.h alone. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include "front/run/lanes.h"
#include "sluice.h"
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 20, ROUNDS = 20000 };
#define BEGIN UINT64_C(0x700000200000)

static uint64_t state = 1;
static uint32_t random_below(uint32_t n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)(state >> 32) % n;
}

static unsigned distinct(const uint64_t *addr, uint32_t mask, unsigned shift) {
  unsigned n = 0;
  for (unsigned i = 0; i < 32; i++) {
    bool fresh = mask >> i & 1;
    for (unsigned k = 0; k < i; k++)
      fresh = fresh && !(mask >> k & 1 && addr[k] >> shift == addr[i] >> shift);
    n += fresh;
  }
  return n;
}

/* The line through the first two active lanes, if all lie on it. */
static bool line(const uint64_t *addr, uint32_t mask, uint64_t *base, int64_t *stride) {
  int first = -1, second = -1;
  for (int i = 31; i >= 0; i--)
    if (mask >> i & 1)
      second = first, first = i;
  *stride = 0;
  *base = addr[first];
  if (second < 0)
    return true;
  int64_t step = (int64_t)(addr[second] - addr[first]);
  if (step % (second - first))
    return false;
  *stride = step / (second - first);
  *base = addr[first] - (uint64_t)(*stride * first);
  for (int i = 0; i < 32; i++)
    if (mask >> i & 1 && addr[i] != *base + (uint64_t)(*stride * i))
      return false;
  return true;
}

static unsigned expected_words(const uint64_t *addr, uint32_t mask, uint32_t *out) {
  uint64_t base, lo = UINT64_MAX;
  int64_t stride;
  unsigned n = 3;
  bool affine = line(addr, mask, &base, &stride);
  for (unsigned i = 0; i < 32; i++)
    if (mask >> i & 1 && addr[i] < lo)
      lo = addr[i];
  if (!affine)
    base = lo;
  out[0] = SLUICE_SP_GLOBAL << 2 | (affine ? SLUICE_AFFINE : SLUICE_LIST32) | distinct(addr, mask, 7) << 6 |
           distinct(addr, mask, 5) << 14;
  out[1] = (uint32_t)base, out[2] = (uint32_t)(base >> 32);
  if (affine) {
    out[n++] = (uint32_t)stride;
    return n;
  }
  for (unsigned i = 0; i < 32; i++)
    if (mask >> i & 1)
      out[n++] = (uint32_t)(addr[i] - lo);
  return n;
}

/* Lines of every stride, scattered lanes far and near, masks full, thin and between. */
static uint32_t make_access(uint64_t *addr) {
  static const int32_t strides[] = {0, 4, -4, 8, 12, 28, 32, 36, 64, 124, 128, 132, -128, 4096, -8192};
  uint32_t mask = random_below(4) ? random_below(UINT32_MAX) : UINT32_MAX;
  for (unsigned k = random_below(4); k; k--)
    mask &= random_below(UINT32_MAX);
  mask |= UINT32_C(1) << random_below(32);
  unsigned kind = random_below(5);
  uint32_t at = BUFFER / 2 + 4 * random_below(1024), span = kind == 1 ? 32 : kind == 2 ? 1024 : BUFFER / 4;
  int32_t stride = strides[random_below(sizeof strides / sizeof *strides)];
  for (unsigned i = 0; i < 32; i++)
    addr[i] = kind == 0 || kind == 4 ? BEGIN + at + (uint64_t)((int64_t)stride * (int64_t)i)
                                     : BEGIN + 4 * random_below(span);
  if (kind == 4) /* one lane off the line */
    addr[random_below(32)] += 4;
  for (unsigned i = 0; i < 32; i++) /* nobody looks at lanes that do not take part */
    if (!(mask >> i & 1))
      addr[i] = (uint64_t)random_below(UINT32_MAX) << 32;
  return mask;
}

/* A register and a start that lead to these addresses; FROM words before the buffer. Returns the start. */
enum { FROM = 300 };
static uint64_t make_register(enum uop_index index, const uint64_t *addr, uint64_t *reg) {
  if (index == INDEX_NONE) {
    for (unsigned i = 0; i < 32; i++)
      reg[i] = addr[i] + 16;
    return (uint64_t)-16;
  }
  int32_t *words = (int32_t *)reg;
  for (unsigned i = 0; i < 32; i++) {
    int32_t at = (int32_t)((int64_t)(addr[i] - BEGIN) / 4) + FROM;
    if (index == INDEX_LOW)
      reg[i] = (uint64_t)random_below(UINT32_MAX) << 32 | (uint32_t)at;
    else
      words[i] = at;
  }
  return BEGIN - 4 * FROM;
}

static const struct lane_fns *fns_or_skip(void) {
  const struct lane_fns *f = lane_fns();
  if (!f->word)
    skip();
  return f;
}

static void load_and_store_agree_with_lane_by_lane(void **unused) {
  (void)unused;
  const struct lane_fns *f = fns_or_skip();
  uint8_t *host = malloc(BUFFER), *copy = malloc(BUFFER);
  for (size_t i = 0; i < BUFFER; i++)
    host[i] = copy[i] = (uint8_t)random_below(256);
  alignas(64) uint64_t reg[32];
  alignas(64) uint32_t data[32], want[32];
  const struct lane_buffer b = {.begin = BEGIN, .size = BUFFER, .host = host, .head = SLUICE_SP_GLOBAL << 2};
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t addr[32];
    uint32_t out[64], words[64], mask = make_access(addr);
    for (unsigned i = 0; i < 32; i++)
      data[i] = want[i] = random_below(UINT32_MAX);
    enum uop_index index = (enum uop_index)(round / 2 % INDEX_KINDS);
    uint64_t start = make_register(index, addr, reg);
    bool load = round & 1;
    for (unsigned i = 0; i < 32; i++)
      if (mask >> i & 1)
        memcpy(load ? (void *)&want[i] : copy + (addr[i] - BEGIN),
               load ? copy + (addr[i] - BEGIN) : (const void *)&want[i], 4);
    unsigned n = (load ? f->word->load : f->word->store)[index](&b, reg, start, data, mask, out);
    assert_int_equal(n, expected_words(addr, mask, words));
    assert_memory_equal(out, words, n * 4);
    assert_memory_equal(data, want, sizeof data);
  }
  assert_memory_equal(host, copy, BUFFER);
  free(host), free(copy);
}

static void what_is_not_inside_is_left_alone(void **unused) {
  (void)unused;
  const struct lane_fns *f = fns_or_skip();
  static const uint64_t bad[] = {
      BEGIN - 4, BEGIN + 256, BEGIN + 2, BEGIN + 253, 0, UINT64_MAX - 3, BEGIN + (UINT64_C(1) << 32)};
  alignas(64) uint64_t reg[32];
  alignas(64) uint32_t data[32] = {0};
  uint8_t host[256] = {0};
  uint32_t out[64];
  const struct lane_buffer b = {.begin = BEGIN, .size = sizeof host, .host = host};
  for (unsigned lanes = 1; lanes <= 32; lanes++)
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
      for (unsigned i = 0; i < 32; i++)
        reg[i] = BEGIN + 4 * i, data[i] = 7;
      reg[lanes - 1] = bad[k];
      uint32_t mask = UINT32_MAX >> (32 - lanes);
      assert_int_equal(f->word->load[INDEX_NONE](&b, reg, 0, data, mask, out), 0);
      assert_int_equal(f->word->store[INDEX_NONE](&b, reg, 0, data, mask, out), 0);
      assert_int_equal(data[0], 7);
      assert_int_equal(host[0], 0);
    }
}

/* Indices that leave the buffer, some of them around the ends of what 32 bits hold, and a start between words. */
static void an_index_outside_is_left_alone(void **unused) {
  (void)unused;
  const struct lane_fns *f = fns_or_skip();
  static const int64_t bad[] = {-1, 64, INT32_MIN, INT32_MAX, 1 << 30, -(1 << 30), 1 << 29, INT32_MIN + 63};
  uint8_t host[256] = {0};
  uint32_t out[64];
  const struct lane_buffer b = {.begin = BEGIN, .size = sizeof host, .host = host};
  for (unsigned lanes = 1; lanes <= 32; lanes++)
    for (size_t k = 0; k <= 2 * sizeof bad / sizeof *bad; k++) {
      alignas(64) int32_t reg[64];
      alignas(64) uint32_t data[32];
      const bool low = k & 1, between = k == 2 * sizeof bad / sizeof *bad;
      for (unsigned i = 0; i < 32; i++)
        data[i] = 7, reg[low ? 2 * i : i] = (int32_t)i;
      if (!between)
        reg[low ? 2 * (lanes - 1) : lanes - 1] = (int32_t)bad[k / 2];
      enum uop_index index = low ? INDEX_LOW : INDEX_32;
      uint64_t start = BEGIN + (between ? 2 : 0);
      uint32_t mask = UINT32_MAX >> (32 - lanes);
      assert_int_equal(f->word->load[index](&b, reg, start, data, mask, out), 0);
      assert_int_equal(f->word->store[index](&b, reg, start, data, mask, out), 0);
      assert_int_equal(data[0], 7);
      assert_int_equal(host[0], 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(load_and_store_agree_with_lane_by_lane),
      cmocka_unit_test(what_is_not_inside_is_left_alone),
      cmocka_unit_test(an_index_outside_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
