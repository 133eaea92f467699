// range: 1 128 32
// Structures: nested, with vectors and arrays, in local memory, returned, passed to functions that are not inlined.
typedef struct {
  float3 centre;
  float radius;
  int links[3];
  uchar flags;
} Sphere;
typedef struct {
  Sphere s[2];
  double weight;
  short4 box;
} Pair;
constant Sphere fixed_spheres[2] = {{(float3)(1, 2, 3), 4, {5, 6, 7}, 8}, {(float3)(-1, -2, -3), 0.5f, {1, 0, 1}, 255}};
__attribute__((noinline)) float volume(Sphere s) { return s.radius * s.radius * s.radius + s.centre.y * s.links[1]; }
__attribute__((noinline)) Sphere grow(const Sphere *s, float by) {
  Sphere r = *s;
  r.radius += by;
  r.links[(int)by & 1] = 9;
  r.centre.zx = s->centre.xy * by;
  return r;
}
void scale(local Pair *p, float k) {
  p->s[0].centre *= k;
  p->s[1] = p->s[0];
  p->s[1].flags ^= 0x0f;
  p->weight /= 3.0;
  p->box.s13 = p->box.s02 + (short2)(1, 2);
}
kernel void records(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local Pair pairs[32];
  int t = get_local_id(0), g = get_global_id(0);
  Sphere a = fixed_spheres[g & 1], list[4];
  for (int i = 0; i < 4; i++) {
    list[i] = grow(&a, fin[(g + i) % n]);
    list[i].flags = (uchar)(in[g] >> i);
  }
  pairs[t].s[0] = list[in[g] & 3];
  pairs[t].s[1] = list[(in[g] >> 2) & 3];
  pairs[t].weight = volume(list[(in[g] >> 4) & 3]);
  pairs[t].box = (short4)((short)in[g], 2, (short)(in[g] >> 16), -4);
  barrier(CLK_LOCAL_MEM_FENCE);
  scale(&pairs[t], 2.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  Pair p = pairs[31 - t];
  out[g] = p.s[1].flags + p.s[0].links[1] * 256 + p.box.y * 3 + p.box.w + (int)sizeof(Pair) * 65536;
  fout[g] = p.s[0].centre.x + p.s[1].centre.z + (float)p.weight + p.s[0].radius;
}
