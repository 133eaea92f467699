/* MARS' WL4. An early depth test. */
#include "workload/mars.h"

WORKLOAD(mars_wl4) {
  wl_mars(w, MARS_HIZ_DEPTH);
}
