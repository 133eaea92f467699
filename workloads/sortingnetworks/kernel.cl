/* Bitonic sort. Groups of 512 hold blocks of 1024 pairs in local memory. sort_local sorts arrays of up to
 * 1024; for longer ones sort_blocks sorts blocks, every second one downwards, and then each doubling of the
 * sorted length takes merge_global for comparators that span 1024 or more and merge_local for all others. */
#define BLOCK 1024
#define GROUP (BLOCK / 2)

static void compare(__local uint *keys, __local uint *values, uint a, uint b, bool up) {
  uint ka = keys[a], kb = keys[b];
  if ((ka > kb) == up) {
    uint va = values[a], vb = values[b];
    keys[a] = kb;
    keys[b] = ka;
    values[a] = vb;
    values[b] = va;
  }
}

/* The comparators of one stride. */
static void level(__local uint *keys, __local uint *values, uint stride, bool up) {
  uint me = get_local_id(0), at = 2 * me - (me & (stride - 1));
  barrier(CLK_LOCAL_MEM_FENCE);
  compare(keys, values, at, at + stride, up);
}

static void load(__local uint *to, __global const uint *from) {
  uint at = get_group_id(0) * BLOCK + get_local_id(0);
  to[get_local_id(0)] = from[at];
  to[get_local_id(0) + GROUP] = from[at + GROUP];
}

static void store(__global uint *to, __local const uint *from) {
  uint at = get_group_id(0) * BLOCK + get_local_id(0);
  to[at] = from[get_local_id(0)];
  to[at + GROUP] = from[get_local_id(0) + GROUP];
}

/* Sorts runs of `length` of the block; the last step goes `up`. */
static void sort_runs(__local uint *keys, __local uint *values, uint length, bool up) {
  for (uint size = 2; size <= length; size *= 2)
    for (uint stride = size / 2; stride > 0; stride /= 2)
      level(keys, values, stride, size < length ? (get_local_id(0) & size / 2) == 0 : up);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
sort_local(__global uint *restrict out_keys, __global uint *restrict out_values,
           __global const uint *restrict in_keys, __global const uint *restrict in_values, uint length) {
  __local uint keys[BLOCK], values[BLOCK];
  load(keys, in_keys);
  load(values, in_values);
  sort_runs(keys, values, length, true);
  barrier(CLK_LOCAL_MEM_FENCE);
  store(out_keys, keys);
  store(out_values, values);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
sort_blocks(__global uint *restrict out_keys, __global uint *restrict out_values,
            __global const uint *restrict in_keys, __global const uint *restrict in_values) {
  __local uint keys[BLOCK], values[BLOCK];
  load(keys, in_keys);
  load(values, in_values);
  sort_runs(keys, values, BLOCK, (get_group_id(0) & 1) == 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  store(out_keys, keys);
  store(out_values, values);
}

/* Whether the run of `size` that comparator i of an array belongs to is to go up: all but every second one,
 * and the last. */
static bool goes_up(uint i, uint length, uint size) {
  return ((i & (length / 2 - 1)) & size / 2) == 0;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
merge_global(__global uint *keys, __global uint *values, uint length, uint size, uint stride) {
  uint i = get_global_id(0), at = 2 * i - (i & (stride - 1));
  uint ka = keys[at], kb = keys[at + stride], va = values[at], vb = values[at + stride];
  bool swap = (ka > kb) == goes_up(i, length, size);
  keys[at] = swap ? kb : ka;
  keys[at + stride] = swap ? ka : kb;
  values[at] = swap ? vb : va;
  values[at + stride] = swap ? va : vb;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
merge_local(__global uint *all_keys, __global uint *all_values, uint length, uint size) {
  __local uint keys[BLOCK], values[BLOCK];
  load(keys, all_keys);
  load(values, all_values);
  bool up = goes_up(get_global_id(0), length, size);
#pragma unroll
  for (uint stride = BLOCK / 2; stride > 0; stride /= 2)
    level(keys, values, stride, up);
  barrier(CLK_LOCAL_MEM_FENCE);
  store(all_keys, keys);
  store(all_values, values);
}
