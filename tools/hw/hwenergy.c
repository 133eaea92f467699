#include "hwenergy.h"
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct {
  void *device;
  int (*energy)(void *, unsigned long long *);
  int (*clock)(void *, int, unsigned *);
} nvml;

static void *symbol(void *library, const char *name) {
  void *s = dlsym(library, name);
  if (!s)
    fprintf(stderr, "hwrun: NVML has no %s\n", name);
  return s;
}

bool hwenergy_open(int device) {
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "hwrun: no NVML: %s\n", dlerror());
    return false;
  }
  int (*init)(void), (*by_index)(unsigned, void **);
  *(void **)&init = symbol(library, "nvmlInit_v2");
  *(void **)&by_index = symbol(library, "nvmlDeviceGetHandleByIndex_v2");
  *(void **)&nvml.energy = symbol(library, "nvmlDeviceGetTotalEnergyConsumption");
  *(void **)&nvml.clock = symbol(library, "nvmlDeviceGetClockInfo");
  unsigned long long millijoules;
  if (!init || !by_index || !nvml.energy || !nvml.clock || init() ||
      by_index((unsigned)device, &nvml.device) || nvml.energy(nvml.device, &millijoules)) {
    fprintf(stderr, "hwrun: this card has no energy counter\n");
    return false;
  }
  return true;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double joules(void) {
  unsigned long long mj = 0;
  nvml.energy(nvml.device, &mj);
  return (double)mj * 1e-3;
}

/* Waits for the counter's next step; `*at` is its time. */
static double edge(double *at) {
  double before = joules(), start = now(), j;
  while ((j = joules()) == before && now() - start < 1)
    usleep(200);
  *at = now();
  return j;
}

static void check(CUresult r) {
  if (r != CUDA_SUCCESS) {
    fprintf(stderr, "hwrun: a repeated launch failed (CUDA error %d)\n", (int)r);
    exit(1);
  }
}

static void batch(void (*launch)(void *), void *arg, long n) {
  for (long i = 0; i < n; i++)
    launch(arg);
}

void hwenergy_measure(void (*launch)(void *), void *arg, double seconds, struct hwenergy *out) {
  CUevent begin, end;
  check(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  check(cuEventCreate(&end, CU_EVENT_DEFAULT));
  double start = now();
  batch(launch, arg, 10);
  check(cuCtxSynchronize());
  double one = (now() - start) / 10;
  long per = (long)(0.02 / one) + 1; /* launches of 20 ms */
  for (start = now(); now() - start < 0.5;) {
    batch(launch, arg, per);
    check(cuCtxSynchronize());
  }
  /* Work stays queued while the counter is watched. */
  double from, to;
  batch(launch, arg, per * 8);
  double first = edge(&from);
  double ms_total = 0;
  *out = (struct hwenergy){0};
  for (start = now(); now() - start < seconds;) {
    check(cuEventRecord(begin, 0));
    batch(launch, arg, per);
    check(cuEventRecord(end, 0));
    batch(launch, arg, per / 8 + 1);
    check(cuEventSynchronize(end));
    float ms;
    check(cuEventElapsedTime(&ms, begin, end));
    ms_total += (double)ms;
    out->count += (uint64_t)per;
  }
  batch(launch, arg, per * 8);
  double last = edge(&to);
  nvml.clock(nvml.device, 1, &out->sm_mhz);
  nvml.clock(nvml.device, 2, &out->memory_mhz);
  check(cuCtxSynchronize());
  out->watts = (last - first) / (to - from);
  out->us = ms_total * 1e3 / (double)out->count;
  out->seconds = to - from;
  cuEventDestroy(begin);
  cuEventDestroy(end);
}

void hwenergy_rest(double seconds, struct hwenergy *out) {
  double from, to, start, first;
  check(cuCtxSynchronize());
  for (start = now(); now() - start < 1;) /* what was before cools down */
    usleep(10000);
  first = edge(&from);
  usleep((unsigned)(seconds * 1e6));
  double last = edge(&to);
  *out = (struct hwenergy){.watts = (last - first) / (to - from), .seconds = to - from};
  nvml.clock(nvml.device, 1, &out->sm_mhz);
  nvml.clock(nvml.device, 2, &out->memory_mhz);
}
