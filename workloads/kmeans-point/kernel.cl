/* K-means on points as they lie in the file, one after the other: work-items side by side read at a distance
 * of a whole point, so each load touches as many lines as there are lanes, and lines are used again for the
 * next features, if they are still there. */
__kernel void kmeans_point_assign(__global const float *restrict points_in_order,
                                  __global const float *restrict centroids, __global int *restrict member,
                                  uint points, uint clusters, uint features) {
  uint p = get_global_id(0);
  if (p >= points)
    return;
  int best = -1;
  float least = FLT_MAX;
  for (uint c = 0; c < clusters; c++) {
    float sum = 0;
    for (uint f = 0; f < features; f++) {
      float d = points_in_order[p * features + f] - centroids[c * features + f];
      sum += d * d;
    }
    if (sum < least) {
      least = sum;
      best = (int)c;
    }
  }
  member[p] = best;
}
