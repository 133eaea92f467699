/* One launch. */
#include "workload/host.h"
#include <math.h>
#include <string.h>

/* A vector of 128 bits as two halves, low and high. */
struct wide {
  uint64_t low, high;
};

static struct wide wide(const uint32_t v[4]) {
  return (struct wide){v[0] | (uint64_t)v[1] << 32, v[2] | (uint64_t)v[3] << 32};
}

static void twist(uint32_t out[4], const uint32_t a[4], const uint32_t b[4], const uint32_t c[4],
                  const uint32_t d[4]) {
  static const uint32_t mask[4] = {0xdfffffef, 0xddfecb7f, 0xbffaffff, 0xbffffff6};
  struct wide x = wide(a), y = wide(c);
  struct wide up = {x.low << 8, x.high << 8 | x.low >> 56}, down = {y.low >> 8 | y.high << 56, y.high >> 8};
  for (int i = 0; i < 4; i++)
    out[i] = a[i] ^ (uint32_t)((i < 2 ? up.low : up.high) >> 32 * (i % 2)) ^ (b[i] >> 11 & mask[i]) ^
             (uint32_t)((i < 2 ? down.low : down.high) >> 32 * (i % 2)) ^ d[i] << 18;
}

static double uniform(uint32_t v) {
  return ((v >> 9) + 0.5) / 8388608;
}

static void stream(const uint32_t *seed, float *out, uint32_t draws) {
  uint32_t s[4][4], next[4];
  memcpy(s[0], seed, sizeof s[0]);
  for (uint32_t j = 1; j < 4; j++)
    for (int i = 0; i < 4; i++)
      s[j][i] = s[j - 1][i] * UINT32_C(1812433253) + j;
  for (uint32_t k = 0; k < draws; k += 2) {
    for (int j = 0; j < 2; j++) {
      twist(next, s[0], s[1], s[2], s[3]);
      memmove(s[0], s[1], 3 * sizeof s[0]);
      memcpy(s[3], next, sizeof next);
    }
    for (int i = 0; i < 4; i++) {
      double radius = sqrt(-2 * log(uniform(s[2][i]))), angle = 6.28318530717958648 * uniform(s[3][i]);
      out[k * 4 + (uint32_t)i] = (float)(radius * cos(angle));
      out[k * 4 + 4 + (uint32_t)i] = (float)(radius * sin(angle));
    }
  }
}

WORKLOAD(mersennetwister) {
  uint32_t streams = wl_u32(w, "streams"), draws = wl_u32(w, "draws");
  uint64_t numbers = (uint64_t)streams * draws * 4;
  if (numbers >= UINT64_C(1) << 32)
    wl_refuse(w, "streams, draws: %u x %u vectors (allowed: below 2^30)", streams, draws);
  uint32_t *seeds = wl_host(w, (uint64_t)streams * 4, 4);
  wl_random_u32(w, seeds, (uint64_t)streams * 4, 0);
  wl_buffer in = wl_upload(w, "seeds", seeds, (uint64_t)streams * 16),
            out = wl_alloc(w, "normal", numbers * 4);
  wl_launch(w, "normal", wl_range1(streams, 256), WL_ARGS(wl_buf(in), wl_buf(out), wl_int(draws)));
  if (!wl_verify(w))
    return;
  float *want = wl_host(w, numbers, 4);
  for (uint32_t i = 0; i < streams; i++)
    stream(seeds + (uint64_t)i * 4, want + (uint64_t)i * draws * 4, draws);
  /* The hardware's logarithm errs by 2e-7 near 1, whose root is 7e-4; its sine by 1e-6 within two half turns. */
  wl_check_f32(w, out, want, numbers, 1e-3);
}
