/* One kernel for each element type, all with the same loop: a fixed grid strides over the elements. What
 * differs is how an element is loaded: one access where the type is aligned to its size, one for each member
 * where it is not. */
struct rgba8 {
  uchar r, g, b, a;
};
struct la32 {
  uint l, a;
};
struct rgb32 {
  uint r, g, b;
};
struct rgba32 {
  uint r, g, b, a;
};
struct __attribute__((aligned(16))) rgb32_aligned {
  uint r, g, b;
};
struct __attribute__((aligned(16))) rgba32_twice {
  uint4 first, second;
};

#define COPY(NAME, TYPE, MOVE)                                                                               \
  __kernel void copy_##NAME(__global TYPE *restrict out, __global const TYPE *restrict in, uint n) {         \
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {                                        \
      MOVE                                                                                                   \
    }                                                                                                        \
  }

COPY(uint8, uchar, out[i] = in[i];)
COPY(uint16, ushort, out[i] = in[i];)
COPY(rgba8, struct rgba8, out[i] = in[i];)
COPY(la32, struct la32, out[i] = in[i];)
COPY(rgb32, struct rgb32, out[i] = in[i];)
COPY(rgba32, struct rgba32, out[i] = in[i];)
COPY(rgba8_aligned, uchar4, out[i] = in[i];)
COPY(la32_aligned, uint2, out[i] = in[i];)
COPY(rgb32_aligned, struct rgb32_aligned, out[i].r = in[i].r; out[i].g = in[i].g; out[i].b = in[i].b;)
COPY(rgba32_aligned, uint4, out[i] = in[i];)
COPY(rgba32_twice, struct rgba32_twice, out[i].first = in[i].first; out[i].second = in[i].second;)
