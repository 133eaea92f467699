/* Groups of 64; the second index is the dimension. A group brings its dimension's 32 direction numbers into
 * local memory; a work-item finds its first number from the Gray code and the others by Antonov and Saleev's
 * step, which for a stride of a power of two takes two directions: that of the lowest zero bit above the
 * stride and that of the stride's own bit. */
#define GROUP 64

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
sobol(__global float *restrict out, __global const uint *restrict directions, uint vectors) {
  __local uint v[32];
  uint me = get_local_id(0), dimension = get_group_id(1);
  if (me < 32)
    v[me] = directions[dimension * 32 + me];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint first = get_global_id(0), stride = get_global_size(0);
  out += (ulong)dimension * vectors;
  uint gray = first ^ first >> 1, x = 0;
  for (uint bit = 0; bit < 32 && gray >> bit; bit++)
    if (gray >> bit & 1)
      x ^= v[bit];
  uint own = v[30 - clz(stride)]; /* of bit log2(stride) - 1 */
  for (uint i = first; i < vectors; i += stride) {
    out[i] = (float)x * (1.0f / 4294967296.0f);
    uint up = ~(i | (stride - 1));
    x ^= own ^ v[31 - clz(up & -up)];
  }
}
