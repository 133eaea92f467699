// Separable convolution: a filter in constant memory, rows and columns, a pitched image.
#include "check.cuh"
#define RADIUS 4
__constant__ float filter[2 * RADIUS + 1];
__global__ void rows(float *dst, const float *src, int w, int h, size_t pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w)
    return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++)
    if (x + k >= 0 && x + k < w)
      sum += filter[RADIUS - k] * ((const float *)((const char *)src + y * pitch))[x + k];
  ((float *)((char *)dst + y * pitch))[x] = sum;
}
__global__ void columns(float *dst, const float *src, int w, int h, size_t pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w)
    return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++)
    if (y + k >= 0 && y + k < h)
      sum += filter[RADIUS - k] * ((const float *)((const char *)src + (y + k) * pitch))[x];
  ((float *)((char *)dst + y * pitch))[x] = sum;
}
int main() {
  const int w = 100, h = 60;
  static float image[h][w], got[h][w], half[h][w];
  float f[2 * RADIUS + 1], *a, *b;
  size_t pitch, pitch2, bytes;
  for (int i = 0; i <= 2 * RADIUS; i++)
    f[i] = 1.f / (1 + i);
  for (int i = 0; i < w * h; i++)
    image[i / w][i % w] = i * 31 % 17;
  OK(cudaMemcpyToSymbol(filter, f, sizeof f / 3, 0));
  OK(cudaMemcpyToSymbol(filter, f + 3, sizeof f - sizeof f / 3, sizeof f / 3, cudaMemcpyHostToDevice));
  OK(cudaMallocPitch(&a, &pitch, w * sizeof(float), h));
  OK(cudaMallocPitch(&b, &pitch2, w * sizeof(float), h));
  OK(cudaMemset2D(b, pitch2, 0, w * sizeof(float), h));
  OK(cudaMemcpy2D(a, pitch, image, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
  rows<<<dim3((w + 63) / 64, h), 64>>>(b, a, w, h, pitch);
  columns<<<dim3((w + 63) / 64, h), 64>>>(a, b, w, h, pitch);
  OK(cudaMemcpy2D(got, w * sizeof(float), a, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost));
  float back[2 * RADIUS + 1], *where;
  OK(cudaMemcpyFromSymbol(back, filter, sizeof back));
  OK(cudaGetSymbolAddress((void **)&where, filter));
  OK(cudaGetSymbolSize(&bytes, filter));
  bool ok = memcmp(back, f, sizeof f) == 0 && bytes == sizeof f && pitch == pitch2;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      half[y][x] = 0;
      for (int k = -RADIUS; k <= RADIUS; k++)
        if (x + k >= 0 && x + k < w)
          half[y][x] += f[RADIUS - k] * image[y][x + k];
    }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      double want = 0;
      for (int k = -RADIUS; k <= RADIUS; k++)
        if (y + k >= 0 && y + k < h)
          want += f[RADIUS - k] * half[y + k][x];
      ok &= near(got[y][x], want, 1e-4);
    }
  return finish(ok);
}
