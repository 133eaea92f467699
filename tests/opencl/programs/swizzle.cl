// range: 1 64 16
// Vectors: parts written and read, comparisons and selection by element, shifts, threes in memory, constructors.
kernel void swizzle(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  int g = get_global_id(0);
  int4 a = vload4(g, in), b = (int4)(in[g], in[g + 1], in[g + 2] >> 3, 7);
  int8 w = (int8)(a, b);
  int16 x = (int16)(w, w.s76543210);
  x.even += x.odd;
  x.s0 = x.sF;
  x.s1a ^= (int2)(0x55, 0xaa);
  w.lo = select(a, b, a > b);
  w.hi = (a & 3) == (b & 3) ? a : b;
  a.xz = b.wy;
  a.w <<= 3;
  int4 m = (a < b) & (a != 5) | (b >= 100), s = a >> (b & 7), k = -(a == b);
  uint3 three = (uint3)((uint)in[g], 2, 3) * 2654435761u;
  three.yz = three.xx >> (uint2)(5, 9);
  short8 sh = convert_short8(w) + (short)3;
  uchar16 bytes = convert_uchar16_sat(x >> 8);
  float4 f = vload4(g, fin), h = fabs(f) > 0.5f ? f : (float4)(0.25f);
  float2 lo = f.lo * 2.0f, hi = f.hi;
  lo /= (float2)(hi.y + 3.0f, 2.0f);
  double2 d = convert_double2(f.xw) * 0.1;
  float16 big = (float16)(f, h, lo, hi, f.wzyx);
  float sum = 0;
  for (int i = 0; i < 4; i++)
    sum += dot(((float4 *)&big)[i], (float4)(1, 2, 3, 4));
  long2 big_ints = convert_long2(a.xy) * 0x100000001L;
  int r = x.s3 ^ x.sc ^ w.s2 ^ w.s6 ^ m.x ^ m.w ^ s.y ^ k.z ^ (int)three.z ^ sh.s5 ^ (int)bytes.sd ^ (int)(big_ints.y >> 32);
  r += any(m) + 2 * all(m) + (int)sizeof(float3) * 10000;
  out[g] = r;
  fout[g] = sum + (float)(d.x + d.y) + lo.x;
}
