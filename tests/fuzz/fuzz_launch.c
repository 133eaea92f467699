/* Any bytes as a launch file, or as a plan: refused with a message, or prepared, filled, compared and
 * written as a plan that reads back the same. Output files are never written. */
#include "base/mem.h"
#include "front/launch/launch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES (1 << 18)

static char folder[] = "/tmp/fuzz_launch.XXXXXX";
static const char *const names[] = {"k.ptx", "in.bin"};

static void path_of(char *path, size_t n, const char *name) {
  snprintf(path, n, "%s/%s", folder, name);
}

static void remove_folder(void) {
  char path[64];
  for (int i = 0; i < 2; i++) {
    path_of(path, sizeof path, names[i]);
    unlink(path);
  }
  rmdir(folder);
}

static void make_folder(void) {
  static int made;
  char path[64];
  if (made++)
    return;
  if (!mkdtemp(folder))
    abort();
  atexit(remove_folder);
  for (int i = 0; i < 2; i++) {
    path_of(path, sizeof path, names[i]);
    FILE *f = fopen(path, "wb");
    if (!f || fputs("12345678", f) < 0 || fclose(f) != 0)
      abort();
  }
}

static const uint32_t offsets[] = {0, 8, 12, 16, 24};
static const struct ptx_var params[] = {
    {.name = "p", .type = PTX_U64, .size = 8},
    {.name = "n", .type = PTX_U32, .size = 4},
    {.name = "f", .type = PTX_F32, .size = 4},
    {.name = "l", .type = PTX_U64, .size = 8, .ptr_space = PTX_SHARED, .ptr_align = 64},
    {.name = "s", .type = PTX_B8, .size = 12},
};
static const struct kernel_info kernel0 = {.name = "k0"}, kernel5 = {.name = "k",
                                                                     .nparams = 5,
                                                                     .params = params,
                                                                     .param_bytes = 36,
                                                                     .param_offset = offsets,
                                                                     .static_shared = 100,
                                                                     .maxntid = {256, 1, 1}};
static const struct kernel_info *const kernels[] = {&kernel0, &kernel5};

static bool is_small(const struct launch_file *f) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < f->nbuffers; i++) {
    if (f->buffers[i].bytes > MAX_BYTES)
      return false;
    bytes += f->buffers[i].bytes;
  }
  return bytes <= MAX_BYTES && f->nsteps < 100;
}

static char *plan_of(const struct launch_file *f, size_t *n) {
  char *data = NULL;
  struct error e = {0};
  FILE *to = open_memstream(&data, n);
  bool ok = launch_file_write_plan(f, to, &e);
  fclose(to);
  error_clear(&e);
  if (ok)
    return data;
  free(data); /* a file it names has gone or shrunk */
  return NULL;
}

static void through_a_plan(const struct launch_file *f) {
  size_t n, again;
  struct error e = {0};
  char *plan = plan_of(f, &n);
  if (!plan)
    return;
  struct launch_file *copy = launch_file_read_plan((const uint8_t *)plan, n, "x.plan", &e);
  if (!copy)
    abort();
  char *second = plan_of(copy, &again);
  if (!second || n != again || memcmp(plan, second, n) != 0)
    abort();
  launch_file_free(copy);
  free(plan);
  free(second);
}

static void use(const struct launch_file *f) {
  struct error e = {0};
  struct devmem *mem = devmem_create(NULL);
  struct launch_setup *s = launch_prepare(f, mem, kernels, 2, &e);
  if (!s != (e.code != 0))
    abort();
  for (size_t i = 0; s && i < f->nsteps; i++)
    if (f->steps[i].kind == STEP_FILL)
      launch_step_fill(s, i, &e);
    else if (f->steps[i].kind == STEP_CHECK)
      launch_step_check(s, i, &e);
  for (size_t i = 0; s && i < f->noutputs; i++) {
    const struct devbuf *d = devmem_find(mem, s->addr[f->outputs[i].buffer]);
    if (f->outputs[i].kind == OUTPUT_COMPARE && d)
      launch_output_check(f, i, d->host, folder, &e);
  }
  launch_setup_free(s);
  devmem_destroy(mem);
  error_clear(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char magic[] = "sluice-plan";
  struct error e = {0};
  char path[64];
  make_folder();
  path_of(path, sizeof path, "x.yaml");
  bool plan = size >= sizeof magic - 1 && memcmp(data, magic, sizeof magic - 1) == 0;
  struct launch_file *f = plan ? launch_file_read_plan(data, size, "x.plan", &e)
                               : launch_file_parse((const char *)data, size, path, &e);
  if (!f != (e.code != 0))
    abort();
  if (f && is_small(f)) {
    use(f);
    through_a_plan(f);
  }
  launch_file_free(f);
  error_clear(&e);
  return 0;
}
