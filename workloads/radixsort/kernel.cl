/* Radix sort as Thrust's: for each digit of four bits, radix_count counts the digits of each group's share,
 * radix_scan turns all counts into positions, and radix_scatter walks over the share again, in tiles of 512
 * (four neighbours to a work-item): the tile is sorted by digit in local memory and written in runs. */
#define GROUP    128
#define PER_ITEM 4
#define TILE     (GROUP * PER_ITEM)
#define DIGITS   16

struct share {
  uint first, end;
};

static struct share share_of(uint group, uint groups, uint n) {
  uint tiles = (n + TILE - 1) / TILE, each = (tiles + groups - 1) / groups;
  struct share s = {min(group * each * TILE, n), min((group + 1) * each * TILE, n)};
  return s;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
radix_count(__global uint *restrict counts, __global const uint *restrict keys, uint n, uint shift) {
  __local uint count[DIGITS][GROUP];
  __local uint part[GROUP];
  uint me = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
  struct share s = share_of(group, groups, n);
  for (uint d = 0; d < DIGITS; d++)
    count[d][me] = 0;
  for (uint i = s.first + me; i < s.end; i += GROUP)
    count[keys[i] >> shift & (DIGITS - 1)][me]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0, digit = me / 8;
  for (uint i = me % 8; i < GROUP; i += 8)
    sum += count[digit][i];
  part[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me % 8 == 0) {
    for (uint i = 1; i < 8; i++)
      sum += part[me + i];
    counts[digit * groups + group] = sum;
  }
}

/* Exclusive scan of a value for each work-item; *total is the sum of all. */
static uint scan_group(uint value, __local uint *sums, uint *total) {
  uint me = get_local_id(0), n = get_local_size(0), sum = value;
  sums[me] = value;
  for (uint distance = 1; distance < n; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint other = me >= distance ? sums[me - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += other;
    sums[me] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *total = sums[n - 1];
  return sum - value;
}

/* In place, by one group. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void radix_scan(__global uint *counts, uint n) {
  __local uint sums[256];
  uint before = 0;
  for (uint first = 0; first < n; first += 256) {
    uint i = first + get_local_id(0), total;
    uint position = scan_group(i < n ? counts[i] : 0, sums, &total) + before;
    if (i < n)
      counts[i] = position;
    before += total;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

/* Counters lie by digit, then by work-item; a gap after every 16 keeps their sums out of each other's banks. */
static uint slot(uint digit, uint item) {
  uint at = digit * GROUP + item;
  return at + at / DIGITS;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
radix_scatter(__global uint *restrict out_keys, __global uint *restrict out_values,
              __global const uint *restrict keys, __global const uint *restrict values,
              __global const uint *restrict positions, uint n, uint shift) {
  __local uint count[DIGITS * GROUP + GROUP], sums[GROUP], next[DIGITS];
  __local uint tile_keys[TILE], tile_values[TILE];
  uint me = get_local_id(0), groups = get_num_groups(0);
  struct share s = share_of(get_group_id(0), groups, n);
  if (me < DIGITS)
    next[me] = positions[me * groups + get_group_id(0)];
  for (uint first = s.first; first < s.end; first += TILE) {
    uint key[PER_ITEM], value[PER_ITEM], rank[PER_ITEM], size = min(s.end - first, (uint)TILE);
    for (uint d = 0; d < DIGITS; d++)
      count[slot(d, me)] = 0;
#pragma unroll
    for (uint k = 0; k < PER_ITEM; k++) {
      uint i = me * PER_ITEM + k;
      if (i < size) {
        key[k] = keys[first + i];
        value[k] = values[first + i];
        rank[k] = count[slot(key[k] >> shift & (DIGITS - 1), me)]++;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0, total;
    for (uint i = 0; i < DIGITS; i++)
      sum += count[me * (DIGITS + 1) + i];
    uint before = scan_group(sum, sums, &total);
    for (uint i = 0; i < DIGITS; i++) {
      uint c = count[me * (DIGITS + 1) + i];
      count[me * (DIGITS + 1) + i] = before;
      before += c;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < PER_ITEM; k++)
      if (me * PER_ITEM + k < size) {
        uint at = count[slot(key[k] >> shift & (DIGITS - 1), me)] + rank[k];
        tile_keys[at] = key[k];
        tile_values[at] = value[k];
      }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < size; i += GROUP) {
      uint digit = tile_keys[i] >> shift & (DIGITS - 1), at = next[digit] + i - count[slot(digit, 0)];
      out_keys[at] = tile_keys[i];
      out_values[at] = tile_values[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < DIGITS)
      next[me] += (me + 1 < DIGITS ? count[slot(me + 1, 0)] : size) - count[slot(me, 0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
