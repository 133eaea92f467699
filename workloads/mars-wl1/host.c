/* MARS' WL1. Texture coordinates are a turn and a scaling of the pixel, around a texel that the seed chooses. */
#include "workload/mars.h"

WORKLOAD(mars_wl1) {
  wl_mars(w, MARS_TEXTURE);
}
