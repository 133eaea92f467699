/* MARS' WL5. The bounds of blocks of pixels being kept up to date. */
#include "workload/mars.h"

WORKLOAD(mars_wl5) {
  wl_mars(w, MARS_HIZ);
}
