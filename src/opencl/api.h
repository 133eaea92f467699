/* What several files of API functions share. Includes cl_icd.h's declarations by way of ocl.h. */
#ifndef SLUICE_OPENCL_API_H
#define SLUICE_OPENCL_API_H

#include "opencl/ocl.h"

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n, cl_platform_id *platforms, cl_uint *count);

/* clRetainX and clReleaseX. */
#define RETAIN_RELEASE(Name, type, kind, invalid)                                                            \
  cl_int CL_API_CALL clRetain##Name(type o) {                                                                \
    ocl_lock();                                                                                              \
    bool ok = object_retain(o, kind);                                                                        \
    ocl_unlock();                                                                                            \
    return ok ? CL_SUCCESS : (invalid);                                                                      \
  }                                                                                                          \
  cl_int CL_API_CALL clRelease##Name(type o) {                                                               \
    ocl_lock();                                                                                              \
    bool ok = object_release(o, kind);                                                                       \
    ocl_unlock();                                                                                            \
    return ok ? CL_SUCCESS : (invalid);                                                                      \
  }

#endif
