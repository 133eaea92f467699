/* Three kernels. sad_4x4: a group of 61 for each block of 4 x 4 pixels, which it holds in local memory; each
 * work-item takes 18 of the 33 x 33 displacements, one after the other. sad_8: sums of 4 x 4 blocks give
 * 8 x 4, 4 x 8 and 8 x 8; groups of 32 x 4, a row for each quarter of a macroblock. sad_16: those give 16 x 8,
 * 8 x 16 and 16 x 16. Sums are 16 bits wide and added two at a time: none passes 65280.
 *
 * Layout: for each shape, macroblock and block a row of 1096 displacements, 1089 of them used:
 *   16x16 (1 a macroblock), 8x16 (2), 16x8 (2), 8x8 (4), 4x8 (8), 8x4 (8), 4x4 (16), width x height */
#define SEARCH    33
#define REACH     16
#define POSITIONS (SEARCH * SEARCH)
#define PITCH     1096
#define WORDS     (PITCH / 2)
#define PER_ITEM  18
#define GROUP     61

/* First row of each shape, counted in rows of one macroblock. */
#define AT_16X16 0
#define AT_8X16  1
#define AT_16X8  3
#define AT_8X8   5
#define AT_4X8   9
#define AT_8X4   17
#define AT_4X4   25

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
sad_4x4(__global uint *restrict sums, __global const ushort *restrict current,
        __global const ushort *restrict reference, int width, int height) {
  __local ushort block[16];
  int me = (int)get_local_id(0), x0 = (int)get_group_id(0) * 4, y0 = (int)get_group_id(1) * 4;
  if (me < 16)
    block[me] = current[(y0 + me / 4) * width + x0 + me % 4];
  barrier(CLK_LOCAL_MEM_FENCE);
  int macroblocks = (width / 16) * (height / 16), macroblock = y0 / 16 * (width / 16) + x0 / 16;
  int row = AT_4X4 * macroblocks + macroblock * 16 + y0 / 4 % 4 * 4 + x0 / 4 % 4;
  int position = me * PER_ITEM;
  for (int pair = 0; pair < PER_ITEM / 2; pair++) {
    uint both = 0;
    for (int part = 0; part < 2; part++, position++) {
      uint sum = 0;
      int x = x0 + position % SEARCH - REACH, y = y0 + position / SEARCH - REACH;
#pragma unroll
      for (int p = 0; p < 16; p++) {
        int pixel = reference[clamp(y + p / 4, 0, height - 1) * width + clamp(x + p % 4, 0, width - 1)];
        sum += abs(pixel - (int)block[p]);
      }
      if (position < POSITIONS)
        both |= sum << 16 * part;
    }
    if (position - 2 < POSITIONS)
      sums[row * WORDS + position / 2 - 1] = both;
  }
}

__kernel __attribute__((reqd_work_group_size(32, 4, 1))) void sad_8(__global uint *restrict sums,
                                                                    int macroblocks) {
  int macroblock = (int)get_group_id(0), quarter = (int)get_local_id(1);
  int corner = quarter / 2 * 8 + quarter % 2 * 2; /* its first 4 x 4 block */
  __global const uint *from = sums + (AT_4X4 * macroblocks + macroblock * 16 + corner) * WORDS;
  __global uint *wide = sums + (AT_8X4 * macroblocks + macroblock * 8 + quarter * 2) * WORDS;
  __global uint *high = sums + (AT_4X8 * macroblocks + macroblock * 8 + quarter * 2) * WORDS;
  __global uint *square = sums + (AT_8X8 * macroblocks + macroblock * 4 + quarter) * WORDS;
  for (int i = (int)get_local_id(0); i < WORDS; i += 32) {
    uint a = from[i], b = from[WORDS + i], c = from[4 * WORDS + i], d = from[5 * WORDS + i];
    wide[i] = a + b;
    wide[WORDS + i] = c + d;
    high[i] = a + c;
    high[WORDS + i] = b + d;
    square[i] = a + b + c + d;
  }
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void sad_16(__global uint *restrict sums,
                                                                     int macroblocks) {
  int macroblock = (int)get_group_id(0);
  __global const uint *from = sums + (AT_8X8 * macroblocks + macroblock * 4) * WORDS;
  __global uint *wide = sums + (AT_16X8 * macroblocks + macroblock * 2) * WORDS;
  __global uint *high = sums + (AT_8X16 * macroblocks + macroblock * 2) * WORDS;
  __global uint *square = sums + (AT_16X16 * macroblocks + macroblock) * WORDS;
  for (int i = (int)get_local_id(0); i < WORDS; i += 32) {
    uint a = from[i], b = from[WORDS + i], c = from[2 * WORDS + i], d = from[3 * WORDS + i];
    wide[i] = a + b;
    wide[WORDS + i] = c + d;
    high[i] = a + c;
    high[WORDS + i] = b + d;
    square[i] = a + b + c + d;
  }
}
