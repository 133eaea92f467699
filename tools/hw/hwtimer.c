#include "hwtimer.h"
#include <stdint.h>

/* One thread counts SM cycles between two ticks of the global timer, at least 2 ms apart: counting
 * from tick to tick, the timer's coarse resolution does not matter. */
static const char text[] = ".version 6.0\n"
                           ".target sm_50\n"
                           ".address_size 64\n"
                           ".visible .entry nothing() { ret; }\n"
                           ".visible .entry clocks(.param .u64 out)\n"
                           "{\n"
                           "  .reg .pred %p;\n"
                           "  .reg .b64 %t0, %t1, %last, %c0, %c1, %d, %out;\n"
                           "  mov.u64 %t0, %globaltimer;\n"
                           "first:\n"
                           "  mov.u64 %t1, %globaltimer;\n"
                           "  mov.u64 %c0, %clock64;\n"
                           "  setp.eq.u64 %p, %t0, %t1;\n"
                           "  @%p bra first;\n"
                           "  mov.u64 %t0, %t1;\n"
                           "wait:\n"
                           "  mov.u64 %last, %globaltimer;\n"
                           "  sub.u64 %d, %last, %t0;\n"
                           "  setp.lt.u64 %p, %d, 2000000;\n"
                           "  @%p bra wait;\n"
                           "second:\n"
                           "  mov.u64 %t1, %globaltimer;\n"
                           "  mov.u64 %c1, %clock64;\n"
                           "  setp.eq.u64 %p, %last, %t1;\n"
                           "  @%p bra second;\n"
                           "  ld.param.u64 %out, [out];\n"
                           "  cvta.to.global.u64 %out, %out;\n"
                           "  sub.u64 %t1, %t1, %t0;\n"
                           "  sub.u64 %c1, %c1, %c0;\n"
                           "  st.global.u64 [%out], %t1;\n"
                           "  st.global.u64 [%out+8], %c1;\n"
                           "  ret;\n"
                           "}\n";

#define TRY(call)                                                                                            \
  do {                                                                                                       \
    CUresult r_ = (call);                                                                                    \
    if (r_ != CUDA_SUCCESS)                                                                                  \
      return r_;                                                                                             \
  } while (0)

static CUresult measure_clock(CUmodule m, struct hwtimer *t) {
  CUfunction fn;
  CUdeviceptr out;
  uint64_t result[2] = {0, 0}; /* nanoseconds, cycles */
  TRY(cuModuleGetFunction(&fn, m, "clocks"));
  TRY(cuMemAlloc(&out, sizeof result));
  void *params[] = {&out};
  TRY(cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, 0, params, NULL));
  TRY(cuMemcpyDtoH(result, out, sizeof result));
  TRY(cuMemFree(out));
  t->sm_mhz = result[0] ? (double)result[1] * 1000 / (double)result[0] : 0;
  return CUDA_SUCCESS;
}

static CUresult measure_empty(CUmodule m, struct hwtimer *t) {
  CUfunction fn;
  CUevent begin, end;
  TRY(cuModuleGetFunction(&fn, m, "nothing"));
  TRY(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  TRY(cuEventCreate(&end, CU_EVENT_DEFAULT));
  for (int i = 0; i < 20; i++) {
    float ms;
    TRY(cuEventRecord(begin, 0));
    TRY(cuLaunchKernel(fn, 1, 1, 1, 32, 1, 1, 0, 0, NULL, NULL));
    TRY(cuEventRecord(end, 0));
    TRY(cuEventSynchronize(end));
    TRY(cuEventElapsedTime(&ms, begin, end));
    if (!i || (double)ms * 1000 < t->empty_us)
      t->empty_us = (double)ms * 1000;
  }
  TRY(cuEventDestroy(begin));
  return cuEventDestroy(end);
}

CUresult hwtimer_measure(struct hwtimer *t) {
  CUmodule m;
  TRY(cuModuleLoadData(&m, text));
  TRY(measure_clock(m, t));
  TRY(measure_empty(m, t));
  return cuModuleUnload(m);
}
