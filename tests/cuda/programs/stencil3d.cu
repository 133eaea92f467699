// Three dimensions: cudaMalloc3D, cudaMemcpy3D, grids and blocks with z, structures as arguments.
#include "check.cuh"
struct Params {
  int nx, ny, nz;
  float c[2];
  char tag;
};
__global__ void stencil(cudaPitchedPtr out, cudaPitchedPtr in, Params p) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= p.nx || y >= p.ny || z >= p.nz)
    return;
  auto at = [&](const cudaPitchedPtr &v, int i, int j, int k) -> float & {
    return ((float *)((char *)v.ptr + k * v.pitch * p.ny + j * v.pitch))[i];
  };
  float v = p.c[0] * at(in, x, y, z);
  if (x > 0 && y > 0 && z > 0 && x < p.nx - 1 && y < p.ny - 1 && z < p.nz - 1)
    v += p.c[1] * (at(in, x - 1, y, z) + at(in, x + 1, y, z) + at(in, x, y - 1, z) + at(in, x, y + 1, z) +
                   at(in, x, y, z - 1) + at(in, x, y, z + 1));
  at(out, x, y, z) = v + (p.tag == 'q');
}
int main() {
  const int nx = 20, ny = 12, nz = 9;
  static float h[nz][ny][nx], g[nz][ny][nx];
  for (int i = 0; i < nx * ny * nz; i++)
    h[i / nx / ny][i / nx % ny][i % nx] = i % 23;
  cudaPitchedPtr a, b;
  cudaExtent e = make_cudaExtent(nx * sizeof(float), ny, nz);
  OK(cudaMalloc3D(&a, e));
  OK(cudaMalloc3D(&b, e));
  OK(cudaMemset3D(b, 0, e));
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(h, nx * sizeof(float), nx, ny);
  c.dstPtr = a;
  c.extent = e;
  c.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&c));
  Params p = {nx, ny, nz, {0.5f, 0.25f}, 'q'};
  stencil<<<dim3(3, 3, 3), dim3(8, 4, 4)>>>(b, a, p);
  c = {};
  c.srcPtr = b;
  c.dstPtr = make_cudaPitchedPtr(g, nx * sizeof(float), nx, ny);
  c.extent = e;
  c.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&c));
  bool ok = true;
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        float v = 0.5f * h[z][y][x];
        if (x && y && z && x < nx - 1 && y < ny - 1 && z < nz - 1)
          v += 0.25f * (h[z][y][x - 1] + h[z][y][x + 1] + h[z][y - 1][x] + h[z][y + 1][x] + h[z - 1][y][x] + h[z + 1][y][x]);
        ok &= g[z][y][x] == v + 1;
      }
  return finish(ok);
}
