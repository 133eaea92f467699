// Records what a GPU makes of the fetches of cases.h: for every case CASE_SAMPLES results of four words, to standard output.
//   nvcc -O1 -arch=native -o record record.cu && ./record [SAMPLES [SEED]] > results
// pack.py makes of them the file that the test reads.
#include "cases.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(x)                                                                                                             \
  do {                                                                                                                       \
    cudaError_t failure = (x);                                                                                                     \
    if (failure != cudaSuccess) {                                                                                                  \
      fprintf(stderr, "record.cu:%d: case %u: %s\n", __LINE__, current, cudaGetErrorString(failure));                              \
      failures++;                                                                                                            \
    }                                                                                                                        \
  } while (0)
static unsigned current, failures;

template <class T>
__global__ void fetch(cudaTextureObject_t t, int shape, int component, const float4 *at, const int *index, uint4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 c = at[i];
  T v;
  switch (shape) {
  case CASE_1D: v = tex1D<T>(t, c.x); break;
  case CASE_2D:
  case CASE_PITCH: v = tex2D<T>(t, c.x, c.y); break;
  case CASE_3D: v = tex3D<T>(t, c.x, c.y, c.z); break;
  case CASE_1D_LAYERS: v = tex1DLayered<T>(t, c.x, index[i]); break;
  case CASE_2D_LAYERS: v = tex2DLayered<T>(t, c.x, c.y, index[i]); break;
  case CASE_LINEAR: v = tex1Dfetch<T>(t, index[i]); break;
  default:
    switch (component) {
    case 0: v = tex2Dgather<T>(t, c.x, c.y, 0); break;
    case 1: v = tex2Dgather<T>(t, c.x, c.y, 1); break;
    case 2: v = tex2Dgather<T>(t, c.x, c.y, 2); break;
    default: v = tex2Dgather<T>(t, c.x, c.y, 3); break;
    }
  }
  out[i] = *(uint4 *)&v;
}

static cudaChannelFormatDesc format_of(const texture_case &t) {
  int bits = (int)(8 * case_bytes(t.element));
  cudaChannelFormatKind kind = t.element >= EL_F16 ? cudaChannelFormatKindFloat
                               : t.element & 1     ? cudaChannelFormatKindSigned
                                                   : cudaChannelFormatKindUnsigned;
  return cudaCreateChannelDesc(bits, t.channels > 1 ? bits : 0, t.channels > 2 ? bits : 0, t.channels > 2 ? bits : 0, kind);
}

static void record(const texture_case &t, int n) {
  size_t texels = (size_t)t.size[0] * t.size[1] * t.size[2], bytes = case_bytes(t.element), texel = bytes * t.channels;
  std::vector<unsigned char> data(texels * texel);
  for (size_t i = 0; i < texels; i++)
    for (unsigned c = 0; c < t.channels; c++) {
      uint32_t v = case_texel(&t, (unsigned)i, c);
      memcpy(&data[i * texel + c * bytes], &v, bytes);
    }
  cudaChannelFormatDesc format = format_of(t);
  cudaResourceDesc r = {};
  cudaArray_t array = nullptr;
  void *memory = nullptr;
  if (t.shape == CASE_LINEAR) {
    CHECK(cudaMalloc(&memory, data.size()));
    CHECK(cudaMemcpy(memory, data.data(), data.size(), cudaMemcpyHostToDevice));
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = memory, r.res.linear.desc = format, r.res.linear.sizeInBytes = data.size();
  } else if (t.shape == CASE_PITCH) {
    size_t pitch;
    CHECK(cudaMallocPitch(&memory, &pitch, t.size[0] * texel, t.size[1]));
    CHECK(cudaMemcpy2D(memory, pitch, data.data(), t.size[0] * texel, t.size[0] * texel, t.size[1], cudaMemcpyHostToDevice));
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = memory, r.res.pitch2D.desc = format, r.res.pitch2D.width = t.size[0];
    r.res.pitch2D.height = t.size[1], r.res.pitch2D.pitchInBytes = pitch;
  } else {
    bool layers = t.shape == CASE_1D_LAYERS || t.shape == CASE_2D_LAYERS, flat = t.shape == CASE_1D || t.shape == CASE_1D_LAYERS;
    cudaExtent e = make_cudaExtent(t.size[0], flat ? 0 : t.size[1], layers || t.shape == CASE_3D ? t.size[2] : 0);
    CHECK(cudaMalloc3DArray(&array, &format, e, layers ? cudaArrayLayered : t.shape == CASE_GATHER ? cudaArrayTextureGather : 0));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data.data(), t.size[0] * texel, t.size[0], t.size[1]);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(t.size[0], t.size[1], t.size[2]);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
  }
  cudaTextureDesc d = {};
  for (int k = 0; k < 3; k++)
    d.addressMode[k] = (cudaTextureAddressMode)t.mode[k];
  d.filterMode = t.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  d.readMode = t.normalized_read ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  d.normalizedCoords = t.normalized_coords;
  memcpy(d.borderColor, t.border, sizeof t.border);
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &r, &d, nullptr));
  std::vector<float4> at(n);
  std::vector<int> index(n);
  for (int i = 0; i < n; i++) {
    at[i] = make_float4(case_coordinate(&t, i, 0), case_coordinate(&t, i, 1), case_coordinate(&t, i, 2), 0);
    index[i] = case_index(&t, i, t.shape == CASE_LINEAR ? t.size[0] : t.size[2]);
  }
  float4 *dat;
  int *dindex;
  uint4 *dout;
  CHECK(cudaMalloc(&dat, n * sizeof *dat));
  CHECK(cudaMalloc(&dindex, n * sizeof *dindex));
  CHECK(cudaMalloc(&dout, n * sizeof *dout));
  CHECK(cudaMemcpy(dat, at.data(), n * sizeof *dat, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dindex, index.data(), n * sizeof *dindex, cudaMemcpyHostToDevice));
  int blocks = (n + 63) / 64;
  if (t.element >= EL_F16 || t.normalized_read)
    fetch<float4><<<blocks, 64>>>(object, t.shape, t.component, dat, dindex, dout, n);
  else if (t.element & 1)
    fetch<int4><<<blocks, 64>>>(object, t.shape, t.component, dat, dindex, dout, n);
  else
    fetch<uint4><<<blocks, 64>>>(object, t.shape, t.component, dat, dindex, dout, n);
  std::vector<uint4> out(n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), dout, n * sizeof *dout, cudaMemcpyDeviceToHost));
  fwrite(out.data(), sizeof(uint4), n, stdout);
  cudaDestroyTextureObject(object);
  if (array)
    cudaFreeArray(array);
  cudaFree(memory), cudaFree(dat), cudaFree(dindex), cudaFree(dout);
}

int main(int argc, char **argv) {
  int samples = argc > 1 ? atoi(argv[1]) : CASE_SAMPLES;
  case_seed = argc > 2 ? (uint32_t)strtoul(argv[2], nullptr, 0) : 0;
  texture_case t;
  for (current = 0; case_get(current, &t); current++)
    record(t, samples);
  return failures != 0;
}
