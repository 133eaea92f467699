// arch: sm_90
// Rotations, byte permutations and three-input logic as cryptography uses them.
#include "common.cuh"
__constant__ unsigned sha_k[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
  0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
  0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
  0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
  0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
  0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define ROR(x, n) __funnelshift_r(x, x, n)
// The digest of "abc" followed by the thread's number as three decimal digits.
KERNEL sha256(unsigned *out)
{
  unsigned i = threadIdx.x, w[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int k = 0; k < 16; k++) w[k] = 0;
  w[0] = 0x61626300u | ('0' + i / 100);
  w[1] = ('0' + i / 10 % 10) << 24 | ('0' + i % 10) << 16 | 0x8000u;
  w[15] = 48;
#pragma unroll 4
  for (int k = 16; k < 64; k++) {
    unsigned a = w[k - 15], b = w[k - 2];
    w[k] = w[k - 16] + (ROR(a, 7) ^ ROR(a, 18) ^ a >> 3) + w[k - 7] + (ROR(b, 17) ^ ROR(b, 19) ^ b >> 10);
  }
  unsigned a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
#pragma unroll 4
  for (int k = 0; k < 64; k++) {
    unsigned t1 = h + (ROR(e, 6) ^ ROR(e, 11) ^ ROR(e, 25)) + (e & f ^ ~e & g) + sha_k[k] + w[k];
    unsigned t2 = (ROR(a, 2) ^ ROR(a, 13) ^ ROR(a, 22)) + (a & b ^ a & c ^ b & c);
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  unsigned r[8] = {a, b, c, d, e, f, g, h};
  for (int k = 0; k < 8; k++) out[i * 8 + k] = __byte_perm(r[k] + s[k], 0, 0x0123); // big-endian bytes
}
#define QR(a, b, c, d) \
  a += b, d = __byte_perm(d ^ a, 0, 0x1032), c += d, b = __funnelshift_l(b ^ c, b ^ c, 12), \
  a += b, d = __byte_perm(d ^ a, 0, 0x2103), c += d, b = __funnelshift_l(b ^ c, b ^ c, 7)
// RFC 8439's block function; key 00..1f, nonce 000000090000004a00000000, counter = thread.
KERNEL chacha(unsigned *out)
{
  unsigned i = threadIdx.x, s[16], x[16];
  s[0] = 0x61707865, s[1] = 0x3320646e, s[2] = 0x79622d32, s[3] = 0x6b206574;
  for (int k = 0; k < 8; k++) s[4 + k] = 0x03020100u + 0x04040404u * k;
  s[12] = i, s[13] = 0x09000000, s[14] = 0x4a000000, s[15] = 0;
  for (int k = 0; k < 16; k++) x[k] = s[k];
#pragma unroll 1
  for (int r = 0; r < 10; r++) {
    QR(x[0], x[4], x[8], x[12]);
    QR(x[1], x[5], x[9], x[13]);
    QR(x[2], x[6], x[10], x[14]);
    QR(x[3], x[7], x[11], x[15]);
    QR(x[0], x[5], x[10], x[15]);
    QR(x[1], x[6], x[11], x[12]);
    QR(x[2], x[7], x[8], x[13]);
    QR(x[3], x[4], x[9], x[14]);
  }
  for (int k = 0; k < 16; k++) out[i * 16 + k] = x[k] + s[k];
}
