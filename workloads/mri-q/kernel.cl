/* phi_magnitude: a work-item for each sample, groups of 512. q: a work-item for each voxel, groups of 256,
 * loops over up to 1024 samples that it reads through the constant cache; more samples take more launches,
 * which add to the same sums. Sine and cosine are the hardware's. */
struct sample {
  float x, y, z, magnitude;
};

__kernel void phi_magnitude(__global const float *restrict re, __global const float *restrict im,
                            __global float *restrict magnitude, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    magnitude[i] = re[i] * re[i] + im[i] * im[i];
}

__kernel void q(__constant struct sample *samples, uint n, __global const float *restrict x,
                __global const float *restrict y, __global const float *restrict z,
                __global float *restrict re, __global float *restrict im, uint voxels) {
  uint i = get_global_id(0);
  if (i >= voxels)
    return;
  float vx = x[i], vy = y[i], vz = z[i], sum_re = re[i], sum_im = im[i];
  for (uint k = 0; k < n; k++) {
    float angle = 6.2831853071795864f * (samples[k].x * vx + samples[k].y * vy + samples[k].z * vz);
    sum_re += samples[k].magnitude * native_cos(angle);
    sum_im += samples[k].magnitude * native_sin(angle);
  }
  re[i] = sum_re;
  im[i] = sum_im;
}
