// range: 1 64 16
// Dynamic programming along anti-diagonals in local memory, with a substitution table in constant memory.
constant int blosum[4][4] = {{5, -1, -2, -3}, {-1, 6, 0, -4}, {-2, 0, 7, 1}, {-3, -4, 1, 4}};
#define B 16
#define SCORE(x, y) input[(y) + (x) * (B + 1)]
int maximum(int a, int b, int c) {
  int k;
  if (a <= b)
    k = b;
  else
    k = a;
  if (k <= c)
    return c;
  else
    return k;
}
kernel void align(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local int input[(B + 1) * (B + 1)];
  int tx = get_local_id(0), base = get_group_id(0) * 8, penalty = 3;
  if (tx == 0)
    SCORE(0, 0) = 0;
  SCORE(tx + 1, 0) = -(tx + 1) * penalty;
  SCORE(0, tx + 1) = -(tx + 1) * penalty;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int m = 0; m < B; m++) {
    if (tx <= m) {
      int x = tx + 1, y = m - tx + 1;
      SCORE(y, x) = maximum(SCORE(y - 1, x - 1) + blosum[in[base + x] & 3][in[base + 100 + y] & 3], SCORE(y, x - 1) - penalty,
                            SCORE(y - 1, x) - penalty);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = B - 2; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + B - m, y = B - tx;
      SCORE(y, x) = maximum(SCORE(y - 1, x - 1) + blosum[in[base + x] & 3][in[base + 100 + y] & 3], SCORE(y, x - 1) - penalty,
                            SCORE(y - 1, x) - penalty);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = SCORE(B, tx + 1);
  fout[get_global_id(0)] = 0;
}
