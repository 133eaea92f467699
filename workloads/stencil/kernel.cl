/* Groups of 32 x 4 own tiles of 64 x 4 columns of points, two columns to a work-item, and walk them upwards:
 * the points below and above are held in registers, the current plane's tile in local memory, and what lies
 * beside the tile comes from global memory. The grid's faces keep their values. */
#define TX 32
#define TY 4

__kernel __attribute__((reqd_work_group_size(TX, TY, 1))) void stencil(float centre, float side,
                                                                       __global const float *restrict in,
                                                                       __global float *restrict out, int nx,
                                                                       int ny, int nz) {
  __local float plane[TY][2 * TX];
  int lx = (int)get_local_id(0), ly = (int)get_local_id(1);
  int j = (int)get_group_id(1) * TY + ly, size = nx * ny;
  int i[2] = {(int)get_group_id(0) * 2 * TX + lx, (int)get_group_id(0) * 2 * TX + lx + TX};
  float below[2] = {0, 0}, here[2] = {0, 0};
  bool inside[2], exists[2];
#pragma unroll
  for (int c = 0; c < 2; c++) {
    exists[c] = i[c] < nx && j < ny;
    inside[c] = i[c] > 0 && i[c] < nx - 1 && j > 0 && j < ny - 1;
    if (exists[c]) {
      below[c] = in[j * nx + i[c]];
      here[c] = in[size + j * nx + i[c]];
    }
  }
  for (int k = 1; k < nz - 1; k++) {
    plane[ly][lx] = here[0];
    plane[ly][lx + TX] = here[1];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int c = 0; c < 2; c++) {
      int at = k * size + j * nx + i[c], x = lx + c * TX;
      float above = exists[c] ? in[at + size] : 0;
      if (inside[c]) {
        float left = x > 0 ? plane[ly][x - 1] : in[at - 1];
        float right = x < 2 * TX - 1 ? plane[ly][x + 1] : in[at + 1];
        float back = ly > 0 ? plane[ly - 1][x] : in[at - nx];
        float front = ly < TY - 1 ? plane[ly + 1][x] : in[at + nx];
        out[at] = side * (above + below[c] + left + right + back + front) - centre * here[c];
      }
      below[c] = here[c];
      here[c] = above;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
