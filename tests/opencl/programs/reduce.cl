// range: 1 512 64
// Reductions: in a tree with barriers, without them among the last 32 through volatile, two elements at a time.
#define BLOCK 64
void last_steps(volatile local float *s, int t) {
  s[t] += s[t + 32];
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void reduce(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local float s[2 * BLOCK];
  local int biggest[BLOCK];
  const uint t = get_local_id(0), group = get_group_id(0);
  uint i = group * (get_local_size(0) * 2) + t;
  s[t] = 0;
  biggest[t] = INT_MIN;
  while (i < (uint)n) {
    s[t] += floor(fin[i] * 64.0f) + (i + BLOCK < (uint)n ? floor(fin[i + BLOCK] * 64.0f) : 0);
    biggest[t] = max(biggest[t], in[i]);
    i += get_local_size(0) * 2 * get_num_groups(0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  last_steps(s, t < 32 ? t : t + 32);
  for (uint d = 16; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int d = BLOCK / 2; d; d /= 2) {
    int other = t + d < BLOCK ? biggest[t + d] : INT_MIN;
    barrier(CLK_LOCAL_MEM_FENCE);
    biggest[t] = biggest[t] > other ? biggest[t] : other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  fout[get_global_id(0)] = s[0];
  out[get_global_id(0)] = biggest[0];
}
