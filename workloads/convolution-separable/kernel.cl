/* Two kernels. Along rows: groups of 16 x 4 read 8 tiles of 16 columns and a halo tile on either side into
 * local memory and write 8. Along columns: groups of 16 x 8, 8 tiles of 8 rows and a halo of 8. Outside the
 * image is zero. The filter is read through the constant cache. */
#define RADIUS 8
#define STEPS  8

#define ROW_X 16
#define ROW_Y 4
__kernel __attribute__((reqd_work_group_size(ROW_X, ROW_Y, 1))) void
convolve_rows(__global float *restrict out, __global const float *restrict in, __constant float *filter,
              int width) {
  __local float tile[ROW_Y][(STEPS + 2) * ROW_X];
  int lx = (int)get_local_id(0), ly = (int)get_local_id(1);
  int x = (int)get_group_id(0) * STEPS * ROW_X + lx - ROW_X; /* of the left halo */
  int row = (int)get_global_id(1) * width;
#pragma unroll
  for (int i = 0; i < STEPS + 2; i++) {
    int at = x + i * ROW_X;
    tile[ly][lx + i * ROW_X] = at >= 0 && at < width ? in[row + at] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int i = 1; i <= STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; j++)
      sum += filter[RADIUS - j] * tile[ly][lx + i * ROW_X + j];
    out[row + x + i * ROW_X] = sum;
  }
}

#define COLUMN_X 16
#define COLUMN_Y 8
__kernel __attribute__((reqd_work_group_size(COLUMN_X, COLUMN_Y, 1))) void
convolve_columns(__global float *restrict out, __global const float *restrict in, __constant float *filter,
                 int width, int height) {
  __local float tile[COLUMN_X][(STEPS + 2) * COLUMN_Y +
                               1]; /* a column lies along a row; the odd pitch keeps banks apart */
  int lx = (int)get_local_id(0), ly = (int)get_local_id(1);
  int x = (int)get_global_id(0);
  int y = (int)get_group_id(1) * STEPS * COLUMN_Y + ly - COLUMN_Y;
#pragma unroll
  for (int i = 0; i < STEPS + 2; i++) {
    int at = y + i * COLUMN_Y;
    tile[lx][ly + i * COLUMN_Y] = at >= 0 && at < height ? in[at * width + x] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int i = 1; i <= STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; j++)
      sum += filter[RADIUS - j] * tile[lx][ly + i * COLUMN_Y + j];
    out[(y + i * COLUMN_Y) * width + x] = sum;
  }
}
