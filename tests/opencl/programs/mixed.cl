// range: 1 256 64
// Small integers: promotion, sign extension, wrap-around, shifts, divisions of every width; unions; comma, ternary.
typedef union {
  float f;
  uint u;
  uchar b[4];
  short s[2];
} Word;
typedef struct __attribute__((packed)) {
  char c;
  int i;
  short s;
} Packed;
kernel void mixed(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  int g = get_global_id(0), v = in[g];
  char c = (char)v;
  uchar uc = (uchar)v;
  short s = (short)(v >> 4);
  ushort us = (ushort)(v >> 4);
  long l = (long)v * 0x10001L;
  ulong ul = (ulong)(uint)v * 0x9e3779b97f4a7c15ul;
  int d = (in[(g + 1) % n] | 1), r = 0;
  c += 100;
  uc = uc * uc + 3;
  s = s << 3;
  us >>= 2;
  us -= 7;
  r += c / 3 + c % 7 + (c >> 2) + (uc >> 1) + uc % 11;
  r += s / -5 + s % 13 - (us / 9) + us % 17;
  r ^= v / d + v % d;
  r ^= (int)((uint)v / (uint)d) + (int)((uint)v % (uint)d);
  r += (int)(l / (d | 5)) + (int)(l % 1000003L);
  r ^= (int)(ul / (uint)(d | 1)) ^ (int)(ul % 4294967291ul) ^ (int)(ul >> 40);
  Word w;
  w.f = fin[g] * 3.0f;
  w.b[3] ^= 0x80;
  w.s[0] = (short)(w.s[0] & ~7);
  Packed p[3];
  for (int k = 0; k < 3; k++)
    p[k].c = (char)(v >> k), p[k].i = v + k, p[k].s = (short)(v >> 8);
  Packed q = p[(uint)v % 3];
  r += (q.c == (char)v ? 1 : q.c == (char)(v >> 1) ? 2 : 3) + (int)sizeof(Packed) * 1000 + q.s + (q.i & 0xff);
  r += (c > uc) + (s < us) * 2 + ((uint)v > (uint)s) * 4 + (!v) * 8 + (~v & 16) + (v && d) * 32 + (v & 1 || d & 2) * 64;
  r = (v & 4) ? r++, r + 1 : (--r, r - 1);
  out[g] = r;
  fout[g] = w.f + (float)c * 0.5f + (float)us + (float)l * 1e-12f + (float)(ul >> 32) * 1e-6f;
}
