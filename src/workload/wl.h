/* A run of a workload, as host.h's functions see it. */
#ifndef SLUICE_WORKLOAD_WL_H
#define SLUICE_WORKLOAD_WL_H

#include "base/mem.h"
#include "workload/device.h"
#include "workload/host.h"
#include "workload/values.h"
#include <setjmp.h>

struct wl_extent {
  const char *name;
  uint64_t bytes;
};

struct wl {
  const struct workload *workload;
  const struct workload_request *request;
  struct values values;
  struct wl_device *device;
  struct wl_extent *buffers;
  size_t nbuffers, cap;
  struct arena host;
  uint64_t rng;
  struct error *err;
  bool mismatch; /* the run ended because a result was wrong */
  jmp_buf out;
};

/* Leaves the workload's function; err is filled. */
_Noreturn void wl_leave(struct wl *w);

#endif
