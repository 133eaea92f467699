/* The driver API on the same objects: a module is an image, a function a kernel, a context a name. */
#ifndef SLUICE_CUDA_DRIVER_H
#define SLUICE_CUDA_DRIVER_H

#include "cuda/cuda.h"

/* cuda_enter for a driver function: an error before cuInit, or where no context is current. */
int driver_enter(void);
int driver_enter_device(void); /* no context is needed */

typedef uint64_t device_pointer;

static inline void *pointer(device_pointer p) {
  return (void *)(uintptr_t)p;
}

#endif
