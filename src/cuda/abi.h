/* CUDA's binary interface as programs are compiled against it: types, constants and structures, written from the
 * documentation of the runtime and driver API (CUDA 11 to 13). tests/cuda/layout.c and layout.cu compare sizes and
 * offsets with NVIDIA's headers where those are installed. */
#ifndef SLUICE_CUDA_ABI_H
#define SLUICE_CUDA_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))
/* A second name of a function: streams per thread are no different here, since every stream is in order. */
#define ALIAS(name, of) extern __typeof__(of) name __attribute__((alias(#of), visibility("default")))
/* A function whose arguments changed under the same name: what programs of a version of CUDA get. All others carry no
 * version, which programs of every version take (symbols.map). */
#define VERSIONED(of, name, tag, version)                                                                    \
  extern __typeof__(of) name##_##tag __attribute__((alias(#of), visibility("default")));                     \
  __asm__(".symver " #name "_" #tag "," #name version)
#define CUDART_11 "@libcudart.so.11.0"
#define CUDART_12 "@libcudart.so.12"
#define CUDART_13 "@@libcudart.so.13"

enum cuda_error {
#define X(name, names, code, text) name = (code),
#include "cuda/errors.def"
#undef X
};

struct dim3 {
  unsigned x, y, z;
};

struct cuda_extent {
  size_t width, height, depth;
};
struct cuda_pos {
  size_t x, y, z;
};
struct cuda_pitched {
  void *ptr;
  size_t pitch, xsize, ysize;
};

enum cuda_copy_kind { COPY_HOST_HOST, COPY_HOST_DEVICE, COPY_DEVICE_HOST, COPY_DEVICE_DEVICE, COPY_DEFAULT };

struct cuda_copy3d {
  void *src_array;
  struct cuda_pos src_pos;
  struct cuda_pitched src;
  void *dst_array;
  struct cuda_pos dst_pos;
  struct cuda_pitched dst;
  struct cuda_extent extent;
  int kind;
};
struct cuda_copy3d_peer {
  void *src_array;
  struct cuda_pos src_pos;
  struct cuda_pitched src;
  int src_device;
  void *dst_array;
  struct cuda_pos dst_pos;
  struct cuda_pitched dst;
  int dst_device;
  struct cuda_extent extent;
};

struct cuda_function_attributes {
  size_t shared_bytes, const_bytes, local_bytes;
  int max_threads, registers, ptx_version, binary_version, cache_mode_ca, max_dynamic, carveout;
  /* from CUDA 12 on; programs of CUDA 11 have no room for it */
  int cluster_must_be_set, cluster[3], cluster_policy, cluster_non_portable, reserved[16];
};

struct cuda_pointer_attributes {
  int type, device; /* type: 0 unregistered, 1 host, 2 device, 3 managed */
  void *device_pointer, *host_pointer;
};

union cuda_launch_value {
  char pad[64];
  int cooperative;
  struct dim3 cluster;
};
struct cuda_launch_attribute {
  int id;
  char pad[4];
  union cuda_launch_value value;
};
struct cuda_launch_config {
  struct dim3 grid, block;
  size_t shared;
  void *stream;
  struct cuda_launch_attribute *attributes;
  unsigned nattributes;
};
enum { LAUNCH_ATTRIBUTE_IGNORE, LAUNCH_ATTRIBUTE_COOPERATIVE = 2, LAUNCH_ATTRIBUTE_CLUSTER = 4 };

struct cuda_kernel_node {
  void *func;
  struct dim3 grid, block;
  unsigned shared;
  void **params, **extra;
};
struct cuda_memset_node {
  void *dst;
  size_t pitch;
  unsigned value, element;
  size_t width, height;
};
struct cuda_host_node {
  void (*fn)(void *);
  void *data;
};

struct cuda_location {
  int type, id; /* type: 1 device, 2 host */
};

/* cudaDeviceProp: one layout until CUDA 12 (CUDA 11 knows its first part), another since. */
#define CUDA_PROP_HEAD                                                                                       \
  char name[256];                                                                                            \
  char uuid[16];                                                                                             \
  char luid[8];                                                                                              \
  unsigned luidDeviceNodeMask;                                                                               \
  size_t totalGlobalMem, sharedMemPerBlock;                                                                  \
  int regsPerBlock, warpSize;                                                                                \
  size_t memPitch;                                                                                           \
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
#define CUDA_PROP_SURFACES                                                                                   \
  int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], \
      maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3],                 \
      maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2],   \
      maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];                                \
  size_t surfaceAlignment;                                                                                   \
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,        \
      unifiedAddressing;
#define CUDA_PROP_CACHES                                                                                     \
  int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor,                    \
      streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;                              \
  size_t sharedMemPerMultiprocessor;                                                                         \
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
#define CUDA_PROP_LAUNCH                                                                                     \
  int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported,                             \
      canUseHostPointerForRegisteredMem, cooperativeLaunch;
#define CUDA_PROP_TAIL                                                                                       \
  size_t sharedMemPerBlockOptin;                                                                             \
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,    \
      accessPolicyMaxWindowSize;                                                                             \
  size_t reservedSharedMemPerBlock;
#define CUDA_PROP_12                                                                                         \
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,                        \
      timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;                       \
  unsigned gpuDirectRDMAFlushWritesOptions;                                                                  \
  int gpuDirectRDMAWritesOrdering;                                                                           \
  unsigned memoryPoolSupportedHandleTypes;                                                                   \
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;

struct cuda_prop_12 {
  CUDA_PROP_HEAD
  int clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode,
      maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear;
  CUDA_PROP_SURFACES
  int memoryClockRate;
  CUDA_PROP_CACHES
  int singleToDoublePrecisionPerfRatio;
  CUDA_PROP_LAUNCH
  int cooperativeMultiDeviceLaunch;
  CUDA_PROP_TAIL
  CUDA_PROP_12
  int reserved[63];
};
/* what a program of CUDA 11 has room for */
#define CUDA_PROP_11_BYTES offsetof(struct cuda_prop_12, hostRegisterSupported)

struct cuda_prop_13 {
  CUDA_PROP_HEAD
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory, maxTexture1D, maxTexture1DMipmap;
  CUDA_PROP_SURFACES
  CUDA_PROP_CACHES
  CUDA_PROP_LAUNCH
  CUDA_PROP_TAIL
  CUDA_PROP_12
  int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
  unsigned gpuPciDeviceID, gpuPciSubsystemID;
  int hostNumaMultinodeIpcSupported, reserved[56];
};

#endif
