#include "lib_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void end(const char *what, const char *text) {
  printf("%s: %s\n", what, text ? text : "");
  exit(1);
}

static unsigned passed, failed;
void lib_count(bool ok) {
  if (ok)
    passed++;
  else
    failed++;
}
int lib_done(void) {
  printf("[  PASSED  ] %u test(s).\n", passed);
  if (failed)
    printf("[  FAILED  ] %u test(s).\n", failed);
  return failed > 0;
}

#ifndef LIB_ON_OPENCL
#include "front/exec.h"
#include "opencl/compile.h"

static void warned(void *ctx, const char *text) {
  unsigned *n = ctx;
  if (!(*n)++)
    printf("%s\n", text);
}

struct lib_program {
  struct devmem *mem;
  struct program *p;
  char *ptx;
  size_t bytes;
  FILE *printed;
  char *text;
  size_t ntext;
};

struct lib_program *lib_build(const char *source, const char *options) {
  struct lib_program *p = calloc(1, sizeof *p);
  char *log = NULL;
  struct error e = {0};
  if (!p || !ocl_compile(source, strlen(source), options, &p->ptx, &p->bytes, &log))
    end("not compiled", log);
  if (*log)
    fputs(log, stdout);
  free(log);
  struct devmem_options o = devmem_defaults();
  p->mem = devmem_create(&o);
  p->printed = open_memstream(&p->text, &p->ntext);
  struct ptx_module *m = ptx_parse(p->ptx, p->bytes, "kernel.ptx", &e);
  p->p = m ? program_load(m, p->mem, &e) : NULL;
  if (!p->p)
    end("not loaded", e.text);
  return p;
}

void lib_free(struct lib_program *p) {
  program_free(p->p);
  devmem_destroy(p->mem);
  free(p->ptx);
  fclose(p->printed);
  free(p->text);
  free(p);
}

char *lib_printed(struct lib_program *p) {
  fclose(p->printed);
  char *text = p->text;
  p->printed = open_memstream(&p->text, &p->ntext);
  return text;
}

bool lib_launch(struct lib_program *p, const char *kernel, struct lib_range r, unsigned nargs,
                const struct lib_arg *args) {
  struct error e = {0};
  const struct kernel_info *k = program_kernel(p->p, kernel, &e);
  if (!k || k->nparams != nargs)
    end(kernel, k ? "wrong number of arguments" : e.text);
  uint8_t *params = calloc(k->param_bytes + 8, 1);
  uint64_t addr[16] = {0};
  struct launch l = {.kernel = kernel, .params = params, .dims = r.dims};
  for (int d = 0; d < 3; d++) {
    l.offset[d] = r.offset[d];
    l.block[d] = r.local[d] ? r.local[d] : 1;
    l.grid[d] = (r.global[d] ? r.global[d] : 1) / l.block[d];
  }
  for (unsigned i = 0; i < nargs && params; i++) {
    const void *from = &addr[i];
    size_t bytes = 8;
    if (args[i].kind == LIB_BUFFER) {
      addr[i] = devmem_alloc(p->mem, args[i].bytes, "buffer", &e);
      devmem_write(p->mem, addr[i], args[i].data, args[i].bytes);
    } else if (args[i].kind == LIB_LOCAL) {
      addr[i] = (k->static_shared + 15) / 16 * 16 + l.dynamic_shared;
      l.dynamic_shared += (args[i].bytes + 15) / 16 * 16;
    } else {
      from = args[i].data, bytes = args[i].bytes;
    }
    memcpy(params + k->param_offset[i], from, bytes);
  }
  struct exec_options o = exec_defaults();
  unsigned warnings = 0;
  o.memcheck = MEMCHECK_WARN;
  o.warn = warned;
  o.printf_to = p->printed;
  o.warn_ctx = &warnings;
  struct exec *x = exec_open(p->p, p->mem, &l, &o, &e);
  struct sluice_segment seg;
  int more = x ? 1 : -1;
  while (more == 1)
    more = exec_next(x, &seg, &e);
  exec_close(x);
  if (more < 0)
    end(kernel, e.text);
  for (unsigned i = 0; i < nargs; i++)
    if (args[i].kind == LIB_BUFFER) {
      devmem_read(p->mem, addr[i], args[i].data, args[i].bytes);
      devmem_free(p->mem, addr[i]);
    }
  free(params);
  return !warnings;
}

#else
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

struct lib_program {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
};

static void check(cl_int e, const char *what) {
  char text[32];
  snprintf(text, sizeof text, "error %d", e);
  if (e)
    end(what, text);
}

struct lib_program *lib_build(const char *source, const char *options) {
  struct lib_program *p = calloc(1, sizeof *p);
  cl_platform_id platform;
  cl_int e;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &p->device, NULL), "device");
  p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &e);
  check(e, "context");
  p->queue = clCreateCommandQueue(p->context, p->device, 0, &e);
  check(e, "queue");
  p->program = clCreateProgramWithSource(p->context, 1, &source, NULL, &e);
  check(e, "program");
  if (clBuildProgram(p->program, 1, &p->device, options, NULL, NULL)) {
    static char log[1 << 16];
    clGetProgramBuildInfo(p->program, p->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    end("not compiled", log);
  }
  return p;
}

char *lib_printed(struct lib_program *p) {
  (void)p;
  return NULL;
}

void lib_free(struct lib_program *p) {
  clReleaseProgram(p->program);
  clReleaseCommandQueue(p->queue);
  clReleaseContext(p->context);
  free(p);
}

bool lib_launch(struct lib_program *p, const char *kernel, struct lib_range r, unsigned nargs,
                const struct lib_arg *args) {
  cl_int e;
  cl_mem mem[16] = {0};
  size_t offset[3], global[3], local[3];
  cl_kernel k = clCreateKernel(p->program, kernel, &e);
  check(e, kernel);
  for (unsigned i = 0; i < nargs; i++) {
    if (args[i].kind == LIB_BUFFER) {
      mem[i] = clCreateBuffer(p->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, args[i].bytes,
                              args[i].data, &e);
      check(e, "buffer");
      check(clSetKernelArg(k, i, sizeof mem[i], &mem[i]), "argument");
    } else {
      check(clSetKernelArg(k, i, args[i].bytes, args[i].data), "argument");
    }
  }
  for (int d = 0; d < 3; d++)
    offset[d] = r.offset[d], global[d] = r.global[d] ? r.global[d] : 1,
    local[d] = r.local[d] ? r.local[d] : 1;
  check(clEnqueueNDRangeKernel(p->queue, k, r.dims, offset, global, local, 0, NULL, NULL), kernel);
  check(clFinish(p->queue), kernel);
  for (unsigned i = 0; i < nargs; i++)
    if (mem[i]) {
      check(clEnqueueReadBuffer(p->queue, mem[i], CL_TRUE, 0, args[i].bytes, args[i].data, 0, NULL, NULL),
            "read");
      clReleaseMemObject(mem[i]);
    }
  clReleaseKernel(k);
  return true;
}
#endif
