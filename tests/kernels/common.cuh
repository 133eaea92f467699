// Input data for the test kernels: a hash of the index, computed alike in expected.c.
#pragma once
__device__ __forceinline__ unsigned mix(unsigned x)
{
  x *= 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return x;
}
#define KERNEL extern "C" __global__ void
