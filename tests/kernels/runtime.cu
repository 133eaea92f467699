// arch: sm_75
// flags: -lineinfo
// What the device runtime offers: printf, malloc, assert; and mistakes, found with their source line.
#include "common.cuh"
#include <cassert>
#include <cstdio>
KERNEL prints(int n)
{
  if (threadIdx.x == 0) printf("first %d %s %5.2f %c %llx %%\n", n, "text", 2.5, 'z', 0x123456789abcdefull);
  if (threadIdx.x == 1) printf("no arguments\n");
  if (threadIdx.x == 2) printf("[%-6d|%06u|%+d|%e|%p]\n", -42, 42u, 7, 12345.678, (void *)0);
}
struct item { item *next; unsigned value; };
KERNEL heap(unsigned *out)
{
  unsigned i = threadIdx.x, sum = 0;
  item *list = nullptr;
  for (unsigned k = 0; k < 3 + i % 5; k++) {
    item *n = (item *)malloc(sizeof(item));
    n->next = list, n->value = i * k;
    list = n;
  }
  while (list) {
    item *n = list->next;
    sum = sum * 3 + list->value;
    free(list);
    list = n;
  }
  out[i] = sum;
}
// An allocation outlives its launch.
__device__ unsigned *kept;
KERNEL heap_keep() { kept = (unsigned *)malloc(64); for (int i = 0; i < 16; i++) kept[i] = i * i; }
KERNEL heap_use(unsigned *out) { out[threadIdx.x] = kept[threadIdx.x] + 1; }
KERNEL asserts(int *out)
{
  out[threadIdx.x] = 1;
  assert(threadIdx.x < 40 && "forty threads");
}
KERNEL heap_freed(unsigned *out)
{
  volatile unsigned *p = (volatile unsigned *)malloc(16);
  p[0] = 1;
  free((void *)p);
  out[0] = p[1];
}
KERNEL outside(unsigned *out, unsigned n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i; // the last CTA runs past the end
  (void)n;
}
KERNEL null_read(unsigned *out, const unsigned *p) { out[0] = p[threadIdx.x]; }
__device__ __noinline__ void deep(unsigned *p, unsigned i) { p[i] = i; }
KERNEL outside_call(unsigned *out)
{
  if (threadIdx.x == 37)
    deep(out, 64 + threadIdx.x);
}
KERNEL shared_outside(unsigned *out)
{
  __shared__ unsigned s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * (blockIdx.x == 1 ? 4096 : 1)];
}
// CTA 0 passes a generic pointer to its shared memory to CTA 1.
__device__ unsigned *volatile passed;
KERNEL shared_foreign(unsigned *out)
{
  __shared__ unsigned s[4096];
  s[threadIdx.x + (blockIdx.x == 0 ? 2048 : 0)] = threadIdx.x;
  if (blockIdx.x == 0) {
    passed = s;
    while (((volatile unsigned *)out)[0] == 0)
      ;
  } else {
    while (passed == nullptr)
      ;
    unsigned v = passed[5];
    out[0] = v + 1;
  }
}
