/* Groups of 16 x 8 compute 128 rows by 16 columns of C, a row of 16 to each work-item. In steps of 8 along k,
 * the group brings an 8 x 16 tile of B into local memory and every work-item walks down its row of A.
 * A and C lie by columns, B by rows (the transposed operand of the suite), so all global accesses coalesce. */
#define TILE_N 16
#define TILE_K 8

__kernel __attribute__((reqd_work_group_size(TILE_N, TILE_K, 1))) void
sgemm(__global const float *restrict a, uint lda, __global const float *restrict b, uint ldb,
      __global float *restrict c, uint ldc, uint k, float alpha, float beta) {
  __local float tile[TILE_K][TILE_N];
  uint lx = get_local_id(0), ly = get_local_id(1);
  uint row = get_group_id(0) * TILE_N * TILE_K + ly * TILE_N + lx, column = get_group_id(1) * TILE_N;
  float sum[TILE_N];
  for (uint j = 0; j < TILE_N; j++)
    sum[j] = 0;
  for (uint i = 0; i < k; i += TILE_K) {
    tile[ly][lx] = b[(i + ly) * ldb + column + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint t = 0; t < TILE_K; t++) {
      float x = a[(i + t) * lda + row];
#pragma unroll
      for (uint j = 0; j < TILE_N; j++)
        sum[j] += x * tile[t][j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (uint j = 0; j < TILE_N; j++) {
    uint at = (column + j) * ldc + row;
    c[at] = c[at] * beta + alpha * sum[j];
  }
}
