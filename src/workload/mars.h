/* The part that the workloads mars-wl1 to mars-wl5 share: parameters of about.yaml, buffers, the stream. */
#ifndef SLUICE_WORKLOAD_MARS_H
#define SLUICE_WORKLOAD_MARS_H

#include "front/gen/mars.h"
#include "workload/host.h"

void wl_mars(struct wl *w, enum mars_kind kind);

#endif
