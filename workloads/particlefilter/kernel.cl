/* A particle filter that follows a disk through a noisy film. For each frame: every particle moves and weighs how
 * well the pixels of a disk around it fit (its list of pixel indices lies in memory, a row for each particle, so
 * neighbours write and read far apart); weights are summed by groups, then by one work-item; normalised and
 * added up; and each particle looks for its successor in those sums from the start. */
static float next_uniform(__global uint *seed, uint i) {
  uint s = seed[i] * 1664525u + 1013904223u;
  seed[i] = s;
  return ((float)(s >> 9) + 0.5f) * (1.0f / 8388608.0f); /* never 0 or 1 */
}

static float next_normal(__global uint *seed, uint i) {
  float u = next_uniform(seed, i), v = next_uniform(seed, i);
  return sqrt(-2.0f * log(u)) * cos(6.28318530718f * v);
}

__kernel void particle_likelihood(__global float *restrict x, __global float *restrict y,
                                  __global const float *restrict from_x, __global const float *restrict from_y,
                                  __global int *restrict index, __global const int *restrict disk, uint ones,
                                  __global const uchar *restrict film, __global float *restrict weight,
                                  __global uint *seed, __global float *restrict partial, uint n, int width,
                                  int height, int frames, int frame, __local float *sums) {
  uint i = get_global_id(0), t = get_local_id(0);
  float mine = 0;
  if (i < n) {
    float px = from_x[i] + 1.0f + 5.0f * next_normal(seed, i);
    float py = from_y[i] - 2.0f + 2.0f * next_normal(seed, i);
    x[i] = px;
    y[i] = py;
    for (uint k = 0; k < ones; k++) {
      int ix = convert_int_rte(px) + disk[2 * k], iy = convert_int_rte(py) + disk[2 * k + 1];
      int at = (ix * height + iy) * frames + frame;
      index[i * ones + k] = ix < 0 || iy < 0 || ix >= width || iy >= height ? 0 : at;
    }
    float fit = 0;
    for (uint k = 0; k < ones; k++) {
      float v = film[index[i * ones + k]];
      fit += ((v - 100.0f) * (v - 100.0f) - (v - 228.0f) * (v - 228.0f)) / 50.0f;
    }
    mine = exp(fit / (float)ones - 300.0f) / (float)n;
    weight[i] = mine;
  }
  sums[t] = mine;
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < step)
      sums[t] += sums[t + step];
  }
  if (t == 0)
    partial[get_group_id(0)] = sums[0];
}

__kernel void particle_sum(__global float *restrict partial, uint groups) {
  if (get_global_id(0) == 0) {
    float sum = 0;
    for (uint i = 0; i < groups; i++)
      sum += partial[i];
    partial[0] = sum;
  }
}

/* Running sums are made by one work-item, as they depend on each other. */
__kernel void particle_normalize(__global float *restrict weight, __global const float *restrict partial, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    weight[i] /= partial[0];
}

__kernel void particle_cdf(__global const float *restrict weight, __global float *restrict cdf,
                           __global float *restrict u, __global uint *seed, uint n) {
  if (get_global_id(0) == 0) {
    float sum = 0;
    for (uint k = 0; k < n; k++) {
      sum += weight[k];
      cdf[k] = sum;
    }
    u[0] = next_uniform(seed, 0) / (float)n;
  }
}

__kernel void particle_find(__global const float *restrict x, __global const float *restrict y,
                            __global const float *restrict cdf, __global const float *restrict u,
                            __global float *restrict to_x, __global float *restrict to_y, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  float mark = u[0] + (float)i / (float)n;
  uint k = 0;
  while (k + 1 < n && cdf[k] < mark)
    k++;
  to_x[i] = x[k];
  to_y[i] = y[k];
}
