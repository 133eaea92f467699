/* Memory, copies, streams and events of the driver API: the runtime's with other names. */
#include "cuda/array.h"
#include "cuda/driver.h"

static int alloc(device_pointer *to, size_t bytes) {
  return !to || !bytes ? CU_INVALID_VALUE : memory_alloc(ALLOC_DEVICE, bytes, 0, to);
}
API int cuMemAlloc_v2(device_pointer *to, size_t bytes) {
  DRIVER(alloc(to, bytes));
}
int cudaMallocAsync(void **to, size_t bytes, void *stream), cudaFreeAsync(void *p, void *stream);
API int cuMemAllocAsync(device_pointer *to, size_t bytes, void *stream) {
  void *at = NULL;
  int e = !to || !bytes ? CU_INVALID_VALUE : cudaMallocAsync(&at, bytes, stream);
  if (!e)
    *to = (device_pointer)(uintptr_t)at;
  return e;
}
API int cuMemFree_v2(device_pointer p) {
  DRIVER(!p ? CU_INVALID_VALUE : memory_free(p, 1u << ALLOC_DEVICE | 1u << ALLOC_MANAGED, CU_INVALID_VALUE));
}
API int cuMemFreeAsync(device_pointer p, void *stream) {
  return p ? cudaFreeAsync(pointer(p), stream) : CU_INVALID_VALUE;
}
API int cuMemAllocManaged(device_pointer *to, size_t bytes, unsigned flags) {
  DRIVER(!to || !bytes || flags < 1 || flags > 4 ? CU_INVALID_VALUE
                                                 : memory_alloc(ALLOC_MANAGED, bytes, flags, to));
}
static int alloc_pitch(device_pointer *to, size_t *pitch, size_t width, size_t height, unsigned element) {
  size_t bytes;
  if (!to || !pitch || !width || !height || (element != 4 && element != 8 && element != 16))
    return CU_INVALID_VALUE;
  *pitch = (width + 511) / 512 * 512;
  return __builtin_mul_overflow(*pitch, height, &bytes) ? CU_MEMORY_ALLOCATION
                                                        : memory_alloc(ALLOC_DEVICE, bytes, 0, to);
}
API int cuMemAllocPitch_v2(device_pointer *to, size_t *pitch, size_t width, size_t height, unsigned element) {
  DRIVER(alloc_pitch(to, pitch, width, height, element));
}
static int alloc_host(void **to, size_t bytes, unsigned flags) {
  uint64_t at = 0;
  if (!to || !bytes)
    return CU_INVALID_VALUE;
  int e = memory_alloc(ALLOC_HOST, bytes, flags, &at);
  *to = pointer(at);
  return e;
}
API int cuMemAllocHost_v2(void **to, size_t bytes) {
  DRIVER(alloc_host(to, bytes, 0));
}
API int cuMemHostAlloc(void **to, size_t bytes, unsigned flags) {
  DRIVER(flags > 7 ? CU_INVALID_VALUE : alloc_host(to, bytes, flags));
}
API int cuMemFreeHost(void *p) {
  DRIVER(!p ? CU_INVALID_VALUE : memory_free((uint64_t)(uintptr_t)p, 1u << ALLOC_HOST, CU_INVALID_VALUE));
}
int cudaHostRegister(void *p, size_t bytes, unsigned flags);
int cudaHostUnregister(void *p);
API int cuMemHostRegister_v2(void *p, size_t bytes, unsigned flags) {
  return cudaHostRegister(p, bytes, flags);
}
API int cuMemHostUnregister(void *p) {
  return cudaHostUnregister(p);
}
static int host_pointer(device_pointer *to, void *p, unsigned flags) {
  const struct allocation *a = memory_find((uint64_t)(uintptr_t)p);
  if (!to || flags || !a || (a->kind != ALLOC_HOST && a->kind != ALLOC_REGISTERED))
    return CU_INVALID_VALUE;
  *to = (uint64_t)(uintptr_t)p;
  return CU_SUCCESS;
}
API int cuMemHostGetDevicePointer_v2(device_pointer *to, void *p, unsigned flags) {
  DRIVER(host_pointer(to, p, flags));
}
int cudaMemGetInfo(size_t *unused, size_t *total);
API int cuMemGetInfo_v2(size_t *unused, size_t *total) {
  return cudaMemGetInfo(unused, total);
}
static int range(device_pointer *base, size_t *bytes, device_pointer p) {
  const struct allocation *a = memory_find(p);
  if (!a)
    return CU_INVALID_VALUE;
  if (base)
    *base = a->address;
  if (bytes)
    *bytes = a->size;
  return CU_SUCCESS;
}
API int cuMemGetAddressRange_v2(device_pointer *base, size_t *bytes, device_pointer p) {
  DRIVER(range(base, bytes, p));
}
enum {
  POINTER_CONTEXT = 1,
  POINTER_TYPE,
  POINTER_DEVICE,
  POINTER_HOST,
  POINTER_MANAGED = 8,
  POINTER_ORDINAL = 9
};
static int pointer_attribute(void *to, int which, device_pointer p) {
  const struct allocation *a = memory_find(p);
  if (!to || !a)
    return CU_INVALID_VALUE;
  bool host = a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED;
  unsigned type = host ? 1 : 2, managed = a->kind == ALLOC_MANAGED, ordinal = 0;
  if (which == POINTER_TYPE)
    memcpy(to, &type, sizeof type);
  else if (which == POINTER_DEVICE || (which == POINTER_HOST && (host || managed)))
    memcpy(to, &p, sizeof p);
  else if (which == POINTER_MANAGED)
    memcpy(to, &managed, sizeof managed);
  else if (which == POINTER_ORDINAL)
    memcpy(to, &ordinal, sizeof ordinal);
  else
    return CU_INVALID_VALUE;
  return CU_SUCCESS;
}
API int cuPointerGetAttribute(void *to, int which, device_pointer p) {
  DRIVER(pointer_attribute(to, which, p));
}

/* Of a pointer that the device does not know, every attribute is null. */
API int cuPointerGetAttributes(unsigned n, const int *which, void **to, device_pointer p) {
  if (!which || !to)
    return CU_INVALID_VALUE;
  for (unsigned i = 0; i < n; i++) {
    int e = cuPointerGetAttribute(to[i], which[i], p);
    if (e == CU_INVALID_VALUE && to[i])
      memset(to[i], 0, which[i] == POINTER_TYPE || which[i] >= POINTER_MANAGED ? 4 : 8);
    else if (e)
      return e;
  }
  return CU_SUCCESS;
}

/* ---- copies ---- */

API int cuMemcpyHtoD_v2(device_pointer to, const void *from, size_t n) {
  DRIVER(copy_linear(NULL, pointer(to), from, n, COPY_HOST_DEVICE));
}
API int cuMemcpyDtoH_v2(void *to, device_pointer from, size_t n) {
  DRIVER(copy_linear(NULL, to, pointer(from), n, COPY_DEVICE_HOST));
}
API int cuMemcpyDtoD_v2(device_pointer to, device_pointer from, size_t n) {
  DRIVER(copy_linear(NULL, pointer(to), pointer(from), n, COPY_DEVICE_DEVICE));
}
API int cuMemcpy(device_pointer to, device_pointer from, size_t n) {
  DRIVER(copy_linear(NULL, pointer(to), pointer(from), n, COPY_DEFAULT));
}
API int cuMemcpyHtoDAsync_v2(device_pointer to, const void *from, size_t n, void *stream) {
  DRIVER(copy_linear(stream, pointer(to), from, n, COPY_HOST_DEVICE));
}
API int cuMemcpyDtoHAsync_v2(void *to, device_pointer from, size_t n, void *stream) {
  DRIVER(copy_linear(stream, to, pointer(from), n, COPY_DEVICE_HOST));
}
API int cuMemcpyDtoDAsync_v2(device_pointer to, device_pointer from, size_t n, void *stream) {
  DRIVER(copy_linear(stream, pointer(to), pointer(from), n, COPY_DEVICE_DEVICE));
}
API int cuMemcpyAsync(device_pointer to, device_pointer from, size_t n, void *stream) {
  DRIVER(copy_linear(stream, pointer(to), pointer(from), n, COPY_DEFAULT));
}

struct side {
  size_t x, y;
  int type; /* 1 host, 2 device, 3 array, 4 either */
  void *host;
  device_pointer device;
  void *array;
  size_t pitch;
};
struct copy2d {
  struct side src, dst;
  size_t width, height;
};
static void *place(const struct side *s) {
  uint8_t *base = s->type == 1 ? s->host : pointer(s->device);
  return base ? base + s->y * s->pitch + s->x : NULL;
}
static struct array_side side_of(const struct side *s, size_t width) {
  if (s->type == 3)
    return (struct array_side){.array = array_find(s->array), .x = s->x, .y = s->y};
  return (struct array_side){.ptr = place(s), .pitch = s->pitch ? s->pitch : width};
}
static int copy_2d(void *stream, const struct copy2d *p) {
  if (!p || p->src.type < 1 || p->src.type > 4 || p->dst.type < 1 || p->dst.type > 4)
    return CU_INVALID_VALUE;
  if (p->src.type == 3 || p->dst.type == 3) {
    struct array_side to = side_of(&p->dst, p->width), from = side_of(&p->src, p->width);
    return (p->src.type == 3 && !from.array) || (p->dst.type == 3 && !to.array)
               ? CU_INVALID_VALUE
               : array_copy(stream, &to, &from, p->width, p->height, 1);
  }
  struct copy c = {.dst = place(&p->dst),
                   .src = place(&p->src),
                   .dst_pitch = p->dst.pitch ? p->dst.pitch : p->width,
                   .src_pitch = p->src.pitch ? p->src.pitch : p->width,
                   .width = p->width,
                   .height = p->height,
                   .depth = 1,
                   .kind = COPY_DEFAULT};
  return copy_submit(stream, &c);
}
API int cuMemcpy2D_v2(const struct copy2d *p) {
  DRIVER(copy_2d(NULL, p));
}
API int cuMemcpy2DUnaligned_v2(const struct copy2d *p) {
  DRIVER(copy_2d(NULL, p));
}
API int cuMemcpy2DAsync_v2(const struct copy2d *p, void *stream) {
  DRIVER(copy_2d(stream, p));
}

static int fill(void *stream, device_pointer to, unsigned value, unsigned element, size_t pitch, size_t width,
                size_t height) {
  struct fill f = {.dst = pointer(to),
                   .pitch = pitch,
                   .value = value,
                   .element = element,
                   .width = width,
                   .height = height,
                   .depth = 1};
  return fill_submit(stream, &f);
}
API int cuMemsetD8_v2(device_pointer to, unsigned char value, size_t n) {
  DRIVER(fill(NULL, to, value, 1, 0, n, 1));
}
API int cuMemsetD16_v2(device_pointer to, unsigned short value, size_t n) {
  DRIVER(fill(NULL, to, value, 2, 0, n, 1));
}
API int cuMemsetD32_v2(device_pointer to, unsigned value, size_t n) {
  DRIVER(fill(NULL, to, value, 4, 0, n, 1));
}
API int cuMemsetD8Async(device_pointer to, unsigned char value, size_t n, void *stream) {
  DRIVER(fill(stream, to, value, 1, 0, n, 1));
}
API int cuMemsetD16Async(device_pointer to, unsigned short value, size_t n, void *stream) {
  DRIVER(fill(stream, to, value, 2, 0, n, 1));
}
API int cuMemsetD32Async(device_pointer to, unsigned value, size_t n, void *stream) {
  DRIVER(fill(stream, to, value, 4, 0, n, 1));
}
API int cuMemsetD2D8_v2(device_pointer to, size_t pitch, unsigned char value, size_t width, size_t height) {
  DRIVER(fill(NULL, to, value, 1, pitch, width, height));
}
API int cuMemsetD2D32_v2(device_pointer to, size_t pitch, unsigned value, size_t width, size_t height) {
  DRIVER(fill(NULL, to, value, 4, pitch, width, height));
}

/* ---- streams and events ---- */

int cudaStreamCreateWithPriority(void **to, unsigned flags, int priority);
int cudaStreamDestroy(void *stream), cudaStreamSynchronize(void *stream), cudaStreamQuery(void *stream);
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags);
int cudaStreamAddCallback(void *stream, void (*fn)(void *, int, void *), void *data, unsigned flags);
int cudaLaunchHostFunc(void *stream, void (*fn)(void *), void *data);
int cudaEventCreateWithFlags(void **to, unsigned flags), cudaEventDestroy(void *e), cudaEventQuery(void *e);
int cudaEventSynchronize(void *e), cudaEventRecord(void *e, void *stream);
int cudaEventElapsedTime(float *ms, void *a, void *b);

API int cuStreamCreate(void **to, unsigned flags) {
  return cudaStreamCreateWithPriority(to, flags, 0);
}
API int cuStreamCreateWithPriority(void **to, unsigned flags, int priority) {
  return cudaStreamCreateWithPriority(to, flags, priority);
}
API int cuStreamDestroy_v2(void *stream) {
  return cudaStreamDestroy(stream);
}
API int cuStreamSynchronize(void *stream) {
  return cudaStreamSynchronize(stream);
}
API int cuStreamQuery(void *stream) {
  return cudaStreamQuery(stream);
}
API int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  return cudaStreamWaitEvent(stream, event, flags);
}
API int cuStreamAddCallback(void *stream, void (*fn)(void *, int, void *), void *data, unsigned flags) {
  return cudaStreamAddCallback(stream, fn, data, flags);
}
API int cuLaunchHostFunc(void *stream, void (*fn)(void *), void *data) {
  return cudaLaunchHostFunc(stream, fn, data);
}
API int cuEventCreate(void **to, unsigned flags) {
  return cudaEventCreateWithFlags(to, flags);
}
API int cuEventDestroy_v2(void *event) {
  return cudaEventDestroy(event);
}
API int cuEventRecord(void *event, void *stream) {
  return cudaEventRecord(event, stream);
}
API int cuEventQuery(void *event) {
  return cudaEventQuery(event);
}
API int cuEventSynchronize(void *event) {
  return cudaEventSynchronize(event);
}
API int cuEventElapsedTime(float *ms, void *start, void *end) {
  return cudaEventElapsedTime(ms, start, end);
}
ALIAS(cuEventElapsedTime_v2, cuEventElapsedTime);

/* Streams of each thread, which are in order with all others. */
ALIAS(cuMemcpy_ptds, cuMemcpy);
ALIAS(cuMemcpyHtoD_v2_ptds, cuMemcpyHtoD_v2);
ALIAS(cuMemcpyDtoH_v2_ptds, cuMemcpyDtoH_v2);
ALIAS(cuMemcpyDtoD_v2_ptds, cuMemcpyDtoD_v2);
ALIAS(cuMemcpy2D_v2_ptds, cuMemcpy2D_v2);
ALIAS(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2DUnaligned_v2);
ALIAS(cuMemsetD8_v2_ptds, cuMemsetD8_v2);
ALIAS(cuMemsetD16_v2_ptds, cuMemsetD16_v2);
ALIAS(cuMemsetD32_v2_ptds, cuMemsetD32_v2);
ALIAS(cuMemsetD2D8_v2_ptds, cuMemsetD2D8_v2);
ALIAS(cuMemsetD2D32_v2_ptds, cuMemsetD2D32_v2);
ALIAS(cuMemcpyAsync_ptsz, cuMemcpyAsync);
ALIAS(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync_v2);
ALIAS(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync_v2);
ALIAS(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync_v2);
ALIAS(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync_v2);
ALIAS(cuMemsetD8Async_ptsz, cuMemsetD8Async);
ALIAS(cuMemsetD16Async_ptsz, cuMemsetD16Async);
ALIAS(cuMemsetD32Async_ptsz, cuMemsetD32Async);
ALIAS(cuMemAllocAsync_ptsz, cuMemAllocAsync);
ALIAS(cuMemFreeAsync_ptsz, cuMemFreeAsync);
ALIAS(cuStreamSynchronize_ptsz, cuStreamSynchronize);
ALIAS(cuStreamQuery_ptsz, cuStreamQuery);
ALIAS(cuStreamWaitEvent_ptsz, cuStreamWaitEvent);
ALIAS(cuStreamAddCallback_ptsz, cuStreamAddCallback);
ALIAS(cuLaunchHostFunc_ptsz, cuLaunchHostFunc);
ALIAS(cuEventRecord_ptsz, cuEventRecord);
