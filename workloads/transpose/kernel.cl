/* Matrix transpose through a tile in local memory, padded by a column so that its columns lie in different
 * banks: both the reads and the writes of global memory are of whole rows. */
#define TILE 32
#define ROWS 8

__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1))) void
transpose(__global const float *restrict in, __global float *restrict out, uint width, uint height) {
  __local float tile[TILE][TILE + 1];
  uint lx = get_local_id(0), ly = get_local_id(1);
  uint bx = get_group_id(0) * TILE, by = get_group_id(1) * TILE;
  for (uint i = 0; i < TILE; i += ROWS)
    tile[ly + i][lx] = in[(by + ly + i) * width + bx + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < TILE; i += ROWS)
    out[(bx + ly + i) * height + by + lx] = tile[lx][ly + i];
}
