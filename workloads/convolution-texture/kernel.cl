/* A work-item for each pixel, in groups of 16 x 12, fetches its 17 taps along the row, or along the column.
 * A fetch clamps to the image's edge as the texture unit would. The filter is read through the constant
 * cache. */
#define RADIUS 8

static float fetch(__global const float *image, int x, int y, int width, int height) {
  return image[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

__kernel __attribute__((reqd_work_group_size(16, 12, 1))) void
convolve_rows(__global float *restrict out, __global const float *restrict in, __constant float *filter,
              int width, int height) {
  int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height)
    return;
  float sum = 0;
#pragma unroll
  for (int j = -RADIUS; j <= RADIUS; j++)
    sum += fetch(in, x + j, y, width, height) * filter[RADIUS - j];
  out[y * width + x] = sum;
}

__kernel __attribute__((reqd_work_group_size(16, 12, 1))) void
convolve_columns(__global float *restrict out, __global const float *restrict in, __constant float *filter,
                 int width, int height) {
  int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height)
    return;
  float sum = 0;
#pragma unroll
  for (int j = -RADIUS; j <= RADIUS; j++)
    sum += fetch(in, x, y + j, width, height) * filter[RADIUS - j];
  out[y * width + x] = sum;
}
