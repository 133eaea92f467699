/* Kernels that do wrong, one each run: what the program gets told. */
#include "own.h"

static const char ptx[] = ".version 6.0\n.target sm_30\n.address_size 64\n"
                          ".visible .entry store(.param .u64 p) { .reg .b64 %d<3>; .reg .b32 %r<2>;\n"
                          "ld.param.u64 %d1, [p]; mov.u32 %r1, 1; st.global.u32 [%d1], %r1; ret; }\n"
                          ".visible .entry trap(.param .u64 p) { trap; }\n";
static char store_stub, trap_stub, refused_stub;

/* Instructions that are not there, each in a kernel of its own. */
static const struct {
  const char *what, *text;
} refused[] = {
    {"wgmma", "wgmma.fence.sync.aligned;"},
    {"tensormap", "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [s], "
                  "[%d1, {%r1, %r2}], [s];"},
    {"fp8", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f0,%f1,%f2,%f3}, "
            "{%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};"},
    {"sparse", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, "
               "{%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, {%f0,%f1,%f2,%f3}, %r8, 0x0;"},
};
static int refuse(const char *what) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (strcmp(refused[i].what, what) == 0) {
      static char text[2048];
      void *p = NULL, *params[] = {&p};
      snprintf(
          text, sizeof text,
          ".version 8.3\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .f32 "
          "%%f<8>; .reg .b32 %%r<16>; .reg .b64 %%d<8>;\n.shared .align 128 .b8 s[64];\n%s\nret; }\n",
          refused[i].text);
      register_kernel(register_fat(fat_binary(text, ZSTD, 90, false)), &refused_stub, "k");
      printf("launch %d\n",
             cudaLaunchKernel(&refused_stub, (dim3){1, 1, 1}, (dim3){128, 1, 1}, params, 0, NULL));
      printf("synchronise %d\n", cudaDeviceSynchronize());
      return 0;
    }
  return 1;
}
/* More threads than a block can have; more shared memory; a grid of nothing; freed twice; a size beyond the buffer. */
static int wrong_arguments(void) {
  char *p, host[128] = {0};
  void *params[] = {&p};
  cudaMalloc((void **)&p, 64);
  printf("threads %d\n", cudaLaunchKernel(&store_stub, (dim3){1, 1, 1}, (dim3){2048, 1, 1}, params, 0, NULL));
  printf("shared %d\n",
         cudaLaunchKernel(&store_stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, params, 1 << 24, NULL));
  printf("grid %d\n", cudaLaunchKernel(&store_stub, (dim3){0, 1, 1}, (dim3){1, 1, 1}, params, 0, NULL));
  printf("beyond %d\n", cudaMemcpy(p, host, 65, H2D));
  printf("kind %d\n", cudaMemcpy(p, host, 64, 7));
  printf("null %d\n", cudaMemcpy(NULL, host, 64, H2D));
  printf("fill %d\n", cudaMemset(p + 32, 0, 33));
  printf("inside %d\n", cudaFree(p + 8));
  printf("free %d\n", cudaFree(p));
  printf("twice %d\n", cudaFree(p));
  printf("stale %d\n", cudaMemcpy(host, p, 4, D2H));
  printf("host %d\n", cudaFree(host));
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (argc > 2 && strcmp(what, "refuse") == 0)
    return refuse(argv[2]);
  void **h = register_fat(fat_binary(ptx, PLAIN, 30, false));
  register_kernel(h, &store_stub, "store");
  register_kernel(h, &trap_stub, "trap");
  if (strcmp(what, "arguments") == 0)
    return wrong_arguments();
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
