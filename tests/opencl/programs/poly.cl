// range: 2 16 16 8 8
// Dense loops as in linear algebra suites: two-dimensional indexing in double and float, macros for types.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef float DATA_TYPE;
#define NI 16
#define NJ 16
#define NK 12
__kernel void poly(__global const int *in, __global const DATA_TYPE *fin, __global int *out, __global DATA_TYPE *fout, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  if ((i < NI) && (j < NJ)) {
    int k;
    DATA_TYPE acc = fin[i * NJ + j] * 1.5f;
    double mean = 0.0, dev = 0.0;
    for (k = 0; k < NK; k++)
      acc += 0.5f * fin[i * NK + k] * fin[(k * NJ + j) % n];
    for (k = 0; k < NK; k++)
      mean += fin[(i + k) % n];
    mean /= (double)NK;
    for (k = 0; k < NK; k++)
      dev += (fin[(i + k) % n] - mean) * (fin[(i + k) % n] - mean);
    dev = sqrt(dev / NK);
    dev = dev <= 0.005 ? 1.0 : dev;
    fout[i * NJ + j] = acc + (DATA_TYPE)((fin[(i + j) % n] - mean) / (sqrt((double)NK) * dev));
    out[i * NJ + j] = i * 1000 + j;
  }
}
