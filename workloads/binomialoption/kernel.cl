/* A group for four options, a work-item for each leaf of the tree and one more. Every work-item values its leaf, and
 * then, level by level, the mean of its node's two successors, to and fro between two arrays in local memory. Price,
 * strike and years follow from the option's random number, as in the suite. */
__kernel void binomial(__global float4 *restrict prices, __global const float4 *restrict random,
                       __local float4 *a, __local float4 *b, int steps) {
  int me = (int)get_local_id(0), option = (int)get_group_id(0);
  float4 r = random[option];
  float4 price = 5.0f + 25.0f * r, strike = 1.0f + 99.0f * r, years = 0.25f + 9.75f * r;
  float rate = 0.02f, volatility = 0.30f;
  float4 step = years * (1.0f / (float)steps), spread = volatility * sqrt(step);
  float4 growth = exp(rate * step), up = exp(spread), down = 1.0f / up;
  float4 p = (growth - down) / (up - down), high = p / growth, low = (1.0f - p) / growth;
  a[me] = fmax(price * exp(spread * (2.0f * (float)me - (float)steps)) - strike, (float4)0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int level = steps; level > 0; level -= 2) {
    if (me < level)
      b[me] = high * a[me + 1] + low * a[me];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < level - 1)
      a[me] = high * b[me + 1] + low * b[me];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0)
    prices[option] = a[0];
}
