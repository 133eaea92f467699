/* Four of the five kernels of which GPUWattch's reports are compared (reports.csv), written anew from what they compute: the same
 * grids, loops and accesses. energy.ptx is made from it with
 *   clang -x cl -cl-std=CL1.2 -target nvptx64--nvidiacl -Xclang -target-cpu -Xclang sm_20 -O2 -fno-unroll-loops -S energy.cl
 * The fifth, convolution.ptx, is written by hand. */
#define TX __nvvm_read_ptx_sreg_tid_x()
#define TY __nvvm_read_ptx_sreg_tid_y()
#define BX __nvvm_read_ptx_sreg_ctaid_x()
#define BY __nvvm_read_ptx_sreg_ctaid_y()
#define WIDE __nvvm_read_ptx_sreg_ntid_x()
#define HIGH __nvvm_read_ptx_sreg_ntid_y()
#define GRID __nvvm_read_ptx_sreg_nctaid_x()

/* The windows of an image as columns of a matrix: a thread for each window of a channel. */
__kernel void im2col(int n, __global const float *image, int height, int width, int side, int pad, int stride, int rows, int cols,
                     __global float *to) {
  for (int i = BX * WIDE + TX; i < n; i += WIDE * GRID) {
    int col = i % cols, row = i / cols % rows, channel = i / cols / rows;
    int top = row * stride - pad, left = col * stride - pad;
    __global float *at = to + (channel * side * side * rows + row) * cols + col;
    __global const float *from = image + (channel * height + top) * width + left;
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side; x++) {
        int v = top + y, h = left + x;
        *at = v >= 0 && h >= 0 && v < height && h < width ? from[y * width + x] : 0;
        at += rows * cols;
      }
  }
}

/* y += x * w, the sum in memory: a thread for each element of y. */
__kernel void fully_connected(__global float *y, __global const float *x, __global const float *w, int depth, int cols, int rows) {
  int row = BY * HIGH + TY, col = BX * WIDE + TX;
  if (row < rows && col < cols)
    for (int i = 0; i < depth; i++)
      y[row * cols + col] += x[row * depth + i] * w[i * cols + col];
}

__kernel void bias(__global float *y, __global const float *b, int depth, int cols, int rows) {
  int row = BY * HIGH + TY, col = BX * WIDE + TX;
  if (row < rows && col < cols)
    y[row * cols + col] += b[col];
}

/* The largest of each window and where it was: a thread for each window. */
__kernel void pooling(int n, __global const float *from, int channels, int height, int width, int rows, int cols, int side, int stride,
                      int pad, __global float *to, __global int *where) {
  for (int i = BX * WIDE + TX; i < n; i += WIDE * GRID) {
    int col = i % cols, row = i / cols % rows, channel = i / cols / rows % channels, image = i / cols / rows / channels;
    int top = row * stride - pad, left = col * stride - pad;
    int bottom = top + side < height ? top + side : height, right = left + side < width ? left + side : width;
    top = top > 0 ? top : 0;
    left = left > 0 ? left : 0;
    float most = -3.402823466e38f;
    int at = -1;
    __global const float *plane = from + (image * channels + channel) * height * width;
    for (int v = top; v < bottom; v++)
      for (int h = left; h < right; h++)
        if (plane[v * width + h] > most) {
          at = v * width + h;
          most = plane[at];
        }
    to[i] = most;
    where[i] = at;
  }
}
