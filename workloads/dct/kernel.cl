/* Groups of 8 x 8, one for each block: A X, kept in local memory, then (A X) A transposed. Block and cosines are read
 * from global memory as often as they are used. */
#define BLOCK 8

__kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1))) void
dct(__global float *restrict out, __global const float *restrict in, __global const float *restrict cosines,
    uint width) {
  __local float half_done[BLOCK][BLOCK];
  uint column = get_local_id(0), row = get_local_id(1);
  uint first = get_group_id(1) * BLOCK * width + get_group_id(0) * BLOCK;
  float sum = 0;
  for (uint k = 0; k < BLOCK; k++)
    sum += cosines[row * BLOCK + k] * in[first + k * width + column];
  half_done[row][column] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (uint k = 0; k < BLOCK; k++)
    sum += half_done[row][k] * cosines[column * BLOCK + k];
  out[first + row * width + column] = sum;
}
