/* Points are transposed on the device, then clustered. */
#include "clustering.h"

WORKLOAD(kmeans) {
  struct clustering k = clustering(w);
  wl_buffer raw = wl_upload(w, "points", k.data, data_bytes(&k));
  wl_buffer data = wl_alloc(w, "points by feature", data_bytes(&k));
  wl_launch(w, "kmeans_invert", wl_range1(wl_up(k.points, 256), 256),
            WL_ARGS(wl_buf(raw), wl_buf(data), wl_int(k.points), wl_int(k.features)));
  cluster(w, &k, "kmeans_assign", data);
}
