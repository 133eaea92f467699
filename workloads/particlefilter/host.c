/* A film of a disk (value 228) on a dark ground (100), both with noise. Each frame is checked from the state
 * the device had before it: a particle that is chosen differently by a rounding would change all that follow. */
#include "workload/host.h"
#include <math.h>
#include <string.h>

enum { RADIUS = 5, BLOCK = 128 };

struct filter {
  uint32_t n, groups, width, height, frames, ones;
  uint8_t *film;
  int32_t *disk;
  wl_buffer x, y, to_x, to_y, index, weight, seed, partial, cdf, u, gfilm, gdisk;
};

static void make_film(struct wl *w, struct filter *f) {
  f->film = wl_host(w, (uint64_t)f->width * f->height, f->frames);
  f->disk = wl_host(w, (2 * RADIUS + 1) * (2 * RADIUS + 1) * 2, sizeof *f->disk);
  for (int dx = -RADIUS; dx <= RADIUS; dx++)
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
      if (dx * dx + dy * dy < RADIUS * RADIUS) {
        f->disk[2 * f->ones] = dx;
        f->disk[2 * f->ones++ + 1] = dy;
      }
  for (uint32_t x = 0; x < f->width; x++)
    for (uint32_t y = 0; y < f->height; y++)
      for (uint32_t t = 0; t < f->frames; t++) { /* the disk moves by (1, -2) a frame */
        double dx = (double)x - f->width / 2.0 - t, dy = (double)y - f->height / 2.0 + 2.0 * t;
        double v = (dx * dx + dy * dy < RADIUS * RADIUS ? 228 : 100) + 10 * (wl_random_unit(w) - 0.5);
        f->film[((uint64_t)x * f->height + y) * f->frames + t] = (uint8_t)v;
      }
}

static void allocate(struct wl *w, struct filter *f) {
  uint64_t bytes = (uint64_t)f->n * 4;
  float *x = wl_host(w, f->n, sizeof *x), *y = wl_host(w, f->n, sizeof *y);
  uint32_t *seed = wl_host(w, f->n, sizeof *seed);
  for (uint32_t i = 0; i < f->n; i++) {
    x[i] = (float)f->width / 2;
    y[i] = (float)f->height / 2;
  }
  wl_random_u32(w, seed, f->n, 0);
  f->to_x = wl_upload(w, "chosen x", x, bytes);
  f->to_y = wl_upload(w, "chosen y", y, bytes);
  f->seed = wl_upload(w, "seeds", seed, bytes);
  f->x = wl_alloc(w, "x", bytes);
  f->y = wl_alloc(w, "y", bytes);
  f->weight = wl_alloc(w, "weights", bytes);
  f->cdf = wl_alloc(w, "cdf", bytes);
  f->u = wl_alloc(w, "u", 4);
  f->partial = wl_alloc(w, "partial sums", (uint64_t)f->groups * 4);
  f->index = wl_alloc(w, "pixel indices", bytes * f->ones);
  f->gfilm = wl_upload(w, "film", f->film, (uint64_t)f->width * f->height * f->frames);
  f->gdisk = wl_upload(w, "disk", f->disk, (uint64_t)f->ones * 8);
}

static void step(struct wl *w, const struct filter *f, uint32_t frame) {
  struct wl_range all = wl_range1((uint64_t)f->groups * BLOCK, BLOCK), one = wl_range1(BLOCK, BLOCK);
  wl_launch(w, "particle_likelihood", all,
            WL_ARGS(wl_buf(f->x), wl_buf(f->y), wl_buf(f->to_x), wl_buf(f->to_y), wl_buf(f->index),
                    wl_buf(f->gdisk), wl_int(f->ones), wl_buf(f->gfilm), wl_buf(f->weight), wl_buf(f->seed),
                    wl_buf(f->partial), wl_int(f->n), wl_int(f->width), wl_int(f->height), wl_int(f->frames),
                    wl_int(frame), wl_local(BLOCK * 4)));
  wl_launch(w, "particle_sum", one, WL_ARGS(wl_buf(f->partial), wl_int(f->groups)));
  wl_launch(w, "particle_normalize", all, WL_ARGS(wl_buf(f->weight), wl_buf(f->partial), wl_int(f->n)));
  wl_launch(w, "particle_cdf", one,
            WL_ARGS(wl_buf(f->weight), wl_buf(f->cdf), wl_buf(f->u), wl_buf(f->seed), wl_int(f->n)));
  wl_launch(w, "particle_find", all,
            WL_ARGS(wl_buf(f->x), wl_buf(f->y), wl_buf(f->cdf), wl_buf(f->u), wl_buf(f->to_x),
                    wl_buf(f->to_y), wl_int(f->n)));
}

static double uniform(uint32_t *seed) {
  *seed = *seed * 1664525U + 1013904223U;
  return ((*seed >> 9) + 0.5) / 8388608.0;
}

static double normal(uint32_t *seed) {
  double u = uniform(seed), v = uniform(seed);
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static float *fetch(struct wl *w, const struct filter *f, wl_buffer b) {
  float *v = wl_host(w, f->n, sizeof *v);
  wl_read_loose(w, b, 0, v, (uint64_t)f->n * 4);
  return v;
}

/* How well the pixels around a place fit the disk. */
static double fitness(const struct filter *f, float x, float y, uint32_t frame) {
  double fit = 0;
  for (uint32_t k = 0; k < f->ones; k++) {
    long ix = lrintf(x) + f->disk[2 * k], iy = lrintf(y) + f->disk[2 * k + 1];
    bool outside = ix < 0 || iy < 0 || ix >= (long)f->width || iy >= (long)f->height;
    double v = f->film[outside ? 0 : ((uint64_t)ix * f->height + (uint64_t)iy) * f->frames + frame];
    fit += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) / 50;
  }
  return exp(fit / f->ones - 300);
}

struct before {
  float *x, *y;
  uint32_t *seed;
};

static void check(struct wl *w, const struct filter *f, struct before b, uint32_t frame) {
  float *x = fetch(w, f, f->x), *y = fetch(w, f, f->y), *cdf = fetch(w, f, f->cdf), u;
  float *want_x = wl_host(w, f->n, sizeof *want_x), *want_y = wl_host(w, f->n, sizeof *want_y);
  float *weight = wl_host(w, f->n, sizeof *weight);
  double sum = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    want_x[i] = (float)((double)b.x[i] + 1 + 5 * normal(&b.seed[i]));
    want_y[i] = (float)((double)b.y[i] - 2 + 2 * normal(&b.seed[i]));
    weight[i] = (float)fitness(f, x[i], y[i], frame);
    sum += (double)weight[i];
  }
  for (uint32_t i = 0; i < f->n; i++)
    weight[i] = (float)((double)weight[i] / sum);
  u = (float)(uniform(&b.seed[0]) / f->n);
  wl_check_u32(w, f->seed, b.seed, f->n);
  wl_check_f32(w, f->x, want_x, f->n, 1e-4); /* log and cos of floats */
  wl_check_f32(w, f->y, want_y, f->n, 1e-4);
  wl_check_f32(w, f->weight, weight, f->n, 1e-4); /* exp of a sum with an error of 1e-5 */
  wl_check_f32(w, f->u, &u, 1, 1e-6);
  wl_read_loose(w, f->u, 0, &u, 4);
  for (uint32_t i = 0, k = 0; i < f->n; i++) { /* the marks rise, so the search goes on from the last */
    float mark = u + (float)i / (float)f->n;
    while (k + 1 < f->n && cdf[k] < mark)
      k++;
    want_x[i] = x[k];
    want_y[i] = y[k];
  }
  wl_check_f32(w, f->to_x, want_x, f->n, 0);
  wl_check_f32(w, f->to_y, want_y, f->n, 0);
}

WORKLOAD(particlefilter) {
  struct filter f = {.n = wl_u32(w, "particles"), .width = wl_u32(w, "width"), .height = wl_u32(w, "height")};
  f.frames = wl_u32(w, "frames");
  f.groups = (f.n + BLOCK - 1) / BLOCK;
  if (2 * f.frames + 2 * RADIUS > f.height || 2 * f.frames + 2 * RADIUS > f.width)
    wl_refuse(w, "%u frames: the disk would leave the picture", f.frames);
  make_film(w, &f);
  allocate(w, &f);
  for (uint32_t frame = 1; frame < f.frames; frame++) {
    struct before b = {0};
    if (wl_verify(w)) {
      b = (struct before){fetch(w, &f, f.to_x), fetch(w, &f, f.to_y), wl_host(w, f.n, sizeof *b.seed)};
      wl_read_loose(w, f.seed, 0, b.seed, (uint64_t)f.n * 4);
    }
    step(w, &f, frame);
    if (wl_verify(w))
      check(w, &f, b, frame);
  }
}
