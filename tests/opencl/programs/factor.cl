// range: 1 64 16
// Triangular loops with barriers between columns: a block of a matrix is factorised in local memory.
#define B 16
kernel void factor(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local float m[B * B];
  local float peri_row[B][B];
  int t = get_local_id(0), i, j;
  for (i = 0; i < B; i++)
    m[i * B + t] = fin[(get_group_id(0) * B + i) * B % (n - B) + t] + (i == t ? 20.0f : 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (i = 0; i < B - 1; i++) {
    if (t > i) {
      for (j = 0; j < i; j++)
        m[t * B + i] -= m[t * B + j] * m[j * B + i];
      m[t * B + i] /= m[i * B + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t > i)
      for (j = 0; j < i + 1; j++)
        m[(i + 1) * B + t] -= m[(i + 1) * B + j] * m[j * B + t];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (i = 0; i < B; i++)
    peri_row[i][t] = m[i * B + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (i = 0; i < B; i++)
    sum += peri_row[t][i] * (float)(i % 3);
  fout[get_global_id(0)] = sum;
  out[get_global_id(0)] = (int)get_global_id(0);
}
