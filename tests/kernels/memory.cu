// arch: sm_75
// State spaces: local arrays, generic pointers, constants, module variables, shared memory of both kinds.
#include "common.cuh"
KERNEL local_array(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i);
  unsigned a[32];
  for (int k = 0; k < 32; k++)
    a[k] = k;
  for (int k = 0; k < 40; k++) { // a permutation driven by data: never in registers
    unsigned x = (h >> (k & 15)) & 31, y = (h + k * 7) & 31, t = a[x];
    a[x] = a[y];
    a[y] = t + k;
  }
  unsigned acc = 0;
  for (int k = 0; k < 32; k++)
    acc = acc * 33 + a[k];
  out[i] = acc;
}
KERNEL generic_ptr(unsigned *out, unsigned *data)
{
  __shared__ unsigned sh[64];
  unsigned i = threadIdx.x, lo[8];
  for (int k = 0; k < 8; k++)
    lo[(i + k) & 7] = 1000 * i + k;
  sh[i] = 5 * i;
  data[i] = 7 * i;
  __syncthreads();
  unsigned *p = i % 3 == 0 ? &sh[i ^ 1] : i % 3 == 1 ? &data[i] : &lo[i & 7];
  unsigned v = *p;
  unsigned kind = __isShared(p) * 1 + __isGlobal(p) * 2 + __isLocal(p) * 4;
  *p = v + 1; // a store through the mixed pointer
  __syncthreads();
  atomicAdd(i % 3 == 0 ? &sh[i ^ 1] : &data[i], 10u);
  __syncthreads();
  unsigned *q = (unsigned *)__cvta_shared_to_generic(__cvta_generic_to_shared(&sh[i]));
  out[i * 4] = v, out[i * 4 + 1] = kind, out[i * 4 + 2] = *q, out[i * 4 + 3] = lo[i & 7] + data[i];
}
__constant__ unsigned table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ double weights[2] = {0.5, 2.25};
__constant__ unsigned char bytes[5] = {250, 251, 252, 253, 254};
KERNEL constants(unsigned *out)
{
  unsigned i = threadIdx.x;
  out[i] = table[mix(i) & 7] * 100 + (unsigned)(weights[i & 1] * i) + bytes[i % 5];
}
struct node { int value; node *next; };
__device__ node third = {30, nullptr};
__device__ node second = {20, &third};
__device__ node first = {10, &second};
__device__ int counters[4] = {1, 2, 3};
__device__ int *const inside = &counters[2];
__device__ char text[] = "sluice";
__device__ unsigned launches;
KERNEL module_vars(int *out)
{
  int sum = 0;
  for (node *n = &first; n; n = n->next)
    sum = sum * 3 + n->value;
  int i = threadIdx.x;
  out[i * 4] = sum + counters[i & 3];
  out[i * 4 + 1] = *inside;
  out[i * 4 + 2] = text[i % 7];
  out[i * 4 + 3] = (int)launches;
  __syncthreads();
  if (i == 0)
    launches++, *inside = 40; // kept for the next launch
}
extern __shared__ unsigned dyn[];
KERNEL dynamic_shared(unsigned *out)
{
  unsigned t = threadIdx.x, n = blockDim.x;
  dyn[t] = mix(blockIdx.x * n + t);
  __syncthreads();
  out[blockIdx.x * n + t] = dyn[n - 1 - t];
}
KERNEL both_shared(unsigned *out)
{
  __shared__ unsigned fix[128];
  unsigned t = threadIdx.x;
  unsigned short *half = (unsigned short *)dyn;
  fix[t] = t * t;
  half[t] = (unsigned short)(t * 3);
  half[t + 128] = (unsigned short)(t * 5);
  __syncthreads();
  out[t] = fix[127 - t] + half[(t * 7) & 127] + half[128 + ((t * 11) & 127)];
}
template <class T> __device__ void copy(void *out, const void *in, unsigned n)
{
  unsigned i = threadIdx.x;
  if (i < n / sizeof(T))
    ((T *)out)[n / sizeof(T) - 1 - i] = ((const T *)in)[i];
}
KERNEL vectors(unsigned char *out, const unsigned char *in) // blocks of 512 bytes, elements reversed
{
  copy<uchar2>(out, in, 512);
  copy<uchar4>(out + 512, in, 512);
  copy<ushort2>(out + 1024, in, 512);
  copy<ushort4>(out + 1536, in, 512);
  copy<float2>(out + 2048, in, 512);
  copy<float4>(out + 2560, in, 512);
  copy<double2>(out + 3072, in, 512);
  copy<longlong2>(out + 3584, in, 512);
}
KERNEL subword(int *out, const signed char *b, const short *s)
{
  unsigned i = threadIdx.x;
  unsigned char ub = ((const unsigned char *)b)[i];
  unsigned short us = ((const unsigned short *)s)[i];
  out[i * 4] = b[i];
  out[i * 4 + 1] = s[i];
  out[i * 4 + 2] = ub - us;
  ((short *)out)[i * 8 + 6] = (short)(b[i] * 3);
  ((signed char *)out)[i * 16 + 14] = (signed char)s[i];
  ((unsigned char *)out)[i * 16 + 15] = (unsigned char)(ub + 1);
}
