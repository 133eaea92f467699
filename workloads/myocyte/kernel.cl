/* Right-hand side of the ordinary differential equations of a heart muscle cell, once for each call: the membrane
 * currents of Beeler and Reuter (1977) in work-item 0 of the first group; in the second, work-items 0 to 2
 * calcium binding to calmodulin in three compartments. So one lane of a warp works, on
 * values that lie side by side: the parallelism of the original, and its memory accesses. */
#define CELL 8 /* V, m, h, j, d, f, x1, calcium */
#define BIND 4 /* free calcium, one and two ions bound, complex */

/* (c1 exp(c2 (v + c3)) + c4 (v + c5)) / (exp(c6 (v + c3)) + c7): all rates have this form */
static float rate(__global const float *restrict c, float v) {
  return (c[0] * exp(c[1] * (v + c[2])) + c[3] * (v + c[4])) / (exp(c[5] * (v + c[2])) + c[6]);
}

static float gate(__global const float *restrict c, float v, float x) {
  return rate(c, v) * (1.0f - x) - rate(c + 7, v) * x;
}

static void membrane(float time, __global const float *restrict y, __global const float *restrict rates,
                     __global const float *restrict p, __global float *restrict dy) {
  float v = y[0], m = y[1], h = y[2], j = y[3], d = y[4], f = y[5], x1 = y[6], ca = y[7];
  float reversal = -82.3f - 13.0287f * log(ca * 1e-7f); /* calcium in 1e-7 mol/l */
  float slow = p[0] * d * f * (v - reversal);
  float sodium = (p[1] * m * m * m * h * j + p[2]) * (v - 50.0f);
  float outward = x1 * 0.8f * (exp(0.04f * (v + 77.0f)) - 1.0f) / exp(0.04f * (v + 35.0f));
  float flat = v + 23.0f;
  float part = fabs(flat) < 1e-3f ? 5.0f : 0.2f * flat / (1.0f - exp(-0.04f * flat));
  float inward = 0.35f * (4.0f * (exp(0.04f * (v + 85.0f)) - 1.0f) /
                              (exp(0.08f * (v + 53.0f)) + exp(0.04f * (v + 53.0f))) +
                          part);
  float stimulus = time < p[4] ? p[3] : 0.0f;
  dy[0] = stimulus - (inward + outward + sodium + slow);
  for (int k = 0; k < 6; k++)
    dy[1 + k] = gate(rates + 14 * k, v, y[1 + k]);
  dy[7] = -slow + 0.07f * (1.0f - ca);
}

/* Calcium is taken up from the cell and bound in two steps; the full complex binds a target. */
static void binding(__global const float *restrict y, __global const float *restrict p, float calcium,
                    __global float *restrict dy) {
  float free = y[0], one = y[1], two = y[2], bound = y[3], none = p[0] - one - two - bound;
  float first = p[1] * free * none - p[2] * one, second = p[3] * free * one - p[4] * two;
  float third = p[5] * two - p[6] * bound;
  dy[0] = p[7] * (calcium - free) - first - second;
  dy[1] = first - second;
  dy[2] = second - third;
  dy[3] = third;
}

__kernel void myocyte_rhs(float time, __global const float *restrict y, __global const float *restrict rates,
                          __global const float *restrict cell, __global const float *restrict compartments,
                          __global float *restrict dy) {
  uint t = get_local_id(0);
  if (get_group_id(0) == 0) {
    if (t == 0)
      membrane(time, y, rates, cell, dy);
  } else if (t < 3) {
    binding(y + CELL + BIND * t, compartments + 8 * t, y[7], dy + CELL + BIND * t);
  }
}
