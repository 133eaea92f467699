/* Brandes' algorithm, a work-item for each node, groups of 128. For a source: start clears distances, path
 * counts and dependencies; forward, once a level, finds the next level and adds up path counts by atomics;
 * backward, once a level from the farthest, gathers dependencies; gather_up adds a level's to the result. */
static void add_float(__global float *to, float value) {
  float old; /* OpenCL C 1.2 has no such atomic */
  __asm__ volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(to), "f"(value) : "memory");
}

__kernel void start(__global int *restrict distance, __global float *restrict paths,
                    __global float *restrict depends, uint source, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  distance[i] = i == source ? 0 : -1;
  paths[i] = i == source ? 1 : 0;
  depends[i] = 0;
}

__kernel void forward(__global const uint *restrict first, __global const uint *restrict to,
                      __global int *distance, __global float *paths, __global uint *restrict more, int level,
                      uint n) {
  uint i = get_global_id(0);
  if (i >= n || distance[i] != level)
    return;
  for (uint e = first[i]; e < first[i + 1]; e++) {
    uint neighbour = to[e];
    if (distance[neighbour] < 0) {
      distance[neighbour] = level + 1;
      *more = 1;
    }
    if (distance[neighbour] == level + 1)
      add_float(&paths[neighbour], paths[i]);
  }
}

__kernel void backward(__global const uint *restrict first, __global const uint *restrict to,
                       __global const int *restrict distance, __global const float *restrict paths,
                       __global float *depends, int level, uint n) {
  uint i = get_global_id(0);
  if (i >= n || distance[i] != level - 1)
    return;
  for (uint e = first[i]; e < first[i + 1]; e++) {
    uint neighbour = to[e];
    if (distance[neighbour] == level)
      depends[i] += paths[i] / paths[neighbour] * (1.0f + depends[neighbour]);
  }
}

__kernel void gather_up(__global const int *restrict distance, __global const float *restrict depends,
                        __global float *restrict centrality, uint source, int level, uint n) {
  uint i = get_global_id(0);
  if (i < n && i != source && distance[i] == level - 1)
    centrality[i] += depends[i];
}
