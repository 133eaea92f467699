/* For tests that use CUDA's runtime as a compiled program does, without a compiler: the functions a compiler calls, and
 * a fat binary made here from PTX. */
#ifndef CUDA_OWN_H
#define CUDA_OWN_H

#include <lz4.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

typedef struct {
  unsigned x, y, z;
} dim3;
typedef struct {
  size_t width, height, depth;
} extent;
typedef struct {
  size_t x, y, z;
} pos;
typedef struct {
  void *ptr;
  size_t pitch, xsize, ysize;
} pitched;
typedef struct {
  void *src_array;
  pos src_pos;
  pitched src;
  void *dst_array;
  pos dst_pos;
  pitched dst;
  extent extent;
  int kind;
} copy3d;

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name, int limit,
                            void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name, int ext, size_t size,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t size, int constant, int global);
char __cudaInitModule(void **handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
int cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **params, size_t shared, void *stream);
int cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **params, size_t shared,
                                void *stream);
int cudaMalloc(void **to, size_t n), cudaFree(void *p), cudaMallocHost(void **to, size_t n),
    cudaFreeHost(void *p);
int cudaMallocManaged(void **to, size_t n, unsigned flags),
    cudaHostRegister(void *p, size_t n, unsigned flags);
int cudaHostUnregister(void *p), cudaMallocPitch(void **to, size_t *pitch, size_t width, size_t height);
int cudaMalloc3D(pitched *to, extent e), cudaMemcpy3D(const copy3d *p);
int cudaMemcpy(void *dst, const void *src, size_t n, int kind), cudaMemset(void *dst, int value, size_t n);
int cudaMemcpyAsync(void *dst, const void *src, size_t n, int kind, void *stream);
int cudaMemcpy2D(void *dst, size_t dp, const void *src, size_t sp, size_t width, size_t height, int kind);
int cudaMemcpyToSymbol(const void *symbol, const void *src, size_t n, size_t offset, int kind);
int cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t n, size_t offset, int kind);
int cudaDeviceSynchronize(void), cudaGetLastError(void), cudaPeekAtLastError(void), cudaDeviceReset(void);
int cudaEventCreate(void **e), cudaEventRecord(void *e, void *s), cudaEventSynchronize(void *e);
int cudaEventElapsedTime(float *ms, void *a, void *b), cudaStreamCreate(void **s), cudaStreamDestroy(void *s);
int cudaStreamSynchronize(void *s), cudaStreamBeginCapture(void *s, int mode),
    cudaStreamEndCapture(void *s, void **g);
int cudaStreamWaitEvent(void *s, void *e, unsigned flags);
int cudaGraphInstantiate(void **x, void *g, unsigned long long flags), cudaGraphLaunch(void *x, void *s);
int cudaGraphDestroy(void *g), cudaGraphExecDestroy(void *x);
int cudaDeviceGetAttribute(int *value, int which, int device), cudaSetDevice(int device);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *to, const void *func, int threads, size_t shared);
int cudaMallocMipmappedArray(void);
const char *cudaGetErrorName(int e), *cudaGetErrorString(int e);
enum { H2D = 1, D2H = 2, D2D = 3, DEFAULT = 4 };

enum packing { PLAIN, LZ4, ZSTD };
struct wrapper {
  uint32_t magic, version;
  const void *data, *prelinked;
};

static void put(uint8_t *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    to[i] = (uint8_t)(value >> 8 * i);
}

/* A fat binary of one entry: PTX for sm_`arch`, or machine code that nobody looks into. */
__attribute__((unused)) static uint8_t *fat_binary(const char *ptx, enum packing how, unsigned arch,
                                                   bool machine) {
  enum { HEAD = 16, ENTRY = 64 };
  size_t n = strlen(ptx) + 1, room = n + 1024, packed = 0;
  uint8_t *fat = calloc(1, HEAD + ENTRY + room), *e = fat + HEAD;
  char *to = (char *)e + ENTRY;
  if (how == PLAIN)
    memcpy(to, ptx, n);
  else if (how == LZ4)
    packed = (size_t)LZ4_compress_default(ptx, to, (int)n, (int)room);
  else
    packed = ZSTD_compress(to, room, ptx, n, 3);
  size_t payload = ((how == PLAIN ? n : packed) + 7) / 8 * 8;
  put(fat, 0xba55ed50, 4), put(fat + 4, 1, 2), put(fat + 6, HEAD, 2), put(fat + 8, ENTRY + payload, 8);
  put(e, machine ? 2 : 1, 2), put(e + 2, 0x101, 2), put(e + 4, ENTRY, 4), put(e + 8, payload, 8);
  put(e + 16, packed, 4), put(e + 28, arch, 4);
  put(e + 40,
      0x11 | (how == LZ4    ? 0x2000
              : how == ZSTD ? 0x8000
                            : 0),
      8),
      put(e + 56, how == PLAIN ? 0 : n, 8);
  return fat;
}

__attribute__((unused)) static void **register_fat(const uint8_t *fat) {
  struct wrapper *w = calloc(1, sizeof *w);
  *w = (struct wrapper){0x466243b1, 1, fat, NULL};
  return __cudaRegisterFatBinary(w);
}
__attribute__((unused)) static void register_kernel(void **handle, const void *stub, const char *name) {
  __cudaRegisterFunction(handle, stub, NULL, name, -1, NULL, NULL, NULL, NULL, NULL);
}

__attribute__((unused)) static int failures;
#define CHECK(what)                                                                                          \
  do {                                                                                                       \
    if (!(what)) {                                                                                           \
      failures++;                                                                                            \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                                     \
    }                                                                                                        \
  } while (0)
#define SAME(got, wanted)                                                                                    \
  do {                                                                                                       \
    long long got_ = (long long)(got), wanted_ = (long long)(wanted);                                        \
    if (got_ != wanted_) {                                                                                   \
      failures++;                                                                                            \
      fprintf(stderr, "%s:%d: %s is %lld instead of %lld\n", __FILE__, __LINE__, #got, got_, wanted_);       \
    }                                                                                                        \
  } while (0)
#define RULE(f)                                                                                              \
  do {                                                                                                       \
    int before_ = failures;                                                                                  \
    f();                                                                                                     \
    printf("%s %s\n", failures == before_ ? "[       OK ]" : "[  FAILED  ]", #f);                            \
  } while (0)

#endif
