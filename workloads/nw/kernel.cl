/* Needleman-Wunsch: the score matrix is filled in blocks of 16 x 16, all blocks of an anti-diagonal at a time,
 * with one work-item for each column of a block. A block is staged in local memory with the row above and the
 * column to its left, and swept along its own anti-diagonals. */
#define B 16

static void fill_block(__global const int *restrict similarity, __global int *restrict score, uint cols,
                       int penalty, uint bx, uint by, __local int (*t)[B + 1], __local int (*s)[B]) {
  uint tx = get_local_id(0);
  uint corner = by * B * cols + bx * B; /* of the border, which belongs to the neighbours */
  uint inside = corner + cols + 1;
  for (uint y = 0; y < B; y++)
    s[y][tx] = similarity[inside + y * cols + tx];
  if (tx == 0)
    t[0][0] = score[corner];
  t[tx + 1][0] = score[corner + (tx + 1) * cols];
  t[0][tx + 1] = score[corner + tx + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 0; d < 2 * B - 1; d++) {
    int y = d - (int)tx;
    if (y >= 0 && y < B) {
      int match = t[y][tx] + s[y][tx];
      int gap = max(t[y + 1][tx], t[y][tx + 1]) - penalty;
      t[y + 1][tx + 1] = max(match, gap);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint y = 0; y < B; y++)
    score[inside + y * cols + tx] = t[y + 1][tx + 1];
}

/* Diagonal `diagonal` of the upper left half, from 1: as many blocks as its number. */
__kernel void nw_upper(__global const int *restrict similarity, __global int *restrict score, uint cols,
                       int penalty, uint diagonal) {
  __local int t[B + 1][B + 1], s[B][B];
  uint bx = get_group_id(0);
  fill_block(similarity, score, cols, penalty, bx, diagonal - 1 - bx, t, s);
}

/* The same for the lower right half; `blocks` along a side. */
__kernel void nw_lower(__global const int *restrict similarity, __global int *restrict score, uint cols,
                       int penalty, uint diagonal, uint blocks) {
  __local int t[B + 1][B + 1], s[B][B];
  uint bx = get_group_id(0) + blocks - diagonal;
  fill_block(similarity, score, cols, penalty, bx, blocks - 1 - get_group_id(0), t, s);
}
