// Two kernels that are not among those of examples/gpgpusim; regenerate.sh makes kernels.ptx of this file.

// One Jacobi step of a seven-point stencil, a thread to each point; borders are copied.
__kernel void stencil7(__global const float *a, __global float *b, int nx, int ny, int nz)
{
  int i = get_global_id(0);
  int x = i % nx, y = i / nx % ny, z = i / nx / ny;
  if (z >= nz)
    return;
  float v = a[i];
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
    v = 0.25f * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny]) - 0.5f * v;
  b[i] = v;
}

// y = A x, A in compressed rows, a thread to each row.
__kernel void spmv_csr(__global const int *row, __global const int *col, __global const float *value,
                       __global const float *x, __global float *y, int n)
{
  int r = get_global_id(0);
  if (r >= n)
    return;
  float s = 0.0f;
  for (int e = row[r]; e < row[r + 1]; ++e)
    s += value[e] * x[col[e]];
  y[r] = s;
}
