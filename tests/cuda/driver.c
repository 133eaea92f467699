/* Rules of CUDA's driver API: contexts, modules from PTX and fat binaries, launches, memory by parts, linking. */
#include "own.h"

typedef uint64_t pointer;
int cuInit(unsigned flags), cuDeviceGet(int *d, int n), cuDeviceGetCount(int *n),
    cuCtxCreate_v2(void **c, unsigned f, int d);
int cuCtxDestroy_v2(void *c), cuCtxPopCurrent_v2(void **c), cuCtxPushCurrent_v2(void *c),
    cuCtxSynchronize(void);
int cuModuleLoadData(void **m, const void *data), cuModuleUnload(void *m),
    cuModuleGetFunction(void **f, void *m, const char *n);
int cuModuleGetGlobal_v2(pointer *p, size_t *n, void *m, const char *name),
    cuMemAlloc_v2(pointer *p, size_t n), cuMemFree_v2(pointer p);
int cuMemcpyDtoH_v2(void *to, pointer from, size_t n),
    cuMemcpyHtoD_v2(pointer to, const void *from, size_t n);
int cuMemsetD32_v2(pointer to, unsigned value, size_t n);
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **extra);
int cuLinkCreate_v2(unsigned n, int *o, void **v, void **l), cuLinkComplete(void *l, void **to, size_t *n),
    cuLinkDestroy(void *l);
int cuLinkAddData_v2(void *l, int type, void *data, size_t bytes, const char *name, unsigned n, int *o,
                     void **v);
int cuMemAddressReserve(pointer *p, size_t n, size_t align, pointer wish, uint64_t flags),
    cuMemAddressFree(pointer p, size_t n);
int cuMemCreate(uint64_t *h, size_t n, const void *wanted, uint64_t flags), cuMemRelease(uint64_t h);
int cuMemMap(pointer p, size_t n, size_t offset, uint64_t h, uint64_t flags), cuMemUnmap(pointer p, size_t n);
int cuMemSetAccess(pointer p, size_t n, const void *access, size_t count),
    cuGetErrorName(int e, const char **to);

static char add_ptx[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .global .align 4 .u32 last;\n"
    ".visible .entry add(.param .u64 p, .param .u32 v) { .reg .b64 %d<3>; .reg .b32 %r<4>;\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [v]; mov.u32 %r2, %tid.x; mul.wide.u32 %d2, %r2, 4;\n"
    "add.s64 %d1, %d1, %d2; ld.global.u32 %r3, [%d1]; add.s32 %r1, %r1, %r3;\n"
    "st.global.u32 [%d1], %r1; st.global.u32 [last], %r1; ret; }\n";
static char other_ptx[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n.extern .global .align 4 .u32 last;\n"
    ".visible .entry get(.param .u64 p) { .reg .b64 %d<3>; .reg .b32 %r<4>;\n"
    "ld.param.u64 %d1, [p]; ld.global.u32 %r1, [last]; st.global.u32 [%d1], %r1; ret; }\n";
static void *context;

static void nothing_works_before_it_is_initialised(void) {
  int d = 7;
  pointer p;
  SAME(cuDeviceGet(&d, 0), 3);
  SAME(cuInit(0), 0);
  SAME(cuDeviceGet(&d, 1), 101);
  SAME(cuDeviceGet(&d, 0), 0);
  SAME(d, 0);
  SAME(cuMemAlloc_v2(&p, 4), 201); /* no context */
  SAME(cuCtxCreate_v2(&context, 0, 0), 0);
}

static void contexts_are_a_stack(void) {
  void *c = NULL;
  pointer p;
  SAME(cuCtxPopCurrent_v2(&c), 0);
  CHECK(c == context);
  SAME(cuCtxPopCurrent_v2(&c), 201);
  SAME(cuMemAlloc_v2(&p, 4), 201);
  SAME(cuCtxPushCurrent_v2(context), 0);
  SAME(cuCtxPushCurrent_v2(&p), 201);
}

static void try_module(const void *data) {
  void *m, *f;
  pointer p, last;
  unsigned v = 5, host[32];
  size_t n;
  SAME(cuModuleLoadData(&m, data), 0);
  SAME(cuModuleGetFunction(&f, m, "sub"), 500);
  SAME(cuModuleGetFunction(&f, m, "add"), 0);
  SAME(cuMemAlloc_v2(&p, sizeof host), 0);
  SAME(cuMemsetD32_v2(p, 100, 32), 0);
  void *params[] = {&p, &v};
  SAME(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL), 0);
  struct {
    pointer p;
    unsigned v;
  } packed = {p, 20};
  size_t bytes = 12;
  void *extra[] = {(void *)(uintptr_t)1, &packed, (void *)(uintptr_t)2, &bytes, NULL};
  SAME(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra), 0);
  SAME(cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, NULL, params, NULL), 1);
  SAME(cuCtxSynchronize(), 0);
  SAME(cuMemcpyDtoH_v2(host, p, sizeof host), 0);
  SAME(host[0], 125);
  SAME(host[31], 125);
  SAME(cuModuleGetGlobal_v2(&last, &n, m, "last"), 0);
  SAME(n, 4);
  SAME(cuMemcpyDtoH_v2(host, last, 4), 0);
  SAME(host[0], 125);
  SAME(cuMemFree_v2(p), 0);
  SAME(cuMemFree_v2(p), 1);
  SAME(cuModuleUnload(m), 0);
  SAME(cuModuleUnload(m), 400);
}
static void modules_come_from_ptx_and_fat_binaries(void) {
  try_module(add_ptx);
  try_module(fat_binary(add_ptx, ZSTD, 50, false));
  void *m;
  SAME(cuModuleLoadData(&m, ".version 6.0\n.target sm_50\n.address_size 64\nnonsense"), 218);
}

static void ptx_is_linked(void) {
  void *l, *text, *m, *add, *get;
  size_t n;
  pointer p;
  unsigned v = 3, host[32] = {1};
  SAME(cuLinkCreate_v2(0, NULL, NULL, &l), 0);
  SAME(cuLinkAddData_v2(l, 1, add_ptx, sizeof add_ptx, "a", 0, NULL, NULL), 0);
  SAME(cuLinkAddData_v2(l, 1, other_ptx, sizeof other_ptx, "b", 0, NULL, NULL), 0);
  SAME(cuLinkComplete(l, &text, &n), 0);
  SAME(cuModuleLoadData(&m, text), 0);
  SAME(cuLinkDestroy(l), 0);
  SAME(cuModuleGetFunction(&add, m, "add"), 0);
  SAME(cuModuleGetFunction(&get, m, "get"), 0);
  SAME(cuMemAlloc_v2(&p, 128), 0);
  SAME(cuMemcpyHtoD_v2(p, host, 4), 0);
  void *params[] = {&p, &v};
  SAME(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL), 0);
  p += 64;
  SAME(cuLaunchKernel(get, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL), 0);
  SAME(cuMemcpyDtoH_v2(host, p, 4), 0);
  SAME(host[0], 4);
  SAME(cuMemFree_v2(p - 64), 0);
  SAME(cuModuleUnload(m), 0);
}

static void parts_are_mapped_side_by_side(void) {
  enum { GRANULE = 2 << 20 };
  pointer p;
  uint64_t h[2];
  unsigned v = 1, host;
  void *m, *f, *params[] = {&p, &v};
  SAME(cuMemAddressReserve(&p, 2 * GRANULE, 0, 0, 0), 0);
  for (int i = 0; i < 2; i++) {
    SAME(cuMemCreate(&h[i], GRANULE, &v, 0), 0);
    SAME(cuMemMap(p + (unsigned)i * GRANULE, GRANULE, 0, h[i], 0), 0);
    SAME(cuMemRelease(h[i]), 0);
  }
  SAME(cuMemSetAccess(p, 2 * GRANULE, &v, 1), 0);
  SAME(cuModuleLoadData(&m, add_ptx), 0);
  SAME(cuModuleGetFunction(&f, m, "add"), 0);
  p += GRANULE - 64; /* 16 threads in the first part, 16 in the second */
  SAME(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL), 0);
  SAME(cuMemcpyDtoH_v2(&host, p + 124, 4), 0);
  SAME(host, 1);
  p -= GRANULE - 64;
  SAME(cuMemUnmap(p, 2 * GRANULE), 0);
  SAME(cuMemcpyDtoH_v2(&host, p, 4), 1);
  SAME(cuMemAddressFree(p, 2 * GRANULE), 0);
  SAME(cuModuleUnload(m), 0);
}

static void errors_have_names(void) {
  const char *name;
  SAME(cuGetErrorName(201, &name), 0);
  CHECK(strcmp(name, "CUDA_ERROR_INVALID_CONTEXT") == 0);
  SAME(cuGetErrorName(12345, &name), 1);
  SAME(cuCtxDestroy_v2(context), 0);
}

int main(void) {
  RULE(nothing_works_before_it_is_initialised);
  RULE(contexts_are_a_stack);
  RULE(modules_come_from_ptx_and_fat_binaries);
  RULE(ptx_is_linked);
  RULE(parts_are_mapped_side_by_side);
  RULE(errors_have_names);
  return failures ? 1 : 0;
}
