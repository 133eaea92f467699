// range: 1 64 32
// Private arrays indexed by data, arrays of pointers avoided by offsets, long loops over them; strings in constants.
constant char names[3][8] = {"alpha", "beta", "gamma"};
constant int lengths[] = {5, 4, 5};
__attribute__((noinline)) int fill(int *to, int n, int seed) {
  for (int i = 0; i < n; i++)
    to[i] = seed = seed * 1103515245 + 12345;
  return seed;
}
static int by_index(const int *a, const uchar *order, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s = s * 31 + a[order[i]];
  return s;
}
kernel void local_arrays(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  int a[40], g = get_global_id(0), last = fill(a, 40, in[g]), sorted[10];
  uchar order[40];
  for (int i = 0; i < 40; i++)
    order[i] = (uchar)((i * 7 + (in[g] & 31)) % 40);
  for (int i = 0; i < 10; i++) {
    int j = i;
    for (; j > 0 && sorted[j - 1] > a[i]; j--)
      sorted[j] = sorted[j - 1];
    sorted[j] = a[i];
  }
  int word = (uint)in[g] % 3, h = 0;
  for (int i = 0; i < lengths[word]; i++)
    h = h * 131 + names[word][i];
  float path[2][8];
  for (int i = 0; i < 8; i++)
    path[0][i] = fin[(g + i) % n];
  for (int step = 0; step < 4; step++)
    for (int i = 0; i < 8; i++)
      path[~step & 1][i] = fmin(path[step & 1][i], path[step & 1][(i + 1 + (in[g] & 3)) & 7]) + 0.5f;
  out[g] = by_index(a, order, 40) ^ last ^ sorted[3] ^ sorted[9] ^ h;
  fout[g] = path[0][in[g] >> 5 & 7];
}
