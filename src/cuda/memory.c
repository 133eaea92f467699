/* Memory that programs ask for: on the device, pinned, mapped, managed.
 *
 * Pinned and managed memory is the host's own at the device's address, so that one pointer serves both sides and
 * what one wrote the other reads as soon as the operation ran. */
#include "cuda/cuda.h"
#include <stdio.h>

static size_t upper(uint64_t address) {
  const struct cuda_lists *l = cuda_lists();
  size_t lo = 0, n = l->nallocations;
  while (n) {
    size_t half = n / 2;
    if (l->allocations[lo + half]->address <= address) {
      lo += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return lo;
}

struct allocation *memory_find(uint64_t address) {
  size_t i = upper(address);
  struct allocation *a = i ? cuda_lists()->allocations[i - 1] : NULL;
  return a && address - a->address < a->size ? a : NULL;
}

int memory_add(enum allocation_kind kind, uint64_t address, size_t bytes, unsigned flags) {
  struct cuda_lists *l = cuda_lists();
  struct allocation *a = xcalloc(1, sizeof *a);
  *a = (struct allocation){.kind = kind, .address = address, .size = bytes, .flags = flags};
  size_t i = upper(address);
  (void)VEC_PUSH(l->allocations, l->nallocations, l->cap_allocations);
  memmove(&l->allocations[i + 1], &l->allocations[i], (l->nallocations - 1 - i) * sizeof *l->allocations);
  l->allocations[i] = a;
  return CU_SUCCESS;
}

int memory_alloc(enum allocation_kind kind, size_t bytes, unsigned flags, uint64_t *address) {
  *address = 0;
  if (!bytes)
    return CU_SUCCESS;
  *address = kind == ALLOC_DEVICE ? sim_alloc(cuda_sim(), bytes, NULL) : sim_alloc_unified(cuda_sim(), bytes);
  return *address ? memory_add(kind, *address, bytes, flags) : CU_MEMORY_ALLOCATION;
}

int memory_free(uint64_t address, unsigned kinds, int otherwise) {
  struct cuda_lists *l = cuda_lists();
  if (!address)
    return CU_SUCCESS;
  struct allocation *a = memory_find(address);
  if (!a || a->address != address || !(kinds >> a->kind & 1))
    return otherwise;
  if (a->graph) { /* its memory stays for the next launch */
    bool was = a->idle;
    a->idle = true;
    return was ? otherwise : CU_SUCCESS;
  }
  size_t i = upper(address) - 1;
  sim_free(cuda_sim(), address);
  memmove(&l->allocations[i], &l->allocations[i + 1], (l->nallocations - i - 1) * sizeof *l->allocations);
  l->nallocations--;
  free(a);
  return CU_SUCCESS;
}

void memory_free_all(void) {
  struct cuda_lists *l = cuda_lists();
  for (size_t i = 0; i < l->nallocations; i++) {
    sim_free(cuda_sim(), l->allocations[i]->address);
    free(l->allocations[i]);
  }
  l->nallocations = 0;
}

uint8_t *memory_bytes(const void *p, size_t n, bool *device) {
  uint64_t address = (uint64_t)(uintptr_t)p;
  const struct devbuf *b = sim_find(cuda_sim(), address);
  *device = b != NULL;
  if (!b)
    return (uint8_t *)(uintptr_t)p;
  return n <= b->size - (address - b->addr) ? b->host + (address - b->addr) : NULL;
}

/* ---- the runtime's functions ---- */

static int alloc_to(void **to, enum allocation_kind kind, size_t bytes, unsigned flags) {
  if (!to)
    return CU_INVALID_VALUE;
  uint64_t at;
  int e = memory_alloc(kind, bytes, flags, &at);
  *to = (void *)(uintptr_t)at;
  return e;
}

API int cudaMalloc(void **to, size_t bytes) {
  RUNTIME(alloc_to(to, ALLOC_DEVICE, bytes, 0));
}
API int cudaFree(void *p) {
  RUNTIME(memory_free((uint64_t)(uintptr_t)p, 1u << ALLOC_DEVICE | 1u << ALLOC_MANAGED, CU_INVALID_VALUE));
}

/* What is allocated in the order of a stream is there at once, since operations do not wait. */
static int alloc_async(void **to, size_t bytes, void *stream) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  uint64_t at = 0;
  if (!s || !to)
    return s ? CU_INVALID_VALUE : e;
  if (!s->capture)
    return alloc_to(to, ALLOC_DEVICE, bytes, 0);
  e = graph_keep_alloc(s, bytes, &at);
  *to = (void *)(uintptr_t)at;
  return e;
}
API int cudaMallocAsync(void **to, size_t bytes, void *stream) {
  RUNTIME(alloc_async(to, bytes, stream));
}
API int cudaMallocFromPoolAsync(void **to, size_t bytes, void *pool, void *stream) {
  RUNTIME(!pool ? CU_INVALID_VALUE : alloc_async(to, bytes, stream));
}
static int free_async(void *p, void *stream) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (!s)
    return e;
  return s->capture ? graph_keep_free(s, (uint64_t)(uintptr_t)p)
                    : memory_free((uint64_t)(uintptr_t)p, 1u << ALLOC_DEVICE | 1u << ALLOC_MANAGED,
                                  CU_INVALID_VALUE);
}
API int cudaFreeAsync(void *p, void *stream) {
  RUNTIME(free_async(p, stream));
}
ALIAS(cudaMallocAsync_ptsz, cudaMallocAsync);
ALIAS(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);
ALIAS(cudaFreeAsync_ptsz, cudaFreeAsync);

API int cudaMallocHost(void **to, size_t bytes) {
  RUNTIME(alloc_to(to, ALLOC_HOST, bytes, 0));
}
enum { HOST_ALLOC_KNOWN = 7, MANAGED_GLOBAL = 1, MANAGED_HOST = 2 };
API int cudaHostAlloc(void **to, size_t bytes, unsigned flags) {
  RUNTIME(flags & ~(unsigned)HOST_ALLOC_KNOWN ? CU_INVALID_VALUE : alloc_to(to, ALLOC_HOST, bytes, flags));
}
API int cudaFreeHost(void *p) {
  RUNTIME(memory_free((uint64_t)(uintptr_t)p, 1u << ALLOC_HOST, CU_INVALID_VALUE));
}
API int cudaMallocManaged(void **to, size_t bytes, unsigned flags) {
  if (!bytes || (flags != MANAGED_GLOBAL && flags != MANAGED_HOST))
    return cuda_last(CU_INVALID_VALUE);
  RUNTIME(alloc_to(to, ALLOC_MANAGED, bytes, flags));
}

static int host_register(void *p, size_t bytes, unsigned flags) {
  uint64_t at = (uint64_t)(uintptr_t)p;
  if (!p || !bytes)
    return CU_INVALID_VALUE;
  if (!sim_adopt(cuda_sim(), at, bytes, p))
    return CU_HOST_MEMORY_ALREADY_REGISTERED;
  return memory_add(ALLOC_REGISTERED, at, bytes, flags);
}
API int cudaHostRegister(void *p, size_t bytes, unsigned flags) {
  RUNTIME(host_register(p, bytes, flags));
}
API int cudaHostUnregister(void *p) {
  RUNTIME(!p ? CU_INVALID_VALUE
             : memory_free((uint64_t)(uintptr_t)p, 1u << ALLOC_REGISTERED, CU_HOST_MEMORY_NOT_REGISTERED));
}

static int host_device_pointer(void **to, void *p, unsigned flags) {
  const struct allocation *a = memory_find((uint64_t)(uintptr_t)p);
  if (!to || flags || !a || (a->kind != ALLOC_HOST && a->kind != ALLOC_REGISTERED))
    return CU_INVALID_VALUE;
  *to = p;
  return CU_SUCCESS;
}
API int cudaHostGetDevicePointer(void **to, void *p, unsigned flags) {
  RUNTIME(host_device_pointer(to, p, flags));
}
static int host_flags(unsigned *to, const void *p) {
  const struct allocation *a = memory_find((uint64_t)(uintptr_t)p);
  if (!to || !a || (a->kind != ALLOC_HOST && a->kind != ALLOC_REGISTERED))
    return CU_INVALID_VALUE;
  *to = a->flags | 2; /* cudaHostAllocMapped: all of it is */
  return CU_SUCCESS;
}
API int cudaHostGetFlags(unsigned *to, void *p) {
  RUNTIME(host_flags(to, p));
}

enum { PITCH = 512 };
static int alloc_pitched(struct cuda_pitched *to, size_t width, size_t height, size_t depth) {
  size_t pitch = (width + PITCH - 1) / PITCH * PITCH, rows, bytes;
  if (width > SIZE_MAX / 2 || __builtin_mul_overflow(height, depth, &rows) ||
      __builtin_mul_overflow(pitch, rows, &bytes))
    return CU_MEMORY_ALLOCATION;
  uint64_t at;
  int e = memory_alloc(ALLOC_DEVICE, bytes, 0, &at);
  *to = (struct cuda_pitched){.ptr = (void *)(uintptr_t)at, .pitch = pitch, .xsize = width, .ysize = height};
  return e;
}
static int alloc_2d(void **to, size_t *pitch, size_t width, size_t height) {
  struct cuda_pitched p = {0};
  if (!to || !pitch)
    return CU_INVALID_VALUE;
  int e = alloc_pitched(&p, width, height, 1);
  *to = p.ptr;
  *pitch = p.pitch;
  return e;
}
API int cudaMallocPitch(void **to, size_t *pitch, size_t width, size_t height) {
  RUNTIME(alloc_2d(to, pitch, width, height));
}
API int cudaMalloc3D(struct cuda_pitched *to, struct cuda_extent e) {
  RUNTIME(!to ? CU_INVALID_VALUE : alloc_pitched(to, e.width, e.height, e.depth));
}

static int mem_info(size_t *unused, size_t *total) {
  if (!unused || !total)
    return CU_INVALID_VALUE;
  uint64_t all = sim_memory_bytes(cuda_sim()), used = sim_used_bytes(cuda_sim());
  *total = (size_t)all;
  *unused = (size_t)(used < all ? all - used : 0);
  return CU_SUCCESS;
}
API int cudaMemGetInfo(size_t *unused, size_t *total) {
  RUNTIME(mem_info(unused, total));
}

static int pointer_attributes(struct cuda_pointer_attributes *to, const void *p) {
  if (!to)
    return CU_INVALID_VALUE;
  static const int types[] = {
      [ALLOC_DEVICE] = 2, [ALLOC_MANAGED] = 3, [ALLOC_HOST] = 1, [ALLOC_REGISTERED] = 1, [ALLOC_MAPPED] = 2};
  const struct allocation *a = memory_find((uint64_t)(uintptr_t)p);
  bool variable = !a && sim_find(cuda_sim(), (uint64_t)(uintptr_t)p); /* of a module */
  int type = a ? types[a->kind] : variable ? 2 : 0;
  *to = (struct cuda_pointer_attributes){.type = type, .device = type ? 0 : -2};
  if (type)
    to->device_pointer = (void *)(uintptr_t)p;
  if (type == 1 || type == 3 || !type)
    to->host_pointer = (void *)(uintptr_t)p;
  return CU_SUCCESS;
}
API int cudaPointerGetAttributes(struct cuda_pointer_attributes *to, const void *p) {
  RUNTIME(pointer_attributes(to, p));
}

/* Where managed memory lies changes nothing here: advice is checked and taken note of by nobody. */
static int managed_range(const void *p, size_t bytes, int device) {
  const struct allocation *a = memory_find((uint64_t)(uintptr_t)p);
  if (!a || !bytes || bytes > a->size - ((uint64_t)(uintptr_t)p - a->address))
    return CU_INVALID_VALUE;
  return device > 0 ? CU_INVALID_DEVICE : CU_SUCCESS;
}
int prefetch_11(const void *p, size_t bytes, int device, void *stream);
int prefetch_11(const void *p, size_t bytes, int device, void *stream) {
  (void)stream;
  RUNTIME(managed_range(p, bytes, device));
}
int prefetch_13(const void *p, size_t bytes, struct cuda_location to, unsigned flags, void *stream);
int prefetch_13(const void *p, size_t bytes, struct cuda_location to, unsigned flags, void *stream) {
  (void)stream;
  RUNTIME(flags ? CU_INVALID_VALUE : managed_range(p, bytes, to.type == 1 ? to.id : 0));
}
int advise_11(const void *p, size_t bytes, int advice, int device);
int advise_11(const void *p, size_t bytes, int advice, int device) {
  RUNTIME(advice < 1 || advice > 6 ? CU_INVALID_VALUE : managed_range(p, bytes, device));
}
int advise_13(const void *p, size_t bytes, int advice, struct cuda_location to);
int advise_13(const void *p, size_t bytes, int advice, struct cuda_location to) {
  RUNTIME(advice < 1 || advice > 6 ? CU_INVALID_VALUE : managed_range(p, bytes, to.type == 1 ? to.id : 0));
}
API int cudaStreamAttachMemAsync(void *stream, void *p, size_t bytes, unsigned flags) {
  (void)stream, (void)bytes, (void)flags;
  RUNTIME(memory_find((uint64_t)(uintptr_t)p) ? CU_SUCCESS : CU_INVALID_VALUE);
}
ALIAS(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);

VERSIONED(prefetch_11, cudaMemPrefetchAsync, of11, CUDART_11);
VERSIONED(prefetch_11, cudaMemPrefetchAsync, of12, CUDART_12);
VERSIONED(prefetch_13, cudaMemPrefetchAsync, of13, CUDART_13);
VERSIONED(advise_11, cudaMemAdvise, of11, CUDART_11);
VERSIONED(advise_11, cudaMemAdvise, of12, CUDART_12);
VERSIONED(advise_13, cudaMemAdvise, of13, CUDART_13);
ALIAS(cudaMemPrefetchAsync_v2, prefetch_13);
ALIAS(cudaMemAdvise_v2, advise_13);
