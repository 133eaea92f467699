/* A plane grid of quadrilaterals whose cells are renumbered within windows, as the cells of real unstructured
 * grids lie near, but not next to, their neighbours; some faces are walls, so that there is a flow to compute. */
#include "workload/host.h"
#include <math.h>
#include <string.h>

enum { NB = 4, NVAR = 5, WALL = -1, FAR = -2 };

struct grid {
  uint32_t side, n;
  int32_t *neighbours; /* [face][cell] */
  float *normals;      /* [face][xyz][cell] */
  float *areas;
};

static void make(struct wl *w, struct grid *g) {
  static const int dx[NB] = {1, -1, 0, 0}, dy[NB] = {0, 0, 1, -1};
  uint32_t window = wl_u32(w, "window") ? wl_u32(w, "window") : g->n;
  uint32_t *number = wl_host(w, g->n, sizeof *number);
  uint8_t *wall = wl_host(w, (uint64_t)g->n, 2); /* right and upper face of each cell of the plane */
  g->neighbours = wl_host(w, (uint64_t)g->n * NB, sizeof *g->neighbours);
  g->normals = wl_host(w, (uint64_t)g->n * NB * 3, sizeof *g->normals);
  g->areas = wl_host(w, g->n, sizeof *g->areas);
  for (uint32_t i = 0; i < g->n; i++) {
    number[i] = i;
    wall[2 * i] = wl_random_below(w, 20) == 0;
    wall[2 * i + 1] = wl_random_below(w, 20) == 0;
  }
  for (uint32_t i = 0; i < g->n; i++) { /* shuffled within windows */
    uint32_t first = i / window * window, end = g->n - first > window ? first + window : g->n;
    uint32_t k = i + (uint32_t)wl_random_below(w, end - i), t = number[i];
    number[i] = number[k];
    number[k] = t;
  }
  for (uint32_t p = 0; p < g->n; p++) {
    int x = (int)(p % g->side), y = (int)(p / g->side), last = (int)g->side - 1;
    uint32_t me = number[p];
    g->areas[me] = 1;
    for (int f = 0; f < NB; f++) {
      int nx = x + dx[f], ny = y + dy[f];
      bool outside = nx < 0 || ny < 0 || nx > last || ny > last;
      uint32_t q = outside ? 0 : (uint32_t)(ny * (last + 1) + nx);
      bool closed = !outside && wall[2 * (f % 2 ? q : p) + (f >= 2)];
      g->neighbours[(uint64_t)f * g->n + me] = outside ? FAR : closed ? WALL : (int32_t)number[q];
      g->normals[((uint64_t)f * 3 + 0) * g->n + me] = (float)dx[f];
      g->normals[((uint64_t)f * 3 + 1) * g->n + me] = (float)dy[f];
    }
  }
}

struct state {
  double v[NVAR], velocity[3], pressure, sound, speed2;
};

static struct state derive(const double *v) {
  struct state s;
  memcpy(s.v, v, sizeof s.v);
  s.speed2 = 0;
  for (int k = 0; k < 3; k++) {
    s.velocity[k] = v[1 + k] / v[0];
    s.speed2 += s.velocity[k] * s.velocity[k];
  }
  s.pressure = 0.4 * (v[4] - 0.5 * v[0] * s.speed2);
  s.sound = sqrt(1.4 * s.pressure / v[0]);
  return s;
}

static void face_flux(const double *c, const struct state *a, const struct state *b, double *flux) {
  const struct state *both[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    const struct state *s = both[k];
    double u = 0.5 * (c[0] * s->velocity[0] + c[1] * s->velocity[1] + c[2] * s->velocity[2]);
    flux[0] += u * s->v[0];
    for (int j = 0; j < 3; j++)
      flux[1 + j] += u * s->v[1 + j] + 0.5 * c[j] * s->pressure;
    flux[4] += u * (s->v[4] + s->pressure);
  }
}

static void cell_flux(const struct grid *g, const double *v, const double *far, uint32_t i, double *flux) {
  struct state me = derive(v + (uint64_t)i * NVAR), away = derive(far);
  memset(flux, 0, NVAR * sizeof *flux);
  for (uint64_t f = 0; f < NB; f++) {
    int32_t other = g->neighbours[f * g->n + i];
    double c[3];
    for (uint64_t k = 0; k < 3; k++)
      c[k] = (double)g->normals[(f * 3 + k) * g->n + i];
    if (other >= 0) {
      struct state s = derive(v + (uint64_t)other * NVAR);
      double viscosity = 0.1 * sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) *
                         (sqrt(me.speed2) + sqrt(s.speed2) + me.sound + s.sound);
      for (int k = 0; k < NVAR; k++)
        flux[k] += viscosity * (me.v[k] - s.v[k]);
      face_flux(c, &me, &s, flux);
    } else if (other == WALL) {
      for (int k = 0; k < 3; k++)
        flux[1 + k] += c[k] * me.pressure;
    } else {
      face_flux(c, &me, &away, flux);
    }
  }
}

static float *reference(struct wl *w, const struct grid *g, const float *far, uint32_t iterations) {
  uint64_t all = (uint64_t)g->n * NVAR;
  double *v = wl_host(w, all, sizeof *v), *old = wl_host(w, all, sizeof *old),
         *flux = wl_host(w, all, sizeof *flux);
  double *factor = wl_host(w, g->n, sizeof *factor), dfar[NVAR];
  float *out = wl_host(w, all, sizeof *out);
  for (int k = 0; k < NVAR; k++)
    dfar[k] = (double)far[k];
  for (uint64_t i = 0; i < all; i++)
    v[i] = dfar[i % NVAR];
  for (uint32_t it = 0; it < iterations; it++) {
    memcpy(old, v, (size_t)all * sizeof *v);
    for (uint32_t i = 0; i < g->n; i++) {
      struct state s = derive(v + (uint64_t)i * NVAR);
      factor[i] = 0.5 / (sqrt((double)g->areas[i]) * (sqrt(s.speed2) + s.sound));
    }
    for (uint32_t stage = 1; stage <= 3; stage++) {
      for (uint32_t i = 0; i < g->n; i++)
        cell_flux(g, v, dfar, i, flux + (uint64_t)i * NVAR);
      for (uint64_t i = 0; i < all; i++)
        v[i] = old[i] - factor[i / NVAR] / (4 - stage) * flux[i];
    }
  }
  for (uint64_t i = 0; i < all; i++)
    out[i % NVAR * g->n + i / NVAR] = (float)v[i];
  return out;
}

WORKLOAD(cfd) {
  struct grid g = {.side = wl_u32(w, "side")};
  g.n = g.side * g.side;
  uint32_t iterations = wl_u32(w, "iterations");
  /* density 1.4, pressure 1, so that sound travels at 1; Mach 0.5 at an angle */
  float far[NVAR] = {1.4F, 1.4F * 0.48F, 1.4F * 0.14F, 0, 1 / 0.4F + 0.5F * 1.4F * 0.25F};
  make(w, &g);
  uint64_t all = (uint64_t)g.n * NVAR;
  wl_buffer neighbours = wl_upload(w, "neighbours", g.neighbours, (uint64_t)g.n * NB * 4);
  wl_buffer normals = wl_upload(w, "normals", g.normals, (uint64_t)g.n * NB * 3 * 4);
  wl_buffer areas = wl_upload(w, "areas", g.areas, (uint64_t)g.n * 4),
            ff = wl_upload(w, "far field", far, sizeof far);
  wl_buffer v = wl_alloc(w, "variables", all * 4), old = wl_alloc(w, "old variables", all * 4);
  wl_buffer flux = wl_alloc(w, "fluxes", all * 4), factor = wl_alloc(w, "step factors", (uint64_t)g.n * 4);
  struct wl_range cells = wl_range1(wl_up(g.n, 192), 192);
  wl_launch(w, "cfd_init", cells, WL_ARGS(wl_buf(v), wl_buf(ff), wl_int(g.n)));
  for (uint32_t it = 0; it < iterations; it++) {
    wl_launch(w, "cfd_copy", wl_range1(wl_up(all, 192), 192), WL_ARGS(wl_buf(v), wl_buf(old), wl_int(all)));
    wl_launch(w, "cfd_step_factor", cells, WL_ARGS(wl_buf(v), wl_buf(areas), wl_buf(factor), wl_int(g.n)));
    for (uint32_t stage = 1; stage <= 3; stage++) {
      wl_launch(
          w, "cfd_flux", cells,
          WL_ARGS(wl_buf(neighbours), wl_buf(normals), wl_buf(v), wl_buf(ff), wl_buf(flux), wl_int(g.n)));
      wl_launch(w, "cfd_time_step", cells,
                WL_ARGS(wl_int(stage), wl_buf(old), wl_buf(v), wl_buf(factor), wl_buf(flux), wl_int(g.n)));
    }
  }
  if (wl_verify(w)) /* a few steps of a stable scheme: errors stay near those of single operations */
    wl_check_f32(w, v, reference(w, &g, far, iterations), all, 1e-4);
}
