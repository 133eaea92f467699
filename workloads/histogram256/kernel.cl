/* Groups of 128; a work-item counts 256 elements in 256 bytes of local memory. Four of a bin's bytes, of four
 * neighbouring work-items, share a word. At the end a work-item adds up two bins of all 128 and writes them. */
#define GROUP    128
#define BINS     256
#define PER_ITEM 256

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void count(__global const uint *restrict data,
                                                                       __global uint *restrict counts) {
  __local uchar mine[BINS * GROUP];
  uint me = get_local_id(0), group = get_group_id(0);
  __local uint *words = (__local uint *)mine;
  for (uint i = me; i < BINS * GROUP / 4; i += GROUP)
    words[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < PER_ITEM; i++)
    mine[(data[group * GROUP * PER_ITEM + i * GROUP + me] & (BINS - 1)) * GROUP + me]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = me; bin < BINS; bin += GROUP) {
    uint sum = 0;
    for (uint i = 0; i < GROUP; i++)
      sum += mine[bin * GROUP + (i + me) % GROUP];
    counts[group * BINS + bin] = sum;
  }
}
