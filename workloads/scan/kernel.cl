/* Groups of 256, four elements to a work-item. Arrays of up to 1024 are summed by scan_local alone; of longer
 * ones it sums pieces of 1024, scan_tops sums the pieces' totals and scan_add adds them. Within a group a
 * scan by doubling distances, over an array whose zeroed lower half spares it tests. */
#define GROUP 256

/* Inclusive scan over runs of `size` work-items, a power of two. */
static uint scan1(uint value, __local uint *sums, uint size) {
  uint me = get_local_id(0), at = 2 * me - (me & (size - 1));
  sums[at] = 0;
  at += size;
  sums[at] = value;
  for (uint distance = 1; distance < size; distance <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = sums[at] + sums[at - distance];
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[at] = sum;
  }
  return sums[at];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
scan_local(__global uint4 *restrict out, __global const uint4 *restrict in, uint length) {
  __local uint sums[2 * GROUP];
  uint i = get_global_id(0);
  uint4 x = in[i], before = (uint4)(0, x.x, x.x + x.y, x.x + x.y + x.z);
  uint total = before.w + x.w;
  out[i] = before + (scan1(total, sums, length / 4) - total);
}

/* totals[p] = sum of the pieces before p in its array; the last elements give each piece's sum. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
scan_tops(__global uint *restrict totals, __global const uint *restrict out, __global const uint *restrict in,
          uint pieces, uint pieces_of_array) {
  __local uint sums[2 * GROUP];
  uint p = get_global_id(0), total = 0;
  if (p < pieces)
    total = out[p * 4 * GROUP + 4 * GROUP - 1] + in[p * 4 * GROUP + 4 * GROUP - 1];
  uint sum = scan1(total, sums, pieces_of_array);
  if (p < pieces)
    totals[p] = sum - total;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
scan_add(__global uint4 *restrict out, __global const uint *restrict totals) {
  __local uint before;
  if (get_local_id(0) == 0)
    before = totals[get_group_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] += before;
}
