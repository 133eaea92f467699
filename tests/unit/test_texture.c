/* Fetches give the bits that an H200 gives (tests/texture/record.cu: 448 textures, 48 places each); texels of every layout are
 * found where they were put; formats keep what is written to them. */
#include "base/file.h"
#include "front/texture/texture.h"
#include "../texture/cases.h"
#include "check.h"
#include <stdlib.h>
#include <zstd.h>

static const enum texture_type plain[] = {TYPE_UINT8,  TYPE_SINT8,  TYPE_UINT16, TYPE_SINT16,
                                          TYPE_UINT32, TYPE_SINT32, TYPE_HALF,   TYPE_FLOAT};
static const enum texture_type fraction[] = {TYPE_UNORM8, TYPE_SNORM8, TYPE_UNORM16, TYPE_SNORM16};
static const enum texture_shape shapes[] = {SHAPE_1D,       SHAPE_2D, SHAPE_3D,     SHAPE_1D_ARRAY,
                                            SHAPE_2D_ARRAY, SHAPE_2D, SHAPE_BUFFER, SHAPE_2D};

static struct texture texture_of(const struct texture_case *c, enum texture_layout layout, uint8_t **image) {
  struct texture t = {.magic = TEXTURE_MAGIC,
                      .zero_alpha = 1,
                      .width = c->size[0],
                      .height = c->size[1],
                      .depth = c->size[2]};
  t.order = c->channels == 1 ? ORDER_R : c->channels == 2 ? ORDER_RG : ORDER_RGBA;
  t.type = (uint16_t)(c->normalized_read ? fraction[c->element] : plain[c->element]);
  t.texel_bytes = texture_texel_bytes(t.order, t.type);
  t.shape = (uint8_t)shapes[c->shape];
  t.sampler = (struct sampler){.linear = (uint8_t)c->linear, .normalized = (uint8_t)c->normalized_coords};
  for (unsigned d = 0; d < 3; d++)
    t.sampler.address[d] = (uint8_t)c->mode[d];
  memcpy(t.sampler.border, c->border, sizeof c->border);
  *image = calloc(1, texture_lay_out(&t, layout));
  size_t row = (size_t)t.width * t.texel_bytes, slice = row * t.height;
  uint8_t *rows = calloc(t.depth, slice);
  for (unsigned i = 0; i < t.width * t.height * t.depth; i++)
    for (unsigned k = 0; k < c->channels; k++) {
      uint32_t v = case_texel(c, i, k);
      memcpy(rows + (size_t)i * t.texel_bytes + k * case_bytes(c->element), &v, case_bytes(c->element));
    }
  texture_write(&t, *image, &(struct texture_box){0, 0, 0, t.width, t.height, t.depth}, rows, row, slice);
  uint8_t *back = calloc(t.depth, slice);
  texture_read(&t, *image, &(struct texture_box){0, 0, 0, t.width, t.height, t.depth}, back, row, slice);
  assert_memory_equal(rows, back, slice * t.depth);
  free(back);
  free(rows);
  return t;
}

static void fetch(const struct texture_case *c, const struct texture *t, const uint8_t *image, unsigned s,
                  uint32_t out[4]) {
  struct texture_point p = {.shape = t->shape,
                            .kind = c->shape == CASE_LINEAR ? COORDINATES_INT : COORDINATES_FLOAT};
  for (unsigned d = 0; d < 3; d++)
    p.f[d] = case_coordinate(c, s, d);
  p.layer = case_index(c, s, c->size[2]);
  p.i[0] = case_index(c, s, c->size[0]);
  struct texels at;
  if (c->shape == CASE_GATHER) {
    texture_place_gather(t, &t->sampler, &p, &at);
    texture_gather(t, &t->sampler, &at, c->component, image, out);
  } else {
    texture_place(t, &t->sampler, &p, &at);
    texture_blend(t, &t->sampler, &at, image, out);
  }
}

static void compare_with_record(const char *path, uint32_t seed) {
  case_seed = seed;
  struct error err = {0};
  size_t n = 0;
  char *packed = file_read(path, 1 << 20, &n, &err);
  assert_non_null(packed);
  size_t bytes = (size_t)ZSTD_getFrameContentSize(packed, n), at = 0;
  uint8_t *record = malloc(bytes);
  assert_int_equal(ZSTD_decompress(record, bytes, packed, n), bytes);
  struct texture_case c;
  for (unsigned k = 0; case_get(k, &c); k++) {
    uint8_t *image;
    struct texture t = texture_of(&c, (enum texture_layout)(k % 3), &image);
    for (unsigned s = 0; s < CASE_SAMPLES; s++, at += 16) {
      uint32_t want[4], got[4];
      assert_true(at + 16 <= bytes);
      memcpy(want, record + at, sizeof want);
      fetch(&c, &t, image, s, got);
      if (memcmp(want, got, sizeof want))
        fail_msg("case %u, sample %u: %08x %08x %08x %08x, an H200 gave %08x %08x %08x %08x", k, s, got[0],
                 got[1], got[2], got[3], want[0], want[1], want[2], want[3]);
    }
    free(image);
  }
  assert_int_equal(at, bytes);
  free(record);
  free(packed);
}

static void fetches_give_an_h200s_bits(void **state) {
  (void)state;
  compare_with_record("tests/texture/h200.zst", 0);
}

/* Texels of all exponents, infinities and NaN among them. */
static void fetches_of_any_float_give_an_h200s_bits(void **state) {
  (void)state;
  compare_with_record("tests/texture/h200-wide.zst", CASE_WIDE | 4);
}

/* No two texels lie over each other, and all lie within the image. */
static void layouts_place_each_texel_once(void **state) {
  (void)state;
  for (unsigned layout = 0; layout <= LAYOUT_TILES; layout++)
    for (unsigned b = 1; b <= 16; b *= 2) {
      struct texture t = {.width = 37, .height = 45, .depth = 3, .texel_bytes = b};
      uint64_t bytes = texture_lay_out(&t, (enum texture_layout)layout);
      uint8_t *seen = calloc(1, bytes);
      for (uint32_t z = 0; z < t.depth; z++)
        for (uint32_t y = 0; y < t.height; y++)
          for (uint32_t x = 0; x < t.width; x++) {
            uint64_t at = texel_offset(&t, x, y, z);
            assert_true(at + b <= bytes && at % b == 0);
            for (unsigned k = 0; k < b; k++)
              assert_int_equal(seen[at + k]++, 0);
          }
      free(seen);
    }
}

/* Tegra X1's reference manual, 20.1.2: within a GOB, 4-byte texels (4,0), (0,1), (8,0), (0,2) lie at 32, 16, 256, 64. */
static void a_gob_is_ordered_as_published(void **state) {
  (void)state;
  struct texture t = {.width = 64, .height = 64, .depth = 1, .texel_bytes = 4};
  texture_lay_out(&t, LAYOUT_BLOCK_LINEAR);
  assert_int_equal(texel_offset(&t, 4, 0, 0), 32);
  assert_int_equal(texel_offset(&t, 0, 1, 0), 16);
  assert_int_equal(texel_offset(&t, 8, 0, 0), 256);
  assert_int_equal(texel_offset(&t, 0, 2, 0), 64);
  assert_int_equal(texel_offset(&t, 0, 8, 0), 512);      /* the GOB below, in the same block */
  assert_int_equal(texel_offset(&t, 16, 0, 0), 8 * 512); /* the block to the right: 8 GOBs high for 64 rows */
}

/* OpenCL 1.2, 8.3.1: conversions of normalized channels, and 8.3.2 to halves. */
static void formats_round_as_opencl_says(void **state) {
  (void)state;
  static const struct {
    uint16_t order, type;
    float in[4];
    uint8_t bytes[8];
  } rows[] = {
      {ORDER_RGBA, TYPE_UNORM8, {0.5f, 1.5f, -1, 1.0f / 255}, {128, 255, 0, 1}}, /* 127.5 to even */
      {ORDER_BGRA, TYPE_UNORM8, {1, 0, 0.2f, 0}, {51, 0, 255, 0}},
      {ORDER_RGBA, TYPE_SNORM8, {-1, 1, 0, 0.5f}, {0x81, 0x7f, 0, 64}}, /* 63.5 to even */
      {ORDER_RG, TYPE_UNORM16, {1, 0.5f, 0, 0}, {0xff, 0xff, 0, 0x80}},
      {ORDER_R, TYPE_HALF, {65520.0f, 0, 0, 0}, {0, 0x7c}},
      {ORDER_R, TYPE_HALF, {0x1p-25f, 0, 0, 0}, {0, 0}},
      {ORDER_R, TYPE_HALF, {0x1.8p-24f, 0, 0, 0}, {2, 0}},
      {ORDER_RGB, TYPE_UNORM_565, {1, 0, 1, 0}, {0x1f, 0xf8}},
      {ORDER_A, TYPE_UNORM8, {1, 1, 1, 0.4f}, {102}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct texture t = {.order = rows[i].order, .type = rows[i].type};
    uint8_t texel[16] = {0};
    uint32_t in[4];
    t.texel_bytes = texture_texel_bytes(t.order, t.type);
    memcpy(in, rows[i].in, sizeof in);
    texel_encode(&t, in, texel);
    assert_memory_equal(texel, rows[i].bytes, t.texel_bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fetches_give_an_h200s_bits),
      cmocka_unit_test(fetches_of_any_float_give_an_h200s_bits),
      cmocka_unit_test(layouts_place_each_texel_once),
      cmocka_unit_test(a_gob_is_ordered_as_published),
      cmocka_unit_test(formats_round_as_opencl_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
