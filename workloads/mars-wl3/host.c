/* MARS' WL3. A clear. */
#include "workload/mars.h"

WORKLOAD(mars_wl3) {
  wl_mars(w, MARS_CLEAR);
}
