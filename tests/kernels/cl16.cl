// clang: 16
// OpenCL C as clang 16 compiles it for NVPTX.
// One level of a breadth-first search over a graph of fixed degree.
__kernel void cl_bfs(__global const int *edges, __global int *depth, __global int *changed, int nodes, int level)
{
  int i = get_global_id(0);
  if (i >= nodes || depth[i] != level)
    return;
  for (int k = 0; k < 4; k++) {
    int j = edges[i * 4 + k];
    if (depth[j] < 0) {
      depth[j] = level + 1;
      *changed = 1;
    }
  }
}
__kernel void cl_histogram(__global uint *out, __global const uchar *in, uint n)
{
  __local uint bin[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    bin[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&bin[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    atomic_add(&out[i], bin[i]);
}
__kernel void cl_nbody(__global float4 *out, __global const float4 *in, int n)
{
  int i = get_global_id(0);
  float4 p = in[i], f = (float4)(0);
  for (int j = 0; j < n; j++) {
    float4 d = in[j] - p;
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.5f, inv = 1.0f / sqrt(r2);
    f += d * (inv * inv * inv);
  }
  out[i] = f;
}
__constant int kernel3[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
__kernel void cl_blur(__global int *out, __global const uchar *in, int w, int h)
{
  int x = get_global_id(0), y = get_global_id(1), s = 0;
  if (x >= w || y >= h)
    return;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      s += kernel3[(dy + 1) * 3 + dx + 1] * in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
  out[y * w + x] = s / 16;
}
