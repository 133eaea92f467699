/* K-means: points are transposed once into feature-major order, so that work-items side by side read one
 * line of the same feature; centroids are few and come through the constant cache. */
__kernel void kmeans_invert(__global const float *restrict in, __global float *restrict out, uint points,
                            uint features) {
  uint p = get_global_id(0);
  if (p >= points)
    return;
  for (uint f = 0; f < features; f++)
    out[f * points + p] = in[p * features + f];
}

/* The centroid nearest to each point. */
__kernel void kmeans_assign(__global const float *restrict points_by_feature, __constant float *centroids,
                            __global int *restrict member, uint points, uint clusters, uint features) {
  uint p = get_global_id(0);
  if (p >= points)
    return;
  int best = -1;
  float least = FLT_MAX;
  for (uint c = 0; c < clusters; c++) {
    float sum = 0;
    for (uint f = 0; f < features; f++) {
      float d = points_by_feature[f * points + p] - centroids[c * features + f];
      sum += d * d;
    }
    if (sum < least) {
      least = sum;
      best = (int)c;
    }
  }
  member[p] = best;
}
