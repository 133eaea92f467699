// Gaussian elimination: two kernels for each row, thousands of small launches (as Rodinia's gaussian).
#include "check.cuh"
__global__ void fan1(float *m, const float *a, int n, int t) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n - 1 - t)
    m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}
__global__ void fan2(const float *m, float *a, float *b, int n, int t) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n - 1 - t || y >= n - t)
    return;
  a[n * (x + 1 + t) + y + t] -= m[n * (x + 1 + t) + t] * a[n * t + y + t];
  if (y == 0)
    b[x + 1 + t] -= m[n * (x + 1 + t) + t] * b[t];
}
int main() {
  const int n = 48;
  float *a = new float[n * n], *b = new float[n], *keep = new float[n * n], *right = new float[n], x[n], *da, *db, *dm;
  for (int i = 0; i < n; i++) {
    b[i] = right[i] = 1 + i % 5;
    for (int j = 0; j < n; j++)
      keep[i * n + j] = a[i * n + j] = 10 * expf(-0.01f * abs(i - j) * abs(i - j)) + (i == j ? 20 : 0);
  }
  OK(cudaMalloc((void **)&da, n * n * sizeof(float)));
  OK(cudaMalloc((void **)&db, n * sizeof(float)));
  OK(cudaMalloc((void **)&dm, n * n * sizeof(float)));
  OK(cudaMemset(dm, 0, n * n * sizeof(float)));
  OK(cudaMemcpy(da, a, n * n * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(db, b, n * sizeof(float), cudaMemcpyHostToDevice));
  for (int t = 0; t < n - 1; t++) {
    fan1<<<1, 512>>>(dm, da, n, t);
    cudaDeviceSynchronize();
    fan2<<<dim3(n / 4, n / 4), dim3(4, 4)>>>(dm, da, db, n, t);
    cudaDeviceSynchronize();
  }
  OK(cudaGetLastError());
  OK(cudaMemcpy(a, da, n * n * sizeof(float), cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(b, db, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = n - 1; i >= 0; i--) {
    x[i] = b[i];
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
  bool ok = true;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += keep[i * n + j] * x[j];
    ok &= near(sum, right[i], 1e-3);
  }
  return finish(ok);
}
