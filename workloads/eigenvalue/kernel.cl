/* A work-item for each interval, groups of 256. count: how many eigenvalues lie within it, from the signs of the
 * Sturm sequence at its two ends. divide: work-item i finds the interval that holds eigenvalue i, counting from the
 * first one, and takes its part: a half where it is alone, else one of as many parts as there are eigenvalues. */
static uint below(float x, __global const float *diagonal, __global const float *square, uint n) {
  float last = diagonal[0] - x;
  uint count = last < 0;
  for (uint i = 1; i < n; i++) {
    last = diagonal[i] - x - square[i - 1] / (last == 0 ? 1e-30f : last);
    count += last < 0;
  }
  return count;
}

__kernel void count(__global uint *restrict counts, __global const float2 *restrict intervals,
                    __global const float *restrict diagonal, __global const float *restrict square, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  float2 interval = intervals[i];
  counts[i] = below(interval.y, diagonal, square, n) - below(interval.x, diagonal, square, n);
}

__kernel void divide(__global float2 *restrict to, __global const float2 *restrict from,
                     __global const uint *restrict counts, __global const float *restrict diagonal,
                     __global const float *restrict square, float tolerance, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  uint before = 0, at = 0;
  for (; at < n - 1 && before + counts[at] <= i; at++)
    before += counts[at];
  float low = from[at].x, high = from[at].y;
  if (counts[at] == 1) {
    float middle = (low + high) * 0.5f;
    if (high - low > tolerance) {
      bool upper = below(middle, diagonal, square, n) == below(low, diagonal, square, n);
      low = upper ? middle : low;
      high = upper ? high : middle;
    }
  } else { /* however narrow: two work-items must not end up with the same interval */
    float part = (high - low) / (float)counts[at];
    uint mine = i - before;
    high = mine == counts[at] - 1 ? high : low + part * (float)(mine + 1);
    low += part * (float)mine;
  }
  to[i] = (float2)(low, high);
}
