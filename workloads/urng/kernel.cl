/* A work-item for each pixel, groups of 64. Park and Miller's generator (x = 16807 x mod 2^31 - 1, by
 * Schrage's division) fills a table of 16 for each work-item, in local memory; a draw picks one of them. */
#define GROUP   64
#define ENTRIES 16
#define MODULUS 2147483647

static int step(int x) {
  int k = x / 127773;
  x = 16807 * (x - k * 127773) - 2836 * k;
  return x < 0 ? x + MODULUS : x;
}

/* A draw of (0, 1) from a generator with this seed. Its table lies at table[entry * GROUP]. */
static float draw(int seed, __local int *table) {
  int x = seed < 1 ? 1 : seed;
  for (int i = 0; i < 8; i++) /* warm up */
    x = step(x);
  for (int entry = ENTRIES - 1; entry >= 0; entry--) {
    x = step(x);
    table[entry * GROUP] = x;
  }
  int pick = table[0] / (1 + (MODULUS - 1) / ENTRIES);
  return (float)table[pick * GROUP] * (1.0f / 2147483648.0f);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
add_noise(__global const uchar4 *restrict in, __global uchar4 *restrict out, int factor) {
  __local int tables[ENTRIES * GROUP];
  uint at = get_global_id(0) + get_global_id(1) * get_global_size(0);
  uchar4 pixel = in[at];
  int brightness = (pixel.x + pixel.y + pixel.z + pixel.w) / 4;
  float noise = draw(brightness, tables + get_local_id(0)) - 0.55f;
  out[at] = convert_uchar4_sat(fma((float4)noise, (float4)(float)factor, convert_float4(pixel)));
}
