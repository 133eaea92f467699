/* cuInit, devices and contexts. There is one device and one memory; contexts are what a thread has current. */
#include "cuda/driver.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct context {
  unsigned flags;
  struct context *next;
  bool primary;
};
enum { DEEPEST = 32, DRIVER_VERSION = 13000 };

static struct {
  bool initialised;
  struct context primary, *all;
  unsigned primary_users;
} driver = {.primary = {.primary = true}};
static _Thread_local struct context *stack[DEEPEST];
static _Thread_local unsigned depth;

/* A program of the runtime has the primary context current without saying so. */
static bool of_runtime(void) {
  const struct image *i = cuda_lists()->images;
  return i && i->fat;
}

int driver_enter_device(void) {
  int e = cuda_enter();
  return e ? e : driver.initialised || of_runtime() ? CU_SUCCESS : CU_INITIALIZATION_ERROR;
}
int driver_enter(void) {
  int e = driver_enter_device();
  return e ? e : depth || of_runtime() ? CU_SUCCESS : CU_DEVICE_UNINITIALIZED;
}
#define DEVICE(call)                                                                                         \
  do {                                                                                                       \
    int e_ = driver_enter_device();                                                                          \
    if (!e_)                                                                                                 \
      e_ = (call);                                                                                           \
    cuda_leave();                                                                                            \
    return e_;                                                                                               \
  } while (0)

API int cuInit(unsigned flags) {
  int e = cuda_enter();
  if (!e)
    driver.initialised = true;
  cuda_leave();
  return flags ? CU_INVALID_VALUE : e;
}
API int cuDriverGetVersion(int *to) {
  if (!to)
    return CU_INVALID_VALUE;
  *to = DRIVER_VERSION;
  return CU_SUCCESS;
}

/* ---- devices ---- */

static int put(int *to, int value, bool ok, int otherwise) {
  if (!to)
    return CU_INVALID_VALUE;
  if (ok)
    *to = value;
  return ok ? CU_SUCCESS : otherwise;
}
API int cuDeviceGetCount(int *to) {
  DEVICE(put(to, 1, true, 0));
}
API int cuDeviceGet(int *to, int ordinal) {
  DEVICE(put(to, 0, ordinal == 0, CU_INVALID_DEVICE));
}
static int name(char *to, int n, int device) {
  if (!to || n <= 0 || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  device_name(to, (size_t)n);
  return CU_SUCCESS;
}
API int cuDeviceGetName(char *to, int n, int device) {
  DEVICE(name(to, n, device));
}
static int uuid(char *to, int device) {
  if (!to || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  memset(to, 0, 16);
  memcpy(to, "sluice", 6);
  return CU_SUCCESS;
}
API int cuDeviceGetUuid(char *to, int device) {
  DEVICE(uuid(to, device));
}
ALIAS(cuDeviceGetUuid_v2, cuDeviceGetUuid);
static int total(size_t *to, int device) {
  if (!to || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  *to = (size_t)sim_memory_bytes(cuda_sim());
  return CU_SUCCESS;
}
API int cuDeviceTotalMem_v2(size_t *to, int device) {
  DEVICE(total(to, device));
}
API int cuDeviceGetAttribute(int *to, int which, int device) {
  DEVICE(device ? CU_INVALID_DEVICE : device_attribute(which, to));
}
static int capability(int *major, int *minor, int device) {
  if (!major || !minor || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  *major = (int)cuda_capability() / 10;
  *minor = (int)cuda_capability() % 10;
  return CU_SUCCESS;
}
API int cuDeviceComputeCapability(int *major, int *minor, int device) {
  DEVICE(capability(major, minor, device));
}
API int cuDeviceCanAccessPeer(int *to, int device, int peer) {
  DEVICE(put(to, 0, !device && !peer, CU_INVALID_DEVICE));
}
API int cuDeviceGetPCIBusId(char *to, int n, int device) {
  if (!to || n < 13 || device)
    return CU_INVALID_VALUE;
  snprintf(to, (size_t)n, "0000:00:00.0");
  return CU_SUCCESS;
}

/* ---- contexts ---- */

static bool known(const struct context *c) {
  if (c == &driver.primary)
    return driver.primary_users || of_runtime();
  for (const struct context *o = driver.all; o; o = o->next)
    if (o == c)
      return true;
  return false;
}
static int push(struct context *c) {
  if (!known(c))
    return CU_DEVICE_UNINITIALIZED;
  if (depth == DEEPEST)
    return CU_INVALID_VALUE;
  stack[depth++] = c;
  return CU_SUCCESS;
}
static int create(void **to, unsigned flags, int device) {
  if (!to || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  struct context *c = xcalloc(1, sizeof *c);
  c->flags = flags;
  c->next = driver.all;
  *to = driver.all = c;
  return push(c);
}
API int cuCtxCreate_v2(void **to, unsigned flags, int device) {
  DEVICE(create(to, flags, device));
}
API int cuCtxCreate_v3(void **to, void *affinity, int n, unsigned flags, int device) {
  (void)affinity;
  DEVICE(n ? CU_NOT_SUPPORTED : create(to, flags, device));
}
API int cuCtxCreate_v4(void **to, void *wanted, unsigned flags, int device) {
  (void)wanted; /* affinities and graphics: hints */
  DEVICE(create(to, flags, device));
}
static int pop(void **to) {
  if (!depth)
    return CU_DEVICE_UNINITIALIZED;
  depth--;
  if (to)
    *to = stack[depth];
  return CU_SUCCESS;
}
static int destroy(struct context *c) {
  for (struct context **at = &driver.all; *at; at = &(*at)->next)
    if (*at == c) {
      *at = c->next;
      if (depth && stack[depth - 1] == c)
        depth--;
      free(c);
      if (!driver.all && !driver.primary_users && !of_runtime())
        memory_free_all(); /* the last one takes everything along */
      return CU_SUCCESS;
    }
  return CU_DEVICE_UNINITIALIZED;
}
API int cuCtxDestroy_v2(void *context) {
  DEVICE(destroy(context));
}
API int cuCtxPushCurrent_v2(void *context) {
  DEVICE(push(context));
}
API int cuCtxPopCurrent_v2(void **to) {
  DEVICE(pop(to));
}
static int set_current(void *context) {
  if (depth)
    depth--;
  return context ? push(context) : CU_SUCCESS;
}
API int cuCtxSetCurrent(void *context) {
  DEVICE(set_current(context));
}
static int get_current(void **to) {
  if (!to)
    return CU_INVALID_VALUE;
  *to = depth ? stack[depth - 1] : of_runtime() ? &driver.primary : NULL;
  return CU_SUCCESS;
}
API int cuCtxGetCurrent(void **to) {
  DEVICE(get_current(to));
}
API int cuCtxGetDevice(int *to) {
  DRIVER(put(to, 0, true, 0));
}
API int cuCtxSynchronize(void) {
  DRIVER(CU_SUCCESS);
}
API int cuCtxSynchronize_v2(void *context) {
  (void)context;
  DRIVER(CU_SUCCESS);
}
static int flags_of(unsigned *to) {
  if (!to)
    return CU_INVALID_VALUE;
  *to = depth && known(stack[depth - 1]) ? stack[depth - 1]->flags
                                         : 0; /* another thread may have destroyed it */
  return CU_SUCCESS;
}
API int cuCtxGetFlags(unsigned *to) {
  DRIVER(flags_of(to));
}
static int set_flags(unsigned flags) {
  if (depth && known(stack[depth - 1]))
    stack[depth - 1]->flags = flags;
  return CU_SUCCESS;
}
API int cuCtxSetFlags(unsigned flags) {
  DRIVER(set_flags(flags));
}
API int cuCtxGetId(const struct context *c, unsigned long long *to);
API int cuCtxGetId(const struct context *c, unsigned long long *to) {
  if (!to)
    return CU_INVALID_VALUE;
  *to = (unsigned long long)(uintptr_t)(c ? c : depth ? stack[depth - 1] : &driver.primary);
  return CU_SUCCESS;
}
/* Counts of users, of CUDA before 4: every attach has its detach, and the last detach destroys. */
API int cuCtxAttach(void **to, unsigned flags) {
  DRIVER(flags || !depth ? CU_INVALID_VALUE : get_current(to));
}
API int cuCtxDetach(void *context) {
  DEVICE(destroy(context));
}
API int cuStreamGetCtx(void *stream, void **to) {
  int e = 0;
  DRIVER(stream_find(stream, &e) ? get_current(to) : e);
}
ALIAS(cuStreamGetCtx_ptsz, cuStreamGetCtx);
API int cuCtxGetCacheConfig(int *to) {
  DRIVER(put(to, 0, true, 0));
}
API int cuCtxGetSharedMemConfig(int *to) {
  DRIVER(put(to, 0, true, 0));
}
API int cuCtxDisablePeerAccess(void *peer) {
  (void)peer;
  return CU_PEER_ACCESS_NOT_ENABLED;
}
API int cuDeviceGetLuid(char *luid, unsigned *mask, int device) {
  if (!luid || !mask || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  memset(luid, 0, 8);
  *mask = 0;
  return CU_SUCCESS;
}
/* CUdevprop, of CUDA before 5. */
struct device_properties {
  int threads, block[3], grid[3], shared, constant, warp, pitch, registers, clock, texture_align;
};
static int properties(struct device_properties *to, int device) {
  static const int which[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  int values[14];
  if (!to || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  for (size_t i = 0; i < 14; i++)
    device_attribute(which[i], &values[i]);
  memcpy(to, values, sizeof values);
  return CU_SUCCESS;
}
API int cuDeviceGetProperties(struct device_properties *to, int device);
API int cuDeviceGetProperties(struct device_properties *to, int device) {
  DEVICE(properties(to, device));
}
API int cuCtxGetApiVersion(void *context, unsigned *to) {
  (void)context;
  if (to)
    *to = 3020;
  return to ? CU_SUCCESS : CU_INVALID_VALUE;
}
API int cuCtxSetCacheConfig(int config) {
  DRIVER(config < 0 || config > 3 ? CU_INVALID_VALUE : CU_SUCCESS);
}
API int cuCtxSetSharedMemConfig(int config) {
  DRIVER(config < 0 || config > 2 ? CU_INVALID_VALUE : CU_SUCCESS);
}
int cudaDeviceSetLimit(int which, size_t value);
int cudaDeviceGetLimit(size_t *to, int which);
API int cuCtxSetLimit(int which, size_t value) {
  return cudaDeviceSetLimit(which, value);
}
API int cuCtxGetLimit(size_t *to, int which) {
  return cudaDeviceGetLimit(to, which);
}
API int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return CU_SUCCESS;
}
API int cuCtxEnablePeerAccess(void *peer, unsigned flags) {
  (void)peer, (void)flags;
  return CU_PEER_ACCESS_UNSUPPORTED;
}

static int retain(void **to, int device) {
  if (!to || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  driver.primary_users++;
  *to = &driver.primary;
  return CU_SUCCESS;
}
API int cuDevicePrimaryCtxRetain(void **to, int device) {
  DEVICE(retain(to, device));
}
static int release(int device) {
  if (device || !driver.primary_users)
    return device ? CU_INVALID_DEVICE : CU_DEVICE_UNINITIALIZED;
  driver.primary_users--;
  return CU_SUCCESS;
}
API int cuDevicePrimaryCtxRelease_v2(int device) {
  DEVICE(release(device));
}
static int primary_state(int device, unsigned *flags, int *active) {
  if (device || !flags || !active)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  *flags = driver.primary.flags;
  *active = driver.primary_users > 0 || of_runtime();
  return CU_SUCCESS;
}
API int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  DEVICE(primary_state(device, flags, active));
}
API int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  driver.primary.flags = flags;
  return device ? CU_INVALID_DEVICE : CU_SUCCESS;
}
static int primary_reset(int device) {
  if (!device)
    device_reset();
  return device ? CU_INVALID_DEVICE : CU_SUCCESS;
}
API int cuDevicePrimaryCtxReset_v2(int device) {
  DEVICE(primary_reset(device));
}
ALIAS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
ALIAS(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);
ALIAS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);
API int cuProfilerStart(void) {
  return CU_SUCCESS;
}
API int cuProfilerStop(void) {
  return CU_SUCCESS;
}

/* ---- functions by name ---- */

/* Functions whose arguments changed: from which version of CUDA on a name means which one. All others mean the newest,
 * `_v2` where there is one. */
static const struct {
  const char *name;
  int version;
  const char *symbol;
} changed[] = {
    {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
    {"cuCtxCreate", 11040, "cuCtxCreate_v3"},
    {"cuCtxCreate", 3020, "cuCtxCreate_v2"},
    {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
    {"cuMemAdvise", 8000, "cuMemAdvise"},
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    {"cuMemPrefetchAsync", 8000, "cuMemPrefetchAsync"},
    {"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2"},
    {"cuGraphAddKernelNode", 10000, "cuGraphAddKernelNode"},
    {"cuGraphKernelNodeSetParams", 12000, "cuGraphKernelNodeSetParams_v2"},
    {"cuGraphKernelNodeSetParams", 10000, "cuGraphKernelNodeSetParams"},
    {"cuGraphKernelNodeGetParams", 12000, "cuGraphKernelNodeGetParams_v2"},
    {"cuGraphKernelNodeGetParams", 10000, "cuGraphKernelNodeGetParams"},
    {"cuGraphExecKernelNodeSetParams", 12000, "cuGraphExecKernelNodeSetParams_v2"},
    {"cuGraphExecKernelNodeSetParams", 10010, "cuGraphExecKernelNodeSetParams"},
    {"cuGraphExecUpdate", 12000, "cuGraphExecUpdate_v2"},
    {"cuGraphExecUpdate", 10020, "cuGraphExecUpdate"},
    {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
    {"cuGraphAddDependencies", 10000, "cuGraphAddDependencies"},
    {"cuGraphInstantiate", 11040, "cuGraphInstantiateWithFlags"},
    {"cuStreamBeginCapture", 10010, "cuStreamBeginCapture_v2"},
    {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
    {"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
    {"cuStreamGetCaptureInfo", 10010, "cuStreamGetCaptureInfo"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    {"cuGetProcAddress", 11030, "cuGetProcAddress"},
};
static void *find(const char *symbol, int version) {
  Dl_info self;
  if (!symbol || !dladdr((void *)(uintptr_t)cuInit, &self))
    return NULL;
  void *library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  void *found = NULL;
  bool listed = false;
  for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
    if (strcmp(changed[i].name, symbol) == 0) {
      listed = true;
      if (!found && library && version >= changed[i].version)
        found = dlsym(library, changed[i].symbol);
    }
  static const char *const suffixes[] = {"_v2", ""};
  for (size_t i = 0; library && !listed && !found && i < 2; i++) {
    char whole[128];
    snprintf(whole, sizeof whole, "%s%s", symbol, suffixes[i]);
    found = dlsym(library, whole);
  }
  if (library)
    dlclose(library);
  return found;
}
/* Functions for streams of each thread are those of all: flags are checked only. */
API int cuGetProcAddress_v2(const char *symbol, void **to, int version, uint64_t flags, int *status) {
  if (!to || !symbol || flags > 3)
    return CU_INVALID_VALUE;
  *to = find(symbol, version);
  if (status)
    *status = *to ? 0 : 1;
  return *to || status ? CU_SUCCESS : CU_SYMBOL_NOT_FOUND; /* as an H200's driver does: the status tells */
}
API int cuGetProcAddress(const char *symbol, void **to, int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, to, version, flags, NULL);
}
API int cudaGetDriverEntryPointByVersion(const char *symbol, void **to, unsigned version,
                                         unsigned long long flags, int *status) {
  return cuda_last(cuGetProcAddress_v2(symbol, to, (int)version, flags, status));
}
API int cudaGetDriverEntryPoint(const char *symbol, void **to, unsigned long long flags, int *status) {
  return cudaGetDriverEntryPointByVersion(symbol, to, DRIVER_VERSION, flags, status);
}
ALIAS(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);
ALIAS(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);

/* Private tables: NVIDIA's runtime asks for them, and no program does. The runtime is in the program then, or in a library
 * that the program uses (cuBLAS, cuFFT and their kin, whose kernels are machine code), and nothing that it computes from
 * here on would mean anything. */
API int cuGetExportTable(const void **to, const void *id);
API int cuGetExportTable(const void **to, const void *id) {
  (void)to, (void)id;
  Dl_info from;
  char text[512] = "the program has NVIDIA's CUDA runtime inside; build it with nvcc's -cudart shared";
  const char *name = dladdr(__builtin_return_address(0), &from) && from.dli_fname ? from.dli_fname : "";
  const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
  if (strstr(base, ".so"))
    snprintf(
        text, sizeof text,
        "%s has NVIDIA's CUDA runtime and machine code inside and cannot run on the simulated GPU: a program "
        "must bring its kernels as PTX",
        base);
  if (!cuda_enter())
    sim_fail(cuda_sim(), EXIT_USAGE, text);
  cuda_leave();
  exit(EXIT_USAGE);
}
