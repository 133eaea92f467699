// range: 1 128 32
// Random numbers by a linear congruence in 64 bits, normal ones in double precision, goto, sums in a fixed order.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define PI 3.1415926535897932
double d_randu(local long *seed, int index) {
  long M = INT_MAX, A = 1103515245, C = 12345;
  long num = A * seed[index] + C;
  seed[index] = num % M;
  return fabs(seed[index] / ((double)M));
}
double d_randn(local long *seed, int index) {
  double u = d_randu(seed, index), v = d_randu(seed, index);
  double cosine = cos(2 * PI * v), rt = -2 * log(u);
  return sqrt(rt) * cosine;
}
int find(global const float *cdf, int low, int high, float value) {
  int middle;
again:
  if (high < low)
    goto none;
  middle = low + (high - low) / 2;
  if (floor(cdf[middle] * 16.0f) == value)
    goto found;
  if (value < 8.0f) {
    high = middle - 1;
    goto again;
  }
  low = middle + 1;
  goto again;
found:
  while (middle > 0 && floor(cdf[middle - 1] * 16.0f) == value)
    middle--;
  return middle;
none:
  return -1;
}
kernel void particle(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local long seed[32];
  int t = get_local_id(0), i = get_global_id(0);
  seed[t] = (long)in[i] * 100 + i;
  double x = 1.0 + 5.0 * d_randn(seed, t), y = -2.0 + 2.0 * d_randn(seed, t);
  double likelihood = 0.0;
  for (int k = 0; k < 9; k++) {
    int at = (int)((uint)(k * 17 + (int)rint(fabs(x) + 0.5)) % (uint)n);
    likelihood += (pow((double)fin[at] - 100, 2) - pow((double)fin[at] - 228, 2)) / 50.0;
  }
  fout[i] = (float)(exp(fmod(likelihood, 10.0) * 0.1) + x * y);
  out[i] = find(fin, 0, 63, (float)(in[i] & 15)) + (int)(seed[t] % 1000);
}
