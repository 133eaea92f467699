/* Euler equations on an unstructured grid of cells with four faces: for each cell a step length, then three
 * stages of flux and update. One work-item for each cell; every quantity is an array over all cells, so a cell's own values
 * are read coalesced and those of its neighbours wherever the numbering of the grid puts them. */
#define NB 4
#define GAMMA 1.4f
#define SMOOTHING 0.2f

enum { DENSITY, MOMENTUM_X, MOMENTUM_Y, MOMENTUM_Z, ENERGY, NVAR };

struct state {
  float density, energy, pressure, sound, speed2;
  float3 momentum, velocity;
};

static struct state derive(float density, float3 momentum, float energy) {
  struct state s;
  s.density = density;
  s.momentum = momentum;
  s.energy = energy;
  s.velocity = momentum / density;
  s.speed2 = dot(s.velocity, s.velocity);
  s.pressure = (GAMMA - 1.0f) * (energy - 0.5f * density * s.speed2);
  s.sound = sqrt(GAMMA * s.pressure / density);
  return s;
}

static struct state load_state(__global const float *restrict v, uint i, uint n) {
  return derive(v[i + DENSITY * n], (float3)(v[i + MOMENTUM_X * n], v[i + MOMENTUM_Y * n], v[i + MOMENTUM_Z * n]),
                v[i + ENERGY * n]);
}

__kernel void cfd_init(__global float *restrict variables, __constant float *far, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    for (uint k = 0; k < NVAR; k++)
      variables[i + k * n] = far[k];
}

__kernel void cfd_step_factor(__global const float *restrict variables, __global const float *restrict areas,
                              __global float *restrict factor, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  struct state s = load_state(variables, i, n);
  factor[i] = 0.5f / (sqrt(areas[i]) * (sqrt(s.speed2) + s.sound));
}

/* Flux through a face with normal c (times its area) between the states a and b. */
static void add_flux(float3 c, struct state a, struct state b, float *density, float3 *momentum, float *energy) {
  float3 half_c = 0.5f * c;
  *density += dot(half_c, a.momentum + b.momentum);
  float ua = dot(half_c, a.velocity), ub = dot(half_c, b.velocity);
  *momentum += ua * a.momentum + ub * b.momentum + half_c * (a.pressure + b.pressure);
  *energy += ua * (a.energy + a.pressure) + ub * (b.energy + b.pressure);
}

__kernel void cfd_flux(__global const int *restrict neighbours, __global const float *restrict normals,
                       __global const float *restrict variables, __constant float *far,
                       __global float *restrict fluxes, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  struct state me = load_state(variables, i, n);
  float density = 0, energy = 0;
  float3 momentum = (float3)(0, 0, 0);
  for (uint k = 0; k < NB; k++) {
    int other = neighbours[i + k * n];
    float3 c = (float3)(normals[i + (k * 3 + 0) * n], normals[i + (k * 3 + 1) * n], normals[i + (k * 3 + 2) * n]);
    if (other >= 0) {
      struct state s = load_state(variables, (uint)other, n);
      float viscosity = length(c) * SMOOTHING * 0.5f * (sqrt(me.speed2) + sqrt(s.speed2) + me.sound + s.sound);
      density += viscosity * (me.density - s.density);
      energy += viscosity * (me.energy - s.energy);
      momentum += viscosity * (me.momentum - s.momentum);
      add_flux(c, me, s, &density, &momentum, &energy);
    } else if (other == -1) { /* a wall: pressure only */
      momentum += c * me.pressure;
    } else { /* far away */
      struct state s = derive(far[DENSITY], (float3)(far[MOMENTUM_X], far[MOMENTUM_Y], far[MOMENTUM_Z]), far[ENERGY]);
      add_flux(c, me, s, &density, &momentum, &energy);
    }
  }
  fluxes[i + DENSITY * n] = density;
  fluxes[i + MOMENTUM_X * n] = momentum.x;
  fluxes[i + MOMENTUM_Y * n] = momentum.y;
  fluxes[i + MOMENTUM_Z * n] = momentum.z;
  fluxes[i + ENERGY * n] = energy;
}

/* Stage `stage` of three. */
__kernel void cfd_time_step(uint stage, __global const float *restrict old, __global float *restrict variables,
                            __global const float *restrict factor, __global const float *restrict fluxes,
                            uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  float f = factor[i] / (float)(3 + 1 - stage);
  for (uint k = 0; k < NVAR; k++)
    variables[i + k * n] = old[i + k * n] - f * fluxes[i + k * n];
}

__kernel void cfd_copy(__global const float *restrict from, __global float *restrict to, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    to[i] = from[i];
}
