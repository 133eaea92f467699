/* A launch for each `pyramid` steps, from one grid into the other and back. */
#include "workload/host.h"

enum { tile = 16 };

struct chip {
  float step_by_capacity, per_rx, per_ry, per_rz, ambient;
};

/* A silicon chip of 16 x 16 x 0.5 mm, as the suite has it. */
static struct chip chip_of(uint32_t size) {
  double thickness = 0.0005, side = 0.016, cell = side / size;
  double heat = 1.75e6, conductivity = 100, fitting = 0.5; /* J/m3K, W/mK, of the capacity */
  double capacity = fitting * heat * thickness * cell * cell;
  double rx = cell / (2 * conductivity * thickness * cell), rz = thickness / (conductivity * cell * cell);
  double fastest = 3.0e6 / (fitting * thickness * heat); /* K/s at the largest power density */
  double step = 0.001 / fastest;
  return (struct chip){(float)(step / capacity), (float)(1 / rx), (float)(1 / rx), (float)(1 / rz), 80};
}

static void step(const struct chip *c, const double *t, const float *power, double *to, int64_t n) {
  for (int64_t y = 0; y < n; y++)
    for (int64_t x = 0; x < n; x++) {
      double here = t[y * n + x];
      double north = t[(y > 0 ? y - 1 : y) * n + x], south = t[(y < n - 1 ? y + 1 : y) * n + x];
      double west = t[y * n + (x > 0 ? x - 1 : x)], east = t[y * n + (x < n - 1 ? x + 1 : x)];
      to[y * n + x] = here + (double)c->step_by_capacity *
                                 ((double)power[y * n + x] + (north + south - 2 * here) * (double)c->per_ry +
                                  (east + west - 2 * here) * (double)c->per_rx +
                                  ((double)c->ambient - here) * (double)c->per_rz);
    }
}

WORKLOAD(hotspot) {
  uint32_t size = wl_u32(w, "size"), steps = wl_u32(w, "steps"), pyramid = wl_u32(w, "pyramid");
  uint64_t n = (uint64_t)size * size;
  float *power = wl_host(w, n, 4), *temperature = wl_host(w, n, 4);
  struct chip chip = chip_of(size);
  wl_random_f32(w, power, n, 0, 0.01f);
  wl_random_f32(w, temperature, n, 320, 345);
  wl_buffer watts = wl_upload(w, "power", power, n * 4);
  wl_buffer from = wl_upload(w, "temperature", temperature, n * 4), to = wl_alloc(w, "next", n * 4);
  for (uint32_t left = steps, now; left > 0; left -= now) {
    now = left < pyramid ? left : pyramid;
    uint64_t items = wl_up(size, tile - 2 * now) / (tile - 2 * now) * tile;
    wl_launch(w, "hotspot", wl_range2(items, items, tile, tile),
              WL_ARGS(wl_buf(watts), wl_buf(from), wl_buf(to), wl_int(size), wl_int(now),
                      wl_struct(&chip, sizeof chip)));
    wl_buffer swap = from;
    from = to;
    to = swap;
  }
  if (!wl_verify(w))
    return;
  double *a = wl_host(w, n, sizeof *a), *b = wl_host(w, n, sizeof *b);
  for (uint64_t i = 0; i < n; i++)
    a[i] = (double)temperature[i];
  for (uint32_t s = 0; s < steps; s++) {
    step(&chip, a, power, b, size);
    double *swap = a;
    a = b;
    b = swap;
  }
  for (uint64_t i = 0; i < n; i++)
    temperature[i] = (float)a[i];
  wl_check_f32(w, from, temperature, n, 1e-6 + 1e-7 * steps); /* each step rounds once more */
}
