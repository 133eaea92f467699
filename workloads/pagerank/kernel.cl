/* A work-item for each node, groups of 256. push: a node adds its rank, divided by its edges, to each
 * neighbour's sum by an atomic; update: ranks from the sums, which it clears. */
static void add_float(__global float *to, float value) {
  float old; /* OpenCL C 1.2 has no such atomic */
  __asm__ volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(to), "f"(value) : "memory");
}

__kernel void init(__global float *restrict rank, __global float *restrict sum, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  rank[i] = 1.0f / (float)n;
  sum[i] = 0;
}

__kernel void push(__global const uint *restrict first, __global const uint *restrict to,
                   __global const float *restrict rank, __global float *sum, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  uint begin = first[i], end = first[i + 1];
  float share = rank[i] / (float)(end - begin);
  for (uint e = begin; e < end; e++)
    add_float(&sum[to[e]], share);
}

__kernel void update(__global float *restrict rank, __global float *restrict sum, float damping, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  rank[i] = (1.0f - damping) / (float)n + damping * sum[i];
  sum[i] = 0;
}
