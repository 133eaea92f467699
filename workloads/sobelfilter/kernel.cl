/* A work-item for each pixel of four bytes, groups of 64 x 4, loads the eight around it; pixels of the edge are
 * left as they are. */
static float4 at(__global const uchar4 *image, uint i) {
  return convert_float4(image[i]);
}

__kernel __attribute__((reqd_work_group_size(64, 4, 1))) void sobel(__global const uchar4 *restrict in,
                                                                    __global uchar4 *restrict out) {
  uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), i = y * width + x;
  if (x < 1 || x >= width - 1 || y < 1 || y >= get_global_size(1) - 1)
    return;
  float4 nw = at(in, i - width - 1), n = at(in, i - width), ne = at(in, i - width + 1), w = at(in, i - 1);
  float4 e = at(in, i + 1), sw = at(in, i + width - 1), s = at(in, i + width), se = at(in, i + width + 1);
  float4 across = nw + 2.0f * n + ne - sw - 2.0f * s - se, down = nw - ne + 2.0f * w - 2.0f * e + sw - se;
  out[i] = convert_uchar4_sat(sqrt(across * across + down * down) * 0.5f);
}
