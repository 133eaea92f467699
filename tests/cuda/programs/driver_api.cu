// The driver API: modules, libraries, linking, copies in three dimensions, memory by parts, graphs, contexts that move between threads.
#include <cuda.h>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>
#define OK(c)                                                                                                \
  do {                                                                                                       \
    CUresult e_ = (c);                                                                                       \
    if (e_) {                                                                                                \
      const char *s_;                                                                                        \
      cuGetErrorName(e_, &s_);                                                                               \
      printf("FAILED line %d: %s -> %s\n", __LINE__, #c, s_);                                                \
      bad++;                                                                                                 \
    }                                                                                                        \
  } while (0)
#include "count.cuh"
static const char *ptx =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 counter = 5;\n"
    ".visible .entry add(.param .u64 p, .param .u32 by, .param .u32 n) {\n .reg .pred %q; .reg .b32 %r<6>; "
    ".reg .b64 %a<4>;\n ld.param.u64 %a1, [p]; ld.param.u32 %r1, [by]; ld.param.u32 %r5, [n]; mov.u32 %r2, "
    "%ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r2, %r2, %r3, %r4;\n setp.ge.u32 %q, "
    "%r2, %r5; @%q ret; mul.wide.u32 %a2, %r2, 4; add.u64 %a1, %a1, %a2; ld.global.u32 %r3, [%a1]; add.u32 "
    "%r3, %r3, %r1; st.global.u32 [%a1], %r3; ret; }\n";
static void thread(CUcontext c, CUfunction f, CUdeviceptr d) {
  OK(cuCtxPushCurrent(c));
  int by = 1, n = 1000;
  void *a[] = {&d, &by, &n};
  OK(cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, 0, a, 0));
  OK(cuCtxSynchronize());
  CUcontext p;
  OK(cuCtxPopCurrent(&p));
  CHECK(p == c);
}
int main() {
  OK(cuInit(0));
  CUdevice dev;
  OK(cuDeviceGet(&dev, 0));
  CUcontext ctx;
#if CUDA_VERSION >= 13000
  OK(cuCtxCreate(&ctx, nullptr, 0, dev));
#else
  OK(cuCtxCreate(&ctx, 0, dev));
#endif
  CUmodule m;
  OK(cuModuleLoadDataEx(&m, ptx, 0, 0, 0));
  CUfunction f;
  OK(cuModuleGetFunction(&f, m, "add"));
  CUdeviceptr d, g;
  size_t gb;
  OK(cuModuleGetGlobal(&g, &gb, m, "counter"));
  int v;
  OK(cuMemcpyDtoH(&v, g, 4));
  CHECK(v == 5 && gb == 4);
  OK(cuMemAlloc(&d, 4000));
  OK(cuMemsetD32(d, 10, 1000));
  std::thread t(thread, ctx, f, d);
  t.join();
  CUlaunchConfig lc = {};
  lc.gridDimX = 4;
  lc.gridDimY = lc.gridDimZ = 1;
  lc.blockDimX = 256;
  lc.blockDimY = lc.blockDimZ = 1;
  int by = 2, n = 1000;
  void *a[] = {&d, &by, &n};
  OK(cuLaunchKernelEx(&lc, f, a, nullptr));
  OK(cuMemcpyDtoH(&v, d + 3996, 4));
  CHECK(v == 13);
  // old launches
  OK(cuFuncSetBlockShape(f, 256, 1, 1));
  OK(cuParamSetv(f, 0, &d, 8));
  OK(cuParamSeti(f, 8, 100));
  OK(cuParamSeti(f, 12, 1000));
  OK(cuParamSetSize(f, 16));
  OK(cuLaunchGrid(f, 4, 1));
  OK(cuMemcpyDtoH(&v, d, 4));
  CHECK(v == 113);
  // libraries
  CUlibrary lib;
  CUkernel k;
  OK(cuLibraryLoadData(&lib, ptx, 0, 0, 0, 0, 0, 0));
  OK(cuLibraryGetKernel(&k, lib, "add"));
  unsigned cnt;
  OK(cuLibraryGetKernelCount(&cnt, lib));
  CHECK(cnt == 1);
  size_t off, sz;
  OK(cuKernelGetParamInfo(k, 1, &off, &sz));
  CHECK(off == 8 && sz == 4);
  OK(cuLaunchKernel((CUfunction)k, 4, 1, 1, 256, 1, 1, 0, 0, a, 0));
  OK(cuMemcpyDtoH(&v, d, 4));
  CHECK(v == 115);
  int regs;
  OK(cuKernelGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, k, dev));
  CHECK(regs > 0);
  OK(cuLibraryUnload(lib));
  // linking
  CUlinkState ls;
  void *cub;
  size_t cb;
  OK(cuLinkCreate(0, 0, 0, &ls));
  OK(cuLinkAddData(ls, CU_JIT_INPUT_PTX, (void *)ptx, strlen(ptx) + 1, "p", 0, 0, 0));
  OK(cuLinkComplete(ls, &cub, &cb));
  CUmodule m2;
  OK(cuModuleLoadData(&m2, cub));
  OK(cuLinkDestroy(ls));
  OK(cuModuleUnload(m2));
  // three dimensions
  const size_t W = 16, H = 5, D = 3;
  std::vector<int> h(W * H * D), b(W * H * D);
  for (size_t i = 0; i < h.size(); i++)
    h[i] = (int)i;
  CUdeviceptr p;
  size_t pitch;
  OK(cuMemAllocPitch(&p, &pitch, W * 4, H * D, 4));
  CUDA_MEMCPY3D c = {};
  c.srcMemoryType = CU_MEMORYTYPE_HOST;
  c.srcHost = h.data();
  c.srcPitch = W * 4;
  c.srcHeight = H;
  c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  c.dstDevice = p;
  c.dstPitch = pitch;
  c.dstHeight = H;
  c.WidthInBytes = W * 4;
  c.Height = H;
  c.Depth = D;
  OK(cuMemcpy3D(&c));
  CUDA_ARRAY3D_DESCRIPTOR ad = {};
  ad.Width = W;
  ad.Height = H;
  ad.Depth = D;
  ad.Format = CU_AD_FORMAT_SIGNED_INT32;
  ad.NumChannels = 1;
  CUarray ar;
  OK(cuArray3DCreate(&ar, &ad));
  CUDA_MEMCPY3D e = {};
  e.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  e.srcDevice = p;
  e.srcPitch = pitch;
  e.srcHeight = H;
  e.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  e.dstArray = ar;
  e.WidthInBytes = W * 4;
  e.Height = H;
  e.Depth = D;
  OK(cuMemcpy3DAsync(&e, 0));
  CUDA_MEMCPY3D r = {};
  r.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  r.srcArray = ar;
  r.srcXInBytes = 4;
  r.srcY = 1;
  r.srcZ = 1;
  r.dstMemoryType = CU_MEMORYTYPE_HOST;
  r.dstHost = b.data();
  r.dstPitch = W * 4;
  r.dstHeight = H;
  r.WidthInBytes = 8;
  r.Height = 2;
  r.Depth = 2;
  OK(cuMemcpy3D(&r));
  CHECK(b[0] == (int)(W * H + W + 1) && b[1] == b[0] + 1 && b[W] == b[0] + (int)W &&
        b[W * H] == b[0] + (int)(W * H));
  OK(cuArrayDestroy(ar));
  OK(cuMemsetD2D16(p, pitch, 7, 8, 2));
  short s16;
  OK(cuMemcpyDtoH(&s16, p + pitch + 14, 2));
  CHECK(s16 == 7);
  // memory by parts
  int vmm;
  OK(cuDeviceGetAttribute(&vmm, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, dev));
  CHECK(vmm == 1);
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t gran;
  OK(cuMemGetAllocationGranularity(&gran, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr va;
  OK(cuMemAddressReserve(&va, 2 * gran, 0, 0, 0));
  CUmemGenericAllocationHandle h1, h2;
  OK(cuMemCreate(&h1, gran, &prop, 0));
  OK(cuMemCreate(&h2, gran, &prop, 0));
  OK(cuMemMap(va, gran, 0, h1, 0));
  OK(cuMemMap(va + gran, gran, 0, h2, 0));
  CUmemAccessDesc acc = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(va, 2 * gran, &acc, 1));
  OK(cuMemsetD32(va, 1, gran / 4));
  OK(cuMemsetD32(va + gran, 2, gran / 4));
  int big = (int)(2 * gran / 4);
  void *ba[] = {&va, &by, &big};
  OK(cuLaunchKernel(f, (big + 255) / 256, 1, 1, 256, 1, 1, 0, 0, ba, 0));
  OK(cuMemcpyDtoH(&v, va + 2 * gran - 4, 4));
  CHECK(v == 4);
  OK(cuMemcpyDtoH(&v, va, 4));
  CHECK(v == 3);
  OK(cuMemUnmap(va, gran));
  OK(cuMemUnmap(va + gran, gran));
  OK(cuMemRelease(h1));
  OK(cuMemRelease(h2));
  OK(cuMemAddressFree(va, 2 * gran));
  // streams, words, graphs, pools
  CUstream s;
  OK(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, -1));
  int pr;
  OK(cuStreamGetPriority(s, &pr));
  CHECK(pr == -1);
  OK(cuStreamWriteValue32(s, d, 77, 0));
  OK(cuStreamWaitValue32(s, d, 77, CU_STREAM_WAIT_VALUE_EQ));
  OK(cuMemcpyDtoH(&v, d, 4));
  CHECK(v == 77);
  CUgraph gr;
  CUgraphExec gx;
  OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, s, a, 0));
  OK(cuStreamEndCapture(s, &gr));
  OK(cuGraphInstantiate(&gx, gr, 0));
  OK(cuGraphLaunch(gx, s));
  OK(cuGraphLaunch(gx, s));
  OK(cuStreamSynchronize(s));
  OK(cuMemcpyDtoH(&v, d, 4));
  CHECK(v == 81);
  OK(cuGraphExecDestroy(gx));
  OK(cuGraphDestroy(gr));
  CUgraphNode nd;
  OK(cuGraphCreate(&gr, 0));
  CUDA_KERNEL_NODE_PARAMS kp = {};
  kp.func = f;
  kp.gridDimX = 4;
  kp.gridDimY = kp.gridDimZ = 1;
  kp.blockDimX = 256;
  kp.blockDimY = kp.blockDimZ = 1;
  kp.kernelParams = a;
  OK(cuGraphAddKernelNode(&nd, gr, 0, 0, &kp));
  OK(cuGraphInstantiate(&gx, gr, 0));
  OK(cuGraphLaunch(gx, 0));
  CUDA_KERNEL_NODE_PARAMS kq;
  OK(cuGraphKernelNodeGetParams(nd, &kq));
  CHECK(kq.func == f && *(int *)kq.kernelParams[1] == 2);
  OK(cuGraphExecDestroy(gx));
  OK(cuGraphDestroy(gr));
  OK(cuMemcpyDtoH(&v, d, 4));
  CHECK(v == 83);
  CUmemoryPool pool;
  OK(cuDeviceGetDefaultMemPool(&pool, dev));
  cuuint64_t th = ~0ull;
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &th));
  CUdeviceptr q;
  OK(cuMemAllocAsync(&q, 100, s));
  OK(cuMemFreeAsync(q, s));
  void *pf = nullptr;
  CUdriverProcAddressQueryResult st;
  OK(cuGetProcAddress("cuMemAlloc", &pf, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &st));
  CHECK(pf != nullptr && st == CU_GET_PROC_ADDRESS_SUCCESS);
  CUdeviceptr z;
  OK(((CUresult(*)(CUdeviceptr *, size_t))pf)(&z, 64));
  OK(cuMemFree(z));
  CHECK(cuGetProcAddress("cuNoSuch", &pf, 12000, 0, &st) == CUDA_SUCCESS);
  CHECK(pf == nullptr && st == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(cuModuleGetFunction(&f, m, "nothing") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuMemFree(d + 4) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(d));
  CHECK(cuMemFree(d) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(p));
  OK(cuStreamDestroy(s));
  OK(cuModuleUnload(m));
  OK(cuCtxDestroy(ctx));
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
