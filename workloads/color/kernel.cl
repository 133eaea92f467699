/* A work-item for each node, groups of 256. find_largest: an uncoloured node's largest value among its
 * uncoloured neighbours; it says that there is more to do. colour: those above it take the colour. */
__kernel void find_largest(__global const uint *restrict first, __global const uint *restrict to,
                           __global const uint *restrict value, __global const int *restrict colours,
                           __global int *restrict largest, __global uint *restrict more, uint n) {
  uint i = get_global_id(0);
  if (i >= n || colours[i] != -1)
    return;
  int most = -1;
  for (uint e = first[i]; e < first[i + 1]; e++) {
    uint neighbour = to[e];
    if (neighbour != i && colours[neighbour] == -1) {
      *more = 1;
      most = max(most, (int)value[neighbour]);
    }
  }
  largest[i] = most;
}

__kernel void colour(__global const uint *restrict value, __global int *restrict colours,
                     __global const int *restrict largest, int round, uint n) {
  uint i = get_global_id(0);
  if (i < n && colours[i] == -1 && (int)value[i] > largest[i])
    colours[i] = round;
}
