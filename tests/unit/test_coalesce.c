/* From the addresses of lanes to accesses of lines: cases worked out by hand, and random ones against a map of bytes. */
#include "gpu/gpu.h"
#include "check.h"
#include <stdlib.h>

#define BASE UINT64_C(0x710000000000)

struct bench {
  struct core_config core;
  struct sm_launch launch;
  struct sm sm;
  struct warp_inst inst;
  struct sm_memop op;
};

static void setup(struct bench *b, unsigned width, enum mem_kind kind, unsigned bytes) {
  *b = (struct bench){0};
  b->launch.width = width;
  b->launch.wide = width > 32;
  b->sm.launch = &b->launch;
  b->sm.k = &b->core;
  b->sm.nwarps = 48;
  b->sm.line_shift = 7;
  b->inst.bytes = (uint8_t)bytes;
  b->inst.loops = 1;
  b->op.of.inst = &b->inst;
  b->op.of.kind = (uint8_t)kind;
}

static uint32_t word(enum sluice_form form, enum sluice_space space) {
  return (uint32_t)form | (uint32_t)space << 2;
}

/* A warp of 32 lanes whose lane l accesses base + stride * l. */
static void affine(struct bench *b, enum mem_kind kind, unsigned bytes, uint64_t base, int stride,
                   uint32_t mask) {
  setup(b, 32, kind, bytes);
  uint32_t item[] = {word(SLUICE_AFFINE, SLUICE_SP_GLOBAL), (uint32_t)base, (uint32_t)(base >> 32),
                     (uint32_t)stride};
  assert_ptr_equal(coalesce(&b->sm, &b->op, item, mask, false), item + 4);
}

static void is(const struct bench *b, uint32_t i, uint64_t line, unsigned sectors) {
  assert_true(i < b->op.n);
  assert_int_equal(b->op.access[i].line, line);
  assert_int_equal(b->op.access[i].sectors, sectors);
}

static void is_store(const struct bench *b, uint32_t i, uint64_t line, unsigned sectors, uint64_t low,
                     uint64_t high) {
  is(b, i, line, sectors);
  assert_int_equal(b->op.access[i].bytes[0], low);
  assert_int_equal(b->op.access[i].bytes[1], high);
}

/* sm.merge = in-flight: lanes 0 to 3 of two lines in turn. A load shares any access of its line, a store only that of the lane before. */
static void a_store_joins_the_access_before_it_only(void **state) {
  (void)state;
  for (int runs = 0; runs < 2; runs++) {
    struct bench b;
    setup(&b, 32, MEM_WRITE, 4);
    b.op.runs = runs;
    uint32_t item[] = {
        word(SLUICE_LIST32, SLUICE_SP_GLOBAL), (uint32_t)BASE, (uint32_t)(BASE >> 32), 0, 256, 4, 8};
    assert_ptr_equal(coalesce(&b.sm, &b.op, item, 15, false), item + 7);
    assert_int_equal(b.op.n, runs ? 3 : 2);
    is_store(&b, 0, BASE, 1, runs ? 0xf : 0xfff, 0);
    is_store(&b, 1, BASE + 256, 1, 0xf, 0);
    if (runs)
      is_store(&b, 2, BASE, 1, 0xff0, 0);
  }
}

static void lanes_side_by_side_are_one_line(void **state) {
  (void)state;
  struct bench b;
  affine(&b, MEM_READ, 4, BASE, 4, UINT32_MAX);
  assert_int_equal(b.op.n, 1);
  is(&b, 0, BASE, 15);
  affine(&b, MEM_WRITE, 4, BASE, 4, UINT32_MAX);
  assert_int_equal(b.op.n, 1);
  is_store(&b, 0, BASE, 15, UINT64_MAX, UINT64_MAX);
  affine(&b, MEM_WRITE, 1, BASE + 32, 1, UINT32_MAX); /* bytes: a sector */
  assert_int_equal(b.op.n, 1);
  is_store(&b, 0, BASE, 2, UINT64_C(0xffffffff00000000), 0);
  affine(&b, MEM_WRITE, 2, BASE + 32, 2, UINT32_MAX);
  assert_int_equal(b.op.n, 1);
  is_store(&b, 0, BASE, 6, UINT64_C(0xffffffff00000000), UINT64_C(0xffffffff));
  affine(&b, MEM_READ, 4, BASE + 124, -4, UINT32_MAX); /* backwards */
  assert_int_equal(b.op.n, 1);
  is(&b, 0, BASE, 15);
}

static void unaligned_warps_touch_two_lines(void **state) {
  (void)state;
  struct bench b;
  affine(&b, MEM_WRITE, 4, BASE + 64, 4, UINT32_MAX);
  assert_int_equal(b.op.n, 2);
  is_store(&b, 0, BASE, 12, 0, UINT64_MAX);
  is_store(&b, 1, BASE + 128, 3, UINT64_MAX, 0);
  affine(&b, MEM_WRITE, 4, BASE + 4, 4, UINT32_MAX);
  assert_int_equal(b.op.n, 2);
  is_store(&b, 0, BASE, 15, ~UINT64_C(15), UINT64_MAX);
  is_store(&b, 1, BASE + 128, 1, 15, 0);
  affine(&b, MEM_READ, 4, BASE + 128 + 60, -4, UINT32_MAX); /* the line of the first lane comes first */
  assert_int_equal(b.op.n, 2);
  is(&b, 0, BASE + 128, 3);
  is(&b, 1, BASE, 12);
}

static void strides_spread_over_lines(void **state) {
  (void)state;
  struct bench b;
  affine(&b, MEM_WRITE, 4, BASE, 8, UINT32_MAX);
  assert_int_equal(b.op.n, 2);
  for (uint32_t i = 0; i < 2; i++)
    is_store(&b, i, BASE + 128 * i, 15, UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x0f0f0f0f0f0f0f0f));
  affine(&b, MEM_READ, 4, BASE, 32, UINT32_MAX);
  assert_int_equal(b.op.n, 8);
  for (uint32_t i = 0; i < 8; i++)
    is(&b, i, BASE + 128 * i, 15);
  affine(&b, MEM_READ, 4, BASE, 64, UINT32_MAX);
  assert_int_equal(b.op.n, 16);
  for (uint32_t i = 0; i < 16; i++)
    is(&b, i, BASE + 128 * i, 5);
  affine(&b, MEM_READ, 4, BASE + 96, 128, UINT32_MAX);
  assert_int_equal(b.op.n, 32);
  for (uint32_t i = 0; i < 32; i++)
    is(&b, i, BASE + 128 * i, 8);
}

static void one_word_is_one_sector(void **state) {
  (void)state;
  struct bench b;
  affine(&b, MEM_WRITE, 4, BASE + 100, 0, UINT32_MAX);
  assert_int_equal(b.op.n, 1);
  is_store(&b, 0, BASE, 8, 0, UINT64_C(15) << 36);
}

static void idle_lanes_touch_nothing(void **state) {
  (void)state;
  struct bench b;
  affine(&b, MEM_WRITE, 4, BASE, 4, 0xff);
  assert_int_equal(b.op.n, 1);
  is_store(&b, 0, BASE, 1, UINT32_MAX, 0);
  affine(&b, MEM_WRITE, 4, BASE, 4, 0x80000001);
  assert_int_equal(b.op.n, 1);
  is_store(&b, 0, BASE, 9, 15, UINT64_C(15) << 60);
  affine(&b, MEM_READ, 4, BASE, 128, 0x10010);
  assert_int_equal(b.op.n, 2);
  is(&b, 0, BASE + 4 * 128, 1);
  is(&b, 1, BASE + 16 * 128, 1);
}

static void vectors_are_wide_words(void **state) {
  (void)state;
  struct bench b;
  affine(&b, MEM_WRITE, 8, BASE, 8, UINT32_MAX);
  assert_int_equal(b.op.n, 2);
  for (uint32_t i = 0; i < 2; i++)
    is_store(&b, i, BASE + 128 * i, 15, UINT64_MAX, UINT64_MAX);
  affine(&b, MEM_WRITE, 16, BASE, 16, UINT32_MAX);
  assert_int_equal(b.op.n, 4);
  for (uint32_t i = 0; i < 4; i++)
    is_store(&b, i, BASE + 128 * i, 15, UINT64_MAX, UINT64_MAX);
  affine(&b, MEM_WRITE, 16, BASE + 48, 128, 3);
  assert_int_equal(b.op.n, 2);
  for (uint32_t i = 0; i < 2; i++)
    is_store(&b, i, BASE + 128 * i, 2, UINT64_C(0xffff) << 48, 0);
  affine(&b, MEM_READ, 8, BASE + 64, 8, UINT32_MAX);
  assert_int_equal(b.op.n, 3);
  is(&b, 0, BASE, 12);
  is(&b, 1, BASE + 128, 15);
  is(&b, 2, BASE + 256, 3);
}

/* Word k of all lanes lies side by side: each word of an access is a row. Every warp slot has its own area. */
static void local_words_are_interleaved(void **state) {
  (void)state;
  static const struct {
    unsigned width, bytes;
    uint32_t lines;
    unsigned sectors; /* of each line */
  } rows[] = {{32, 4, 1, 15},  {32, 8, 2, 15}, {32, 16, 4, 15}, {64, 4, 2, 15},
              {64, 16, 8, 15}, {16, 4, 1, 3},  {16, 8, 1, 15},  {16, 16, 2, 15}};
  uint64_t first[4];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint32_t slot = 0; slot < 4; slot++) {
      struct bench b;
      setup(&b, rows[i].width, MEM_READ, rows[i].bytes);
      b.sm.id = slot / 2;
      b.op.of.warp = slot % 2 * 47;
      uint32_t item[] = {word(SLUICE_AFFINE, SLUICE_SP_LOCAL), 0, 0, 4};
      uint64_t mask = rows[i].width == 64 ? UINT64_MAX : (UINT64_C(1) << rows[i].width) - 1;
      assert_ptr_equal(coalesce(&b.sm, &b.op, item, mask, false), item + 4);
      assert_int_equal(b.op.n, rows[i].lines);
      first[slot] = b.op.access[0].line;
      for (uint32_t k = 0; k < b.op.n; k++)
        is(&b, k, first[slot] + 128 * k, rows[i].sectors);
      for (uint32_t k = 0; k < slot; k++)
        assert_true(first[k] + (1 << 20) <= first[slot]);
    }
}

static void shared_accesses_are_cycles(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 32, MEM_READ, 4);
  uint32_t item[] = {word(SLUICE_SHARED, SLUICE_SP_SHARED) | 7u << 6};
  assert_ptr_equal(coalesce(&b.sm, &b.op, item, UINT32_MAX, false), item + 1);
  assert_int_equal(b.op.n, 0);
  assert_true(b.op.shared);
  assert_int_equal(b.op.busy, 7);
}

/* Lanes in two spaces: each part has its own mask, of two words when warps are wide. */
static void parts_have_masks(void **state) {
  (void)state;
  for (unsigned width = 32; width <= 64; width += 32) {
    struct bench b;
    setup(&b, width, MEM_WRITE, 4);
    uint32_t item[16], n = 0;
    item[n++] = word(SLUICE_AFFINE, SLUICE_SP_GLOBAL) | SLUICE_ACCESS_MORE;
    item[n++] = 0x3;
    if (width > 32)
      item[n++] = 0x1; /* lane 32 */
    item[n++] = (uint32_t)BASE, item[n++] = (uint32_t)(BASE >> 32), item[n++] = 4;
    uint32_t second = n;
    item[n++] = word(SLUICE_SHARED, SLUICE_SP_SHARED) | 2u << 6;
    item[n++] = 0xc;
    if (width > 32)
      item[n++] = 0;
    assert_ptr_equal(coalesce(&b.sm, &b.op, item, UINT32_MAX, false), item + second);
    assert_ptr_equal(coalesce(&b.sm, &b.op, item + second, UINT32_MAX, true), item + n);
    assert_int_equal(b.op.n, width > 32 ? 2 : 1);
    is_store(&b, 0, BASE, 1, 0xff, 0);
    if (width > 32)
      is_store(&b, 1, BASE + 128, 1, 0xf, 0);
    assert_int_equal(b.op.busy, 2);
  }
}

static void constants_are_marked(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 32, MEM_READ, 4);
  uint32_t item[] = {word(SLUICE_AFFINE, SLUICE_SP_CONST), (uint32_t)BASE, (uint32_t)(BASE >> 32), 0};
  coalesce(&b.sm, &b.op, item, UINT32_MAX, false);
  assert_true(b.op.of.constant);
  assert_int_equal(b.op.n, 1);
}

/* Random lanes in 64 lines: what is touched, byte by byte, and the lines in order of their first lanes. */
enum { LINES = 64 };
static uint64_t seed = 88172645463325252u;
static uint64_t rnd(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

static void check_random(unsigned width, unsigned shift, enum sluice_form form, unsigned bytes, bool store) {
  struct bench b;
  unsigned line = 1u << shift;
  setup(&b, width, store ? MEM_WRITE : MEM_READ, bytes);
  b.sm.line_shift = shift;
  uint64_t mask = rnd() & rnd(), address[64];
  if (rnd() % 4 == 0)
    mask = UINT64_MAX;
  if (width < 64)
    mask &= (UINT64_C(1) << width) - 1;
  if (!mask)
    mask = 1;
  uint64_t span = rnd() % 2 ? LINES * 128 : 512, first = rnd() % (span / bytes) * bytes;
  int stride = (int)(rnd() % 5) * (int)bytes;
  for (unsigned l = 0; l < width; l++)
    address[l] = BASE + (form == SLUICE_AFFINE ? first / 4 / bytes * bytes + (uint64_t)stride * l
                                               : rnd() % (span / bytes) * bytes);
  uint32_t item[160], n = 0;
  item[n++] = word(form, SLUICE_SP_GLOBAL);
  if (form == SLUICE_AFFINE)
    item[n++] = (uint32_t)address[0], item[n++] = (uint32_t)(address[0] >> 32), item[n++] = (uint32_t)stride;
  if (form == SLUICE_LIST32)
    item[n++] = (uint32_t)BASE, item[n++] = (uint32_t)(BASE >> 32);
  for (unsigned l = 0; l < width; l++) {
    if (!(mask >> l & 1))
      continue;
    if (form == SLUICE_LIST32)
      item[n++] = (uint32_t)(address[l] - BASE);
    if (form == SLUICE_LIST64)
      item[n++] = (uint32_t)address[l], item[n++] = (uint32_t)(address[l] >> 32);
  }
  assert_ptr_equal(coalesce(&b.sm, &b.op, item, mask, false), item + n);
  static uint8_t touched[4 * LINES * 128];
  memset(touched, 0, sizeof touched);
  uint64_t order[64];
  uint32_t lines = 0;
  for (unsigned l = 0; l < width; l++) {
    if (!(mask >> l & 1))
      continue;
    memset(touched + (address[l] - BASE), 1, bytes);
    uint32_t k = 0;
    while (k < lines && order[k] != address[l] / line)
      k++;
    if (k == lines)
      order[lines++] = address[l] / line;
  }
  assert_int_equal(b.op.n, lines);
  for (uint32_t k = 0; k < lines; k++) {
    const struct sm_access *a = &b.op.access[k];
    assert_int_equal(a->line, order[k] * line);
    unsigned sectors = 0;
    for (unsigned i = 0; i < line; i++) {
      bool t = touched[a->line - BASE + i];
      sectors |= (unsigned)t << i / 32;
      if (store)
        assert_int_equal(a->bytes[i / 64] >> i % 64 & 1, t);
    }
    assert_int_equal(a->sectors, sectors);
  }
}

/* Lines of 64 bytes: two for what fills one of 128, each with two sectors. */
static void shorter_lines_are_more(void **state) {
  (void)state;
  struct bench b;
  setup(&b, 32, MEM_WRITE, 4);
  b.sm.line_shift = 6;
  uint32_t item[] = {word(SLUICE_AFFINE, SLUICE_SP_GLOBAL), (uint32_t)(BASE + 32), (uint32_t)(BASE >> 32), 4};
  coalesce(&b.sm, &b.op, item, UINT32_MAX, false);
  assert_int_equal(b.op.n, 3); /* 128 bytes from the middle of a line on */
  is_store(&b, 0, BASE, 2, UINT64_C(0xffffffff00000000), 0);
  is_store(&b, 1, BASE + 64, 3, UINT64_MAX, 0);
  is_store(&b, 2, BASE + 128, 1, UINT32_MAX, 0);
  b.op.n = 0, b.op.seen = 0;
  item[1] = (uint32_t)BASE, item[3] = 64;
  coalesce(&b.sm, &b.op, item, UINT32_MAX, false);
  assert_int_equal(b.op.n, 32);
  for (uint32_t i = 0; i < 32; i++)
    is_store(&b, i, BASE + 64 * i, 1, 15, 0);
}

static void random_lanes_equal_a_map_of_bytes(void **state) {
  (void)state;
  static const unsigned widths[] = {1, 8, 16, 32, 48, 64};
  for (unsigned round = 0; round < 20000; round++)
    check_random(widths[rnd() % 6], 6 + rnd() % 2, (enum sluice_form)(rnd() % 3), 1u << rnd() % 5, rnd() % 2);
}

/* A wavefront of 64 lanes and lines of 64 bytes: lane l accesses what `line` says, coalesced or merged. */
static uint32_t lines_of_wavefront(enum mem_kind kind, uint32_t merge, uint64_t (*address)(unsigned lane)) {
  struct bench b;
  setup(&b, 64, kind, 4);
  b.sm.line_shift = 6;
  b.op.merge = merge;
  uint32_t item[1 + 2 * 64] = {word(SLUICE_LIST64, SLUICE_SP_GLOBAL)};
  for (unsigned l = 0; l < 64; l++) {
    item[1 + 2 * l] = (uint32_t)address(l);
    item[2 + 2 * l] = (uint32_t)(address(l) >> 32);
  }
  assert_ptr_equal(coalesce(&b.sm, &b.op, item, UINT64_MAX, false), item + 1 + 2 * 64);
  return b.op.n;
}

static uint64_t same_word(unsigned lane) {
  (void)lane;
  return BASE;
}
static uint64_t side_by_side(unsigned lane) {
  return BASE + 4 * lane;
}
static uint64_t shifted(unsigned lane) {
  return BASE + 32 + 4 * lane;
}
static uint64_t by_sixteen(unsigned lane) {
  return BASE + 64 * (lane % 16) + 4 * (lane / 16);
}
static uint64_t by_four(unsigned lane) {
  return BASE + 64 * (lane % 4);
}
static uint64_t apart(unsigned lane) {
  return BASE + 64 * lane;
}

/* Merging shares a line within each 16 lanes, which reach the cache in cycles of their own (FRC thesis, 3.5.2);
 * coalescing over all 64; a group of one lane shares with nobody. */
static void merging_stays_within_sixteen_lanes(void **state) {
  (void)state;
  static const struct {
    uint64_t (*address)(unsigned lane);
    uint32_t coalesced, merged;
  } cases[] = {{same_word, 1, 4},    {side_by_side, 4, 4}, {shifted, 5, 8},
               {by_sixteen, 16, 64}, {by_four, 4, 16},     {apart, 64, 64}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int kind = MEM_READ; kind <= MEM_WRITE; kind++) {
      assert_int_equal(lines_of_wavefront((enum mem_kind)kind, 0, cases[i].address), cases[i].coalesced);
      assert_int_equal(lines_of_wavefront((enum mem_kind)kind, 16, cases[i].address), cases[i].merged);
      assert_int_equal(lines_of_wavefront((enum mem_kind)kind, 1, cases[i].address), 64);
    }
}

/* The same where lanes are told by base and stride. */
static void runs_of_lanes_are_merged_too(void **state) {
  (void)state;
  static const struct {
    uint64_t base;
    uint32_t stride, coalesced, merged;
  } cases[] = {
      {BASE, 4, 4, 4}, {BASE + 32, 4, 5, 8}, {BASE, 0, 1, 4}, {BASE, 8, 8, 8}, {BASE + 60, 64, 64, 64}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint32_t merge = 0; merge <= 16; merge += 16) {
      struct bench b;
      setup(&b, 64, MEM_WRITE, 4);
      b.sm.line_shift = 6;
      b.op.merge = merge;
      uint32_t item[] = {word(SLUICE_AFFINE, SLUICE_SP_GLOBAL), (uint32_t)cases[i].base,
                         (uint32_t)(cases[i].base >> 32), cases[i].stride};
      coalesce(&b.sm, &b.op, item, UINT64_MAX, false);
      assert_int_equal(b.op.n, merge ? cases[i].merged : cases[i].coalesced);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(merging_stays_within_sixteen_lanes),
      cmocka_unit_test(runs_of_lanes_are_merged_too),
      cmocka_unit_test(a_store_joins_the_access_before_it_only),
      cmocka_unit_test(lanes_side_by_side_are_one_line),
      cmocka_unit_test(unaligned_warps_touch_two_lines),
      cmocka_unit_test(strides_spread_over_lines),
      cmocka_unit_test(one_word_is_one_sector),
      cmocka_unit_test(idle_lanes_touch_nothing),
      cmocka_unit_test(vectors_are_wide_words),
      cmocka_unit_test(local_words_are_interleaved),
      cmocka_unit_test(shared_accesses_are_cycles),
      cmocka_unit_test(parts_have_masks),
      cmocka_unit_test(constants_are_marked),
      cmocka_unit_test(shorter_lines_are_more),
      cmocka_unit_test(random_lanes_equal_a_map_of_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
