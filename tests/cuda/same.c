/* y = a x + y, as a launch file runs it too: `same ptx` prints the kernel, `same` runs it. */
#include "own.h"

static const char ptx[] = ".version 6.0\n.target sm_30\n.address_size 64\n"
                          ".visible .entry saxpy(.param .u64 x, .param .u64 y, .param .u32 n) {\n"
                          ".reg .pred %q; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .f32 %f<3>;\n"
                          "ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y]; ld.param.u32 %r1, [n];\n"
                          "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
                          "mad.lo.s32 %r5, %r2, %r3, %r4; setp.ge.u32 %q, %r5, %r1; @%q ret;\n"
                          "mul.wide.u32 %d3, %r5, 4; add.s64 %d1, %d1, %d3; add.s64 %d2, %d2, %d3;\n"
                          "ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d2];\n"
                          "fma.rn.f32 %f2, %f1, 0f40000000, %f2; st.global.f32 [%d2], %f2; ret; }\n";
static char stub;

int main(int argc, char **argv) {
  enum { N = 5000 };
  unsigned n = N;
  float *x, *y, host[N];
  void *params[] = {&x, &y, &n};
  if (argc > 1 && strcmp(argv[1], "ptx") == 0) {
    fputs(ptx, stdout);
    return 0;
  }
  register_kernel(register_fat(fat_binary(ptx, LZ4, 30, false)), &stub, "saxpy");
  for (int i = 0; i < N; i++)
    host[i] = 1;
  SAME(cudaMalloc((void **)&x, sizeof host), 0);
  SAME(cudaMalloc((void **)&y, sizeof host), 0);
  SAME(cudaMemcpy(x, host, sizeof host, H2D), 0);
  SAME(cudaMemcpy(y, host, sizeof host, H2D), 0);
  SAME(cudaLaunchKernel(&stub, (dim3){(N + 127) / 128, 1, 1}, (dim3){128, 1, 1}, params, 0, NULL), 0);
  SAME(cudaMemcpy(host, y, sizeof host, D2H), 0);
  CHECK(host[N - 1] == 3);
  return failures ? 1 : 0;
}
