// clang: 14
// OpenCL C as clang 14 compiles it for NVPTX, with work-item functions of its own instead of a library.
#define ID(d, reg) (d == 0 ? __nvvm_read_ptx_sreg_##reg##_x() : d == 1 ? __nvvm_read_ptx_sreg_##reg##_y() : __nvvm_read_ptx_sreg_##reg##_z())
__attribute__((overloadable, const)) size_t get_local_id(uint d) { return ID(d, tid); }
__attribute__((overloadable, const)) size_t get_local_size(uint d) { return ID(d, ntid); }
__attribute__((overloadable, const)) size_t get_group_id(uint d) { return ID(d, ctaid); }
__attribute__((overloadable, const)) size_t get_global_size(uint d) { return ID(d, nctaid) * ID(d, ntid); }
__attribute__((overloadable, const)) size_t get_global_id(uint d) { return ID(d, ctaid) * ID(d, ntid) + ID(d, tid); }
#define barrier(flags) __nvvm_bar_sync(0)
uint mix32(uint x)
{
  x *= 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return x;
}
__kernel void cl_vecadd(__global const float *a, __global const float *b, __global float *c, int n)
{
  int i = get_global_id(0);
  if (i < n)
    c[i] = a[i] + 2.0f * b[i];
}
__kernel void cl_lookup(__global uint *out, __constant uint *table, uint n)
{
  uint i = get_global_id(0);
  out[i] = table[mix32(i) % n] * 2 + table[i % n];
}
// The local array is a kernel argument: its size comes with the launch.
__kernel void cl_reduce(__global uint *out, __local uint *s, uint n)
{
  uint t = get_local_id(0), sum = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    sum += mix32(i);
  s[t] = sum;
  for (uint d = get_local_size(0) / 2; d > 0; d /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < d)
      s[t] += s[t + d];
  }
  if (t == 0)
    out[get_group_id(0)] = s[0];
}
__kernel void cl_transpose(__global uint *out, __global const uint *in, uint w, uint h)
{
  __local uint tile[16][17];
  uint x = get_group_id(0) * 16, y = get_group_id(1) * 16, i = get_local_id(0), j = get_local_id(1);
  if (x + i < w && y + j < h)
    tile[j][i] = in[(y + j) * w + x + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x + j < w && y + i < h)
    out[(x + j) * h + y + i] = tile[i][j];
}
__kernel void cl_vectors(__global uint4 *out, __global const uchar4 *b, __global const short2 *s)
{
  uint i = get_global_id(0);
  uint4 v = __builtin_convertvector(b[i], uint4) * (uint4)(1, 10, 100, 1000);
  v.xy += as_uint2(__builtin_convertvector(s[i], int2));
  out[i] = v.wzyx + (uint4)(i) * (uint4)(2, 4, 8, 16);
}
