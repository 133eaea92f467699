/* LU decomposition in place, without pivoting, by blocks of 16 x 16. For each block of the diagonal: that block by
 * itself (one work-group of 16), the blocks to its right and below (a group of 32 for a pair of them), then all
 * that remains (a group of 16 x 16 for each block). Blocks are staged in local memory. */
#define B 16

__kernel __attribute__((reqd_work_group_size(B, 1, 1))) void lud_diagonal(__global float *m, uint n, uint at) {
  __local float a[B][B];
  uint t = get_local_id(0);
  __global float *block = m + at * n + at;
  for (uint i = 0; i < B; i++)
    a[i][t] = block[i * n + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i + 1 < B; i++) {
    if (t > i) { /* column i of L, below the diagonal */
      for (uint k = 0; k < i; k++)
        a[t][i] -= a[t][k] * a[k][i];
      a[t][i] /= a[i][i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t > i) /* row i + 1 of U */
      for (uint k = 0; k < i + 1; k++)
        a[i + 1][t] -= a[i + 1][k] * a[k][t];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint i = 1; i < B; i++)
    block[i * n + t] = a[i][t];
}

/* Work-items 0 to 15 handle a block of the row (U), 16 to 31 one of the column (L). */
__kernel __attribute__((reqd_work_group_size(2 * B, 1, 1))) void lud_perimeter(__global float *m, uint n, uint at) {
  __local float diagonal[B][B], row[B][B], column[B][B];
  uint t = get_local_id(0), i = t % B, away = (get_group_id(0) + 1) * B;
  bool upper = t < B;
  __global float *d = m + at * n + at, *r = d + away, *c = d + away * n;
  for (uint k = upper ? 0 : B / 2; k < (upper ? B / 2 : B); k++)
    diagonal[k][i] = d[k * n + i];
  for (uint k = 0; k < B; k++)
    if (upper)
      row[k][i] = r[k * n + i];
    else
      column[k][i] = c[k * n + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (upper) {
    for (uint y = 1; y < B; y++)
      for (uint k = 0; k < y; k++)
        row[y][i] -= diagonal[y][k] * row[k][i];
  } else {
    for (uint x = 0; x < B; x++) {
      for (uint k = 0; k < x; k++)
        column[i][x] -= column[i][k] * diagonal[k][x];
      column[i][x] /= diagonal[x][x];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < B; k++)
    if (upper)
      r[k * n + i] = row[k][i];
    else
      c[k * n + i] = column[k][i];
}

__kernel __attribute__((reqd_work_group_size(B, B, 1))) void lud_internal(__global float *m, uint n, uint at) {
  __local float row[B][B], column[B][B];
  uint x = get_local_id(0), y = get_local_id(1);
  uint gx = at + (get_group_id(0) + 1) * B, gy = at + (get_group_id(1) + 1) * B;
  row[y][x] = m[(at + y) * n + gx + x];
  column[y][x] = m[(gy + y) * n + at + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = 0; k < B; k++)
    sum += column[y][k] * row[k][x];
  m[(gy + y) * n + gx + x] -= sum;
}
