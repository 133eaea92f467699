// Memory from the device's heap, new and delete, virtual functions, pointers to functions, recursion.
#include "check.cuh"
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float a;
  __device__ Square(float x) : a(x) {}
  __device__ float area() const override { return a * a; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float x) : r(x) {}
  __device__ float area() const override { return 3 * r * r; }
};
typedef float (*unary)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
__device__ unary table[2] = {twice, square};
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void work(float *out) {
  int t = threadIdx.x;
  Shape *s = t % 2 ? (Shape *)new Square(t) : (Shape *)new Circle(t);
  int *list = (int *)malloc(sizeof(int) * (t + 1));
  for (int i = 0; i <= t; i++)
    list[i] = i;
  float sum = 0;
  for (int i = 0; i <= t; i++)
    sum += list[i];
  out[t] = s->area() + sum + table[t & 1](t) + fib(t % 8);
  free(list);
  delete s;
}
int main() {
  float *d, h[64];
  bool ok = true;
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  size_t heap;
  OK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  ok &= heap >= 16 << 20;
  OK(cudaMalloc(&d, sizeof h));
  work<<<1, 64>>>(d);
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  int f[8] = {0, 1, 1, 2, 3, 5, 8, 13};
  for (int t = 0; t < 64; t++)
    ok &= h[t] == (t % 2 ? t * t : 3 * t * t) + t * (t + 1) / 2 + (t & 1 ? t * t : 2 * t) + f[t % 8];
  return finish(ok);
}
