/* Jagged diagonals, transposed: rows in order of falling length, in chunks of 32 padded to the chunk's
 * longest row; entry k of all rows lies together. A work-item for each row adds up its entries; a chunk's
 * length and the diagonals' starts are read through the constant cache. */
__kernel __attribute__((reqd_work_group_size(192, 1, 1))) void
spmv(__global float *restrict y, __global const float *restrict value, __global const uint *restrict column,
     __global const uint *restrict row, __global const float *restrict x, __constant uint *diagonal,
     __constant uint *chunk_length, uint rows) {
  uint i = get_global_id(0);
  if (i >= rows)
    return;
  uint length = chunk_length[i / 32];
  float sum = 0;
  for (uint k = 0; k < length; k++) {
    uint at = diagonal[k] + i;
    sum += value[at] * x[column[at]];
  }
  y[row[i]] = sum;
}
