// arch: sm_75
// Device functions kept out of line: values, structs and pointers as parameters, recursion, calls under divergence.
#include "common.cuh"
struct pair { unsigned a; unsigned long long b; unsigned char c[5]; };
__device__ __noinline__ unsigned add3(unsigned a, unsigned b, unsigned c) { return a + b * 3 + c * 5; }
__device__ __noinline__ pair turn(pair p, int by)
{
  pair q;
  q.a = p.a + by;
  q.b = p.b * 3 + p.c[by & 3];
  for (int i = 0; i < 5; i++)
    q.c[i] = (unsigned char)(p.c[(i + by) % 5] + by);
  return q;
}
__device__ __noinline__ void bump(unsigned *x, const unsigned *by, int n)
{
  for (int i = 0; i < n; i++)
    x[i] += by[n - 1 - i];
}
__device__ __noinline__ float mad_f(float a, float b) { return a * b + 1.0f; }
__device__ __noinline__ signed char narrow(short x, signed char y) { return (signed char)(x + y); }
KERNEL calls(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i);
  unsigned acc = add3(i, h, 7);
  pair p = {h, (unsigned long long)h << 20, {1, 2, (unsigned char)h, 4, (unsigned char)i}};
  p = turn(p, 1);
  if (h & 1) // called by some lanes only
    p = turn(p, h & 7);
  else if (h & 2)
    acc = add3(acc, acc, 1);
  unsigned x[6], y[6];
  for (int k = 0; k < 6; k++)
    x[k] = h >> k, y[k] = k * i;
  bump(x, y, 2 + (h & 3));
  for (int k = 0; k < 6; k++)
    acc = acc * 31 + x[k];
  acc ^= p.a + (unsigned)p.b + (unsigned)(p.b >> 32);
  for (int k = 0; k < 5; k++)
    acc = acc * 17 + p.c[k];
  acc += (unsigned)mad_f((float)(h & 1023), 2.0f);
  acc += (unsigned)narrow((short)h, (signed char)i);
  out[i] = acc;
}
__device__ __noinline__ unsigned long long fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1); }
__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ unsigned odd(unsigned n);
__device__ __noinline__ unsigned even(unsigned n) { return n == 0 ? 1 : odd(n - 1) * 3; }
__device__ __noinline__ unsigned odd(unsigned n) { return n == 0 ? 0 : even(n - 1) + 2; }
KERNEL recursion(unsigned long long *out)
{
  unsigned i = threadIdx.x;
  unsigned long long r = fact(i % 21);
  if (i & 1)
    r += (unsigned long long)fib(i % 13) << 8; // lanes recurse to different depths
  r ^= even(i % 17);
  out[i] = r;
}
