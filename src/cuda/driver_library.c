/* Libraries of the driver API and their kernels, which are modules and functions under other names; the runtime's;
 * launches with a configuration, and those of CUDA 3 and before that set up a function's block and parameters first. */
#include "cuda/driver.h"

int cuModuleLoadData(void **to, const void *data), cuModuleLoad(void **to, const char *path);
int cuModuleUnload(void *module), cuModuleGetFunction(void **to, void *module, const char *name);
int cuModuleGetGlobal_v2(device_pointer *to, size_t *bytes, void *module, const char *name);
int cuFuncGetAttribute(int *to, int which, void *func), cuFuncSetAttribute(void *func, int which, int value);
int cuFuncSetCacheConfig(void *func, int config);

/* Options are a compiler's, which is not there; none of them changes what code means. */
API int cuLibraryLoadData(void **to, const void *code, int *options, void **values, unsigned n,
                          int *library_options, void **library_values, unsigned m) {
  (void)options, (void)values, (void)n, (void)library_options, (void)library_values, (void)m;
  return cuModuleLoadData(to, code);
}
API int cuLibraryLoadFromFile(void **to, const char *path, int *options, void **values, unsigned n,
                              int *library_options, void **library_values, unsigned m) {
  (void)options, (void)values, (void)n, (void)library_options, (void)library_values, (void)m;
  return cuModuleLoad(to, path);
}
API int cuLibraryUnload(void *library) {
  return cuModuleUnload(library);
}
API int cuLibraryGetKernel(void **to, void *library, const char *name) {
  return cuModuleGetFunction(to, library, name);
}
API int cuLibraryGetGlobal(device_pointer *to, size_t *bytes, void *library, const char *name) {
  return cuModuleGetGlobal_v2(to, bytes, library, name);
}
ALIAS(cuLibraryGetManaged, cuLibraryGetGlobal);
API int cuLibraryGetModule(void **to, void *library) {
  if (!to || !library)
    return CU_INVALID_VALUE;
  *to = library;
  return CU_SUCCESS;
}
ALIAS(cuKernelGetFunction, cuLibraryGetModule);

static struct image *image_of(const void *library) {
  struct image *i = cuda_lists()->images;
  while (i && i != library)
    i = i->next;
  return i;
}
static int count(unsigned *to, void *library) {
  struct image *i = image_of(library);
  if (!i || !to)
    return i ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  int e = image_load(i);
  if (!e)
    *to = (unsigned)sim_kernels(i->module);
  return e;
}
API int cuLibraryGetKernelCount(unsigned *to, void *library) {
  DRIVER(count(to, library));
}
API int cuModuleGetFunctionCount(unsigned *to, void *module) {
  DRIVER(count(to, module));
}
API int cuLibraryEnumerateKernels(void **to, unsigned n, void *library) {
  unsigned all = 0;
  int e = cuLibraryGetKernelCount(&all, library);
  if (!e && !to)
    e = CU_INVALID_VALUE;
  for (unsigned k = 0; !e && k < n && k < all; k++)
    e = cuModuleGetFunction(&to[k], library, sim_kernel_at(((struct image *)library)->module, k)->name);
  return e;
}
API int cuModuleEnumerateFunctions(void **to, unsigned n, void *module) {
  return cuLibraryEnumerateKernels(to, n, module);
}
API int cuModuleGetLoadingMode(int *to) {
  if (!to)
    return CU_INVALID_VALUE;
  *to = 2; /* lazy: code is read when it is first needed */
  return CU_SUCCESS;
}

/* ---- kernels ---- */

API int cuKernelGetAttribute(int *to, int which, void *kernel, int device) {
  return device ? CU_INVALID_DEVICE : cuFuncGetAttribute(to, which, kernel);
}
API int cuKernelSetAttribute(int which, int value, void *kernel, int device) {
  return device ? CU_INVALID_DEVICE : cuFuncSetAttribute(kernel, which, value);
}
API int cuKernelSetCacheConfig(void *kernel, int config, int device) {
  return device ? CU_INVALID_DEVICE : cuFuncSetCacheConfig(kernel, config);
}
static int name_of(const char **to, void *func) {
  int e;
  const struct kernel *k = kernel_find(func, &e);
  if (!k || !to)
    return k ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  *to = k->name;
  return CU_SUCCESS;
}
API int cuFuncGetName(const char **to, void *func) {
  DRIVER(name_of(to, func));
}
ALIAS(cuKernelGetName, cuFuncGetName);
static int module_of(void **to, void *func) {
  int e;
  const struct kernel *k = kernel_find(func, &e);
  if (!k || !to)
    return k ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  *to = k->image;
  return CU_SUCCESS;
}
API int cuFuncGetModule(void **to, void *func) {
  DRIVER(module_of(to, func));
}
API int cuKernelGetLibrary(void **to, void *kernel) {
  DRIVER(module_of(to, kernel));
}
static int is_loaded(int *to, void *func) {
  int e;
  const struct kernel *k = kernel_find(func, &e);
  if (!k || !to)
    return k ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  *to = 1;
  return CU_SUCCESS;
}
API int cuFuncIsLoaded(int *to, void *func) {
  DRIVER(is_loaded(to, func));
}
API int cuFuncLoad(void *func) {
  int loaded;
  DRIVER(is_loaded(&loaded, func));
}
static int param_info(const void *func, size_t i, size_t *offset, size_t *bytes, int unknown) {
  int e;
  const struct kernel *k = kernel_find(func, &e);
  if (!k)
    return unknown ? unknown : e;
  if (!offset || i >= k->info->nparams)
    return CU_INVALID_VALUE;
  *offset = k->info->param_offset[i];
  if (bytes)
    *bytes = (size_t)k->info->params[i].size;
  return CU_SUCCESS;
}
API int cuFuncGetParamInfo(void *func, size_t i, size_t *offset, size_t *bytes) {
  DRIVER(param_info(func, i, offset, bytes, CU_INVALID_RESOURCE_HANDLE));
}
ALIAS(cuKernelGetParamInfo, cuFuncGetParamInfo);

/* ---- the runtime's names ---- */

API int cudaFuncGetParamInfo(const void *func, size_t i, size_t *offset, size_t *bytes) {
  RUNTIME(param_info(func, i, offset, bytes, 0));
}
API int cudaLibraryLoadData(void **to, const void *code, int *options, void **values, unsigned n,
                            int *library_options, void **library_values, unsigned m) {
  return cuda_last(cuLibraryLoadData(to, code, options, values, n, library_options, library_values, m));
}
API int cudaLibraryLoadFromFile(void **to, const char *path, int *options, void **values, unsigned n,
                                int *library_options, void **library_values, unsigned m) {
  return cuda_last(cuLibraryLoadFromFile(to, path, options, values, n, library_options, library_values, m));
}
API int cudaLibraryUnload(void *library) {
  return cuda_last(cuModuleUnload(library));
}
API int cudaLibraryGetKernel(void **to, void *library, const char *name) {
  return cuda_last(cuModuleGetFunction(to, library, name));
}
API int cudaLibraryGetGlobal(device_pointer *to, size_t *bytes, void *library, const char *name) {
  return cuda_last(cuModuleGetGlobal_v2(to, bytes, library, name));
}
ALIAS(cudaLibraryGetManaged, cudaLibraryGetGlobal);
API int cudaLibraryGetKernelCount(unsigned *to, void *library) {
  return cuda_last(cuLibraryGetKernelCount(to, library));
}
API int cudaLibraryEnumerateKernels(void **to, unsigned n, void *library) {
  return cuda_last(cuLibraryEnumerateKernels(to, n, library));
}
API int cudaKernelSetAttributeForDevice(void *kernel, int which, int value, int device) {
  return cuda_last(cuKernelSetAttribute(which, value, kernel, device));
}

/* ---- launches ---- */

struct config { /* CUlaunchConfig: as the runtime's but for the type of `shared` */
  struct dim3 grid, block;
  unsigned shared;
  void *stream;
  struct cuda_launch_attribute *attributes;
  unsigned nattributes;
};
int cuLaunchKernel(void *func, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **extra);
int cudaLaunchKernelExC(const struct cuda_launch_config *c, const void *func, void **params);
API int cuLaunchKernelEx(const struct config *c, void *func, void **params, void **extra);
API int cuLaunchKernelEx(const struct config *c, void *func, void **params, void **extra) {
  if (!c)
    return CU_INVALID_VALUE;
  if (extra)
    return c->nattributes ? CU_NOT_SUPPORTED
                          : cuLaunchKernel(func, c->grid.x, c->grid.y, c->grid.z, c->block.x, c->block.y,
                                           c->block.z, c->shared, c->stream, params, extra);
  struct cuda_launch_config r = {c->grid, c->block, c->shared, c->stream, c->attributes, c->nattributes};
  int e = cudaLaunchKernelExC(&r, func, params);
  return e == CU_INVALID_CONFIGURATION     ? CU_INVALID_VALUE
         : e == CU_INVALID_DEVICE_FUNCTION ? CU_INVALID_RESOURCE_HANDLE
                                           : e;
}
ALIAS(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);

enum { MOST_PARAM_BYTES = 4096 };
struct setup { /* what cuParamSet and its kin said last of a function */
  const void *func;
  struct dim3 block;
  unsigned shared, bytes;
  uint8_t params[MOST_PARAM_BYTES];
  struct setup *next;
};
static struct setup *setup_of(void *func) {
  static struct setup *all; /* kept with no handle of their own: the interface has none */
  struct setup *s = all;
  int e;
  while (s && s->func != func)
    s = s->next;
  if (!s && kernel_find(func, &e)) {
    s = xcalloc(1, sizeof *s);
    *s = (struct setup){.func = func, .block = {1, 1, 1}, .next = all};
    all = s;
  }
  return s;
}
static int set_block(void *func, int x, int y, int z) {
  struct setup *s = setup_of(func);
  if (!s || x <= 0 || y <= 0 || z <= 0)
    return s ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  s->block = (struct dim3){(unsigned)x, (unsigned)y, (unsigned)z};
  return CU_SUCCESS;
}
API int cuFuncSetBlockShape(void *func, int x, int y, int z) {
  DRIVER(set_block(func, x, y, z));
}
static int set_shared(void *func, unsigned bytes) {
  struct setup *s = setup_of(func);
  if (!s)
    return CU_INVALID_RESOURCE_HANDLE;
  s->shared = bytes;
  return CU_SUCCESS;
}
API int cuFuncSetSharedSize(void *func, unsigned bytes) {
  DRIVER(set_shared(func, bytes));
}
static int set_params(void *func, int at, const void *from, unsigned n) {
  struct setup *s = setup_of(func);
  if (!s || !from || at < 0 || n > MOST_PARAM_BYTES || (unsigned)at > MOST_PARAM_BYTES - n)
    return s ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  memcpy(s->params + at, from, n);
  return CU_SUCCESS;
}
API int cuParamSeti(void *func, int at, unsigned value) {
  DRIVER(set_params(func, at, &value, sizeof value));
}
API int cuParamSetf(void *func, int at, float value) {
  DRIVER(set_params(func, at, &value, sizeof value));
}
API int cuParamSetv(void *func, int at, void *from, unsigned n) {
  DRIVER(set_params(func, at, from, n));
}
static int set_size(void *func, unsigned bytes) {
  struct setup *s = setup_of(func);
  if (!s || bytes > MOST_PARAM_BYTES)
    return s ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  s->bytes = bytes;
  return CU_SUCCESS;
}
API int cuParamSetSize(void *func, unsigned bytes) {
  DRIVER(set_size(func, bytes));
}
static int setup_copy(void *func, struct setup *to) {
  const struct setup *s = setup_of(func);
  if (!s)
    return CU_INVALID_RESOURCE_HANDLE;
  *to = *s;
  return CU_SUCCESS;
}
static int get_setup(void *func, struct setup *to) {
  DRIVER(setup_copy(func, to));
}
API int cuLaunchGridAsync(void *func, int width, int height, void *stream) {
  struct setup s;
  int e = width <= 0 || height <= 0 ? CU_INVALID_VALUE : get_setup(func, &s);
  if (e)
    return e;
  size_t bytes = s.bytes;
  void *extra[] = {(void *)(uintptr_t)1, s.params, (void *)(uintptr_t)2, &bytes, NULL};
  return cuLaunchKernel(func, (unsigned)width, (unsigned)height, 1, s.block.x, s.block.y, s.block.z, s.shared,
                        stream, NULL, extra);
}
API int cuLaunchGrid(void *func, int width, int height) {
  return cuLaunchGridAsync(func, width, height, NULL);
}
API int cuLaunch(void *func) {
  return cuLaunchGridAsync(func, 1, 1, NULL);
}
