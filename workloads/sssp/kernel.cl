/* Shortest paths by rounds of relaxation over all nodes: a node whose distance is known offers it to its
 * neighbours by atomic minimum. Edge lists and distances are scattered. */
__kernel void sssp_init(__global uint *restrict distance, uint n, uint source) {
  uint i = get_global_id(0);
  if (i < n)
    distance[i] = i == source ? 0 : UINT_MAX;
}

__kernel void sssp_relax(__global const uint *restrict first, __global const uint *restrict to,
                         __global const uint *restrict weight, __global volatile uint *restrict distance,
                         __global uint *restrict changed, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  uint mine = distance[i];
  if (mine == UINT_MAX)
    return;
  uint last = first[i + 1];
  for (uint e = first[i]; e < last; e++) {
    uint there = to[e], offer = mine + weight[e];
    if (offer < distance[there] && atomic_min(&distance[there], offer) > offer)
      *changed = 1;
  }
}
