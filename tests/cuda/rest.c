/* Functions that programs call seldom, each with what the documentation says of it; names whose arguments changed
 * between versions of CUDA; what is not there. */
#include "own.h"
#include <dlfcn.h>

typedef uint64_t pointer;
typedef struct {
  int x, y, z, w, kind;
} format;
typedef struct {
  void *dst;
  size_t pitch;
  unsigned value, element;
  size_t width, height;
} memset_params;
typedef struct {
  uint64_t pool[11];
  const void *access;
  size_t naccess, bytes;
  void *address;
} alloc_params;
typedef struct {
  int type, id;
} location;

int cudaThreadSynchronize(void), cudaThreadExit(void), cudaProfilerStart(void), cudaProfilerStop(void);
int cudaMemsetAsync(void *p, int value, size_t n, void *stream), cudaDriverGetVersion(int *to);
int cudaDeviceCanAccessPeer(int *to, int device, int peer),
    cudaDeviceEnablePeerAccess(int peer, unsigned flags);
int cudaDeviceDisablePeerAccess(int peer), cudaStreamGetFlags(void *stream, unsigned *to);
int cudaStreamCreateWithFlags(void **s, unsigned flags), cudaDeviceSetCacheConfig(int config);
int cudaDeviceGetDefaultMemPool(void **to, int device),
    cudaMemPoolSetAttribute(void *pool, int which, void *from);
int cudaMemPoolGetAttribute(void *pool, int which, void *to);
int cudaMemPoolSetAccess(void *pool, const void *access, size_t n);
int cudaMallocAsync(void **to, size_t n, void *s), cudaFreeAsync(void *p, void *s);
int cudaStreamAttachMemAsync(void *stream, void *p, size_t bytes, unsigned flags);
int cudaMemcpy2DAsync(void *dst, size_t dp, const void *src, size_t sp, size_t w, size_t h, int kind,
                      void *s);
format cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
int cudaGetChannelDesc(format *to, const void *array);
int cudaMallocArray(void **to, const format *f, size_t width, size_t height, unsigned flags);
int cudaFreeArray(void *array);
int cudaMemcpy2DToArrayAsync(void *array, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                             size_t height, int kind, void *stream);
int cudaMemcpy2DFromArray(void *dst, size_t pitch, const void *array, size_t x, size_t y, size_t width,
                          size_t height, int kind);
int cudaMemcpy2DArrayToArray(void *to, size_t tx, size_t ty, const void *from, size_t fx, size_t fy,
                             size_t width, size_t height, int kind);
int cudaGraphCreate(void **g, unsigned flags);
int cudaGraphAddMemcpyNode(void **to, void *g, void *const *after, size_t n, const copy3d *p);
int cudaGraphAddMemsetNode(void **to, void *g, void *const *after, size_t n, const memset_params *p);
int cudaGraphAddMemAllocNode(void **to, void *g, void *const *after, size_t n, alloc_params *p);
int cudaGraphAddMemFreeNode(void **to, void *g, void *const *after, size_t n, void *p);
int cudaGraphClone(void **to, void *g), cudaGraphDestroyNode(void *node);
int cudaMemPrefetchAsync(const void *p, size_t n, location to, unsigned flags, void *stream);
int cudaMemAdvise(const void *p, size_t n, int advice, location to);
int cudaEventQuery(void *e), cudaStreamQuery(void *s);
int cuInit(unsigned flags), cuDeviceGetName(char *to, int n, int d), cuDriverGetVersion(int *to);
int cuDeviceGetUuid(char *to, int d), cuDeviceCanAccessPeer(int *to, int d, int p),
    cuDeviceTotalMem_v2(size_t *n, int d);
int cuDeviceComputeCapability(int *major, int *minor, int d), cuGetErrorString(int e, const char **to);
int cuCtxCreate_v2(void **c, unsigned f, int d), cuCtxDestroy_v2(void *c), cuCtxGetDevice(int *d);
int cuStreamCreate(void **s, unsigned flags), cuStreamDestroy_v2(void *s);
int cuLinkCreate_v2(unsigned n, int *o, void **v, void **l), cuLinkDestroy(void *l),
    cuLinkComplete(void *l, void **to, size_t *n);
int cuLinkAddFile_v2(void *l, int type, const char *path, unsigned n, int *o, void **v);
int cuGetProcAddress_v2(const char *symbol, void **to, int version, uint64_t flags, int *status);
int cuMemExportToShareableHandle(void), cuTensorMapEncodeTiled(void);
int cudaGetDriverEntryPoint(const char *symbol, void **to, unsigned long long flags, int *status);

static void old_names_wait_and_reset(void) {
  void *p;
  SAME(cudaThreadSynchronize(), 0);
  SAME(cudaMalloc(&p, 4), 0);
  SAME(cudaThreadExit(), 0);
  SAME(cudaFree(p), 1); /* went with the reset */
  SAME(cudaGetLastError(), 1);
}
static void the_profiler_does_nothing(void) {
  SAME(cudaProfilerStart(), 0);
  SAME(cudaProfilerStop(), 0);
}
static void one_device_has_no_peers(void) {
  int can = 7;
  SAME(cudaDeviceCanAccessPeer(&can, 0, 0), 0);
  SAME(can, 0);
  SAME(cudaDeviceCanAccessPeer(&can, 0, 1), 101);
  SAME(cudaDeviceEnablePeerAccess(1, 0), 101);
  SAME(cudaDeviceEnablePeerAccess(1, 1), 1);
  SAME(cudaDeviceDisablePeerAccess(0), 705);
  SAME(cudaDeviceDisablePeerAccess(1), 101);
  cudaGetLastError();
}
static void streams_have_flags_and_are_ready(void) {
  void *s, *e;
  unsigned flags = 7;
  uint32_t *p, v = 0;
  SAME(cudaStreamCreateWithFlags(&s, 1), 0);
  SAME(cudaStreamGetFlags(s, &flags), 0);
  SAME(flags, 1);
  SAME(cudaStreamCreateWithFlags(&s, 2), 1);
  SAME(cudaMalloc((void **)&p, 16), 0);
  SAME(cudaMemsetAsync(p, 0x55, 16, s), 0);
  SAME(cudaEventCreate(&e), 0);
  SAME(cudaEventRecord(e, s), 0);
  SAME(cudaEventQuery(e), 0);
  SAME(cudaStreamQuery(s), 0);
  SAME(cudaMemcpy2DAsync(&v, 4, p, 8, 4, 1, D2H, s), 0);
  SAME(v, 0x55555555);
  SAME(cudaStreamDestroy(s), 0);
  SAME(cudaStreamQuery(s), 400);
  SAME(cudaFree(p), 0);
  cudaGetLastError();
}
static void pools_keep_their_settings(void) {
  void *pool, *p;
  uint64_t threshold = 12345, got = 0;
  SAME(cudaDeviceGetDefaultMemPool(&pool, 0), 0);
  SAME(cudaDeviceGetDefaultMemPool(&p, 1), 101);
  SAME(cudaMemPoolSetAttribute(pool, 4, &threshold), 0);
  SAME(cudaMemPoolGetAttribute(pool, 4, &got), 0);
  SAME(got, threshold);
  SAME(cudaMemPoolSetAccess(pool, NULL, 0), 0);
  SAME(cudaMemPoolSetAttribute(pool, 99, &threshold), 1);
  SAME(cudaMallocAsync(&p, 100, NULL), 0);
  SAME(cudaFreeAsync(p, NULL), 0);
  SAME(cudaFreeAsync(p, NULL), 1);
  cudaGetLastError();
}
static void managed_memory_takes_advice(void) {
  char *p;
  location device = {1, 0}, none = {1, 3}, host = {2, 0};
  SAME(cudaMallocManaged((void **)&p, 4096, 1), 0);
  SAME(cudaMemPrefetchAsync(p, 4096, device, 0, NULL), 0);
  SAME(cudaMemPrefetchAsync(p, 4096, host, 0, NULL), 0);
  SAME(cudaMemPrefetchAsync(p, 4097, device, 0, NULL), 1);
  SAME(cudaMemPrefetchAsync(p, 4096, none, 0, NULL), 101);
  SAME(cudaMemAdvise(p, 4096, 1, device), 0);
  SAME(cudaMemAdvise(p, 4096, 9, device), 1);
  SAME(cudaStreamAttachMemAsync(NULL, p, 0, 4), 0);
  SAME(cudaStreamAttachMemAsync(NULL, &device, 0, 4), 1);
  SAME(cudaDeviceSetCacheConfig(2), 0);
  SAME(cudaDeviceSetCacheConfig(4), 1);
  SAME(cudaFree(p), 0);
  cudaGetLastError();
}
static void arrays_are_copied_by_rectangles(void) {
  enum { W = 8, H = 4 };
  format f = cudaCreateChannelDesc(32, 0, 0, 0, 1), g = {0};
  void *a, *b;
  uint32_t h[H][W], r[H][W] = {{0}};
  for (unsigned i = 0; i < W * H; i++)
    h[i / W][i % W] = i;
  SAME(cudaMallocArray(&a, &f, W, H, 0), 0);
  SAME(cudaMallocArray(&b, &f, W, H, 0), 0);
  SAME(cudaGetChannelDesc(&g, a), 0);
  CHECK(memcmp(&f, &g, sizeof f) == 0);
  SAME(cudaMemcpy2DToArrayAsync(a, 0, 0, h, W * 4, W * 4, H, H2D, NULL), 0);
  SAME(cudaMemcpy2DArrayToArray(b, 4, 1, a, 8, 2, 12, 2, D2D), 0); /* texels 2 to 4 of rows 2 and 3 */
  SAME(cudaMemcpy2DFromArray(r, W * 4, b, 0, 0, W * 4, H, D2H), 0);
  SAME(r[1][1], h[2][2]);
  SAME(r[2][3], h[3][4]);
  SAME(cudaMemcpy2DToArrayAsync(a, 4, 0, h, W * 4, W * 4, H, H2D, NULL), 1); /* beyond its rows */
  SAME(cudaFreeArray(a), 0);
  SAME(cudaFreeArray(b), 0);
  CHECK(cudaFreeArray(b) != 0);
  cudaGetLastError();
}
static void graphs_allocate_fill_copy_and_free(void) {
  void *g, *x, *node, *last;
  uint32_t out[4] = {0};
  alloc_params a = {.bytes = 16};
  SAME(cudaGraphCreate(&g, 0), 0);
  SAME(cudaGraphAddMemAllocNode(&node, g, NULL, 0, &a), 0);
  memset_params m = {a.address, 0, 9, 4, 4, 1};
  SAME(cudaGraphAddMemsetNode(&last, g, &node, 1, &m), 0);
  copy3d c = {.src = {a.address, 16, 16, 1}, .dst = {out, 16, 16, 1}, .extent = {16, 1, 1}, .kind = D2H};
  SAME(cudaGraphAddMemcpyNode(&node, g, &last, 1, &c), 0);
  SAME(cudaGraphAddMemFreeNode(&last, g, &node, 1, a.address), 0);
  SAME(cudaGraphAddMemFreeNode(&last, g, &node, 1, &g), 1);
  SAME(cudaGraphAddMemsetNode(&last, g, NULL, 1, &m), 1);
  SAME(cudaGraphAddMemsetNode(&last, g, NULL, 0, NULL), 1);
  m.dst = out; /* the host's */
  SAME(cudaGraphAddMemsetNode(&last, g, NULL, 0, &m), 1);
  SAME(cudaGraphInstantiate(&x, g, 0), 0);
  SAME(cudaGraphInstantiate(&last, g, 0), 801); /* one at a time, no copies, nothing taken away */
  SAME(cudaGraphClone(&last, g), 801);
  SAME(cudaGraphDestroyNode(node), 801);
  SAME(cudaGraphLaunch(x, NULL), 0);
  SAME(cudaGraphLaunch(x, NULL), 0); /* it was freed */
  SAME(out[3], 9);
  SAME(cudaGraphExecDestroy(x), 0);
  SAME(cudaGraphDestroy(g), 0);
  CHECK(cudaMemset(a.address, 0, 16) != 0); /* the graph's memory went with it */
  cudaGetLastError();
}
static void the_driver_tells_about_its_device(void) {
  char name[64] = "", uuid[16];
  int version = 0, major = 0, minor = -1, device = 7;
  size_t bytes = 0;
  const char *text = NULL;
  void *c, *s, *l, *out;
  SAME(cuInit(0), 0);
  SAME(cuDriverGetVersion(&version), 0);
  CHECK(version >= 13000);
  SAME(cudaDriverGetVersion(&version), 0);
  SAME(cuDeviceGetName(name, sizeof name, 0), 0);
  CHECK(strncmp(name, "Sluice ", 7) == 0);
  SAME(cuDeviceGetName(name, sizeof name, 1), 101);
  SAME(cuDeviceCanAccessPeer(&device, 0, 0), 0);
  SAME(device, 0);
  SAME(cuDeviceGetUuid(uuid, 0), 0);
  SAME(cuDeviceTotalMem_v2(&bytes, 0), 0);
  CHECK(bytes > 0);
  SAME(cuDeviceComputeCapability(&major, &minor, 0), 0);
  CHECK(major > 0 && minor >= 0);
  SAME(cuGetErrorString(2, &text), 0);
  CHECK(strcmp(text, "out of memory") == 0);
  SAME(cuGetErrorString(-5, &text), 1);
  SAME(cuCtxCreate_v2(&c, 0, 0), 0);
  SAME(cuCtxGetDevice(&device), 0);
  SAME(device, 0);
  SAME(cuStreamCreate(&s, 0), 0);
  SAME(cuStreamDestroy_v2(s), 0);
  SAME(cuLinkCreate_v2(0, NULL, NULL, &l), 0);
  SAME(cuLinkAddFile_v2(l, 1, "/no/such/file.ptx", 0, NULL, NULL), 301);
  SAME(cuLinkAddFile_v2(l, 0, "/no/such/file.cubin", 0, NULL, NULL), 209);
  CHECK(cuLinkComplete(l, &out, NULL) != 0 || out);
  SAME(cuLinkDestroy(l), 0);
  SAME(cuCtxDestroy_v2(c), 0);
}
/* cudaDeviceProp grew at CUDA 12 and again at 13: a program gets what it has room for. */
static void versions_get_their_own_structures(void) {
  static const struct {
    const char *name, *version;
    size_t bytes;
  } of[] = {{"cudaGetDeviceProperties", "libcudart.so.11.0", 728},
            {"cudaGetDeviceProperties", "libcudart.so.12", 728}, /* CUDA 12's header calls _v2 */
            {"cudaGetDeviceProperties_v2", NULL, 1032},
            {"cudaGetDeviceProperties", "libcudart.so.13", 1008}};
  Dl_info self;
  CHECK(dladdr((void *)(uintptr_t)cudaMalloc, &self) != 0);
  void *library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    uint8_t room[2048];
    memset(room, 0xa5, sizeof room);
    void *f = of[i].version ? dlvsym(library, of[i].name, of[i].version) : dlsym(library, of[i].name);
    CHECK(f != NULL);
    int (*get)(void *, int);
    memcpy(&get, &f, sizeof get);
    SAME(f ? get(room, 0) : -1, 0);
    size_t end = sizeof room;
    while (end && room[end - 1] == 0xa5)
      end--;
    SAME(end, of[i].bytes);
  }
  /* every name with another form in some version is there in all of them */
  static const char *const names[] = {
      "cudaGraphInstantiate", "cudaGraphExecUpdate",      "cudaMemAdvise",           "cudaMemPrefetchAsync",
      "cudaGraphGetEdges",    "cudaGraphAddDependencies", "cudaStreamGetCaptureInfo"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (size_t v = 0; v < 4; v += v ? 2 : 1)
      CHECK(dlvsym(library, names[i], of[v == 1 ? 1 : v == 0 ? 0 : 3].version) != NULL);
  /* streams of each thread: nvcc's --default-stream per-thread */
  static const char *const per_thread[] = {
      "cudaMemcpy_ptds",      "cudaMemcpyAsync_ptsz", "cudaLaunchKernel_ptsz", "cudaStreamSynchronize_ptsz",
      "cudaEventRecord_ptsz", "cuMemcpyHtoD_v2_ptds", "cuLaunchKernel_ptsz"};
  for (size_t i = 0; i < sizeof per_thread / sizeof *per_thread; i++)
    CHECK(dlsym(library, per_thread[i]) != NULL);
  if (library)
    dlclose(library);
}
static void functions_are_found_by_name_and_version(void) {
  void *old = NULL, *now = NULL, *p = NULL;
  int status = 7;
  SAME(cuGetProcAddress_v2("cuMemAdvise", &old, 11000, 0, &status), 0);
  SAME(cuGetProcAddress_v2("cuMemAdvise", &now, 13000, 0, &status), 0);
  CHECK(old && now && old != now); /* a device before, a location since 12.2 */
  SAME(cuGetProcAddress_v2("cuNothing", &p, 13000, 0, &status), 0);
  SAME(status, 1);
  CHECK(p == NULL);
  SAME(cuGetProcAddress_v2("cuNothing", &p, 13000, 0, NULL), 500);
  SAME(cuGetProcAddress_v2("cuMemAlloc", &p, 12000, 9, &status), 1);
  SAME(cudaGetDriverEntryPoint("cuMemAlloc", &p, 0, &status), 0);
  CHECK(p != NULL);
}
static void what_is_not_there_says_so(void) {
  SAME(cuMemExportToShareableHandle(), 801);
  SAME(cuTensorMapEncodeTiled(), 801);
  cudaGetLastError();
}

int main(void) {
  RULE(old_names_wait_and_reset);
  RULE(the_profiler_does_nothing);
  RULE(one_device_has_no_peers);
  RULE(streams_have_flags_and_are_ready);
  RULE(pools_keep_their_settings);
  RULE(managed_memory_takes_advice);
  RULE(arrays_are_copied_by_rectangles);
  RULE(graphs_allocate_fill_copy_and_free);
  RULE(the_driver_tells_about_its_device);
  RULE(versions_get_their_own_structures);
  RULE(functions_are_found_by_name_and_version);
  RULE(what_is_not_there_says_so);
  return failures != 0;
}
