/* Points are clustered as they lie in memory. */
#include "../kmeans/clustering.h"

WORKLOAD(kmeans_point) {
  struct clustering k = clustering(w);
  cluster(w, &k, "kmeans_point_assign", wl_upload(w, "points", k.data, data_bytes(&k)));
}
