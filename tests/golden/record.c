/* Runs the kernels of gen.c's manifest on the GPU and writes their outputs:
 *   per row: mnemonic, NUL, u16 vectors, u8 bytes of d, u8 outputs (1 or 2), little endian,
 *            then every d, then (outputs == 2) a byte per vector: q of setp, or the carry flag.
 * usage: record DIR OUTPUT, with DIR/manifest and DIR/mN.cubin */
#include "vectors.h"
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static void check(CUresult r, const char *what) {
  if (r == CUDA_SUCCESS)
    return;
  const char *text = "?";
  cuGetErrorString(r, &text);
  fprintf(stderr, "%s: %s\n", what, text);
  exit(1);
}

enum { SOURCES = 9 }; /* four sources; the ninth slot is the carry flag */

struct row {
  unsigned module, kernel, outputs, bytes, nsrc, type[4];
  char mnemonic[96];
};

static int read_row(FILE *f, struct row *r) {
  if (fscanf(f, "%u %u %95s %u %u %u", &r->module, &r->kernel, r->mnemonic, &r->outputs, &r->bytes,
             &r->nsrc) != 6)
    return 0;
  for (unsigned s = 0; s < r->nsrc; s++)
    if (fscanf(f, "%u", &r->type[s]) != 1)
      return 0;
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  static uint64_t in[SOURCES][GOLDEN_MAX], out[2][GOLDEN_MAX];
  char path[512];
  snprintf(path, sizeof path, "%s/manifest", argv[1]);
  FILE *list = fopen(path, "r"), *to = fopen(argv[2], "wb");
  if (!list || !to)
    return 1;

  CUdevice dev;
  CUcontext ctx;
  CUdeviceptr din, dout;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&dev, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&ctx, dev), "context");
  check(cuCtxSetCurrent(ctx), "context");
  check(cuMemAlloc(&din, sizeof in), "cuMemAlloc");
  check(cuMemAlloc(&dout, sizeof out), "cuMemAlloc");

  CUmodule module = NULL;
  unsigned loaded = ~0u;
  for (struct row r; read_row(list, &r);) {
    if (r.module != loaded) {
      if (module)
        check(cuModuleUnload(module), "unload");
      snprintf(path, sizeof path, "%s/m%u.cubin", argv[1], r.module);
      check(cuModuleLoad(&module, path), path);
      loaded = r.module;
    }
    const unsigned n = golden_count(r.mnemonic);
    for (unsigned k = 0; k < GOLDEN_MAX; k++) {
      for (unsigned s = 0; s < r.nsrc; s++)
        in[s][k] = golden_source(r.mnemonic, (enum ptx_type)r.type[s], s, r.nsrc, k);
      in[SOURCES - 1][k] = golden_carry(k);
    }
    char name[16];
    snprintf(name, sizeof name, "k%u", r.kernel);
    CUfunction fn;
    void *args[] = {&din, &dout};
    check(cuModuleGetFunction(&fn, module, name), r.mnemonic);
    check(cuMemcpyHtoD(din, in, sizeof in), r.mnemonic);
    check(cuMemsetD8(dout, 0, sizeof out), r.mnemonic);
    check(cuLaunchKernel(fn, 1, 1, 1, n, 1, 1, 0, NULL, args, NULL), r.mnemonic);
    check(cuCtxSynchronize(), r.mnemonic);
    check(cuMemcpyDtoH(out, dout, sizeof out), r.mnemonic);

    fwrite(r.mnemonic, 1, strlen(r.mnemonic) + 1, to);
    const uint8_t head[4] = {(uint8_t)n, (uint8_t)(n >> 8), (uint8_t)r.bytes, (uint8_t)r.outputs};
    fwrite(head, 1, sizeof head, to);
    for (unsigned k = 0; k < n; k++)
      fwrite(&out[0][k], 1, r.bytes, to);
    for (unsigned k = 0; k < n && r.outputs == 2; k++)
      fwrite(&out[1][k], 1, 1, to);
  }
  fclose(list);
  return fclose(to) != 0;
}
