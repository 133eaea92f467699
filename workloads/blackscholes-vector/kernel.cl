/* A work-item for four options, in two dimensions, groups of 16 x 16. All five properties of an option follow from one
 * random number. */
static float4 between(float low, float high, float4 r) {
  return low * r + high * (1.0f - r);
}

/* Distribution function of the normal distribution (Abramowitz and Stegun 26.2.17). */
static float4 normal_cdf(float4 x) {
  float4 k = 1.0f / (1.0f + 0.2316419f * fabs(x));
  float4 poly =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float4 tail = 0.39894228f * native_exp(-0.5f * x * x) * poly;
  return x > 0 ? 1.0f - tail : tail;
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
black_scholes(__global const float4 *restrict random, __global float4 *restrict call,
              __global float4 *restrict put) {
  uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float4 r = random[i], s = between(10, 100, r), x = between(10, 100, r), t = between(1, 10, r);
  float4 rate = between(0.01f, 0.05f, r), volatility = between(0.01f, 0.10f, r);
  float4 spread = volatility * native_sqrt(t);
  float4 d1 = (native_log(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
  float4 p1 = normal_cdf(d1), p2 = normal_cdf(d1 - spread), discounted = x * native_exp(-rate * t);
  call[i] = s * p1 - discounted * p2;
  put[i] = discounted * (1.0f - p2) - s * (1.0f - p1);
}
