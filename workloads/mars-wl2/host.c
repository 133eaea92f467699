/* MARS' WL2. A blended draw behind a stencil test. */
#include "workload/mars.h"

WORKLOAD(mars_wl2) {
  wl_mars(w, MARS_STENCIL_COLOUR);
}
