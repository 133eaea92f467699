/* The one platform, its lock, and what the loader asks of a driver. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/device.h"
#include <stdio.h>

/* The loader wants a platform handle that outlives everything: the only state not reached from elsewhere. */
static struct _cl_platform_id the_platform = {
    .o = {.dispatch = &ocl_dispatch, .kind = KIND_PLATFORM, .refs = 1},
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .changed = PTHREAD_COND_INITIALIZER,
};

cl_platform_id ocl_platform(void) {
  return &the_platform;
}
void ocl_lock(void) {
  pthread_mutex_lock(&the_platform.lock);
}
void ocl_unlock(void) {
  pthread_mutex_unlock(&the_platform.lock);
}
struct sim *ocl_sim(void) {
  return the_platform.device->sim;
}

/* The device, made when first asked for; false if its configuration is refused. */
static bool open_device(void) {
  cl_platform_id p = &the_platform;
  if (p->device)
    return true;
  struct error err = {0};
  struct sim *sim = sim_open(&err);
  if (!sim) {
    fprintf(stderr, "sluice: %s\n", err.text);
    error_clear(&err);
    return false;
  }
  p->device = object_new(KIND_DEVICE, sizeof *p->device);
  p->device->sim = sim;
  uint32_t most = sim_gpu(sim)->core.threads;
  p->device->group_max = most < 1024 ? most : 1024;
  return true;
}

/* What ran is told when the program ends, however it left its objects behind. */
__attribute__((destructor)) static void at_exit(void) {
  if (pthread_mutex_trylock(&the_platform.lock) != 0)
    return; /* a thread is still at work: its numbers are not whole */
  if (the_platform.device)
    sim_tell(the_platform.device->sim);
  pthread_mutex_unlock(&the_platform.lock);
}

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n, cl_platform_id *platforms, cl_uint *count) {
  if ((!n && platforms) || (!platforms && !count))
    return CL_INVALID_VALUE;
  ocl_lock();
  bool there = open_device();
  ocl_unlock();
  if (count)
    *count = there ? 1 : 0;
  if (!there)
    return CL_PLATFORM_NOT_FOUND_KHR;
  if (platforms)
    *platforms = &the_platform;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint n, cl_platform_id *platforms, cl_uint *count) {
  return clIcdGetPlatformIDsKHR(n, platforms, count);
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id p, cl_platform_info name, size_t n, void *to,
                                     size_t *ret) {
  if (p && p != &the_platform)
    return CL_INVALID_PLATFORM;
  switch (name) {
  case CL_PLATFORM_PROFILE:
    return info_string(n, to, ret, "FULL_PROFILE");
  case CL_PLATFORM_VERSION:
    return info_string(n, to, ret, "OpenCL 3.0 Sluice " SLUICE_VERSION);
  case CL_PLATFORM_NAME:
    return info_string(n, to, ret, "Sluice");
  case CL_PLATFORM_VENDOR:
    return info_string(n, to, ret, "Sluice");
  case CL_PLATFORM_EXTENSIONS:
    return info_string(n, to, ret, "cl_khr_icd");
  case CL_PLATFORM_NUMERIC_VERSION:
    return INFO(cl_version, CL_MAKE_VERSION(3, 0, 0));
  case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
    return info_extensions("cl_khr_icd", n, to, ret);
  case CL_PLATFORM_HOST_TIMER_RESOLUTION: /* no timers: simulated time is no host's */
    return INFO(cl_ulong, 0);
  case CL_PLATFORM_ICD_SUFFIX_KHR:
    return info_string(n, to, ret, "SLUICE");
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id p) {
  return p == &the_platform ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
cl_int CL_API_CALL clUnloadCompiler(void) {
  return CL_SUCCESS;
}

/* What the loader needs, and the function of cl_khr_subgroups. */
void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  static const struct {
    const char *name;
    void (*fn)(void);
  } known[] = {{"clIcdGetPlatformIDsKHR", (void (*)(void))clIcdGetPlatformIDsKHR},
               {"clGetPlatformInfo", (void (*)(void))clGetPlatformInfo},
               {"clGetKernelSubGroupInfoKHR", (void (*)(void))clGetKernelSubGroupInfo}};
  for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0) {
      void *p;
      memcpy(&p, &known[i].fn, sizeof p); /* a function pointer as data, which POSIX allows */
      return p;
    }
  return NULL;
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id p, const char *name) {
  return p == &the_platform ? clGetExtensionFunctionAddress(name) : NULL;
}

cl_int info_put(size_t n, void *to, size_t *ret, const void *value, size_t bytes) {
  if (to && n < bytes)
    return CL_INVALID_VALUE;
  if (to && bytes)
    memcpy(to, value, bytes);
  if (ret)
    *ret = bytes;
  return CL_SUCCESS;
}

cl_int info_string(size_t n, void *to, size_t *ret, const char *value) {
  return info_put(n, to, ret, value, strlen(value) + 1);
}

void *fail(cl_int *at, cl_int code) {
  if (at)
    *at = code;
  return NULL;
}

void *succeed(cl_int *at, void *object) {
  if (at)
    *at = CL_SUCCESS;
  return object;
}
