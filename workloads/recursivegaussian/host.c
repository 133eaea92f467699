/* Along columns, transpose, along what were rows, transpose back. */
#include "workload/host.h"
#include <math.h>

struct filter {
  float a0, a1, a2, a3, b1, b2, down, up;
};

/* Deriche's filter of order zero (INRIA report 1893, 1993), sigma 10. */
static struct filter filter(void) {
  double alpha = 1.695 / 10, e = exp(-alpha), e2 = exp(-2 * alpha);
  double k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - e2);
  double a0 = k, a1 = k * (alpha - 1) * e, a2 = k * (alpha + 1) * e, a3 = -k * e2, b1 = -2 * e, b2 = e2;
  return (struct filter){(float)a0,
                         (float)a1,
                         (float)a2,
                         (float)a3,
                         (float)b1,
                         (float)b2,
                         (float)((a0 + a1) / (1 + b1 + b2)),
                         (float)((a2 + a3) / (1 + b1 + b2))};
}

static uint8_t byte(float f) {
  return (uint8_t)(f < 0 ? 0 : f > 255 ? 255 : f);
}

/* One channel of a column, in the kernel's order of roundings: bytes are truncated, and must come out the same. */
static void blur(const struct filter *f, const uint8_t *in, uint8_t *out, int64_t step, int64_t n) {
  float before = (float)in[0], last = before * f->down, second = last;
  for (int64_t i = 0; i < n; i++) {
    float now = (float)in[i * step];
    float result = fmaf(f->a0, now, fmaf(f->a1, before, fmaf(-f->b1, last, -f->b2 * second)));
    before = now;
    second = last;
    last = result;
    out[i * step] = byte(result);
  }
  float next = (float)in[(n - 1) * step], after = next;
  last = next * f->up;
  second = last;
  for (int64_t i = n - 1; i >= 0; i--) {
    float now = (float)in[i * step];
    float result = fmaf(f->a2, next, fmaf(f->a3, after, fmaf(-f->b1, last, -f->b2 * second)));
    after = next;
    next = now;
    second = last;
    last = result;
    out[i * step] = byte((float)out[i * step] + result);
  }
}

WORKLOAD(recursivegaussian) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height");
  uint64_t n = (uint64_t)width * height;
  uint32_t *image = wl_host(w, n, 4);
  wl_random_u32(w, image, n, 0);
  struct filter f = filter();
  wl_buffer a = wl_upload(w, "image", image, n * 4), b = wl_alloc(w, "blurred", n * 4);
  for (int pass = 0; pass < 2; pass++) {
    uint32_t across = pass ? height : width, along = pass ? width : height;
    wl_launch(w, "blur", wl_range1(across, across % 64 ? 16 : 64),
              WL_ARGS(wl_buf(a), wl_buf(b), wl_int(across), wl_int(along), wl_struct(&f, sizeof f)));
    wl_launch(w, "transpose", wl_range2(across, along, 16, 16),
              WL_ARGS(wl_buf(b), wl_buf(a), wl_int(across), wl_int(along)));
  }
  if (!wl_verify(w))
    return;
  const uint8_t *from = (const uint8_t *)image;
  uint8_t *middle = wl_host(w, n * 4, 1), *want = wl_host(w, n * 4, 1);
  int64_t row = (int64_t)width * 4;
  for (int64_t c = 0; c < row; c++)
    blur(&f, from + c, middle + c, row, height);
  for (int64_t y = 0; y < height; y++)
    for (int64_t c = 0; c < 4; c++)
      blur(&f, middle + y * row + c, want + y * row + c, 4, width);
  wl_check(w, a, ELEM_U8, want, n * 4, 0);
}
