// range: 2 32 8 4 4
// Bytes in vectors of four: substitution through constant memory, rows shifted, columns mixed, keys in local memory.
constant uchar sbox[16] = {0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76};
uchar galois(unsigned char a, unsigned char b) {
  unsigned char p = 0;
  for (unsigned int i = 0; i < 8; ++i) {
    if ((b & 1) == 1)
      p ^= a;
    unsigned char hi = (a & 0x80);
    a <<= 1;
    if (hi == 0x80)
      a ^= 0x1b;
    b >>= 1;
  }
  return p;
}
uchar4 substitute(uchar4 row) { return (uchar4)(sbox[row.x & 15], sbox[row.y >> 4], sbox[row.z & 15], sbox[row.w >> 4]); }
uchar4 shift_row(uchar4 row, unsigned int by) {
  uchar4 r = row;
  for (uint i = 0; i < by; ++i)
    r = r.yzwx;
  return r;
}
kernel void cipher(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local uchar4 block0[16], block1[16];
  unsigned int localx = get_local_id(0), localy = get_local_id(1);
  unsigned int at = get_global_id(1) * get_global_size(0) + get_global_id(0), here = localy * 4 + localx;
  block0[here] = as_uchar4(in[at]) ^ as_uchar4(in[(at + 1) % n]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (unsigned int r = 1; r < 4; ++r) {
    block0[here] = substitute(block0[here]);
    block0[here] = shift_row(block0[here], localx);
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar4 c = block0[localy * 4 + (localx + r) % 4];
    block1[here].x = galois(c.x, 2) ^ galois(c.y, 3) ^ c.z ^ c.w;
    block1[here].y = c.x ^ galois(c.y, 2) ^ galois(c.z, 3) ^ c.w;
    block1[here].zw = (uchar2)(galois(c.z, 2) - c.x, galois(c.w, 3) * c.y);
    barrier(CLK_LOCAL_MEM_FENCE);
    block0[here] = block1[here] ^ (uchar4)((uchar)(r * 77), (uchar)(localy + r), 0x1b, 255);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = as_int(block0[here]);
  fout[at] = convert_float(block0[here].w);
}
