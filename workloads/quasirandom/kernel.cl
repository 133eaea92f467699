/* niederreiter: groups of 128 x 3, a row for each dimension; a fixed grid strides over the points. The
 * direction numbers, 31 for each dimension, are read through the constant cache.
 * inverse_normal: groups of 128, the same loop, without input. */
#define BITS 31

__kernel __attribute__((reqd_work_group_size(128, 3, 1))) void
niederreiter(__global float *restrict out, __constant uint *directions, uint start, uint n) {
  uint dimension = get_local_id(1);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    uint index = start + i, result = 0;
    for (uint bit = 0; bit < BITS; bit++, index >>= 1)
      if (index & 1)
        result ^= directions[dimension * BITS + bit];
    out[dimension * n + i] = (float)(result + 1) * (1.0f / 2147483649.0f);
  }
}

/* Moro's approximation (Risk 8, 1995): a quotient of polynomials near the middle, one in log(-log p) in the
 * tails. p in (0, 1). */
static float inverse_cdf(float p) {
  float y = p - 0.5f;
  if (fabs(y) < 0.42f) {
    float z = y * y;
    return y * (((-25.44106049637f * z + 41.39119773534f) * z - 18.61500062529f) * z + 2.50662823884f) /
           ((((3.13082909833f * z - 21.06224101826f) * z + 23.08336743743f) * z - 8.47351093090f) * z + 1.0f);
  }
  float z = native_log(-native_log(y > 0 ? 1.0f - p : p));
  z = 0.3374754822726147f +
      z * (0.9761690190917186f +
           z * (0.1607979714918209f +
                z * (0.0276438810333863f +
                     z * (0.0038405729373609f +
                          z * (0.0003951896511919f +
                               z * (0.0000321767881768f +
                                    z * (0.0000002888167364f + z * 0.0000003960315187f)))))));
  return y > 0 ? z : -z;
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void inverse_normal(__global float *restrict out,
                                                                              uint n) {
  uint distance = 0xffffffffu / (n + 1);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    out[i] = inverse_cdf((float)((i + 1) * distance) * (1.0f / 4294967296.0f));
}
