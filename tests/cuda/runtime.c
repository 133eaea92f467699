/* Rules of CUDA's runtime, on PTX of our own in fat binaries of every packing. */
#include "own.h"

static const char scale_ptx[] =
    ".version 6.0\n.target sm_30\n.address_size 64\n"
    ".visible .const .align 4 .b8 factor[8];\n"
    ".visible .global .align 4 .u32 count;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 seen;\n"
    ".visible .entry scale(.param .u64 p, .param .u32 n) {\n"
    ".reg .pred %q; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .f32 %f<3>;\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4; setp.ge.u32 %q, %r5, %r1; @%q ret;\n"
    "cvta.to.global.u64 %d1, %d1; mul.wide.u32 %d2, %r5, 4; add.s64 %d1, %d1, %d2;\n"
    "ld.global.f32 %f1, [%d1]; ld.const.f32 %f2, [factor+4]; mul.f32 %f1, %f1, %f2;\n"
    "st.global.f32 [%d1], %f1; atom.global.add.u32 %r6, [count], 1;\n"
    "st.global.u32 [seen], %r1; ret; }\n"
    ".visible .entry shared(.param .u64 p) .maxntid 64, 1, 1 {\n"
    ".reg .b32 %r<4>; .reg .b64 %d<4>; .shared .align 4 .b8 own[1024];\n"
    "ld.param.u64 %d1, [p]; cvta.to.global.u64 %d1, %d1;\n"
    "mov.u32 %r1, %dynamic_smem_size; st.global.u32 [%d1], %r1; ret; }\n";
/* two parts of relocatable code: each has a local `own`, one defines what the other declares */
static const char part_a[] =
    ".version 6.0\n.target sm_30\n.address_size 64\n"
    ".extern .func (.param .b32 out) twice(.param .b32 in);\n"
    ".extern .global .align 4 .u32 bias;\n.global .align 4 .u32 own = 100;\n"
    ".visible .entry joined(.param .u64 p) { .reg .b32 %r<6>; .reg .b64 %d<3>;\n"
    "ld.param.u64 %d1, [p]; cvta.to.global.u64 %d1, %d1; ld.global.u32 %r1, [%d1];\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n"
    "call.uni (b), twice, (a); ld.param.b32 %r2, [b]; }\n"
    "ld.global.u32 %r3, [bias]; add.s32 %r2, %r2, %r3;\n"
    "ld.global.u32 %r4, [own]; add.s32 %r2, %r2, %r4; st.global.u32 [%d1], %r2; ret; }\n";
static const char part_b[] = ".version 6.3\n.target sm_50\n.address_size 64\n"
                             ".global .align 4 .u32 own = 5000;\n.visible .global .align 4 .u32 bias = 7;\n"
                             ".visible .func (.param .b32 out) twice(.param .b32 in) { .reg .b32 %r<4>;\n"
                             "ld.param.b32 %r1, [in]; add.s32 %r1, %r1, %r1; ld.global.u32 %r2, [own];\n"
                             "add.s32 %r1, %r1, %r2; st.param.b32 [out], %r1; ret; }\n";

static char scale_stub[3], shared_stub, joined_stub, machine_stub, parent_stub, factor_shadow, count_shadow;
static unsigned *seen;

enum { N = 1000 };

static int run_scale(int which, float *device, unsigned n, void *stream) {
  void *params[] = {&device, &n};
  dim3 grid = {(n + 255) / 256, 1, 1}, block = {256, 1, 1};
  size_t shared;
  void *popped;
  SAME(__cudaPushCallConfiguration(grid, block, 0, stream), 0);
  SAME(__cudaPopCallConfiguration(&grid, &block, &shared, &popped), 0);
  return cudaLaunchKernel(&scale_stub[which], grid, block, params, shared, popped);
}

static void kernels_of_every_packing_run(void) {
  float host[N], factor[2] = {9, 3}, *device;
  unsigned count;
  SAME(cudaMalloc((void **)&device, sizeof host), 0);
  for (int how = 0; how < 3; how++) {
    for (int i = 0; i < N; i++)
      host[i] = (float)i;
    SAME(cudaMemcpy(device, host, sizeof host, H2D), 0);
    if (how == 0)
      SAME(cudaMemcpyToSymbol(&factor_shadow, factor, sizeof factor, 0, H2D), 0);
    SAME(run_scale(how, device, N, NULL), 0);
    SAME(cudaDeviceSynchronize(), 0);
    SAME(cudaMemcpy(host, device, sizeof host, D2H), 0);
    float wanted = how == 0 ? 3.f * (N - 1) : 0; /* each image has variables of its own; the others' are 0 */
    CHECK(host[N - 1] == wanted);
  }
  SAME(cudaMemcpyFromSymbol(&count, &count_shadow, sizeof count, 0, D2H), 0);
  SAME(count, N);
  SAME(cudaFree(device), 0);
}

static void symbols_are_checked(void) {
  float x[3] = {0};
  SAME(cudaMemcpyToSymbol(&factor_shadow, x, 12, 0, H2D), 1);
  SAME(cudaMemcpyToSymbol(&factor_shadow, x, 4, 8, H2D), 1);
  SAME(cudaMemcpyToSymbol(x, x, 4, 0, H2D), 13);
  SAME(cudaGetLastError(), 13);
  SAME(cudaGetLastError(), 0);
}

static void managed_variables_are_one_for_both_sides(void) {
  float *device;
  CHECK(__cudaInitModule(NULL));
  CHECK(seen != NULL);
  *seen = 1;
  SAME(cudaMalloc((void **)&device, 400), 0);
  SAME(run_scale(0, device, 77, NULL), 0);
  SAME(cudaDeviceSynchronize(), 0);
  SAME(*seen, 77);
  SAME(cudaFree(device), 0);
}

static void managed_pinned_and_registered_memory_serve_kernels(void) {
  float *managed, *pinned, *mine = malloc(400), factor[2] = {0, 2};
  SAME(cudaMallocManaged((void **)&managed, 400, 1), 0);
  SAME(cudaMallocHost((void **)&pinned, 400), 0);
  SAME(cudaHostRegister(mine, 400, 0), 0);
  SAME(cudaHostRegister(mine, 400, 0), 712);
  SAME(cudaMemcpyToSymbol(&factor_shadow, factor, 8, 0, H2D), 0);
  for (int i = 0; i < 100; i++)
    managed[i] = pinned[i] = mine[i] = (float)i;
  SAME(run_scale(0, managed, 100, NULL), 0);
  SAME(run_scale(0, pinned, 100, NULL), 0);
  SAME(run_scale(0, mine, 100, NULL), 0);
  SAME(cudaDeviceSynchronize(), 0);
  CHECK(managed[99] == 198 && pinned[99] == 198 && mine[99] == 198);
  SAME(cudaFree(managed), 0);
  SAME(cudaFreeHost(pinned), 0);
  SAME(cudaFreeHost(pinned), 1);
  SAME(cudaHostUnregister(mine), 0);
  SAME(cudaHostUnregister(mine), 713);
  free(mine);
}

static void relocatable_parts_are_joined_by_name(void) {
  unsigned *device, value = 4;
  void *params[] = {&device};
  SAME(cudaMalloc((void **)&device, 4), 0);
  SAME(cudaMemcpy(device, &value, 4, H2D), 0);
  SAME(cudaLaunchKernel(&joined_stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, params, 0, NULL), 0);
  SAME(cudaMemcpy(&value, device, 4, D2H), 0);
  SAME(value, 2 * 4 + 5000 + 7 + 100);
  SAME(cudaFree(device), 0);
}

static void machine_code_alone_is_refused(void) {
  SAME(cudaLaunchKernel(&machine_stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL), 209);
  SAME(cudaGetLastError(), 209);
}

static void kernels_that_launch_kernels_are_refused(void) {
  SAME(cudaLaunchKernel(&parent_stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL), 218);
  SAME(cudaGetLastError(), 218);
}

static void launches_are_checked(void) {
  unsigned *device, value = 0;
  void *params[] = {&device};
  dim3 one = {1, 1, 1};
  SAME(cudaMalloc((void **)&device, 4), 0);
  SAME(cudaLaunchKernel(&shared_stub, one, one, params, 4096, NULL), 0);
  SAME(cudaMemcpy(&value, device, 4, D2H), 0);
  SAME(value, 4096);
  SAME(cudaLaunchKernel(&shared_stub, (dim3){0, 1, 1}, one, params, 0, NULL), 9);
  SAME(cudaLaunchKernel(&shared_stub, one, (dim3){2048, 1, 1}, params, 0, NULL), 9);
  SAME(cudaLaunchKernel(&shared_stub, one, (dim3){1, 1, 65}, params, 0, NULL), 9);
  SAME(cudaLaunchKernel(&shared_stub, one, (dim3){128, 1, 1}, params, 0, NULL), 701); /* .maxntid 64 */
  SAME(cudaLaunchKernel(&shared_stub, one, one, params, 48 << 10, NULL), 1); /* with its own 1024 bytes */
  SAME(cudaLaunchKernel(&value, one, one, params, 0, NULL), 98);
  SAME(cudaLaunchKernel(&shared_stub, one, one, params, 0, &value), 400);
  SAME(cudaGetLastError(), 400);
  SAME(cudaFree(device), 0);
}

static void memory_is_checked(void) {
  char *device, host[64];
  SAME(cudaMalloc((void **)&device, 64), 0);
  SAME(cudaMemcpy(device, host, 65, H2D), 1);
  SAME(cudaMemcpy(device + 60, host, 5, H2D), 1);
  SAME(cudaMemcpy(host, host, 4, H2D), 1);
  SAME(cudaMemcpy(device, host, 4, 9), 21);
  SAME(cudaMemcpy(NULL, host, 4, H2D), 1);
  SAME(cudaMemset(device, 1, 65), 1);
  SAME(cudaFree(device + 1), 1);
  SAME(cudaFree(device), 0);
  SAME(cudaFree(device), 1); /* twice */
  SAME(cudaFree(NULL), 0);
  SAME(cudaMemcpy(device, host, 4, H2D), 1); /* after it was freed */
  SAME(cudaMalloc((void **)&device, (size_t)1 << 50), 2);
  SAME(cudaGetLastError(), 2);
  SAME(cudaSetDevice(1), 101);
  CHECK(strcmp(cudaGetErrorName(101), "cudaErrorInvalidDevice") == 0);
  CHECK(strcmp(cudaGetErrorString(2), "out of memory") == 0);
}

static void boxes_are_copied_row_by_row(void) {
  uint8_t host[6][10], back[6][7];
  char *device;
  size_t pitch;
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 10; x++)
      host[y][x] = (uint8_t)(16 * y + x);
  SAME(cudaMallocPitch((void **)&device, &pitch, 7, 6), 0);
  CHECK(pitch >= 7 && pitch % 32 == 0);
  SAME(cudaMemcpy2D(device, pitch, host, 10, 7, 6, H2D), 0);
  SAME(cudaMemcpy2D(back, 7, device, pitch, 7, 6, D2H), 0);
  SAME(back[5][6], 16 * 5 + 6);
  SAME(cudaMemcpy2D(device, 5, host, 10, 7, 6, H2D), 12);
  SAME(cudaFree(device), 0);
  uint16_t cube[3][4][5], out[2][2][5];
  for (int i = 0; i < 60; i++)
    ((uint16_t *)cube)[i] = (uint16_t)i;
  pitched d;
  SAME(cudaMalloc3D(&d, (extent){10, 4, 3}), 0);
  copy3d c = {.src = {cube, 10, 5, 4}, .dst = d, .extent = {10, 4, 3}, .kind = H2D};
  SAME(cudaMemcpy3D(&c), 0);
  c = (copy3d){.src = d, .src_pos = {0, 1, 1}, .dst = {out, 10, 5, 2}, .extent = {10, 2, 2}, .kind = D2H};
  SAME(cudaMemcpy3D(&c), 0);
  SAME(out[0][0][0], cube[1][1][0]);
  SAME(out[1][1][4], cube[2][2][4]);
  SAME(cudaFree(d.ptr), 0);
}

static void events_measure_simulated_time(void) {
  void *a, *b, *s;
  float ms = -1, *device;
  SAME(cudaEventCreate(&a), 0);
  SAME(cudaEventCreate(&b), 0);
  SAME(cudaStreamCreate(&s), 0);
  SAME(cudaEventElapsedTime(&ms, a, b), 400); /* not recorded */
  SAME(cudaMalloc((void **)&device, 8 << 20), 0);
  char *host = calloc(1, 8 << 20);
  SAME(cudaEventRecord(a, s), 0);
  SAME(cudaMemcpyAsync(device, host, 8 << 20, H2D, s), 0);
  SAME(cudaEventRecord(b, s), 0);
  SAME(cudaEventSynchronize(b), 0);
  SAME(cudaEventElapsedTime(&ms, a, b), 0);
  CHECK(ms > 1.04 && ms < 1.06); /* 8 MiB at 8 GB/s, host.bandwidth's default */
  SAME(cudaStreamDestroy(s), 0);
  SAME(cudaStreamDestroy(s), 400);
  SAME(cudaFree(device), 0);
  free(host);
  (void)cudaGetLastError();
}

static void a_captured_graph_replays(void) {
  void *s, *t, *fork, *join, *graph, *exec;
  float host[2], factor[2] = {0, 2}, *device;
  SAME(cudaStreamCreate(&s), 0);
  SAME(cudaStreamCreate(&t), 0);
  SAME(cudaEventCreate(&fork), 0);
  SAME(cudaEventCreate(&join), 0);
  SAME(cudaMalloc((void **)&device, 8), 0);
  SAME(cudaMemcpyToSymbol(&factor_shadow, factor, 8, 0, H2D), 0);
  host[0] = host[1] = 1;
  SAME(cudaMemcpy(device, host, 8, H2D), 0);
  SAME(cudaStreamBeginCapture(s, 0), 0);
  SAME(run_scale(0, device, 2, s), 0);
  SAME(cudaEventRecord(fork, s), 0);
  SAME(cudaStreamWaitEvent(t, fork, 0), 0);
  SAME(run_scale(0, device, 1, t), 0);
  SAME(cudaEventRecord(join, t), 0);
  SAME(cudaStreamWaitEvent(s, join, 0), 0);
  SAME(cudaStreamSynchronize(s), 900);
  (void)cudaGetLastError();
  SAME(cudaMemcpyAsync(host, device, 8, D2H, s), 0);
  SAME(cudaStreamEndCapture(s, &graph), 0);
  CHECK(host[0] == 1); /* nothing ran yet */
  SAME(cudaGraphInstantiate(&exec, graph, 0), 0);
  SAME(cudaGraphDestroy(graph), 0);
  for (int i = 0; i < 3; i++)
    SAME(cudaGraphLaunch(exec, s), 0);
  SAME(cudaStreamSynchronize(s), 0);
  CHECK(host[0] == 64 && host[1] == 8); /* by 4 and by 2, three times */
  SAME(cudaGraphExecDestroy(exec), 0);
  SAME(cudaFree(device), 0);
}

static void the_device_is_the_simulated_gpu(void) {
  int sms, threads, warp, blocks;
  SAME(cudaDeviceGetAttribute(&sms, 16, 0), 0);
  SAME(cudaDeviceGetAttribute(&threads, 39, 0), 0);
  SAME(cudaDeviceGetAttribute(&warp, 10, 0), 0);
  SAME(sms, 15); /* GTX480 */
  SAME(threads, 1536);
  SAME(warp, 32);
  SAME(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub[0], 256, 0), 0);
  SAME(blocks, 6); /* 1536 threads */
  SAME(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &shared_stub, 64, 15 << 10), 0);
  SAME(blocks, 3); /* 48 KB of shared memory by 16 */
}

static void a_reset_begins_anew(void) {
  char *device;
  unsigned count;
  SAME(cudaMalloc((void **)&device, 64), 0);
  SAME(cudaDeviceReset(), 0);
  SAME(cudaFree(device), 1);
  SAME(cudaMemcpyFromSymbol(&count, &count_shadow, 4, 0, D2H), 0);
  SAME(count, 0);
  (void)cudaGetLastError();
}

int main(void) {
  for (int how = 0; how < 3; how++) {
    void **h = register_fat(fat_binary(scale_ptx, (enum packing)how, 30, false));
    register_kernel(h, &scale_stub[how], "scale");
    if (how == 0) {
      register_kernel(h, &shared_stub, "shared");
      __cudaRegisterVar(h, &factor_shadow, NULL, "factor", 0, 8, 1, 0);
      __cudaRegisterVar(h, &count_shadow, NULL, "count", 0, 4, 0, 0);
      __cudaRegisterManagedVar(h, (void **)&seen, NULL, "seen", 0, 4, 0, 0);
    }
    __cudaRegisterFatBinaryEnd(h);
  }
  const void *parts[] = {fat_binary(part_a, ZSTD, 30, false), fat_binary(part_b, LZ4, 50, false), NULL};
  struct wrapper joined = {0x466243b1, 2, parts[0], parts};
  register_kernel(__cudaRegisterFatBinary(&joined), &joined_stub, "joined");
  register_kernel(register_fat(fat_binary("", PLAIN, 80, true)), &machine_stub, "machine");
  register_kernel(
      register_fat(fat_binary(".version 6.0\n.target sm_30\n.address_size 64\n"
                              ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p);\n"
                              ".visible .entry parent() { ret; }\n",
                              PLAIN, 30, false)),
      &parent_stub, "parent");
  RULE(kernels_of_every_packing_run);
  RULE(symbols_are_checked);
  RULE(managed_variables_are_one_for_both_sides);
  RULE(managed_pinned_and_registered_memory_serve_kernels);
  RULE(relocatable_parts_are_joined_by_name);
  RULE(machine_code_alone_is_refused);
  RULE(kernels_that_launch_kernels_are_refused);
  RULE(launches_are_checked);
  RULE(memory_is_checked);
  RULE(boxes_are_copied_row_by_row);
  RULE(events_measure_simulated_time);
  RULE(a_captured_graph_replays);
  RULE(the_device_is_the_simulated_gpu);
  RULE(a_reset_begins_anew);
  return failures ? 1 : 0;
}
