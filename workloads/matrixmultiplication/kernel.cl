/* Groups of 8 x 8 compute 32 x 32 of the product, 4 x 4 in the registers of each work-item. Along k in steps of 32:
 * the group brings 32 x 32 of the left matrix into local memory; the right matrix is read where it lies. */
#define GROUP 8

__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1))) void
multiply(__global const float4 *restrict a, __global const float4 *restrict b, __global float4 *restrict c,
         uint k, uint n) {
  __local float4 tile[4 * GROUP][GROUP];
  uint lx = get_local_id(0), ly = get_local_id(1), column = get_global_id(0), row = get_global_id(1) * 4;
  float4 sum[4] = {0, 0, 0, 0};
  for (uint step = 0; step < k / 4; step += GROUP) {
    for (uint r = 0; r < 4; r++)
      tile[4 * ly + r][lx] = a[(row + r) * (k / 4) + step + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < GROUP; j++) {
      float4 b0 = b[(4 * (step + j)) * (n / 4) + column], b1 = b[(4 * (step + j) + 1) * (n / 4) + column];
      float4 b2 = b[(4 * (step + j) + 2) * (n / 4) + column], b3 = b[(4 * (step + j) + 3) * (n / 4) + column];
#pragma unroll
      for (uint r = 0; r < 4; r++) {
        float4 left = tile[4 * ly + r][j];
        sum[r] += left.x * b0 + left.y * b1 + left.z * b2 + left.w * b3;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (uint r = 0; r < 4; r++)
    c[(row + r) * (n / 4) + column] = sum[r];
}
