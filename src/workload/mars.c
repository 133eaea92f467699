#include "workload/mars.h"
#include "base/num.h"
#include "workload/wl.h"
#include <string.h>

static bool chosen(const struct wl *w, const char *param, const char *value) {
  return strcmp(wl_text(w, param), value) == 0;
}

void wl_mars(struct wl *w, enum mars_kind kind) {
  struct mars m = {.kind = kind,
                   .name = w->workload->name,
                   .width = wl_u32(w, "width"),
                   .height = wl_u32(w, "height"),
                   .tiles_along_z = chosen(w, "tiles", "morton"),
                   .pixels_along_z = chosen(w, "pixels", "morton"),
                   .tiled = chosen(w, "layout", "tiled"),
                   .contexts = wl_u32(w, "contexts"),
                   .alu = wl_u32(w, "alu"),
                   .inflight = 1,
                   .pass = 100,
                   .seed = wl_seed(w)};
  uint64_t tile = 0;
  num_u64(wl_text(w, "tile"), &tile);
  m.tile = (uint32_t)tile;
  if (kind != MARS_CLEAR)
    m.inflight = wl_u32(w, "inflight");
  if (kind != MARS_CLEAR && kind != MARS_TEXTURE)
    m.pass = wl_u32(w, "pass");
  if (kind == MARS_TEXTURE) {
    m.texture_width = wl_u32(w, "texture_width");
    m.texture_height = wl_u32(w, "texture_height");
    m.rotation = wl_f64(w, "rotation");
    m.scale = wl_f64(w, "scale");
    m.bilinear = chosen(w, "filter", "bilinear");
  }
  if (!mars_check(&m, w->err))
    wl_leave(w);
  struct mars_buffer b[MARS_MOST_SURFACES];
  unsigned n = mars_buffers(&m, b);
  for (unsigned i = 0; i < n; i++)
    wl_alloc(w, b[i].name, b[i].bytes);
  wl_generate(w, mars_open, &m);
}
