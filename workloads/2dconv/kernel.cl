/* A 3 x 3 convolution straight from global memory: nine loads for each result, overlapping between
 * neighbours, so the caches carry the reuse. The border stays as it was. */
__kernel void convolution2d(__global const float *restrict a, __global float *restrict b, uint rows, uint cols) {
  uint j = get_global_id(0), i = get_global_id(1);
  if (i == 0 || j == 0 || i + 1 >= rows || j + 1 >= cols)
    return;
  __global const float *up = a + (i - 1) * cols + j, *mid = up + cols, *down = mid + cols;
  b[i * cols + j] = 0.2f * up[-1] - 0.3f * up[0] + 0.4f * up[1] + 0.5f * mid[-1] + 0.6f * mid[0] +
                    0.7f * mid[1] - 0.8f * down[-1] - 0.9f * down[0] + 0.1f * down[1];
}
