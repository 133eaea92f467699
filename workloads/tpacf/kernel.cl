/* Group 0 pairs the data with themselves, groups 1..n the data with random set n, groups n+1..2n a random set
 * with itself. A group of 256 brings tiles of 256 points of the first set into local memory and walks over
 * the second, a point to each work-item. A pair's bin is found by bisection of the bins' cosines and counted
 * in one of 32 local histograms. */
#define GROUP  256
#define BINS   20
#define COPIES 32

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
tpacf(__global uint *restrict histograms, __global const float *restrict x, __global const float *restrict y,
      __global const float *restrict z, __constant float *cosines, uint points, uint sets) {
  __local float tile[3][GROUP];
  __local uint counts[BINS][COPIES];
  uint me = get_local_id(0), group = get_group_id(0);
  bool self = group == 0 || group > sets;
  uint first = group > sets ? (group - sets) * points : 0; /* of the set in the tile */
  uint second = group > sets ? first : group * points;
  for (uint i = me; i < BINS * COPIES; i += GROUP)
    counts[i / COPIES][i % COPIES] = 0;

  for (uint i = 0; i < points; i += GROUP) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i + me < points) {
      tile[0][me] = x[first + i + me];
      tile[1][me] = y[first + i + me];
      tile[2][me] = z[first + i + me];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint tile_size = min(points - i, (uint)GROUP);
    for (uint j = (self ? i : 0) + me; j < points; j += GROUP) {
      float px = x[second + j], py = y[second + j], pz = z[second + j];
      for (uint k = 0; k < tile_size && !(self && j <= i + k); k++) {
        float cosine = fma(px, tile[0][k], fma(py, tile[1][k], pz * tile[2][k]));
        uint low = 0, high = BINS; /* the bin is the number of boundaries above the cosine, less one */
        while (high - low > 1) {
          uint middle = (low + high) / 2;
          if (cosine < cosines[middle])
            low = middle;
          else
            high = middle;
        }
        atomic_inc(&counts[low][me % COPIES]);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint part = COPIES / 2; part > 0; part /= 2) {
    for (uint i = me; i < BINS * part; i += GROUP)
      counts[i / part][i % part] += counts[i / part][i % part + part];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me < BINS)
    histograms[group * BINS + me] = counts[me][0];
}
