// range: 1 256 64
// A message digest: rotations by constants, logical functions in macros, a long chain without memory.
#define F(x, y, z) (((x) & (y)) | ((~x) & (z)))
#define G(x, y, z) (((x) & (z)) | ((y) & (~z)))
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | (~z)))
#define STEP(f, a, b, c, d, x, t, s) \
  a += f(b, c, d) + x + t;           \
  a = (a << s) | (a >> (32 - s));    \
  a += b;
inline void digest_one(uint *words, int len, uint *digest) {
  uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  words[3] = len * 8;
  for (int round = 0; round < 4; round++) {
    STEP(F, a, b, c, d, words[round & 3], 0xd76aa478, 7)
    STEP(G, d, a, b, c, words[(round + 1) & 3], 0xe8c7b756, 12)
    STEP(H, c, d, a, b, words[(round + 2) & 3], 0x242070db, 17)
    STEP(I, b, c, d, a, words[(round + 3) & 3], 0xc1bdceee, 22)
  }
  digest[0] = a, digest[1] = b, digest[2] = c, digest[3] = d;
}
kernel void digest(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  int i = get_global_id(0);
  uint w[4] = {0, 0, 0, 0}, r[4];
  union {
    uint words[2];
    uchar bytes[8];
    ulong whole;
  } key;
  key.whole = (ulong)(uint)in[i] << 7 | 5;
  for (int k = 0; k < 8; k++)
    key.bytes[k] = (uchar)(key.bytes[k] * 3 + k);
  w[0] = key.words[0], w[1] = key.words[1];
  digest_one(w, 8, r);
  ulong turn = ((ulong)r[0] << 32 | r[1]);
  int by = r[2] & 63;
  turn = turn << by | turn >> (64 - by & 63);
  out[i] = (int)(r[0] ^ r[1] ^ r[2] ^ r[3] ^ (uint)turn ^ (uint)(turn >> 32));
  fout[i] = (float)(r[3] >> 20);
}
