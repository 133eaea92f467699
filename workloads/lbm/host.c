/* A launch for each time step, from one grid into the other and back. */
#include "workload/host.h"

enum { directions = 19, padding = 8, wall = 1, lid = 2 };

static const float omega = 1.95f, lid_x = 0.005f, lid_y = 0.002f;

/* In the kernel's order: opposite directions follow each other. */
static const int8_t way[directions][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};

static double weight(int i) {
  return i == 0 ? 1 / 3.0 : i < 7 ? 1 / 18.0 : 1 / 36.0;
}

struct cavity {
  int32_t size[3];
  uint32_t *flags;
};

static uint32_t flag_of(const struct cavity *c, int32_t x, int32_t y, int32_t z) {
  const int32_t at[3] = {x, y, z};
  for (int d = 0; d < 3; d++)
    if (at[d] == 0 || at[d] == c->size[d] - 1)
      return wall;
  return z == c->size[2] - 2 ? lid : 0;
}

/* Relaxes one cell's distributions. */
static void collide(double *f, uint32_t flag) {
  double density = 0, u[3] = {0, 0, 0};
  for (int i = 0; i < directions; i++) {
    density += f[i];
    for (int d = 0; d < 3; d++)
      u[d] += way[i][d] * f[i];
  }
  for (int d = 0; d < 3; d++)
    u[d] /= density;
  if (flag == lid) {
    u[0] = (double)lid_x;
    u[1] = (double)lid_y;
    u[2] = 0;
  }
  double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  for (int i = 0; i < directions; i++) {
    double along = way[i][0] * u[0] + way[i][1] * u[1] + way[i][2] * u[2];
    double rest = weight(i) * density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
    f[i] += (double)omega * (rest - f[i]);
  }
}

/* One step on cells that hold their distributions together: pushed to the neighbours, then collided. What
 * leaves through a wall along y arrives at the wall of the next plane, and only there, as in the kernel. */
static void step(const struct cavity *c, const double *from, double *to) {
  int32_t nx = c->size[0], ny = c->size[1], nz = c->size[2];
  for (int64_t i = 0; i < (int64_t)nx * ny * nz * directions; i++)
    to[i] = 0;
  for (int64_t cell = 0; cell < (int64_t)nx * ny * nz; cell++)
    for (int i = 0; i < directions; i++) {
      int64_t x = cell % nx + way[i][0], row = cell / nx + way[i][1] + (int64_t)way[i][2] * ny;
      if (x >= 0 && x < nx && row >= 0 && row < (int64_t)ny * nz)
        to[(row * nx + x) * directions + i] = from[cell * directions + i];
    }
  for (int64_t cell = 0; cell < (int64_t)nx * ny * nz; cell++) {
    double *f = to + cell * directions;
    uint32_t flag = flag_of(c, (int32_t)(cell % nx), (int32_t)(cell / nx % ny), (int32_t)(cell / nx / ny));
    if (flag != wall) {
      collide(f, flag);
      continue;
    }
    for (int i = 1; i < directions; i += 2) {
      double swap = f[i];
      f[i] = f[i + 1];
      f[i + 1] = swap;
    }
  }
}

static void check(struct wl *w, const struct cavity *c, wl_buffer grid, float *values, uint64_t margin,
                  uint64_t pitch, uint32_t steps) {
  uint64_t nx = (uint64_t)c->size[0], ny = (uint64_t)c->size[1], nz = (uint64_t)c->size[2],
           cells = nx * ny * nz;
  double *from = wl_host(w, cells * directions, sizeof *from),
         *to = wl_host(w, cells * directions, sizeof *to);
  for (uint64_t i = 0; i < cells * directions; i++)
    from[i] = (double)(float)weight((int)(i % directions));
  for (uint32_t s = 0; s < steps; s++) {
    step(c, from, to);
    double *swap = from;
    from = to;
    to = swap;
  }
  for (uint64_t z = 0; z < nz; z++)
    for (uint64_t y = 0; y < ny; y++)
      for (uint64_t x = 0; x < nx; x++)
        for (uint64_t i = 0; i < directions; i++)
          values[i * pitch + margin + (z * ny + y) * (nx + padding) + x] =
              (float)from[((z * ny + y) * nx + x) * directions + i];
  /* Distributions are below 1/2; a step's rounding is about 20 times 3e-8, and nearly none of it decays. */
  wl_check_f32(w, grid, values, directions * pitch, 6e-7 * steps);
}

WORKLOAD(lbm) {
  uint32_t nx = wl_u32(w, "x"), ny = wl_u32(w, "y"), nz = wl_u32(w, "z"), steps = wl_u32(w, "steps");
  uint64_t row = nx + padding, margin = 2 * row * ny, pitch = row * ny * nz + 2 * margin;
  if (pitch * directions >= UINT64_C(1) << 31)
    wl_refuse(w, "x, y, z: %u x %u x %u cells need more than 2^31 values", nx, ny, nz);
  struct cavity c = {{(int32_t)nx, (int32_t)ny, (int32_t)nz}, wl_host(w, pitch, 4)};
  float *values = wl_host(w, pitch * directions, sizeof *values);
  for (uint32_t z = 0; z < nz; z++)
    for (uint32_t y = 0; y < ny; y++)
      for (uint32_t x = 0; x < nx; x++) {
        uint64_t cell = margin + ((uint64_t)z * ny + y) * row + x;
        c.flags[cell] = flag_of(&c, (int32_t)x, (int32_t)y, (int32_t)z);
        for (int i = 0; i < directions; i++)
          values[(uint64_t)i * pitch + cell] = (float)weight(i);
      }
  wl_buffer from = wl_upload(w, "grid 0", values, pitch * directions * 4),
            to = wl_alloc(w, "grid 1", pitch * directions * 4);
  wl_buffer flags = wl_upload(w, "flags", c.flags, pitch * 4);
  for (uint32_t s = 0; s < steps; s++) {
    wl_launch(w, "stream_collide", wl_range3(nx, ny, nz, nx, 1, 1),
              WL_ARGS(wl_buf(from), wl_buf(to), wl_buf(flags), wl_int(margin), wl_int(pitch), wl_float(omega),
                      wl_float(lid_x), wl_float(lid_y)));
    wl_buffer swap = from;
    from = to;
    to = swap;
  }
  if (wl_verify(w))
    check(w, &c, from, values, margin, pitch, steps);
}
