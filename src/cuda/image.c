/* Device code of the program: registered fat binaries and modules, made ready when first needed. */
#include "cuda/cuda.h"
#include "cuda/fatbin.h"
#include "cuda/indirect.h"
#include "cuda/join.h"
#include <errno.h>
#include <stdio.h>

struct image *image_new(const char *name) {
  struct image *i = xcalloc(1, sizeof *i), **end = &cuda_lists()->images;
  snprintf(i->name, sizeof i->name, "%s", name);
  while (*end)
    end = &(*end)->next;
  return *end = i;
}

void image_forget(struct image *i) {
  if (i->module)
    sim_unload(cuda_sim(), i->module);
  i->module = NULL;
  i->tried = false;
  i->error = 0;
  for (struct kernel *k = i->kernels; k; k = k->next)
    k->info = NULL;
}

void image_free(struct image *i) {
  struct image **at = &cuda_lists()->images;
  while (*at && *at != i)
    at = &(*at)->next;
  if (*at)
    *at = i->next;
  image_forget(i);
  while (i->kernels) {
    struct kernel *k = i->kernels;
    i->kernels = k->next;
    free(k->name);
    free(k);
  }
  while (i->variables) {
    struct variable *v = i->variables;
    i->variables = v->next;
    free(v->name);
    free(v);
  }
  free(i->ptx);
  free(i);
}

/* ---- which PTX ---- */

static unsigned configured(void) {
  return sim_capability(cuda_sim());
}

/* The parts of an image: its own fat binary, or what is to be joined. */
static const void *part(const struct image *i, size_t k) {
  if (i->prelinked)
    return i->prelinked[k];
  return k == 0 ? i->fat : NULL;
}

static unsigned image_arch(const struct image *i) {
  unsigned most = i->arch, machine;
  for (size_t k = 0; part(i, k); k++) {
    struct fatbin_entry e;
    struct error err = {0};
    const void *fat = part(i, k);
    if (fatbin_bytes(fat) && fatbin_choose(fat, fatbin_bytes(fat), configured(), &e, &machine, &err) &&
        e.arch > most && (k == 0 || most == 0))
      most = e.arch;
    error_clear(&err);
  }
  return most;
}

unsigned cuda_capability(void) {
  unsigned most = configured();
  for (const struct image *i = cuda_lists()->images; i; i = i->next) {
    unsigned arch = image_arch(i);
    most = arch > most ? arch : most;
  }
  return most ? most : 90;
}

static int refuse(struct image *i, int code, const char *text) {
  sim_fail(cuda_sim(), EXIT_USAGE, text);
  return i->error = code;
}

static int no_ptx(struct image *i, unsigned machine, const char *why) {
  char text[400];
  if (why)
    snprintf(text, sizeof text, "%s: %s", i->name, why);
  else if (machine)
    snprintf(text, sizeof text,
             "%s: the program has machine code for sm_%u but no PTX; build it with nvcc's "
             "-gencode arch=compute_%u,code=compute_%u",
             i->name, machine, machine, machine);
  else
    snprintf(text, sizeof text, "%s: the program has no PTX; build it with nvcc's -arch=compute_75", i->name);
  return refuse(i, CU_NO_KERNEL_IMAGE_FOR_DEVICE, text);
}

/* All PTX of an image as one text; NULL after image->error is set. */
static char *image_text(struct image *i, size_t *n) {
  struct error err = {0};
  struct join *j = join_new();
  unsigned machine = 0;
  size_t parts = 0;
  for (size_t k = 0; part(i, k) && !err.code; k++) {
    const void *fat = part(i, k);
    struct fatbin_entry e;
    unsigned other;
    if (!fatbin_bytes(fat) || !fatbin_choose(fat, fatbin_bytes(fat), configured(), &e, &other, &err)) {
      machine = machine ? machine : other;
      continue;
    }
    size_t bytes;
    char *text = fatbin_unpack(&e, &bytes, &err);
    if (text && (k == 0 || !join_is_device_runtime(text))) {
      join_add(j, text, bytes);
      i->arch = e.arch > i->arch ? e.arch : i->arch;
      parts++;
    }
    free(text);
  }
  char *all = NULL;
  if (err.code || !parts)
    no_ptx(i, machine, err.text);
  else if (!(all = join_text(j, n, &err)))
    no_ptx(i, 0, err.text);
  join_free(j);
  error_clear(&err);
  return all;
}

/* ---- loading ---- */

static void place_managed(const struct image *i) {
  for (const struct variable *v = i->variables; v; v = v->next) {
    uint64_t at, size;
    if (v->managed_at && sim_symbol(i->module, v->name, &at, &size))
      *v->managed_at = (void *)(uintptr_t)at;
  }
}

/* Names that a kernel calls to launch another: of CUDA 12 and later, and before. */
static bool launches_kernels(const char *text) {
  return strstr(text, "__cudaCDP2") || strstr(text, "cudaLaunchDeviceV2") ||
         strstr(text, "cudaGetParameterBufferV2");
}

int image_load(struct image *i) {
  if (i->tried)
    return i->error;
  i->tried = true;
  size_t n = i->ptx_bytes;
  char *text = i->ptx ? i->ptx : image_text(i, &n);
  if (!text)
    return i->error;
  struct error err = {0};
  char *direct = indirect_rewrite(text, n, &n);
  if (launches_kernels(text))
    error_set(&err, EXIT_USAGE, "%s: kernels that launch kernels (dynamic parallelism) are not supported",
              i->name);
  else
    i->module = sim_load(cuda_sim(), direct ? direct : text, n, i->name, &err);
  free(direct);
  if (!i->module)
    refuse(i, CU_INVALID_PTX, err.text);
  else
    place_managed(i);
  error_clear(&err);
  if (text != i->ptx)
    free(text);
  return i->error;
}

int images_load_managed(void) {
  for (struct image *i = cuda_lists()->images; i; i = i->next)
    for (const struct variable *v = i->variables; v; v = v->next)
      if (v->managed_at && !i->module && image_load(i))
        return i->error;
  return CU_SUCCESS;
}

/* ---- what is in it ---- */

struct kernel *image_add_kernel(struct image *i, const void *host, const char *name) {
  struct kernel *k = xcalloc(1, sizeof *k);
  *k = (struct kernel){.image = i, .host = host, .name = xstrdup(name), .max_dynamic = -1, .carveout = -1};
  k->next = i->kernels;
  return i->kernels = k;
}

int kernel_prepare(struct kernel *k) {
  if (k->info)
    return CU_SUCCESS;
  int error = image_load(k->image);
  if (error)
    return error;
  k->info = sim_kernel(k->image->module, k->name);
  return k->info ? CU_SUCCESS : CU_INVALID_DEVICE_FUNCTION;
}

/* A stub's address or a handle. Handles are more frequent and come first. */
struct kernel *kernel_find(const void *func, int *error) {
  *error = CU_INVALID_DEVICE_FUNCTION;
  for (struct image *i = cuda_lists()->images; i && func; i = i->next)
    for (struct kernel *k = i->kernels; k; k = k->next)
      if (k == func || k->host == func) {
        *error = kernel_prepare(k);
        return *error ? NULL : k;
      }
  return NULL;
}

int variable_find(const void *symbol, uint64_t *address, size_t *size) {
  for (struct image *i = cuda_lists()->images; i && symbol; i = i->next)
    for (struct variable *v = i->variables; v; v = v->next) {
      if (v->host != symbol && (!v->managed_at || *v->managed_at != symbol))
        continue;
      int error = image_load(i);
      uint64_t bytes;
      if (error)
        return error;
      if (!sim_symbol(i->module, v->name, address, &bytes))
        return CU_INVALID_SYMBOL;
      *size = (size_t)bytes;
      return CU_SUCCESS;
    }
  return CU_INVALID_SYMBOL;
}
