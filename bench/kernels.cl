// The three measured kernels in OpenCL C, for the comparison with Oclgrind. kernels.ptx is made from this
// file by bench/regenerate.sh; the same algorithms in CUDA are in examples/gpgpusim/kernels.cu.

__kernel void matmul16(__global const float *A, __global const float *B, __global float *C, int N)
{
  __local float As[16][16], Bs[16][16];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
  float s = 0.0f;
  for (int m = 0; m < N / 16; ++m) {
    As[ty][tx] = A[row * N + m * 16 + tx];
    Bs[ty][tx] = B[(m * 16 + ty) * N + col];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 16; ++k)
      s += As[ty][k] * Bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row * N + col] = s;
}

__kernel void bfs_step(__global const int *row, __global const int *col, __global int *dist, int level, int n,
                       __global int *changed)
{
  int v = get_global_id(0);
  if (v >= n || dist[v] != level)
    return;
  for (int e = row[v]; e < row[v + 1]; ++e) {
    int u = col[e];
    if (dist[u] < 0) {
      dist[u] = level + 1;
      *changed = 1;
    }
  }
}

__kernel void gather(__global const int *idx, __global const float *tab, __global float *out, int n, int K)
{
  int i = get_global_id(0);
  if (i >= n)
    return;
  float s = 0.0f;
  for (int k = 0; k < K; ++k)
    s += tab[idx[k * n + i]];
  out[i] = s;
}
