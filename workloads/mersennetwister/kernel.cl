/* A work-item for each stream, groups of 256. Its state is four vectors of 128 bits, filled from the seed; a step
 * is that of Saito and Matsumoto's SFMT. Two vectors of draws give two of normal numbers, stored one after the
 * other at the stream's place. */
static uint4 shift_up(uint4 v) { /* the 128 bits by one byte */
  return (uint4)(v.x << 8, v.y << 8 | v.x >> 24, v.z << 8 | v.y >> 24, v.w << 8 | v.z >> 24);
}

static uint4 shift_down(uint4 v) {
  return (uint4)(v.x >> 8 | v.y << 24, v.y >> 8 | v.z << 24, v.z >> 8 | v.w << 24, v.w >> 8);
}

static uint4 twist(uint4 a, uint4 b, uint4 c, uint4 d) {
  return a ^ shift_up(a) ^ (b >> 11 & (uint4)(0xdfffffefu, 0xddfecb7fu, 0xbffaffffu, 0xbffffff6u)) ^
         shift_down(c) ^ d << 18;
}

/* In (0, 1), in steps that a float holds exactly. */
static float4 uniform(uint4 v) {
  return (convert_float4(v >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
normal(__global const uint4 *restrict seeds, __global float4 *restrict out, uint draws) {
  uint i = get_global_id(0);
  uint4 a = seeds[i], b = a * 1812433253u + 1, c = b * 1812433253u + 2, d = c * 1812433253u + 3;
  for (uint k = 0; k < draws; k += 2) {
    uint4 first = twist(a, b, c, d), second = twist(b, c, d, first);
    a = c;
    b = d;
    c = first;
    d = second;
    float4 radius = native_sqrt(-2.0f * native_log(uniform(first))), angle = 6.2831853f * uniform(second);
    out[i * draws + k] = radius * native_cos(angle);
    out[i * draws + k + 1] = radius * native_sin(angle);
  }
}
