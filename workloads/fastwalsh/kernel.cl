/* Walsh-Hadamard transform in natural order, two levels at a time: a work-item turns four elements, a stride
 * apart. fwt_global does the two outermost levels of blocks too large for local memory, in place; fwt_local
 * all levels of a block of up to 2048, with a group of a quarter of its length. */
static void turn4(float *a, float *b, float *c, float *d) {
  float ac = *a + *c, a_c = *a - *c, bd = *b + *d, b_d = *b - *d;
  *a = ac + bd;
  *b = ac - bd;
  *c = a_c + b_d;
  *d = a_c - b_d;
}

__kernel void fwt_global(__global float *data, uint stride) {
  uint i = get_global_id(0), low = i & (stride - 1);
  uint at = ((i - low) << 2) + low;
  float a = data[at], b = data[at + stride], c = data[at + 2 * stride], d = data[at + 3 * stride];
  turn4(&a, &b, &c, &d);
  data[at] = a;
  data[at + stride] = b;
  data[at + 2 * stride] = c;
  data[at + 3 * stride] = d;
}

__kernel void fwt_local(__global float *data, __local float *block, uint log2n) {
  uint n = 1u << log2n, first = get_group_id(0) << log2n, me = get_local_id(0), items = get_local_size(0);
  for (uint i = me; i < n; i += items)
    block[i] = data[first + i];
  uint stride = n >> 2;
  for (; stride > 0; stride >>= 2) {
    uint low = me & (stride - 1), at = ((me - low) << 2) + low;
    barrier(CLK_LOCAL_MEM_FENCE);
    float a = block[at], b = block[at + stride], c = block[at + 2 * stride], d = block[at + 3 * stride];
    turn4(&a, &b, &c, &d);
    block[at] = a;
    block[at + stride] = b;
    block[at + 2 * stride] = c;
    block[at + 3 * stride] = d;
  }
  if (log2n & 1) { /* a level is left */
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < n / 2; i += items) {
      float a = block[2 * i], b = block[2 * i + 1];
      block[2 * i] = a + b;
      block[2 * i + 1] = a - b;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = me; i < n; i += items)
    data[first + i] = block[i];
}

__kernel void modulate(__global float *restrict data, __global const float *restrict by, float scale,
                       uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    data[i] *= by[i] * scale;
}
