/* Options by Black and Scholes, bodies under gravity, and a table of functions: the arithmetic that samples of
 * vendors are made of; vectors, by-value structures, double precision. math FOLDER */
#include "host.h"

static const char *source =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "float phi(float x) {\n"
    "  float a = fabs(x), t = 1.0f / (1.0f + 0.2316419f * a);\n"
    "  float y = 1.0f - 0.398942280f * exp(-x * x * 0.5f) * t * (0.319381530f + t * (-0.356563782f +\n"
    "    t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));\n"
    "  return x < 0.0f ? 1.0f - y : y;\n"
    "}\n"
    "__kernel void black_scholes(__global const float4 *rnd, __global float4 *call, __global float4 *put) {\n"
    "  size_t i = get_global_id(0); float4 r = rnd[i];\n"
    "  float s[4] = {r.x, r.y, r.z, r.w}; float c[4], q[4];\n"
    "  for (int k = 0; k < 4; k++) {\n"
    "    float S = 10.0f * s[k] + 100.0f * (1.0f - s[k]), K = S, T = s[k] * 9.0f + 1.0f, R = 0.01f + 0.04f * "
    "s[k];\n"
    "    float v = 0.01f + 0.09f * s[k], d1 = (log(S / K) + (R + v * v * 0.5f) * T) / (v * sqrt(T));\n"
    "    float d2 = d1 - v * sqrt(T), e = K * exp(-R * T);\n"
    "    c[k] = S * phi(d1) - e * phi(d2); q[k] = e * phi(-d2) - S * phi(-d1);\n"
    "  }\n"
    "  call[i] = (float4)(c[0], c[1], c[2], c[3]); put[i] = vload4(0, q);\n"
    "}\n"
    "typedef struct { float dt, eps; int n; } world;\n"
    "__kernel void bodies(__global float4 *pos, __global float4 *vel, __local float4 *near, world w,\n"
    "                     __global float4 *out) {\n"
    "  uint i = get_global_id(0), t = get_local_id(0), size = get_local_size(0);\n"
    "  float4 p = pos[i]; float3 a = (float3)(0);\n"
    "  for (uint g = 0; g < w.n / size; g++) {\n"
    "    near[t] = pos[g * size + t];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint j = 0; j < size; j++) {\n"
    "      float3 r = near[j].xyz - p.xyz; float d = dot(r, r) + w.eps; float inv = rsqrt(d);\n"
    "      a += r * (near[j].w * inv * inv * inv);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  float4 v = vel[i]; v.xyz += a * w.dt; vel[i] = v; p.xyz += v.xyz * w.dt; out[i] = p;\n"
    "}\n"
    "__kernel void functions(__global float *f, __global double *d) {\n"
    "  int i = get_global_id(0); float x = 0.1f + i * 0.37f; double y = 0.1 + i * 0.37; int n = 0;\n"
    "  f[i * 12 + 0] = sin(x); f[i * 12 + 1] = cos(x); f[i * 12 + 2] = exp(-x); f[i * 12 + 3] = log(x);\n"
    "  f[i * 12 + 4] = pow(x, 1.3f); f[i * 12 + 5] = atan2(x, 2.0f); f[i * 12 + 6] = native_sqrt(x);\n"
    "  f[i * 12 + 7] = fmod(x, 0.7f); f[i * 12 + 8] = log2(x); f[i * 12 + 9] = tanh(x * 0.1f);\n"
    "  f[i * 12 + 10] = mad(x, 2.0f, ldexp(x, 2)); f[i * 12 + 11] = convert_int_rte(x * 3) + popcount(i) + "
    "hadd(i, 3);\n"
    "  d[i * 4 + 0] = sqrt(y); d[i * 4 + 1] = exp(-y); d[i * 4 + 2] = fma(y, y, 1.0); d[i * 4 + 3] = "
    "floor(y) + y / 3;\n"
    "}\n";

enum { N = 256, F = 32 };

int main(void) {
  static float rnd[4 * N], call[4 * N], put[4 * N], pos[4 * N], vel[4 * N], f[12 * F];
  static double d[4 * F];
  srand(11);
  for (int i = 0; i < 4 * N; i++) {
    rnd[i] = (float)rand() / (float)RAND_MAX;
    pos[i] = (float)(rand() % 1000) * 0.01f + (i % 4 == 3 ? 1.0f : 0.0f);
  }
  start();
  cl_program p = program_from(source, "");
  cl_kernel bs = kernel(p, "black_scholes"), nb = kernel(p, "bodies"), fn = kernel(p, "functions");
  cl_mem mr = buffer(sizeof rnd, rnd), mc = buffer(sizeof call, NULL), mq = buffer(sizeof put, NULL);
  arg(bs, 0, sizeof mr, &mr), arg(bs, 1, sizeof mc, &mc), arg(bs, 2, sizeof mq, &mq);
  size_t n = N, local = 64;
  launch(bs, 1, &n, &local);
  fetch(mc, sizeof call, call), fetch(mq, sizeof put, put);
  for (int i = 0; i < 4 * N; i += 128)
    printf("option %d: %.4f %.4f\n", i, call[i], put[i]);
  struct {
    cl_float dt, eps;
    cl_int n;
  } w = {0.005f, 50.0f, N};
  cl_mem mp = buffer(sizeof pos, pos), mv = buffer(sizeof vel, vel), mo = buffer(sizeof pos, NULL);
  for (int i = 0; i < 3; i++) {
    arg(nb, 0, sizeof mp, i % 2 ? &mo : &mp), arg(nb, 1, sizeof mv, &mv), arg(nb, 2, local * 16, NULL);
    arg(nb, 3, sizeof w, &w), arg(nb, 4, sizeof mo, i % 2 ? &mp : &mo);
    launch(nb, 1, &n, &local);
  }
  fetch(mo, sizeof pos, pos);
  for (int i = 0; i < 4 * N; i += 256)
    printf("body %d: %.5f %.5f %.5f\n", i / 4, pos[i], pos[i + 1], pos[i + 2]);
  cl_mem mf = buffer(sizeof f, NULL), md = buffer(sizeof d, NULL);
  size_t m = F;
  arg(fn, 0, sizeof mf, &mf), arg(fn, 1, sizeof md, &md);
  launch(fn, 1, &m, NULL);
  fetch(mf, sizeof f, f), fetch(md, sizeof d, d);
  for (int i = 0; i < F; i += 5) {
    for (int k = 0; k < 12; k++)
      printf("%.4f ", f[i * 12 + k]);
    printf("%.9f %.9f %.9f %.9f\n", d[i * 4], d[i * 4 + 1], d[i * 4 + 2], d[i * 4 + 3]);
  }
  return 0;
}
