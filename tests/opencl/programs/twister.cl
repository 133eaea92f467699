// range: 1 128 32
// A random generator with a state of vectors, elements reached through pointers and by index, shifts across elements.
#define SHIFT_A 24
#define SHIFT_B 13
void left(uint4 v, uint by, uint4 *r) {
  uint inv = 32 - by;
  uint t[4] = {v.x, v.y, v.z, v.w};
  uint s[4] = {t[0] << by, t[1] << by | t[0] >> inv, t[2] << by | t[1] >> inv, t[3] << by | t[2] >> inv};
  *r = (uint4)(s[0], s[1], s[2], s[3]);
}
void right(uint4 v, uint by, uint4 *r) {
  uint *p = (uint *)&v;
  for (int i = 0; i < 4; i++)
    (*r)[i] = p[i] >> by | (i < 3 ? p[i + 1] << (32 - by) : 0);
}
kernel void twister(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  uint4 state[5], mask = (uint4)(0xfdff37ff, 0xef7f3f7d, 0xff777b7d, 0x7ff7fb2f), temp[8];
  int i = get_global_id(0);
  state[0] = (uint4)((uint)in[i], (uint)in[i] * 3u, 0x12345u ^ (uint)in[i], 7);
  uint *s = (uint *)state;
  for (int k = 1; k < 20; k++)
    s[k] = 1812433253u * (s[k - 1] ^ s[k - 1] >> 30) + k;
  uint4 r1 = state[3], r2 = state[4], a, b, e, f;
  for (int k = 0; k < 8; k++) {
    switch (k) {
    case 0:
      a = state[0], b = state[2];
      break;
    case 1:
      a = state[1], b = state[3];
      break;
    case 2:
      a = state[2];
      b = state[4];
      break;
    default:
      a = temp[k - 3], b = temp[k - 1];
    }
    left(a, SHIFT_A, &e);
    right(r1, SHIFT_A, &f);
    temp[k] = a ^ e ^ ((b >> SHIFT_B) & mask) ^ f ^ (r2 << 15);
    r1 = r2;
    r2 = temp[k];
  }
  float4 u = convert_float4(temp[7] >> 8) * 5.9604645e-8f, g = convert_float4(temp[6] >> 8) * 5.9604645e-8f + 1e-7f;
  float4 radius = sqrt(-2.0f * log(g));
  float4 normal = radius * cos(6.2831853f * u);
  out[i] = as_int4(temp[7] ^ temp[5].wzyx).s2;
  fout[i] = dot(normal, (float4)(1, 0.5f, 0.25f, 0.125f));
}
