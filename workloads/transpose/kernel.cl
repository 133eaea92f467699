/* Copies and transposes of a matrix by tiles of 16 x 16, one item per element: half a warp covers half a line. */
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
copy(__global const float *restrict in, __global float *restrict out, uint width, uint height) {
  uint at = get_global_id(1) * width + get_global_id(0);
  out[at] = in[at];
}

/* Writes go down the columns: every item of a row of the tile to another line. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
naive(__global const float *restrict in, __global float *restrict out, uint width, uint height) {
  uint x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

/* Through local memory, so that both sides are of rows; columns of the tile lie in one bank. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
tiled(__global const float *restrict in, __global float *restrict out, uint width, uint height) {
  __local float tile[TILE][TILE];
  uint lx = get_local_id(0), ly = get_local_id(1);
  uint bx = get_group_id(0) * TILE, by = get_group_id(1) * TILE;
  tile[ly][lx] = in[(by + ly) * width + bx + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(bx + ly) * height + by + lx] = tile[lx][ly];
}

/* The same with the tile padded by a column: its columns lie in different banks. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
padded(__global const float *restrict in, __global float *restrict out, uint width, uint height) {
  __local float tile[TILE][TILE + 1];
  uint lx = get_local_id(0), ly = get_local_id(1);
  uint bx = get_group_id(0) * TILE, by = get_group_id(1) * TILE;
  tile[ly][lx] = in[(by + ly) * width + bx + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(bx + ly) * height + by + lx] = tile[lx][ly];
}

/* Work-groups that run side by side take tiles along a diagonal, which spreads them over the memory channels. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
diagonal(__global const float *restrict in, __global float *restrict out, uint width, uint height) {
  __local float tile[TILE][TILE + 1];
  uint lx = get_local_id(0), ly = get_local_id(1);
  uint number = get_group_id(0) + get_group_id(1) * get_num_groups(0);
  uint down = number % get_num_groups(1);
  uint right = (number / get_num_groups(1) + down) % get_num_groups(0);
  uint bx = right * TILE, by = down * TILE;
  tile[ly][lx] = in[(by + ly) * width + bx + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(bx + ly) * height + by + lx] = tile[lx][ly];
}
