// Structures of floats, constant memory, approximate functions, a template on how far to unroll.
#include "check.cuh"
__constant__ float softening;
template <int UNROLL> __global__ void forces(const float4 *__restrict__ p, float3 *__restrict__ a, int n) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float3 acc = make_float3(0, 0, 0);
  for (int t = 0; t < n / (int)blockDim.x; t++) {
    tile[threadIdx.x] = p[t * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll UNROLL
    for (int k = 0; k < (int)blockDim.x; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inv = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float s = tile[k].w * inv * inv * inv;
      acc.x += dx * s, acc.y += dy * s, acc.z += dz * s;
    }
    __syncthreads();
  }
  a[i] = acc;
}
int main() {
  const int n = 512;
  float4 *h = new float4[n], *d;
  float3 *g = new float3[n], *o;
  float soft = 0.01f;
  for (int i = 0; i < n; i++)
    h[i] = make_float4(sinf(i), cosf(2.f * i), sinf(3.f * i + 1), 1.f + i % 3);
  OK(cudaMalloc(&d, n * sizeof *d));
  OK(cudaMalloc(&o, n * sizeof *o));
  OK(cudaMemcpyToSymbol(softening, &soft, sizeof soft));
  OK(cudaMemcpy(d, h, n * sizeof *d, cudaMemcpyHostToDevice));
  forces<4><<<n / 128, 128, 128 * sizeof(float4)>>>(d, o, n);
  OK(cudaMemcpy(g, o, n * sizeof *o, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < n; i += 37) {
    double x = 0, y = 0, z = 0;
    for (int k = 0; k < n; k++) {
      double dx = h[k].x - h[i].x, dy = h[k].y - h[i].y, dz = h[k].z - h[i].z;
      double s = h[k].w * pow(dx * dx + dy * dy + dz * dz + soft, -1.5);
      x += dx * s, y += dy * s, z += dz * s;
    }
    ok &= near(g[i].x, x, 1e-3) && near(g[i].y, y, 1e-3) && near(g[i].z, z, 1e-3);
  }
  return finish(ok);
}
