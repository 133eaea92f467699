/* A launch for each type, into a cleared buffer. */
#include "workload/host.h"
#include <string.h>

static const struct type {
  const char *kernel;
  uint32_t stride, packed; /* bytes from one element to the next, and those of them that are copied */
} types[] = {
    {"copy_uint8", 1, 1},           {"copy_uint16", 2, 2},
    {"copy_rgba8", 4, 4},           {"copy_la32", 8, 8},
    {"copy_rgb32", 12, 12},         {"copy_rgba32", 16, 16},
    {"copy_rgba8_aligned", 4, 4},   {"copy_la32_aligned", 8, 8},
    {"copy_rgb32_aligned", 16, 12}, {"copy_rgba32_aligned", 16, 16},
    {"copy_rgba32_twice", 32, 32},
};

WORKLOAD(alignedtypes) {
  uint32_t bytes = wl_u32(w, "bytes"), groups = wl_u32(w, "groups");
  uint8_t *data = wl_host(w, wl_up(bytes, 4), 1), *want = wl_host(w, bytes, 1);
  wl_random_u32(w, (uint32_t *)(void *)data, wl_up(bytes, 4) / 4, 0);
  wl_buffer in = wl_upload(w, "in", data, bytes), out = wl_alloc(w, "out", bytes);
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    uint32_t n = bytes / types[t].stride;
    wl_zero(w, out, 0, bytes);
    wl_launch(w, types[t].kernel, wl_range1((uint64_t)groups * 256, 256),
              WL_ARGS(wl_buf(out), wl_buf(in), wl_int(n)));
    if (!wl_verify(w))
      continue;
    memset(want, 0, bytes);
    for (uint32_t i = 0; i < n; i++)
      memcpy(want + (size_t)i * types[t].stride, data + (size_t)i * types[t].stride, types[t].packed);
    wl_check(w, out, ELEM_U8, want, bytes, 0);
  }
}
