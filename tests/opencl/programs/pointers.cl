// range: 1 128 32
// Pointers in arrays and structures, swapped, cast between types and spaces of the same kind, to void; const tables
// inside functions; compound literals and designated initialisers; a sampler that no kernel needs.
const sampler_t unused_sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void picture(read_only image2d_t from, global float4 *to) { to[0] = read_imagef(from, unused_sampler, (int2)(0, 0)); }

typedef struct {
  global const int *data;
  local int *scratch;
  int count;
} View;

int take(const View *v, int i) { return v->data[i % v->count] ^ v->scratch[i & 31]; }

void swap_views(global const float **a, global const float **b) {
  global const float *t = *a;
  *a = *b;
  *b = t;
}

int digits(uint x) {
  const uint powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
  const char steps[4] = {'a', 'b', 'c', 'd'};
  int n = 0;
  while (n < 10 && x >= powers[n])
    n++;
  return n * steps[x & 3];
}

float4 corner(int k) {
  return k & 1 ? (float4)(1.0f) : (float4)(0, 1, 2, 3) * 0.5f;
}

kernel void pointers(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local int scratch[32];
  local float values[64];
  int t = get_local_id(0), g = get_global_id(0);
  scratch[t] = in[g];
  local uint *as_uints = (local uint *)values;
  as_uints[t] = (uint)in[g] & 0x7fffff | 0x3f800000;
  values[t + 32] = fin[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  View view = {.count = n, .data = in, .scratch = scratch};
  global const float *halves[2] = {fin, fin + n / 2};
  if (in[g] & 1)
    swap_views(&halves[0], &halves[1]);
  float sum = 0;
  for (int i = 0; i < 8; i++) {
    sum += halves[i & 1][g % (n / 2)] + values[(t + i) & 63];
    swap_views(&halves[0], &halves[1]);
  }
  global const void *anything = in + (g & 7);
  global const short *shorts = (global const short *)anything;
  global const char3 *threes = (global const char3 *)in;
  struct {
    int a[3];
    float f;
  } pack = {{1, [2] = g}, .f = 2.5f};
  local float *p = values + t, *end = values + 64;
  int walked = 0;
  while (p < end) {
    p += 5;
    walked++;
  }
  float4 c = corner(in[g] >> 3);
  c.xy += (float2){0.25f, -0.25f};
  out[g] = take(&view, g * 3) + shorts[1] + threes[g].z * 7 + digits((uint)in[g]) + pack.a[1] + pack.a[2] + walked * 1000 + (int)(end - p);
  fout[g] = sum + pack.f + c.x * c.w + c.y;
}
