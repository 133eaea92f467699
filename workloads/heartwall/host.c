/* A film of a speckled picture that shifts a little between frames; points on two rings are followed. Where
 * they are found is checked against the shifts, which the program knows. */
#include "workload/host.h"
#include <math.h>

struct shape {
  int32_t width, height, radius, reach, side, wide, out;
};

/* Speckle: noise smoothed over 3 x 3, on a torus. */
static float *speckle(struct wl *w, uint32_t width, uint32_t height) {
  uint64_t n = (uint64_t)width * height;
  float *noise = wl_host(w, n, sizeof *noise), *out = wl_host(w, n, sizeof *out);
  wl_random_f32(w, noise, n, 0, 1);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      for (uint32_t k = 0; k < 9; k++)
        out[(uint64_t)y * width + x] +=
            noise[(uint64_t)((y + k / 3) % height) * width + (x + k % 3) % width] / 9;
  return out;
}

/* The picture moved by (dx, dy), with a little fresh noise. */
static void shifted(struct wl *w, const float *from, struct shape s, int32_t dx, int32_t dy, float *to) {
  for (int32_t y = 0; y < s.height; y++)
    for (int32_t x = 0; x < s.width; x++) {
      int32_t sx = ((x - dx) % s.width + s.width) % s.width, sy = ((y - dy) % s.height + s.height) % s.height;
      to[(int64_t)y * s.width + x] = from[(int64_t)sy * s.width + sx] + 0.01F * (float)wl_random_unit(w);
    }
}

static void rings(struct shape s, uint32_t points, int32_t *position) {
  uint32_t inner = points * 2 / 5; /* 20 of 51 */
  for (uint32_t p = 0; p < points; p++) {
    bool in = p < inner;
    double angle = 6.283185307179586 * (in ? p / (double)inner : (p - inner) / (double)(points - inner));
    double ring = (in ? 0.2 : 0.35) * (s.width < s.height ? s.width : s.height);
    position[2 * p] = (int32_t)(s.width / 2 + ring * cos(angle));
    position[2 * p + 1] = (int32_t)(s.height / 2 + ring * sin(angle));
  }
}

WORKLOAD(heartwall) {
  struct shape s = {.width = (int32_t)wl_u32(w, "width"), .height = (int32_t)wl_u32(w, "height")};
  uint32_t points = wl_u32(w, "points"), frames = wl_u32(w, "frames");
  s.radius = (int32_t)wl_u32(w, "radius");
  s.reach = (int32_t)wl_u32(w, "reach");
  s.side = 2 * s.radius + 1;
  s.wide = s.side + 2 * s.reach;
  s.out = 2 * s.reach + 1;
  int32_t room = (s.width < s.height ? s.width : s.height) / 8;
  if (s.radius + s.reach + 2 > room)
    wl_refuse(w, "a template of radius %d and a reach of %d need larger frames", s.radius, s.reach);
  uint64_t pixels = (uint64_t)s.width * (uint64_t)s.height, area = (uint64_t)s.wide * (uint64_t)s.wide;
  float *picture = speckle(w, (uint32_t)s.width, (uint32_t)s.height),
        *film = wl_host(w, pixels, sizeof *film);
  int32_t *position = wl_host(w, points, 2 * sizeof *position), dx = 0, dy = 0;
  rings(s, points, position);
  shifted(w, picture, s, 0, 0, film);
  wl_buffer frame = wl_upload(w, "frame", film, pixels * 4);
  wl_buffer where = wl_upload(w, "positions", position, points * 8);
  wl_buffer templates = wl_alloc(w, "templates", points * (uint64_t)s.side * (uint64_t)s.side * 4);
  wl_buffer windows = wl_alloc(w, "windows", points * area * 4),
            squares = wl_alloc(w, "squares", points * area * 4);
  wl_buffer scores = wl_alloc(w, "correlations", points * (uint64_t)s.out * (uint64_t)s.out * 4);
  struct wl_range groups = wl_range1((uint64_t)points * 256, 256);
  wl_launch(w, "heartwall_templates", groups,
            WL_ARGS(wl_buf(frame), wl_struct(&s, sizeof s), wl_buf(where), wl_buf(templates)));
  for (uint32_t f = 1; f < frames; f++) {
    int32_t span = s.reach < 3 ? s.reach : 3; /* to and fro, at most 3 pixels a frame */
    int32_t mx = (int32_t)wl_random_below(w, (uint64_t)(2 * span + 1)) - span,
            my = (int32_t)wl_random_below(w, (uint64_t)(2 * span + 1)) - span;
    mx = dx + mx > room || dx + mx < -room ? -mx : mx;
    my = dy + my > room || dy + my < -room ? -my : my;
    dx += mx;
    dy += my;
    shifted(w, picture, s, dx, dy, film);
    wl_write(w, frame, 0, film, pixels * 4);
    wl_launch(w, "heartwall_track", groups,
              WL_ARGS(wl_buf(frame), wl_struct(&s, sizeof s), wl_buf(where), wl_buf(templates),
                      wl_buf(windows), wl_buf(squares), wl_buf(scores)));
    for (uint32_t p = 0; p < points; p++) {
      position[2 * p] += mx;
      position[2 * p + 1] += my;
    }
    if (wl_verify(w))
      wl_check_s32(w, where, position, (uint64_t)points * 2);
  }
}
