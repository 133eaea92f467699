// range: 1 128 32
// Bitonic sorting of packed pairs, four-bit digits counted in shorts, odd-even exchange of vector halves.
typedef struct {
  uint key;
  ushort where;
  char tag;
} Item;
void exchange(local Item *a, local Item *b, bool up) {
  if ((a->key > b->key) == up) {
    Item t = *a;
    *a = *b;
    *b = t;
  }
}
kernel void sorting(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local Item items[64];
  local ushort counts[16][32];
  uint t = get_local_id(0), base = get_group_id(0) * 64;
  for (int k = 0; k < 2; k++) {
    items[t + 32 * k].key = (uint)in[base + t + 32 * k] & 0xffffff;
    items[t + 32 * k].where = (ushort)(base + t + 32 * k);
    items[t + 32 * k].tag = (char)(in[base + t] >> 3);
  }
  for (uint size = 2; size < 64; size <<= 1) {
    bool up = (t & (size / 2)) != 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint pos = 2 * t - (t & (stride - 1));
      exchange(&items[pos], &items[pos + stride], up);
    }
  }
  for (uint stride = 32; stride > 0; stride >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint pos = 2 * t - (t & (stride - 1));
    exchange(&items[pos + 0], &items[pos + stride], true);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 0; d < 16; d++)
    counts[d][t] = 0;
  for (int k = 0; k < 2; k++)
    counts[items[2 * t + k].key >> 20 & 15][t] += 1 + (items[2 * t + k].tag < 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  ushort sum = 0;
  if (t < 16)
    for (int k = 0; k < 32; k++)
      sum += counts[t][k];
  uint g = get_global_id(0);
  out[2 * g] = (int)(items[2 * t].key ^ (uint)items[2 * t].where << 8);
  out[2 * g + 1] = (int)items[2 * t + 1].key + items[2 * t + 1].tag * sum;
  fout[g] = (float)(short)(sum - 40);
}
