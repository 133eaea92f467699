/* Groups of 16 x 16 move tiles of 64 x 64; a work-item loads four vectors of four, one from each of four rows, into
 * local memory and stores four columns of the mirrored place. Groups take the tiles along diagonals, so that those
 * side by side write to different parts of memory. */
#define GROUP 16

__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1))) void
transpose(__global float4 *restrict out, __global const float4 *restrict in, uint size) {
  __local float4 tile[4 * GROUP][GROUP];
  uint lx = get_local_id(0), ly = get_local_id(1), tiles = get_num_groups(0), pitch = size / 4;
  uint row = get_group_id(0), column = (get_group_id(0) + get_group_id(1)) % tiles;
  for (uint k = 0; k < 4; k++)
    tile[4 * ly + k][lx] = in[(row * 4 * GROUP + 4 * ly + k) * pitch + column * GROUP + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 a = tile[4 * lx][ly], b = tile[4 * lx + 1][ly], c = tile[4 * lx + 2][ly], d = tile[4 * lx + 3][ly];
  uint at = (column * 4 * GROUP + 4 * ly) * pitch + row * GROUP + lx;
  out[at] = (float4)(a.x, b.x, c.x, d.x);
  out[at + pitch] = (float4)(a.y, b.y, c.y, d.y);
  out[at + 2 * pitch] = (float4)(a.z, b.z, c.z, d.z);
  out[at + 3 * pitch] = (float4)(a.w, b.w, c.w, d.w);
}
