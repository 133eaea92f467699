#if defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef float DATA_TYPE;

__kernel void mm(__global DATA_TYPE *a, __global DATA_TYPE *b, __global DATA_TYPE *c, DATA_TYPE alpha,
                 DATA_TYPE beta, int ni, int nj, int nk) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < ni && j < nj) {
    c[i * nj + j] *= beta;
    for (int k = 0; k < nk; k++)
      c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}

__kernel void mv(__global DATA_TYPE *a, __global DATA_TYPE *x, __global DATA_TYPE *y, int n) {
  int i = get_global_id(0);
  if (i < n) {
    y[i] = 0;
    for (int k = 0; k < n; k++)
      y[i] += a[i * n + k] * x[k];
  }
}

__kernel void norm(__global DATA_TYPE *y, __global double *out, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (double)y[i] * y[i];
  *out = sqrt(sum);
}
