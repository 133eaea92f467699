/* Split, then for each of three planes as many levels as asked, each on the low-low band of the one before. */
#include "workload/host.h"
#include <string.h>

enum { STRIP = 64, TALL = 32 };

/* Smooth shapes with some noise, as photographs have. */
static uint8_t *image(struct wl *w, uint32_t width, uint32_t height) {
  uint8_t *rgb = wl_host(w, (uint64_t)width * height, 3);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      for (uint32_t c = 0; c < 3; c++) {
        uint32_t wave = (x * (c + 2) / 3 + y) % 256, v = wave < 128 ? wave : 255 - wave;
        rgb[((uint64_t)y * width + x) * 3 + c] = (uint8_t)(v + wl_random_below(w, 64));
      }
  return rgb;
}

static int32_t floor_div(int32_t a, int32_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* n (even) values `stride` apart: first half low, second half high. */
static void lift(int32_t *v, uint32_t n, uint32_t stride, int32_t *tmp) {
  for (uint32_t i = 0; i < n; i++)
    tmp[i] = v[(uint64_t)i * stride];
  for (uint32_t i = 1; i < n; i += 2)
    tmp[i] -= floor_div(tmp[i - 1] + tmp[i + 1 < n ? i + 1 : n - 2], 2);
  for (uint32_t i = 0; i < n; i += 2)
    tmp[i] += floor_div(tmp[i ? i - 1 : 1] + tmp[i + 1] + 2, 4);
  for (uint32_t i = 0; i < n; i++)
    v[(uint64_t)(i / 2 + (i % 2 ? n / 2 : 0)) * stride] = tmp[i];
}

static int32_t *reference(struct wl *w, const uint8_t *rgb, uint32_t plane, uint32_t width, uint32_t height,
                          uint32_t levels) {
  int32_t *v = wl_host(w, (uint64_t)width * height, sizeof *v);
  int32_t *tmp = wl_host(w, width > height ? width : height, sizeof *tmp);
  for (uint64_t i = 0; i < (uint64_t)width * height; i++)
    v[i] = (int32_t)rgb[i * 3 + plane] - 128;
  for (uint32_t l = 0; l < levels; l++) {
    uint32_t cols = width >> l, rows = height >> l;
    for (uint32_t y = 0; y < rows; y++)
      lift(v + (uint64_t)y * width, cols, 1, tmp);
    for (uint32_t x = 0; x < cols; x++)
      lift(v + x, rows, width, tmp);
  }
  return v;
}

WORKLOAD(dwt2d) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height"), levels = wl_u32(w, "levels");
  uint64_t n = (uint64_t)width * height;
  static const char *const names[3] = {"red", "green", "blue"}, *const outs[3] = {"red out", "green out",
                                                                                  "blue out"};
  uint8_t *rgb = image(w, width, height);
  wl_buffer source = wl_upload(w, "image", rgb, n * 3), plane[3], out[3];
  wl_buffer even = wl_alloc(w, "low band", n), odd = wl_alloc(w, "low band of even levels", n / 4);
  for (int c = 0; c < 3; c++) {
    plane[c] = wl_alloc(w, names[c], n * 4);
    out[c] = wl_alloc(w, outs[c], n * 4);
  }
  wl_launch(w, "dwt2d_split", wl_range1(wl_up(n, 256), 256),
            WL_ARGS(wl_buf(source), wl_buf(plane[0]), wl_buf(plane[1]), wl_buf(plane[2]), wl_int(n)));
  for (uint32_t c = 0; c < 3; c++) {
    for (uint32_t l = 0; l < levels; l++) {
      uint32_t cols = width >> l, rows = height >> l;
      wl_buffer from = l == 0 ? plane[c] : l % 2 ? even : odd, ll = l % 2 ? odd : even;
      wl_launch(w, "dwt2d_level", wl_range2(wl_up(cols, STRIP), (rows + TALL - 1) / TALL, STRIP, 1),
                WL_ARGS(wl_buf(from), wl_buf(ll), wl_buf(out[c]), wl_int(cols), wl_int(rows), wl_int(width),
                        wl_int(l + 1 == levels)));
    }
    if (wl_verify(w))
      wl_check_s32(w, out[c], reference(w, rgb, c, width, height, levels), n);
  }
}
