/* Two-dimensional wavelet transform, 5/3 lifting on integers. Bytes of an RGB image are first split into three
 * planes; then each level transforms a plane: a work-group of 64 work-items slides down a strip of 64 columns in
 * steps of 8 rows, with the rows transformed along x, and three rows of the last step, in local memory. */
#define W 64         /* columns of a strip */
#define ROWS 8       /* new rows of a step */
#define STEPS 4      /* of a work-group */
#define WIDE (W + 3) /* two columns before, one after */

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
dwt2d_split(__global const uchar *restrict rgb, __global int *restrict r, __global int *restrict g,
            __global int *restrict b, uint n) {
  __local uchar part[256 * 3];
  uint t = get_local_id(0), first = get_group_id(0) * 256, i = first + t;
  for (uint k = t; k < 256 * 3; k += 256)
    if (first * 3 + k < n * 3)
      part[k] = rgb[first * 3 + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) {
    r[i] = (int)part[3 * t] - 128;
    g[i] = (int)part[3 * t + 1] - 128;
    b[i] = (int)part[3 * t + 2] - 128;
  }
}

static int mirror(int i, int n) {
  i = i < 0 ? -i : i;
  return i >= n ? 2 * (n - 1) - i : i;
}

/* Loads row y of the image into a row of the window and transforms it along x, in place: even places hold
 * the low band, odd ones the high band; places 0, 1 and the last are the border. */
static void load_row(__global const int *restrict in, int y, int x0, int w, int h, __local int *row) {
  int t = get_local_id(0);
  __global const int *from = in + mirror(y, h) * w;
  for (int i = t; i < WIDE; i += W)
    row[i] = from[mirror(x0 - 2 + i, w)];
}

static void transform_row(__local int *row) {
  int t = get_local_id(0);
  if (t <= W / 2) /* odd places 1 .. W + 1 */
    row[2 * t + 1] -= (row[2 * t] + row[2 * t + 2]) >> 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < W / 2)
    row[2 * t + 2] += (row[2 * t + 1] + row[2 * t + 3] + 2) >> 2;
}

/* Results: the low-low band goes to ll (dense, half the size), the others to their quarter of out, whose rows
 * have `pitch` ints; at the last level the low-low band goes there, too. */
__kernel __attribute__((reqd_work_group_size(W, 1, 1))) void
dwt2d_level(__global const int *restrict in, __global int *restrict ll, __global int *restrict out, int w,
            int h, int pitch, int last) {
  __local int win[ROWS + 3][WIDE];
  int t = get_local_id(0), x0 = get_group_id(0) * W, y0 = get_group_id(1) * ROWS * STEPS;
  int place = t + 2, x = (x0 + t) >> 1, odd = t & 1;
  for (int i = 0; i < 3; i++)
    load_row(in, y0 - 2 + i, x0, w, h, win[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 3; i++)
    transform_row(win[i]);
  /* along y: the odd row before the first step */
  barrier(CLK_LOCAL_MEM_FENCE);
  win[1][place] -= (win[0][place] + win[2][place]) >> 1;
  for (int step = 0; step < STEPS && y0 + step * ROWS < h; step++) {
    int y = y0 + step * ROWS;
    for (int i = 0; i < ROWS; i++)
      load_row(in, y + 1 + i, x0, w, h, win[3 + i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < ROWS; i++)
      transform_row(win[3 + i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 3; i < ROWS + 3; i += 2)
      win[i][place] -= (win[i - 1][place] + win[i + 1][place]) >> 1;
    for (int i = 2; i < ROWS + 2; i += 2) {
      int low = win[i][place] + ((win[i - 1][place] + win[i + 1][place] + 2) >> 2), high = win[i + 1][place];
      int row = (y + i - 2) >> 1;
      if (x0 + t < w && y + i - 2 < h) {
        int column = odd ? x + w / 2 : x;
        if (!odd)
          ll[row * (w / 2) + x] = low;
        if (odd || last)
          out[row * pitch + column] = low;
        out[(row + h / 2) * pitch + column] = high;
      }
    }
    /* the last three rows are the next step's first */
    win[0][place] = win[ROWS][place];
    win[1][place] = win[ROWS + 1][place];
    win[2][place] = win[ROWS + 2][place];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
