// range: 1 128 32
// A kernel called by another kernel, loops with hints, a switch in a loop with barriers around, early groups leaving.
kernel void part(global const int *in, global int *to, int k) { to[get_global_id(0)] = in[get_global_id(0)] * k; }

void accumulate(local volatile int *s, int t) {
  for (int d = 16; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < d)
      s[t] += s[t + d];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void nested(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local int s[32];
  int t = get_local_id(0), g = get_global_id(0), acc = 0;
  part(in, out, 3);
  if (get_group_id(0) == 3) {
    fout[g] = -1.0f;
    return;
  }
  for (int round = 0; round < 6; round++) {
    s[t] = in[(g + round) % n] & 0xff;
    switch (round % 3) {
    case 0:
      accumulate(s, t);
      break;
    case 1:
      barrier(CLK_LOCAL_MEM_FENCE);
      s[t] += 5;
      barrier(CLK_LOCAL_MEM_FENCE);
      break;
    default:
      accumulate(s, t);
      accumulate(s, t);
    }
    acc += s[0] + s[31 - t];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float x = fin[g];
#pragma unroll 4
  for (int i = 0; i < 37; i++)
    x = x * 0.75f + 0.125f;
  __attribute__((opencl_unroll_hint(2))) for (int i = 0; i < (in[g] & 7); i++) x += 1.0f;
  out[g] += acc;
  fout[g] = x;
}
