/* count: groups of 64; a work-item counts the digits of its 256 keys in 16-bit counters of its own in local memory and
 * writes them. The host turns counts into positions. permute: a work-item brings its positions into global scratch of its
 * own and puts its keys, in order, where they belong. */
#define GROUP 64
#define RADIX 256

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
count(__global const uint *restrict keys, __global uint *restrict counts, uint shift) {
  __local ushort mine[RADIX * GROUP];
  uint me = get_local_id(0), i = get_global_id(0);
  for (uint d = 0; d < RADIX; d++)
    mine[d * GROUP + me] = 0;
  for (uint k = 0; k < RADIX; k++)
    mine[(keys[i * RADIX + k] >> shift & (RADIX - 1)) * GROUP + me]++;
  for (uint d = 0; d < RADIX; d++)
    counts[i * RADIX + d] = mine[d * GROUP + me];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void permute(__global uint *restrict out,
                                                                         __global const uint *restrict keys,
                                                                         __global uint *restrict positions,
                                                                         uint shift) {
  uint i = get_global_id(0);
  for (uint k = 0; k < RADIX; k++) {
    uint key = keys[i * RADIX + k];
    out[positions[i * RADIX + (key >> shift & (RADIX - 1))]++] = key;
  }
}
