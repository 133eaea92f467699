/* A work-item for each element, groups of 32 x 8, a plain loop over the inner index. Launched three times. */
__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void multiply(__global const float *restrict a,
                                                                       __global const float *restrict b,
                                                                       __global float *restrict c, uint n) {
  uint j = get_global_id(0), i = get_global_id(1);
  if (i >= n || j >= n)
    return;
  float sum = 0;
  for (uint k = 0; k < n; k++)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

/* The same of matrices that are not square. */
__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void
multiply_sides(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
               uint rows, uint inner, uint columns) {
  uint j = get_global_id(0), i = get_global_id(1);
  if (i >= rows || j >= columns)
    return;
  float sum = 0;
  for (uint k = 0; k < inner; k++)
    sum += a[i * inner + k] * b[k * columns + j];
  c[i * columns + j] = sum;
}
