// range: 1 128 32
// Finance: exponentials and logarithms, error function by polynomial, a lattice walked back in local memory.
#define S_LOWER 10.0f
#define S_UPPER 100.0f
float phi(float x) {
  const float c1 = 0.319381530f, c2 = -0.356563782f, c3 = 1.781477937f, c4 = -1.821255978f, c5 = 1.330274429f;
  float t = 1.0f / (1.0f + 0.2316419f * fabs(x));
  float y = 1.0f - 0.398942280f * exp(-x * x / 2.0f) * t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5))));
  return x < 0.0f ? 1.0f - y : y;
}
kernel void option(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local float4 a[33], b[33];
  int t = get_local_id(0), g = get_global_id(0);
  float r = fabs(fin[g]);
  r -= floor(r);
  float s = S_LOWER * r + S_UPPER * (1.0f - r), k = 55.0f, years = 1.0f + r, sigma = 0.1f + 0.3f * r, rate = 0.03f;
  float d1 = (log(s / k) + (rate + sigma * sigma / 2.0f) * years) / (sigma * sqrt(years)), d2 = d1 - sigma * sqrt(years);
  float call = s * phi(d1) - k * exp(-rate * years) * phi(d2);
  float4 price = (float4)(s, s * 1.1f, k, 42.0f), dt = years / 31.0f, u = exp(0.3f * sqrt(dt)), d = 1.0f / u;
  float4 pu = (exp(rate * dt) - d) / (u - d), pd = 1.0f - pu, discount = exp(-rate * dt);
  float4 profit = price * exp(0.3f * sqrt(dt) * (2.0f * get_local_id(0) - 31.0f)) - k;
  a[t] = fmax(profit, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 31; j > 0; j -= 2) {
    if (t < j)
      b[t] = (pu * a[t] + pd * a[min(t + 1, 31)]) * discount;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < j - 1)
      a[t] = (pu * b[t] + pd * b[t + 1]) * discount;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  fout[g] = call + native_sqrt(fabs(a[0].x)) * 0.0f + powr(r + 0.5f, 1.5f) + pow(2.0f, call * 0.01f);
  out[g] = (int)(a[0].y > 0.0f) + isfinite(a[0].z);
}
