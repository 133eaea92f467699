/* blur: a work-item for each column of pixels of four bytes runs the filter downwards, stores, and then
 * upwards, adding to what it stored. transpose: tiles of 16 x 16 in local memory. Products and sums are fused as
 * written. */
struct filter {
  float a0, a1, a2, a3, b1, b2, down, up;
};

static float4 step(float a, float4 x, float b, float4 y, float c, float4 p, float d, float4 q) {
  return fma((float4)a, x, fma((float4)b, y, fma((float4)-c, p, (float4)-d * q)));
}

__kernel void blur(__global const uchar4 *restrict in, __global uchar4 *restrict out, int width, int height,
                   struct filter f) {
  int x = (int)get_global_id(0);
  float4 before = convert_float4(in[x]), last = before * f.down, second = last;
  for (int y = 0; y < height; y++) {
    float4 now = convert_float4(in[y * width + x]);
    float4 result = step(f.a0, now, f.a1, before, f.b1, last, f.b2, second);
    before = now;
    second = last;
    last = result;
    out[y * width + x] = convert_uchar4_sat(result);
  }
  float4 next = convert_float4(in[(height - 1) * width + x]), after = next;
  last = next * f.up;
  second = last;
  for (int y = height - 1; y >= 0; y--) {
    float4 now = convert_float4(in[y * width + x]);
    float4 result = step(f.a2, next, f.a3, after, f.b1, last, f.b2, second);
    after = next;
    next = now;
    second = last;
    last = result;
    out[y * width + x] = convert_uchar4_sat(convert_float4(out[y * width + x]) + result);
  }
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
transpose(__global const uchar4 *restrict in, __global uchar4 *restrict out, int width, int height) {
  __local uchar4 tile[16][16];
  uint lx = get_local_id(0), ly = get_local_id(1);
  tile[ly][lx] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + ly) * height + get_group_id(1) * 16 + lx] = tile[lx][ly];
}
