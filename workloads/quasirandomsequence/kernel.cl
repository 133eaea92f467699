/* A group for each dimension brings its 32 direction numbers into local memory; a work-item makes four neighbouring
 * numbers from the bits of their indices. */
#define BITS 32

__kernel void sequence(__global float4 *restrict out, __global const uint *restrict directions) {
  __local uint v[BITS];
  uint me = get_local_id(0);
  if (me < BITS)
    v[me] = directions[get_group_id(0) * BITS + me];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint4 index = 4 * me + (uint4)(0, 1, 2, 3), x = 0;
  for (uint bit = 0; bit < BITS; bit++, index >>= 1)
    x ^= (index & 1) * v[bit];
  out[get_global_id(0)] = convert_float4(x) * (1.0f / 4294967296.0f);
}
