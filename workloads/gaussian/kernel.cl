/* Gaussian elimination without pivoting, two kernels for each column: the multipliers of the rows below, then
 * the update of those rows. Work-items neighbouring along x work on different rows, so the loads and stores
 * of a warp spread over as many lines as a work-group is wide. */
__kernel void gaussian_multipliers(__global float *restrict m, __global const float *restrict a, uint n,
                                   uint t) {
  uint i = get_global_id(0);
  if (i >= n - 1 - t)
    return;
  m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}

__kernel void gaussian_update(__global const float *restrict m, __global float *a, __global float *b, uint n,
                              uint t) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x >= n - 1 - t || y >= n - t)
    return;
  a[n * (x + 1 + t) + y + t] -= m[n * (x + 1 + t) + t] * a[n * t + y + t];
  if (y == 0)
    b[x + 1 + t] -= m[n * (x + 1 + t) + t] * b[t];
}
