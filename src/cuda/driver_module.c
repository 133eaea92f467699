/* Modules from PTX or fat binaries, their functions and variables, launches, and PTX linked at run time. */
#include "cuda/driver.h"
#include "cuda/fatbin.h"
#include "cuda/join.h"
#include "base/file.h"
#include <stdio.h>

/* PTX text, a fat binary, or the wrapper around one. */
static int load(void **to, const void *data, const char *name) {
  if (!to || !data)
    return CU_INVALID_VALUE;
  uint32_t magic;
  memcpy(&magic, data, sizeof magic);
  struct image *i = image_new(name);
  if (magic == FATBIN_WRAPPER_MAGIC)
    i->fat = ((const struct fatbin_wrapper *)data)->data;
  else if (magic == FATBIN_MAGIC)
    i->fat = data;
  else {
    i->ptx = xstrdup(data);
    i->ptx_bytes = strlen(i->ptx);
  }
  static const uint32_t elf = 0x464c457f;
  int e = magic == elf ? CU_NO_KERNEL_IMAGE_FOR_DEVICE : image_load(i);
  if (magic == elf)
    sim_fail(cuda_sim(), EXIT_USAGE, "cuModuleLoad: machine code (a cubin) cannot run here; load PTX");
  if (e)
    image_free(i);
  else
    *to = i;
  return e;
}
API int cuModuleLoadData(void **to, const void *data) {
  DRIVER(load(to, data, "cuModuleLoadData"));
}
API int cuModuleLoadDataEx(void **to, const void *data, unsigned n, int *options, void **values) {
  (void)n, (void)options,
      (void)values; /* of a compiler that is not there; logs stay as the program made them */
  DRIVER(load(to, data, "cuModuleLoadDataEx"));
}
API int cuModuleLoadFatBinary(void **to, const void *data) {
  DRIVER(load(to, data, "cuModuleLoadFatBinary"));
}
static int load_file(void **to, const char *path) {
  struct error err = {0};
  size_t n;
  char *text = path ? file_read(path, (uint64_t)1 << 30, &n, &err) : NULL;
  error_clear(&err);
  if (!text)
    return CU_FILE_NOT_FOUND;
  int e = n < 4 ? CU_INVALID_KERNEL_IMAGE : load(to, text, path);
  struct image *i = e ? NULL : *to;
  if (i && i->fat) /* the text was its own */
    i->ptx = text;
  else
    free(text);
  return e;
}
API int cuModuleLoad(void **to, const char *path) {
  DRIVER(load_file(to, path));
}

static struct image *image_find(const void *handle) {
  for (struct image *i = cuda_lists()->images; i; i = i->next)
    if (i == handle)
      return i;
  return NULL;
}
static int unload(void *module) {
  struct image *i = image_find(module);
  if (!i)
    return CU_INVALID_RESOURCE_HANDLE;
  image_free(i);
  return CU_SUCCESS;
}
API int cuModuleUnload(void *module) {
  DRIVER(unload(module));
}
static int get_function(void **to, void *module, const char *name) {
  struct image *i = image_find(module);
  if (!to || !i || !name)
    return i ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  int e = image_load(i);
  if (e)
    return e;
  for (struct kernel *k = i->kernels; k; k = k->next)
    if (strcmp(k->name, name) == 0) {
      *to = k;
      return kernel_prepare(k);
    }
  if (!sim_kernel(i->module, name))
    return CU_SYMBOL_NOT_FOUND;
  struct kernel *k = image_add_kernel(i, NULL, name);
  *to = k;
  return kernel_prepare(k);
}
API int cuModuleGetFunction(void **to, void *module, const char *name) {
  DRIVER(get_function(to, module, name));
}
static int get_global(device_pointer *to, size_t *bytes, void *module, const char *name) {
  struct image *i = image_find(module);
  uint64_t at, n;
  if (!i || !name)
    return i ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  int e = image_load(i);
  if (e)
    return e;
  if (!sim_symbol(i->module, name, &at, &n))
    return CU_SYMBOL_NOT_FOUND;
  if (to)
    *to = at;
  if (bytes)
    *bytes = (size_t)n;
  return CU_SUCCESS;
}
API int cuModuleGetGlobal_v2(device_pointer *to, size_t *bytes, void *module, const char *name) {
  DRIVER(get_global(to, bytes, module, name));
}

/* ---- functions ---- */

enum {
  FUNC_MAX_THREADS,
  FUNC_SHARED,
  FUNC_CONST,
  FUNC_LOCAL,
  FUNC_REGISTERS,
  FUNC_PTX,
  FUNC_BINARY,
  FUNC_CA,
  FUNC_MAX_DYNAMIC
};
int cudaFuncSetAttribute(const void *func, int which, int value);
static int function_attribute(int *to, int which, void *func) {
  int e;
  struct kernel *k = kernel_find(func, &e);
  if (!k || !to)
    return k ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  const int values[] = {kernel_max_threads(k),
                        (int)k->info->static_shared,
                        0,
                        (int)k->info->local_bytes,
                        (int)sim_registers(cuda_sim(), k->info),
                        (int)cuda_capability(),
                        (int)cuda_capability(),
                        0,
                        (int)kernel_dynamic_limit(k)};
  if (which < 0 || which > FUNC_MAX_DYNAMIC)
    return which == 9 ? (*to = k->carveout, CU_SUCCESS) : CU_INVALID_VALUE;
  *to = values[which];
  return CU_SUCCESS;
}
API int cuFuncGetAttribute(int *to, int which, void *func) {
  DRIVER(function_attribute(to, which, func));
}
API int cuFuncSetAttribute(void *func, int which, int value) {
  return cudaFuncSetAttribute(func, which, value);
}
API int cuFuncSetCacheConfig(void *func, int config) {
  int e = 0;
  DRIVER(!kernel_find(func, &e)     ? CU_INVALID_RESOURCE_HANDLE
         : config < 0 || config > 3 ? CU_INVALID_VALUE
                                    : e);
}
API int cuFuncSetSharedMemConfig(void *func, int config) {
  return cuFuncSetCacheConfig(func, config);
}

/* `extra`: 1, block of parameters, 2, where its size is, 0. */
static int launch(void *func, struct launch_wanted *w, void *stream, void **extra) {
  int e, bad;
  if (!stream_find(stream, &bad))
    return bad;
  w->kernel = kernel_find(func, &e);
  if (!w->kernel)
    return e == CU_INVALID_DEVICE_FUNCTION ? CU_INVALID_RESOURCE_HANDLE : e;
  for (; extra && extra[0]; extra += 2) {
    if (extra[0] == (void *)(uintptr_t)1)
      w->packed = extra[1];
    else if (extra[0] == (void *)(uintptr_t)2)
      memcpy(&w->packed_bytes, extra[1], sizeof w->packed_bytes);
    else
      return CU_INVALID_VALUE;
  }
  struct op *op = launch_op(w, &e);
  return op ? stream_submit(stream, op) : e == CU_INVALID_CONFIGURATION ? CU_INVALID_VALUE : e;
}
API int cuLaunchKernel(void *func, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
  struct launch_wanted w = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, .params = params};
  DRIVER(launch(func, &w, stream, extra));
}
API int cuLaunchCooperativeKernel(void *func, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                  unsigned bz, unsigned shared, void *stream, void **params) {
  struct launch_wanted w = {
      .grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, .params = params, .cooperative = true};
  DRIVER(launch(func, &w, stream, NULL));
}
ALIAS(cuLaunchKernel_ptsz, cuLaunchKernel);
ALIAS(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel);

static int occupancy(int *to, void *func, int threads, size_t dynamic) {
  int e;
  struct kernel *k = kernel_find(func, &e);
  if (!k || !to)
    return k ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  return occupancy_blocks(k, threads, dynamic, to);
}
API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *to, void *func, int threads, size_t dynamic) {
  DRIVER(occupancy(to, func, threads, dynamic));
}
API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *to, void *func, int threads, size_t dynamic,
                                                             unsigned flags) {
  (void)flags;
  DRIVER(occupancy(to, func, threads, dynamic));
}
/* The block size of the most resident threads: the largest of those. */
static int best_block(int *grid, int *block, void *func, size_t (*shared)(int), size_t dynamic, int limit) {
  int e, best = 0, warp = (int)sim_warp_width(cuda_sim());
  struct kernel *k = kernel_find(func, &e);
  if (!k || !grid || !block)
    return k ? CU_INVALID_VALUE : CU_INVALID_RESOURCE_HANDLE;
  int most = kernel_max_threads(k);
  most = limit > 0 && limit < most ? limit : most;
  for (int threads = most / warp * warp; threads >= warp; threads -= warp) {
    int n = 0;
    e = occupancy_blocks(k, threads, shared ? shared(threads) : dynamic, &n);
    if (!e && n * threads > best) {
      best = n * threads;
      *block = threads;
      *grid = n * (int)sim_gpu(cuda_sim())->sms;
    }
  }
  return best ? CU_SUCCESS : CU_INVALID_VALUE;
}
API int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *func, size_t (*shared)(int),
                                         size_t dynamic, int limit) {
  DRIVER(best_block(grid, block, func, shared, dynamic, limit));
}
API int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, void *func, size_t (*shared)(int),
                                                  size_t dynamic, int limit, unsigned flags) {
  DRIVER(flags > 1 ? CU_INVALID_VALUE : best_block(grid, block, func, shared, dynamic, limit));
}

/* ---- linking ---- */

struct link {
  struct join *join;
  char *text;
};
API int cuLinkCreate_v2(unsigned n, int *options, void **values, void **to) {
  (void)n, (void)options, (void)values;
  if (!to)
    return CU_INVALID_VALUE;
  struct link *l = xcalloc(1, sizeof *l);
  l->join = join_new();
  *to = l;
  return CU_SUCCESS;
}
enum { INPUT_CUBIN, INPUT_PTX };
API int cuLinkAddData_v2(struct link *l, int type, void *data, size_t bytes, const char *name, unsigned n,
                         int *options, void **values) {
  (void)name, (void)n, (void)options, (void)values;
  if (!l || !data)
    return CU_INVALID_VALUE;
  if (type != INPUT_PTX)
    return CU_NO_KERNEL_IMAGE_FOR_DEVICE;
  join_add(l->join, data, strnlen(data, bytes));
  return CU_SUCCESS;
}
API int cuLinkAddFile_v2(struct link *l, int type, const char *path, unsigned n, int *options,
                         void **values) {
  (void)n, (void)options, (void)values;
  struct error err = {0};
  size_t bytes;
  char *text = l && path && type == INPUT_PTX ? file_read(path, (uint64_t)1 << 30, &bytes, &err) : NULL;
  error_clear(&err);
  if (!text)
    return type == INPUT_PTX ? CU_FILE_NOT_FOUND : CU_NO_KERNEL_IMAGE_FOR_DEVICE;
  join_add(l->join, text, strnlen(text, bytes));
  free(text);
  return CU_SUCCESS;
}
static int complete(struct link *l, void **to, size_t *bytes) {
  struct error err = {0};
  size_t n;
  if (!l || !to)
    return CU_INVALID_VALUE;
  free(l->text);
  l->text = join_text(l->join, &n, &err);
  if (!l->text)
    sim_fail(cuda_sim(), EXIT_USAGE, err.text);
  error_clear(&err);
  *to = l->text;
  if (bytes)
    *bytes = l->text ? n + 1 : 0;
  return l->text ? CU_SUCCESS : CU_INVALID_PTX;
}
API int cuLinkComplete(struct link *l, void **to, size_t *bytes) {
  DRIVER(complete(l, to, bytes));
}
API int cuLinkDestroy(struct link *l) {
  if (!l)
    return CU_INVALID_VALUE;
  join_free(l->join);
  free(l->text);
  free(l);
  return CU_SUCCESS;
}
