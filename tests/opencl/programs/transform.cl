// range: 2 32 16 8 8
// Cosine transform of 8 by 8 blocks with a table passed in, complex butterflies in structures, sign games.
typedef struct {
  float re, im;
} complex;
constant float cosines[8] = {0.35355339f, 0.49039264f, 0.46193977f, 0.41573481f, 0.35355339f, 0.27778512f, 0.19134172f, 0.09754516f};
float cosine(int k, int x) {
  int a = (2 * x + 1) * k % 32, s = 1;
  if (a > 16)
    a = 32 - a;
  if (a > 8)
    a = 16 - a, s = -1;
  return k == 0 ? cosines[0] : a == 8 ? 0.0f : s * (a == 0 ? 0.5f : cosines[a]);
}
complex times(complex a, complex b) {
  complex r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return r;
}
kernel void transform(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local float inter[64];
  int i = get_local_id(0), j = get_local_id(1), at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  int corner = (get_group_id(1) * 8) * get_global_size(0) + get_group_id(0) * 8;
  float acc = 0.0f;
  for (uint k = 0; k < 8; k++)
    acc += cosine(i, k) * fin[corner + j * get_global_size(0) + k];
  inter[j * 8 + i] = acc;
  barrier(CLK_LOCAL_MEM_FENCE);
  acc = 0.0f;
  for (uint k = 0; k < 8; k++)
    acc = mad(inter[k * 8 + i], cosine(j, k), acc);
  complex w = {1.0f, 0.0f}, step = {0.98078528f, -0.19509032f};
  for (int k = 0; k < (i ^ j); k++)
    w = times(w, step);
  fout[at] = acc + w.re * 2.0f + w.im;
  out[at] = at;
}
