/* A fixed grid of groups of 128 strides over the options. Price, strike and years lie in arrays of their own,
 * and so do both results. Transcendental functions are the hardware's. */

/* Distribution function of the normal distribution: polynomial of degree five in 1/(1 + 0.2316419 |x|)
 * (Abramowitz and Stegun 26.2.17, error below 7.5e-8). */
static float normal_cdf(float x) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
  float poly =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228f * native_exp(-0.5f * x * x) * poly;
  return x > 0 ? 1.0f - tail : tail;
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
black_scholes(__global float *restrict call, __global float *restrict put,
              __global const float *restrict price, __global const float *restrict strike,
              __global const float *restrict years, float rate, float volatility, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    float s = price[i], x = strike[i], t = years[i];
    float spread = volatility * native_sqrt(t);
    float d1 = (native_log(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
    float p1 = normal_cdf(d1), p2 = normal_cdf(d1 - spread);
    float discounted = x * native_exp(-rate * t);
    call[i] = s * p1 - discounted * p2;
    put[i] = discounted * (1.0f - p2) - s * (1.0f - p1);
  }
}
