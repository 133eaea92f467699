/* Kernels that do wrong, one each run: what the program gets told. */
#include "own.h"

static const char ptx[] = ".version 6.0\n.target sm_30\n.address_size 64\n"
                          ".visible .entry store(.param .u64 p) { .reg .b64 %d<3>; .reg .b32 %r<2>;\n"
                          "ld.param.u64 %d1, [p]; mov.u32 %r1, 1; st.global.u32 [%d1], %r1; ret; }\n"
                          ".visible .entry trap(.param .u64 p) { trap; }\n";
static char store_stub, trap_stub;

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  void **h = register_fat(fat_binary(ptx, PLAIN, 30, false));
  register_kernel(h, &store_stub, "store");
  register_kernel(h, &trap_stub, "trap");
  char *p = NULL, host[8];
  void *params[] = {&p};
  cudaMalloc((void **)&p, 64);
  char *device = p;
  if (strcmp(what, "null") == 0)
    p = NULL;
  else if (strcmp(what, "host") == 0)
    p = host;
  else if (strcmp(what, "end") == 0)
    p += 64;
  else if (strcmp(what, "freed") == 0)
    cudaFree(p);
  else if (strcmp(what, "misaligned") == 0)
    p += 2;
  const void *stub = strcmp(what, "trap") == 0 ? &trap_stub : &store_stub;
  printf("launch %d\n", cudaLaunchKernel(stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, params, 0, NULL));
  printf("last %d\n", cudaGetLastError());
  printf("synchronise %d\n", cudaDeviceSynchronize());
  printf("later %d\n", cudaMemset(device, 0, 4));
  if (strcmp(what, "missing") == 0)
    printf("missing %d\n", cudaMallocMipmappedArray());
  return 0;
}
