/* Four kernels. prescan: 64 groups of 512 each look at a share of the image and widen the range of crowded
 * bins to four mean deviations around its mean. split: a pixel's value becomes a row (4096 bins) and a place
 * in it. count: group (x, y) walks over the x-th share and counts row y of the range in local memory, which
 * it adds to the global counters; those of y = 0 count what lies outside the range directly there.
 * finish: counters, limited to 255, become bytes and are cleared. */
#define GROUP    512
#define ROW      4096
#define ROW_LOG2 12

static ulong sum_group(ulong value, __local ulong *sums) {
  uint me = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[me] = value;
  for (uint part = GROUP / 2; part > 0; part /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < part)
      sums[me] += sums[me + part];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return sums[0];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
prescan(__global const uint *restrict image, uint n, __global uint *range, uint bins) {
  __local ulong sums[GROUP];
  uint each = (n + get_num_groups(0) - 1) / get_num_groups(0);
  uint first = min((uint)get_group_id(0) * each, n), end = min(first + each, n);
  if (first == end)
    return;
  ulong sum = 0, deviation = 0;
  for (uint i = first + get_local_id(0); i < end; i += GROUP)
    sum += image[i];
  uint mean = (uint)(sum_group(sum, sums) / (end - first));
  for (uint i = first + get_local_id(0); i < end; i += GROUP)
    deviation += image[i] > mean ? image[i] - mean : mean - image[i];
  ulong wide = 4 * (sum_group(deviation, sums) / (end - first));
  if (get_local_id(0) == 0) {
    atomic_min(&range[0], mean > wide ? mean - (uint)wide : 0);
    atomic_max(&range[1], mean + wide < bins ? mean + (uint)wide : bins - 1);
  }
}

#define UNROLL 16
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
split(__global ushort2 *restrict places, __global const uint2 *restrict image, uint pairs) {
  uint i = get_group_id(0) * GROUP * UNROLL + get_local_id(0);
  for (uint k = 0; k < UNROLL && i < pairs; k++, i += GROUP) {
    uint2 value = image[i];
    places[2 * i] = (ushort2)(value.x >> ROW_LOG2, value.x & (ROW - 1));
    places[2 * i + 1] = (ushort2)(value.y >> ROW_LOG2, value.y & (ROW - 1));
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
count(__global uint *restrict counters, __global const ushort2 *restrict places, uint n, uint first_row,
      uint last_row) {
  __local uint mine[ROW];
  uint row = first_row + get_group_id(1);
  for (uint i = get_local_id(0); i < ROW; i += GROUP)
    mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    ushort2 place = places[i];
    if (place.x == row)
      atomic_inc(&mine[place.y]);
    else if (row == first_row && (place.x < first_row || place.x > last_row))
      atomic_inc(&counters[place.x * ROW + place.y]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < ROW; i += GROUP)
    if (mine[i])
      atomic_add(&counters[row * ROW + i], mine[i]);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
finish(__global uchar4 *restrict histogram, __global uint4 *restrict counters, uint quads) {
  for (uint i = get_global_id(0); i < quads; i += get_global_size(0)) {
    histogram[i] = convert_uchar4(min(counters[i], (uint4)255));
    counters[i] = (uint4)0;
  }
}
