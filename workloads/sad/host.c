/* One launch of each kernel. The current frame is the other one, displaced and with noise. */
#include "workload/host.h"
#include <stdlib.h>

enum { search = 33, reach = 16, positions = search * search, pitch = 1096, shapes = 7, rows = 41 };

static const struct shape {
  int width, height; /* in pixels */
} shape[shapes] = {{16, 16}, {8, 16}, {16, 8}, {8, 8}, {4, 8}, {8, 4}, {4, 4}};

static int clamped(int at, int size) {
  return at < 0 ? 0 : at < size ? at : size - 1;
}

struct frames {
  const uint16_t *current, *reference;
  int width, height;
};

static uint16_t sad(const struct frames *f, int x0, int y0, struct shape s, int position) {
  int dx = position % search - reach, dy = position / search - reach, sum = 0;
  for (int y = y0; y < y0 + s.height; y++)
    for (int x = x0; x < x0 + s.width; x++)
      sum += abs(f->reference[clamped(y + dy, f->height) * f->width + clamped(x + dx, f->width)] -
                 f->current[y * f->width + x]);
  return (uint16_t)sum;
}

/* The order of blocks within a macroblock: 8 x 8 quarters by rows, and halves within a quarter; whole rows of
 * 4 x 4. */
static void place(int shape_index, int block, int *x, int *y) {
  struct shape s = shape[shape_index];
  if (s.width * s.height == 32) {
    *x = block / 2 % 2 * 8 + (s.width == 4 ? block % 2 * 4 : 0);
    *y = block / 4 * 8 + (s.height == 4 ? block % 2 * 4 : 0);
  } else {
    *x = block % (16 / s.width) * s.width;
    *y = block / (16 / s.width) * s.height;
  }
}

static uint16_t *reference(struct wl *w, const struct frames *f) {
  int across = f->width / 16, macroblocks = across * (f->height / 16);
  uint16_t *out = wl_host(w, (uint64_t)macroblocks * rows * pitch, sizeof *out), *row = out;
  for (int s = 0; s < shapes; s++)
    for (int m = 0; m < macroblocks; m++)
      for (int b = 0; b < 256 / (shape[s].width * shape[s].height); b++, row += pitch) {
        int x, y;
        place(s, b, &x, &y);
        for (int p = 0; p < positions; p++)
          row[p] = sad(f, m % across * 16 + x, m / across * 16 + y, shape[s], p);
      }
  return out;
}

WORKLOAD(sad) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height"), pixels = width * height;
  uint32_t macroblocks = (width / 16) * (height / 16);
  uint16_t *before = wl_host(w, pixels, sizeof *before), *now = wl_host(w, pixels, sizeof *now);
  for (uint32_t i = 0; i < pixels; i++)
    before[i] = (uint16_t)wl_random_below(w, 256);
  for (uint32_t i = 0; i < pixels; i++) {
    int x = clamped((int)(i % width) + 3, (int)width), y = clamped((int)(i / width) - 2, (int)height);
    int value = before[y * (int)width + x] + (int)wl_random_below(w, 9) - 4;
    now[i] = (uint16_t)clamped(value, 256);
  }
  wl_buffer current = wl_upload(w, "current", now, (uint64_t)pixels * 2);
  wl_buffer other = wl_upload(w, "reference", before, (uint64_t)pixels * 2);
  wl_buffer sums = wl_alloc(w, "sums", (uint64_t)macroblocks * rows * pitch * 2);
  wl_launch(w, "sad_4x4", wl_range2((uint64_t)width / 4 * 61, height / 4, 61, 1),
            WL_ARGS(wl_buf(sums), wl_buf(current), wl_buf(other), wl_int(width), wl_int(height)));
  wl_launch(w, "sad_8", wl_range2((uint64_t)macroblocks * 32, 4, 32, 4),
            WL_ARGS(wl_buf(sums), wl_int(macroblocks)));
  wl_launch(w, "sad_16", wl_range1((uint64_t)macroblocks * 32, 32),
            WL_ARGS(wl_buf(sums), wl_int(macroblocks)));
  if (wl_verify(w)) {
    struct frames f = {now, before, (int)width, (int)height};
    wl_check(w, sums, ELEM_U16, reference(w, &f), (uint64_t)macroblocks * rows * pitch, 0);
  }
}
