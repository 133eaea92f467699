/* What compilers call before main: fat binaries, their kernels and variables; and the parts of a launch in
 * angle brackets. */
#include "cuda/cuda.h"
#include "cuda/fatbin.h"
#include <errno.h>
#include <stdio.h>

API void **__cudaRegisterFatBinary(const struct fatbin_wrapper *w);
API void __cudaRegisterFatBinaryEnd(void **handle);
API void __cudaUnregisterFatBinary(void **handle);
API void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name, int limit,
                                void *tid, void *bid, void *block, void *grid, int *warp);
API void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name, int ext,
                           size_t size, int constant, int global);
API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                                  size_t size, int constant, int global);
API void __cudaRegisterHostVar(void **handle, const char *name, const void *host, size_t size);
API char __cudaInitModule(void **handle);

/* Programs hold the handle as void **; it is the image. */
static struct image *image_of(void **handle) {
  return (struct image *)(void *)handle;
}

API void **__cudaRegisterFatBinary(const struct fatbin_wrapper *w) {
  cuda_enter_raw();
  struct image *i = image_new(program_invocation_short_name);
  if (w && w->magic == FATBIN_WRAPPER_MAGIC) {
    i->fat = w->data;
    if (w->version == 2 && w->prelinked && w->prelinked[0])
      i->prelinked = w->prelinked;
  }
  cuda_leave();
  return (void **)(void *)i;
}

API void __cudaRegisterFatBinaryEnd(void **handle) {
  (void)handle;
}

/* Programs do so when they end, and statistics still name kernels: what is registered stays. */
API void __cudaUnregisterFatBinary(void **handle) {
  (void)handle;
}

API void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name, int limit,
                                void *tid, void *bid, void *block, void *grid, int *warp) {
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid,
      (void)warp; /* not used since CUDA 2 */
  cuda_enter_raw();
  image_add_kernel(image_of(handle), host, name);
  cuda_leave();
}

static void add_variable(void **handle, const void *host, void **managed, const char *name, size_t size) {
  struct image *i = image_of(handle);
  struct variable *v = xcalloc(1, sizeof *v);
  *v = (struct variable){.image = i,
                         .host = host,
                         .managed_at = managed,
                         .name = xstrdup(name),
                         .size = size,
                         .next = i->variables};
  i->variables = v;
}

API void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name, int ext,
                           size_t size, int constant, int global) {
  (void)device, (void)ext, (void)constant, (void)global; /* the PTX says all of it */
  cuda_enter_raw();
  add_variable(handle, host, NULL, name, size);
  cuda_leave();
}

API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                                  size_t size, int constant, int global) {
  (void)device, (void)ext, (void)constant, (void)global;
  cuda_enter_raw();
  add_variable(handle, NULL, host, name, size);
  cuda_leave();
}

API void __cudaRegisterHostVar(void **handle, const char *name, const void *host, size_t size) {
  cuda_enter_raw();
  add_variable(handle, host, NULL, name, size);
  cuda_leave();
}

/* The program is about to touch a managed variable. */
API char __cudaInitModule(void **handle) {
  (void)handle;
  int e = cuda_enter();
  if (!e)
    e = images_load_managed();
  cuda_leave();
  cuda_last(e);
  return e == CU_SUCCESS;
}

/* ---- f<<<grid, block, shared, stream>>>() ---- */

enum { DEEPEST = 16 }; /* launches whose arguments launch: the compiler nests them */
struct configuration {
  struct dim3 grid, block;
  size_t shared;
  void *stream;
};
static _Thread_local struct configuration pushed[DEEPEST];
static _Thread_local unsigned depth;

API unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream);
API int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream);

API unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream) {
  if (depth == DEEPEST)
    return (unsigned)cuda_last(CU_MISSING_CONFIGURATION);
  pushed[depth++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

API int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream) {
  if (!depth)
    return cuda_last(CU_MISSING_CONFIGURATION);
  const struct configuration *c = &pushed[--depth];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  memcpy(stream, &c->stream, sizeof c->stream);
  return CU_SUCCESS;
}

API int __cudaGetKernel(void **kernel, const void *host);
API int __cudaGetKernel(void **kernel, const void *host) {
  int e = CU_INVALID_DEVICE_FUNCTION;
  cuda_enter_raw();
  for (struct image *i = cuda_lists()->images; i; i = i->next)
    for (struct kernel *k = i->kernels; k; k = k->next)
      if (k->host == host) {
        *kernel = k; /* not loaded yet: the launch finds out */
        e = CU_SUCCESS;
      }
  cuda_leave();
  return e;
}
