/* A work-item for each element, groups of 256 in one dimension; loops over the part of the mask that lies on
 * the matrix. Input and mask come from global memory. */
__kernel void convolve(__global uint *restrict out, __global const uint *restrict in,
                       __global const float *restrict mask, int width, int height, int reach) {
  int i = (int)get_global_id(0), x = i % width, y = i / width;
  if (y >= height)
    return;
  int left = max(x - reach, 0), right = min(x + reach, width - 1);
  int top = max(y - reach, 0), bottom = min(y + reach, height - 1);
  float sum = 0;
  for (int r = top; r <= bottom; r++)
    for (int c = left; c <= right; c++)
      sum += (float)in[r * width + c] * mask[(r - y + reach) * (2 * reach + 1) + c - x + reach];
  out[i] = (uint)(sum + 0.5f);
}
