/* What the two layouts of k-means share: assignment on the device, new centroids on the host, until few
 * points move. The host reads all memberships in each round. */
#ifndef WORKLOADS_KMEANS_CLUSTERING_H
#define WORKLOADS_KMEANS_CLUSTERING_H

#include "workload/host.h"
#include <string.h>

struct clustering {
  uint32_t points, features, clusters;
  float *data; /* points x features */
};

/* Points scattered around as many centres as there are clusters. */
static void make(struct wl *w, struct clustering *k) {
  float *centres = wl_host(w, (uint64_t)k->clusters * k->features, sizeof *centres);
  k->data = wl_host(w, (uint64_t)k->points * k->features, sizeof *k->data);
  wl_random_f32(w, centres, (uint64_t)k->clusters * k->features, 0, 1);
  for (uint32_t p = 0; p < k->points; p++) {
    uint64_t c = wl_random_below(w, k->clusters);
    for (uint32_t f = 0; f < k->features; f++)
      k->data[(uint64_t)p * k->features + f] =
          centres[c * k->features + f] + 1.6F * ((float)wl_random_unit(w) - 0.5F);
  }
}

static double distance(const struct clustering *k, uint32_t p, const float *centroid) {
  double sum = 0;
  for (uint32_t f = 0; f < k->features; f++) {
    double d = (double)k->data[(uint64_t)p * k->features + f] - (double)centroid[f];
    sum += d * d;
  }
  return sum;
}

/* A point nearly as near to another centroid may go either way in float: those keep what the device said. */
static void check(struct wl *w, const struct clustering *k, const float *centroids, wl_buffer member) {
  int32_t *got = wl_host(w, k->points, sizeof *got), *want = wl_host(w, k->points, sizeof *want);
  wl_read_loose(w, member, 0, got, (uint64_t)k->points * 4);
  for (uint32_t p = 0; p < k->points; p++) {
    double least = 0, mine = -1;
    for (uint32_t c = 0; c < k->clusters; c++) {
      double d = distance(k, p, centroids + (uint64_t)c * k->features);
      if (c == 0 || d < least) {
        least = d;
        want[p] = (int32_t)c;
      }
      if (got[p] == (int32_t)c)
        mine = d;
    }
    if (mine >= 0 && mine - least <= 1e-5 * (1 + least))
      want[p] = got[p];
  }
  wl_check_s32(w, member, want, k->points);
}

static void new_centroids(struct wl *w, const struct clustering *k, const int32_t *member, float *centroids) {
  uint64_t all = (uint64_t)k->clusters * k->features;
  double *sum = wl_host(w, all, sizeof *sum);
  uint32_t *count = wl_host(w, k->clusters, sizeof *count);
  for (uint32_t p = 0; p < k->points; p++) {
    uint32_t c = (uint32_t)member[p];
    wl_require(w, c < k->clusters, "point %u is in cluster %u", p, c);
    count[c]++;
    for (uint32_t f = 0; f < k->features; f++)
      sum[(uint64_t)c * k->features + f] += (double)k->data[(uint64_t)p * k->features + f];
  }
  for (uint64_t i = 0; i < all; i++)
    if (count[i / k->features])
      centroids[i] = (float)(sum[i] / count[i / k->features]);
}

/* Parameters and points. */
static struct clustering clustering(struct wl *w) {
  struct clustering k = {wl_u32(w, "points"), wl_u32(w, "features"), wl_u32(w, "clusters"), NULL};
  if (k.clusters > k.points)
    wl_refuse(w, "more clusters than points");
  make(w, &k);
  return k;
}

static uint64_t data_bytes(const struct clustering *k) {
  return (uint64_t)k->points * k->features * 4;
}

/* Rounds of `kernel` over points that lie in `data`. */
static void cluster(struct wl *w, const struct clustering *k, const char *kernel, wl_buffer data) {
  uint32_t rounds = wl_u32(w, "rounds"), moved = k->points;
  uint64_t cbytes = (uint64_t)k->clusters * k->features * 4, mbytes = (uint64_t)k->points * 4;
  float *centroids = wl_host(w, cbytes, 1);
  int32_t *member = wl_host(w, mbytes, 1), *last = wl_host(w, mbytes, 1);
  memset(last, -1, (size_t)mbytes);
  memcpy(centroids, k->data, (size_t)cbytes); /* the first points */
  wl_buffer cent = wl_upload(w, "centroids", centroids, cbytes), memb = wl_alloc(w, "membership", mbytes);
  for (uint32_t r = 0; r < rounds && moved > k->points / 1000; r++) {
    if (r)
      new_centroids(w, k, member, centroids);
    wl_write(w, cent, 0, centroids, cbytes);
    wl_launch(w, kernel, wl_range1(wl_up(k->points, 256), 256),
              WL_ARGS(wl_buf(data), wl_buf(cent), wl_buf(memb), wl_int(k->points), wl_int(k->clusters),
                      wl_int(k->features)));
    wl_read(w, memb, 0, member, mbytes);
    moved = 0;
    for (uint32_t p = 0; p < k->points; p++)
      moved += member[p] != last[p];
    memcpy(last, member, (size_t)mbytes);
    if (wl_verify(w))
      check(w, k, centroids, memb);
  }
}

#endif
