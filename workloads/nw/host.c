/* Two random sequences over an alphabet of 24 letters with a symmetric table of similarities; a launch for
 * each anti-diagonal of blocks. */
#include "workload/host.h"

enum { B = 16, LETTERS = 24 };

static int32_t *reference(struct wl *w, const int32_t *similarity, uint32_t n, int32_t penalty) {
  uint32_t cols = n + 1;
  int32_t *m = wl_host(w, (uint64_t)cols * cols, sizeof *m);
  for (uint32_t i = 1; i < cols; i++)
    m[i] = m[(uint64_t)i * cols] = -(int32_t)i * penalty;
  for (uint32_t y = 1; y < cols; y++)
    for (uint32_t x = 1; x < cols; x++) {
      uint64_t at = (uint64_t)y * cols + x;
      int32_t best = m[at - cols - 1] + similarity[at], left = m[at - 1] - penalty,
              up = m[at - cols] - penalty;
      best = left > best ? left : best;
      m[at] = up > best ? up : best;
    }
  return m;
}

static int32_t *similarities(struct wl *w, uint32_t n) {
  uint32_t cols = n + 1;
  int32_t table[LETTERS][LETTERS], *s = wl_host(w, (uint64_t)cols * cols, sizeof *s);
  uint32_t *a = wl_host(w, n, sizeof *a), *b = wl_host(w, n, sizeof *b);
  for (int i = 0; i < LETTERS; i++)
    for (int k = 0; k <= i; k++)
      table[i][k] = table[k][i] =
          i == k ? 4 + (int32_t)wl_random_below(w, 8) : (int32_t)wl_random_below(w, 8) - 4;
  wl_random_u32(w, a, n, LETTERS);
  wl_random_u32(w, b, n, LETTERS);
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t x = 0; x < n; x++)
      s[(uint64_t)(y + 1) * cols + x + 1] = table[a[y]][b[x]];
  return s;
}

WORKLOAD(nw) {
  uint32_t n = wl_u32(w, "n"), cols = n + 1, blocks = n / B;
  int32_t penalty = (int32_t)wl_u32(w, "penalty");
  uint64_t bytes = (uint64_t)cols * cols * 4;
  int32_t *s = similarities(w, n), *start = wl_host(w, (uint64_t)cols * cols, sizeof *start);
  for (uint32_t i = 1; i < cols; i++)
    start[i] = start[(uint64_t)i * cols] = -(int32_t)i * penalty;
  wl_buffer similarity = wl_upload(w, "similarity", s, bytes), score = wl_upload(w, "score", start, bytes);
  for (uint32_t d = 1; d <= blocks; d++)
    wl_launch(w, "nw_upper", wl_range1((uint64_t)d * B, B),
              WL_ARGS(wl_buf(similarity), wl_buf(score), wl_int(cols), wl_sint(penalty), wl_int(d)));
  for (uint32_t d = blocks - 1; d >= 1; d--)
    wl_launch(w, "nw_lower", wl_range1((uint64_t)d * B, B),
              WL_ARGS(wl_buf(similarity), wl_buf(score), wl_int(cols), wl_sint(penalty), wl_int(d),
                      wl_int(blocks)));
  if (wl_verify(w))
    wl_check_s32(w, score, reference(w, s, n, penalty), (uint64_t)cols * cols);
}
