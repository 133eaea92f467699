// range: 1 256 64
// Prefix sums: work-efficient with padded indices, and by vectors of four with carries; a local histogram in bytes.
#define LOG_BANKS 5
#define AVOID(i) ((i) >> LOG_BANKS)
inline uint scan_one(uint value, volatile local uint *data, size_t id) {
  uint pos = 2 * id - (id & (get_local_size(0) - 1));
  data[pos] = 0;
  pos += get_local_size(0);
  data[pos] = value;
  for (uint offset = 1; offset < get_local_size(0); offset <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint t = data[pos] + data[pos - offset];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[pos] = t;
  }
  return data[pos];
}
kernel void scan(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local uint data[2 * 64], temp[2 * 64 + 8];
  local uchar bins[64 * 4];
  size_t t = get_local_id(0), g = get_global_id(0);
  uint4 v = (uint4)((uint)in[g] & 255, (uint)in[g] >> 8 & 255, (uint)in[g] >> 16 & 255, (uint)in[g] >> 24);
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  uint total = scan_one(v.w, data, t) - v.w;
  v += (uint4)total;
  temp[2 * t + AVOID(2 * t)] = v.x & 1023;
  temp[2 * t + 1 + AVOID(2 * t + 1)] = v.z & 1023;
  int offset = 1, m = 128;
  for (int d = m >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((int)t < d) {
      int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      ai += AVOID(ai), bi += AVOID(bi);
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (t == 0)
    temp[m - 1 + AVOID(m - 1)] = 0;
  for (int d = 1; d < m; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((int)t < d) {
      int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      ai += AVOID(ai), bi += AVOID(bi);
      uint s = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += s;
    }
  }
  for (int i = 0; i < 4; i++)
    bins[t * 4 + i] = 0;
  for (int i = 0; i < 16; i++)
    bins[t * 4 + (in[(g * 16 + i) % n] & 3)]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = temp[2 * t + AVOID(2 * t)] + v.w + bins[(t * 7) % 256] * 65536;
  fout[g] = (float)bins[255 - t];
}
