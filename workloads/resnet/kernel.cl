/* The layers of a residual network, a launch for each: convolution, batch normalisation, scaling, activation and the
 * sum of the two ways are kernels of their own, so every intermediate result goes through memory. Convolutions and
 * pools are one work-group for each output map, as Tango launches them. */

/* A work-group computes one output map, `each` x `each` outputs a work-item; work-items along dimension 0 are rows, so
 * the lanes of a warp read a row apart. Of the input maps `maps` are summed, of a kernel's rows `rows` (all of them, unless
 * the network is shortened). Input channels `per` from the group of this output channel; weights [out][in][ky][kx]. */
__kernel void conv(__global const float *restrict in, __global const float *restrict weights,
                   __global const float *restrict bias, __global float *restrict out, int per, int maps, int rows,
                   int ih, int iw, int oh, int ow, int kernel_size, int stride, int pad, int group_out, int relu,
                   int first_row, int first_column, int each) {
  int o = get_group_id(2);
  int top = first_row + get_local_id(0) * each, left = first_column + get_local_id(1) * each;
  __global const float *first = in + o / group_out * per * ih * iw;
  __global const float *wt = weights + o * per * kernel_size * kernel_size;
  for (int y = top; y < top + each && y < oh; y++)
    for (int x = left; x < left + each && x < ow; x++) {
      float sum = bias[o];
      for (int i = 0; i < maps; i++)
        for (int ky = 0; ky < rows; ky++) {
          int iy = y * stride + ky - pad;
          for (int kx = 0; kx < kernel_size; kx++) {
            int ix = x * stride + kx - pad;
            if (iy >= 0 && iy < ih && ix >= 0 && ix < iw)
              sum += first[(i * ih + iy) * iw + ix] * wt[(i * kernel_size + ky) * kernel_size + kx];
          }
        }
      out[(o * oh + y) * ow + x] = relu ? fmax(sum, 0.0f) : sum;
    }
}

__kernel void max_pool(__global const float *restrict in, __global float *restrict out, int ih, int iw, int oh, int ow,
                       int kernel_size, int stride, int pad, int first_row, int first_column, int each) {
  int c = get_group_id(2);
  int top = first_row + get_local_id(0) * each, left = first_column + get_local_id(1) * each;
  for (int y = top; y < top + each && y < oh; y++)
    for (int x = left; x < left + each && x < ow; x++) {
      float most = -FLT_MAX;
      for (int ky = 0; ky < kernel_size; ky++)
        for (int kx = 0; kx < kernel_size; kx++) {
          int iy = y * stride + ky - pad, ix = x * stride + kx - pad;
          if (iy >= 0 && iy < ih && ix >= 0 && ix < iw)
            most = fmax(most, in[(c * ih + iy) * iw + ix]);
        }
      out[(c * oh + y) * ow + x] = most;
    }
}

/* A work-group of one work-item for each output, which sums the first `terms` of n products. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
full(__global const float *restrict in, __global const float *restrict weights,
     __global const float *restrict bias, __global float *restrict out, int n, int terms, int relu) {
  int o = get_group_id(0);
  float sum = bias[o];
  for (int i = 0; i < terms; i++)
    sum += in[i] * weights[o * n + i];
  out[o] = relu ? fmax(sum, 0.0f) : sum;
}

/* Values of a channel less its mean, over its deviation. */
__kernel void batch_norm(__global float *v, __global const float *restrict mean,
                         __global const float *restrict variance, int plane, int n) {
  int i = get_global_id(0);
  if (i < n)
    v[i] = (v[i] - mean[i / plane]) / sqrt(variance[i / plane] + 1e-5f);
}

__kernel void scale(__global float *v, __global const float *restrict gamma, __global const float *restrict beta,
                    int plane, int n) {
  int i = get_global_id(0);
  if (i < n)
    v[i] = v[i] * gamma[i / plane] + beta[i / plane];
}

__kernel void relu(__global float *v, int n) {
  int i = get_global_id(0);
  if (i < n)
    v[i] = fmax(v[i], 0.0f);
}

__kernel void add(__global float *v, __global const float *restrict other, int n) {
  int i = get_global_id(0);
  if (i < n)
    v[i] += other[i];
}

/* The mean of a channel. */
__kernel void average(__global const float *restrict in, __global float *restrict out, int channels, int plane) {
  int c = get_global_id(0);
  if (c >= channels)
    return;
  float sum = 0;
  for (int i = 0; i < plane; i++)
    sum += in[c * plane + i];
  out[c] = sum / plane;
}
