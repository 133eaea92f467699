/* The layers of AlexNet, a launch for each: a work-item computes one element of the output, straight from global
 * memory; work-groups are tiles of one output channel, so all read the same input planes, and the weights
 * of their channel. */

/* Input channels `per` from the group of this output channel; weights [out][in][ky][kx]. */
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
conv(__global const float *restrict in, __global const float *restrict weights,
     __global const float *restrict bias, __global float *restrict out, int per, int ih, int iw, int oh, int ow,
     int kernel_size, int stride, int pad, int group_out, int relu) {
  int x = get_global_id(0), y = get_global_id(1), o = get_group_id(2);
  if (x >= ow || y >= oh)
    return;
  __global const float *plane = in + o / group_out * per * ih * iw;
  __global const float *wt = weights + o * per * kernel_size * kernel_size;
  float sum = bias[o];
  for (int i = 0; i < per; i++, plane += ih * iw)
    for (int ky = 0; ky < kernel_size; ky++) {
      int iy = y * stride + ky - pad;
      for (int kx = 0; kx < kernel_size; kx++) {
        int ix = x * stride + kx - pad;
        if (iy >= 0 && iy < ih && ix >= 0 && ix < iw)
          sum += plane[iy * iw + ix] * wt[(i * kernel_size + ky) * kernel_size + kx];
      }
    }
  out[(o * oh + y) * ow + x] = relu ? fmax(sum, 0.0f) : sum;
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
max_pool(__global const float *restrict in, __global float *restrict out, int ih, int iw, int oh, int ow,
         int kernel_size, int stride, int pad) {
  int x = get_global_id(0), y = get_global_id(1), c = get_group_id(2);
  if (x >= ow || y >= oh)
    return;
  float most = -FLT_MAX;
  for (int ky = 0; ky < kernel_size; ky++)
    for (int kx = 0; kx < kernel_size; kx++) {
      int iy = y * stride + ky - pad, ix = x * stride + kx - pad;
      if (iy >= 0 && iy < ih && ix >= 0 && ix < iw)
        most = fmax(most, in[(c * ih + iy) * iw + ix]);
    }
  out[(c * oh + y) * ow + x] = most;
}

/* A work-item for each output: rows of weights lie one after the other, so neighbours read far apart. */
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
full(__global const float *restrict in, __global const float *restrict weights,
     __global const float *restrict bias, __global float *restrict out, int n, int outputs, int relu) {
  int o = get_global_id(0);
  if (o >= outputs)
    return;
  float sum = bias[o];
  for (int i = 0; i < n; i++)
    sum += in[i] * weights[o * n + i];
  out[o] = relu ? fmax(sum, 0.0f) : sum;
}

/* Normalisation across `span` neighbouring channels. */
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
normalize_channels(__global const float *restrict in, __global float *restrict out, int channels, int height,
                   int width, int span) {
  int x = get_global_id(0), y = get_global_id(1), c = get_group_id(2);
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int k = max(c - span / 2, 0); k <= min(c + span / 2, channels - 1); k++) {
    float v = in[(k * height + y) * width + x];
    sum += v * v;
  }
  out[(c * height + y) * width + x] = in[(c * height + y) * width + x] / pow(1.0f + 1e-4f / span * sum, 0.75f);
}
