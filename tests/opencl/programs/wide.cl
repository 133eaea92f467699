// range: 1 64 64
// Sixteen-element vectors in and out of memory and functions, double vectors, half storage, carries by hand.
__attribute__((noinline)) float16 blend(float16 a, float16 b, uchar16 m) { return select(a, b, convert_int16(m & (uchar)1) << 31); }
__attribute__((noinline)) double4 spread(double x) { return (double4)(x, x * x, sqrt(fabs(x)), -x); }
typedef struct {
  ulong lo, hi;
} Big;
Big times(ulong a, ulong b) {
  Big r = {a * b, mul_hi(a, b)};
  return r;
}
Big plus(Big a, Big b) {
  Big r;
  r.lo = a.lo + b.lo;
  r.hi = a.hi + b.hi + (r.lo < a.lo);
  return r;
}
kernel void wide(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local ushort store[64];
  local half *halves = (local half *)store;
  int g = get_global_id(0);
  float16 a = vload16(g, fin), b = a.s0f1e2d3c4b5a6978;
  uchar16 m = convert_uchar16(vload16(g, in) & 255);
  float16 c = blend(a, b, m);
  double4 d = spread((double)a.s3);
  d.odd *= d.even;
  vstore_half(fin[g], g, halves);
  barrier(CLK_LOCAL_MEM_FENCE);
  float h = vload_half(63 - g, halves);
  Big s = {0, 0};
  for (int i = 0; i < 5; i++)
    s = plus(s, times((ulong)(uint)in[g + i] << 17 | 1, ~(ulong)(uint)in[g + i + 1]));
  s.hi = rotate(s.hi, (ulong)(in[g] & 127));
  long8 l = convert_long8(c.lo * 100.0f);
  l = l / (long8)(7) + l % (long8)(5);
  fout[g] = dot(c.s0123 + c.s4567, c.s89ab - c.scdef) + (float)(d.x + d.y + d.z + d.w) + h;
  out[g] = (int)(s.lo ^ s.lo >> 32 ^ s.hi ^ s.hi >> 32) + (int)(l.s0 + l.s7) + as_int(h);
}
